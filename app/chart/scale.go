package chart

import (
	"math"
	"slices"
)

// scale maps the values lo..hi of an axis to the positions a..b of the viewBox. It is strictly monotone; at is the
// inverse of pos, up to rounding, and exact at both ends.
type scale struct {
	log    bool
	lo, hi float64 // lo < hi; both positive if log
	a, b   float64
	l0, l1 float64 // the logarithms of lo and hi, if known: see ready
}

// ready is s with what is needed again and again computed once.
func (s scale) ready() scale {
	if s.log {
		s.l0, s.l1 = log10(s.lo), log10(s.hi)
	}
	return s
}

// logs are the logarithms of lo and hi.
func (s scale) logs() (l0, l1 float64) {
	if s.l0 == s.l1 {
		return log10(s.lo), log10(s.hi)
	}
	return s.l0, s.l1
}

// ok says whether the scale has a place for v, inside its range or not.
func (s scale) ok(v float64) bool { return finite(v) && (!s.log || v > 0) }

// contains says whether v is within the range.
func (s scale) contains(v float64) bool { return s.ok(v) && v >= s.lo && v <= s.hi }

// far bounds how far outside the range a position may lie: beyond it, only the direction matters.
const far = 1e6

// fraction is 0 at lo and 1 at hi.
func (s scale) fraction(v float64) float64 {
	var f float64
	switch {
	case v == s.lo:
		return 0
	case v == s.hi:
		return 1
	case s.log:
		lo, hi := s.logs()
		f = (log10(v) - lo) / (hi - lo)
	case math.IsInf(s.hi-s.lo, 0) || math.IsInf(v-s.lo, 0):
		f = (v/2 - s.lo/2) / (s.hi/2 - s.lo/2)
	default:
		f = (v - s.lo) / (s.hi - s.lo)
	}
	return clamp(f, -far, far)
}

// pos is the place of v in the viewBox.
func (s scale) pos(v float64) float64 { return s.a + float64(s.fraction(v)*(s.b-s.a)) }

// valueAt is the value whose fraction is f, for f in 0..1.
func (s scale) valueAt(f float64) float64 {
	switch {
	case !(f > 0):
		return s.lo
	case f >= 1:
		return s.hi
	case s.log:
		lo, hi := s.logs()
		return clamp(exp10(lo+float64(f*(hi-lo))), s.lo, s.hi)
	}
	return clamp(float64(s.lo*(1-f))+float64(s.hi*f), s.lo, s.hi)
}

// span is a range of values that grows with what it meets.
type span struct {
	lo, hi float64
	any    bool
}

func (s *span) add(v float64) {
	if !s.any {
		s.lo, s.hi, s.any = v, v, true
		return
	}
	s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v)
}

// xScale is the range of the x axis: as given, or exactly that of the data and marks. Its positions are set later.
func (p *Plot) xScale() (scale, bool) {
	s := scale{log: p.X.Log}
	if lo, hi, ok := p.X.given(); ok {
		s.lo, s.hi = lo, hi
		return s, true
	}
	var d span
	for i := range p.Series {
		p.Series[i].each(func(x, y float64) {
			if s.ok(x) && finite(y) && !(p.Y.Log && y <= 0) {
				d.add(x)
			}
		})
	}
	for _, m := range p.Marks {
		if d.any && s.ok(m.X) {
			d.add(m.X)
		}
	}
	if p.Current != nil && d.any && s.ok(p.Current.X) {
		d.add(p.Current.X)
	}
	if !d.any {
		s.lo, s.hi = 1, 10
		return s, false
	}
	s.lo, s.hi = widen(d, s.log)
	return s, true
}

// yScale is the range of the y axis: as given, or that of the data within x, rounded outward.
func (p *Plot) yScale(x scale) (scale, bool) {
	s := scale{log: p.Y.Log}
	var d span
	add := func(px, py float64) {
		if x.contains(px) && s.ok(py) {
			d.add(py)
		}
	}
	for i := range p.Series {
		p.Series[i].each(add)
		add(x.lo, p.Series[i].valueAt(x.lo, x.log, s.log))
		add(x.hi, p.Series[i].valueAt(x.hi, x.log, s.log))
	}
	if lo, hi, ok := p.Y.given(); ok {
		s.lo, s.hi = outward(span{lo: lo, hi: hi}, s.log, 0)
		return s, d.any
	}
	if !d.any {
		s.lo, s.hi = 1, 10
		return s, false
	}
	for _, m := range p.Marks {
		if m.Kind == Point {
			add(m.X, m.Y)
		}
	}
	s.lo, s.hi = nice(d, s.log)
	return s, true
}

