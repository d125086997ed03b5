package sheet

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
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

func lawEnv() *Env {
	env := explainEnv()
	env.Funcs["double"] = &Func{Name: "double", Params: []Param{{Name: "x"}}, Formula: "2 * x",
		Call: func(a []Value) (Value, error) { a[0].Num.Value *= 2; return a[0], nil }}
	return env
}

// sameValue holds two values equal to the bit, or both absent.
func sameValue(a Value, errA error, b Value, errB error) bool {
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
	for range 3000 {
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
		for format, code := range map[string]string{"formula": s.Formula("y", Code), "working": r.Working("y", Code)} {
			if code == "" {
				continue
			}
			e, errs := syntax.ParseExpr(code)
			if len(errs) > 0 {
				t.Fatalf("%s\nbecomes as %s %s: %v", src, format, code, errs[0])
			}
			scope := r.scope
			if format == "working" {
				scope = func(string) (Value, bool) { return Value{}, false }
			}
			if got, err := expr.Eval(s.env, e, scope); !sameValue(got, err, want, wantErr) {
				t.Errorf("%s = %v %v\nbecomes as %s %s = %v %v", src, want, wantErr, format, code, got, err)
			}
		}
		laidOut(t, s, r)
	}
	if valued < 1500 {
		t.Errorf("only %d of 3000 had a value", valued)
	}
}

// laidOut holds that every formula and working of a sheet is well-formed.
func laidOut(t *testing.T, s *Sheet, r *Result) {
	t.Helper()
	for i := range s.Rows {
		name := s.Rows[i].Name
		for _, text := range []string{s.Formula(name, MathML), r.Working(name, MathML)} {
			wellFormedUnlessEmpty(t, text)
		}
		for _, l := range r.Opened(name, MathML) {
			wellFormedUnlessEmpty(t, l.Formula)
			wellFormedUnlessEmpty(t, l.Working)
		}
		r.Binding(name)
		if !strings.Contains(s.Source, `"`) || s.Source == "" {
			for _, text := range []string{s.Formula(name, Plain), r.Working(name, Plain)} {
				if !balanced(text) {
					t.Errorf("%s: parentheses of %s", name, text)
				}
			}
		}
	}
}

// Plain notation, read as a person reads it, computes the same: juxtaposition and · multiply, / binds like ·. What
// notation drops (units, parentheses) must not change the value.
func TestPlainMeansTheSame(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(17, 18))}
	for range 1000 {
		src := w.arithmetic(1 + w.IntN(5))
		s, errs := Compile("let a = 3\nlet b = 0.7\nlet c = -11\ny = "+src+"\n", nil)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", src, errs[0])
		}
		want, err := s.Eval(nil).Value("y")
		if err != nil {
			continue
		}
		plain := s.Formula("y", Plain)
		if !balanced(plain) {
			t.Fatalf("%s\nbecomes %s", src, plain)
		}
		p := &plainReader{text: plain, names: map[string]float64{"a": 3, "b": 0.7, "c": -11}}
		got := p.sum()
		if strings.TrimSpace(p.text) != "" || p.bad {
			t.Fatalf("%s\nbecomes %s, unreadable from %q", src, plain, p.text)
		}
		if math.Abs(got-want.Num.Value) > 1e-9*max(1, math.Abs(want.Num.Value)) {
			t.Errorf("%s = %v\nbecomes %s = %v", src, want.Num.Value, plain, got)
		}
	}
}

func (w writer) arithmetic(depth int) string {
	if depth == 0 {
		return w.pick("a", "b", "c", "2", "0.5", "1", "4096", "12.25")
	}
	x := func() string { return w.arithmetic(depth - 1 - w.IntN(depth)) }
	return w.pick(x()+" + "+x(), x()+" - "+x(), x()+" * "+x(), x()+" / "+x(), "("+x()+")", "-"+x(), x()+" * "+x(),
		"("+x()+" - "+x()+")", "("+x()+" / "+x()+")", "("+x()+" * "+x()+")", "max("+x()+", "+x()+")", "abs("+x()+")",
		"("+x()+")^"+w.pick("2", "3"), "a^2")
}

// plainReader is an independent reader of plain notation.
type plainReader struct {
	text        string
	names       map[string]float64
	bad, inside bool
}

func (p *plainReader) take(prefix string) bool {
	p.text = strings.TrimLeft(p.text, " ")
	if strings.HasPrefix(p.text, prefix) {
		p.text = p.text[len(prefix):]
		return true
	}
	return false
}

func (p *plainReader) sum() float64 {
	var x float64
	if p.take("−") {
		x = -p.product()
	} else {
		x = p.product()
	}
	for {
		switch {
		case p.take("+"):
			x += p.product()
		case p.take("−"):
			x -= p.product()
		default:
			return x
		}
	}
}

// product reads factors side by side and one quotient: what stands after / is a single factor.
func (p *plainReader) product() float64 {
	x := p.power()
	for {
		switch {
		case p.take("·"):
			x *= p.power()
		case p.take("/"):
			x /= p.power()
			if t := strings.TrimLeft(p.text, " "); t != "" && !strings.ContainsRune("+)|,/", []rune(t)[0]) &&
				!strings.HasPrefix(t, "−") {
				p.bad = true // a factor after the quotient: above or below the line?
			}
		case p.starts():
			x *= p.power()
		default:
			return x
		}
	}
}

func (p *plainReader) starts() bool {
	t := strings.TrimLeft(p.text, " ")
	return t != "" &&
		(t[0] == '|' && !p.inside || strings.ContainsRune("abc(0123456789", rune(t[0])) || strings.HasPrefix(t, "max") ||
			strings.HasPrefix(t, "abs"))
}

func (p *plainReader) power() float64 {
	x := p.atom()
	switch {
	case p.take("²"):
		return x * x
	case p.take("³"):
		return x * x * x
	}
	return x
}

func (p *plainReader) atom() float64 {
	switch {
	case p.take("max("):
		x := p.sum()
		p.bad = p.bad || !p.take(",")
		x = max(x, p.sum())
		p.bad = p.bad || !p.take(")")
		return x
	case p.take("("):
		x := p.sum()
		p.bad = p.bad || !p.take(")")
		return x
	case p.take("abs("):
		x := p.sum()
		p.bad = p.bad || !p.take(")")
		return math.Abs(x)
	case p.take("|"):
		p.bad, p.inside = p.bad || p.inside, true // bars inside bars: which end?
		x := p.sum()
		p.bad, p.inside = p.bad || !p.take("|"), false
		return math.Abs(x)
	}
	for name, v := range p.names {
		if p.take(name) {
			return v
		}
	}
	end := len(p.text) - len(strings.TrimLeft(p.text, "0123456789.,"))
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(p.text[:end], ","), ",", ""), 64)
	p.bad = p.bad || err != nil
	p.text = p.text[len(strings.TrimRight(p.text[:end], ",")):]
	return x
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
			for _, code := range []string{s.Formula(name, Code), r.Working(name, Code)} {
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
