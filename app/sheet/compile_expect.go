package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
