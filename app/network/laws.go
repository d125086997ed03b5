package network

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Laws are the laws of collectives, for one group of N chips; V is the whole array of the group, as the package
// documentation has it for each operation. They leave latency out unless they take it.
//
// W is the rate at which each chip takes data in, and what it is depends on the links:
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
// W is on which links; sheets know it as all_gather_time_exact.
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
// busiest device's link if the devices do the sums. Of an all-to-all they count the row of one device.
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

// Reached is on how many of N devices the k experts of a token lie on average, if experts stand in so many groups,
// spread evenly over the devices, and a token's lie in the chosen ones alone (group-limited routing): those of
// chosen/groups N devices; or, where a device has several groups, each of which is used or not, those with any that is.
// Without groups it is N [RaggedShare](k, N).
func Reached(k, N, groups, chosen float64) float64 {
	spread := func(n float64) float64 { return n * RaggedShare(k, n) }
	switch {
	case chosen <= 0 || chosen >= groups:
		return spread(N)
	case N >= groups:
		return spread(N * chosen / groups)
	}
	used, none := spread(chosen), 1.0
	for i := 0.0; i < groups/N; i++ {
		none *= max(1-used/(groups-i), 0)
	}
	return N * (1 - none)
}

// LevelBandwidth is D W/(D - 1): the bytes of the array a second in an all-gather over a level of D > 1 units, each
// with a one-way egress W, since a unit takes in only what it lacks. Sheets know it as level_bandwidth.
func LevelBandwidth(D float64, W q.Bandwidth) q.Bandwidth {
	return q.Bandwidth(D * float64(W) / (D - 1))
}

// exchangeLaws are those of all-to-alls, dense ones and ragged ones, as mixtures of experts make them.
func exchangeLaws() []law.Law {
	return []law.Law{
		{Name: "all_to_all_time", Takes: "V byte, W_twoway byte/s > 0", Gives: "s",
			Formula: "V / (4*W_twoway)", Source: law.AustinSharding,
			Doc: "Textbook time of an all-to-all of an array of V bytes over a ring in both directions: a " +
				"quarter of an all-gather. W_twoway is a link’s bandwidth both ways."},
		{Name: "all_to_all_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: "floor(N^2/4)/N^2 * V/W", Source: law.Played,
			Doc: "Exact time of an all-to-all of an array of V bytes over a ring of N on shortest ways (W a " +
				"link’s bandwidth both ways), or over a line (W one way)."},
		{Name: "all_to_all_time_torus", Takes: "V byte, N >= 1, X >= 1, W byte/s > 0", Gives: "s",
			Formula: axisExchange, Go: axisExchangeTime, Source: law.Played,
			Doc: "Exact time of an all-to-all of V bytes over a torus of N chips, for its axis of X chips; the " +
				"slowest axis counts. W is a link’s bandwidth along it: both ways if it wraps around, one way " +
				"if not."},
		{Name: "all_to_all_time_switch", Takes: "V byte, N >= 1, egress byte/s > 0", Gives: "s",
			Formula: "V / (N*egress)", Source: law.AustinGPUs,
			Doc: "Textbook time of an all-to-all of an array of V bytes over N devices on a switch, or N nodes " +
				"of a tree, at a one-way egress."},
		{Name: "all_to_all_time_switch_exact", Takes: "V byte, N >= 1, egress byte/s > 0", Gives: "s",
			Formula: switchExchange + "egress", Source: law.AustinGPUs,
			Doc: "Exact time of an all-to-all of an array of V bytes over N devices on a switch, or N nodes of " +
				"a tree, at a one-way egress."},
		{Name: "ragged_share", Takes: "k, N >= 1",
			Formula: "min(k/N, 1)",
			Go:      raggedShareShortcut, Source: law.AustinGPUs,
			Doc: "Textbook share of an all-to-all’s chunks that carry anything, if each token goes to k of many " +
				"experts on N devices: an upper bound."},
		{Name: "ragged_share_exact", Takes: "k, N >= 1",
			Formula: raggedShare,
			Go:      raggedShareExact, Source: law.AustinGPUs,
			Doc: "Expected share of an all-to-all’s chunks that carry anything, if each token goes to k experts " +
				"at random, spread evenly over N devices."},
	}
}

func axisExchangeTime(a law.Args) (float64, error) {
	return float64(AxisExchange(a.Bytes(0), a.Num(1), a.Num(2), a.Bandwidth(3))), nil
}

func raggedShareExact(a law.Args) (float64, error) { return RaggedShare(a.Num(0), a.Num(1)), nil }

func raggedShareShortcut(a law.Args) (float64, error) {
	return RaggedShareShortcut(a.Num(0), a.Num(1)), nil
}

