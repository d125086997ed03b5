package search

import (
	"math"
	"strconv"
)

// Curves evaluates the two curves at x; ok is false where one of them has no value there.
type Curves func(x float64) (l, r float64, ok bool)

// Bounds of the search: samples of the scan, and what may be looked at more closely.
const (
	scanSamples   = 65 // twice as many where these show no change of sign
	scanExtra     = 32 // on the other scale, where a linear range spans decades
	maxEdges      = 4  // ends of stretches without a value
	maxDips       = 8  // places where the curves come near each other between samples
	MaxRoots      = 16 // that are reported
	maxIterations = 120
	SameWithin    = 1e-14 // relative difference below which two values are the same
)

// Look is one look at both curves.
type Look struct {
	X, Left, Right float64
	OK             bool
}

// diff is Left-Right relative to their size: -1..1, 0 where they meet.
func (a Look) diff() float64 {
	size := math.Abs(a.Left) + math.Abs(a.Right)
	if size == 0 {
		return 0
	}
	return (a.Left - a.Right) / size
}

// Sign is that of Left-Right; 0 if they are the same within rounding.
func (a Look) Sign() int {
	switch d := a.diff(); {
	case math.Abs(d) <= SameWithin:
		return 0
	case d < 0:
		return -1
	}
	return 1
}

// gap is how far Left and Right are apart, on the scale that lets a crossing look straight: relative where both are
// positive.
func (a Look) gap() float64 {
	if a.Left > 0 && a.Right > 0 {
		return a.diff()
	}
	return a.Left - a.Right
}

// Meetings is what a search found.
type Meetings struct {
	Roots    []float64 // where the curves meet, ascending; at most MaxRoots
	Count    int       // how often they meet
	Jumps    [][2]Look // where one jumps across the other: the last Look before and the first after
	Coincide bool      // they are the same wherever both have a value
	Valid    int       // samples with a value
	Nearest  Look      // where they come closest, if they never meet
	Samples  []Look    // of the scan, ascending, only those with a value
}

// Meet finds where the two curves of f meet in p.
func Meet(f Curves, p Interval) Meetings {
	s := meetSearch{f: f, p: p}
	s.scan()
	return s.resolve()
}

type meetSearch struct {
	f       Curves
	p       Interval
	samples []Look // ascending; those without a value included
	found   Meetings
}

// insert puts a sample at the i-th place: the library's way is much code for the browser.
func (s *meetSearch) insert(i int, l Look) {
	s.samples = append(s.samples, l)
	copy(s.samples[i+1:], s.samples[i:])
	s.samples[i] = l
}

func (s *meetSearch) look(x float64) Look {
	l, r, ok := s.f(x)
	if math.IsNaN(l) || math.IsNaN(r) || math.IsInf(l, 0) || math.IsInf(r, 0) {
		ok = false
	}
	return Look{x, l, r, ok}
}

// scan samples the whole range, and finds the ends of the stretches where the curves have values.
func (s *meetSearch) scan() {
	for _, x := range s.p.scanGrid() {
		s.samples = append(s.samples, s.look(x))
	}
	if !s.changes() {
		s.halve()
	}
	edges := 0
	for i := 1; i < len(s.samples) && edges < maxEdges; i++ {
		a, b := s.samples[i-1], s.samples[i]
		if a.OK == b.OK {
			continue
		}
		edges++
		if e := s.edge(a, b); e.X != a.X && e.X != b.X {
			s.insert(i, e)
			i++
		}
	}
}

// changes tells whether the sign differs between two samples.
func (s *meetSearch) changes() bool {
	last := 0
	for _, a := range s.samples {
		if !a.OK {
			continue
		}
		if sign := a.Sign(); last*sign < 0 {
			return true
		} else if sign != 0 {
			last = sign
		}
	}
	return false
}

// halve samples between the samples.
func (s *meetSearch) halve() {
	var finer []Look
	for i, a := range s.samples {
		if i > 0 {
			if m := s.p.Middle(s.samples[i-1].X, a.X); m > s.samples[i-1].X && m < a.X {
				finer = append(finer, s.look(m))
			}
		}
		finer = append(finer, a)
	}
	s.samples = finer
}

