package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Check evaluates every `expect`, at the sheet's default inputs or at those it names.
func (s *Sheet) Check() []ExpectResult {
	fuel := checkFuel
	return s.CheckBy(func(st input.State) *Result {
		share := min(fuel, evalFuel)
		fuel -= share
		r := s.evalOn(&share, st)
		fuel += max(share, 0)
		return r
	})
}

// CheckBy is Check with evaluations of the caller.
func (s *Sheet) CheckBy(eval func(input.State) *Result) []ExpectResult {
	out := make([]ExpectResult, len(s.Expects))
	var first *Result
	for i, e := range s.Expects {
		r := first
		if r == nil || len(e.At) > 0 {
			r = eval(e.At)
		}
		if len(e.At) == 0 {
			first = r
		}
		out[i].Expect = e
		out[i].Got, out[i].Err = r.Value(e.Name)
		if err := r.misfits(e.At); err != nil {
			out[i].Err = err
		}
		out[i].OK = out[i].Err == nil && e.holds(out[i].Got)
	}
	return out
}

// Wanted says what e expects: "17.2 GFLOP", or "below 1 µs".
func (e *Expect) Wanted(l phrase.Phrases) string {
	switch want := e.Want.String(); e.Op {
	case "<":
		return l.Say("sheet.below", "value", want)
	case "<=":
		return l.Say("sheet.at-most", "value", want)
	case ">":
		return l.Say("sheet.above", "value", want)
	case ">=":
		return l.Say("sheet.at-least", "value", want)
	}
	return e.Want.String()
}

// IsBound tells whether e expects a value above or below another one, not a certain value.
func (e *Expect) IsBound() bool { return e.Op != "" && e.Op != "=" }

// misfits is why one of the given values cannot be set in the state of r, if one can't.
func (r *Result) misfits(st input.State) error {
	for _, in := range r.Sheet.Inputs {
		if _, ok := st[in.Name]; !ok {
			continue
		}
		if err := r.Misfit(in.Name); err != nil {
			return phrase.New("sheet.input-fault", "input", in.Name, "fault", err)
		}
	}
	return nil
}

// holds tells whether got is what e wants: numbers within its tolerance, relative to what is wanted (where that is
// zero, in base units), or on the right side of a bound; anything else exactly.
func (e *Expect) holds(got value.Value) bool {
	if got.Kind != value.Number || e.Want.Kind != value.Number {
		return got.Equal(e.Want)
	}
	want := e.Want.Num.Value
	if e.IsBound() {
		return got.Num.Dim == e.Want.Num.Dim && value.Holds(e.Op, value.Compare(got.Num.Value, want, 0))
	}
	scale := math.Abs(want)
	if want == 0 {
		scale = 1
	}
	return got.Num.Dim == e.Want.Num.Dim && math.Abs(got.Num.Value-want) <= float64(e.Within*scale)
}

// expected is the tolerance of an `expect` that names none.
const expected = 1e-9

func (c *compiler) expect(e *syntax.Expect) {
	out, ok := &Expect{Pos: e.Pos, Name: e.Name.Name, Op: e.Op, Within: expected, Fact: e.Fact}, true
	if s := c.row(e.Name); s == nil {
		ok = false
	} else {
		out.Want, ok = c.wanted(s.def, e.Want)
		ok = ok && c.comparable(e, s.def)
	}
	if out.IsBound() {
		out.Within = 0
	}
	if e.Within != nil {
		var good bool
		out.Within, good = c.tolerance(e.Within)
		ok = ok && good
	}
	for i := range e.At {
		a := &e.At[i]
		_, in := c.input(a.Ident, phrase.New("sheet.cannot-set", "name", a.Name))
		if in == nil {
			ok = false
			continue
		}
		v, good := c.value(in, a.Values[0])
		out.At, ok = out.At.With(in.Name, v), ok && good
	}
	if ok {
		c.sheet.Expects = append(c.sheet.Expects, out)
	}
}

// wanted is the value that a row should have: for texts, also a bare word.
func (c *compiler) wanted(def *expr.RowDef, e syntax.Expr) (value.Value, bool) {
	if text, ok := word(e); ok && def.Type.Kind == value.Text {
		return value.Value{Kind: value.Text, Text: text}, true
	}
	v, ok := c.constant(e)
	if ok && !value.SameType(v.Type(), def.Type) {
		c.errs.Add(e.Position(), phrase.New("sheet.expect-is-but", "code", syntax.Brief(e), "type", v.Type(), "row", def.Name,
			"othertype", def.Type),
			phrase.New("sheet.give-unit-of", "row", def.Name))
		return v, false
	}
	return v, ok
}

// comparable reports an expect that compares what has no order, or gives a bound a tolerance.
func (c *compiler) comparable(e *syntax.Expect, def *expr.RowDef) bool {
	switch {
	case e.Op == "=":
		return true
	case def.Type.Kind != value.Number:
		c.errs.Add(e.Want.Position(), phrase.New("sheet.compares-numbers", "op", e.Op, "code", def.Name, "type", def.Type),
			phrase.New("sheet.write-equals"))
	case e.Within != nil:
		c.errs.Add(e.Within.Position(), phrase.New("sheet.within-needs-equals"), phrase.New("sheet.leave-out-tolerance"))
	default:
		return true
	}
	return false
}

// tolerance reads `within 1%`.
func (c *compiler) tolerance(e syntax.Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	if v.Kind != value.Number || !v.Num.Dim.IsZero() || !(v.Num.Value >= 0) {
		c.errs.Add(e.Position(), phrase.New("sheet.no-tolerance", "code", syntax.Brief(e)),
			phrase.New("sheet.write-tolerance"))
		return 0, false
	}
	return v.Num.Value, true
}
