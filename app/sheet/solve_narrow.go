package sheet

import (
	"math"
	"strconv"
)

// This file narrows down what the scan of solve_root.go found between two samples.

// edge is the outermost place with a value between a and b, of which one has one.
func (s *meetSearch) edge(a, b twoAt) twoAt {
	for range 60 {
		m := s.look(s.p.middle(a.x, b.x))
		if m.x <= min(a.x, b.x) || m.x >= max(a.x, b.x) {
			break
		}
		if m.ok == a.ok {
			a = m
		} else {
			b = m
		}
	}
	if a.ok {
		return a
	}
	return b
}

// firstSame is where, between a (apart) and b (the same), the curves become the same.
func (s *meetSearch) firstSame(a, b twoAt) float64 {
	for range 60 {
		m := s.look(s.p.middle(a.x, b.x))
		if m.x <= a.x || m.x >= b.x {
			break
		}
		if m.ok && m.sign() == 0 {
			b = m
		} else {
			a = m
		}
	}
	return b.x
}

// roundedTo is x with so many digits after the first.
func roundedTo(x float64, digits int) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits, 64), 64)
	return x
}

// round prefers the number a person would have written, if the curves meet there as well as at a.
func (s *meetSearch) round(a twoAt) float64 {
	if a.x == 0 {
		return 0
	}
	x := roundedTo(a.x, 10)
	if x == a.x || math.Abs(x-a.x) > 1e-12*math.Abs(a.x) || x < s.p.lo || x > s.p.hi {
		return a.x
	}
	if b := s.look(x); b.ok && math.Abs(b.gap()) <= math.Abs(a.gap()) {
		return x
	}
	return a.x
}

// bracket narrows the change of sign between a and b to neighbouring numbers, by Chandrupatla's method (Advances in
// Engineering Software 28 (1997) 145): inverse quadratic interpolation where that is safe, halving elsewhere.
// It is false if the curves lose their values on the way.
func (s *meetSearch) bracket(a, b twoAt) (lo, hi twoAt, ok bool) {
	ua, ub := s.p.coordinate(a.x), s.p.coordinate(b.x)
	c, uc := a, ua
	t := 0.5
	for range maxIterations {
		u := ua + float64(t*(ub-ua))
		m := s.look(s.p.value(u))
		if !m.ok {
			return a, b, false
		}
		if m.sign() == 0 && m.gap() == 0 {
			return m, m, true
		}
		if (m.gap() > 0) == (a.gap() > 0) {
			c, uc = a, ua
		} else {
			c, uc, b, ub = b, ub, a, ua
		}
		a, ua = m, u
		tol := 4e-16 * max(math.Abs(ua), math.Abs(ub))
		if s.p.log {
			tol = max(tol, 4e-16)
		}
		least := tol / math.Abs(ub-ua)
		if least > 0.5 || ua == ub {
			break
		}
		t = min(max(chandrupatla(ua, ub, uc, a.gap(), b.gap(), c.gap()), least), 1-least)
	}
	if a.x > b.x {
		a, b = b, a
	}
	return a, b, true
}

// chandrupatla is the next step from a towards b, as a part of the way.
func chandrupatla(a, b, c, fa, fb, fc float64) float64 {
	xi, phi := (a-b)/(c-b), (fa-fb)/(fc-fb)
	if !(phi*phi < xi && (1-phi)*(1-phi) < 1-xi) {
		return 0.5
	}
	t := float64(fa/(fb-fa)*fc/(fb-fc)) + float64((c-a)/(b-a)*fa/(fc-fa)*fb/(fc-fb))
	if math.IsNaN(t) {
		return 0.5
	}
	return t
}
