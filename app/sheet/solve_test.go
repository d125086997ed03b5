package sheet

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

func relative(got, want float64) float64 { return math.Abs(got-want) / math.Abs(want) }

// The critical batches of a matmul with int8 weights and bf16 activations, against the closed form
// D F / (2 D F W/peak - 2 D - 2 F).
func TestSolveCriticalBatch(t *testing.T) {
	s := explainSheet(t, `let D = 4096
let peak = 197 TFLOP/s
let W = 820 GB/s
let B = 256 token in 1..16384 log
T_math = 2 FLOP * B * D * D / peak
T_comms = (2 * B * D + D * D + 2 * B * D) * 1 byte / W
solve B_crit: B where T_math = T_comms
solve back: B where T_comms = T_math
`)
	for D, want := range map[float64]float64{4096: 136.08570117920073, 1024: 226.314844731646} {
		st := input.State{"D": {Kind: value.Number, Num: quantity.Quantity{Value: D}}}
		r := s.Eval(st)
		for _, name := range []string{"B_crit", "back"} {
			v, err := r.Value(name)
			if err != nil || relative(v.Num.Value, want) > 1e-13 {
				t.Errorf("D = %v: %s = %.17g, %v; want %.17g", D, name, v.Num.Value, err, want)
			}
			if v.Num.Label.Over != "token" {
				t.Errorf("B is counted in %q", v.Num.Label.Over)
			}
		}
		if others := r.row("B_crit").Others; len(others) > 0 {
			t.Errorf("further values %v", others)
		}
	}
}

func TestSolveSaysWhyNot(t *testing.T) {
	const inputs = `let B = 256 token in 1..16384 log
let n = 100 in 1..1000
let u = 50
let z = 0 s
a = B * 1 us   "Time A"
b = (B + 20) * 2 us
`
	for src, want := range map[string]string{
		"solve q: B where a = b": "“Time A” stays below b for B from 1 to 16,384 tokens (closest " +
			"at B = 16,384 tokens: 16.4 ms against 32.8 ms)",
		"solve q: B where b = a":         "b stays above “Time A” for B from 1 to 16,384 tokens",
		"solve q: B where a + a = 2 * a": "a + a and 2 a are equal everywhere",
		"solve q: n where ceil(n / 10) = 4.5": "ceil(n / 10) never equals 4.5: it jumps from 4 to 5 at n = 40, " +
			"across 4.5",
		"solve q: n where 4.5 = ceil(n / 10)":            "ceil(n / 10) never equals 4.5: it jumps",
		"solve q: n where sqrt(n - 2000) = 1":            "no value for n from 1 to 1000: ",
		"solve q: u where u / 50 = 1e6":                  "u / 50 stays below 10⁶ for u from 0.005 to 500,000",
		"solve q: z where z / 1 s = 1e6":                 "stays below",
		"solve q: n where n + n = 2 * n":                 "n + n and 2 n are equal everywhere for n from 1 to 1000",
		"solve q: n where if(n < 500, 1, 3) = 2 + 0 * n": "it jumps from 1 to 3 at n = 500, across 2",
		"solve q: n where 1 / (n - 500.5) = 0":           "1 / (n − 500.5) never equals 0 for n from 1 to 1000",
	} {
		s := explainSheet(t, inputs+src+"\n")
		v, err := s.Eval(nil).Value("q")
		if err == nil {
			t.Errorf("%s: %v", src, v)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", src, err, want)
		}
	}
}

// Where a solve has a value, its sides are equal there.
func TestSolveHolds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	solved := 0
	for range 100 {
		s := explainSheet(t, matmulSheet)
		st := input.State{}
		for _, in := range []string{"D", "F"} {
			st[in] = value.Value{Kind: value.Number, Num: quantity.Quantity{Value: math.Round(math.Exp2(7 + rnd.Float64()*9))}}
		}
		v, err := s.Eval(st).Value("B_crit")
		if err != nil {
			continue
		}
		solved++
		r := s.Eval(st.With("B", v))
		a, _ := r.Value("T_math")
		b, _ := r.Value("T_comms")
		if relative(a.Num.Value, b.Num.Value) > 1e-12 {
			t.Errorf("%v: %v and %v", st, a.Num.Exact(), b.Num.Exact())
		}
	}
	if solved < 50 {
		t.Errorf("only %d of 100 had a solution", solved)
	}
}

