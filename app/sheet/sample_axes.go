package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// plotTitle is the title of a plot whose author gave none.
func (s *Sheet) plotTitle(st State, p *Plot, in *Input) string {
	var names []string
	for _, y := range p.Y {
		names = append(names, s.labelOf(st, y))
	}
	return s.Phrases().Say("sheet.plot-title", "rows", phrase.Commas(names), "input",
		phrase.MidSentence(s.labelOf(st, in.Name)))
}

// labelOf is a row for a reader: its label, or else its name.
func (s *Sheet) labelOf(st State, name string) string {
	if row := s.Row(name); row != nil && row.Label != "" {
		return s.fill(st, row.Label)
	}
	return Symbol(name, Plain)
}

// xAxis describes the axis of the input.
func (s *Sheet) xAxis(st State, p *Plot, in *Input) AxisData {
	a := AxisData{Name: in.Name, Label: s.labelOf(st, in.Name)}
	if a.Label != in.Name {
		a.Label += " (" + in.Name + ")"
	}
	if !in.IsNumber() {
		return a
	}
	r := s.plotRange(p, in)
	a.Min, a.Max, a.Log = r.Lo, r.Hi, r.Log
	a.Unit = in.Quantity(1)
	a.Dim = a.Unit.Dim
	return a
}

// yAxis decides what the curves' common axis is, from their samples on the even grid.
func (pl *plotter) yAxis() {
	y := &pl.out.Y
	pl.yUnit(y)
	pl.yLabel(y)
	lo, hi := pl.extent()
	if lo > hi {
		return
	}
	y.Min, y.Max = lo, hi
	y.Log = lo > 0 && pl.out.X.Log && math.Log10(hi/lo) > logDecades
	if pl.p.Log != nil {
		y.Log = *pl.p.Log && hi > 0
	}
	switch {
	case y.Log && lo <= 0:
		y.Min = pl.leastPositive()
	case !y.Log && lo > 0 && lo < 0.7*hi:
		y.Min = 0
	}
}

// yUnit is what all curves are measured in: a label or binary prefixes only if they share them.
func (pl *plotter) yUnit(y *AxisData) {
	first := true
	for _, b := range pl.bands {
		for k, q := range b.units {
			switch {
			case !b.known[k]:
				continue
			case first:
				y.Unit, first = q, false
			case q.Dim != y.Unit.Dim:
				pl.out.Err = phrase.New("sheet.one-axis-two-dims", "dim", y.Unit.Dim.Words(), "other", q.Dim.Words())
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
func (pl *plotter) extent() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, b := range pl.bands {
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
func (pl *plotter) yLabel(y *AxisData) {
	if len(pl.p.Y) == 1 {
		y.Name = pl.p.Y[0]
		y.Label = pl.s.labelOf(pl.st, y.Name)
		return
	}
	if y.Dim.IsZero() {
		word := phrase.New("sheet.axis-number")
		if y.Unit.IsPercent() {
			word = phrase.New("sheet.axis-share")
		}
		y.Label = word.In(pl.s.Phrases())
		return
	}
	words := y.Dim.Words().In(pl.s.Phrases())
	y.Label = phrase.Capital(words)
}

func (pl *plotter) leastPositive() float64 {
	least := math.Inf(1)
	for _, b := range pl.bands {
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
func (pl *plotter) seriesLabel(name, word string) string {
	switch {
	case word == "":
		return pl.s.labelOf(pl.st, name)
	case len(pl.p.Y) == 1:
		return word
	}
	return pl.s.labelOf(pl.st, name) + ", " + word
}
