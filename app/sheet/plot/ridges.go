package plot

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/search"
)

// ridges marks where a curve that is a min or max as a whole changes from one of its operands to another.
func (s *sampler) ridges(xs []float64) {
	for _, b := range s.bands {
		for k, y := range s.p.Y {
			e := b.Extreme(y.Name)
			if e == nil {
				continue
			}
			for _, x := range e.changes(xs, s.scale) {
				if at, ok := s.put(b, x); ok {
					s.mark("ridge", x, b.ys[k][at], s.seriesIndex(b, k))
				}
			}
		}
	}
}

// winner is the operand that is the min or max; -1 if one has no value, or two share the place.
func (e *Extreme) winner(ys []float64) int {
	best := 0
	for i, y := range ys {
		if math.IsNaN(y) {
			return -1
		}
		if e.Least && y < ys[best] || !e.Least && y > ys[best] {
			best = i
		}
	}
	for i, y := range ys {
		if i != best && y == ys[best] {
			return -1
		}
	}
	return best
}

// changes are the x at which the winner changes, among samples at xs.
func (e *Extreme) changes(xs []float64, scale search.Interval) []float64 {
	var at []float64
	last, from := -1, 0.0
	var ys, before []float64
	for _, x := range xs {
		ys = e.Operands(x, ys)
		w := e.winner(ys)
		if w >= 0 && last >= 0 && w != last && len(at) < maxMarks {
			at = append(at, e.between(scale, last, w, from, x, before, ys)...)
		}
		if w >= 0 {
			last, from = w, x
			before = append(before[:0], ys...)
		} else if anyNaN(ys) {
			last = -1
		}
	}
	return at
}

// between is where operand w takes over from operand v, between from and to.
func (e *Extreme) between(scale search.Interval, v, w int, from, to float64, before, after []float64) []float64 {
	var ys []float64
	both := func(x float64) (float64, float64, bool) {
		ys = e.Operands(x, ys)
		return ys[v], ys[w], !math.IsNaN(ys[v]) && !math.IsNaN(ys[w])
	}
	a := search.Look{X: from, Left: before[v], Right: before[w], OK: true}
	b := search.Look{X: to, Left: after[v], Right: after[w], OK: true}
	return search.Changeovers(both, scale, a, b)
}

func anyNaN(ys []float64) bool { return slices.ContainsFunc(ys, math.IsNaN) }
