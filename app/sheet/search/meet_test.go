package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

func apart(got, want float64) float64 { return math.Abs(got-want) / math.Abs(want) }

// curvesOf makes two curves that always have a value.
func curvesOf(l, r func(x float64) float64) Curves {
	return func(x float64) (float64, float64, bool) { return l(x), r(x), true }
}

func TestMeetPowerLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 500 {
		p, q := rnd.Float64()*4-2, rnd.Float64()*4-2
		if math.Abs(p-q) < 0.2 {
			continue
		}
		want := math.Exp(rnd.Float64()*18 - 9) // where they are to meet
		a := math.Exp(rnd.Float64()*40 - 20)
		b := a * math.Pow(want, p-q)
		m := Meet(
			curvesOf(
				func(x float64) float64 { return a * math.Pow(x, p) },
				func(x float64) float64 { return b * math.Pow(x, q) },
			),
			Interval{1e-5, 1e5, true},
		)
		if len(m.Roots) != 1 || m.Count != 1 {
			t.Fatalf("x^%g = %g x^%g: roots %v, want %g", p, b/a, q, m.Roots, want)
		}
		worst = max(worst, apart(m.Roots[0], want))
	}
	if worst > 1e-12 {
		t.Errorf("worst relative error %g", worst)
	}
}

func TestMeetPolynomials(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		roots := make([]float64, 1+rnd.IntN(4))
		at := -40.0
		for i := range roots {
			at += 2 + rnd.Float64()*18
			roots[i] = at
		}
		f := func(x float64) float64 {
			y := 1.0
			for _, r := range roots {
				y *= x - r
			}
			return y
		}
		m := Meet(curvesOf(f, func(float64) float64 { return 0 }), Interval{-50, 50, false})
		if m.Count != len(roots) {
			t.Fatalf("found %v of %v", m.Roots, roots)
		}
		for i, r := range roots {
			if math.Abs(m.Roots[i]-r) > 1e-12*max(1, math.Abs(r)) {
				t.Errorf("root %v, want %v", m.Roots[i], r)
			}
		}
	}
}

// The sides may be swapped, and both multiplied by anything positive, without moving the place where they meet.
func TestMeetLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		a, b, c, k := rnd.Float64()*100, rnd.Float64()*10, rnd.Float64()*1000, math.Exp2(rnd.Float64()*40)
		l := func(x float64) float64 { return a + b*x }
		r := func(x float64) float64 { return c + x*x/10 }
		p := Interval{0.01, 1e4, true}
		one := Meet(curvesOf(l, r), p)
		two := Meet(curvesOf(r, l), p)
		three := Meet(curvesOf(func(x float64) float64 { return k * l(x) },
			func(x float64) float64 { return k * r(x) }), p)
		for _, other := range []Meetings{two, three} {
			if len(other.Roots) != len(one.Roots) {
				t.Fatalf("%v or %v", one.Roots, other.Roots)
			}
			for i := range one.Roots {
				if apart(other.Roots[i], one.Roots[i]) > 1e-9 {
					t.Errorf("%v or %v", one.Roots, other.Roots)
				}
			}
		}
	}
}

