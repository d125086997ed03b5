package sheet

import (
	"encoding/xml"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// wellFormed reads text as XML and allows only elements of MathML Core that formulas use.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	allowed := " math mrow mi mn mo mtext mfrac msup msub msqrt mroot mtable mtr mtd "
	children := map[string]int{"mfrac": 2, "msup": 2, "msub": 2, "mroot": 2}
	var stack []string
	var counts []int
	d := xml.NewDecoder(strings.NewReader("<math>" + text + "</math>"))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v in %s", err, text)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if !strings.Contains(allowed, " "+name+" ") {
				t.Fatalf("element %s in %s", name, text)
			}
			for _, a := range e.Attr {
				if !strings.Contains(" lspace rspace form class mathvariant ", " "+a.Name.Local+" ") {
					t.Fatalf("attribute %s in %s", a.Name.Local, text)
				}
			}
			if len(counts) > 0 {
				counts[len(counts)-1]++
			}
			stack, counts = append(stack, name), append(counts, 0)
		case xml.EndElement:
			last := len(stack) - 1
			if want := children[stack[last]]; want > 0 && counts[last] != want {
				t.Fatalf("%s has %d children in %s", stack[last], counts[last], text)
			}
			if stack[last] == "math" && counts[last] != 1 {
				t.Fatalf("%d elements instead of one: %s", counts[last], text)
			}
			stack, counts = stack[:last], counts[:last]
		}
	}
}

// balanced tells whether the parentheses of text match.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

func TestFormulasGolden(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "formulas.sheet"))
	if err != nil {
		t.Fatal(err)
	}
	s := explainSheet(t, string(src))
	r := s.Eval(nil)
	var plain, math strings.Builder
	for _, row := range s.Rows {
		if row.Kind == "input" {
			continue
		}
		v, err := r.Value(row.Name)
		if err != nil {
			t.Errorf("%s: %v", row.Name, err)
		}
		name := row.Name
		plain.WriteString(
			name + " = " + v.String() + "\n  code     " + s.Formula(name, explain.Code) +
				"\n  plain    " + s.Formula(name, explain.Plain) +
				"\n  working  " + r.Working(name, explain.Plain) + "\n",
		)
		if operand, ok := r.Binding(name); ok {
			plain.WriteString("  binding  " + operand + "\n")
		}
		for _, l := range r.Opened(name, explain.Plain) {
			plain.WriteString("  opened   " + l.Call + " = " + l.Formula + " = " + l.Working + "\n")
		}
		math.WriteString("<p>" + name + "</p>\n")
		for _, m := range []string{s.Formula(name, explain.MathML), r.Working(name, explain.MathML)} {
			wellFormedUnlessEmpty(t, m)
			math.WriteString("<math display=\"block\">" + m + "</math>\n")
		}
	}
	golden.Check(t, "testdata/formulas.golden", plain.String())
	golden.Check(t, "testdata/formulas.mathml.golden", math.String())
}

func wellFormedUnlessEmpty(t *testing.T, text string) {
	t.Helper()
	if text != "" {
		wellFormed(t, text)
	}
}

func BenchmarkFormulas(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	r := s.Eval(nil)
	for name, write := range map[string]func(row string) string{
		"symbols": func(row string) string { return s.Formula(row, explain.MathML) },
		"numbers": func(row string) string { return r.Working(row, explain.MathML) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for i := range s.Rows {
					n += len(write(s.Rows[i].Name))
				}
				if n < 500 {
					b.Fatal("too little was written")
				}
			}
		})
	}
}

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

