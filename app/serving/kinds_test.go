package serving

import (
	"math"
	"testing"
)

// What new tokens look at together is the sum of what each looks at: all before it, but no more than a window.
func TestPairsAreASum(t *testing.T) {
	for _, window := range []float64{0, 100, 1000} {
		for _, before := range []float64{0, 40, 100, 130, 999, 1000, 5000} {
			for _, more := range []float64{1, 60, 500, 3000} {
				const parts = 1000 // of the new tokens, each taken at its middle
				want := 0.0
				for i := range parts {
					sees := before + more*(float64(i)+0.5)/parts
					if window > 0 {
						sees = min(sees, window)
					}
					want += sees * more / parts
				}
				if got := (cacheKind{window: window}).pairs(more, before); math.Abs(got-want) > 1e-3*want {
					t.Errorf("window %v: %v tokens behind %v look at %v, counted %v", window, more, before, got, want)
				}
			}
		}
	}
}

// Weights are multiplied by the narrowest unit that takes them; 4 bits are widened where there is no unit for them.
func TestUnitOfWeights(t *testing.T) {
	with, without := Chip{Peak16: 16, Peak8: 8, Peak4: 4}, Chip{Peak16: 16, Peak8: 8}
	for _, c := range []struct {
		chip  Chip
		bytes float64
		rate  float64
		width int
	}{{with, 2, 16, 16}, {with, 1, 8, 8}, {with, 1.03, 8, 8}, {with, 0.5625, 4, 4},
		{without, 0.5625, 16, 16}, {with, 4, 16, 16}} {
		if rate, width := c.chip.peak(c.bytes); rate != c.rate || width != c.width {
			t.Errorf("%v bytes: %v at %d bits, want %v at %d", c.bytes, rate, width, c.rate, c.width)
		}
	}
}
