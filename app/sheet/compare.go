package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// This file compares values. Numbers that differ by no more than rounding are equal, so that parts which add up on
// paper add up here: exactly one of <, = and > holds.

// sizedFn evaluates a number, and the largest of the terms that it is the sum of.
type sizedFn func(f *frame) (v, size float64, ok bool)

// terms is n as a sum of terms: for what is no sum, itself.
func (n *node) terms() sizedFn {
	if n.sized != nil {
		return n.sized
	}
	fast := n.fast
	return func(f *frame) (float64, float64, bool) {
		v, ok := fast(f)
		return v, math.Abs(v), ok
	}
}

// negated is -n as a sum of terms, if n is one.
func (n *node) negated() sizedFn {
	sized := n.sized
	if sized == nil {
		return nil
	}
	return func(f *frame) (float64, float64, bool) {
		v, size, ok := sized(f)
		return -v, size, ok
	}
}

// sumTerms is the sum of x and y as terms.
func sumTerms(x, y *node, add scalar) sizedFn {
	a, b := x.terms(), y.terms()
	return func(f *frame) (float64, float64, bool) {
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

func (c *checker) comparison(e *syntax.Binary, x, y *node) node {
	order := e.Op != "=" && e.Op != "==" && e.Op != "!="
	switch {
	case x.typ.Kind != y.typ.Kind || x.typ.Kind != Number && !value.SameType(x.typ, y.typ):
		return c.report(e.Pos, phrase.New("sheet.cannot-compare", "left", brief(e.X), "type", x.typ, "right",
			brief(e.Y), "othertype", y.typ), phrase.New("sheet.same-kind"))
	case x.typ.Kind == Number && x.typ.Dim != y.typ.Dim:
		return c.mismatch(e.Pos, "sheet.cannot-compare", x, y)
	case x.typ.Kind != Number && order:
		return c.report(e.Pos, phrase.New("sheet.compares-numbers", "op", e.Op, "code", brief(e.X), "type", x.typ),
			phrase.New("sheet.use-equals"))
	case x.typ.Kind == Number:
		return node{typ: Type{Kind: Bool}, cond: compareNumbers(e.Op, x, y)}
	}
	a, b, want := *x, *y, e.Op != "!="
	return node{typ: Type{Kind: Bool}, cond: func(f *frame) (bool, bool) {
		v, ok := a.value(f)
		if !ok {
			return false, false
		}
		w, ok := b.value(f)
		return v.Equal(w) == want, ok
	}}
}

// compareNumbers compiles x op y of two numbers of one dimension.
func compareNumbers(op string, x, y *node) boolFn {
	a, b := x.terms(), y.terms()
	return func(f *frame) (bool, bool) {
		p, m, ok := a(f)
		if !ok {
			return false, false
		}
		q, n, ok := b(f)
		return value.Holds(op, value.Compare(p, q, max(m, n))), ok
	}
}
