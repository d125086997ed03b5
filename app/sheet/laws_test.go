package sheet

import (
	"math"
	"math/rand"
	"reflect"
	"strconv"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// reckoner makes an expression and, beside it, works out in plain Go what it should be: an evaluator of its own, with
// no text, no types and no closures.
type reckoner struct {
	*rand.Rand
	vars map[string]float64
}

// binding is how tightly an operator holds; operands that hold less need parentheses.
const (
	bindSum = iota
	bindProduct
	bindSign
	bindPower
	bindAtom
)

func (g reckoner) expr(depth int) (text string, value float64, binding int) {
	if depth == 0 || g.Intn(6) == 0 {
		if g.Intn(2) == 0 {
			n := g.Intn(7)
			return strconv.Itoa(n), float64(n), bindAtom
		}
		name := string(rune('a' + g.Intn(len(g.vars))))
		return name, g.vars[name], bindAtom
	}
	// side is an operand that holds at least as tightly as asked for, in parentheses if it must, or at a whim.
	side := func(least int) (string, float64) {
		t, v, b := g.expr(depth - 1)
		if b < least || g.Intn(8) == 0 {
			t = "(" + t + ")"
		}
		return t, v
	}
	switch g.Intn(8) {
	case 0:
		s, x := side(bindSum)
		t, y := side(bindProduct)
		return s + " + " + t, x + y, bindSum
	case 1:
		s, x := side(bindSum)
		t, y := side(bindProduct)
		return s + "-" + t, x - y, bindSum
	case 2:
		s, x := side(bindProduct)
		t, y := side(bindSign)
		return s + " * " + t, float64(x * y), bindProduct
	case 3:
		s, x := side(bindProduct)
		t, y := side(bindSign)
		return s + "/" + t, x / y, bindProduct
	case 4:
		s, x := side(bindSign)
		return "-" + s, -x, bindSign
	case 5:
		s, x := side(bindAtom)
		return s + "^2", float64(x * x), bindPower
	case 6:
		s, x := side(bindSum)
		t, y := side(bindSum)
		return "max(" + s + ", " + t + ")", max(x, y), bindAtom
	}
	s, x := side(bindSum)
	t, y := side(bindSum)
	if x < y {
		return "if(" + s + " < " + t + ", " + s + ", 2)", x, bindAtom
	}
	return "if(" + s + " < " + t + ", " + s + ", 2)", 2, bindAtom
}

// Random expressions are what plain Go makes of them, bit for bit; where that is not finite, they have no value. What
// is written back in the sheet's notation is the same expression.
func TestEvaluationIsArithmetic(t *testing.T) {
	g := reckoner{rand.New(rand.NewSource(1)), map[string]float64{"a": 2.5, "b": -3, "c": 1e10, "d": 0.1, "e": 7}}
	scope := func(name string) (value.Value, bool) {
		x, ok := g.vars[name]
		return num(x, quantity.Dim{}), ok
	}
	finite, without := 0, 0
	formulas := 5000
	if testing.Short() {
		formulas /= 10
	}
	for range formulas {
		text, want, _ := g.expr(5)
		e, errs := syntax.ParseExpr(text)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", text, errs[0])
		}
		got, err := expr.Eval(nil, e, scope)
		switch {
		case err != nil:
			without++ // an intermediate value need not be finite where the whole is: 1/(1/0)
		case got.Num.Value != want:
			t.Fatalf("%s = %v, not %v", text, got.Num.Value, want)
		default:
			finite++
		}
		if err != nil && want-want == 0 && !divides(e, scope) {
			t.Fatalf("%s = %v, but %v", text, want, err)
		}
		if len(text) > syntax.Enough/2 {
			continue // messages shorten
		}
		again, errs := syntax.ParseExpr(syntax.Code(e))
		if len(errs) > 0 || syntax.Code(again) != syntax.Code(e) {
			t.Fatalf("%s was read as %s, and that as %s", text, syntax.Code(e), syntax.Code(again))
		}
		if v, err2 := expr.Eval(nil, again, scope); !v.Equal(got) || (err == nil) != (err2 == nil) {
			t.Fatalf("%s and %s differ", text, syntax.Code(e))
		}
	}
	if finite < formulas*6/10 || without < formulas/100 {
		t.Errorf("%d with a value, %d without", finite, without)
	}
}

// divides tells whether some part of e has no finite value.
func divides(e syntax.Expr, scope func(string) (value.Value, bool)) bool {
	bad := false
	syntax.Walk(e, func(part syntax.Expr) {
		b, ok := part.(*syntax.Binary)
		if !ok || b.Op != "/" && b.Op != "*" && b.Op != "^" {
			return
		}
		y, err := expr.Eval(nil, b.Y, scope)
		x, err2 := expr.Eval(nil, b.X, scope)
		bad = bad || err != nil || err2 != nil || y.Num.Value == 0 || math.IsInf(x.Num.Value*y.Num.Value, 0) ||
			math.IsInf(math.Pow(x.Num.Value, y.Num.Value), 0)
	})
	return bad
}

// law is an equation between two expressions over x, y and z, which are numbers of the units below.
type equation struct{ left, right string }

