package network

import (
	"math"

	q "github.com/scalebook/scalebook/app/quantity"
)

// The laws below are for one group of N chips, N at least 1 and usually whole; V is the whole array of the group, as
// the package documentation has it for each operation. They leave latency out; RingHops and its like count the hops.
//
// W is the rate at which each chip takes data in, and what it is depends on the wires:
//
//	a ring, both directions used   W2, the two-way bandwidth of one link (twice the one-way bandwidth)
//	a ring, one direction used     the one-way bandwidth of one link
//	a line                         the one-way bandwidth of one link: the chip at the end has one neighbour
//	a switch                       the one-way egress of one device

// AllGatherTime is exact: each chip begins with V/N and must take in the other (N-1)/N of V: (N-1)/N V/W.
func AllGatherTime(V q.Bytes, N float64, W q.Bandwidth) q.Seconds {
	return q.Seconds((N - 1) / N * float64(V) / float64(W))
}

// AllGatherShortcut is V/W, the limit for many chips. It is N/(N-1) of the exact time: a third too much at N = 4.
func AllGatherShortcut(V q.Bytes, W q.Bandwidth) q.Seconds { return V.Over(W) }

// ReduceScatterTime is exact: an all-gather run backwards, with sums where there were copies: (N-1)/N V/W.
func ReduceScatterTime(V q.Bytes, N float64, W q.Bandwidth) q.Seconds { return AllGatherTime(V, N, W) }

// ReduceScatterShortcut is V/W.
func ReduceScatterShortcut(V q.Bytes, W q.Bandwidth) q.Seconds { return V.Over(W) }

// AllReduceTime is exact for a reduce-scatter followed by an all-gather: 2 (N-1)/N V/W. Chips that add up themselves
// cannot send less in the mean. On a line there is a faster way; see AllReduceLine.
func AllReduceTime(V q.Bytes, N float64, W q.Bandwidth) q.Seconds { return 2 * AllGatherTime(V, N, W) }

// AllReduceShortcut is 2 V/W.
func AllReduceShortcut(V q.Bytes, W q.Bandwidth) q.Seconds { return 2 * V.Over(W) }

// AllReduceLine is exact for a line over which V is summed up in pieces towards one end, while the sums run back: W is
// the one-way bandwidth of a link, and each direction carries V once, so the time is V/W and the 2N-3 pieces that it
// takes for the way to fill: (pieces + 2N - 3)/pieces V/W. For many pieces that beats a reduce-scatter and an
// all-gather, 2 (N-1)/N V/W, from N = 3 on.
func AllReduceLine(V q.Bytes, N float64, W q.Bandwidth, pieces float64) q.Seconds {
	if N <= 1 {
		return 0
	}
	return q.Seconds((pieces + 2*N - 3) / pieces * float64(V) / float64(W))
}

// BroadcastLine is exact for a broadcast of V in pieces from one end of a line of N: the last piece leaves after the
// others and makes N-1 hops: (pieces + N - 2)/pieces V/W.
func BroadcastLine(V q.Bytes, N float64, W q.Bandwidth, pieces float64) q.Seconds {
	if N <= 1 {
		return 0
	}
	return q.Seconds((pieces + N - 2) / pieces * float64(V) / float64(W))
}

// AllReduceInNetwork is exact where the switch adds (SHARP): each device sends V once and takes the sum V in once,
// at the same time: V/W. It gains 2 (N-1)/N over an all-reduce without, 1.75 at N = 8.
func AllReduceInNetwork(V q.Bytes, W q.Bandwidth) q.Seconds { return V.Over(W) }

// AllToAllRing is exact for a ring that uses both directions (W = W2) on shortest ways, the chunks for the chip
// opposite split between the two: the mean distance is floor(N^2/4)/N hops, so the V/N of each of N chips make
// floor(N^2/4) V/N^2 bytes over each pair of links: floor(N^2/4)/N^2 V/W2, a quarter of V/W2 for even N.
// For a line the same holds with W the one-way bandwidth: its middle link has floor(N/2) ceil(N/2) pairs across it.
func AllToAllRing(V q.Bytes, N float64, W q.Bandwidth) q.Seconds {
	return q.Seconds(math.Floor(N*N/4) / (N * N) * float64(V) / float64(W))
}

