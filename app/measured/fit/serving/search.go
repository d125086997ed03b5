package main

import (
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/serving"
)

// search goes downhill in all constants at once: by Gauss-Newton steps, damped as far as they don't help (Levenberg and
// Marquardt), on squares that are reweighted until they stand for distances.
type search struct {
	cases   []measured.Case
	all     map[string]*serving.Constants
	knobs   []*knob
	damping float64
	best    float64
}

// newSearch begins at the shipped constants.
func newSearch(cases []measured.Case) *search {
	s := &search{cases: cases, all: map[string]*serving.Constants{}, damping: 1}
	everyone := append([]string{"all"}, engines...)
	for _, e := range everyone {
		k := serving.Fitted(e)
		s.all[e] = &k
	}
	for i, n := range s.all["all"].All() {
		if n.Name == "imbalance" || n.Name == "captured" {
			continue // no row tells the one from the rate of experts' products; the other is in the engine's code
		}
		shared := &knob{name: n.Name}
		for _, e := range everyone {
			at := s.all[e].All()[i].Value
			if own[n.Name] && e != "all" {
				s.knobs = append(s.knobs, &knob{n.Name, []*float64{at}})
			}
			shared.at = append(shared.at, at)
		}
		if !own[n.Name] {
			s.knobs = append(s.knobs, shared)
		}
	}
	s.best = loss(s.misses())
	return s
}

// get is the constants of an engine.
func (s *search) get(engine string) serving.Constants {
	if k, found := s.all[engine]; found {
		return *k
	}
	return *s.all["all"]
}

// round takes one step in all constants.
func (s *search) round() {
	here := s.misses()
	slopes := s.slopes(here)
	n := len(s.knobs)
	square, down := make([][]float64, n), make([]float64, n)
	for i := range n {
		square[i] = make([]float64, n)
		for r, m := range here {
			down[i] -= m.pull() * slopes[i][r] * m.off
		}
		for j := range i + 1 {
			for r, m := range here {
				square[i][j] += m.pull() * slopes[i][r] * slopes[j][r]
			}
			square[j][i] = square[i][j]
		}
	}
	for range 6 {
		if s.try(damped(square, s.damping), down) {
			s.damping /= 3
			return
		}
		s.damping *= 4
	}
}

// slopes is how the misses change with each constant.
func (s *search) slopes(here []miss) [][]float64 {
	const step = 0.02
	all := make([][]float64, len(s.knobs))
	for i, k := range s.knobs {
		x := k.get()
		k.set(x + step)
		for r, m := range s.misses() {
			all[i] = append(all[i], (m.off-here[r].off)/step)
		}
		k.set(x)
	}
	return all
}

// try takes the step and keeps it if it helps.
func (s *search) try(a [][]float64, down []float64) bool {
	const longest = 1.0
	before := make([]float64, len(s.knobs))
	for i, d := range solve(a, down) {
		before[i] = s.knobs[i].get()
		s.knobs[i].set(before[i] + min(max(d, -longest), longest))
	}
	if now := loss(s.misses()); now < s.best-1e-7 {
		s.best = now
		return true
	}
	for i, x := range before {
		s.knobs[i].set(x)
	}
	return false
}

// table is the constants as app/serving reads them. Of those that engines have of their own, all have the mean.
func (s *search) table() string {
	var b strings.Builder
	b.WriteString("constant\tall\t" + strings.Join(engines, "\t") + "\n")
	for i, n := range s.all["all"].All() {
		if !own[n.Name] {
			fmt.Fprintf(&b, "%s\t%.3g\n", n.Name, *n.Value)
			continue
		}
		sum, cells := 0.0, ""
		for _, e := range engines {
			v := *s.all[e].All()[i].Value
			sum, cells = sum+v, cells+fmt.Sprintf("\t%.3g", v)
		}
		fmt.Fprintf(&b, "%s\t%.3g%s\n", n.Name, sum/float64(len(engines)), cells)
	}
	return b.String()
}
