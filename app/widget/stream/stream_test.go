package stream_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/stream"
)

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(stream.New(), 800) {
		t.Error(f)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// The times on the page are the roofline's, of the whole matmul.
func TestBoundsAreTheRooflines(t *testing.T) {
	p, _ := instrument.Place(stream.New(), "", "")
	v := p.View()
	chip, _ := hardware.Catalog().Get("tpu.v5e")
	wire, _ := chip.Get("hbm_bandwidth")
	peak, _ := chip.Peak("bf16")
	bounds := roofline.Bounds{
		Math:  roofline.MatmulFLOPs(256, 8192, 8*1024).Over(quantity.FLOPRate(peak.Value.Value)),
		Comms: quantity.Bytes(2 * (256*8192 + 8192*8*1024 + 256*8*1024)).Over(quantity.Bandwidth(wire.Value.Value)),
	}
	for i, want := range []quantity.Seconds{1: bounds.Lower(), 2: bounds.Upper()} {
		if got, _ := strconv.ParseFloat(v.Values()[i].Data, 64); i > 0 && !near(got, float64(want)) {
			t.Errorf("%s: %v, want %v", v.Values()[i].Name, got, want)
		}
	}
}
