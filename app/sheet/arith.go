package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/portable"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// arithmetic compiles + - * / ^ of two nodes that are no faults.
func (c *checker) arithmetic(e *syntax.Binary, x, y *node) node {
	for _, side := range []*node{x, y} {
		if side.typ.Kind != Number {
			return c.report(side.expr.Position(), "`"+brief(side.expr)+"` is "+side.typ.String()+
				", but `"+e.Op+"` needs numbers", numberRemedy(side))
		}
	}
	switch e.Op {
	case "+":
		return c.sum(e, x, y, "add", "to", 1)
	case "-":
		return c.sum(e, x, y, "subtract", "from", -1)
	case "*":
		return product(e, x, y)
	case "/":
		return quotient(e, x, y)
	}
	return c.power(e, x, y)
}

// numberRemedy says which number may have been meant by a node that is none.
func numberRemedy(n *node) string {
	code := brief(n.expr)
	switch n.typ.Kind {
	case DType:
		return "write `" + code + ".bytes` or `" + code + ".bits`"
	case Bool:
		return "write `if(" + code + ", 1, 0)`"
	case Rec:
		if n.typ.Kin != nil && len(n.typ.Kin.Fields) > 0 {
			return "name one of its fields, such as `" + code + "." + n.typ.Kin.Fields[0].Name + "`"
		}
	}
	return "use a number"
}

// sum compiles x + y and x - y.
func (c *checker) sum(e *syntax.Binary, x, y *node, verb, join string, sign float64) node {
	if x.typ.Dim != y.typ.Dim {
		return c.mismatch(e.Pos, verb, y, x, join)
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
			f.fail(e, "divides by zero")
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
		return c.report(e.Y.Position(), "the exponent `"+brief(e.Y)+"` is "+y.typ.String(), "an exponent is a plain number")
	}
	dim := x.typ.Dim
	if !dim.IsZero() {
		n, ok := wholeNumber(y)
		if !ok {
			return c.report(e.Y.Position(), "the power of `"+brief(e.X)+"`, "+x.typ.String()+", needs a whole exponent",
				"write a whole number, or sqrt(...), or divide by a unit first")
		}
		var err error
		if dim, err = dim.Pow(n); err != nil {
			return c.report(e.Y.Position(), "this exponent is out of reach", "use a smaller one")
		}
	}
	raise := func(f *frame, p, q float64) (float64, bool) {
		switch {
		case p == 0 && q < 0:
			f.fail(e, "divides by zero")
			return 0, false
		case p < 0 && q != math.Trunc(q):
			f.fail(e, "is no real number: a negative number has whole powers only")
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
