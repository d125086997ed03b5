package main

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
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
	s.best = s.cost(s.misses())
	return s
}

// priorTable is what is known of a constant before rows are seen: the least and the most that physics allow, the
// middle, and why; and of one that is at an edge of that, which mechanism is missing.
//
//go:embed priors.tsv
var priorTable string

// prior is a line of priorTable, in logarithms.
type prior struct{ low, mid, high float64 }

// priorOf is what is known of a constant.
func priorOf(name string) (p prior, known bool) {
	for line := range strings.Lines(priorTable) {
		if c := strings.Split(line, "\t"); c[0] == name {
			for i, to := range []*float64{&p.low, &p.mid, &p.high} {
				x, _ := strconv.ParseFloat(c[1+i], 64)
				*to = math.Log(x)
			}
			return p, true
		}
	}
	return p, false
}

// off is how far a constant is from what was known, in standard deviations, four of which the range holds, and how it
// changes with what is searched.
func (k *knob) off() (x, slope float64) {
	p, known := priorOf(k.name)
	if !known {
		return 0, 0
	}
	const step = 1e-4
	at := func() float64 { return (math.Log(*k.at[0]) - p.mid) / ((p.high - p.low) / 4) }
	here, x0 := k.get(), at()
	k.set(here + step)
	slope = (at() - x0) / step
	k.set(here)
	return x0, slope
}

// known is how much a standard deviation from what was known counts, against the mean error: what left the smallest
// error of one half of the fitted configurations when only the other was fitted to.
const known = 5e-5

// cost is the mean error, and how far constants are from what was known of them.
func (s *search) cost(all []miss) float64 {
	sum := loss(all)
	for _, k := range s.knobs {
		x, _ := k.off()
		sum += known * x * x
	}
	return sum
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
	s.step(here, s.slopes(here))
}

// step takes one step from where misses are as given and change so with each constant.
func (s *search) step(here []miss, slopes [][]float64) {
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
		x, slope := s.knobs[i].off()
		square[i][i] += 2 * known * worths(here) * slope * slope
		down[i] -= 2 * known * worths(here) * slope * x
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
	if now := s.cost(s.misses()); now < s.best-1e-7 {
		s.best = now
		return true
	}
	for i, x := range before {
		s.knobs[i].set(x)
	}
	return false
}

// sourced is the constants of software that nobody measured as a whole, by the figures of its kernels: DeepSeek's own,
// on H800. DeepGEMM, README @2025-03: masked groups of 256 rows at 932 and 815 TFLOP/s, by their shares of an expert
// 889, which is 0.45 of the peak; dense products of 64 rows read at 1688 to 2668 GB/s, by their shares of MLA 2492.
// FlashMLA, README @2025-02: 580 TFLOP/s.
var sourced = map[string]func(k *serving.Constants) float64{
	"weights": func(*serving.Constants) float64 { return 2492. / 3350 },
	"grouped": func(k *serving.Constants) float64 { return 889. / 1979 / k.Math8 },
	"score":   func(*serving.Constants) float64 { return 580. / 989 },
}

// table is the constants as app/serving reads them. Of those that engines have of their own, all have the mean.
func (s *search) table() string {
	var b strings.Builder
	b.WriteString("constant\tall\t" + strings.Join(engines, "\t") + "\tdeepseek\n")
	for i, n := range s.all["all"].All() {
		if !own[n.Name] {
			fmt.Fprintf(&b, "%s\t%.3g", n.Name, *n.Value)
			if of := sourced[n.Name]; of != nil {
				fmt.Fprintf(&b, "%s%.3g", strings.Repeat("\t", len(engines)+1), of(s.all["all"]))
			}
			b.WriteString("\n")
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
