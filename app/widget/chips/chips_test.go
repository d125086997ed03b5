package chips_test

import (
	"testing"

	"github.com/scalebook/scalebook/app/widget/chips"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func TestNoFaults(t *testing.T) {
	for _, in := range []*instrument.Instrument{chips.New(), chips.NewSlice()} {
		for _, f := range instrument.Faults(in, 600) {
			t.Errorf("%s: %s", in.ID, f)
		}
	}
}
