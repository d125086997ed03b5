package search

import (
	"math"
	"slices"
)

// Curves evaluates the two curves at x; ok is false where one of them has no value there.
type Curves func(x float64) (l, r float64, ok bool)

// Bounds of the search: samples of the scan, and what may be looked at more closely.
const (
	scanSamples   = 65 // twice as many where these show no change of sign
	scanExtra     = 32 // on the other scale, where a linear range spans decades
	maxEdges      = 4  // ends of stretches without a value
	maxDips       = 8  // places where the curves come near each other between samples
	MaxRoots      = 16 // that are told
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
	Roots   []float64 // where the curves meet, ascending; at most MaxRoots
	Count   int       // how often they meet
	Jumps   [][2]Look // where one jumps across the other: the last Look before and the first after
	Always  bool      // they are the same wherever both have a value
	Valid   int       // samples with a value
	Nearest Look      // where they come closest, if they never meet
	Samples []Look    // of the scan, ascending, only those with a value
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
			s.samples = slices.Insert(s.samples, i, e)
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
		s.found.Always = true
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
