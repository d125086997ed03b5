// Package search finds where two curves meet, touch or jump across each other in an [Interval], where one is least, and
// how steep one is. It knows numbers only: the curves are functions, and what it finds are places. Package solve puts
// them into words.
//
// [Meet] looks at some hundred places, closely where the curves change sides (bracket), and where they come near each
// other without doing so (all in meet.go). [Crossings] and [Changeovers] read samples that were taken already,
// as of a plot. [Least] finds the least value of one curve, [Slope] how steep it is.
//
// All of it is bounded: no curve, however wild, is evaluated more than some thousand times.
package search

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/portable"
)

// This file finds where a curve is least.

// Bounds of the search for a least value.
const (
	maxStepsTried = 1024 // an input with a step and no more values than these is tried at each of them
	maxValleys    = 4    // places that are looked at closely
)

// Spot is one look at a curve. Where it has no value, y is infinite.
type Spot struct{ X, Y float64 }

// valleySearch looks for the least value of f.
type valleySearch struct {
	f       func(x float64) float64 // +Inf where there is no value
	p       Interval
	from    float64
	step    float64 // 0 for any value
	samples []Spot  // ascending
}

// Least is the first place in p where f is least, and flat if f is the same wherever it has a value. f is +Inf where it
// has none. A step above 0 allows only from, from+step, ...
func Least(f func(x float64) float64, p Interval, from, step float64) (best Spot, flat bool) {
	v := &valleySearch{f: f, p: p, from: from, step: step}
	if xs := v.stepped(); xs != nil {
		v.sample(xs)
		return v.first(), v.isFlat()
	}
	v.sample(v.p.scanGrid())
	v.sample(v.p.between(v.samples))
	if v.isFlat() {
		return v.first(), true
	}
	best = v.first()
	for _, i := range v.valleys() {
		if m := v.narrow(i); m.Y < best.Y {
			best = m
		}
	}
	if v.step > 0 {
		return v.onGrid(best), false
	}
	return v.rounded(v.plateau(best)), false
}

// stepped are all values that are allowed, if there are no more than maxStepsTried.
func (v *valleySearch) stepped() []float64 {
	if !(v.step > 0) || v.p.Lo != v.from || (v.p.Hi-v.p.Lo)/v.step >= maxStepsTried {
		return nil
	}
	var xs []float64
	for k := 0; ; k++ {
		x := v.from + float64(float64(k)*v.step)
		if x > v.p.Hi+float64(1e-9*v.step) {
			return xs
		}
		xs = append(xs, min(x, v.p.Hi))
	}
}

// between are the places half-way between samples.
func (p Interval) between(samples []Spot) []float64 {
	var xs []float64
	for i := 1; i < len(samples); i++ {
		if m := p.Middle(samples[i-1].X, samples[i].X); m > samples[i-1].X && m < samples[i].X {
			xs = append(xs, m)
		}
	}
	return xs
}

// sample looks at xs, ascending, and files what it sees.
func (v *valleySearch) sample(xs []float64) {
	merged := make([]Spot, 0, len(v.samples)+len(xs))
	i := 0
	for _, x := range xs {
		for ; i < len(v.samples) && v.samples[i].X < x; i++ {
			merged = append(merged, v.samples[i])
		}
		merged = append(merged, Spot{x, v.f(x)})
	}
	v.samples = append(merged, v.samples[i:]...)
}

// isNear tells whether y is as low as the least value but for rounding.
func isNear(y, least float64) bool { return y <= least+float64(SameWithin*math.Abs(least)) }

// first is the first of the least samples.
func (v *valleySearch) first() Spot {
	least := math.Inf(1)
	for _, s := range v.samples {
		least = min(least, s.Y)
	}
	for _, s := range v.samples {
		if isNear(s.Y, least) {
			return s
		}
	}
	return Spot{v.p.Lo, math.Inf(1)}
}

// isFlat tells whether all samples with a value have the same one.
func (v *valleySearch) isFlat() bool {
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for _, s := range v.samples {
		if !math.IsInf(s.Y, 1) {
			low, high = min(low, s.Y), max(high, s.Y)
			n++
		}
	}
	return n > 1 && high-low <= float64(SameWithin*max(math.Abs(low), math.Abs(high)))
}

// valleys are the samples that are no higher than their neighbours, the lowest of them.
func (v *valleySearch) valleys() []int {
	var low []int
	for i, s := range v.samples {
		if math.IsInf(s.Y, 1) || i > 0 && v.samples[i-1].Y < s.Y || i+1 < len(v.samples) && v.samples[i+1].Y < s.Y {
			continue
		}
		at := len(low)
		for at > 0 && v.samples[low[at-1]].Y > s.Y {
			at--
		}
		if at < maxValleys {
			low = append(low[:at], append([]int{i}, low[at:]...)...)
			low = low[:min(len(low), maxValleys)]
		}
	}
	return low
}

// narrow is the least value between the neighbours of sample i.
func (v *valleySearch) narrow(i int) Spot {
	ua := v.p.Coordinate(v.samples[max(0, i-1)].X)
	uc := v.p.Coordinate(v.samples[min(len(v.samples)-1, i+1)].X)
	look := func(u float64) Spot {
		x := v.p.Value(u)
		return Spot{x, v.f(x)}
	}
	low, _ := golden(ua, uc, look, func(m Spot) float64 { return m.Y }, func(_, _ Spot) bool { return false })
	if low.X < v.p.Lo || low.X > v.p.Hi {
		return v.samples[i]
	}
	return low
}

