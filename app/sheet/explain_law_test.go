package sheet

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// writer writes random expressions over the rows a, b, c (plain), s, t (times) and the dtype d.
type writer struct{ *rand.Rand }

func (w writer) pick(of ...string) string { return of[w.IntN(len(of))] }

// number is an expression that is a plain number.
func (w writer) number(depth int) string {
	if depth == 0 {
		return w.pick("a", "b", "c", "2", "0.5", "1e3", "70B", "25%", "n", "4096", "pi")
	}
	x := func() string { return w.number(depth - 1 - w.IntN(depth)) }
	switch w.IntN(14) {
	case 0, 1:
		return x() + w.pick(" + ", " - ") + x()
	case 2, 3:
		return x() + w.pick(" * ", " / ") + x()
	case 4, 5:
		return "(" + x() + ")"
	case 6:
		return "(" + x() + w.pick(" + ", " - ", " * ", " / ") + x() + ")"
	case 7:
		return "-" + x()
	case 8:
		return w.pick("a", "b", "2", "("+x()+")") + "^" + w.pick("2", "-1", "(1 + 1)", "0")
	case 9:
		return w.pick("max", "min", "sum", "mean") + "(" + x() + ", " + x() + ")"
	case 10:
		return w.pick("abs", "ceil", "floor", "round", "cbrt") + "(" + x() + ")"
	case 11:
		return "if(" + w.condition(depth-1) + ", " + x() + ", " + x() + ")"
	case 12:
		return "(" + w.time(depth-1) + " / " + w.pick("s", "t", "(s + t)", "3 ms") + ")"
	}
	return "double(" + x() + ")"
}

// time is an expression that is a time.
func (w writer) time(depth int) string {
	if depth <= 0 {
		return w.pick("s", "t", "5 ms", "2.5 us", "(s + t)")
	}
	return w.pick(
		w.time(depth-1)+" * ("+w.number(depth-1)+")",
		"("+w.time(depth-1)+" - "+w.time(depth-1)+")",
		"max("+w.time(depth-1)+", 0 s)",
	)
}

func (w writer) condition(depth int) string {
	if depth <= 0 {
		return w.pick("a < b", "s >= t", `word = "two words"`, "flag", "not flag", "d = int8")
	}
	return w.pick(w.condition(depth-1)+w.pick(" and ", " or ")+w.condition(depth-1), "not ("+w.condition(depth-1)+")",
		"("+w.condition(depth-1)+")", w.number(depth-1)+w.pick(" < ", " >= ", " != ")+w.number(depth-1))
}

const lawInputs = `let a = 3
let b = 0.7
let c = -11
let n = 5
let s = 20 ms
let t = 3 us
let flag = on
let d = int8
let word = "two words"
`

func lawEnv() *value.Env {
	env := explainEnv()
	env.Funcs["double"] = &value.Func{Name: "double", Params: []value.Param{{Name: "x"}}, Formula: "2 * x",
		Call: func(a []value.Value) (value.Value, error) { a[0].Num.Value *= 2; return a[0], nil }}
	return env
}

// sameValue holds two values equal to the bit, or both absent.
func sameValue(a value.Value, errA error, b value.Value, errB error) bool {
	if errA != nil || errB != nil {
		return (errA == nil) == (errB == nil)
	}
	return a.Kind == b.Kind && a.Text == b.Text && a.Bool == b.Bool && a.Num.Dim == b.Num.Dim &&
		math.Float64bits(a.Num.Value) == math.Float64bits(b.Num.Value)
}

// A formula in code, and its working in code, compute what the row computes.
func TestCodeComputesTheSame(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(15, 16))}
	valued := 0
	formulas := 3000
	if testing.Short() {
		formulas /= 10
	}
	for range formulas {
		src := w.number(1 + w.IntN(5))
		s, errs := Compile(lawInputs+"y = "+src+"\n", lawEnv())
		if len(errs) > 0 {
			t.Fatalf("%s: %v", src, errs[0])
		}
		r := s.Eval(nil)
		want, wantErr := r.Value("y")
		if wantErr == nil {
			valued++
		}
		for format, code := range map[string]string{
			"formula": s.Formula("y", explain.Code), "working": r.Working("y", explain.Code),
		} {
			if code == "" {
				continue
			}
			e, errs := syntax.ParseExpr(code)
			if len(errs) > 0 {
				t.Fatalf("%s\nbecomes as %s %s: %v", src, format, code, errs[0])
			}
			scope := r.scope
			if format == "working" {
				scope = func(string) (value.Value, bool) { return value.Value{}, false }
			}
			if got, err := expr.Eval(s.env, e, scope); !sameValue(got, err, want, wantErr) {
				t.Errorf("%s = %v %v\nbecomes as %s %s = %v %v", src, want, wantErr, format, code, got, err)
			}
		}
		laidOut(t, s, r)
	}
	if valued < formulas/2 {
		t.Errorf("only %d of %d had a value", valued, formulas)
	}
}

// laidOut holds that every formula and working of a sheet is well-formed.
func laidOut(t *testing.T, s *Sheet, r *Result) {
	t.Helper()
	for i := range s.Rows {
		name := s.Rows[i].Name
		for _, text := range []string{s.Formula(name, explain.MathML), r.Working(name, explain.MathML)} {
			wellFormedUnlessEmpty(t, text)
		}
		for _, l := range r.Opened(name, explain.MathML) {
			wellFormedUnlessEmpty(t, l.Formula)
			wellFormedUnlessEmpty(t, l.Working)
		}
		r.Binding(name)
		if !strings.Contains(s.Source, `"`) || s.Source == "" {
			for _, text := range []string{s.Formula(name, explain.Plain), r.Working(name, explain.Plain)} {
				if !balanced(text) {
					t.Errorf("%s: parentheses of %s", name, text)
				}
			}
		}
	}
}

func FuzzFormula(f *testing.F) {
	f.Add(matmulSheet)
	f.Add(lawInputs + "y = if(word = \"a <b> & 'c'\", a^-b, -(c)) * s / 2 ms\n")
	f.Add("let x_1_ = $2.1/hour \"<i>\"\n_ = x_1_ * 1_000\ny = _^2 / 3\n")
	f.Add(
		"let chip = tpu.v5e\ny = chip.flops(int8) * int8.bytes / chip.hbm\nz = tpu.v5p.hbm_bandwidth\nsolve q: y where y " +
			"= 2\n",
	)
	f.Add("k = .5\n")
	f.Add("let α = 2 in 1..3\nβ = α^α^α\nsolve q: α where β = 10\n")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			return
		}
		s, errs := Compile(src, explainEnv())
		if len(errs) > 0 || s == nil {
			return
		}
		r := s.Eval(nil)
		laidOut(t, s, r)
		for i := range s.Rows {
			name := s.Rows[i].Name
			if s.Rows[i].Kind == "solve" {
				continue
			}
			for _, code := range []string{s.Formula(name, explain.Code), r.Working(name, explain.Code)} {
				if code == "" {
					continue
				}
				if _, errs := syntax.ParseExpr(code); len(errs) > 0 {
					t.Errorf("%s = %s: %v", name, code, errs[0])
				}
			}
			s.Elasticities(nil, name)
		}
		for _, p := range s.Plots {
			tidy(t, s.PlotData(nil, p))
		}
	})
}
