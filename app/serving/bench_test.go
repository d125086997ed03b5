package serving

import "testing"

// The whole front of a dense model on 8 chips and of one with experts on 32, prefill and decode together or apart.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		model string
		chips int
		apart bool
	}{{"llama3.70b", 8, false}, {"llama3.70b", 8, true}, {"deepseek.r1", 32, false}, {"deepseek.r1", 32, true}} {
		name := c.model
		if c.apart {
			name += " apart"
		}
		b.Run(name, func(b *testing.B) {
			r := replica(b, c.model, "gpu.h200", 1, Plan{}, Fitted("sglang"))
			w := Wish{Shape: r.Shape, Chip: r.Chip, Chips: c.chips, Constants: r.Constants, Load: Load{In: 8192, Out: 1024},
				Apart: c.apart}
			n := 0
			for b.Loop() {
				all, _ := w.Search(0, 1)
				n = len(all)
			}
			b.ReportMetric(float64(n), "options")
		})
	}
}

// One plan, one load: what a reader's move of a slider costs.
func BenchmarkClosed(b *testing.B) {
	r := replica(b, "deepseek.r1", "gpu.h200", 1, Plan{DP: 8, EP: 8}, Fitted("sglang"))
	for b.Loop() {
		r.Closed(64, Load{In: 8192, Out: 1024})
	}
}
