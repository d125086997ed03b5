package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/portable"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// arithmetic compiles + - * / ^ of two nodes that are no faults.
func (c *checker) arithmetic(e *syntax.Binary, x, y *node) node {
	for _, side := range []*node{x, y} {
		if side.typ.Kind != Number {
			return c.report(side.expr.Position(), phrase.New("sheet.needs-numbers-op", "code", brief(side.expr), "type",
				side.typ, "op", e.Op), numberRemedy(side))
		}
	}
	switch e.Op {
	case "+":
		return c.sum(e, x, y, "sheet.cannot-add", 1)
	case "-":
		return c.sum(e, x, y, "sheet.cannot-subtract", -1)
	case "*":
		return product(e, x, y)
	case "/":
		return quotient(e, x, y)
	}
	return c.power(e, x, y)
}

// numberRemedy says which number may have been meant by a node that is none.
func numberRemedy(n *node) *phrase.Phrase {
	code := brief(n.expr)
	switch n.typ.Kind {
	case DType:
		return phrase.New("sheet.write-bytes-or-bits", "code", code)
	case Bool:
		return phrase.New("sheet.write-if", "code", code)
	case Rec:
		if n.typ.Kin != nil && len(n.typ.Kin.Fields) > 0 {
			return phrase.New("sheet.name-a-field", "code", code, "field", n.typ.Kin.Fields[0].Name)
		}
	}
	return phrase.New("sheet.use-number")
}

// sum compiles x + y and x - y.
func (c *checker) sum(e *syntax.Binary, x, y *node, mismatch string, sign float64) node {
	if x.typ.Dim != y.typ.Dim {
		return c.mismatch(e.Pos, mismatch, y, x)
	}
	add := func(f *frame, p, q float64) (float64, bool) { return f.finite(p+float64(sign*q), e) }
	n := combined(x.typ, x, y, add, func(p, q quantity.Quantity) quantity.Quantity {
		if p.Label != q.Label {
			p.Label = quantity.Label{}
		}
		p.Binary = p.Binary || q.Binary
		return p
	})
	n.sized = sumTerms(x, y, add)
	return n
}

// scalar computes with the bare values of two operands.
type scalar func(f *frame, p, q float64) (float64, bool)

// combined is a node that computes with do, and takes label and prefixes from what join makes of the operands.
func combined(typ Type, x, y *node, do scalar, join func(p, q quantity.Quantity) quantity.Quantity) node {
	a, b, fa, fb := x.num, y.num, x.fast, y.fast
	return node{typ: typ, num: func(f *frame) (quantity.Quantity, bool) {
		p, ok := a(f)
		if !ok {
			return p, false
		}
		q, ok := b(f)
		if !ok {
			return q, false
		}
		v, ok := do(f, p.Value, q.Value)
		p = join(p, q)
		p.Value, p.Dim = v, typ.Dim
		return p, ok
	}, fast: func(f *frame) (float64, bool) {
		p, ok := fa(f)
		if !ok {
			return 0, false
		}
		q, ok := fb(f)
		if !ok {
			return 0, false
		}
		return do(f, p, q)
	}}
}

// isBytes tells whether quantities of dimension d print with the prefixes of bytes.
func isBytes(d quantity.Dim) bool { return d[quantity.Byte] != 0 }

func product(e *syntax.Binary, x, y *node) node {
	typ := Type{Kind: Number, Dim: x.typ.Dim.Mul(y.typ.Dim)}
	bytes := isBytes(typ.Dim)
	times := func(f *frame, p, q float64) (float64, bool) { return f.finite(p*q, e) }
	return combined(typ, x, y, times, func(p, q quantity.Quantity) quantity.Quantity {
		if p.Label != (quantity.Label{}) || q.Label != (quantity.Label{}) {
			p.Label = p.Mul(q).Label
		}
		p.Binary = bytes && (p.Binary || q.Binary)
		return p
	})
}

func quotient(e *syntax.Binary, x, y *node) node {
	typ := Type{Kind: Number, Dim: x.typ.Dim.Div(y.typ.Dim)}
	bytes := isBytes(typ.Dim)
	over := func(f *frame, p, q float64) (float64, bool) {
		if q == 0 {
			f.fail(e, "sheet.divides-by-zero")
			return 0, false
		}
		return f.finite(p/q, e)
	}
	return combined(typ, x, y, over, func(p, q quantity.Quantity) quantity.Quantity {
		if p.Label != (quantity.Label{}) || q.Label != (quantity.Label{}) {
			p.Label = p.Div(q).Label
		}
		p.Binary = bytes && (p.Binary || q.Binary)
		return p
	})
}

// power compiles x^y. What has a dimension takes whole exponents that are known beforehand, since the result's
// dimension depends on them.
func (c *checker) power(e *syntax.Binary, x, y *node) node {
	if !y.typ.Dim.IsZero() {
		return c.report(e.Y.Position(), phrase.New("sheet.exponent-is", "exponent", brief(e.Y), "type", y.typ),
			phrase.New("sheet.exponent-plain-number"))
	}
	dim := x.typ.Dim
	if !dim.IsZero() {
		n, ok := wholeNumber(y)
		if !ok {
			return c.report(e.Y.Position(), phrase.New("sheet.power-needs-whole", "base", brief(e.X), "type", x.typ),
				phrase.New("sheet.write-whole-exponent"))
		}
		var err error
		if dim, err = dim.Pow(n); err != nil {
			return c.report(e.Y.Position(), phrase.New("sheet.exponent-out-of-reach"), phrase.New("sheet.use-smaller"))
		}
	}
	raise := func(f *frame, p, q float64) (float64, bool) {
		switch {
		case p == 0 && q < 0:
			f.fail(e, "sheet.divides-by-zero")
			return 0, false
		case p < 0 && q != math.Trunc(q):
			f.fail(e, "sheet.no-real-power")
			return 0, false
		}
		return f.finite(portable.Power(p, q), e)
	}
	bytes := isBytes(dim)
	return combined(Type{Kind: Number, Dim: dim}, x, y, raise, func(p, q quantity.Quantity) quantity.Quantity {
		if q.Value != 1 {
			p.Label = quantity.Label{}
		}
		p.Binary = bytes && p.Binary
		return p
	})
}

// wholeNumber is the integer that n always is, if it is one.
func wholeNumber(n *node) (int, bool) {
	if n.konst == nil || n.konst.Num.Value != math.Trunc(n.konst.Num.Value) || math.Abs(n.konst.Num.Value) > 1000 {
		return 0, false
	}
	return int(n.konst.Num.Value), true
}