// AllToAllAxis is what an all-to-all over a torus of N chips needs along an axis of X of them, W as for AllToAllRing:
// floor(X^2/4)/X V/(N W). The axes work at the same time, so the slowest counts.
func AllToAllAxis(V q.Bytes, N, X float64, W q.Bandwidth) q.Seconds {
	return q.Seconds(math.Floor(X*X/4) / X * float64(V) / (N * float64(W)))
}

// AllToAllRingShortcut is V/(4 W).
func AllToAllRingShortcut(V q.Bytes, W q.Bandwidth) q.Seconds { return V.Over(4 * W) }

// AllToAllRingOneWay is exact for a ring that uses one direction: the mean distance is (N-1)/2 hops: (N-1)/(2N) V/W.
func AllToAllRingOneWay(V q.Bytes, N float64, W q.Bandwidth) q.Seconds {
	return q.Seconds((N - 1) / (2 * N) * float64(V) / float64(W))
}

// AllToAllRingOneWayShortcut is V/(2 W).
func AllToAllRingOneWayShortcut(V q.Bytes, W q.Bandwidth) q.Seconds { return V.Over(2 * W) }

// AllToAllSwitch is exact for devices on a switch, and for nodes of a tree (N nodes, W the egress of a node): each
// sends V/N^2 to each of N-1 others: (N-1)/N^2 V/W.
func AllToAllSwitch(V q.Bytes, N float64, W q.Bandwidth) q.Seconds {
	return q.Seconds((N - 1) / (N * N) * float64(V) / float64(W))
}

// AllToAllSwitchShortcut is V/(N W).
func AllToAllSwitchShortcut(V q.Bytes, N float64, W q.Bandwidth) q.Seconds {
	return q.Seconds(float64(V) / (N * float64(W)))
}

// RaggedShare is the exact expected share of the chunks of an all-to-all that carry anything if each token picks k of
// many experts, spread evenly over N devices: a device gets nothing of a token with probability ((N-1)/N)^k, so the
// share is 1 - ((N-1)/N)^k. Multiplied with the (N-1)/N that leave the device it is the curve of the original book.
func RaggedShare(k, N float64) float64 { return 1 - math.Pow((N-1)/N, k) }

// RaggedShareShortcut is min(k/N, 1), an upper bound of RaggedShare that is 1.58 times too large at k = N.
func RaggedShareShortcut(k, N float64) float64 { return min(k/N, 1) }

// RingHops are the hops of an all-gather around a ring in both directions: floor(N/2), to the chip opposite.
func RingHops(N float64) float64 { return math.Floor(N / 2) }

// LineHops are the hops from one end of a line to the other, and of a ring that uses one direction: N-1.
func LineHops(N float64) float64 { return N - 1 }

// RingMeanHops is the mean distance between two chips of a ring going the shorter way, a chip with itself counted as 0:
// floor(N^2/4)/N, which is N/4 for even N and (N^2-1)/(4N) for odd.
func RingMeanHops(N float64) float64 { return math.Floor(N*N/4) / N }

// LineMeanHops is the mean distance between two chips of a line: (N^2-1)/(3N).
func LineMeanHops(N float64) float64 { return (N*N - 1) / (3 * N) }

// TreeHops are the steps of a tree that doubles those who have the data: ceil(log2 N).
func TreeHops(N float64) float64 { return math.Ceil(math.Log2(N)) }

// LatencyBound is the size V below which the latency of the hops exceeds the time of the bytes, where that time is
// share V/W: hops latency W/share.
func LatencyBound(hops float64, latency q.Seconds, W q.Bandwidth, share float64) q.Bytes {
	return q.Bytes(hops * float64(latency) * float64(W) / share)
}
