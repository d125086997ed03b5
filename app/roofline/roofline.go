// Package roofline says how long a computation must take at least, from what it computes and what it moves.
//
// A chip computes at a peak rate and moves bytes at a bandwidth. The two can overlap, so the time of an operation
// lies between the larger of its two times and their sum:
//
//	max(ops/peak, bytes/bandwidth) <= T <= ops/peak + bytes/bandwidth <= 2 max(...)
//
// Which of the two is larger is decided by one ratio on each side: the operation's arithmetic intensity (operations
// per byte moved) and the chip's ridge point (peak over bandwidth). The model is Williams, Waterman and Patterson,
// "Roofline", CACM 52(4), 2009.
//
// Conventions: a multiply and an add count as two operations. Every operand is read once and every result written
// once unless a law says otherwise. Sizes are plain numbers, B the batch in tokens, D the contracted width, F the
// output width: [B, D] x [D, F] -> [B, F]. All laws hold for any positive sizes, fractional ones included.
package roofline

import (
	"errors"
	"math"

	q "github.com/scalebook/scalebook/app/quantity"
)

// Bounds is the time of an operation, as far as the roofline knows it.
type Bounds struct {
	Math, Comms q.Seconds
}

// Lower is the time if computing and moving overlap fully: the larger of the two.
func (b Bounds) Lower() q.Seconds { return max(b.Math, b.Comms) }

// Upper is the time if nothing overlaps: the sum. It is never more than twice Lower.
func (b Bounds) Upper() q.Seconds { return b.Math + b.Comms }

// ComputeBound says whether computing takes longer than moving, which holds exactly when the operation's intensity
// exceeds the ridge point.
func (b Bounds) ComputeBound() bool { return b.Math > b.Comms }

// Ridge is the intensity at which a chip computes and moves equally long: peak/bandwidth.
func Ridge(peak q.FLOPRate, bandwidth q.Bandwidth) q.Intensity {
	return q.Intensity(float64(peak) / float64(bandwidth))
}

// Attainable is the rate that an operation of the given intensity can reach: min(peak, bandwidth x intensity).
func Attainable(peak q.FLOPRate, bandwidth q.Bandwidth, intensity q.Intensity) q.FLOPRate {
	return min(peak, q.FLOPRate(float64(bandwidth)*float64(intensity)))
}

// ErrNeverComputeBound is returned where no batch, however large, makes an operation compute-bound.
var ErrNeverComputeBound = errors.New("no batch is large enough: at this D and F moving the activations alone takes longer than computing")

// CriticalBatch is the batch above which a matmul is compute-bound if its activations are small beside its weights
// (B far below D and F): weight bytes/2 x peak/bandwidth. It is the limit of CriticalBatchExact for wide matrices.
func CriticalBatch(peak q.FLOPRate, bandwidth q.Bandwidth, weight q.Bytes) float64 {
	return float64(weight) / 2 * float64(Ridge(peak, bandwidth))
}

// CriticalBatchExact is the batch at which a matmul [B, D] x [D, F] takes as long to compute as to move, activations
// and output counted:
//
//	2BDF/peak = (x B D + w D F + y B F)/bandwidth   =>   B = w D F / (2 D F bandwidth/peak - x D - y F)
//
// Where the denominator is not positive there is no such batch: ErrNeverComputeBound.
func CriticalBatchExact(peak q.FLOPRate, bandwidth q.Bandwidth, D, F float64, b Widths) (float64, error) {
	perRow := float64(2*D*F)/float64(Ridge(peak, bandwidth)) - (float64(float64(b.X)*D) + float64(float64(b.Y)*F))
	if !(perRow > 0) {
		return math.Inf(1), ErrNeverComputeBound
	}
	return float64(b.W) * D * F / perRow, nil
}
