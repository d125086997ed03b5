package serving

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Options of one search whose states are priced once wait exactly as each by itself does, in whatever order they come.
func TestLinesShareStates(t *testing.T) {
	r, tried, shared := rand.New(rand.NewPCG(7, 29)), 0, 0
	for tried < 60 {
		w := randomWish(t, r)
		w.Apart = false
		all, _ := w.Search(0, 1)
		lines := w.Lines()
		if len(all) == 0 {
			continue
		}
		first := r.IntN(len(all))
		for _, o := range all[first:min(first+40, len(all))] {
			if r.IntN(6) > 0 { // six or so, most of one plan
				continue
			}
			if _, again := lines.states[o.Plan]; again {
				shared++
			}
			a, b := w.Line(o), lines.Of(o)
			if !reflect.DeepEqual(a.chain, b.chain) {
				t.Fatalf("%s on %s, %v with %v: %+v, with shared states %+v", w.Shape.Model.ID, w.Chip.ID, o.Plan,
					o.Batch, a.chain, b.chain)
			}
			in := Arrivals{Rate: a.Capacity() * r.Float64(), Replicas: 3}
			if a.Queue(in) != b.Queue(in) || a.Replicas(in, 0.9, 0, 0) != b.Replicas(in, 0.9, 1e9, 1e9) {
				t.Errorf("%v with %v differs at %v a second", o.Plan, o.Batch, in.Rate)
			}
			tried++
		}
	}
	if shared < 30 {
		t.Errorf("only %d of %d options share states", shared, tried)
	}
}
