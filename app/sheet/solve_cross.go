package sheet

// crossings are where the curves cross between samples that were taken already. Touching or running together is no
// crossing.
func crossings(f twoCurves, p stretch, samples []twoAt) []float64 {
	s := meetSearch{f: f, p: p, samples: samples}
	s.crossOnly()
	return s.found.roots
}

// crossOnly finds the changes of sign among the samples.
func (s *meetSearch) crossOnly() {
	last, gap := -1, true // the last sample apart, and whether the curves had no value since
	for i, a := range s.samples {
		switch {
		case !a.ok:
			gap = true
			continue
		case a.sign() == 0:
			continue
		}
		if !gap && i-last <= 2 && s.samples[last].sign() == -a.sign() {
			s.cross(s.samples[last], a)
		}
		last, gap = i, false
	}
}

// changeovers are where the curves cross or jump across each other between a and b, if they change sides there.
func changeovers(f twoCurves, p stretch, a, b twoAt) []float64 {
	if a.sign() != -b.sign() || a.sign() == 0 {
		return nil
	}
	s := meetSearch{f: f, p: p}
	s.cross(a, b)
	for _, j := range s.found.jumps {
		s.found.roots = append(s.found.roots, j[1].x)
	}
	return s.found.roots
}
