package expr

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
