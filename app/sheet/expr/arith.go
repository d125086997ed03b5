package expr

import (
	"errors"
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/portable"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// arithmetic compiles + - * / ^ of two nodes that are no faults.
func (c *Checker) arithmetic(e *syntax.Binary, x, y *Node) Node {
	for _, side := range []*Node{x, y} {
		if side.Type.Kind != value.Number {
			return c.Report(side.Expr.Position(), phrase.New("sheet.needs-numbers-op", "code", syntax.Brief(side.Expr), "type",
				side.Type, "op", e.Op), NumberRemedy(side))
		}
	}
	switch e.Op {
	case "+":
		return c.sum(e, x, y, "sheet.cannot-add", 1)
	case "-":
		return c.sum(e, x, y, "sheet.cannot-subtract", -1)
	case "*":
		return c.product(e, x, y)
	case "/":
		return c.quotient(e, x, y)
	}
	return c.power(e, x, y)
}

// NumberRemedy says which number may have been meant by a node that is none.
func NumberRemedy(n *Node) *phrase.Phrase {
	code := syntax.Brief(n.Expr)
	switch n.Type.Kind {
	case value.DType:
		return phrase.New("sheet.write-bytes-or-bits", "code", code)
	case value.Bool:
		return phrase.New("sheet.write-if", "code", code)
	case value.Rec:
		if n.Type.Kin != nil && len(n.Type.Kin.Fields) > 0 {
			return phrase.New("sheet.name-a-field", "code", code, "field", n.Type.Kin.Fields[0].Name)
		}
	}
	return phrase.New("sheet.use-number")
}

// sum compiles x + y and x - y.
func (c *Checker) sum(e *syntax.Binary, x, y *Node, mismatch string, sign float64) Node {
	if x.Type.Dim != y.Type.Dim {
		return c.mismatch(e.Pos, mismatch, y, x)
	}
	add := func(f *Frame, p, q float64) (float64, bool) { return f.finite(p+float64(sign*q), e) }
	n := combined(x.Type, x, y, add, func(p, q quantity.Quantity) quantity.Quantity {
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
type scalar func(f *Frame, p, q float64) (float64, bool)

// combined is a node that computes with do, and takes label and prefixes from what join makes of the operands.
func combined(typ value.Type, x, y *Node, do scalar, join func(p, q quantity.Quantity) quantity.Quantity) Node {
	a, b, fa, fb := x.num, y.num, x.Fast, y.Fast
	return Node{Type: typ, num: func(f *Frame) (quantity.Quantity, bool) {
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
	}, Fast: func(f *Frame) (float64, bool) {
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

// outOfReach reports a result whose unit no dimension can hold.
func (c *Checker) outOfReach(pos syntax.Pos, err error) Node {
	var fault *quantity.Error
	errors.As(err, &fault)
	return c.Report(pos, fault.What, fault.Remedy)
}

func (c *Checker) product(e *syntax.Binary, x, y *Node) Node {
	dim, err := x.Type.Dim.Mul(y.Type.Dim)
	if err != nil {
		return c.outOfReach(e.Pos, err)
	}
	typ := value.Type{Kind: value.Number, Dim: dim}
	bytes := isBytes(typ.Dim)
	times := func(f *Frame, p, q float64) (float64, bool) { return f.scaled(p*q, p != 0 && q != 0, e) }
	return combined(typ, x, y, times, func(p, q quantity.Quantity) quantity.Quantity {
		if p.Label != (quantity.Label{}) || q.Label != (quantity.Label{}) {
			p.Label = p.Mul(q).Label
		}
		p.Binary = bytes && (p.Binary || q.Binary)
		return p
	})
}

func (c *Checker) quotient(e *syntax.Binary, x, y *Node) Node {
	dim, err := x.Type.Dim.Div(y.Type.Dim)
	if err != nil {
		return c.outOfReach(e.Pos, err)
	}
	typ := value.Type{Kind: value.Number, Dim: dim}
	bytes := isBytes(typ.Dim)
	over := func(f *Frame, p, q float64) (float64, bool) {
		if q == 0 {
			f.fail(e, "sheet.divides-by-zero")
			return 0, false
		}
		return f.scaled(p/q, p != 0, e)
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
func (c *Checker) power(e *syntax.Binary, x, y *Node) Node {
	if !y.Type.Dim.IsZero() {
		return c.Report(e.Y.Position(), phrase.New("sheet.exponent-is", "exponent", syntax.Brief(e.Y), "type", y.Type),
			phrase.New("sheet.exponent-plain-number"))
	}
	dim := x.Type.Dim
	if !dim.IsZero() {
		n, ok := wholeNumber(y)
		if !ok {
			return c.Report(e.Y.Position(), phrase.New("sheet.power-needs-whole", "base", syntax.Brief(e.X), "type", x.Type),
				phrase.New("sheet.write-whole-exponent"))
		}
		var err error
		if dim, err = dim.Pow(n); err != nil {
			return c.outOfReach(e.Y.Position(), err)
		}
	}
	raise := func(f *Frame, p, q float64) (float64, bool) {
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
	return combined(value.Type{Kind: value.Number, Dim: dim}, x, y, raise, func(p, q quantity.Quantity) quantity.Quantity {
		if q.Value != 1 {
			p.Label = quantity.Label{}
		}
		p.Binary = bytes && p.Binary
		return p
	})
}

// wholeNumber is the integer that n always is, if it is one.
func wholeNumber(n *Node) (int, bool) {
	if n.Const == nil || n.Const.Num.Value != math.Trunc(n.Const.Num.Value) {
		return 0, false
	}
	return int(min(max(n.Const.Num.Value, -1e9), 1e9)), true // no dimension has as much
}
