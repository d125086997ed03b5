package input

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// OnGrid is how far a number may lie from a step, in steps.
const OnGrid = 1e-9

// Accepts says what is wrong with q as a value of in: its range, its grid.
func (in *Input) Accepts(q quantity.Quantity) *syntax.Error {
	switch {
	case in.Ranged && !(in.Min <= q.Value && q.Value <= in.Max):
		return &syntax.Error{What: phrase.New("sheet.out-of-range", "value", q.String()),
			Remedy: phrase.New("sheet.give-value", "value", in.RangeText())}
	case in.Step > 0:
		k := (q.Value - in.Min) / in.Step
		if math.Abs(k-math.Round(k)) > OnGrid*max(1, math.Abs(k)) {
			return &syntax.Error{What: phrase.New("sheet.between-steps", "value", q.String(), "step", in.amount(in.Step)),
				Remedy: phrase.New("sheet.give-value", "value", in.neighbours(k))}
		}
	}
	return nil
}

// amount is x in base units as in prints.
func (in *Input) amount(x float64) string {
	q := in.Default.Num
	q.Value = x
	return q.String()
}

// neighbours are the values of the grid beside the k-th.
func (in *Input) neighbours(k float64) any {
	low, high := in.Min+math.Floor(k)*in.Step, in.Min+math.Ceil(k)*in.Step
	switch {
	case in.Ranged && high > in.Max:
		return in.amount(low)
	case in.Ranged && low < in.Min:
		return in.amount(high)
	}
	return phrase.New("sheet.either", "low", in.amount(low), "high", in.amount(high))
}

// Span is where a search for a value of in looks: its range, or a wide one around its author's value.
func (in *Input) Span() search.Interval {
	v := in.Default.Num.Value
	switch {
	case in.Ranged:
		return search.Interval{Lo: in.Min, Hi: in.Max, Log: in.Log && in.Min > 0}
	case v > 0:
		return search.Interval{Lo: max(v/1e4, 1e-300), Hi: min(v*1e4, math.MaxFloat64), Log: true}
	case v < 0:
		v = min(-v, 1e300)
	case in.Unit.Value > 0:
		v = in.Unit.Value
	default:
		v = 1
	}
	return search.Interval{Lo: -1e4 * v, Hi: 1e4 * v}
}

// Quantity is the value x of in: its dimension, label and prefixes are those its author wrote.
func (in *Input) Quantity(x float64) quantity.Quantity {
	q := in.Default.Num
	q.Value = x
	return q
}

// Assigned is "B = 512 tokens".
func (in *Input) Assigned(x float64) string { return in.Name + " = " + in.Quantity(x).String() }

// RangeText is "1 to 16,384 tokens".
func (in *Input) RangeText() *phrase.Phrase {
	p := in.Span()
	return FromTo(in.Quantity(p.Lo), in.Quantity(p.Hi))
}

// FromTo is "1 to 16,384 tokens": the unit once where it is the same.
func FromTo(lo, hi quantity.Quantity) *phrase.Phrase {
	a, ua := lo.Parts()
	b, ub := hi.Parts()
	if ua != "" && (ua == ub || ua+"s" == ub || ua+"es" == ub) {
		return phrase.New("sheet.from-to-unit", "low", a, "high", b, "unit", ub)
	}
	return phrase.New("sheet.from-to", "low", lo.String(), "high", hi.String())
}

// AtEnd tells whether x is an end of what is searched for in.
func (in *Input) AtEnd(x float64) bool {
	p := in.Span()
	return x == p.Lo || x == p.Hi
}
