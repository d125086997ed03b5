package modelcard_test

import (
	"testing"

	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/modelcard"
)

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(modelcard.New(), 600) {
		t.Error(f)
	}
}
