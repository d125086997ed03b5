package sheet

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// numberInput fills in unit, range, scale and grid.
func (c *compiler) numberInput(in *Input, d *syntax.Definition) bool {
	if d.Low != nil && !c.rangeOf(in, d) {
		return false
	}
	if d.Log && !(in.Ranged && in.Min > 0) {
		c.errs.Add(d.LogAt, "a log scale needs a range above zero", "write `in 1..1000 log`")
		return false
	}
	in.Log = d.Log
	if d.Step != nil {
		step, ok := c.number(in, d.Step)
		if !ok {
			return false
		}
		if !(step > 0) {
			c.errs.Add(d.Step.Position(), "a step is above zero", "write `step 1`")
			return false
		}
		in.Step = step
	}
	if err := in.accepts(in.Default.Num); err != nil {
		c.errs.Add(d.Value.Position(), "the default "+err.What, err.Remedy)
		return false
	}
	return true
}

// rangeOf reads `in a..b`.
func (c *compiler) rangeOf(in *Input, d *syntax.Definition) bool {
	var ok1, ok2 bool
	in.Min, ok1 = c.number(in, d.Low)
	in.Max, ok2 = c.number(in, d.High)
	if !ok1 || !ok2 {
		return false
	}
	in.Ranged = true
	if !(in.Min < in.Max) {
		c.errs.Add(d.Low.Position(), "this range is empty", "write the smaller end first, such as `in 1..16384`")
		return false
	}
	return true
}

// unitOf is the unit in which an author wrote the default q.
func unitOf(e syntax.Expr, q quantity.Quantity) quantity.Quantity {
	for {
		switch x := e.(type) {
		case *syntax.Group:
			e = x.X
			continue
		case *syntax.Unary:
			e = x.X
			continue
		case *syntax.Lit:
			if u, err := quantity.UnitOf(x.Text); err == nil && u.Dim == q.Dim {
				return u
			}
		}
		return printedUnit(q)
	}
}

// printedUnit is the unit in which q prints: of a computed default, the one that a reader sees.
func printedUnit(q quantity.Quantity) quantity.Quantity {
	_, unit := q.Parts()
	if u, err := quantity.UnitOf("1 " + unit); err == nil && u.Dim == q.Dim && u.Value > 0 {
		return u
	}
	q.Value = 1
	return q
}

// number is a constant of in's dimension, in base units. A bare one counts in the unit of its default.
func (c *compiler) number(in *Input, e syntax.Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	like := in.Default.Num
	switch {
	case v.Kind != Number:
		c.errs.Add(e.Position(), "`"+brief(e)+"` is "+v.Type().String()+", but should be "+in.Default.Type().String(), "write a number")
		return 0, false
	case v.Num.Dim.IsZero() && v.Num.Label == (quantity.Label{}) && !like.Dim.IsZero():
		q, err := quantity.ParseLike(strconv.FormatFloat(v.Num.Value, 'g', -1, 64), in.Unit)
		return q.Value, err == nil
	case v.Num.Dim != like.Dim:
		c.errs.Add(e.Position(), "`"+brief(e)+"` is "+v.Type().String()+", but `"+in.Name+"` is "+in.Default.Type().String(),
			"give "+giveText(like.Dim))
		return 0, false
	}
	return v.Num.Value, true
}

// onGrid is how far a number may lie from a step, in steps.
const onGrid = 1e-9

// accepts says what is wrong with q as a value of in: its range, its grid.
func (in *Input) accepts(q quantity.Quantity) *Error {
	switch {
	case in.Ranged && !(in.Min <= q.Value && q.Value <= in.Max):
		return &Error{What: q.String() + " is out of range", Remedy: "give " + in.rangeText()}
	case in.Step > 0:
		k := (q.Value - in.Min) / in.Step
		if math.Abs(k-math.Round(k)) > onGrid*max(1, math.Abs(k)) {
			return &Error{What: q.String() + " is between the steps of " + in.amount(in.Step), Remedy: "give " + in.neighbours(k)}
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
func (in *Input) neighbours(k float64) string {
	low, high := in.Min+math.Floor(k)*in.Step, in.Min+math.Ceil(k)*in.Step
	switch {
	case in.Ranged && high > in.Max:
		return in.amount(low)
	case in.Ranged && low < in.Min:
		return in.amount(high)
	}
	return in.amount(low) + " or " + in.amount(high)
}
