package solve

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
)

// Reach is the value of the input at which the row becomes target: the one nearest to now, the present one. The error
// says what the row, which readers know as what, can reach.
func (s *Search) Reach(target quantity.Quantity, what any, now float64) (quantity.Quantity, error) {
	in, one := s.In, &aim{rows: s.Rows, target: target.Value}
	p := in.Span()
	m := search.Meet(one.curves, p)
	switch {
	case m.Always:
		return in.Quantity(now), nil
	case len(m.Roots) == 0:
		return quantity.Quantity{}, one.outOfReach(what, target, in, m)
	}
	return in.Quantity(p.Nearest(m.Roots, now)), nil
}

// aim reads a row against a fixed value.
type aim struct {
	rows   func(x float64) []expr.Row
	target float64
	output quantity.Quantity
	err    error
}

func (a *aim) curves(x float64) (l, r float64, ok bool) {
	rows := a.rows(x)
	if len(rows) == 0 {
		return 0, 0, false
	}
	if rows[0].Err != nil {
		a.err = rows[0].Err
		return 0, 0, false
	}
	a.output = rows[0].Value.Num
	return a.output.Value, a.target, true
}

// outOfReach says what the row does instead of becoming target.
func (a *aim) outOfReach(what any, target quantity.Quantity, in *input.Input, m search.Meetings) error {
	switch {
	case m.Valid == 0 && a.err != nil:
		return phrase.New("sheet.no-value-for-why", "what", what, "input", in.Name, "range", in.RangeText(), "why", a.err)
	case m.Valid == 0:
		return phrase.New("sheet.no-value-for", "what", what, "input", in.Name, "range", in.RangeText())
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, look := range m.Samples {
		lo, hi = min(lo, look.Left), max(hi, look.Left)
	}
	low, high := a.output, a.output
	low.Value, high.Value = lo, hi
	if hi-lo <= search.SameWithin*math.Abs(hi) {
		return phrase.New("sheet.always", "what", what, "value", low.String(), "input", in.Name)
	}
	if len(m.Jumps) > 0 {
		before, after := m.Jumps[0][0], m.Jumps[0][1]
		return phrase.New("sheet.never-jumps", "what", what, "target", target.String(), "from", withValue(low, before.Left),
			"to", withValue(low, after.Left), "place", in.Assigned(after.X))
	}
	return phrase.New("sheet.out-of-reach", "target", target.String(), "what", what, "reach", input.FromTo(low, high),
		"input", in.Name, "range", in.RangeText())
}
