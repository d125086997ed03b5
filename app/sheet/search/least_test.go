package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The least value of a curve with one valley is found to the square root of the precision where it is smooth, and to
// the last digits at a corner; on a grid it is the grid's.
func TestLeast(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		want := math.Exp(rnd.Float64()*8 - 4)
		scale := Interval{Lo: 1e-3, Hi: 1e3, Log: rnd.IntN(2) == 0}
		smooth := func(x float64) float64 { return x/want + want/x }
		if at, flat := Least(smooth, scale, 0, 0); flat || math.Abs(at.X/want-1) > 1e-6 {
			t.Errorf("smooth: %v, %v; want %v", at, flat, want)
		}
		corner := func(x float64) float64 { return max(x/want, want/x) }
		if at, flat := Least(corner, scale, 0, 0); flat || math.Abs(at.X/want-1) > 1e-9 {
			t.Errorf("corner: %v, %v; want %v", at, flat, want)
		}
		whole := func(x float64) float64 { return math.Abs(x - 10*want) }
		for _, most := range []float64{600, 6000} { // few enough to be tried one by one, and too many
			if at, _ := Least(whole, Interval{Lo: 1, Hi: most}, 1, 1); at.X != math.Trunc(at.X) ||
				at.Y > max(0.5, 1-10*want)+1e-9 {
				t.Errorf("on whole numbers up to %v: %v; want %v", most, at, 10*want)
			}
		}
	}
}

// A curve without a value, or with one value everywhere, is reported; a plateau begins where it begins.
func TestLeastOddities(t *testing.T) {
	p := Interval{Lo: 0, Hi: 10}
	if at, flat := Least(func(float64) float64 { return math.Inf(1) }, p, 0, 0); flat || !math.IsInf(at.Y, 1) {
		t.Errorf("no value: %v, %v", at, flat)
	}
	if at, flat := Least(func(float64) float64 { return 3 }, p, 0, 0); !flat || at.Y != 3 {
		t.Errorf("one value: %v, %v", at, flat)
	}
	if at, _ := Least(func(x float64) float64 { return max(4-x, 1) }, p, 0, 0); math.Abs(at.X-3) > 1e-12 {
		t.Errorf("plateau: %v", at)
	}
	square := func(x float64) float64 { // without a value where x^2 is no number
		if y := (x - 5) * (x - 5); !math.IsInf(y, 0) {
			return y
		}
		return math.Inf(1)
	}
	wide := Interval{Lo: 0, Hi: 1e300}
	if at, flat := Least(square, wide, 0, 0); flat || math.Abs(at.X-5) > 1e-6 {
		t.Errorf("values in a small part of the range: %v, %v", at, flat)
	}
	if m := Meet(func(x float64) (float64, float64, bool) { return x * x, 49, x < 1e154 }, wide); len(m.Roots) != 1 ||
		m.Roots[0] != 7 {
		t.Errorf("x^2 = 49 on a range of 300 decades: %v", m.Roots)
	}
	single := func(x float64) float64 { // a value in one place only
		if x == 0 {
			return 3
		}
		return math.Inf(1)
	}
	if at, flat := Least(single, p, 0, 0); flat || at != (Spot{0, 3}) {
		t.Errorf("one value in one place: %v, %v", at, flat)
	}
	n := 0
	Least(func(x float64) float64 { n++; return math.Sin(1e6 * x) }, p, 0, 0)
	if n > 1000 {
		t.Errorf("%d evaluations", n)
	}
}

// TestSlope measures powers, a corner, jumps and the end of a root.
func TestSlope(t *testing.T) {
	for name, c := range map[string]struct {
		f     func(x float64) float64 // NaN where there is no value
		x     float64
		slope float64
		kink  bool
	}{
		"power":  {func(x float64) float64 { return 7 * math.Pow(x, 1.7) }, 3, 1.7, false},
		"corner": {func(x float64) float64 { return max(x, 4) }, 4, 0.5, true},
		"jump":   {func(x float64) float64 { return x * math.Ceil(x/4) }, 4, 1, true},
		"edge": {func(x float64) float64 {
			if x < 4 {
				return math.NaN()
			}
			return x * x
		}, 4, 2, false},
	} {
		f := func(x float64) (float64, bool) { return c.f(x), !math.IsNaN(c.f(x)) }
		if e, kink, ok := Slope(f, c.x); !ok || kink != c.kink || math.Abs(e-c.slope) > 1e-8 {
			t.Errorf("%s: %v, a corner: %v, known: %v", name, e, kink, ok)
		}
	}
	if _, _, ok := Slope(func(x float64) (float64, bool) { return x - 3, true }, 3); ok {
		t.Error("zero has a slope")
	}
}
