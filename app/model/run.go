package model

import (
	"math"

	q "github.com/scalebook/scalebook/app/quantity"
)

// TrainingFLOPs are the operations of a run over so many tokens, at so many a token.
func TrainingFLOPs(perToken q.FLOPs, tokens float64) q.FLOPs {
	return q.FLOPs(float64(perToken) * tokens)
}

// SixND is the shortcut for the operations of a run: 6 N tokens, N the parameters that a token uses.
func SixND(params, tokens float64) q.FLOPs { return q.FLOPs(6 * params * tokens) }

// MFU is the share of the peak that a run puts to use, of a chip that takes in tokens at the given rate (token/s a
// chip). What is computed again does not count; where it is to count (HFU), add RecomputeFLOPs.
func MFU(perToken q.FLOPs, tokensPerSecond float64, peak q.FLOPRate) float64 {
	return float64(perToken) * tokensPerSecond / float64(peak)
}

// RunMFU is the same of a whole run: its operations over what its chips could have done in the time that they took
// together (chips x days).
func RunMFU(done q.FLOPs, chipTime q.Seconds, peak q.FLOPRate) float64 {
	return float64(done) / (float64(chipTime) * float64(peak))
}

// RunTime is how long a run takes on so many chips at that share of their peak.
func RunTime(work q.FLOPs, chips float64, peak q.FLOPRate, mfu float64) q.Seconds {
	return q.Seconds(float64(work) / (chips * float64(peak) * mfu))
}

// SquareCrossover is the shortcut for the context at which attention's scores take as many operations as a layer's
// matmuls: 8 D, for F = 4 D, N H = D, K = N, a gate, and the full square. A causal mask makes it 16 D.
func SquareCrossover(D float64) float64 { return 8 * D }

// CrossoverContext is the context T at which attention's scores and weighted values take as many operations as the
// layers' matmuls, the unembedding left out. Full: D (18 F + 12 (N + K) H)/(12 N H) for a gated dense model, and twice
// that if causal. Where windows keep attention from ever catching up the error says so.
func (m *Model) CrossoverContext(mask Mask) (float64, error) {
	const longest = 1e15
	target := float64(m.LayerFLOPs(Forward))
	behind := func(T float64) bool { return float64(m.AttentionFLOPs(T, mask, Forward)) < target }
	if behind(longest) || !(target > 0) {
		return 0, &Error{What: "attention never takes as many operations as the matmuls", Remedy: "count the full or the causal square"}
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

// MoECriticalBatch is the batch above which experts are compute-bound: weight bytes/2 x peak/bandwidth x E/k. A batch of B tokens
// computes with k of E experts for each token but reads them all, so it has to be E/k times as large as a dense model's.
// Activations are left out, as in the critical batch of a wide matmul.
func MoECriticalBatch(peak q.FLOPRate, bandwidth q.Bandwidth, weight q.Bytes, experts, perToken float64) float64 {
	return float64(weight) / 2 * float64(peak) / float64(bandwidth) * experts / perToken
}

// ExpertsTouched is how many of a layer's E experts a batch of B tokens is expected to use, if each token chooses its k
// evenly: E (1 - (1 - k/E)^B). It says what generating must read of the weights.
func ExpertsTouched(experts, perToken, B float64) float64 {
	if !(perToken < experts) {
		return experts
	}
	return experts * -math.Expm1(B*math.Log1p(-perToken/experts))
}

// AttentionIntensity is operations over bytes of attention of T queries to S tokens: 4 T S N H operations, and the
// queries and outputs, T N H each, and keys and values, S K H each, read or written once (flash attention):
// 2 T S N/(e (T N + S K)), e bytes an element. Prefill of T = S tends to T G/(G + 1) for bf16 and G = N/K, generating
// with T = 1 to G.
func AttentionIntensity(T, S, N, K float64, element q.Bytes) q.Intensity {
	return q.Intensity(2 * T * S * N / (float64(element) * (float64(T*N) + float64(S*K))))
}
