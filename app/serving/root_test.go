package serving

import (
	"math"
	"testing"
)

// A root is found wherever it is, as halving the range finds it.
func TestRoot(t *testing.T) {
	for name, f := range map[string]func(n float64) float64{
		"straight":      func(n float64) float64 { return 1.5*n - 100 },
		"nothing waits": func(n float64) float64 { return n - 100 },
		"all wait":      func(n float64) float64 { return n + 1e9*n - 100 },
		"a queue": func(n float64) float64 {
			if n >= 40 {
				return math.Inf(1)
			}
			return n + n/(40-n) - 100
		},
		"a step": func(n float64) float64 {
			if n >= 40 {
				return n
			}
			return n - 100
		},
		"bent": func(n float64) float64 { return n + math.Pow(n, 5) - 100 },
	} {
		low, high := 0.0, 100.0
		for range 60 {
			if n := (low + high) / 2; f(n) > 0 {
				high = n
			} else {
				low = n
			}
		}
		last, tries := 0.0, 0
		root(100, func(n float64) float64 { last, tries = n, tries+1; return f(n) })
		if math.Abs(last-low) > 1e-7 || tries > 61 {
			t.Errorf("%s: %v after %d tries, want %v", name, last, tries, low)
		}
	}
}
