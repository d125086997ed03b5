package plot

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// xAxis describes the axis of the input.
func (p *Plot) xAxis() Axis {
	a := Axis{Name: p.Over.Name, Label: p.Label}
	if !strings.EqualFold(a.Label, a.Name) {
		a.Label += " (" + a.Name + ")"
	}
	if !p.Over.IsNumber() {
		return a
	}
	a.Min, a.Max, a.Log = p.Range.Lo, p.Range.Hi, p.Range.Log
	a.Unit = p.Over.Quantity(1)
	a.Dim = a.Unit.Dim
	return a
}

// yAxis decides what the curves' common axis is, from their samples on the even grid.
func (s *sampler) yAxis() {
	y := &s.out.Y
	s.yUnit(y)
	s.yLabel(y)
	lo, hi := s.extent()
	if lo > hi {
		return
	}
	y.Min, y.Max = lo, hi
	y.Log = lo > 0 && s.out.X.Log && math.Log10(hi/lo) > logDecades
	if s.p.Log != nil {
		y.Log = *s.p.Log && hi > 0
	}
	switch {
	case y.Log && lo <= 0:
		y.Min = s.leastPositive()
	case !y.Log && lo > 0 && lo < 0.7*hi:
		y.Min = 0
	}
}

// yUnit is what all curves are measured in: a label or binary prefixes only if they share them.
func (s *sampler) yUnit(y *Axis) {
	first := true
	for _, b := range s.bands {
		for k, q := range b.units {
			switch {
			case !b.known[k]:
				continue
			case first:
				y.Unit, first = q, false
			case q.Dim != y.Unit.Dim:
				s.out.Err = phrase.New("sheet.one-axis-two-dims", "dim", y.Unit.Dim.Words(), "other", q.Dim.Words())
			}
			y.Unit.Binary = y.Unit.Binary && q.Binary
			if q.Label != y.Unit.Label {
				y.Unit.Label = quantity.Label{}
			}
		}
	}
	y.Unit.Value, y.Dim = 1, y.Unit.Dim
}

// extent is the least and the greatest value of all curves; lo > hi if there is none.
func (s *sampler) extent() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, b := range s.bands {
		for _, ys := range b.ys {
			for _, v := range ys {
				if !math.IsNaN(v) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	return lo, hi
}

// yLabel names the y axis: one row by its label, several by what they measure.
func (s *sampler) yLabel(y *Axis) {
	if len(s.p.Y) == 1 {
		y.Name, y.Label = s.p.Y[0].Name, s.p.Y[0].Label
		return
	}
	if y.Dim.IsZero() {
		word := phrase.New("sheet.axis-number")
		if y.Unit.IsPercent() {
			word = phrase.New("sheet.axis-share")
		}
		y.Label = word.In(s.p.Phrases)
		return
	}
	words := y.Dim.Words().In(s.p.Phrases)
	y.Label = phrase.Capital(words)
}

func (s *sampler) leastPositive() float64 {
	least := math.Inf(1)
	for _, b := range s.bands {
		for _, ys := range b.ys {
			for _, v := range ys {
				if v > 0 {
					least = min(least, v)
				}
			}
		}
	}
	return least
}

// seriesLabel is what the legend calls a curve.
func (s *sampler) seriesLabel(y Row, word string) string {
	switch {
	case word == "":
		return y.Label
	case len(s.p.Y) == 1:
		return word
	}
	return y.Label + ", " + word
}
