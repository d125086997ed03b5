package main

import (
	"fmt"
	"math"
	"sort"

	"github.com/scalebook/scalebook/app/training"
)

// spread prints the lines for app/training/spreads.tsv: between which factors measured over predicted lies, of rows
// not kept aside, by degree. A degree that few rows reach is joined to the one below, the
// lowest to the one above.
func (f *fitter) spread() {
	experts := func(s *sample) bool { return s.run.Job.Model.MoE.Experts > 0 }
	dense := func(s *sample) bool { return !experts(s) }
	switch {
	case f.what == "memory" || f.stack.FirstRank == 0 && f.fitted(experts) < few:
		f.spreads(f.what, func(*sample) bool { return true })
		return
	case f.stack.FirstRank == 0:
		f.spreads("time", dense)
		f.spreads("time.experts", experts)
		return
	}
	f.spreads("time", func(s *sample) bool { return s.run.Plan.PP <= 1 })
	f.spreads("time.pipeline", func(s *sample) bool { return s.run.Plan.PP > 1 })
}

// few is how many rows a spread needs of its own.
const few = 15

// fitted is how many rows that are wanted the fit sees.
func (f *fitter) fitted(wanted func(*sample) bool) (n int) {
	for i := range f.samples {
		if s := &f.samples[i]; !s.aside && wanted(s) {
			n++
		}
	}
	return n
}

// spreads prints the lines of those rows that are wanted.
func (f *fitter) spreads(what string, wanted func(*sample) bool) {
	degrees := []float64{0, 0.05, 0.1, 0.2, 0.4}
	if f.what == "memory" {
		degrees = []float64{0, 2, 4, 8, 16}
	}
	var ratios []float64
	printed := false
	for k := len(degrees) - 1; k >= 0; k-- {
		for i := range f.samples {
			s := &f.samples[i]
			if d := f.degree(s); s.aside || !wanted(s) || d < degrees[k] || k+1 < len(degrees) && d >= degrees[k+1] {
				continue
			}
			ratios = append(ratios, 1/f.ratio(s))
		}
		if len(ratios) < few && (k > 0 || printed) || len(ratios) < 4 {
			continue
		}
		printed = true
		sort.Float64s(ratios)
		hold := 0.92
		if f.stack.FirstRank != 0 && f.what == "time" && degrees[k] >= 0.1 {
			// about one run in ten stood still for reasons of its own; to hold those too would say nothing of the
			// others
			hold = 0.9
			if degrees[k] >= 0.2 {
				hold = 0.87
			}
		}
		low, high := shortest(ratios, hold)
		fmt.Printf("%s\t%s\t%g\t%.3f\t%.3f\tto hold %.0f %% of rows not seen, from %d that are not kept aside\n",
			f.stack.Name, what,
			degrees[k], low, high, 100*hold, len(ratios))
		ratios = nil
	}
}

// unseen widens an interval for rows that the fit has not seen; where it saw few, three times over.
const unseen = 1.04

// shortest is the narrowest interval of sorted ratios that should hold a share of rows that the fit has not seen, and a
// little more. From the first to the k-th of n values in order there lie (k-1)/(n+1) of all others, in the mean.
func shortest(ratios []float64, hold float64) (low, high float64) {
	n := len(ratios)
	held := min(n, int(math.Ceil(hold*float64(n+1)))+1)
	low, high = ratios[0], ratios[n-1]
	for i := 0; i+held <= n; i++ {
		if a, b := ratios[i], ratios[i+held-1]; b/a < high/low {
			low, high = a, b
		}
	}
	if n < 50 {
		return min(low, 0.95) / unseen / unseen / unseen, max(high, 1.05) * unseen * unseen * unseen
	}
	return min(low, 0.95) / unseen, max(high, 1.05) * unseen
}

// degree is what the spread of a row depends on.
func (f *fitter) degree(s *sample) float64 {
	if f.what == "memory" {
		return float64(max(1, s.run.Plan.TP))
	}
	s.run.Job.Stack = f.stack
	p := training.NewPricer(s.run.Job)
	price := p.Price(s.run.Plan)
	return p.UseOf(&price, training.BF16)
}
