package sheet

import (
	"math"
	"slices"
)

// This file finds where two curves meet. It knows numbers only; solve.go and seek.go put them into words.

// stretch is a part of an input on a linear or a log scale. lo < hi, and lo > 0 on a log scale.
type stretch struct {
	lo, hi float64
	log    bool
}

// coordinate is where x stands on the scale; value is the inverse.
func (p stretch) coordinate(x float64) float64 {
	if p.log {
		return log2(x)
	}
	return x
}

func (p stretch) value(u float64) float64 {
	if p.log {
		return math.Exp2(u)
	}
	return u
}

// grid is n > 1 values evenly spread over the scale, ends included and exact.
func (p stretch) grid(n int) []float64 {
	a, b := p.coordinate(p.lo), p.coordinate(p.hi)
	xs := make([]float64, n)
	for i := range xs {
		t := float64(i) / float64(n-1)
		xs[i] = p.value(float64(a*(1-t)) + float64(b*t))
	}
	xs[0], xs[n-1] = p.lo, p.hi
	return xs
}

// middle halves the way from a to b on the scale.
func (p stretch) middle(a, b float64) float64 {
	if p.log {
		return math.Sqrt(a) * math.Sqrt(b)
	}
	return a + float64(0.5*(b-a))
}

// twoCurves evaluates the two curves at x; ok is false where one of them has no value there.
type twoCurves func(x float64) (l, r float64, ok bool)

// Bounds of the search: samples of the scan, and what may be looked at more closely.
const (
	scanSamples   = 65 // twice as many where these show no change of sign
	scanExtra     = 32 // on the other scale, where a linear range spans decades
	maxEdges      = 4  // ends of stretches without a value
	maxDips       = 8  // places where the curves come near each other between samples
	maxRoots      = 16
	maxIterations = 120
	sameWithin    = 1e-14 // relative difference below which two values are the same
)

// twoAt is one look at both curves.
type twoAt struct {
	x, l, r float64
	ok      bool
}

// diff is l-r relative to their size: -1..1, 0 where they meet.
func (a twoAt) diff() float64 {
	size := math.Abs(a.l) + math.Abs(a.r)
	if size == 0 {
		return 0
	}
	return (a.l - a.r) / size
}

// sign is that of l-r; 0 if they are the same within rounding.
func (a twoAt) sign() int {
	switch d := a.diff(); {
	case math.Abs(d) <= sameWithin:
		return 0
	case d < 0:
		return -1
	}
	return 1
}

// gap is how far l and r are apart, on the scale that lets a crossing look straight: relative where both are positive.
func (a twoAt) gap() float64 {
	if a.l > 0 && a.r > 0 {
		return a.diff()
	}
	return a.l - a.r
}

// meetings is what a search found.
type meetings struct {
	roots   []float64  // where the curves meet, ascending; at most maxRoots
	count   int        // how often they meet
	jumps   [][2]twoAt // where one jumps across the other: the last twoAt before and the first after
	always  bool       // they are the same wherever both have a value
	valid   int        // samples with a value
	nearest twoAt      // where they come closest, if they never meet
	samples []twoAt    // of the scan, ascending, only those with a value
}

// meet finds where the two curves of f meet in p.
func meet(f twoCurves, p stretch) meetings {
	s := meetSearch{f: f, p: p}
	s.scan()
	return s.resolve()
}

type meetSearch struct {
	f       twoCurves
	p       stretch
	samples []twoAt // ascending; those without a value included
	found   meetings
}

func (s *meetSearch) look(x float64) twoAt {
	l, r, ok := s.f(x)
	if math.IsNaN(l) || math.IsNaN(r) || math.IsInf(l, 0) || math.IsInf(r, 0) {
		ok = false
	}
	return twoAt{x, l, r, ok}
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
		if a.ok == b.ok {
			continue
		}
		edges++
		if e := s.edge(a, b); e.x != a.x && e.x != b.x {
			s.samples = slices.Insert(s.samples, i, e)
			i++
		}
	}
}

// changes tells whether the sign differs between two samples.
func (s *meetSearch) changes() bool {
	last := 0
	for _, a := range s.samples {
		if !a.ok {
			continue
		}
		if sign := a.sign(); last*sign < 0 {
			return true
		} else if sign != 0 {
			last = sign
		}
	}
	return false
}

