package model

import q "github.com/scalebook/scalebook/app/quantity"

// The laws below are those of one layer in the letters of the field: B sequences of T tokens, S tokens that are looked
// at, D the width, F the MLP's, N query heads and K heads of keys and values of size H, V the vocabulary, L layers.
// They hold for any positive sizes. Counts for training are three times those of the forward pass.

// MLPParams are the weights of an MLP: 3 D F with a gate, 2 D F without.
func MLPParams(D, F float64, gated bool) float64 {
	if gated {
		return 3 * D * F
	}
	return 2 * D * F
}

// MLPTrainFLOPs are 18 B T D F with a gate, 12 B T D F without: six for each weight and token.
func MLPTrainFLOPs(B, T, D, F float64, gated bool) q.FLOPs {
	return q.FLOPs(6 * B * T * MLPParams(D, F, gated))
}

// AttentionParams are the weights of the four projections: 2 D (N + K) H.
func AttentionParams(D, N, K, H float64) float64 { return 2 * D * (N + K) * H }

// ProjectionTrainFLOPs are those of the four projections: 12 B T D (N + K) H.
func ProjectionTrainFLOPs(B, T, D, N, K, H float64) q.FLOPs {
	return q.FLOPs(6 * B * T * AttentionParams(D, N, K, H))
}

// AttentionTrainFLOPs are those of scores and weighted values, the full square: 12 B T S N H, whatever K is.
func AttentionTrainFLOPs(B, T, S, N, H float64) q.FLOPs { return q.FLOPs(12 * B * T * S * N * H) }

// AttentionTrainFLOPsCausal are half of that for S = T: 6 B T^2 N H. Half the diagonal, a share 1/T, is left out.
func AttentionTrainFLOPsCausal(B, T, N, H float64) q.FLOPs { return q.FLOPs(6 * B * T * T * N * H) }

// UnembeddingTrainFLOPs are those of making logits: 6 B T D V. Looking up the input embedding takes none.
func UnembeddingTrainFLOPs(B, T, D, V float64) q.FLOPs { return q.FLOPs(6 * B * T * D * V) }

// KVCacheBytes is the cache of one sequence: 2 S L K H elements of the given size.
func KVCacheBytes(S, L, K, H float64, element q.Bytes) q.Bytes {
	return q.Bytes(2 * S * L * K * H * float64(element))
}

// KeptBytes is what training keeps for the backward pass by a count of tensors: c a layer, each a row of D elements for
// each token. The book's c are 20 for everything, 7 for the outputs of matmuls, 1 for the input of each layer;
// Model.ActivationBytes counts the rows as wide as they are.
func KeptBytes(tokens, D, L, c float64, element q.Bytes) q.Bytes {
	return q.Bytes(c * tokens * D * L * float64(element))
}

// AttentionRecomputeFLOPs are what computing scores and weighted values once more takes, the full square: 4 B T^2 N H.
func AttentionRecomputeFLOPs(B, T, N, H float64) q.FLOPs { return q.FLOPs(4 * B * T * T * N * H) }

// AttentionCrossover is the context at which scores and weighted values take as many operations as the matmuls of a
// gated dense layer, the full square: D (18 F + 12 (N + K) H)/(12 N H). With F = 4 D, N H = D, K = N it is 8 D.
func AttentionCrossover(D, F, N, K, H float64) float64 {
	return D * (float64(18*F) + float64(12*(N+K)*H)) / (12 * N * H)
}
