package library

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// sample draws an argument of a parameter's type, as a sheet would write it.
func sample(r *rand.Rand, p sheet.Param) string {
	switch p.Type.Kind {
	case sheet.DType:
		return []string{"fp32", "bf16", "fp8", "int8", "fp4"}[r.IntN(5)]
	case sheet.Bool:
		return []string{"on", "off"}[r.IntN(2)]
	case sheet.Text:
		return sampleWord(r, p.Name)
	case sheet.Rec:
		return p.Type.Kin.Members[r.IntN(len(p.Type.Kin.Members))].ID
	}
	n := math.Ceil(math.Exp(1 + r.Float64()*9))
	unit := strings.Replace(p.Type.Dim.String(), "1/", "token/", 1)
	if strings.HasSuffix(unit, "/s") {
		n *= 1e9
	}
	return strings.TrimSpace(fmt.Sprintf("%g %s", n, unit))
}

// TestFormulas holds each law's formula in sheet notation equal to the function it describes.
func TestFormulas(t *testing.T) {
	env := New()
	r := rand.New(rand.NewPCG(7, 8))
	for _, l := range slices.Concat(rooflineLaws(), tilingLaws(), modelLaws(kinOf(env, "model")), networkLaws()) {
		if l.formula == "" {
			continue // a law that no expression says
		}
		compared := 0
		for range 60 {
			compared += compareFormula(t, env, l, r)
		}
		if compared < 20 {
			t.Errorf("%s: only %d of 60 draws had values to compare", l.name, compared)
		}
	}
}

// compareFormula evaluates l and its formula at one random point; it returns 1 if both had a value.
func compareFormula(t *testing.T, env *sheet.Env, l law, r *rand.Rand) int {
	t.Helper()
	var src strings.Builder
	var names []string
	for _, p := range l.params {
		fmt.Fprintf(&src, "let %s = %s\n", p.Name, sample(r, p))
		names = append(names, p.Name)
	}
	fmt.Fprintf(&src, "by_function = %s(%s)\nby_formula = %s\n", l.name, strings.Join(names, ", "), l.formula)
	s, errs := sheet.Compile(src.String(), env)
	if len(errs) > 0 {
		t.Fatalf("%s: %v\n%s", l.name, errs[0], src.String())
	}
	res := s.Eval(nil)
	f, err := res.Value("by_function")
	if err != nil {
		return 0
	}
	g, err := res.Value("by_formula")
	if err != nil {
		t.Errorf("%s has a value, its formula has none: %v\n%s", l.name, err, src.String())
		return 0
	}
	if f.Num.Dim != g.Num.Dim || math.Abs(f.Num.Value-g.Num.Value) > 1e-12*math.Abs(g.Num.Value) {
		t.Errorf("%s = %v, its formula says %v\n%s", l.name, f, g, src.String())
	}
	return 1
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
	for _, l := range slices.Concat(rooflineLaws(), tilingLaws(), modelLaws(kinOf(env, "model")), networkLaws()) {
		for at, p := range l.params {
			if p.Type.Kind != sheet.Number {
				continue
			}
			args := make([]string, len(l.params))
			for i, p := range l.params {
				args[i] = sample(r, p)
			}
			args[at] = "-" + args[at]
			s, errs := sheet.Compile("x = "+l.name+"("+strings.Join(args, ", ")+")", env)
			if len(errs) > 0 {
				t.Fatalf("%s: %v", l.name, errs[0])
			}
			_, err := s.Eval(nil).Value("x")
			if err == nil || !strings.Contains(err.Error(), p.Name+" is -") || !strings.Contains(err.Error(), "give ") {
				t.Errorf("%s(%s): the error is %v", l.name, strings.Join(args, ", "), err)
			}
		}
	}
}

// TestNothingDividedByNothing: a law without a finite value says so by its name.
func TestNothingDividedByNothing(t *testing.T) {
	for _, call := range []string{"ridge(1 FLOP/s, 0 byte/s)", "matmul_intensity(0, 0, 0)", "run_time(1 FLOP, 0, 1 FLOP/s, 1)", "attention_crossover(0, 0, 0, 0, 0)"} {
		s, errs := sheet.Compile("x = "+call, New())
		if len(errs) > 0 {
			t.Fatal(errs[0])
		}
		if _, err := s.Eval(nil).Value("x"); err == nil || !strings.Contains(err.Error(), "has no finite value") {
			t.Errorf("%s: the error is %v", call, err)
		}
	}
}
