package library

import (
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// Where the laws of collectives come from.
const (
	austinTPUs = "Austin et al., How To Scale Your Model (2025), part 2"
	austinGPUs = "Austin et al., How To Scale Your Model (2025), part 12"
	thakur     = "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH (2005)"
)

// What W may be, for the laws that hold on every kind of wire.
const intake = " W is the rate at which a chip takes data in: a ring's link both ways (twice one way), a line's link one way, a switch's egress one way; of several axes the sum."

// collective is a law of the time that something takes, with its arguments checked before it computes.
func collective(name, doc, formula, source string, params []sheet.Param, time func(a args) quantity.Seconds) law {
	return law{name: name, doc: doc, formula: formula, source: source, params: params, result: seconds,
		call: func(a args) (quantity.Quantity, error) {
			if err := possible(params, a); err != nil {
				return quantity.Quantity{}, err
			}
			return time(a).Quantity(), nil
		}}
}

// measure is the same for laws of anything but a time.
func measure(name, doc, formula, source string, result sheet.Type, params []sheet.Param, value func(a args) quantity.Quantity) law {
	return law{name: name, doc: doc, formula: formula, source: source, params: params, result: result,
		call: func(a args) (quantity.Quantity, error) {
			if err := possible(params, a); err != nil {
				return quantity.Quantity{}, err
			}
			return value(a), nil
		}}
}

// possible refuses what no network has: less than one chip, no bandwidth, an array of less than nothing.
func possible(params []sheet.Param, a args) error {
	for i, p := range params {
		x := a[i].Num.Value
		switch p.Type {
		case plain:
			if !(x >= 1) && p.Name != "k" && p.Name != "hops" || x < 0 {
				return &network.Error{What: p.Name + " is " + a[i].Num.String(), Remedy: "give 1 or more"}
			}
		case bandwidth:
			if !(x > 0) {
				return &network.Error{What: p.Name + " is " + a[i].Num.String(), Remedy: "give a bandwidth above 0"}
			}
		case bytes, seconds:
			if !(x >= 0) {
				return &network.Error{What: p.Name + " is " + a[i].Num.String(), Remedy: "give 0 or more"}
			}
		}
	}
	return nil
}

func (a args) size(i int) quantity.Bytes   { return quantity.Bytes(a[i].Num.Value) }
func (a args) time(i int) quantity.Seconds { return quantity.Seconds(a[i].Num.Value) }

// The parameters that many laws share.
func arrayOver(w string) []sheet.Param { return []sheet.Param{of("V", bytes), of(w, bandwidth)} }
func arrayOn(w string) []sheet.Param {
	return []sheet.Param{of("V", bytes), count("N"), of(w, bandwidth)}
}
func arrayHops(w string) []sheet.Param { return append(arrayOn(w), of("hop", seconds)) }

// networkLaws are the laws of app/network.
func networkLaws() []law {
	var all []law
	for _, laws := range [][]law{gatherLaws(), latencyLaws(), exchangeLaws(), otherCollectives(), treeLaws(), wireLaws()} {
		all = append(all, laws...)
	}
	return all
}

func gatherLaws() []law {
	return []law{
		collective("all_gather_time", "Textbook time of an all-gather of V bytes in all, for many chips."+intake,
			"V / W", austinSharding, arrayOver("W"), func(a args) quantity.Seconds { return network.AllGatherShortcut(a.size(0), a.speed(1)) }),
		collective("all_gather_time_exact", "Exact time of an all-gather of V bytes in all over N chips: each lacks (N-1)/N of it."+intake,
			"(N - 1)/N * V/W", thakur, arrayOn("W"), func(a args) quantity.Seconds { return network.AllGatherTime(a.size(0), a.num(1), a.speed(2)) }),
		collective("reduce_scatter_time", "Textbook time of a reduce-scatter of an array of V bytes on every chip, for many chips."+intake,
			"V / W", austinSharding, arrayOver("W"), func(a args) quantity.Seconds { return network.ReduceScatterShortcut(a.size(0), a.speed(1)) }),
		collective("reduce_scatter_time_exact", "Exact time of a reduce-scatter of an array of V bytes on each of N chips."+intake,
			"(N - 1)/N * V/W", thakur, arrayOn("W"), func(a args) quantity.Seconds {
				return network.ReduceScatterTime(a.size(0), a.num(1), a.speed(2))
			}),
		collective("all_reduce_time", "Textbook time of an all-reduce of an array of V bytes on every chip, for many chips: a reduce-scatter, then an all-gather."+intake,
			"2 * V/W", austinSharding, arrayOver("W"), func(a args) quantity.Seconds { return network.AllReduceShortcut(a.size(0), a.speed(1)) }),
		collective("all_reduce_time_exact", "Exact time of a reduce-scatter and an all-gather of V bytes over N chips."+intake,
			"2 * (N - 1)/N * V/W", thakur, arrayOn("W"), func(a args) quantity.Seconds { return network.AllReduceTime(a.size(0), a.num(1), a.speed(2)) }),
		collective("all_reduce_time_sharp", "Exact time of an all-reduce of V bytes if the switch adds (SHARP): every device sends and receives V once, at its one-way egress.",
			"V / egress", austinGPUs, arrayOver("egress"), func(a args) quantity.Seconds { return network.AllReduceInNetwork(a.size(0), a.speed(1)) }),
		measure("sharp_gain", "How much faster than without an all-reduce over N devices is if the switch adds: 1.75 for 8.",
			"2 * (N - 1)/N", austinGPUs, plain, []sheet.Param{count("N")}, func(a args) quantity.Quantity { return ratio(2 * (a.num(0) - 1) / a.num(0)) }),
		collective("all_reduce_time_line", "Exact time of an all-reduce of V bytes in pieces along a line of N chips, summed up towards one end while the sums run back. W_oneway is a link's bandwidth one way.",
			"if(N > 1, (pieces + 2*N - 3)/pieces * V/W_oneway, 0 s)", "counted step by step", append(arrayOn("W_oneway"), count("pieces")),
			func(a args) quantity.Seconds { return network.AllReduceLine(a.size(0), a.num(1), a.speed(2), a.num(3)) }),
	}
}

func latencyLaws() []law {
	return []law{
		measure("ring_hops", "Hops of an all-gather around a ring of N in both directions: to the chip opposite.",
			"floor(N/2)", austinSharding, plain, []sheet.Param{count("N")}, func(a args) quantity.Quantity { return counted(network.RingHops(a.num(0)), "hop").Num }),
		measure("line_hops", "Hops from one end of a line of N chips to the other, and around a ring in one direction.",
			"N - 1", austinSharding, plain, []sheet.Param{count("N")}, func(a args) quantity.Quantity { return counted(network.LineHops(a.num(0)), "hop").Num }),
		measure("tree_hops", "Steps until N chips have heard, if those who have double with each step.",
			"ceil(log2(N))", thakur, plain, []sheet.Param{count("N")}, func(a args) quantity.Quantity { return counted(network.TreeHops(a.num(0)), "hop").Num }),
		measure("ring_mean_hops", "Mean distance between two chips of a ring of N, going the shorter way; a chip with itself counts 0.",
			"floor(N^2/4)/N", austinSharding, plain, []sheet.Param{count("N")}, func(a args) quantity.Quantity {
				return counted(network.RingMeanHops(a.num(0)), "hop").Num
			}),
		measure("line_mean_hops", "Mean distance between two chips of a line of N; a chip with itself counts 0.",
			"(N^2 - 1)/(3*N)", "counted from the definition", plain, []sheet.Param{count("N")}, func(a args) quantity.Quantity {
				return counted(network.LineMeanHops(a.num(0)), "hop").Num
			}),
		collective("all_gather_time_hops", "Textbook time of an all-gather of V bytes over a ring of N, where each of N/2 hops takes at least hop. W_twoway is a link's bandwidth both ways.",
			"max(hop * N/2, V/W_twoway)", austinSharding, arrayHops("W_twoway"),
			func(a args) quantity.Seconds {
				return max(quantity.Seconds(a.num(1)/2)*a.time(3), network.AllGatherShortcut(a.size(0), a.speed(2)))
			}),
		collective("all_gather_time_ring", "Exact time of an all-gather of V bytes over a ring of N both ways, the latency of its hops hidden behind the bytes or the other way round. W_twoway is a link's bandwidth both ways.",
			"max(hop * floor(N/2), (N - 1)/N * V/W_twoway)", "counted step by step", arrayHops("W_twoway"),
			func(a args) quantity.Seconds {
				return max(quantity.Seconds(network.RingHops(a.num(1)))*a.time(3), network.AllGatherTime(a.size(0), a.num(1), a.speed(2)))
			}),
		collective("all_gather_time_line", "Exact time of an all-gather of V bytes over a line of N (or around a ring in one direction), the latency of its hops hidden behind the bytes or the other way round. W_oneway is a link's bandwidth one way.",
			"max(hop * (N - 1), (N - 1)/N * V/W_oneway)", "counted step by step", arrayHops("W_oneway"),
			func(a args) quantity.Seconds {
				return max(quantity.Seconds(a.num(1)-1)*a.time(3), network.AllGatherTime(a.size(0), a.num(1), a.speed(2)))
			}),
		measure("latency_bound_size", "Size below which the hops take longer than the bytes V/W.",
			"hops * hop * W", austinSharding, bytes, []sheet.Param{count("hops"), of("hop", seconds), of("W", bandwidth)},
			func(a args) quantity.Quantity {
				return network.LatencyBound(a.num(0), a.time(1), a.speed(2), 1).Quantity()
			}),
		collective("alpha_beta_time", "Time of V bytes over a link of bandwidth W after a latency alpha: the two add up if steps wait for each other.",
			"alpha + V/W", thakur, []sheet.Param{of("V", bytes), of("alpha", seconds), of("W", bandwidth)},
			func(a args) quantity.Seconds {
				return network.AlphaBeta{Alpha: a.time(1), Bandwidth: a.speed(2)}.Time(a.size(0))
			}),
	}
}

func exchangeLaws() []law {
	ragged := []sheet.Param{of("V", bytes), count("N"), count("k"), of("egress", bandwidth)}
	return []law{
		collective("all_to_all_time", "Textbook time of an all-to-all of an array of V bytes over a ring in both directions: a quarter of an all-gather. W_twoway is a link's bandwidth both ways.",
			"V / (4*W_twoway)", austinSharding, arrayOver("W_twoway"), func(a args) quantity.Seconds { return network.AllToAllRingShortcut(a.size(0), a.speed(1)) }),
		collective("all_to_all_time_exact", "Exact time of an all-to-all of an array of V bytes over a ring of N on shortest ways (W a link's bandwidth both ways), or over a line (W one way).",
			"floor(N^2/4)/N^2 * V/W", austinSharding, arrayOn("W"), func(a args) quantity.Seconds { return network.AllToAllRing(a.size(0), a.num(1), a.speed(2)) }),
		collective("all_to_all_time_oneway", "Textbook time of an all-to-all of V bytes around a ring in one direction. W_oneway is a link's bandwidth one way.",
			"V / (2*W_oneway)", austinSharding, arrayOver("W_oneway"), func(a args) quantity.Seconds {
				return network.AllToAllRingOneWayShortcut(a.size(0), a.speed(1))
			}),
		collective("all_to_all_time_oneway_exact", "Exact time of an all-to-all of V bytes around a ring of N in one direction. W_oneway is a link's bandwidth one way.",
			"(N - 1)/(2*N) * V/W_oneway", austinSharding, arrayOn("W_oneway"), func(a args) quantity.Seconds {
				return network.AllToAllRingOneWay(a.size(0), a.num(1), a.speed(2))
			}),
		collective("all_to_all_time_torus", "Exact time of an all-to-all of V bytes over a torus of N chips, for its axis of X chips; the slowest axis counts. W is a link's bandwidth along it: both ways if it wraps around, one way if not.",
			"floor(X^2/4)/X * V/(N*W)", "counted from the definition", []sheet.Param{of("V", bytes), count("N"), count("X"), of("W", bandwidth)},
			func(a args) quantity.Seconds {
				return network.AllToAllAxis(a.size(0), a.num(1), a.num(2), a.speed(3))
			}),
		collective("all_to_all_time_switch", "Textbook time of an all-to-all of an array of V bytes over N devices on a switch, or N nodes of a tree, at a one-way egress.",
			"V / (N*egress)", austinGPUs, arrayOn("egress"), func(a args) quantity.Seconds {
				return network.AllToAllSwitchShortcut(a.size(0), a.num(1), a.speed(2))
			}),
		collective("all_to_all_time_switch_exact", "Exact time of an all-to-all of an array of V bytes over N devices on a switch, or N nodes of a tree, at a one-way egress.",
			"(N - 1)/N^2 * V/egress", austinGPUs, arrayOn("egress"), func(a args) quantity.Seconds {
				return network.AllToAllSwitch(a.size(0), a.num(1), a.speed(2))
			}),
		measure("ragged_share", "Textbook share of an all-to-all's chunks that carry anything, if each token goes to k of many experts on N devices: an upper bound.",
			"min(k/N, 1)", austinGPUs, plain, []sheet.Param{count("k"), count("N")}, func(a args) quantity.Quantity {
				return ratio(network.RaggedShareShortcut(a.num(0), a.num(1)))
			}),
		measure("ragged_share_exact", "Expected share of an all-to-all's chunks that carry anything, if each token goes to k experts at random, spread evenly over N devices.",
			"1 - ((N - 1)/N)^k", austinGPUs, plain, []sheet.Param{count("k"), count("N")}, func(a args) quantity.Quantity {
				return ratio(network.RaggedShare(a.num(0), a.num(1)))
			}),
		collective("ragged_all_to_all_time", "Textbook time of a ragged all-to-all of V bytes (as many as a dense one would have) over N devices on a switch.",
			"min(k/N, 1) * V/(N*egress)", austinGPUs, ragged, func(a args) quantity.Seconds {
				return quantity.Seconds(network.RaggedShareShortcut(a.num(2), a.num(1))) * network.AllToAllSwitchShortcut(a.size(0), a.num(1), a.speed(3))
			}),
		collective("ragged_all_to_all_time_exact", "Expected time of a ragged all-to-all of V bytes (as many as a dense one would have) over N devices on a switch.",
			"(1 - ((N - 1)/N)^k) * (N - 1)/N^2 * V/egress", austinGPUs, ragged, func(a args) quantity.Seconds {
				return quantity.Seconds(network.RaggedShare(a.num(2), a.num(1))) * network.AllToAllSwitch(a.size(0), a.num(1), a.speed(3))
			}),
	}
}

func otherCollectives() []law {
	return []law{
		collective("broadcast_time", "Time of a broadcast of V bytes in many small pieces. W is what leaves the root at once: of a ring both ways, of a switch the one-way egress.",
			"V / W", thakur, arrayOver("W"), func(a args) quantity.Seconds { return a.size(0).Over(a.speed(1)) }),
		collective("broadcast_time_line", "Exact time of a broadcast of V bytes in pieces from one end of a line of N. W_oneway is a link's bandwidth one way.",
			"(pieces + N - 2)/pieces * V/W_oneway", "counted step by step", append(arrayOn("W_oneway"), count("pieces")),
			func(a args) quantity.Seconds {
				return quantity.Seconds((a.num(3)+a.num(1)-2)/a.num(3)) * a.size(0).Over(a.speed(2))
			}),
		collective("broadcast_time_tree", "Exact time of a broadcast of V bytes, in one piece, over N devices on a switch where those who have it double with each step, at a one-way egress.",
			"ceil(log2(N)) * V/egress", thakur, arrayOn("egress"),
			func(a args) quantity.Seconds {
				return quantity.Seconds(network.TreeHops(a.num(1))) * a.size(0).Over(a.speed(2))
			}),
		collective("permute_time", "Time if every chip of a ring sends V bytes to the one so many hops on, all in one direction. W_oneway is a link's bandwidth one way.",
			"hops * V/W_oneway", "counted from the definition", []sheet.Param{of("V", bytes), count("hops"), of("W_oneway", bandwidth)},
			func(a args) quantity.Seconds { return quantity.Seconds(a.num(1)) * a.size(0).Over(a.speed(2)) }),
	}
}

func treeLaws() []law {
	sharded := []sheet.Param{of("V", bytes), count("Y"), count("D"), of("egress", bandwidth)}
	return []law{
		measure("level_bandwidth", "Collective bandwidth of one level of a tree that joins D units of a one-way egress, as the textbook has it; exact for the topmost level.",
			"D * egress/(D - 1)", austinGPUs, bandwidth, []sheet.Param{count("D"), of("egress", bandwidth)}, func(a args) quantity.Quantity {
				return network.LevelBandwidth(a.num(0), a.speed(1)).Quantity()
			}),
		measure("level_bandwidth_exact", "Collective bandwidth of the level over units of n devices, if the array is spread over N devices: a unit of a one-way egress lacks (N-n)/N of it.",
			"N * egress/(N - n)", "counted from the definition", bandwidth, []sheet.Param{count("n"), count("N"), of("egress", bandwidth)}, func(a args) quantity.Quantity {
				return network.LevelBandwidthExact(a.num(0), a.num(1), a.speed(2)).Quantity()
			}),
		collective("sharded_gather_time_node", "Textbook time inside a node of D devices, each of a one-way egress, of a gather of V bytes that are also sharded over an inner axis of Y.",
			"V / (egress * min(Y, D))", austinGPUs, sharded, func(a args) quantity.Seconds {
				return network.ShardedGatherInNode(a.size(0), a.num(1), a.num(2), a.speed(3))
			}),
		collective("sharded_gather_time_between", "Textbook time between nodes of D devices, each node of a one-way egress, of a gather of V bytes that are also sharded over an inner axis of Y.",
			"V * D/(egress * max(Y, D))", austinGPUs, sharded, func(a args) quantity.Seconds {
				return network.ShardedGatherBetweenNodes(a.size(0), a.num(1), a.num(2), a.speed(3))
			}),
		collective("sharded_gather_time_exact", "Exact time of a gather over X devices of V bytes that are also sharded over an inner axis of Y, at a level whose units of D devices (1: the devices themselves) have a one-way egress.",
			"min(Y, D) * V/Y * max(0, 1 - D/(min(Y, D)*X))/egress", "counted from the definition",
			[]sheet.Param{of("V", bytes), count("X"), count("Y"), count("D"), of("egress", bandwidth)}, func(a args) quantity.Seconds {
				return network.ShardedGatherTime(a.size(0), a.num(1), a.num(2), a.num(3), a.speed(4))
			}),
	}
}

func wireLaws() []law {
	timed := []sheet.Param{of("V", bytes), count("N"), of("T", seconds)}
	return []law{
		collective("transfer_time", "Time of V bytes over so many links side by side, each of a one-way bandwidth, after the latency of the hops.",
			"V/(links*W_oneway) + hops*hop", austinTPUs,
			[]sheet.Param{of("V", bytes), count("links"), of("W_oneway", bandwidth), count("hops"), of("hop", seconds)},
			func(a args) quantity.Seconds {
				return a.size(0).Over(quantity.Bandwidth(a.num(1))*a.speed(2)) + quantity.Seconds(a.num(3))*a.time(4)
			}),
		measure("gather_bus_bandwidth", "What an all-gather or reduce-scatter of V bytes over N devices in the time T moves in or out of each: its bus bandwidth.",
			"(N - 1)/N * V/T", "the NCCL tests", bandwidth, timed, func(a args) quantity.Quantity {
				return quantity.Bandwidth(float64(network.AllGatherTime(a.size(0), a.num(1), 1)) / a.num(2)).Quantity()
			}),
		measure("all_reduce_bus_bandwidth", "What an all-reduce of V bytes over N devices in the time T moves in or out of each, if no switch adds: its bus bandwidth.",
			"2 * (N - 1)/N * V/T", "the NCCL tests", bandwidth, timed, func(a args) quantity.Quantity {
				return quantity.Bandwidth(float64(network.AllReduceTime(a.size(0), a.num(1), 1)) / a.num(2)).Quantity()
			}),
	}
}

// ratio is a plain number.
func ratio(x float64) quantity.Quantity { return quantity.Quantity{Value: x} }
