package serving

import (
	"math"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// startFormula is the fixed time of a collective: it grows by a quarter with each doubling of its members.
const startFormula = "if(N > 1, start * (1 + (log2(N) - 1)/4), 0 s)"

// collectiveLaws are the times of collectives in a step, fixed times included.
func collectiveLaws() []law.Law {
	const wires = "W byte/s > 0, start s"
	return []law.Law{
		{Name: "collective_start", Takes: "N >= 1, start s", Gives: "s", Formula: startFormula, Source: law.Served,
			Go: func(a law.Args) (float64, error) { return a.Num(1) * rounds(a.Num(0)), nil },
			Doc: "The fixed time of a collective of N chips: that of a pair, and a quarter more of it with each doubling. A " +
				"chip alone needs none."},
		{Name: "step_all_reduce_time", Takes: "V byte, N >= 1, ring switch, " + wires + ", begin s", Gives: "s",
			Formula: "collective_start(N, start) + if(N > 1, if(ring, 2 * (N - 1)/N * V/W, " +
				"min((N - 1) * V/W, begin + 2 * (N - 1)/N * V/W)), 0 s)", Source: law.Served,
			Go: func(a law.Args) (float64, error) {
				return allReduceTime(a.Num(0), a.Num(1), a[2].On, a.Num(3), a.Num(4), a.Num(5)), nil
			},
			Doc: "A sum of V bytes over N chips of one scale-up domain in a step of serving. Behind a switch each chip reads " +
				"the vectors of all others, or they go around a ring, which takes longer to begin: whichever is faster. W is the " +
				"rate at which a chip takes data in."},
		{Name: "step_two_widths_time", Takes: "V byte, U byte, X >= 1, Y >= 1, axes >= 2, " + wires, Gives: "s",
			Formula: "step_all_reduce_time(V/X, Y, on, W * (axes - 1)/axes, start, 0 s) + " +
				"step_all_reduce_time(U/Y, X, on, W/axes, start, 0 s)", Source: law.Pope,
			Go: func(a law.Args) (float64, error) {
				return twoWidthsTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4), a.Num(5), a.Num(6)), nil
			},
			Doc: "The collectives of an MLP on a torus whose weights are split by both widths: by the outer one, V bytes " +
				"of activations, over X chips on one axis, by the inner one, U bytes, over Y chips on the others."},
		{Name: "step_exchange_time", Takes: "V byte, N >= 1, " + wires, Gives: "s",
			Formula: "2 * collective_start(N, start) + V/W", Source: law.Served,
			Go: func(a law.Args) (float64, error) {
				return exchangeTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3)), nil
			},
			Doc: "The two all-to-alls of a layer with experts over N chips of one scale-up domain: tokens out and back, V " +
				"bytes of a chip both ways."},
	}
}

// allReduceTime is the law step_all_reduce_time.
func allReduceTime(bytes, n float64, ring bool, wire, start, begin float64) float64 {
	if n <= 1 {
		return 0
	}
	around := float64(network.AllReduceTime(q.Bytes(bytes), n, q.Bandwidth(wire)))
	if ring {
		return start*rounds(n) + around
	}
	return start*rounds(n) + min((n-1)*bytes/wire, begin+around)
}

// twoWidthsTime is the law step_two_widths_time.
func twoWidthsTime(outer, inner, x, y, axes, wire, start float64) float64 {
	return allReduceTime(outer/x, y, true, wire*(axes-1)/axes, start, 0) +
		allReduceTime(inner/y, x, true, wire/axes, start, 0)
}

// exchangeTime is the law step_exchange_time.
func exchangeTime(bytes, n, wire, start float64) float64 { return 2*start*rounds(n) + bytes/wire }

// rounds is how the fixed time of a collective grows with its members: 1 for a pair, and a quarter more with each
// doubling.
func rounds(n float64) float64 {
	if n <= 1 {
		return 0
	}
	return 1 + (math.Log2(n)-1)/4
}

// budgetLaws are those of a chip's memory, of a loop of requests and of what a million tokens cost.
func budgetLaws() []law.Law {
	return []law.Law{
		{Name: "cache_room", Takes: "memory byte, share, weights byte, activations byte, workspace byte", Gives: "byte",
			Formula: "max(share * memory - weights - activations - workspace, 0 byte)",
			Source:  "how vLLM budgets a device’s memory",
			Go: func(a law.Args) (float64, error) {
				return cacheRoom(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4)), nil
			},
			Doc: "What a chip has left for caches: the share of its memory that the engine takes, less weights, the " +
				"activations of the largest step, and what the process, its allocator and collectives keep. memory is what " +
				"programs can have of it; captured graphs lie beside the share."},
		{Name: "sequences_held", Takes: "room byte, each byte > 0, groups", Gives: "sequence",
			Formula: "room/each * groups * 1 sequence", Source: law.Counted,
			Doc: "How many sequences the caches of a replica hold: each takes so many bytes of a chip of its attention group."},
		{Name: "requests_under_way", Takes: "rate 1/s, time s", Gives: "request",
			Formula: "rate * time * 1 request", Source: "Little, A Proof for the Queuing Formula L = λW (1961)",
			Doc: "Little’s law: the requests under way are the rate at which they come times how long each stays."},
		{Name: "million_token_price", Takes: "price USD/s, chips, rate 1/s > 0", Gives: "USD",
			Formula: "1e6 * price * chips/rate", Source: law.Counted,
			Doc: "What a million tokens cost at a price of a chip, if so many chips deliver so many tokens a second."},
	}
}

// cacheRoom is the law cache_room.
func cacheRoom(memory, share, weights, activations, workspace float64) float64 {
	return max(share*memory-weights-activations-workspace, 0)
}
