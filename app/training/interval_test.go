package training

import (
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// However far measurements lie from predictions, none beats the peak: six operations for each parameter and token.
func TestNoIntervalBeatsThePeak(t *testing.T) {
	tried := 0
	for _, a := range hardware.Catalog().All {
		if _, err := NewDevice(a); err != nil {
			continue // it can't train
		}
		for _, stack := range []string{"megatron", "nanotron", "fsdp", "xla"} {
			j := newJob(t, "llama3.8b", a.ID, stack, 8, 128, 4096)
			p := NewPricer(j)
			price := p.Price(Plan{DP: 8, Zero: 3, Micro: 1})
			i := p.StepInterval(&price)
			tokens, embedding := 128.*4096, 128256.*4096
			least := 6 * (j.Model.Total() - embedding) * tokens / 8 / j.Device.Peak[BF16]
			if i.Low < least || i.Low > i.Mid || i.High < i.Mid {
				t.Errorf("%s, %s: %.4g to %.4g to %.4g s, and %.4g at the peak", a.ID, stack, i.Low, i.Mid, i.High, least)
			}
			tried++
		}
	}
	if tried < 50 {
		t.Errorf("only %d tried", tried)
	}
}
