package hardware

import (
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

// What CUDA, HIP and libtpu say that there is in all, in GiB, in logs of vLLM, SGLang and PyTorch.
func TestUsable(t *testing.T) {
	for id, logged := range map[string]float64{"gpu.h100": 79.19, "gpu.a100": 79.22, "gpu.a100_40": 39.39,
		"gpu.l40s": 44.42, "gpu.b200": 178.35, "gpu.b300": 268, "gpu.rtxpro6000": 95.01, "gpu.rtx3090": 23.57,
		"gpu.rtx4090": 23.53, "gpu.mi300x": 191.69, "gpu.gb10": 121.69, "tpu.v5e": 15.75, "tpu.v6e": 31.25} {
		got, err := get(t, id).Usable()
		if err != nil || relative(got/(1<<30), logged) > 0.006 {
			t.Errorf("%s: programs can have %.2f GiB, a log has %.2f: %v", id, got/(1<<30), logged, err)
		}
	}
	for _, a := range Catalog().All {
		c := constant(t, a.ID, "hbm")
		if got, err := a.Usable(); err != nil || got > c.Value.Value || got < 0.95*c.Value.Value {
			t.Errorf("%s: programs can have %v of %s: %v", a.ID, got, c.Text, err)
		}
	}
	own := map[string]quantity.Quantity{"hbm": {Value: 1e9, Dim: data}}
	if got, err := get(t, "gpu.h100").With(own).Usable(); err != nil || got != 1e9 {
		t.Errorf("a reader’s own number is %v, %v", got, err)
	}
	if _, err := (&Accelerator{ID: "gpu.none", facts: func() []Fact { return nil }}).Usable(); err == nil {
		t.Error("no memory, no error")
	}
}