// resolve reads the samples: where the sign changes, the curves meet or jump; where they come near, it looks closer.
func (s *meetSearch) resolve() Meetings {
	valid, zeros := 0, 0
	for _, a := range s.samples {
		if a.OK {
			valid++
			s.found.Samples = append(s.found.Samples, a)
			if a.Sign() == 0 {
				zeros++
			}
		}
	}
	s.found.Valid = valid
	if valid == 0 {
		return s.found
	}
	if zeros == valid {
		s.found.Coincide = true
		return s.found
	}
	s.dips()
	for i := 0; i < len(s.samples); {
		i = s.step(i)
	}
	if s.found.Count == 0 && len(s.found.Jumps) == 0 {
		s.found.Nearest = s.closest()
	}
	return s.found
}

// step reads what happens from Look i on and returns the next Look to read.
func (s *meetSearch) step(i int) int {
	a := s.samples[i]
	if !a.OK {
		return i + 1
	}
	if a.Sign() == 0 {
		return s.touch(i)
	}
	if i+1 < len(s.samples) && s.samples[i+1].OK && s.samples[i+1].Sign() == -a.Sign() {
		s.cross(a, s.samples[i+1])
	}
	return i + 1
}

// touch reads a run of samples at which the curves are the same, which begins at i.
func (s *meetSearch) touch(i int) int {
	j := i
	for j+1 < len(s.samples) && s.samples[j+1].OK && s.samples[j+1].Sign() == 0 {
		j++
	}
	before, after := i > 0 && s.samples[i-1].OK, j+1 < len(s.samples) && s.samples[j+1].OK
	if i == j && before && after && s.samples[i-1].Sign() == -s.samples[j+1].Sign() {
		s.cross(s.samples[i-1], s.samples[j+1])
		return j + 1
	}
	x := s.samples[i].X
	if i < j && before {
		x = s.firstSame(s.samples[i-1], s.samples[i])
	}
	s.root(x)
	return j + 1
}

func (s *meetSearch) root(x float64) {
	s.found.Count++
	if len(s.found.Roots) < MaxRoots {
		s.found.Roots = append(s.found.Roots, x)
	}
}

// cross resolves a change of sign between neighbours a and b.
func (s *meetSearch) cross(a, b Look) {
	if s.found.Count >= MaxRoots {
		s.found.Count++
		return
	}
	lo, hi, ok := s.bracket(a, b)
	if !ok {
		return
	}
	if isJump(lo, hi, a, b) {
		if len(s.found.Jumps) < MaxRoots {
			s.found.Jumps = append(s.found.Jumps, [2]Look{lo, hi})
		}
		return
	}
	best := lo
	if math.Abs(hi.gap()) < math.Abs(lo.gap()) {
		best = hi
	}
	s.root(s.round(best))
}

// isJump tells a jump (or a pole) from a crossing: between neighbouring numbers the gap changes by no small part of
// what it changes between the samples a and b.
func isJump(lo, hi, a, b Look) bool {
	if lo.Sign() == 0 || hi.Sign() == 0 {
		return false
	}
	across := math.Abs(hi.Left-lo.Left) + math.Abs(hi.Right-lo.Right)
	size := math.Abs(lo.Left) + math.Abs(lo.Right)
	return across > 1e-3*math.Abs(b.Left-b.Right-(a.Left-a.Right)) && across > 1e-9*size
}

// Crossings are where the curves cross between samples that were taken already. Touching or running together is no
// crossing.
func Crossings(f Curves, p Interval, samples []Look) []float64 {
	s := meetSearch{f: f, p: p, samples: samples}
	s.crossOnly()
	return s.found.Roots
}

// crossOnly finds the changes of sign among the samples.
func (s *meetSearch) crossOnly() {
	last, gap := -1, true // the last sample apart, and whether the curves had no value since
	for i, a := range s.samples {
		switch {
		case !a.OK:
			gap = true
			continue
		case a.Sign() == 0:
			continue
		}
		if !gap && i-last <= 2 && s.samples[last].Sign() == -a.Sign() {
			s.cross(s.samples[last], a)
		}
		last, gap = i, false
	}
}

// Changeovers are where the curves cross or jump across each other between a and b, if they change sides there.
func Changeovers(f Curves, p Interval, a, b Look) []float64 {
	if a.Sign() != -b.Sign() || a.Sign() == 0 {
		return nil
	}
	s := meetSearch{f: f, p: p}
	s.cross(a, b)
	for _, j := range s.found.Jumps {
		s.found.Roots = append(s.found.Roots, j[1].X)
	}
	return s.found.Roots
}

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
			s.insert(at, m)
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
