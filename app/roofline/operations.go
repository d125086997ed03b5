package roofline

import (
	"math"

	q "github.com/scalebook/scalebook/app/quantity"
)

// Widths is how many bytes an element of each operand takes: X the activations, W the weights, Y the output.
type Widths struct{ X, W, Y q.Bytes }

// MatmulFLOPs is 2BDF: each of the B F outputs is a dot product of length D, a multiply and an add for each element.
// The exact count is one add less for each output, B F (2D - 1); see MatmulFLOPsExact.
func MatmulFLOPs(B, D, F float64) q.FLOPs { return q.FLOPs(2 * B * D * F) }

// MatmulFLOPsExact is B F (2D - 1): the first product of each dot product needs no add.
func MatmulFLOPsExact(B, D, F float64) q.FLOPs { return q.FLOPs(B * F * (float64(2*D) - 1)) }

// MatmulBytes is what a matmul reads and writes if each matrix crosses the memory interface once:
// x B D + w D F + y B F.
func MatmulBytes(B, D, F float64, b Widths) q.Bytes {
	x, w, y := float64(b.X)*B*D, float64(b.W)*D*F, float64(b.Y)*B*F
	return q.Bytes(float64(x) + float64(w) + float64(y))
}

// MatmulIntensity is MatmulFLOPs over MatmulBytes. For B far below D and F it tends to 2B/w.
func MatmulIntensity(B, D, F float64, b Widths) q.Intensity {
	return q.Intensity(float64(MatmulFLOPs(B, D, F)) / float64(MatmulBytes(B, D, F, b)))
}

// BatchedMatmulFLOPs is 2BDF: each row of X meets a matrix of its own, which changes nothing in the count.
func BatchedMatmulFLOPs(B, D, F float64) q.FLOPs { return MatmulFLOPs(B, D, F) }

// BatchedMatmulBytes is x B D + w B D F + y B F: the weights, [B, D, F], grow with the batch, so a larger batch no
// longer raises the intensity.
func BatchedMatmulBytes(B, D, F float64, b Widths) q.Bytes {
	x, w, y := float64(b.X)*B*D, float64(b.W)*B*D*F, float64(b.Y)*B*F
	return q.Bytes(float64(x) + float64(w) + float64(y))
}

// DotFLOPs is 2N - 1: N products and N - 1 sums.
func DotFLOPs(N float64) q.FLOPs { return q.FLOPs(float64(2*N) - 1) }

// DotBytes is two vectors of N elements of x bytes read and one element of y bytes written.
func DotBytes(N float64, x, y q.Bytes) q.Bytes { return q.Bytes(float64(2*N*float64(x)) + float64(y)) }

// ElementwiseFLOPs is ops operations on each of N elements.
func ElementwiseFLOPs(N, ops float64) q.FLOPs { return q.FLOPs(N * ops) }

// ElementwiseBytes is N elements of x bytes read from each of the inputs, and N of y bytes written.
func ElementwiseBytes(N, inputs float64, x, y q.Bytes) q.Bytes {
	return q.Bytes(N * (float64(inputs*float64(x)) + float64(y)))
}

// TiledMatmulBytes is what [M, K] x [K, N] moves between a large memory and a small one that holds one output tile
// of bm x bn at a time: the left matrix once for each column of tiles, the right one once for each row of tiles, and
// the output once: x M K ceil(N/bn) + x K N ceil(M/bm) + y M N.
func TiledMatmulBytes(M, K, N, bm, bn float64, x, y q.Bytes) q.Bytes {
	left := float64(x) * M * K * math.Ceil(N/bn)
	right := float64(x) * K * N * math.Ceil(M/bm)
	return q.Bytes(float64(left) + float64(right) + float64(float64(y)*M*N))
}

// TileIntensity is 2 bm bn / (x (bm + bn)): the operations a tile does for each step along K over the bytes it reads
// for it. It is the limit of TiledMatmulBytes' intensity for long K; a square tile is the best of its area.
func TileIntensity(bm, bn float64, x q.Bytes) q.Intensity {
	return q.Intensity(2 * bm * bn / (float64(x) * (bm + bn)))
}

// TwoChipMath is the time that each of two chips computes if they split the contracted width D of a matmul: B D F/peak.
// The B F additions that join the two partial sums are left out; they are a share 1/D of the work.
func TwoChipMath(B, D, F float64, peak q.FLOPRate) q.Seconds {
	return q.FLOPs(B * D * F).Over(peak)
}

// TwoChipComms is the time to exchange the partial sums: each chip sends its [B, F] of y bytes an element while it
// receives the other's, at the one-way bandwidth between them: y B F/bandwidth.
func TwoChipComms(B, F float64, y q.Bytes, bandwidth q.Bandwidth) q.Seconds {
	return q.Bytes(float64(y) * B * F).Over(bandwidth)
}

// TwoChipMinWidth is the contracted width above which the split matmul is compute-bound: y peak/bandwidth. B and F
// cancel: the sums sent and the work done grow alike with both.
func TwoChipMinWidth(peak q.FLOPRate, bandwidth q.Bandwidth, y q.Bytes) float64 {
	return float64(y) * float64(Ridge(peak, bandwidth))
}
