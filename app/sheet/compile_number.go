package sheet

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// numberInput fills in unit, range, scale and grid.
func (c *compiler) numberInput(in *input.Input, d *syntax.Definition) bool {
	if d.Low != nil && !c.rangeOf(in, d) {
		return false
	}
	if d.Log && !(in.Ranged && in.Min > 0) {
		c.errs.Add(d.LogAt, phrase.New("sheet.log-needs-range"), phrase.New("sheet.write-log"))
		return false
	}
	in.Log = d.Log
	if d.Step != nil {
		step, ok := c.number(in, d.Step)
		if !ok {
			return false
		}
		if !(step > 0) {
			c.errs.Add(d.Step.Position(), phrase.New("sheet.step-above-zero"), phrase.New("sheet.write-step"))
			return false
		}
		in.Step = step
	}
	if err := in.Accepts(in.Default.Num); err != nil {
		c.errs.Add(d.Value.Position(), phrase.New("sheet.default-fault", "fault", err.What), err.Remedy)
		return false
	}
	return true
}

// rangeOf reads `in a..b`.
func (c *compiler) rangeOf(in *input.Input, d *syntax.Definition) bool {
	var ok1, ok2 bool
	in.Min, ok1 = c.number(in, d.Low)
	in.Max, ok2 = c.number(in, d.High)
	if !ok1 || !ok2 {
		return false
	}
	in.Ranged = true
	if !(in.Min < in.Max) {
		c.errs.Add(d.Low.Position(), phrase.New("sheet.range-empty"), phrase.New("sheet.write-smaller-first"))
		return false
	}
	if math.IsInf(in.Max-in.Min, 0) {
		c.errs.Add(d.Low.Position(), phrase.New("sheet.range-too-wide"), phrase.New("sheet.write-closer-ends"))
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
func (c *compiler) number(in *input.Input, e syntax.Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	like := in.Default.Num
	switch {
	case v.Kind != value.Number:
		c.errs.Add(e.Position(), phrase.New("sheet.value-should-be", "code", syntax.Brief(e), "type", v.Type(), "wanted",
			in.Default.Type()), phrase.New("sheet.write-number"))
		return 0, false
	case v.Num.Dim.IsZero() && v.Num.Label == (quantity.Label{}) && !like.Dim.IsZero():
		q, err := quantity.ParseLike(strconv.FormatFloat(v.Num.Value, 'g', -1, 64), in.Unit)
		return q.Value, err == nil
	case v.Num.Dim != like.Dim:
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", syntax.Brief(e), "type", v.Type(), "input", in.Name,
			"othertype", in.Default.Type()),
			giveDim(like.Dim))
		return 0, false
	}
	return v.Num.Value, true
}

// giveDim is the remedy where a number of another dimension stands.
func giveDim(d quantity.Dim) *phrase.Phrase {
	if d.IsZero() {
		return phrase.New("sheet.give-plain-number")
	}
	return phrase.New("sheet.give-dim", "word", d.Words(), "unit", d.String())
}
