package sheet

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/explain"
)

// Where a sum of a rising and a falling power is least: B = sqrt(b/a) of a B + b/B; and other shapes.
func TestSolveLeast(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		tol  float64
	}{
		{"let B = 9 in 1..1e4 log\nsolve q: B where 3 * B + 1200 / B is least", 20, 1e-7},
		{"let B = 9 in 1..1e4\nsolve q: B where 3 * B + 1200 / B is least", 20, 1e-7},
		{"let B = 9 in 1..1e4 log\nsolve q: B where 1 / (3 * B + 1300 / B) is greatest", math.Sqrt(1300.0 / 3), 1e-7},
		{"let B = 9 in 1..1e4 log\nsolve q: B where max(B, 40000 / B) is least", 200, 0},
		{"let B = 9 in 1..1e4 log\nsolve q: B where max(B, 300, 40000 / B) is least", 40000.0 / 300, 1e-13},
		{"let B = 9 in -100..100\nsolve q: B where (B - 3.3)^2 is least", 3.3, 0},
		{"let B = 9 in -100..100\nsolve q: B where 7 - abs(B - 3.3) is greatest", 3.3, 0},
		{"let B = 9 in 2..50\nsolve q: B where B * 1 s is least", 2, 0},
		{"let B = 9 in 2..50\nsolve q: B where B * 1 s is greatest", 50, 0},
		{"let B = 9 in 1..64 step 1\nsolve q: B where 3 * B + 1300 / B is least", 21, 0},
		{"let B = 9 in 1..64 step 1\nsolve q: B where mod(B * 37, 65) is greatest", 7, 0},
		{"let B = 8 in 8..80008 step 8\nsolve q: B where (B - 1001)^2 is least", 1000, 0},
		{"let B = 9\nsolve q: B where 3 * B + 1300 / B is least", math.Sqrt(1300.0 / 3), 1e-7},
		{"let B = 9 in 0..100\nsolve q: B where sqrt(B - 50) is least", 50, 0.02},
		{"let B = 9 in 0..100\nsolve q: B where (B - 20)^2 * (B - 60)^2 - B is least", 60.000312, 1e-6},
	} {
		v, err := explainSheet(t, c.text+"\n").Eval(nil).Value("q")
		if err != nil || math.Abs(v.Num.Value-c.want) > c.tol*c.want {
			t.Errorf("%s: %.17g, %v; want %v", c.text, v.Num.Value, err, c.want)
		}
	}
}

// No sample of the range lies below what is found, and a better place than its neighbours is found.
func TestSolveLeastIsLeast(t *testing.T) {
	s := explainSheet(t, matmulSheet+"solve best: B where max(T_math, T_comms) / B is least\n")
	r := s.Eval(nil)
	at, err := r.Value("best")
	if err != nil {
		t.Fatal(err)
	}
	d := s.solveDef("best")
	sw := s.sweep(nil, d.Input, d.Sides())
	least := sw.Num(at.Num.Value)[0].Value.Num.Value
	for _, x := range s.Input("B").Span().Grid(1000) {
		if y := sw.Num(x)[0].Value.Num.Value; y < least*(1-1e-12) {
			t.Errorf("at B = %v it is %v, below %v at %v", x, y, least, at)
		}
	}
}

func TestSolveLeastSaysWhyNot(t *testing.T) {
	for text, want := range map[string]string{
		"let B = 9 in 1..10\nsolve q: B where sqrt(-B) is least":        "√(−B) has no value for B from 1 to 10: ",
		"let B = 9 in 1..10\nsolve q: B where B / B is greatest":        "B / B is the same everywhere for B from 1 to 10",
		"let B = 9 in 1..10 step 1\nsolve q: B where B - B is greatest": "is the same everywhere for B from 1 to 10",
	} {
		v, err := explainSheet(t, text+"\n").Eval(nil).Value("q")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v\nwant %s", text, v, err, want)
		}
	}
}

func TestSolveAll(t *testing.T) {
	s := explainSheet(t, `let x = 1 token in -20..20
solve one: x where (x - 3) * (x + 4) * (x - 11) = 0
solve all every: x where (x - 3) * (x + 4) * (x - 11) = 0
solve all dense: x where mod(x, 1) = 0.5
solve all none: x where x^2 = -1
solve best: x where (x - 20)^2 is greatest
`)
	r := s.Eval(nil)
	for name, want := range map[string]string{
		"one": "−4 tokens", "every": "−4 tokens, 3 tokens, 11 tokens", "best": "−20 tokens",
		"dense": "more than 16 values for x from −20 to 20 tokens, too many to list; give `x` a narrower range",
		"none":  "x² stays above −1 for x from −20 to 20 tokens (closest at x = 0 tokens: 0 against −1)",
	} {
		v, err := r.Value(name)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"one":  "the first of 3 such values: also 3 tokens and 11 tokens",
		"best": "this is the end of what is searched, −20 to 20 tokens", "every": "",
	} {
		if got := r.Note(name); got != want {
			t.Errorf("note of %s: %s\nwant %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"best": "x where (x − 20)² is greatest",
		"every": "x where (x − 3) (x + 4) (x − 11) = 0"} {
		if got := s.Formula(name, explain.Plain); got != want {
			t.Errorf("formula of %s: %s\nwant %s", name, got, want)
		}
	}
	if got := r.Working("best", explain.Plain); got != "(x − 20)² = 1600" {
		t.Errorf("%s", got)
	}
}
