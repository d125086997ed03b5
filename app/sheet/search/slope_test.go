package search

import (
	"math"
	"testing"
)

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
