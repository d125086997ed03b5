package search

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
