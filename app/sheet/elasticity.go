package sheet

import (
	"cmp"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/portable"
)

// Elasticities says by how much output moves with each number input: d ln output / d ln input in state st, the largest
// first. Inputs that don't matter (below 1e-9) are left out, and so are those at zero, which one percent doesn't
// change. There are none where output has no value, is zero, or is no number.
//
// Slopes are differences over 0.1% of the input or less, extrapolated, and good to about 1e-9 where the output is
// smooth. Where it has a corner, Value is the mean of the slopes to both sides and Kink is set; where it jumps on one
// side, as at a ceil, the slope is that of the other side. At the end of an input's range it is one-sided.
func (s *Sheet) Elasticities(st State, output string) []Elasticity {
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
		p := &prober{sw: s.sweepOn(fuel, st, in.Name, []string{output}), in: in, x: x}
		if e, kink, ok := p.slope(); ok && (math.Abs(e) > 1e-9 || kink) {
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
func (s *Sheet) moved(now *Result, st State, in *Input) (*Input, float64) {
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

// prober measures the slope of a row against one input in doubly logarithmic terms.
type prober struct {
	sw *sweeper
	in *Input
	x  float64
	y0 float64
}

// Steps in ln x: the first, how often it is shrunk sixteenfold, and how well slopes have to agree.
const (
	firstStep   = 1e-3
	stepShrinks = 3
	slopesAgree = 1e-5
)

// output is the row where the input is x e^h. Inside a range only: outside, the author promised nothing.
func (p *prober) output(h float64) (y float64, ok bool) {
	x := p.x * portable.Exp(h)
	if p.in.Ranged && h != 0 && (x < p.in.Min || x > p.in.Max) {
		return 0, false
	}
	rows := p.sw.Num(x)
	if len(rows) == 0 || rows[0].Err != nil || rows[0].Value.Kind != Number || !rows[0].Value.Num.IsFinite() {
		return 0, false
	}
	return rows[0].Value.Num.Value, true
}

// relative is ln(y/y0) at a step h, which must not change the sign of y.
func (p *prober) relative(h float64) (float64, bool) {
	y, ok := p.output(h)
	if !ok || y/p.y0 <= 0 {
		return 0, false
	}
	return math.Log1p((y - p.y0) / p.y0), true
}

// slope is d ln y / d ln x, and whether there is a corner.
func (p *prober) slope() (e float64, kink, ok bool) {
	y, ok := p.output(0)
	if !ok || y == 0 {
		return 0, false, false
	}
	p.y0 = y
	var right, left oneSide
	for h, i := firstStep, 0; i <= stepShrinks; h, i = h/16, i+1 {
		right, left = p.side(h).since(right), p.side(-h).since(left)
		if right.ok && left.ok && near(right.slope, left.slope) {
			return central(right, left), false, true
		}
	}
	switch {
	case right.ok && left.ok && !right.jump && !left.jump:
		return (right.slope + left.slope) / 2, true, true
	case right.ok && !right.jump:
		return right.slope, left.jump && math.Abs(right.slope) > 1e-9, true
	case left.ok && !left.jump:
		return left.slope, right.jump && math.Abs(left.slope) > 1e-9, true
	}
	return 0, false, false
}

// near tells whether two slopes agree as well as differences can.
func near(a, b float64) bool { return math.Abs(a-b) <= slopesAgree*(1+math.Abs(a)) }

// oneSide is the slope to one side.
type oneSide struct {
	h, half, full float64 // ln(y/y0) at h/2 and h
	rough, slope  float64 // over h, and extrapolated to 0
	jump          bool    // the row jumps at once: the slope grows as the step shrinks
	ok            bool
}

func (p *prober) side(h float64) oneSide {
	full, ok1 := p.relative(h)
	half, ok2 := p.relative(h / 2)
	if !ok1 || !ok2 {
		return oneSide{}
	}
	s := oneSide{h: h, half: half, full: full, ok: true, rough: full / h}
	s.slope = (4*half - full) / h
	s.jump = math.Abs(half/(h/2)) > 1.5*math.Abs(s.rough) && math.Abs(half) > 1e-9
	return s
}

// since compares s with the same over a longer step: a slope that keeps growing is none, as at the end of a root.
func (s oneSide) since(before oneSide) oneSide {
	s.jump = s.jump || before.ok && math.Abs(s.slope) > 2*math.Abs(before.slope) && math.Abs(s.half) > 1e-9
	return s
}

// central is the slope from both sides: the differences over 2h and over h, extrapolated (Richardson), so that the
// error is of the fourth order.
func central(right, left oneSide) float64 {
	wide := (right.full - left.full) / (2 * right.h)
	narrow := (right.half - left.half) / right.h
	return (4*narrow - wide) / 3
}
