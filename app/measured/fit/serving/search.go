package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/serving"
)

// engines have some constants of their own: what their code costs, which the chips have no part in.
var engines = []string{"vllm", "sglang", "trtllm"}

// own are those constants.
var own = map[string]bool{
	"layer":        true,
	"block":        true,
	"latent":       true,
	"eager":        true,
	"eager_latent": true,
	"sequence":     true,
	"request":      true,
	"together":     true,
	"gather":       true,
}

// shares are constants that a law keeps below 1.
var shares = map[string]bool{
	"weights":  true,
	"cache":    true,
	"math16":   true,
	"math8":    true,
	"math4":    true,
	"score":    true,
	"links":    true,
	"together": true,
}

// worth is how much an error of a quantity counts. Rates follow from the others, but offline they are all there is.
var worth = map[string]float64{"first": 0.5, "token": 1, "whole": 1}

// weigh gives configurations weights: with many rows less than in proportion; open loops more, which are few; and those
// whose plan is half unknown little.
func weigh(cases []measured.Case) []measured.Case {
	family := map[string]float64{}
	for _, c := range cases {
		family[c.Family()]++
	}
	for i := range cases {
		c := &cases[i]
		c.Weight = 1 / math.Sqrt(family[c.Family()])
		switch {
		case !c.Stated():
			c.Weight *= 0.1
		case c.Regime() == "open":
			c.Weight *= 3
		}
	}
	return cases
}

// knob is a constant that is fitted, of one engine or of all.
type knob struct {
	name string
	at   []*float64
	step float64 // tried up and down, as a share
}

// search walks along one constant after the other.
type search struct {
	cases []measured.Case
	all   map[string]*serving.Constants
	knobs []*knob
	best  float64
}

// newSearch begins at the shipped constants.
func newSearch(cases []measured.Case) *search {
	s := &search{cases: cases, all: map[string]*serving.Constants{}}
	everyone := append([]string{"all"}, engines...)
	for _, e := range everyone {
		k := serving.Fitted(e)
		s.all[e] = &k
	}
	for i, n := range s.all["all"].All() {
		if n.Name == "imbalance" {
			continue // no row tells it from the rate of experts' products
		}
		shared := &knob{name: n.Name, step: 0.5}
		for _, e := range everyone {
			at := s.all[e].All()[i].Value
			if own[n.Name] && e != "all" {
				s.knobs = append(s.knobs, &knob{n.Name, []*float64{at}, 1})
			}
			shared.at = append(shared.at, at)
		}
		if !own[n.Name] {
			s.knobs = append(s.knobs, shared)
		}
	}
	s.best = s.loss()
	return s
}

// get is the constants of an engine.
func (s *search) get(engine string) serving.Constants {
	if k, found := s.all[engine]; found {
		return *k
	}
	return *s.all["all"]
}

// loss is the mean error in logarithms, gentle where it is small, and with little more to lose where it is beyond all
// laws.
func (s *search) loss() float64 {
	sum, n := 0.0, 0.0
	for i, errs := range measured.AllErrors(s.cases, s.get) {
		for q, x := range errs {
			w := worth[q] * s.cases[i].Weight
			if q == "rate" && s.cases[i].Regime() == "offline" {
				w = s.cases[i].Weight
			}
			e := math.Abs(x)
			sum += w * math.Min(math.Sqrt(e*e+0.01)-0.1, 1+0.1*e)
			n += w
		}
	}
	return sum / n
}

// round tries every constant once.
func (s *search) round() {
	for _, k := range s.knobs {
		s.try(k)
	}
}

// try moves one constant up or down, far or less far, and keeps what helps.
func (s *search) try(k *knob) {
	old := *k.at[0]
	for _, f := range []float64{1 + k.step, 1 / (1 + k.step), 1 + k.step/4, 1 / (1 + k.step/4)} {
		v := old * f
		if shares[k.name] {
			v = math.Min(v, 0.95)
		}
		k.set(v)
		if now := s.loss(); now < s.best-1e-7 {
			s.best, k.step = now, k.step*1.3
			return
		}
	}
	k.set(old)
	k.step *= 0.6
}

func (k *knob) set(v float64) {
	for _, at := range k.at {
		*at = v
	}
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
