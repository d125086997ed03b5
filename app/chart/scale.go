package chart

import "math"

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

// has says whether v is within the range.
func (s scale) has(v float64) bool { return s.ok(v) && v >= s.lo && v <= s.hi }

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
