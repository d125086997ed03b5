package main

import "github.com/scalebook/scalebook/app/measured"

// unseen is the tables of constants that each part of the configurations has no share in. For each it goes from the
// constants of all rows to those of the others: two steps, with the slopes of all rows, which change little on so short
// a way.
func (s *search) unseen() []string {
	here := s.misses()
	slopes := s.slopes(here)
	var tables []string
	for fold := range measured.Folds {
		var with []measured.Case
		for i := range s.cases {
			if s.cases[i].Fold() != fold {
				with = append(with, s.cases[i])
			}
		}
		part := newSearch(with)
		for engine, k := range s.all {
			*part.all[engine] = *k
		}
		var kept [][]float64
		for _, slope := range slopes {
			var some []float64
			for r := range here {
				if s.cases[here[r].at].Fold() != fold {
					some = append(some, slope[r])
				}
			}
			kept = append(kept, some)
		}
		for range 2 {
			now := part.misses()
			part.best = part.cost(now)
			part.step(now, kept)
		}
		tables = append(tables, part.table())
	}
	return tables
}
