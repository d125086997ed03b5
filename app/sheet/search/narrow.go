package search

import (
	"math"
	"strconv"
)

// This file narrows down what the scan of meet.go found between two samples.

// edge is the outermost place with a value between a and b, of which one has one.
func (s *meetSearch) edge(a, b Look) Look {
	for range 60 {
		m := s.look(s.p.Middle(a.X, b.X))
		if m.X <= min(a.X, b.X) || m.X >= max(a.X, b.X) {
			break
		}
		if m.OK == a.OK {
			a = m
		} else {
			b = m
		}
	}
	if a.OK {
		return a
	}
	return b
}

// firstSame is where, between a (apart) and b (the same), the curves become the same.
func (s *meetSearch) firstSame(a, b Look) float64 {
	for range 60 {
		m := s.look(s.p.Middle(a.X, b.X))
		if m.X <= a.X || m.X >= b.X {
			break
		}
		if m.OK && m.Sign() == 0 {
			b = m
		} else {
			a = m
		}
	}
	return b.X
}

// roundedTo is x with so many digits after the first.
func roundedTo(x float64, digits int) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits, 64), 64)
	return x
}

// round prefers the number a person would have written, if the curves meet there as well as at a.
func (s *meetSearch) round(a Look) float64 {
	if a.X == 0 {
		return 0
	}
	x := roundedTo(a.X, 10)
	if x == a.X || math.Abs(x-a.X) > 1e-12*math.Abs(a.X) || x < s.p.Lo || x > s.p.Hi {
		return a.X
	}
	if b := s.look(x); b.OK && math.Abs(b.gap()) <= math.Abs(a.gap()) {
		return x
	}
	return a.X
}

// bracket narrows the change of sign between a and b to neighbouring numbers, by Chandrupatla's method (Advances in
// Engineering Software 28 (1997) 145): inverse quadratic interpolation where that is safe, halving elsewhere.
// It is false if the curves lose their values on the way.
func (s *meetSearch) bracket(a, b Look) (lo, hi Look, ok bool) {
	ua, ub := s.p.Coordinate(a.X), s.p.Coordinate(b.X)
	var c Look
	var uc float64
	t := 0.5
	for range maxIterations {
		u := ua + float64(t*(ub-ua))
		m := s.look(s.p.Value(u))
		if !m.OK {
			return a, b, false
		}
		if m.Sign() == 0 && m.gap() == 0 {
			return m, m, true
		}
		if (m.gap() > 0) == (a.gap() > 0) {
			c, uc = a, ua
		} else {
			c, uc, b, ub = b, ub, a, ua
		}
		a, ua = m, u
		tol := 4e-16 * max(math.Abs(ua), math.Abs(ub))
		if s.p.Log {
			tol = max(tol, 4e-16)
		}
		least := tol / math.Abs(ub-ua)
		if least > 0.5 || ua == ub {
			break
		}
		t = min(max(chandrupatla(ua, ub, uc, a.gap(), b.gap(), c.gap()), least), 1-least)
	}
	if a.X > b.X {
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
