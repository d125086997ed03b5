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

// round prefers the number a person would have written, if the curves meet there as well as at a.
func (s *meetSearch) round(a twoAt) float64 {
	if a.x == 0 {
		return 0
	}
	x, _ := strconv.ParseFloat(strconv.FormatFloat(a.x, 'e', 10, 64), 64)
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

// lowest is where the curves come closest between a and c, by golden section; it stops where the sign changes.
func (s *meetSearch) lowest(a, c twoAt) twoAt {
	const g = 0.3819660112501051
	ua, uc := s.p.coordinate(a.x), s.p.coordinate(c.x)
	at := func(u float64) twoAt { return s.look(s.p.value(u)) }
	u1, u2 := ua+float64(g*(uc-ua)), uc-float64(g*(uc-ua))
	m1, m2 := at(u1), at(u2)
	for range 48 {
		switch {
		case !m1.ok || !m2.ok:
			return a
		case m1.sign() != a.sign():
			return m1
		case m2.sign() != a.sign():
			return m2
		}
		if math.Abs(m1.diff()) <= math.Abs(m2.diff()) {
			uc, u2, m2 = u2, u1, m1
			u1 = ua + float64(g*(uc-ua))
			m1 = at(u1)
		} else {
			ua, u1, m1 = u1, u2, m2
			u2 = uc - float64(g*(uc-ua))
			m2 = at(u2)
		}
	}
	// A touch is found to the square root of the precision only: near its lowest point a curve is flat.
	for _, m := range []*twoAt{&m1, &m2} {
		if math.Abs(m.diff()) < 1e-12 {
			m.l = m.r
			return *m
		}
	}
	return m1
}

// vertex is the least value of the parabola through three evenly spaced values, of which the middle is the least.
func vertex(a, b, c float64) float64 {
	curve := a - 2*b + c
	if curve <= 0 {
		return b
	}
	return b - (c-a)*(c-a)/(8*curve)
}
