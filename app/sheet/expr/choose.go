package expr

import (
	"math"

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

// This file compares values. Numbers that differ by no more than rounding are equal, so that parts which add up on
// paper add up here: exactly one of <, = and > holds.

// sizedFn evaluates a number, and the largest of the terms that it is the sum of.
type sizedFn func(f *Frame) (v, size float64, ok bool)

// terms is n as a sum of terms: for what is no sum, itself.
func (n *Node) terms() sizedFn {
	if n.sized != nil {
		return n.sized
	}
	fast := n.Fast
	return func(f *Frame) (float64, float64, bool) {
		v, ok := fast(f)
		return v, math.Abs(v), ok
	}
}

// negated is -n as a sum of terms, if n is one.
func (n *Node) negated() sizedFn {
	sized := n.sized
	if sized == nil {
		return nil
	}
	return func(f *Frame) (float64, float64, bool) {
		v, size, ok := sized(f)
		return -v, size, ok
	}
}

// sumTerms is the sum of x and y as terms.
func sumTerms(x, y *Node, add scalar) sizedFn {
	a, b := x.terms(), y.terms()
	return func(f *Frame) (float64, float64, bool) {
		p, m, ok := a(f)
		if !ok {
			return 0, 0, false
		}
		q, n, ok := b(f)
		if !ok {
			return 0, 0, false
		}
		v, ok := add(f, p, q)
		return v, max(m, n), ok
	}
}

func (c *Checker) comparison(e *syntax.Binary, x, y *Node) Node {
	order := e.Op != "=" && e.Op != "==" && e.Op != "!="
	switch {
	case x.Type.Kind != y.Type.Kind || x.Type.Kind != value.Number && !value.SameType(x.Type, y.Type):
		return c.Report(e.Pos, phrase.New("sheet.cannot-compare", "left", syntax.Brief(e.X), "type", x.Type, "right",
			syntax.Brief(e.Y), "othertype", y.Type), phrase.New("sheet.same-kind"))
	case x.Type.Kind == value.Number && x.Type.Dim != y.Type.Dim:
		return c.mismatch(e.Pos, "sheet.cannot-compare", x, y)
	case x.Type.Kind != value.Number && order:
		return c.Report(e.Pos, phrase.New("sheet.compares-numbers", "op", e.Op, "code", syntax.Brief(e.X), "type", x.Type),
			phrase.New("sheet.use-equals"))
	case x.Type.Kind == value.Number:
		return Node{Type: value.Type{Kind: value.Bool}, cond: compareNumbers(e.Op, x, y)}
	}
	a, b, want := *x, *y, e.Op != "!="
	return Node{Type: value.Type{Kind: value.Bool}, cond: func(f *Frame) (bool, bool) {
		v, ok := a.value(f)
		if !ok {
			return false, false
		}
		w, ok := b.value(f)
		return v.Equal(w) == want, ok
	}}
}

// compareNumbers compiles x op y of two numbers of one dimension.
func compareNumbers(op string, x, y *Node) boolFn {
	a, b := x.terms(), y.terms()
	return func(f *Frame) (bool, bool) {
		p, m, ok := a(f)
		if !ok {
			return false, false
		}
		q, n, ok := b(f)
		return value.Holds(op, value.Compare(p, q, max(m, n))), ok
	}
}