// plateau is where the least value is first reached, if two samples in a row have it.
func (v *valleySearch) plateau(best Spot) Spot {
	for i := 1; i+1 < len(v.samples); i++ {
		a, b, c := v.samples[i-1], v.samples[i], v.samples[i+1]
		if isNear(a.Y, best.Y) || !isNear(b.Y, best.Y) || !isNear(c.Y, best.Y) {
			continue
		}
		for range 60 {
			x := v.p.Middle(a.X, b.X)
			if x <= a.X || x >= b.X {
				break
			}
			if m := (Spot{x, v.f(x)}); isNear(m.Y, best.Y) {
				b = m
			} else {
				a = m
			}
		}
		return b
	}
	return best
}

// onGrid is the better of the allowed values beside best.
func (v *valleySearch) onGrid(best Spot) Spot {
	k := math.Floor((best.X - v.from) / v.step)
	out := Spot{best.X, math.Inf(1)}
	for _, x := range []float64{v.from + float64(k*v.step), v.from + float64((k+1)*v.step)} {
		if x < v.p.Lo || x > v.p.Hi {
			continue
		}
		if y := v.f(x); y < out.Y {
			out = Spot{x, y}
		}
	}
	return out
}

// rounded prefers the number that a person would have written, if f is no higher there.
func (v *valleySearch) rounded(best Spot) Spot {
	x := v.p.plain(best.X, func(x float64) bool { return v.f(x) <= best.Y })
	if x == best.X {
		return best
	}
	return Spot{x, v.f(x)}
}

// This file narrows the place where something is least, and rounds a place to a number that a person would write.

// goldenSteps narrow the distance of two samples to the last digit.
const goldenSteps = 66

// golden narrows the coordinates from ua to uc to where height is least, by golden section, and gives the last two
// looks, the lower one first. It ends early when stop says so of two looks.
func golden[T any](ua, uc float64, look func(u float64) T, height func(T) float64, stop func(a, b T) bool) (T, T) {
	const g = 0.3819660112501051
	u1, u2 := ua+float64(g*(uc-ua)), uc-float64(g*(uc-ua))
	m1, m2 := look(u1), look(u2)
	for i := 0; i < goldenSteps && !stop(m1, m2); i++ {
		if height(m1) <= height(m2) {
			uc, u2, m2 = u2, u1, m1
			u1 = ua + float64(g*(uc-ua))
			m1 = look(u1)
		} else {
			ua, u1, m1 = u1, u2, m2
			u2 = uc - float64(g*(uc-ua))
			m2 = look(u2)
		}
	}
	if height(m2) < height(m1) {
		return m2, m1
	}
	return m1, m2
}

// plain is x rounded to few digits, if what is seen there is as good; else x.
func (p Interval) plain(x float64, asGood func(x float64) bool) float64 {
	for _, digits := range []int{6, 10} {
		if r := roundedTo(x, digits); r >= p.Lo && r <= p.Hi && asGood(r) {
			return r
		}
	}
	return x
}

// Interval is where a search looks, on a linear or a log scale: Lo < Hi, and Lo > 0 on a log scale.
type Interval struct {
	Lo, Hi float64
	Log    bool
}

// Coordinate is where x stands on the scale.
func (p Interval) Coordinate(x float64) float64 {
	if p.Log {
		return portable.Log2(x)
	}
	return x
}

// Value is the inverse of Coordinate.
func (p Interval) Value(u float64) float64 {
	if p.Log {
		return math.Exp2(u)
	}
	return u
}

// Grid is n > 1 values evenly spread over the scale, ends included and exact.
func (p Interval) Grid(n int) []float64 {
	a, b := p.Coordinate(p.Lo), p.Coordinate(p.Hi)
	xs := make([]float64, n)
	for i := range xs {
		t := float64(i) / float64(n-1)
		xs[i] = p.Value(float64(a*(1-t)) + float64(b*t))
	}
	xs[0], xs[n-1] = p.Lo, p.Hi
	return xs
}

// Middle halves the way from a to b on the scale.
func (p Interval) Middle(a, b float64) float64 {
	if p.Log {
		return math.Sqrt(a) * math.Sqrt(b)
	}
	return a + float64(0.5*(b-a))
}

// Nearest is the one of xs that is closest to x on the scale.
func (p Interval) Nearest(xs []float64, x float64) float64 {
	best := xs[0]
	if p.Log && x <= 0 {
		return best
	}
	for _, y := range xs {
		if math.Abs(p.Coordinate(y)-p.Coordinate(x)) < math.Abs(p.Coordinate(best)-p.Coordinate(x)) {
			best = y
		}
	}
	return best
}

// scanGrid is the grid of the scan. A linear range over decades gets log-spaced samples too: what lies near zero would
// otherwise be a single step. Where it is so wide that these don't come down to numbers of everyday size, each decade
// down to a thousandth gets one more.
func (p Interval) scanGrid() []float64 {
	if !(p.Lo < p.Hi) {
		return []float64{p.Lo}
	}
	xs := p.Grid(scanSamples)
	if p.Log {
		return xs
	}
	step := (p.Hi - p.Lo) / (scanSamples - 1)
	small := Interval{step * 1e-6, step, true}.Grid(scanExtra)
	for x := small[0] / 10; small[0] > 1e6 && x > 1e-3; x /= 10 {
		small = append(small, x)
	}
	for _, x := range small {
		for _, x := range [2]float64{-x, x} {
			if x > p.Lo && x < p.Hi {
				xs = append(xs, x)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

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
