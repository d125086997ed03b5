package search

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/portable"
)

// This file finds how steep a curve is, in doubly logarithmic terms.

// Steps in ln x: the first, how often it is shrunk sixteenfold, and how well slopes have to agree.
const (
	firstStep   = 1e-3
	stepShrinks = 3
	slopesAgree = 1e-5
)

// Slope is d ln f / d ln x at x, and whether f has a corner there: then it is the mean of the slopes to both sides.
// Where f jumps on one side, the slope is that of the other side; where it has a value on one side only, as well. It is
// not ok where f has no value, or is zero.
//
// Slopes are differences over 0.1% of x or less, extrapolated, and good to about 1e-9 where f is smooth.
func Slope(f func(x float64) (y float64, ok bool), x float64) (e float64, kink, ok bool) {
	y, ok := f(x)
	if !ok || y == 0 {
		return 0, false, false
	}
	p := &prober{f: f, x: x, y0: y}
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

// prober looks at f around x, where it is y0.
type prober struct {
	f     func(x float64) (y float64, ok bool)
	x, y0 float64
}

// relative is ln(y/y0) at a step h, which must not change the sign of y.
func (p *prober) relative(h float64) (float64, bool) {
	y, ok := p.f(p.x * portable.Exp(h))
	if !ok || y/p.y0 <= 0 {
		return 0, false
	}
	return math.Log1p((y - p.y0) / p.y0), true
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
