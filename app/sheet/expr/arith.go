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
			return c.Report(side.Expr.Position(), phrase.New("sheet.needs-numbers-op", "code", syntax.Brief(side.Expr),
				"type", side.Type, "op", e.Op), NumberRemedy(side))
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
		if n.Type.Record != nil && len(n.Type.Record.Fields) > 0 {
			return phrase.New("sheet.name-a-field", "code", code, "field", n.Type.Record.Fields[0].Name)
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
			return c.Report(e.Y.Position(), phrase.New("sheet.power-needs-whole", "base", syntax.Brief(e.X), "type",
				x.Type), phrase.New("sheet.write-whole-exponent"))
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
	return combined(value.Type{Kind: value.Number, Dim: dim}, x, y, raise,
		func(p, q quantity.Quantity) quantity.Quantity {
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

// clamp is clamp(x, low, high), with the label of x.
func (c *Checker) clamp(e *syntax.Call, args []Node) Node {
	return c.several(e, args, func(f *Frame, v [3]float64) (float64, bool) {
		if v[1] > v[2] {
			f.fail(e, "sheet.empty-bounds")
			return 0, false
		}
		return min(max(v[0], v[1]), v[2]), true
	})
}

// wholeNear is the whole number that x is but for rounding, or else x: 0.3/0.1 is 3. A search, which looks for the very
// place where a whole number is reached, sees x as it is.
func (f *Frame) wholeNear(x float64) float64 {
	if n := math.Round(x); !f.Searches && value.Compare(x, n, 0) == 0 {
		return n
	}
	return x
}

// mod is mod(x, y), with the label of x. Of whole numbers it is exact; else x is a multiple of y if it is one but for
// rounding.
func (c *Checker) mod(e *syntax.Call, args []Node) Node {
	return c.several(e, args, func(f *Frame, v [3]float64) (float64, bool) {
		x, y := v[0], v[1]
		if y == 0 {
			f.fail(e, "sheet.divides-by-zero")
			return 0, false
		}
		whole := x == math.Trunc(x) && y == math.Trunc(y)
		if n := f.wholeNear(x / y); !whole && n == math.Trunc(n) {
			return 0, true
		}
		if x = math.Mod(x, y); x != 0 && (x < 0) != (y < 0) {
			x += y
		}
		return x, true
	})
}

func (c *Checker) abs(e *syntax.Call, args []Node) Node {
	return c.several(e, args, func(_ *Frame, v [3]float64) (float64, bool) { return math.Abs(v[0]), true })
}

// several compiles a function of at most three numbers of one dimension, whose result is like the first.
func (c *Checker) several(e *syntax.Call, args []Node, do func(f *Frame, v [3]float64) (float64, bool)) Node {
	if !c.numbers(e, args) {
		return Node{Bad: true}
	}
	fast := func(f *Frame) (float64, bool) {
		var v [3]float64
		for i := range args {
			var ok bool
			if v[i], ok = args[i].Fast(f); !ok {
				return 0, false
			}
		}
		return do(f, v)
	}
	first := args[0].num
	return Node{Type: args[0].Type, Fast: fast, num: func(f *Frame) (quantity.Quantity, bool) {
		q, ok := first(f)
		if !ok {
			return q, false
		}
		q.Value, ok = fast(f)
		return q, ok
	}}
}

// root is the n-th root. A dimension must have it: byte^2 has a square root, byte has none.
func root(n int) func(*Checker, *syntax.Call, []Node) Node {
	return func(c *Checker, e *syntax.Call, args []Node) Node {
		if !c.numbers(e, args) {
			return Node{Bad: true}
		}
		dim, ok := args[0].Type.Dim.Root(n)
		if !ok {
			return c.Report(e.Pos, phrase.New("sheet.root-has-no-unit", "function", e.Func, "type", args[0].Type),
				phrase.New("sheet.divide-by-unit-first"))
		}
		extract := func(f *Frame, x float64) (float64, bool) {
			switch {
			case n == 3:
				return math.Cbrt(x), true
			case x < 0:
				f.fail(e, "sheet.no-real-root")
				return 0, false
			}
			return math.Sqrt(x), true
		}
		return unary(value.Type{Kind: value.Number, Dim: dim}, &args[0], false, extract)
	}
}

// plain is a function of one plain number, defined where within holds. Rounding keeps a label.
func plain(do func(float64) float64, within func(float64) bool, why string) func(*Checker, *syntax.Call, []Node) Node {
	return func(c *Checker, e *syntax.Call, args []Node) Node {
		if !c.numbers(e, args) {
			return Node{Bad: true}
		}
		if !args[0].Type.Dim.IsZero() {
			return c.Report(args[0].Expr.Position(), phrase.New("sheet.needs-plain-number", "function", e.Func, "code",
				syntax.Brief(args[0].Expr), "type", args[0].Type), phrase.New("sheet.divide-by-unit-such-as"))
		}
		rounds := e.Func == "floor" || e.Func == "ceil" || e.Func == "round"
		return unary(args[0].Type, &args[0], rounds, func(f *Frame, x float64) (float64, bool) {
			if !within(x) {
				f.fail(e, why)
				return 0, false
			}
			if rounds {
				x = f.wholeNear(x)
			}
			return f.finite(do(x), e)
		})
	}
}

// unary is a node that computes with do from the value of one number.
func unary(typ value.Type, x *Node, keepLabel bool, do func(f *Frame, x float64) (float64, bool)) Node {
	num, fast, bytes := x.num, x.Fast, isBytes(typ.Dim)
	return Node{Type: typ, num: func(f *Frame) (quantity.Quantity, bool) {
		q, ok := num(f)
		if !ok {
			return q, false
		}
		out := quantity.Quantity{Dim: typ.Dim, Binary: bytes && q.Binary}
		if keepLabel {
			out.Label = q.Label
		}
		out.Value, ok = do(f, q.Value)
		return out, ok
	}, Fast: func(f *Frame) (float64, bool) {
		x, ok := fast(f)
		if !ok {
			return 0, false
		}
		return do(f, x)
	}}
}

// extremum is min and max: the argument itself, with its label.
func extremum(better func(x, y float64) bool) func(*Checker, *syntax.Call, []Node) Node {
	return func(c *Checker, e *syntax.Call, args []Node) Node {
		if !c.numbers(e, args) {
			return Node{Bad: true}
		}
		return Node{Type: args[0].Type, num: func(f *Frame) (quantity.Quantity, bool) {
			best, ok := args[0].num(f)
			for i := 1; ok && i < len(args); i++ {
				var q quantity.Quantity
				if q, ok = args[i].num(f); better(q.Value, best.Value) {
					best = q
				}
			}
			return best, ok
		}, Fast: func(f *Frame) (float64, bool) {
			best, ok := args[0].Fast(f)
			for i := 1; ok && i < len(args); i++ {
				var x float64
				if x, ok = args[i].Fast(f); better(x, best) {
					best = x
				}
			}
			return best, ok
		}}
	}
}

// summation is sum and mean. A label stays if all have it.
func summation(mean bool) func(*Checker, *syntax.Call, []Node) Node {
	return func(c *Checker, e *syntax.Call, args []Node) Node {
		if !c.numbers(e, args) {
			return Node{Bad: true}
		}
		fast := func(f *Frame) (float64, bool) {
			sum, ok := args[0].Fast(f)
			for i := 1; ok && i < len(args); i++ {
				var x float64
				x, ok = args[i].Fast(f)
				sum += x
			}
			if mean {
				sum /= float64(len(args))
			}
			if !ok {
				return 0, false
			}
			return f.finite(sum, e)
		}
		return Node{Type: args[0].Type, Fast: fast, num: func(f *Frame) (quantity.Quantity, bool) {
			var out quantity.Quantity
			for i := range args {
				q, ok := args[i].num(f)
				if !ok {
					return q, false
				}
				if i > 0 && q.Label != out.Label {
					q.Label = quantity.Label{}
				}
				q.Binary = q.Binary || out.Binary
				out = q
			}
			var ok bool
			out.Value, ok = fast(f)
			return out, ok
		}}
	}
}
