package shardinglab

import (
	"testing"

	"github.com/scalebook/scalebook/app/widget/instrument"
)

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(New(), 400) {
		t.Error(f)
	}
}