// given is the range that the caller set, if it can be used.
func (a *Axis) given() (lo, hi float64, ok bool) {
	lo, hi = math.Min(a.Min, a.Max), math.Max(a.Min, a.Max)
	if !finite(lo) || !finite(hi) || lo == 0 && hi == 0 || a.Log && lo <= 0 {
		return 0, 0, false
	}
	lo, hi = widen(span{lo: lo, hi: hi}, a.Log)
	return lo, hi, true
}

// tight is the least relative extent of a range: what is closer counts as the same.
const tight = 1e-9

// widen gives a range of (nearly) one value some space on both sides.
func widen(d span, log bool) (lo, hi float64) {
	size := math.Max(math.Abs(d.lo), math.Abs(d.hi))
	switch {
	case d.hi/2-d.lo/2 > float64(size*tight/2) && d.hi-d.lo >= 1e-305:
		return d.lo, d.hi
	case log:
		return math.Max(d.lo/2, 5e-324), math.Min(d.hi, math.MaxFloat64/2) * 2
	case size < 1e-300:
		return -1, 1
	}
	return d.lo - size/2, math.Min(d.hi, math.MaxFloat64/2) + size/2
}

// nice is a range that shows the data well: from zero if that is not far, to the ticks around them.
func nice(d span, log bool) (lo, hi float64) {
	if log {
		if d.hi/d.lo < 1+tight { // a constant stands between its neighbouring decades
			d.lo, d.hi = math.Max(d.lo/3, 5e-324), math.Min(d.hi, math.MaxFloat64/3)*3
		}
		return outward(d, true, 0)
	}
	if d.lo == d.hi && d.lo >= 0 { // a constant stands well above the lower bound
		d.lo, d.hi = 0, math.Max(math.Min(d.hi, math.MaxFloat64/2)*1.5, 0)
		if d.hi < 1e-300 {
			d.hi = 1
		}
	}
	if d.lo > 0 && d.lo < d.hi/2 {
		d.lo = 0
	}
	if d.hi < 0 && d.hi > d.lo/2 {
		d.hi = 0
	}
	return outward(d, false, 1)
}

// outward widens a range to the ticks around it: to tenths of it, or coarser ones.
func outward(d span, log bool, coarser int) (lo, hi float64) {
	if log {
		return outwardLog(d)
	}
	lo, hi = widen(d, false)
	grids := linearGrids(lo, hi)
	if len(grids) < 2 {
		return lo, hi
	}
	g := grids[coarser]
	first, last := math.Floor(lo/g.step+1e-9), math.Ceil(hi/g.step-1e-9)
	if math.Abs(first) > 1e15 || math.Abs(last) > 1e15 {
		return lo, hi
	}
	if v := decimal(int64(first)*g.mant, g.exp); finite(v) {
		lo = math.Min(lo, v)
	}
	if v := decimal(int64(last)*g.mant, g.exp); finite(v) {
		hi = math.Max(hi, v)
	}
	return lo, hi
}

// outwardLog widens to the next 1, 2 or 5 of a decade, or if it has no more than a decade to half of that step.
func outwardLog(d span) (lo, hi float64) {
	lo, hi = d.lo, d.hi
	tenths := []int64{10, 20, 50, 100, 200}
	if d.hi/d.lo < 10 {
		tenths = []int64{10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150}
	}
	m, e := scientific(lo)
	for _, digit := range tenths {
		if v := decimal(digit, e-1); float64(digit) <= float64(10*m) && v > 0 {
			lo = math.Min(d.lo, v)
		}
	}
	m, e = scientific(hi)
	for _, digit := range slices.Backward(tenths) {
		// Some space above, lest a curve that levels off hides in the frame, unless it is a round number that levels
		// off.
		digits := float64(digit) / 10
		if v := decimal(digit, e-1); (digits >= float64(m*1.05) || digits == m) && finite(v) {
			hi = math.Max(d.hi, v)
		}
	}
	return widen(span{lo: lo, hi: hi}, true)
}

// each calls f with the pairs of a series, as far as both slices go.
func (s *Series) each(f func(x, y float64)) {
	for i := range min(len(s.X), len(s.Y)) {
		f(s.X[i], s.Y[i])
	}
}
