package library

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// networkLawTable is the laws of app/network as sheets see them: name, parameters, unit of the result, source, formula
// in sheet notation, documentation.
//
//go:embed network_laws.tsv
var networkLawTable string

const (
	austinTPUs = "Austin et al., How To Scale Your Model (2025), part 2"
	austinGPUs = "Austin et al., How To Scale Your Model (2025), part 12"
)

// networkSource is a source of the table.
func networkSource(key string) string {
	switch key {
	case "tpus":
		return austinTPUs
	case "sharding":
		return austinSharding
	case "gpus":
		return austinGPUs
	case "thakur":
		return "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH (2005)"
	case "nccl":
		return "the NCCL tests"
	case "played":
		return "counted on a schedule played step by step"
	}
	return counting
}

// networkLaws are the laws of app/network.
func networkLaws() []law {
	laws := make([]law, 0, len(networkCalls))
	for line := range strings.Lines(networkLawTable) {
		c := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 6)
		if len(laws) < len(networkCalls) && len(c) == 6 {
			laws = append(laws, networkLaw(c, networkCalls[len(laws)]))
		}
	}
	return laws
}

// networkLaw is one row of the table with the function that computes it.
func networkLaw(c []string, value func(x []float64) float64) law {
	l := law{name: c[0], source: networkSource(c[3]), formula: c[4], doc: c[5], result: resultType(c[2])}
	for _, name := range strings.Fields(c[1]) {
		l.params = append(l.params, of(name, paramType(name)))
	}
	result := quantity.Quantity{Dim: l.result.Dim}
	if c[2] == "hop" {
		result.Label.Over = "hop"
	}
	l.call = func(a args) (quantity.Quantity, error) {
		var x [5]float64
		for i, p := range l.params {
			x[i] = a.num(i)
			if err := possible(p, a[i]); err != nil {
				return quantity.Quantity{}, err
			}
		}
		q := result
		if q.Value = value(x[:]); !q.IsFinite() {
			return q, &network.Error{What: l.name + " has no finite value here", Remedy: "give more than one chip or unit, and sizes that can be"}
		}
		return q, nil
	}
	return l
}

func resultType(unit string) sheet.Type {
	switch unit {
	case "s":
		return seconds
	case "byte":
		return bytes
	case "byte/s":
		return bandwidth
	}
	return plain
}

// paramType is what a parameter of the table takes, which its name says.
func paramType(name string) sheet.Type {
	switch name {
	case "V":
		return bytes
	case "W", "W_oneway", "W_twoway", "egress":
		return bandwidth
	case "hop", "alpha", "T":
		return seconds
	}
	return plain
}

// possible refuses what no network has: less than one chip, no bandwidth, an array of less than nothing.
func possible(p sheet.Param, v sheet.Value) error {
	x, remedy := v.Num.Value, ""
	switch {
	case p.Type == bandwidth && !(x > 0):
		remedy = "give a bandwidth above 0"
	case p.Type == plain && p.Name != "k" && p.Name != "hops" && !(x >= 1):
		remedy = "give 1 or more"
	case !(x >= 0):
		remedy = "give 0 or more"
	default:
		return nil
	}
	return &network.Error{What: p.Name + " is " + v.Num.String(), Remedy: remedy}
}

