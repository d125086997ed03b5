package machine

import (
	"math"
	"testing"
)

// TestCrowdSettles: at half of its capacity a machine has half of its slots taken on average, and nobody waits.
func TestCrowdSettles(t *testing.T) {
	served, waiting := 0, 0
	moments := Crowd(2, 4, 40, 40000, 1)
	for _, m := range moments {
		served, waiting = served+m.Served, waiting+m.Waiting
	}
	if mean := float64(served) / float64(len(moments)); math.Abs(mean-20) > 0.5 || waiting > 0 {
		t.Errorf("%v are served on average, %d wait", mean, waiting)
	}
}

// TestCrowdOverflows: above capacity the queue grows by what comes too much.
func TestCrowdOverflows(t *testing.T) {
	moments := Crowd(5, 4, 10, 4000, 2)
	if last := float64(moments[3999].Waiting); math.Abs(last-4000) > 400 {
		t.Errorf("after 4000 slices %v wait", last)
	}
	if again := Crowd(5, 4, 10, 4000, 2); again[3999] != moments[3999] {
		t.Error("the same seed gives another crowd")
	}
}
