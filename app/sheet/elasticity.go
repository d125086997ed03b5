package sheet

import (
	"cmp"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Elasticities says by how much output moves with each number input: d ln output / d ln input in state st, the largest
// first. Inputs that don't matter (below 1e-9) are left out, and so are those at zero, which one percent doesn't
// change. There are none where output has no value, is zero, or is no number.
//
// Slopes are differences over 0.1% of the input or less, extrapolated, and good to about 1e-9 where the output is
// smooth. Where it has a corner, Value is the mean of the slopes to both sides and Kink is set; where it jumps on one
// side, as at a ceil, the slope is that of the other side. At the end of an input's range it is one-sided.
func (s *Sheet) Elasticities(st input.State, output string) []Elasticity {
	var out []Elasticity
	fuel := newFuel()
	var now *Result // for what follows other lines
	for _, in := range s.Inputs {
		if in.Dependent && now == nil {
			now = s.evalOn(fuel, st)
		}
		x := 0.0
		if in, x = s.moved(now, st, in); in == nil || in.Name == output {
			continue
		}
		if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
			continue
		}
		f := probe(s.sweepOn(fuel, st, in.Name, []string{output}), in, x)
		if e, kink, ok := search.Slope(f, x); ok && (math.Abs(e) > 1e-9 || kink) {
			out = append(out, Elasticity{in.Name, e, kink})
		}
	}
	slices.SortStableFunc(out, func(a, b Elasticity) int {
		if c := cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)); c != 0 {
			return c
		}
		return cmp.Compare(a.Input, b.Input)
	})
	return out
}

// moved is a number input as it is in state st, and its value; nil for any other input, and for one that is not there.
func (s *Sheet) moved(now *Result, st input.State, in *input.Input) (*input.Input, float64) {
	if !in.Dependent {
		if !in.IsNumber() {
			return nil, 0
		}
		return in, s.current(st, in)
	}
	v, err := now.Value(in.Name)
	if in = now.Input(in.Name); err != nil || in.Absent || !in.IsNumber() {
		return nil, 0
	}
	return in, v.Num.Value
}

// probe is the swept row as a curve over in, which is now at x. Beyond a range it has no value: there, the author
// promised nothing.
func probe(sw *sweeper, in *input.Input, now float64) func(x float64) (y float64, ok bool) {
	return func(x float64) (float64, bool) {
		if in.Ranged && x != now && (x < in.Min || x > in.Max) {
			return 0, false
		}
		rows := sw.Num(x)
		if len(rows) == 0 || rows[0].Err != nil || rows[0].Value.Kind != value.Number || !rows[0].Value.Num.IsFinite() {
			return 0, false
		}
		return rows[0].Value.Num.Value, true
	}
}
