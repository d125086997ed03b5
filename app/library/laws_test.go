package library

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sample draws an argument of a parameter's type, as a sheet would write it.
func sample(r *rand.Rand, p value.Param) string {
	switch p.Type.Kind {
	case value.DType:
		return []string{"fp32", "bf16", "fp8", "int8", "fp4"}[r.IntN(5)]
	case value.Bool:
		return []string{"on", "off"}[r.IntN(2)]
	case value.Text:
		return sampleWord(r, p.Name)
	case value.Rec:
		return p.Type.Record.Members[r.IntN(len(p.Type.Record.Members))].ID
	}
	n := math.Ceil(math.Exp(1 + r.Float64()*9))
	unit := strings.Replace(p.Type.Dim.String(), "1/", "token/", 1)
	if strings.HasSuffix(unit, "/s") {
		n *= 1e9
	}
	return strings.TrimSpace(fmt.Sprintf("%g %s", n, unit))
}

// TestFormulas holds the Go function of each law that has one equal to its formula, at random arguments within their
// ranges. Every law can be read: its parameters, its units, its formula, its condition.
func TestFormulas(t *testing.T) {
	env := New()
	r := rand.New(rand.NewPCG(7, 8))
	seen := map[string]bool{}
	for _, l := range Laws() {
		if seen[l.Name] {
			t.Errorf("%s is declared twice", l.Name)
		}
		seen[l.Name] = true
		b := newLaw(env, &l)
		readable(t, b)
		if l.Formula == "" || l.Go == nil {
			continue
		}
		compared := 0
		for range 60 {
			compared += compareFormula(t, b, r)
		}
		if compared < 20 {
			t.Errorf("%s: only %d of 60 draws had values to compare", l.Name, compared)
		}
	}
}

// readable checks that what a law says in words can be read.
func readable(t *testing.T, b *boundLaw) {
	t.Helper()
	for i, p := range b.takes {
		noKin := p.Kind == law.Record && b.params[i].Type.Record == nil
		noDType := p.Kind == law.DType && p.Default != "" && b.params[i].Default.Text == ""
		if p.Name == "" || noKin || noDType {
			t.Errorf("%s: the parameter %d of %q cannot be read", b.Name, i+1, b.Takes)
		}
	}
	q, _, err := quantity.Literal("1 " + b.Gives)
	if b.Gives != "" && b.Gives != "%" && (err != nil || q.Dim != b.result.Dim || q.Label != b.result.Label) {
		t.Errorf("%s gives %q, which reads as %v, %v", b.Name, b.Gives, q, err)
	}
	if b.Formula == "" && b.Go == nil {
		t.Errorf("%s has neither formula nor function", b.Name)
	}
	if b.Formula != "" {
		if got, err := b.formula.Type(); err != nil || got != (value.Type{Kind: value.Number, Dim: b.result.Dim}) {
			t.Errorf("%s: its formula is %v, %v; it gives %q", b.Name, got, err, b.Gives)
		}
	}
	if b.where != nil {
		if got, err := b.where.Type(); err != nil || got.Kind != value.Bool || b.Else.String() == "" {
			t.Errorf("%s: its condition is %v, %v, else %v", b.Name, got, err, b.Else)
		}
	}
}

// compareFormula evaluates both at one random point; it returns 1 if there was a value.
func compareFormula(t *testing.T, b *boundLaw, r *rand.Rand) int {
	t.Helper()
	args := make([]value.Value, len(b.params))
	for i := range args {
		args[i] = draw(r, b.params[i], b.takes[i])
	}
	if b.refuse(args) != nil {
		return 0
	}
	f, err := b.byGo(args)
	if err != nil {
		return 0
	}
	g, err := b.byFormula(args)
	if err != nil || math.Abs(f-g) > 1e-12*math.Abs(g) {
		t.Errorf("%s%v = %v, its formula says %v, %v", b.Name, args, f, g, err)
	}
	return 1
}

// draw is a random argument.
func draw(r *rand.Rand, p value.Param, within law.Param) value.Value {
	v := value.Value{Kind: p.Type.Kind, Bool: r.IntN(2) == 0}
	switch p.Type.Kind {
	case value.Number:
		v.Num.Dim, v.Num.Value = p.Type.Dim, within.Least+math.Ceil(math.Exp(1+r.Float64()*9))
	case value.DType:
		v.Bits = []float64{32, 16, 8, 4}[r.IntN(4)]
	case value.Text:
		v.Text = strings.Trim(sampleWord(r, p.Name), "\"")
	case value.Rec:
		v.Record = p.Type.Record.Members[r.IntN(len(p.Type.Record.Members))]
	}
	return v
}

func TestEveryLawIsDocumented(t *testing.T) {
	for name, f := range New().Funcs {
		if f.Doc == "" || f.Source == "" || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: wants a sentence of documentation and a source, has %q, %q", name, f.Doc, f.Source)
		}
	}
}

// TestNeverComputeBoundSaysSo: a law without a value must say why in the row, not print infinity.
func TestNeverComputeBoundSaysSo(t *testing.T) {
	s, errs := sheet.Compile("B = critical_batch_exact(197 TFLOP/s, 45 GB/s, 64, 64)", New())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	_, err := s.Eval(nil).Value("B")
	if err == nil || !strings.Contains(err.Error(), "no batch is large enough") {
		t.Errorf("the error is %v", err)
	}
}

// TestNothingBelowZero: no law counts less than nothing; the row names the argument and what would be valid.
func TestNothingBelowZero(t *testing.T) {
	env := New()
	r := rand.New(rand.NewPCG(9, 10))
	for _, l := range Laws() {
		params := env.Funcs[l.Name].Params
		for at, p := range params {
			if p.Type.Kind != value.Number {
				continue
			}
			args := make([]string, len(params))
			for i, p := range params {
				args[i] = sample(r, p)
			}
			args[at] = "-" + args[at]
			s, errs := sheet.Compile("x = "+l.Name+"("+strings.Join(args, ", ")+")", env)
			if len(errs) > 0 {
				t.Fatalf("%s: %v", l.Name, errs[0])
			}
			_, err := s.Eval(nil).Value("x")
			if err == nil || !strings.Contains(err.Error(), p.Name+" is −") || !strings.Contains(err.Error(), "give ") {
				t.Errorf("%s(%s): the error is %v", l.Name, strings.Join(args, ", "), err)
			}
		}
	}
}

// TestNothingDividedByNothing: a law without a finite value says so by its name.
func TestNothingDividedByNothing(t *testing.T) {
	for _, call := range []string{
		"ridge(1 FLOP/s, 0 byte/s)", "matmul_intensity(0, 0, 0)", "run_time(1 FLOP, 0, 1 FLOP/s, 1)",
	} {
		s, errs := sheet.Compile("x = "+call, New())
		if len(errs) > 0 {
			t.Fatal(errs[0])
		}
		if _, err := s.Eval(nil).Value("x"); err == nil || !strings.Contains(err.Error(), "has no finite value") {
			t.Errorf("%s: the error is %v", call, err)
		}
	}
}
