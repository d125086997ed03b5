package serving

import "math"

// SmallestSlice is the fewest chips, a power of two, on which a load fits at all, and the plan that leaves most room
// there.
func (w Wish) SmallestSlice() (Plan, bool) {
	for _, n := range powers(max(w.Chips, 1)) {
		best, room := Plan{}, 0.0
		w.Chips, w.Layout = n, Plan{}
		for _, p := range w.Plans() {
			if p.Chips() != n {
				continue
			}
			r, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
			if err == nil && w.room(r) > room {
				best, room = p, w.room(r)
			}
		}
		if room >= 1 {
			return best, true
		}
	}
	return Plan{}, false
}

// LargestContext is the longest sequence that a replica holds so many of, in tokens; 0 if none.
func (r *Replica) LargestContext(sequences float64) float64 {
	holds := func(T float64) bool { return r.Memory(T).Sequences >= sequences }
	if !holds(1) {
		return 0
	}
	low, high := 1.0, 1e9
	if holds(high) {
		return high
	}
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
