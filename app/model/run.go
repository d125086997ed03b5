package model

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
)

// CrossoverContext is the context T at which attention's scores and weighted values take as many operations as the
// layers' matmuls, the unembedding left out. Full: D (18 F + 12 (N + K) H)/(12 N H) for a gated dense model, and twice
// that if causal. Where windows keep attention from ever catching up the error says so.
func (m *Model) CrossoverContext(mask Mask) (float64, error) {
	const longest = 1e15
	target := float64(m.LayerFLOPs(Forward))
	behind := func(T float64) bool { return float64(m.AttentionFLOPs(T, mask, Forward)) < target }
	if behind(longest) || !(target > 0) {
		return 0, &Error{
			What:   phrase.New("model.no-crossover"),
			Remedy: phrase.New("model.wider-mask"),
		}
	}
	low, high := 0.0, longest
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if behind(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return high, nil
}

// ExpertsTouched is how many of a layer's E experts a batch of B tokens is expected to use, if each token chooses its k
// evenly: E (1 - (1 - k/E)^B). It says what generating must read of the weights. Sheets know it as experts_touched.
func ExpertsTouched(experts, perToken, B float64) float64 {
	if !(perToken < experts) {
		return experts
	}
	return experts * -math.Expm1(B*math.Log1p(-perToken/experts))
}