func TestMeetOddities(t *testing.T) {
	zero := func(float64) float64 { return 0 }
	one := func(float64) float64 { return 1 }
	same := func(x float64) float64 { return x }
	for _, c := range []struct {
		name  string
		f     Curves
		p     Interval
		roots []float64
		jumps int
		tol   float64
	}{
		{"touch", curvesOf(func(x float64) float64 { return 1 + (x-3.3)*(x-3.3) }, one), Interval{0, 10, false},
			[]float64{3.3}, 0, 1e-5},
		{"touch at zero", curvesOf(func(x float64) float64 { return (x - 3.3) * (x - 3.3) }, zero),
			Interval{0, 10, false}, []float64{3.3}, 0, 0},
		{"touch at zero from below", curvesOf(zero, func(x float64) float64 { return 7 * (x - 3.3) * (x - 3.3) }),
			Interval{1, 100, true}, []float64{3.3}, 0, 0},
		{"touch where it is no round number", curvesOf(func(x float64) float64 { return (x*x - 2) * (x*x - 2) }, zero),
			Interval{0, 10, false},
			[]float64{math.Sqrt2}, 0, 1e-7},
		{"two touches", curvesOf(math.Cos, func(float64) float64 { return -1 }), Interval{0, 10, false},
			[]float64{math.Pi, 3 * math.Pi}, 0, 1e-7},
		{"notch", curvesOf(func(x float64) float64 { return math.Abs(x - 3.3) }, zero), Interval{0, 10, false},
			[]float64{3.3}, 0, 0},
		{"notch of a maximum", curvesOf(func(x float64) float64 { return max(x, 40000/x) },
			func(float64) float64 { return 200 }),
			Interval{1, 16384, true}, []float64{200}, 0, 0},
		{"no touch", curvesOf(func(x float64) float64 { return (x-3.3)*(x-3.3) + 1e-9 }, zero), Interval{0, 10, false},
			nil, 0, 0},
		{"nearing zero without touching", curvesOf(func(x float64) float64 { return math.Exp(-x) }, zero),
			Interval{0, 30, false}, nil, 0, 0},
		{"double within a step", curvesOf(func(x float64) float64 { return 1 + (x-3.3)*(x-3.301) }, one),
			Interval{0, 10, false}, []float64{3.3, 3.301}, 0, 1e-9},
		{"at the ends", curvesOf(func(x float64) float64 { return (x - 1) * (x - 9) }, zero), Interval{1, 9, false},
			[]float64{1, 9}, 0, 0},
		{"jump", curvesOf(math.Floor, func(x float64) float64 { return 4.5 }), Interval{0, 10, false}, nil, 1, 0},
		{"pole", curvesOf(func(x float64) float64 { return 1 / (x - 3.14159) }, zero), Interval{0, 10, false}, nil, 1,
			0},
		{"jump before a root", curvesOf(func(x float64) float64 {
			if x < 2 {
				return -1
			}
			return 5 - x
		}, zero), Interval{0, 10, false}, []float64{5}, 1, 1e-12},
		{"together from here on", curvesOf(func(x float64) float64 { return max(x, 4) }, same), Interval{0, 10, false},
			[]float64{4}, 0, 1e-12},
		{"near zero on a wide range", curvesOf(same, func(float64) float64 { return 1e-3 }), Interval{0, 1e6, false},
			[]float64{1e-3}, 0, 1e-12},
		{"steep", curvesOf(func(x float64) float64 { return math.Tanh((x - 3) * 1e6) }, zero), Interval{0, 10, false},
			[]float64{3}, 0, 1e-12},
		{"one point", curvesOf(same, one), Interval{1, 1, false}, nil, 0, 0},
		{"undefined below", func(x float64) (float64, float64, bool) { return math.Sqrt(x - 2), 0.01, x >= 2 },
			Interval{0, 10, false}, []float64{2.0001}, 0, 1e-9},
		{"undefined between the signs", func(x float64) (float64, float64, bool) { return x - 5, 0, math.Abs(x-5) > 1 },
			Interval{0, 10, false}, nil, 0, 0},
		{"no value", func(x float64) (float64, float64, bool) { return 0, 0, false }, Interval{0, 10, false}, nil, 0,
			0},
		{"not a number", curvesOf(func(x float64) float64 { return math.Log(x - 20) }, zero), Interval{0, 10, false},
			nil, 0, 0},
	} {
		m := Meet(c.f, c.p)
		if len(m.Roots) != len(c.roots) || len(m.Jumps) != c.jumps {
			t.Errorf("%s: roots %v, jumps %d; want %v, %d", c.name, m.Roots, len(m.Jumps), c.roots, c.jumps)
			continue
		}
		for i := range c.roots {
			if apart(m.Roots[i], c.roots[i]) > c.tol {
				t.Errorf("%s: root %.17g, want %.17g", c.name, m.Roots[i], c.roots[i])
			}
		}
	}
	if m := Meet(curvesOf(same, same), Interval{1, 2, false}); !m.Coincide {
		t.Error("the same curve is not the same")
	}
}

func TestMeetIsBounded(t *testing.T) {
	for name, f := range map[string]func(x float64) float64{
		"sine":  func(x float64) float64 { return math.Sin(x * 1e6) },
		"dips":  func(x float64) float64 { return 1 + math.Cos(40*x) + 1e-9 },
		"stair": func(x float64) float64 { return math.Mod(math.Floor(x*1e4), 2) - 0.5 },
	} {
		n := 0
		m := Meet(
			func(x float64) (float64, float64, bool) { n++; return f(x), 0, math.Mod(x*77, 1) > 0.1 },
			Interval{0, 10, false},
		)
		if n > 6000 || len(m.Roots) > MaxRoots {
			t.Errorf("%s: %d evaluations, %d roots", name, n, len(m.Roots))
		}
	}
}

func BenchmarkMeet(b *testing.B) {
	for b.Loop() {
		Meet(
			func(x float64) (float64, float64, bool) { return 1e-6 * x, 1e-9 * (1e3 + 3*x*x), true },
			Interval{1, 16384, true},
		)
	}
}

// Where no two samples differ in sign, as many again are taken between them.
func TestMeetLooksBetweenSamples(t *testing.T) {
	pulse := func(x float64) (l, r float64, ok bool) {
		if x > 10.4 && x < 10.6 {
			return 1, 0, true
		}
		return -1, 0, true
	}
	m := Meet(pulse, Interval{Lo: 0, Hi: scanSamples - 1}) // a sample at each whole number
	if len(m.Jumps) != 2 || math.Abs(m.Jumps[0][0].X-10.4) > 1e-9 || math.Abs(m.Jumps[1][0].X-10.6) > 1e-9 {
		t.Errorf("jumps of a pulse from 10.4 to 10.6: %v", m.Jumps)
	}
}