// networkCalls compute the rows of the table, in their order, from their parameters in base units.
var networkCalls = [...]func(x []float64) float64{
	// all-gather, reduce-scatter, all-reduce
	gatherRough, gather, gatherRough, gather,
	func(x []float64) float64 { return 2 * gatherRough(x) },
	func(x []float64) float64 { return 2 * gather(x) },
	gatherRough,
	func(x []float64) float64 { return 2 * (x[0] - 1) / x[0] },
	func(x []float64) float64 {
		return float64(network.AllReduceLine(quantity.Bytes(x[0]), x[1], quantity.Bandwidth(x[2]), x[3]))
	},
	// hops and latency
	func(x []float64) float64 { return network.RingHops(x[0]) },
	func(x []float64) float64 { return network.LineHops(x[0]) },
	func(x []float64) float64 { return network.TreeHops(x[0]) },
	func(x []float64) float64 { return network.RingMeanHops(x[0]) },
	func(x []float64) float64 { return network.LineMeanHops(x[0]) },
	func(x []float64) float64 { return max(x[3]*x[1]/2, x[0]/x[2]) },
	func(x []float64) float64 { return max(x[3]*network.RingHops(x[1]), gather(x)) },
	func(x []float64) float64 { return max(x[3]*network.LineHops(x[1]), gather(x)) },
	func(x []float64) float64 {
		return float64(network.LatencyBound(x[0], quantity.Seconds(x[1]), quantity.Bandwidth(x[2]), 1))
	},
	func(x []float64) float64 { return x[1] + x[0]/x[2] },
	// all-to-all
	func(x []float64) float64 { return gatherRough(x) / 4 },
	func(x []float64) float64 {
		return float64(network.AllToAllRing(quantity.Bytes(x[0]), x[1], quantity.Bandwidth(x[2])))
	},
	func(x []float64) float64 { return gatherRough(x) / 2 },
	func(x []float64) float64 {
		return float64(network.AllToAllRingOneWay(quantity.Bytes(x[0]), x[1], quantity.Bandwidth(x[2])))
	},
	func(x []float64) float64 {
		return float64(network.AllToAllAxis(quantity.Bytes(x[0]), x[1], x[2], quantity.Bandwidth(x[3])))
	},
	func(x []float64) float64 { return exchangeRough(x[0], x[1], x[2]) },
	func(x []float64) float64 { return exchange(x[0], x[1], x[2]) },
	func(x []float64) float64 { return network.RaggedShareShortcut(x[0], x[1]) },
	func(x []float64) float64 { return network.RaggedShare(x[0], x[1]) },
	func(x []float64) float64 {
		return network.RaggedShareShortcut(x[2], x[1]) * exchangeRough(x[0], x[1], x[3])
	},
	func(x []float64) float64 { return network.RaggedShare(x[2], x[1]) * exchange(x[0], x[1], x[3]) },
	// broadcast and permute
	gatherRough,
	func(x []float64) float64 {
		return float64(network.BroadcastLine(quantity.Bytes(x[0]), x[1], quantity.Bandwidth(x[2]), x[3]))
	},
	func(x []float64) float64 { return network.TreeHops(x[1]) * x[0] / x[2] },
	func(x []float64) float64 { return x[1] * x[0] / x[2] },
	// trees
	func(x []float64) float64 { return float64(network.LevelBandwidth(x[0], quantity.Bandwidth(x[1]))) },
	func(x []float64) float64 {
		return float64(network.LevelBandwidthExact(x[0], x[1], quantity.Bandwidth(x[2])))
	},
	func(x []float64) float64 {
		return float64(network.ShardedGatherInNode(quantity.Bytes(x[0]), x[1], x[2], quantity.Bandwidth(x[3])))
	},
	func(x []float64) float64 {
		return float64(network.ShardedGatherBetweenNodes(quantity.Bytes(x[0]), x[1], x[2], quantity.Bandwidth(x[3])))
	},
	func(x []float64) float64 {
		return float64(network.ShardedGatherTime(quantity.Bytes(x[0]), x[1], x[2], x[3], quantity.Bandwidth(x[4])))
	},
	// wires
	func(x []float64) float64 { return x[0]/(x[1]*x[2]) + x[3]*x[4] },
	gather,
	func(x []float64) float64 { return 2 * gather(x) },
}

// gather is (N-1)/N V/W of V, N, W; with a time in the place of W it is what moves in or out of each device in it.
func gather(x []float64) float64 {
	return float64(network.AllGatherTime(quantity.Bytes(x[0]), x[1], quantity.Bandwidth(x[2])))
}

// gatherRough is V/W of V, W.
func gatherRough(x []float64) float64 {
	return float64(network.AllGatherShortcut(quantity.Bytes(x[0]), quantity.Bandwidth(x[1])))
}

func exchange(v, n, w float64) float64 {
	return float64(network.AllToAllSwitch(quantity.Bytes(v), n, quantity.Bandwidth(w)))
}

func exchangeRough(v, n, w float64) float64 {
	return float64(network.AllToAllSwitchShortcut(quantity.Bytes(v), n, quantity.Bandwidth(w)))
}
