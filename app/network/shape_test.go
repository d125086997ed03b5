package network_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
)

// Every shape that is offered can be cut, is smaller than the next, and stands for itself.
func TestShapes(t *testing.T) {
	for _, a := range hardware.Catalog().All {
		_, torus := network.RuleFor(a)
		all := network.Shapes(a)
		if torus != (len(all) > 0) {
			t.Errorf("%s: %v", a.ID, all)
		}
		last := 0
		for _, shape := range all {
			sl, err := network.CutSlice(a, shape)
			if err != nil || sl.Shape() != shape || sl.Size() < last {
				t.Errorf("%s %s: %s of %d chips after %d, %v", a.ID, shape, sl.Shape(), sl.Size(), last, err)
			}
			last = sl.Size()
		}
	}
}

func FuzzParseShape(f *testing.F) {
	for _, s := range []string{"4x4x8", "16 × 16", "1,1,1", "x", "", "99999x1", "-4x4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sides, err := network.ParseShape(text)
		if (err == nil) != (len(sides) > 0) || err != nil && !strings.Contains(err.Error(), "; ") {
			t.Errorf("%q is %v, %v", text, sides, err)
		}
		for _, id := range []string{"tpu.v5e", "tpu.v5p"} {
			a, _ := hardware.Catalog().Get(id)
			if sl, err := network.CutSlice(a, text); err == nil && (sl.Size() < 1 || sl.Size() > 10000) {
				t.Errorf("%s %q has %d chips", id, text, sl.Size())
			}
		}
	})
}
