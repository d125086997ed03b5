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
//
// The bounds leave out how a matmul starts. Two constants, fitted to matmuls that somebody timed, say that: Started.
package roofline

import q "github.com/scalebook/scalebook/app/quantity"

// Bounds is between which times an operation lies, as far as the roofline knows.
type Bounds struct {
	Math  q.Seconds // operations over the peak rate
	Comms q.Seconds // bytes over the bandwidth
}

// Lower is the time if computing and moving overlap fully: max(Math, Comms).
func (b Bounds) Lower() q.Seconds { return max(b.Math, b.Comms) }

// Upper is the time if nothing overlaps: Math + Comms. It is never more than twice Lower.
func (b Bounds) Upper() q.Seconds { return b.Math + b.Comms }
