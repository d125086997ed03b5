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

// A model that was measured on chips has an interval on others of their generation: midway between the widest and that
// of any model. A card for desks is none of them.
func TestSpreadsOfSiblings(t *testing.T) {
	table := SpreadTable("together\ttoken\t\t\t\t0.5\t3\t1\t2\n" +
		"together\ttoken\tvllm\tgpu.h100\tm\t0.9\t1.2\ntogether\ttoken\tvllm\tgpu.h20\tm\t0.8\t1.1\n" +
		"together\ttoken\tvllm\tgpu.b200\tm\t0.7\t1.3\n")
	grows := [2]float64{1, 2}
	for _, c := range []struct {
		chip, model string
		want        Spread
	}{
		{"gpu.h100", "m", Spread{0.9, 1.2, grows}},
		{"gpu.h200", "m", Spread{math.Sqrt(0.8 * 0.5), math.Sqrt(1.2 * 3), grows}},
		{"gpu.gb300", "m", Spread{math.Sqrt(0.7 * 0.5), math.Sqrt(1.3 * 3), grows}},
		{"gpu.rtx5090", "m", Spread{0.5, 3, grows}},
		{"gpu.a100", "m", Spread{0.5, 3, grows}},
		{"gpu.h200", "other", Spread{0.5, 3, grows}},
	} {
		got := table.Of("together", "token", "vllm", c.chip, c.model)
		if math.Abs(got.Low-c.want.Low) > 1e-12 || math.Abs(got.High-c.want.High) > 1e-12 || got.Grows != grows {
			t.Errorf("%s on %s: %v, want %v", c.model, c.chip, got, c.want)
		}
	}
	if got := table.Of("together", "token", "", "gpu.h100", "m"); math.Abs(got.High-math.Sqrt(1.2*3)) > 1e-12 {
		t.Errorf("m by any engine: %v", got)
	}
}
