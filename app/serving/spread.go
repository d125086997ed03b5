package serving

import (
	_ "embed"
	"strconv"
	"strings"
)

// spreadTable is how far nine in ten measurements lie from their predictions: regime ("together", "apart", "open",
// "offline"), quantity ("first", "token", "whole", "rate"), engine, chip, model, and the factors below and above; an empty
// cell is any. It is written by the fit (app/measured/fit/serving).
//
//go:embed spreads.tsv
var spreadTable string

// Spread is the factors between which nine in ten measurements lie, over what is predicted.
type Spread struct{ Low, High float64 }

// SpreadTable is all spreads by their names, for tests and fits.
func SpreadTable() string { return spreadTable }

// SpreadOf is the spread of a quantity by what is known of the case: its model on its chip by its engine, its engine, or
// only its regime.
func SpreadOf(regime, quantity, engine, chip, model string) Spread {
	best, depth := Spread{0.5, 2}, -1
	for line := range strings.Lines(spreadTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if c[0] != regime || c[1] != quantity {
			continue
		}
		d := -1
		switch {
		case c[2] == engine && c[3] == chip && c[4] == model:
			d = 2
		case c[2] == engine && c[3] == "" && c[4] == "":
			d = 1
		case c[2] == "" && c[3] == "" && c[4] == "":
			d = 0
		}
		if d > depth {
			best.Low, _ = strconv.ParseFloat(c[5], 64)
			best.High, _ = strconv.ParseFloat(c[6], 64)
			depth = d
		}
	}
	return best
}

// Interval is what nine in ten measurements of an option lie between.
type Interval struct{ Low, Mid, High float64 }

func (i Interval) holds(x float64) bool { return i.Low <= x && x <= i.High }

// Intervals are those of an option's time to the first token, of its time a token, and of its tokens a second and chip.
type Intervals struct{ First, Token, Rate Interval }

// Intervals are those of an option of w.
func (w Wish) Intervals(o Option) Intervals {
	regime := "together"
	if o.Apart {
		regime = "apart"
	}
	of := func(quantity string, mid float64) Interval {
		s := SpreadOf(regime, quantity, w.Engine.Name, w.Chip.ID, w.Shape.Model.ID)
		return Interval{mid * s.Low, mid, mid * s.High}
	}
	return Intervals{First: of("first", o.TTFT), Token: of("token", o.TPOT), Rate: of("rate", o.PerChip)}
}

// Equal tells whether each of two options has tokens a second of a chip, and time a token, within the other's interval:
// predictions don't tell which is better.
func (w Wish) Equal(a, b Option) bool {
	x, y := w.Intervals(a), w.Intervals(b)
	return x.Rate.holds(b.PerChip) && y.Rate.holds(a.PerChip) && x.Token.holds(b.TPOT) && y.Token.holds(a.TPOT)
}
