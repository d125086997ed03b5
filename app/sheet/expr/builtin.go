package expr

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/portable"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// builtin is a function of the language itself.
type builtin struct {
	params      string // as its signature shows them
	least, most int    // arguments; most 0 is any number
	check       func(c *Checker, e *syntax.Call, args []Node) Node
}

// builtins are the functions of the language. mod is what is left after whole divisors, with the divisor's sign; round
// takes halves away from zero; clamp bounds its first argument.
var builtins = map[string]*builtin{
	"min":   {"a, b, ...", 1, 0, extremum(func(x, y float64) bool { return x < y })},
	"max":   {"a, b, ...", 1, 0, extremum(func(x, y float64) bool { return x > y })},
	"sum":   {"a, b, ...", 1, 0, summation(false)},
	"mean":  {"a, b, ...", 1, 0, summation(true)},
	"if":    {"condition, a, b", 3, 3, (*Checker).choose},
	"clamp": {"x, low, high", 3, 3, (*Checker).clamp},
	"mod":   {"x, y", 2, 2, (*Checker).mod},
	"abs":   {"x", 1, 1, (*Checker).abs},
	"sqrt":  {"x", 1, 1, root(2)},
	"cbrt":  {"x", 1, 1, root(3)},
	"exp":   {"x", 1, 1, plain(portable.Exp, everywhere, "")},
	"ln":    {"x", 1, 1, plain(portable.Ln, positive, noLog)},
	"log10": {"x", 1, 1, plain(portable.Log10, positive, noLog)},
	"log2":  {"x", 1, 1, plain(portable.Log2, positive, noLog)},
	"first": {"xs", 1, 1, (*Checker).firstOf},
	"count": {"xs", 1, 1, (*Checker).countOf},
	"floor": {"x", 1, 1, plain(math.Floor, everywhere, "")},
	"ceil":  {"x", 1, 1, plain(math.Ceil, everywhere, "")},
	"round": {"x", 1, 1, plain(math.Round, everywhere, "")},
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