var equations = []equation{
	{"x + y", "y + x"}, {"x * y", "y * x"}, {"x - x", "0 * x"}, {"x / x", "1"}, {"(x * y) / y", "x"},
	{
		"x * (y + y)",
		"x * y + x * y",
	}, {"x^2", "x * x"}, {"x^-1", "1 / x"}, {"sqrt(x * x)", "abs(x)"}, {"cbrt(x * x * x)", "x"},
	{
		"sqrt(x)^2",
		"x",
	}, {"x^0.5", "sqrt(x)"}, {"exp(ln(x))", "x"}, {"ln(x * y)", "ln(x) + ln(y)"}, {"log2(x)", "ln(x) / ln(2)"},
	{
		"log10(x)",
		"ln(x) / ln(10)",
	}, {"x^y", "exp(y * ln(x))"}, {"x^(y + z)", "x^y * x^z"}, {"min(x, y) + max(x, y)", "x + y"},
	{"max(x, y, z)", "max(max(x, y), z)"}, {"sum(x, y, z)", "x + y + z"}, {"mean(x, y)", "(x + y) / 2"},
	{
		"clamp(x, min(y, z), max(y, z))",
		"max(min(y, z), min(max(y, z), x))",
	}, {"clamp(x, min(y, z), max(y, z))", "sum(x, y, z) - min(x, y, z) - max(x, y, z)"},
	{
		"floor(x)",
		"-ceil(-x)",
	}, {"x", "floor(x / y) * y + mod(x, y)"}, {"round(x)", "floor(x + 0.5)"}, {"if(x > y, x, y)", "max(x, y)"},
	{"if(not x > y, x, y)", "min(x, y)"}, {"if(x > y and y > z, 1, 0)", "if(x > y, if(y > z, 1, 0), 0)"},
	{
		"if(x > y or y > z, 1, 0)",
		"if(x > y, 1, if(y > z, 1, 0))",
	}, {"if(x <= y, 1, 0)", "1 - if(x > y, 1, 0)"}, {"abs(x)", "max(x, -x)"},
}

func TestLaws(t *testing.T) {
	g := rand.New(rand.NewSource(2))
	for _, law := range equations {
		left, errs := syntax.ParseExpr(law.left)
		right, errs2 := syntax.ParseExpr(law.right)
		if len(errs)+len(errs2) > 0 {
			t.Fatalf("%v: %v %v", law, errs, errs2)
		}
		for range 200 {
			vars := map[string]float64{"x": 0.05 + 9*g.Float64(), "y": 0.05 + 9*g.Float64(), "z": 0.05 + 9*g.Float64()}
			scope := func(name string) (value.Value, bool) { return num(vars[name], quantity.Dim{}), true }
			l, err := expr.Eval(nil, left, scope)
			r, err2 := expr.Eval(nil, right, scope)
			if err != nil || err2 != nil || math.Abs(l.Num.Value-r.Num.Value) > 1e-12*max(1, math.Abs(r.Num.Value)) {
				t.Errorf("%s = %s: %v, %v at %v (%v, %v)", law.left, law.right, l.Num.Value, r.Num.Value, vars, err,
					err2)
				break
			}
		}
	}
}

// Numbers do not depend on the units they are written in, nor results on the unit of what they are made from.
func TestUnitsCancel(t *testing.T) {
	for _, c := range [][2]string{
		{"1 GiB / 1 s", "1024 * 1024 KiB / 1000 ms"}, {"8 bit", "1 byte"}, {"3 hour * 2 W", "21.6 kJ"},
		{"1 kWh", "3.6 MJ"}, {"1 TFLOP/s * 1 us", "1 MFLOP"}, {"$2.1/hour * 10 hour", "21 $"},
		{"800 Gbit/s", "100 GB/s"}, {"1 FLOP / 2 byte", "0.5 FLOP/byte"},
		{"sqrt(4 GB^2)", "2 GB"}, {"(3 s)^2", "9 s^2"}, {"60 s", "1 min"}, {"5 token / 2 chip", "2.5"},
	} {
		a, errs := syntax.ParseExpr(c[0])
		b, errs2 := syntax.ParseExpr(c[1])
		if len(errs)+len(errs2) > 0 {
			t.Fatal(c, errs, errs2)
		}
		x, err := expr.Eval(nil, a, func(string) (value.Value, bool) { return value.Value{}, false })
		y, err2 := expr.Eval(nil, b, func(string) (value.Value, bool) { return value.Value{}, false })
		if err != nil || err2 != nil || x.Num.Dim != y.Num.Dim || math.Abs(x.Num.Value/y.Num.Value-1) > 1e-14 {
			t.Errorf("%s is %v, %s is %v (%v, %v)", c[0], x, c[1], y, err, err2)
		}
	}
}

// The order of the lines means nothing.
func TestOrderIsFree(t *testing.T) {
	lines := []string{
		"let a = 3",
		"b = a + 1",
		"c = b * a",
		"d = max(b, c)",
		"let e = 2 in 1..100",
		"f = e * d",
		"solve g: e where f = 5 * d",
		"h = g + b",
	}
	want := map[string]value.Value{}
	g := rand.New(rand.NewSource(3))
	for try := range 40 {
		src := ""
		for _, i := range g.Perm(len(lines)) {
			src += lines[i] + "\n"
		}
		for _, r := range sheetOf(t, src).Eval(nil).Rows {
			if r.Err != nil {
				t.Fatalf("%s: %v in\n%s", r.Def.Name, r.Err, src)
			}
			if try == 0 {
				want[r.Def.Name] = r.Value
			} else if !reflect.DeepEqual(want[r.Def.Name], r.Value) {
				t.Fatalf("%s = %v in\n%s", r.Def.Name, r.Value, src)
			}
		}
	}
}
