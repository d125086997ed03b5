package main

import (
	"hash/fnv"
	"maps"

	"github.com/scalebook/scalebook/app/measured"
)

// folds is in how many parts configurations are split, each of which is left out once.
const folds = 5

// foldOf is the part of a configuration.
func foldOf(c *measured.Case) int {
	h := fnv.New32a()
	h.Write([]byte("fold " + c.Family()))
	return int(h.Sum32() >> 9 % folds)
}

// unseen is how much slower each row was than is estimated with constants that its configuration had no part in. For
// each part of the configurations it goes from the constants of all rows to those of the others: two steps, with the
// slopes of all rows, which change little on so short a way.
func (s *search) unseen() []map[string]float64 {
	here := s.misses()
	slopes := s.slopes(here)
	out := make([]map[string]float64, len(s.cases))
	for fold := range folds {
		var with, without []measured.Case
		var places []int
		for i := range s.cases {
			if foldOf(&s.cases[i]) == fold {
				without, places = append(without, s.cases[i]), append(places, i)
			} else {
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
				if foldOf(&s.cases[here[r].at]) != fold {
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
		for i, slower := range measured.AllSlowness(without, part.get) {
			out[places[i]] = maps.Clone(slower)
		}
	}
	return out
}
