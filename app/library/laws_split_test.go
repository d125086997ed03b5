package library

import (
	"math"
	"math/rand/v2"
	"testing"
)

// splitLayer is the three times of a layer's forward pass on N chips, X of them FSDP: its arithmetic, gathering its
// weights, gathering and adding up its activations. It is written from who sends which array.
func splitLayer(B, D, F, N, X, peak, wx, wy, matrices float64) (math, weights, activations float64) {
	math = 2 * matrices * B * D * F / (N * peak)
	weights = 2 * matrices * D * F / (N / X) / wx
	activations = 2 * 2 * B * D / X / wy
	return math, weights, activations
}

// TestSplitLawsBalanceTheirTimes: at the best split both kinds of traffic take equally long and no other split is
// faster; at the floor they take as long as the arithmetic; at the limit of tensor parallelism, activations do.
func TestSplitLawsBalanceTheirTimes(t *testing.T) {
	law := calling(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		D, F, N := 512+r.Float64()*16000, 1000+r.Float64()*60000, 16+r.Float64()*9000
		peak, wx, wy := 1e14*(1+9*r.Float64()), 1e10*(1+40*r.Float64()), 1e10*(1+40*r.Float64())
		matrices := float64(2 + r.IntN(2))
		B := N * law("mixed_floor", F, peak, wx, wy, matrices)
		X := law("mixed_best", B, N, F, wx, wy, matrices)
		mathT, weights, activations := splitLayer(B, D, F, N, X, peak, wx, wy, matrices)
		if !near(weights, activations, 1e-9) || !near(mathT, weights, 1e-9) {
			t.Fatalf("at the floor the times are %v, %v and %v", mathT, weights, activations)
		}
		for _, other := range []float64{X * 0.9, X * 1.1} {
			_, w, a := splitLayer(B, D, F, N, other, peak, wx, wy, matrices)
			if time := law("mixed_time", min(N, max(1, other)), N, B, D, F, wx, wy, matrices); other >= 1 && other < N &&
				!near(time, max(w, a), 1e-9) {
				t.Fatalf("messages take %v at a split of %v, not the longer of %v and %v", time, other, w, a)
			}
			if max(w, a) < weights || w+a < weights+activations {
				t.Fatalf("a split of %v is faster than %v", other, X)
			}
		}
		Y := law("tensor_limit", F, peak, wy, matrices)
		mathT, _, activations = splitLayer(B, D, F, Y, 1, peak, wx, wy, matrices)
		if !near(mathT, activations, 1e-9) {
			t.Fatalf("at the limit the times are %v and %v", mathT, activations)
		}
	}
}

// TestPipelineLawsAgree: a step without a constant part is its microbatches over what the bubble leaves.
func TestPipelineLawsAgree(t *testing.T) {
	law := calling(t)
	for _, c := range [][3]float64{{1, 1, 1}, {8, 32, 1}, {8, 72, 8}, {16, 16, 2}} {
		p, m, v := c[0], c[1], c[2]
		step, bubble := law("pipeline_step", 2, m, p, v, 0), law("pipeline_bubble", p, m, v)
		if !near(step*(1-bubble), 2*m, 1e-12) || math.IsNaN(step) {
			t.Errorf("p=%v m=%v v=%v: a step of %v with a bubble of %v", p, m, v, step, bubble)
		}
	}
}
