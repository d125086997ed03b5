package main

import (
	"math"
	"sort"

	"github.com/scalebook/scalebook/app/measured"
)

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

// miss is the logarithm of predicted over measured, and how much it counts.
type miss struct{ off, worth float64 }

// misses are those of all rows and quantities, in an order that doesn't change.
func (s *search) misses() []miss {
	var all []miss
	for i, errs := range measured.AllErrors(s.cases, s.get) {
		names := make([]string, 0, len(errs))
		for q := range errs {
			names = append(names, q)
		}
		sort.Strings(names)
		for _, q := range names {
			w := worth[q] * s.cases[i].Weight
			if q == "rate" && s.cases[i].Regime() == "offline" {
				w = s.cases[i].Weight
			}
			all = append(all, miss{errs[q], w})
		}
	}
	return all
}

// near is the error below which it counts by its square, and above by its size.
const near = 0.1

// beyond is the error above which a row is beyond all laws and has little more to say.
const beyond = 0.5

// loss is the mean error.
func loss(all []miss) float64 {
	sum, n := 0.0, 0.0
	for _, m := range all {
		e := math.Abs(m.off)
		sum += m.worth * min(math.Hypot(e, near)-near, beyond+0.1*e)
		n += m.worth
	}
	return sum / n
}

// pull is the weight of the square of m, by which squares stand for the loss.
func (m miss) pull() float64 {
	e := math.Abs(m.off)
	w := m.worth / math.Hypot(e, near)
	if math.Hypot(e, near)-near > beyond+0.1*e {
		w *= 0.1
	}
	return w
}
