package search

import (
	"math"
	"slices"
)

// This file finds where two curves touch, or cross twice between two samples.

// dips looks closer where the curves come near each other between samples without changing sign: they may touch or
// cross twice there.
func (s *meetSearch) dips() {
	dips := 0
	for i := 1; i+1 < len(s.samples) && dips < maxDips; i++ {
		a, b, c := s.samples[i-1], s.samples[i], s.samples[i+1]
		if !a.OK || !b.OK || !c.OK || a.Sign() != b.Sign() || b.Sign() != c.Sign() || b.Sign() == 0 {
			continue
		}
		apart := measure(a, b, c)
		da, db, dc := apart(a), apart(b), apart(c)
		if db > da || db > dc || min(vertex(da, db, dc), notch(da, db, dc)) > db/2 {
			continue
		}
		dips++
		if m := s.lowest(a, c, apart); m.X != b.X {
			at := i
			if m.X > b.X {
				at = i + 1
			}
			s.samples = slices.Insert(s.samples, at, m)
			i++
		}
	}
}

// measure is how to tell how far apart the curves are in the given places: relative to their size where both are
// positive, or else as it is, because a curve that falls to zero is as far from zero as its size all the way.
func measure(places ...Look) func(Look) float64 {
	for _, a := range places {
		if !(a.Left > 0 && a.Right > 0) {
			return func(a Look) float64 { return math.Abs(a.Left - a.Right) }
		}
	}
	return func(a Look) float64 { return math.Abs(a.diff()) }
}

// lowest is where the curves come closest between a and c; it stops where the sign changes.
func (s *meetSearch) lowest(a, c Look, apart func(Look) float64) Look {
	look := func(u float64) Look { return s.look(s.p.Value(u)) }
	crossed := func(m Look) bool { return m.Sign() != a.Sign() }
	m1, m2 := golden(s.p.Coordinate(a.X), s.p.Coordinate(c.X), look, apart, func(m1, m2 Look) bool {
		return !m1.OK || !m2.OK || crossed(m1) || crossed(m2)
	})
	switch {
	case !m1.OK || !m2.OK:
		return a
	case !crossed(m1) && crossed(m2):
		m1 = m2
	case !crossed(m1) && apart(m1) <= float64(1e-12*max(apart(a), apart(c))):
		m1.Left = m1.Right
	}
	return s.touching(m1, apart)
}

// touching prefers, of a place where the curves touch, the number that a person would have written. A touch is found to
// the square root of the precision only: near its lowest point a curve is flat.
func (s *meetSearch) touching(m Look, apart func(Look) float64) Look {
	if !m.OK || m.Sign() != 0 {
		return m
	}
	seen := apart(s.look(m.X))
	x := s.p.plain(m.X, func(x float64) bool {
		b := s.look(x)
		return b.OK && apart(b) <= seen
	})
	if x == m.X {
		return m
	}
	b := s.look(x)
	b.Left = b.Right
	return b
}

// vertex is the least value of the parabola through three evenly spaced values, of which the middle is the least.
func vertex(a, b, c float64) float64 {
	curve := a - 2*b + c
	if curve <= 0 {
		return b
	}
	return b - (c-a)*(c-a)/(8*curve)
}

// notch is the least value of a V through them, whose sides are equally steep.
func notch(a, b, c float64) float64 { return b - math.Abs(c-a)/2 }

// closest is the place where curves that never meet come closest.
func (s *meetSearch) closest() Look {
	k, apart := -1, measure(s.found.Samples...)
	for i, a := range s.samples {
		if a.OK && (k < 0 || apart(a) < apart(s.samples[k])) {
			k = i
		}
	}
	best := s.samples[k]
	if k > 0 && k+1 < len(s.samples) && s.samples[k-1].OK && s.samples[k+1].OK {
		if m := s.lowest(s.samples[k-1], s.samples[k+1], apart); m.OK && apart(m) < apart(best) {
			best = m
		}
	}
	return best
}
