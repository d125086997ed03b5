package network

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/law"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Laws are the laws of collectives, for one group of N chips; V is the whole array of the group, as the package
// documentation has it for each operation. They leave latency out unless they take it.
//
// W is the rate at which each chip takes data in, and what it is depends on the wires:
//
//	a ring, both directions used   the two-way bandwidth of one link (twice the one-way bandwidth)
//	a ring, one direction used     the one-way bandwidth of one link
//	a line                         the one-way bandwidth of one link: the chip at the end has one neighbour
//	a switch                       the one-way egress of one device
func Laws() []law.Law {
	return slices.Concat(gatherLaws(), hopLaws(), exchangeLaws(), treeLaws())
}

// intakeDoc ends what is said of laws in which W is any of these.
const intakeDoc = " W is the rate at which a chip takes data in: a ring’s link both ways (twice one way), a line’s " +
	"link one way, a switch’s egress one way; of several axes the sum."

// Formulas that laws and the terms of costs have in common.
const (
	// lack is the share of the array that each chip lacks at first, or must give away; share is that over the bandwidth
	// that follows, and setShare the part of it that some axes carry, which span N_S of the chips.
	lack     = "(N - 1)/N"
	share    = lack + " * V/"
	setShare = "(N_S - 1)/N * V/"
	// axisExchange: the mean distance along an axis of X chips is floor(X^2/4)/X hops if it wraps around, the chunks
	// for the chip opposite split between both directions; on a line the middle link has floor(X^2/4) of the X^2
	// pairs across it.
	axisExchange = "floor(X^2/4)/X * V/(N*W)"
	// rowLack: each device sends V/N^2 to each of N-1 others.
	rowLack        = "(N - 1)/N^2"
	switchExchange = rowLack + " * V/"
	// raggedShare: a device gets nothing of a token that picks k experts with probability ((N-1)/N)^k.
	raggedShare = "1 - (" + lack + ")^k"
)

// AllGatherTime is (N-1)/N V/W: of V bytes each of N >= 1 chips has V/N and takes in the rest at W. See [Laws] for what
// W is on which wires; sheets know it as all_gather_time_exact.
func AllGatherTime(V q.Bytes, N float64, W q.Bandwidth) q.Seconds {
	return gatherTime(V, N, N, W)
}

// gatherTime is what axes that span so many of N chips take for their part of a gather.
func gatherTime(V q.Bytes, N, span float64, W q.Bandwidth) q.Seconds {
	return q.Seconds((span - 1) / N * float64(V) / float64(W))
}

func allGatherTime(a law.Args) (float64, error) {
	return float64(AllGatherTime(a.Bytes(0), a.Num(1), a.Bandwidth(2))), nil
}

// AllReduceTime is 2 (N-1)/N V/W, a reduce-scatter and an all-gather of V bytes over N >= 1 chips that take data in at
// W. Chips that add up themselves can't send less in the mean; on a line there is a faster way, all_reduce_time_line.
// Sheets know it as all_reduce_time_exact.
func AllReduceTime(V q.Bytes, N float64, W q.Bandwidth) q.Seconds { return 2 * AllGatherTime(V, N, W) }

func allReduceTime(a law.Args) (float64, error) {
	return float64(AllReduceTime(a.Bytes(0), a.Num(1), a.Bandwidth(2))), nil
}

// BusShare is what NCCL's tests multiply the bytes of the array a second with, so that the result can be compared with
// a link's bandwidth whatever the operation and the number of devices: the share of the array that must cross the
// busiest device's wire if the devices do the sums. Of an all-to-all they count the row of one device.
func (o Op) BusShare(n float64) (share float64, formula string) {
	lacks := float64(gatherTime(1, n, n, 1))
	switch o {
	case AllGather, ReduceScatter:
		return lacks, lack
	case AllReduce:
		return 2 * lacks, "2 * " + lack
	case AllToAll:
		return lacks / n, rowLack
	}
	return 1, "1"
}

// AxisExchange is the time of an axis of X chips in an all-to-all over a torus of N chips that hold V bytes together:
// floor(X^2/4)/X V/(N W). W is the bandwidth of a link, both ways if the axis wraps around and one way if not. The axis
// that takes longest decides. Sheets know it as all_to_all_time_torus.
func AxisExchange(V q.Bytes, N, X float64, W q.Bandwidth) q.Seconds {
	return q.Seconds(math.Floor(X*X/4) / X * float64(V) / (N * float64(W)))
}

// RaggedShare is the expected share of an all-to-all's chunks that carry anything, if each token goes to k experts at
// random, spread evenly over N devices: 1 - ((N-1)/N)^k, for k >= 0 and N >= 1. Multiplied with the (N-1)/N that leave
// the device it is the curve of the original book. Sheets know it as ragged_share_exact.
func RaggedShare(k, N float64) float64 { return 1 - math.Pow((N-1)/N, k) }

// RaggedShareShortcut is min(k/N, 1), an upper bound of [RaggedShare] that is 1.58 times too large at k = N for large
// N. Sheets know it as ragged_share.
func RaggedShareShortcut(k, N float64) float64 { return min(k/N, 1) }

// LevelBandwidth is D W/(D - 1): the bytes of the array a second in an all-gather over a level of D > 1 units, each
// with a one-way egress W, since a unit takes in only what it lacks. Sheets know it as level_bandwidth.
func LevelBandwidth(D float64, W q.Bandwidth) q.Bandwidth {
	return q.Bandwidth(D * float64(W) / (D - 1))
}
