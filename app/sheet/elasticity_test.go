package sheet

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// slopes are the elasticities of output by input.
func slopes(s *Sheet, st input.State, output string) map[string]Elasticity {
	out := map[string]Elasticity{}
	for _, e := range s.Elasticities(st, output) {
		out[e.Input] = e
	}
	return out
}

func TestElasticitiesAgainstDerivatives(t *testing.T) {
	s := explainSheet(t, `let a = 3
let b = 5
let c = 0.7
let z = 0
let n = -4
let unused = 8
power = a^2 * b / c
root = sqrt(a) * b^1.5 * 1e9
add = a + b + c
growth = exp(a * b / 10)
logs = ln(a * b)
wave = a^3 / (1 + b^2)
negative = -a * b
signed = n^3 + a
cancel = a - a + b
same = c
zero = z * a
steep = (a / 3)^40
`)
	a, b, c, n := 3.0, 5.0, 0.7, -4.0
	sum := a + b + c
	worst := 0.0
	for output, want := range map[string]map[string]float64{
		"power":    {"a": 2, "b": 1, "c": -1},
		"root":     {"a": 0.5, "b": 1.5},
		"add":      {"a": a / sum, "b": b / sum, "c": c / sum},
		"growth":   {"a": a * b / 10, "b": a * b / 10},
		"logs":     {"a": 1 / math.Log(a*b), "b": 1 / math.Log(a*b)},
		"wave":     {"a": 3, "b": -2 * b * b / (1 + b*b)},
		"negative": {"a": 1, "b": 1},
		"signed":   {"n": 3 * n * n * n / (n*n*n + a), "a": a / (n*n*n + a)},
		"cancel":   {"b": 1},
		"same":     {"c": 1},
		"steep":    {"a": 40},
		"zero":     {},
		"a":        {},
	} {
		got := s.Elasticities(nil, output)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", output, got, want)
			continue
		}
		for i, e := range got {
			if i > 0 && math.Abs(e.Value) > math.Abs(got[i-1].Value) {
				t.Errorf("%s: not sorted: %v", output, got)
			}
			diff := math.Abs(e.Value-want[e.Input]) / max(1, math.Abs(want[e.Input]))
			worst = max(worst, diff)
			if diff > 1e-8 || e.Kink {
				t.Errorf("%s by %s: %v, want %v", output, e.Input, e, want[e.Input])
			}
		}
	}
	t.Logf("worst error %.2g", worst)
}

// Euler: the elasticities of a homogeneous function add up to its degree, wherever they are taken.
func TestElasticitiesObeyEuler(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		st := input.State{}
		for _, name := range []string{"B", "D", "F"} {
			in := s.Input(name)
			p := in.Span()
			st[name] = value.Value{
				Kind: value.Number,
				Num: in.Quantity(
					p.Value(
						p.Coordinate(p.Lo)*0.9 + 0.1*p.Coordinate(p.Hi) + 0.8*rnd.Float64()*(p.Coordinate(p.Hi)-p.Coordinate(p.Lo)),
					),
				),
			}
		}
		for output, degree := range map[string]float64{"ops": 3, "moved": 2, "intensity": 1, "T_comms": 2} {
			total := 0.0
			for name, e := range slopes(s, st, output) {
				if name != "W_hbm" {
					total += e.Value
				}
			}
			if math.Abs(total-degree) > 1e-8 {
				t.Errorf("%s at %v: %.12g, want %v", output, st, total, degree)
			}
		}
	}
}

// What a solve finds has slopes too: n a = b^2 makes n = b^2/a.
func TestElasticitiesOfSolve(t *testing.T) {
	s := explainSheet(t, "let n = 4 in 0.01..1e4 log\nlet a = 3\nlet b = 7\nsolve q: n where n * a = b^2\n")
	for input, want := range map[string]float64{"a": -1, "b": 2, "n": 0} {
		if e := slopes(s, nil, "q")[input]; math.Abs(e.Value-want) > 1e-8 || e.Kink {
			t.Errorf("%s: %+v, want %v", input, e, want)
		}
	}
}

func TestElasticitiesAtCorners(t *testing.T) {
	s := explainSheet(t, `let B = 8 in 1..8
let C = 8
let low = 2 in 2..100 log
top = max(C, 8) * B
above = max(C, 7.99)
far = max(C, 7.9)
below = max(C, 8.01)
near1 = max(C, 7.996)
near2 = min(C, 8.0005)
near3 = max(C, 8.002)
stairs = ceil(C / 4)
steps = C * ceil(C / 4)
drop = C * floor(C / 4)
edge = B^2 * 3
start = low^3
valley = abs(C - 8) + 1
domain = sqrt(8 - C) + 1
wall = C * if(C > 8, 5, 1)
peak = C + sqrt(9 - C) * 2
`)
	for _, c := range []struct {
		output, input string
		want          float64
		kink          bool
	}{
		{"top", "C", 0.5, true}, {"top", "B", 1, false}, {"above", "C", 1, false}, {"far", "C", 1, false},
		{"below", "C", 0, false},
		{"near1", "C", 1, false}, {"near2", "C", 1, false}, {"near3", "C", 0, false},
		{"stairs", "C", 0, false}, {"steps", "C", 1, true}, {"drop", "C", 1, true}, {"edge", "B", 2, false},
		{"start", "low", 3, false},
		{"valley", "C", 0, true}, {"domain", "C", 0, false}, {"wall", "C", 1, true},
	} {
		e := slopes(s, nil, c.output)[c.input]
		if math.Abs(e.Value-c.want) > 1e-7 || e.Kink != c.kink {
			t.Errorf("%s by %s: %+v, want %v %v", c.output, c.input, e, c.want, c.kink)
		}
	}
	st := input.State{"C": {Kind: value.Number, Num: quantity.Quantity{Value: 7.5}}}
	if e := slopes(s, st, "peak")["C"]; math.Abs(e.Value-7.5*(1-1/math.Sqrt(1.5))/(7.5+2*math.Sqrt(1.5))) > 1e-9 {
		t.Errorf("peak: %+v", e)
	}
}

func BenchmarkElasticities(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	for b.Loop() {
		if len(s.Elasticities(nil, "T_lower")) != 4 {
			b.Fatal("inputs are missing")
		}
	}
}