// A whole number is found as one, not as its neighbour among the floats.
func TestSolveFindsRoundNumbers(t *testing.T) {
	for _, want := range []string{"7", "240", "0.3", "1500", "12.5"} {
		s := explainSheet(t, "let n = 100 in 0.1..1e5 log\nsolve q: n where n * 1.1 / 3 = "+want+" * 1.1 / 3\n")
		v, err := s.Eval(nil).Value("q")
		if w := quantityOf(want).Value; err != nil || v.Num.Value != w {
			t.Errorf("%.17g, %v; want %v", v.Num.Value, err, w)
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	d := s.solveDef("B_crit")
	for b.Loop() {
		if _, err := s.solve(s.Input("B"), d, s.sweep(nil, d.Input, d.Sides())); err != nil {
			b.Fatal(err)
		}
	}
}

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

// What an input makes of an output, Seek finds again.
func TestSeekInvertsEval(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		for _, c := range [][2]string{{"ops", "B"}, {"moved", "D"}, {"T_math", "F"}, {"T_comms", "W_hbm"}, {"T_upper", "B"},
			{"intensity", "B"}} {
			in := s.Input(c[1])
			p := in.Span()
			x := p.Value(p.Coordinate(p.Lo) + rnd.Float64()*(p.Coordinate(p.Hi)-p.Coordinate(p.Lo)))
			y, err := s.Eval(input.State{c[1]: {Kind: value.Number, Num: in.Quantity(x)}}).Value(c[0])
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Seek(nil, c[0], y.Num, c[1])
			if err != nil || relative(got.Value, x) > 1e-9 {
				t.Errorf("%s = %v by %s: %v, %v; want %v", c[0], y, c[1], got.Exact(), err, x)
			}
		}
	}
}

// Of several values the nearest to the present one is taken, wherever that is.
func TestSeekTakesTheNearest(t *testing.T) {
	s := explainSheet(t, "let x = 1 in 0..10\ny = (x - 2) * (x - 5) * (x - 9)\n")
	for at, want := range map[float64]float64{0: 2, 3.4: 2, 3.6: 5, 6.9: 5, 7.1: 9, 10: 9} {
		st := input.State{"x": {Kind: value.Number, Num: quantity.Quantity{Value: at}}}
		got, err := s.Seek(st, "y", quantity.Quantity{}, "x")
		if err != nil || math.Abs(got.Value-want) > 1e-12 {
			t.Errorf("from %v: %v, %v; want %v", at, got.Value, err, want)
		}
	}
}

func TestSeekSaysWhyNot(t *testing.T) {
	s := explainSheet(t, matmulSheet+"steps = ceil(B / 100)\nodd = sqrt(B - 20000)\nalways = D * 2\nfree = D * 1 byte\n")
	for _, c := range []struct{ output, target, input, want string }{
		{"T_lower", "1 s", "B", "1 s is out of reach: “At best, fully overlapped” goes from 82.9 µs to 5.58 ms for B from " +
			"1 to 16,384 tokens"},
		{"T_math", "1 byte", "B", "“Time to compute” is time, and the target 1 byte is data"},
		{"bound", "1", "B", "bound is no number"},
		{"T_math", "1 s", "chip", "“Chip” is no number"},
		{"nothing", "1", "B", "no row `nothing`"},
		{"T_math", "1 s", "nothing", "no input `nothing`"},
		{"steps", "4.5", "B", "steps is never 4.5: it jumps from 4 tokens to 5 tokens at B = 400 tokens"},
		{"odd", "3", "B", "odd has no value for B from 1 to 16,384 tokens: "},
		{"always", "3", "B", "always is 8192 whatever B is"},
	} {
		q, err := s.Seek(nil, c.output, quantityOf(c.target), c.input)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s by %s: %v\n got %v\nwant %s", c.output, c.target, c.input, q, err, c.want)
		}
	}
	if q, err := s.Seek(nil, "always", quantityOf("8192"), "B"); err != nil || q.Value != 256 {
		t.Errorf("what is so already: %v, %v", q, err)
	}
	if _, err := s.Seek(nil, "T_math", quantity.Quantity{Value: math.NaN(), Dim: quantityOf("1 s").Dim}, "B"); err == nil {
		t.Error("sought NaN")
	}
}

func BenchmarkSeek(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	for b.Loop() {
		if _, err := s.Seek(nil, "T_lower", quantityOf("1 ms"), "B"); err != nil {
			b.Fatal(err)
		}
	}
}