// halve samples between the samples.
func (s *meetSearch) halve() {
	var finer []twoAt
	for i, a := range s.samples {
		if i > 0 {
			if m := s.p.middle(s.samples[i-1].x, a.x); m > s.samples[i-1].x && m < a.x {
				finer = append(finer, s.look(m))
			}
		}
		finer = append(finer, a)
	}
	s.samples = finer
}

// scanGrid is the grid of the scan. A linear range over decades gets log-spaced samples too: what lies near zero would
// otherwise be a single step.
func (p stretch) scanGrid() []float64 {
	if !(p.lo < p.hi) {
		return []float64{p.lo}
	}
	xs := p.grid(scanSamples)
	if p.log {
		return xs
	}
	step := (p.hi - p.lo) / (scanSamples - 1)
	for _, x := range (stretch{step * 1e-6, step, true}).grid(scanExtra) {
		for _, x := range [2]float64{-x, x} {
			if x > p.lo && x < p.hi {
				xs = append(xs, x)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// resolve reads the samples: where the sign changes, the curves meet or jump; where they come near, it looks closer.
func (s *meetSearch) resolve() meetings {
	valid, zeros := 0, 0
	for _, a := range s.samples {
		if a.ok {
			valid++
			s.found.samples = append(s.found.samples, a)
			if a.sign() == 0 {
				zeros++
			}
		}
	}
	s.found.valid = valid
	if valid == 0 {
		return s.found
	}
	if zeros == valid {
		s.found.always = true
		return s.found
	}
	s.dips()
	for i := 0; i < len(s.samples); {
		i = s.step(i)
	}
	if s.found.count == 0 && len(s.found.jumps) == 0 {
		s.found.nearest = s.closest()
	}
	return s.found
}

// step reads what happens from twoAt i on and returns the next twoAt to read.
func (s *meetSearch) step(i int) int {
	a := s.samples[i]
	if !a.ok {
		return i + 1
	}
	if a.sign() == 0 {
		return s.touch(i)
	}
	if i+1 < len(s.samples) && s.samples[i+1].ok && s.samples[i+1].sign() == -a.sign() {
		s.cross(a, s.samples[i+1])
	}
	return i + 1
}

// touch reads a run of samples at which the curves are the same, which begins at i.
func (s *meetSearch) touch(i int) int {
	j := i
	for j+1 < len(s.samples) && s.samples[j+1].ok && s.samples[j+1].sign() == 0 {
		j++
	}
	before, after := i > 0 && s.samples[i-1].ok, j+1 < len(s.samples) && s.samples[j+1].ok
	if i == j && before && after && s.samples[i-1].sign() == -s.samples[j+1].sign() {
		s.cross(s.samples[i-1], s.samples[j+1])
		return j + 1
	}
	x := s.samples[i].x
	if i < j && before {
		x = s.firstSame(s.samples[i-1], s.samples[i])
	}
	s.root(x)
	return j + 1
}

func (s *meetSearch) root(x float64) {
	s.found.count++
	if len(s.found.roots) < maxRoots {
		s.found.roots = append(s.found.roots, x)
	}
}

// cross resolves a change of sign between neighbours a and b.
func (s *meetSearch) cross(a, b twoAt) {
	if s.found.count >= maxRoots {
		s.found.count++
		return
	}
	lo, hi, ok := s.bracket(a, b)
	if !ok {
		return
	}
	if isJump(lo, hi, a, b) {
		if len(s.found.jumps) < maxRoots {
			s.found.jumps = append(s.found.jumps, [2]twoAt{lo, hi})
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
func isJump(lo, hi, a, b twoAt) bool {
	if lo.sign() == 0 || hi.sign() == 0 {
		return false
	}
	across := math.Abs(hi.l-lo.l) + math.Abs(hi.r-lo.r)
	size := math.Abs(lo.l) + math.Abs(lo.r)
	return across > 1e-3*math.Abs(b.l-b.r-(a.l-a.r)) && across > 1e-9*size
}

// nearest is the one of xs that is closest to x on the scale.
func (p stretch) nearest(xs []float64, x float64) float64 {
	best := xs[0]
	if p.log && x <= 0 {
		return best
	}
	for _, y := range xs {
		if math.Abs(p.coordinate(y)-p.coordinate(x)) < math.Abs(p.coordinate(best)-p.coordinate(x)) {
			best = y
		}
	}
	return best
}
