package expr

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/portable"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// builtin is a function of the language itself.
type builtin struct {
	params      string // as its signature shows them
	least, most int    // arguments; most 0 is any number
	doc         string
	check       func(c *Checker, e *syntax.Call, args []Node) Node
}

// builtins are the functions of the language.
var builtins = map[string]*builtin{
	"min":   {"a, b, ...", 1, 0, "the least", extremum(func(x, y float64) bool { return x < y })},
	"max":   {"a, b, ...", 1, 0, "the greatest", extremum(func(x, y float64) bool { return x > y })},
	"sum":   {"a, b, ...", 1, 0, "the sum", summation(false)},
	"mean":  {"a, b, ...", 1, 0, "the arithmetic mean", summation(true)},
	"if":    {"condition, a, b", 3, 3, "a where the condition holds, b otherwise", (*Checker).choose},
	"clamp": {"x, low, high", 3, 3, "x, but at least low and at most high", (*Checker).clamp},
	"mod":   {"x, y", 2, 2, "what is left of x after whole y's, with the sign of y", (*Checker).mod},
	"abs":   {"x", 1, 1, "x without its sign", (*Checker).abs},
	"sqrt":  {"x", 1, 1, "the square root", root(2)},
	"cbrt":  {"x", 1, 1, "the cube root", root(3)},
	"exp":   {"x", 1, 1, "e^x", plain(portable.Exp, everywhere, "")},
	"ln":    {"x", 1, 1, "the natural logarithm", plain(portable.Ln, positive, noLog)},
	"log10": {"x", 1, 1, "the logarithm to base 10", plain(portable.Log10, positive, noLog)},
	"log2":  {"x", 1, 1, "the logarithm to base 2", plain(portable.Log2, positive, noLog)},
	"first": {"xs", 1, 1, "the first entry of a list; also written first of xs", (*Checker).firstOf},
	"count": {"xs", 1, 1, "how many entries a list has", (*Checker).countOf},
	"floor": {"x", 1, 1, "the whole number below", plain(math.Floor, everywhere, "")},
	"ceil":  {"x", 1, 1, "the whole number above", plain(math.Ceil, everywhere, "")},
	"round": {"x", 1, 1, "the nearest whole number, halves away from zero", plain(math.Round, everywhere, "")},
}

// Builtins are their names, in order.
func Builtins() []string { return value.Names(builtins) }

const noLog = "sheet.no-logarithm" // of a number that is not positive

func everywhere(float64) bool { return true }
func positive(x float64) bool { return x > 0 }

// builtin compiles the call of a function of the language.
func (c *Checker) builtin(e *syntax.Call, b *builtin, args []Node, ok bool) Node {
	if n := len(args); n < b.least || b.most > 0 && n > b.most {
		return c.wrongCount(e, n, b.least, b.most, b.most == 0, e.Func+"("+b.params+")")
	}
	if !ok {
		return Node{Bad: true}
	}
	return b.check(c, e, args)
}

// numbers reports the first argument that is no number of the dimension of the first one; strict functions take plain
// numbers only.
func (c *Checker) numbers(e *syntax.Call, args []Node) bool {
	for i := range args {
		a := &args[i]
		if a.Type.Kind != value.Number {
			c.Report(a.Expr.Position(), phrase.New("sheet.needs-numbers", "function", e.Func, "code", syntax.Brief(a.Expr),
				"type",
				a.Type), NumberRemedy(a))
			return false
		}
		if a.Type.Dim != args[0].Type.Dim {
			c.mismatch(a.Expr.Position(), "sheet.cannot-compare", a, &args[0])
			return false
		}
	}
	return true
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

// mod is mod(x, y), with the label of x.
func (c *Checker) mod(e *syntax.Call, args []Node) Node {
	return c.several(e, args, func(f *Frame, v [3]float64) (float64, bool) {
		x, y := v[0], v[1]
		if y == 0 {
			f.fail(e, "sheet.divides-by-zero")
			return 0, false
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