// Plain notation, read as a person reads it, computes the same: juxtaposition and · multiply, / binds like ·. What
// notation drops (units, parentheses) must not change the value.
func TestPlainMeansTheSame(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(17, 18))}
	formulas := 1000
	if testing.Short() {
		formulas /= 10
	}
	for range formulas {
		src := w.arithmetic(1 + w.IntN(5))
		s, errs := Compile("let a = 3\nlet b = 0.7\nlet c = -11\ny = "+src+"\n", nil)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", src, errs[0])
		}
		want, err := s.Eval(nil).Value("y")
		if err != nil {
			continue
		}
		plain := s.Formula("y", explain.Plain)
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
		(t[0] == '|' && !p.inside || strings.ContainsRune("abc(0123456789", rune(t[0])) ||
			strings.HasPrefix(t, "max") ||
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

// TestWork: a lone formula is printed as the step of a sheet with the same inputs.
func TestWork(t *testing.T) {
	values := []explain.Named{{Name: "N"}, {Name: "V"}, {Name: "W_oneway"}}
	for i, text := range []string{"16", "256 MiB", "45 GB/s"} {
		q, err := quantity.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		values[i].Value = value.Value{Kind: value.Number, Num: q}
	}
	s, errs := Compile("let N = 16\nlet V = 256 MiB\nlet W_oneway = 45 GB/s\nT = (N - 1)/N * V/W_oneway\n", nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	r := s.Eval(nil)
	for _, f := range []explain.Format{explain.Plain, explain.MathML, explain.Code} {
		w, err := explain.Work("(N - 1)/N * V/W_oneway", values, nil, f)
		if err != nil || w.Symbols != s.Formula("T", f) || w.Numbers != r.Working("T", f) {
			t.Errorf("%+v, %v; a sheet prints %s, %s", w, err, s.Formula("T", f), r.Working("T", f))
		}
		if want, _ := r.Value("T"); !w.Value.Equal(want) {
			t.Errorf("%v, a sheet has %v", w.Value, want)
		}
	}
	if _, err := explain.Work("N / M", values, nil, explain.Plain); err == nil {
		t.Error("a name without value passes")
	}
	if _, err := explain.Work("N /", values, nil, explain.Plain); err == nil {
		t.Error("half a formula passes")
	}
}

// A factor without its unit keeps its magnitude: a million tokens are no 1.
func TestFactorsKeepTheirMagnitude(t *testing.T) {
	s, errs := Compile("let B = 5000 token\na = B / 1M token\nb = B / 2k token\nc = B / 1 token\n", nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	for name, want := range map[string]string{"a": "B / 10⁶", "b": "B / 2×10³", "c": "B"} {
		if got := s.Formula(name, explain.Plain); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestLabelsNameInputs(t *testing.T) {
	bf16, int8 := dtype("bf16", 16), dtype("int8", 8)
	const source = "let d = bf16 \"Format\"\nlet n = 2 in 1..9 \"{d} items\"\nx = n * 3 \"{n} of {d}, {odd\"\n"
	s, errs := Compile(source, &value.Env{
		Values: map[string]value.Value{"bf16": bf16, "int8": int8},
		DTypes: []value.Value{bf16, int8},
	})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	st, err := s.Set(nil, "d", "int8")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		st         input.State
		name, want string
	}{
		{nil, "x", "2 of bf16, {odd"},
		{st, "x", "2 of int8, {odd"},
		{st, "n", "int8 items"},
		{nil, "d", "Format"},
		{nil, "nobody", "nobody"},
	} {
		if got := s.Label(c.st, c.name); got != c.want {
			t.Errorf("Label(%v, %s) = %q, want %q", c.st, c.name, got, c.want)
		}
	}
}

// At the head of a column a label can't name the value of one line.
func TestLabelsOverAnInput(t *testing.T) {
	s, errs := Compile("let n = 2 in 1..9 \"The number\"\nlet m = 3 \"{n} others\"\nx = n * m \"{n} by {m}\"\n", nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	for _, c := range [][2]string{{"n", "The number by 3"}, {"m", "2 by m"}, {"", "2 by 3"}} {
		if got := s.LabelOver(nil, "x", c[0]); got != c[1] {
			t.Errorf("over %q: %q, want %q", c[0], got, c[1])
		}
	}
}

func TestLabelsNameOnlyInputs(t *testing.T) {
	_, errs := Compile("x = 1 \"{y} of it\"\ny = 2", nil)
	if len(errs) != 1 || errs[0].Pos.Line != 1 {
		t.Fatalf("got %v, want one error in line 1", errs)
	}
}