// gatherLaws are those of all-gather, reduce-scatter and all-reduce.
func gatherLaws() []law.Law {
	return []law.Law{
		{Name: "all_gather_time", Takes: "V byte, W byte/s > 0", Gives: "s",
			Formula: "V / W", Source: law.AustinSharding,
			Doc: "Textbook time of an all-gather of V bytes in all, for many chips." + intakeDoc},
		{Name: "all_gather_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: share + "W", Go: allGatherTime, Source: law.Thakur,
			Doc: "Exact time of an all-gather of V bytes in all over N chips: each lacks (N-1)/N of it." + intakeDoc},
		{Name: "reduce_scatter_time", Takes: "V byte, W byte/s > 0", Gives: "s",
			Formula: "V / W", Source: law.AustinSharding,
			Doc: "Textbook time of a reduce-scatter of an array of V bytes on every chip, for many chips." + intakeDoc},
		{Name: "reduce_scatter_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: share + "W", Go: allGatherTime, Source: law.Thakur,
			Doc: "Exact time of a reduce-scatter of an array of V bytes on each of N chips." + intakeDoc},
		{Name: "all_reduce_time", Takes: "V byte, W byte/s > 0", Gives: "s",
			Formula: "2 * V/W", Source: law.AustinSharding,
			Doc: "Textbook time of an all-reduce of an array of V bytes on every chip, for many chips: a " +
				"reduce-scatter, then an all-gather." + intakeDoc},
		{Name: "all_reduce_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: "2 * " + share + "W", Go: allReduceTime, Source: law.Thakur,
			Doc: "Exact time of a reduce-scatter and an all-gather of V bytes over N chips." + intakeDoc},
		{Name: "all_reduce_time_sharp", Takes: "V byte, egress byte/s > 0", Gives: "s",
			Formula: "V / egress", Source: law.AustinGPUs,
			Doc: "Exact time of an all-reduce of V bytes if the switch adds (SHARP): every device sends and " +
				"receives V once, at its one-way egress."},
		{Name: "all_reduce_time_line", Takes: "V byte, N >= 1, W_oneway byte/s > 0, pieces >= 1", Gives: "s",
			Formula: "if(N > 1, (pieces + 2*N - 3)/pieces * V/W_oneway, 0 s)", Source: law.Played,
			Doc: "Exact time of an all-reduce of V bytes in pieces along a line of N chips, summed up towards " +
				"one end while the sums run back. W_oneway is a link’s bandwidth one way."},
		{Name: "gather_bus_bandwidth", Takes: "V byte, N >= 1, T s", Gives: "byte/s",
			Formula: share + "T", Source: law.NCCL,
			Doc: "What an all-gather or reduce-scatter of V bytes over N devices in the time T moves in or out " +
				"of each: its bus bandwidth."},
		{Name: "all_reduce_bus_bandwidth", Takes: "V byte, N >= 1, T s", Gives: "byte/s",
			Formula: "2 * " + share + "T", Source: law.NCCL,
			Doc: "What an all-reduce of V bytes over N devices in the time T moves in or out of each, if no " +
				"switch adds: its bus bandwidth."},
	}
}

// hopLaws are those of distance and latency.
func hopLaws() []law.Law {
	return []law.Law{
		{Name: "line_hops", Takes: "N >= 1", Gives: "hop",
			Formula: "N - 1", Source: law.AustinSharding,
			Doc: "Hops from one end of a line of N chips to the other, and around a ring in one direction."},
		{Name: "tree_hops", Takes: "N >= 1", Gives: "hop",
			Formula: "ceil(log2(N))", Source: law.Thakur,
			Doc: "Steps until N chips have heard, if those who have double with each step."},
		{Name: "all_gather_time_hops", Takes: "V byte, N >= 1, W_twoway byte/s > 0, hop s", Gives: "s",
			Formula: "max(hop * N/2, V/W_twoway)", Source: law.AustinSharding,
			Doc: "Textbook time of an all-gather of V bytes over a ring of N, where each of N/2 hops takes at " +
				"least hop. W_twoway is a link’s bandwidth both ways."},
		{Name: "all_gather_time_line", Takes: "V byte, N >= 1, W_oneway byte/s > 0, hop s", Gives: "s",
			Formula: "max(hop * (N - 1), " + share + "W_oneway)", Source: law.Played,
			Doc: "Exact time of an all-gather of V bytes over a line of N (or around a ring in one direction), " +
				"the latency of its hops hidden behind the bytes or the other way round. W_oneway is a link’s " +
				"bandwidth one way."},
		{Name: "piped_time", Takes: "V byte, W byte/s > 0, start s, fill s", Gives: "s",
			Formula: "start + V/W + 2 * sqrt(fill * V/W)", Source: law.Counted,
			Doc: "Time of a collective of V bytes whose pieces follow each other through the steps of its " +
				"algorithm, as many pieces as take least: start once, fill the start-ups of the steps, W what is " +
				"reached with large arrays."},
		{Name: "latency_bound_size", Takes: "hops, hop s, W byte/s > 0", Gives: "byte",
			Formula: "hops * hop * W", Source: law.AustinSharding,
			Doc: "Size below which the hops take longer than the bytes V/W."},
	}
}

// treeLaws are those of the levels of a tree of switches.
func treeLaws() []law.Law {
	return []law.Law{
		{Name: "level_bandwidth", Takes: "D > 1, egress byte/s > 0", Gives: "byte/s",
			Formula: "D * egress/(D - 1)", Go: levelBandwidth, Source: law.AustinGPUs,
			Doc: "Collective bandwidth of one level of a tree that joins D units of a one-way egress, as the " +
				"textbook has it; exact for the topmost level."},
		{Name: "level_bandwidth_exact", Takes: "n >= 1, N >= 1, egress byte/s > 0", Gives: "byte/s",
			Formula: "N * egress/(N - n)", Source: law.Played,
			Where: "N > n", Else: phrase.New("network.whole-unit"),
			Doc: "Collective bandwidth of the level over units of n devices, if the array is spread over N " +
				"devices: a unit of a one-way egress lacks (N-n)/N of it."},
		{Name: "sharded_gather_time_exact", Takes: "V byte, X >= 1, Y >= 1, D >= 1, egress byte/s > 0", Gives: "s",
			Formula: "min(Y, D) * V/Y * max(0, 1 - D/(min(Y, D)*X))/egress", Source: law.Played,
			Doc: "Exact time of a gather over X devices of V bytes that are also sharded over an inner axis of " +
				"Y, at a level whose units of D devices (1: the devices themselves) have a one-way egress."},
	}
}

func levelBandwidth(a law.Args) (float64, error) {
	return float64(LevelBandwidth(a.Num(0), a.Bandwidth(1))), nil
}
