package expr

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// choose is if(condition, a, b). Only the branch that is taken is computed.
func (c *Checker) choose(e *syntax.Call, args []Node) Node {
	cond, a, b := &args[0], &args[1], &args[2]
	switch {
	case cond.Type.Kind != value.Bool:
		return c.Report(cond.Expr.Position(), phrase.New("sheet.if-needs-switch", "code", syntax.Brief(cond.Expr),
			"type", cond.Type),
			phrase.New("sheet.write-if-comparison"))
	case a.Type.Kind == value.Number && b.Type.Kind == value.Number && a.Type.Dim != b.Type.Dim:
		return c.mismatch(b.Expr.Position(), "sheet.cannot-choose-between", a, b)
	case !value.SameType(a.Type, b.Type):
		return c.Report(b.Expr.Position(), phrase.New("sheet.cannot-choose-between", "left", syntax.Brief(a.Expr),
			"type", a.Type,
			"right", syntax.Brief(b.Expr), "othertype", b.Type), phrase.New("sheet.same-kind-to-choose"))
	}
	test := cond.cond
	pick := func(f *Frame) (*Node, bool) {
		yes, ok := test(f)
		if yes {
			return a, ok
		}
		return b, ok
	}
	return chosen(a.Type, pick)
}

// chosen is the node that pick picks, of either branch's type.
func chosen(typ value.Type, pick func(f *Frame) (*Node, bool)) Node {
	n := Node{Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			if m, ok := pick(f); ok {
				return m.num(f)
			}
			return quantity.Quantity{}, false
		}
		n.Fast = func(f *Frame) (float64, bool) {
			if m, ok := pick(f); ok {
				return m.Fast(f)
			}
			return 0, false
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			if m, ok := pick(f); ok {
				return m.cond(f)
			}
			return false, false
		}
	default:
		n.val = func(f *Frame) (value.Value, bool) {
			if m, ok := pick(f); ok {
				return m.val(f)
			}
			return value.Value{}, false
		}
	}
	return n
}
