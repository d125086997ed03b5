package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// few is how many rows a spread needs of its own.
const few = 30

// spreads prints the lines for app/training/spreads.tsv: between which factors measured over predicted lies, of rows
// not kept aside, for each stack and kind of case by degree. A version with few rows of its own has those of all such
// versions of its stack; a degree that few rows reach is joined to the one below, the lowest to the one above.
func spreads() {
	for _, name := range training.Stacks() {
		s, err := training.StackNamed(name)
		if err != nil {
			continue
		}
		for _, kind := range kinds(s) {
			kind.print(s)
		}
	}
}

// kind is a kind of case that has its own spreads.
type kind struct {
	name, what string
	degrees    []float64
	wanted     func(*sample) bool
	least      int  // rows, fewer than which are none
	pooled     bool // rows of versions with few of their own count with those of the stack that they are like
}

func kinds(s *training.Stack) []kind {
	experts := func(r *sample) bool { return r.run.Job.Model.MoE.Experts > 0 }
	told := func(r *sample) bool { return !experts(r) && r.run.Told }
	untold := func(r *sample) bool { return !experts(r) && !r.run.Told }
	any := func(*sample) bool { return true }
	use, ways := []float64{0, 0.05, 0.1, 0.2, 0.4}, []float64{0, 2, 4, 8, 16}
	if s.FirstRank != 0 {
		return []kind{{"time", "time", use, func(r *sample) bool { return r.run.Plan.PP <= 1 }, 4, false},
			{"time.pipeline", "time", use, func(r *sample) bool { return r.run.Plan.PP > 1 }, 4, false},
			{"memory", "memory", ways, any, 4, false}}
	}
	all := []kind{{"time", "time", use, told, few, false}, {"time.untold", "time", use, untold, few, false}}
	if len(rowsOf(all[0], s)) < few || len(rowsOf(all[1], s)) < few { // what is told makes no difference that is known
		all = []kind{{"time", "time", use, func(r *sample) bool { return !experts(r) }, 4, false}}
	}
	all = append(
		all,
		kind{"time.experts", "time", use, experts, few / 2, true},
		kind{"memory", "memory", ways, any, 20, true},
	)
	return all
}

// print prints the spreads of a kind.
func (k kind) print(s *training.Stack) {
	own := rowsOf(k, s)
	if len(own) < k.least {
		return
	}
	var ratios []float64
	printed := false
	for d := len(k.degrees) - 1; d >= 0; d-- {
		for i := range own {
			if at := own[i].degree; at >= k.degrees[d] && (d+1 == len(k.degrees) || at < k.degrees[d+1]) {
				ratios = append(ratios, own[i].ratio)
			}
		}
		if len(ratios) < few && (d > 0 || printed) || len(ratios) == 0 {
			continue
		}
		printed = true
		hold := 0.90
		if s.FirstRank != 0 && k.what == "time" && k.degrees[d] >= 0.1 {
			hold = 0.80 // about one run in ten stood still for reasons of its own, fewer of these
		}
		if alike(own) {
			hold += 0.03
		}
		slices.Sort(ratios)
		low, high := shortest(ratios, hold)
		fmt.Printf("%s\t%s\t%g\t%.3f\t%.3f\tto hold %.0f %% of rows not seen, from %d that are not kept aside\n", s.Name,
			k.name, k.degrees[d], low, high, 100*hold, len(ratios))
		ratios = nil
	}
}

// rowsOf are the rows of a kind: of a version with few of its own, those of all such versions together.
func rowsOf(k kind, s *training.Stack) []seen {
	own := fitted(k, s.Name)
	switch {
	case k.pooled && s.Name == s.Family:
		return append(own, versions(k, s.Family)...)
	case k.pooled && len(own) < few:
		return nil
	case s.Name != s.Family && len(own) < few:
		return versions(k, s.Family)
	}
	return own
}

// seen is a row as a spread sees it.
type seen struct {
	ratio, degree float64
	source        string
}

// alike tells whether the rows are of few sources: those of one are alike, so that fewer of them count than there are.
func alike(rows []seen) bool {
	const many = 12
	sources := map[string]bool{}
	for _, r := range rows {
		sources[r.source] = true
	}
	return len(sources) < many
}

// fitted are the rows of a kind and a stack that are not kept aside.
func fitted(k kind, stack string) (all []seen) {
	s, err := training.StackNamed(stack)
	if err != nil {
		return nil
	}
	f := fitter{stack: s, samples: samples(stack, k.what), what: k.what}
	for i := range f.samples {
		if r := &f.samples[i]; !r.aside && k.wanted(r) {
			source, _, _ := strings.Cut(r.id, "-")
			all = append(all, seen{1 / f.ratio(r), f.degree(r), source})
		}
	}
	return all
}

// versions are the rows of a stack's versions that have too few of their own.
func versions(k kind, family string) (all []seen) {
	for _, name := range training.Stacks() {
		if s, err := training.StackNamed(name); err == nil && s.Family == family && name != family {
			if own := fitted(k, name); len(own) < few {
				all = append(all, own...)
			}
		}
	}
	return all
}

// shortest is the narrowest interval of sorted ratios that should hold a share of rows that the fit has not seen. From
// the first to the k-th of n values in order there lie (k-1)/(n+1) of all others, in the mean; that the narrowest is
// chosen asks for a little more.
func shortest(ratios []float64, hold float64) (low, high float64) {
	n := len(ratios)
	held := min(n, int(math.Ceil(hold*float64(n+1))))
	low, high = ratios[0], ratios[n-1]
	for i := 0; i+held <= n; i++ {
		if a, b := ratios[i], ratios[i+held-1]; b/a < high/low {
			low, high = a, b
		}
	}
	return min(low, 0.98) / 1.02, max(high, 1.02) * 1.02
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
