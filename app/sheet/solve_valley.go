package sheet

import "math"

// This file finds where a curve is least.

// Bounds of the search for a least value.
const (
	maxStepsTried = 1024 // an input with a step and no more values than these is tried at each of them
	maxValleys    = 4    // places that are looked at closely
	goldenSteps   = 66   // that narrow two samples' distance to the last digit
)

// spot is one look at a curve. Where it has no value, y is infinite.
type spot struct{ x, y float64 }

// valleySearch looks for the least value of f.
type valleySearch struct {
	f       func(x float64) float64 // +Inf where there is no value
	p       stretch
	from    float64
	step    float64 // 0 for any value
	samples []spot  // ascending
}

// least is the first place in p where f is least, and flat if f is the same wherever it has a value. f is +Inf where it
// has none. A step above 0 allows only from, from+step, ...
func least(f func(x float64) float64, p stretch, from, step float64) (best spot, flat bool) {
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
		if m := v.narrow(i); m.y < best.y {
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
	if !(v.step > 0) || v.p.lo != v.from || (v.p.hi-v.p.lo)/v.step >= maxStepsTried {
		return nil
	}
	var xs []float64
	for k := 0; ; k++ {
		x := v.from + float64(float64(k)*v.step)
		if x > v.p.hi+float64(1e-9*v.step) {
			return xs
		}
		xs = append(xs, min(x, v.p.hi))
	}
}

// between are the places half-way between samples.
func (p stretch) between(samples []spot) []float64 {
	var xs []float64
	for i := 1; i < len(samples); i++ {
		if m := p.middle(samples[i-1].x, samples[i].x); m > samples[i-1].x && m < samples[i].x {
			xs = append(xs, m)
		}
	}
	return xs
}

// sample looks at xs, ascending, and files what it sees.
func (v *valleySearch) sample(xs []float64) {
	merged := make([]spot, 0, len(v.samples)+len(xs))
	i := 0
	for _, x := range xs {
		for ; i < len(v.samples) && v.samples[i].x < x; i++ {
			merged = append(merged, v.samples[i])
		}
		merged = append(merged, spot{x, v.f(x)})
	}
	v.samples = append(merged, v.samples[i:]...)
}

// isNear tells whether y is as low as the least value but for rounding.
func isNear(y, least float64) bool { return y <= least+float64(sameWithin*math.Abs(least)) }

// first is the first of the least samples.
func (v *valleySearch) first() spot {
	least := math.Inf(1)
	for _, s := range v.samples {
		least = min(least, s.y)
	}
	for _, s := range v.samples {
		if isNear(s.y, least) {
			return s
		}
	}
	return spot{v.p.lo, math.Inf(1)}
}

// isFlat tells whether all samples with a value have the same one.
func (v *valleySearch) isFlat() bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range v.samples {
		if !math.IsInf(s.y, 1) {
			low, high = min(low, s.y), max(high, s.y)
		}
	}
	return low <= high && high-low <= float64(sameWithin*max(math.Abs(low), math.Abs(high))) && len(v.samples) > 1
}

// valleys are the samples that are no higher than their neighbours, the lowest of them.
func (v *valleySearch) valleys() []int {
	var low []int
	for i, s := range v.samples {
		if math.IsInf(s.y, 1) || i > 0 && v.samples[i-1].y < s.y || i+1 < len(v.samples) && v.samples[i+1].y < s.y {
			continue
		}
		at := len(low)
		for at > 0 && v.samples[low[at-1]].y > s.y {
			at--
		}
		if at < maxValleys {
			low = append(low[:at], append([]int{i}, low[at:]...)...)
			low = low[:min(len(low), maxValleys)]
		}
	}
	return low
}

// narrow is the least value between the neighbours of sample i, by golden section.
func (v *valleySearch) narrow(i int) spot {
	const g = 0.3819660112501051
	ua := v.p.coordinate(v.samples[max(0, i-1)].x)
	uc := v.p.coordinate(v.samples[min(len(v.samples)-1, i+1)].x)
	look := func(u float64) spot {
		x := v.p.value(u)
		return spot{x, v.f(x)}
	}
	u1, u2 := ua+float64(g*(uc-ua)), uc-float64(g*(uc-ua))
	m1, m2 := look(u1), look(u2)
	for range goldenSteps {
		if m1.y <= m2.y {
			uc, u2, m2 = u2, u1, m1
			u1 = ua + float64(g*(uc-ua))
			m1 = look(u1)
		} else {
			ua, u1, m1 = u1, u2, m2
			u2 = uc - float64(g*(uc-ua))
			m2 = look(u2)
		}
	}
	if m2.y < m1.y {
		m1 = m2
	}
	if m1.x < v.p.lo || m1.x > v.p.hi {
		return v.samples[i]
	}
	return m1
}

// plateau is where the least value is first reached, if two samples in a row have it.
func (v *valleySearch) plateau(best spot) spot {
	for i := 1; i+1 < len(v.samples); i++ {
		a, b, c := v.samples[i-1], v.samples[i], v.samples[i+1]
		if isNear(a.y, best.y) || !isNear(b.y, best.y) || !isNear(c.y, best.y) {
			continue
		}
		for range 60 {
			x := v.p.middle(a.x, b.x)
			if x <= a.x || x >= b.x {
				break
			}
			if m := (spot{x, v.f(x)}); isNear(m.y, best.y) {
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
func (v *valleySearch) onGrid(best spot) spot {
	k := math.Floor((best.x - v.from) / v.step)
	out := spot{best.x, math.Inf(1)}
	for _, x := range []float64{v.from + float64(k*v.step), v.from + float64((k+1)*v.step)} {
		if x < v.p.lo || x > v.p.hi {
			continue
		}
		if y := v.f(x); y < out.y {
			out = spot{x, y}
		}
	}
	return out
}

// rounded prefers the number that a person would have written, if f is no higher there.
func (v *valleySearch) rounded(best spot) spot {
	for _, digits := range []int{6, 10} {
		x := roundedTo(best.x, digits)
		if x < v.p.lo || x > v.p.hi {
			continue
		}
		if y := v.f(x); y <= best.y {
			return spot{x, y}
		}
	}
	return best
}
