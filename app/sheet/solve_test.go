package sheet

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
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
