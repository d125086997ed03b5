package serving

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Laws are the laws of a step of serving, and of what it leaves of the memory. A step is priced by the Go functions
// beside them, so that a sheet which opens a plan computes what the search computed.
func Laws() []law.Law {
	return slices.Concat(productLaws(), collectiveLaws(), budgetLaws(), textbookLaws())
}

// productLaws are the times of products and of attention on one chip.
func productLaws() []law.Law {
	return []law.Law{
		{Name: "product_time", Takes: "N, rows, size byte, read byte/s > 0, rate FLOP/s > 0", Gives: "s",
			Formula: "max(N * size/read, 2 FLOP * N * rows/rate)", Source: law.AustinInference,
			Go: func(a law.Args) (float64, error) {
				return productTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4)), nil
			},
			Doc: "Time of matrices of N elements on a chip, times so many rows: reading them or the matmuls, " +
				"whichever takes longer. size is the bytes of an element."},
		{Name: "expert_time", Takes: "n, rows, N, size byte, read byte/s > 0, rate FLOP/s > 0, tile", Gives: "s",
			Formula: "max(n * N * size/read, 2 FLOP * n * N * (rows + tile)/rate)", Source: law.Served,
			Go: func(a law.Args) (float64, error) {
				return expertTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4), a.Num(5), a.Num(6)), nil
			},
			Doc: "Time of n experts that a chip reads, each of N elements and multiplied with so many rows. A " +
				"product of few rows takes as long as one of some more, the tile."},
		{Name: "experts_read", Takes: "E >= 1, k >= 1, B > 0, ranks >= 1", Gives: "expert",
			Formula: "if(k < E, (1 - (1 - k/E)^B) * ceil(E/ranks), ceil(E/ranks)) * 1 expert", Source: law.Counted,
			Go: func(a law.Args) (float64, error) {
				return expertsRead(a.Num(0), a.Num(1), a.Num(2), a.Num(3)), nil
			},
			Doc: "Experts of a layer that the fullest of so many ranks reads for a batch of B tokens, if each token " +
				"chooses k of E evenly."},
		{Name: "decode_attention_time", Takes: "B, each byte, ops FLOP, read byte/s > 0, rate FLOP/s > 0", Gives: "s",
			Formula: "B * max(each/read, ops/rate)", Source: law.AustinInference,
			Go: func(a law.Args) (float64, error) {
				return attentionTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4)), nil
			},
			Doc: "Time of attention for B sequences that decode: each reads its own cache, or computes on it, " +
				"whichever takes longer. No batch shares that."},
	}
}

// productTime is the law product_time.
func productTime(n, rows, size, read, rate float64) float64 { return max(n*size/read, 2*n*rows/rate) }

// expertTime is the law expert_time.
func expertTime(experts, rows, n, size, read, rate, tile float64) float64 {
	return max(experts*n*size/read, 2*experts*n*(rows+tile)/rate)
}

// expertsRead is the law experts_read.
func expertsRead(experts, perToken, tokens, ranks float64) float64 {
	return model.ExpertsTouched(experts, perToken, tokens) / experts * math.Ceil(experts/ranks)
}

// attentionTime is the law decode_attention_time.
func attentionTime(sequences, each, ops, read, rate float64) float64 {
	return sequences * max(each/read, ops/rate)
}

// startFormula is the fixed time of a collective: it grows by a quarter with each doubling of its members.
const startFormula = "if(N > 1, start * (1 + (log2(N) - 1)/4), 0 s)"

// collectiveLaws are the times of collectives in a step, fixed times included.
func collectiveLaws() []law.Law {
	const wires = "W byte/s > 0, start s"
	return []law.Law{
		{Name: "collective_start", Takes: "N >= 1, start s", Gives: "s", Formula: startFormula, Source: law.Served,
			Go: func(a law.Args) (float64, error) { return a.Num(1) * rounds(a.Num(0)), nil },
			Doc: "The fixed time of a collective of N chips: that of a pair, and a quarter more of it with each " +
				"doubling. A chip alone needs none."},
		{Name: "step_all_reduce_time", Takes: "V byte, N >= 1, ring switch, " + wires + ", begin s", Gives: "s",
			Formula: "collective_start(N, start) + if(N > 1, if(ring, 2 * (N - 1)/N * V/W, " +
				"min((N - 1) * V/W, begin + 2 * (N - 1)/N * V/W)), 0 s)", Source: law.Served,
			Go: func(a law.Args) (float64, error) {
				return allReduceTime(a.Num(0), a.Num(1), a[2].On, a.Num(3), a.Num(4), a.Num(5)), nil
			},
			Doc: "A sum of V bytes over N chips of one scale-up domain in a step of serving. Behind a switch each " +
				"chip reads the vectors of all others, or they go around a ring, which takes longer to begin: " +
				"whichever is faster. W is the rate at which a chip takes data in."},
		{Name: "step_two_widths_time", Takes: "V byte, U byte, X >= 1, Y >= 1, axes >= 2, " + wires, Gives: "s",
			Formula: "step_all_reduce_time(V/X, Y, on, W * (axes - 1)/axes, start, 0 s) + " +
				"step_all_reduce_time(U/Y, X, on, W/axes, start, 0 s)", Source: law.Pope,
			Go: func(a law.Args) (float64, error) {
				return twoWidthsTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4), a.Num(5), a.Num(6)), nil
			},
			Doc: "The collectives of an MLP on a torus whose weights are split by both widths: by the outer one, " +
				"V bytes of activations, over X chips on one axis, by the inner one, U bytes, over Y chips on the " +
				"others."},
		{Name: "step_exchange_time", Takes: "V byte, N >= 1, " + wires, Gives: "s",
			Formula: "2 * collective_start(N, start) + V/W", Source: law.Served,
			Go: func(a law.Args) (float64, error) {
				return exchangeTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3)), nil
			},
			Doc: "The two all-to-alls of a layer with experts over N chips of one scale-up domain: tokens out and " +
				"back, V bytes of a chip both ways."},
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
		{Name: "cache_memory", Takes: "memory byte, share, weights byte, activations byte, workspace byte",
			Gives: "byte", Formula: "max(share * memory - weights - activations - workspace, 0 byte)",
			Source: "how vLLM budgets a device’s memory",
			Go: func(a law.Args) (float64, error) {
				return cacheCapacity(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4)), nil
			},
			Doc: "What a chip has left for caches: the share of its memory that the engine takes, less weights, the " +
				"activations of the largest step, and what the process, its allocator and collectives keep. memory is what " +
				"programs can have of it; captured graphs lie beside the share."},
		{Name: "sequences_held", Takes: "memory byte, each byte > 0, groups", Gives: "sequence",
			Formula: "memory/each * groups * 1 sequence", Source: law.Counted,
			Doc: "How many sequences the caches of a replica hold: each takes so many bytes of a chip of its " +
				"attention group."},
		{Name: "requests_under_way", Takes: "rate 1/s, time s", Gives: "request",
			Formula: "rate * time * 1 request", Source: "Little, A Proof for the Queuing Formula L = λW (1961)",
			Doc: "Little’s law: the requests under way are the rate at which they come times how long each stays."},
		{Name: "million_token_price", Takes: "price USD/s, chips, rate 1/s > 0", Gives: "USD",
			Formula: "1e6 * price * chips/rate", Source: law.Counted,
			Doc: "What a million tokens cost at a price of a chip, if so many chips deliver so many tokens a second."},
	}
}

// cacheCapacity is the law cache_memory.
func cacheCapacity(memory, share, weights, activations, workspace float64) float64 {
	return max(share*memory-weights-activations-workspace, 0)
}

// textbookLaws are the laws of serving without the constants that measurements add: of a decode step, of its split over
// chips, and of requests that queue for it.
func textbookLaws() []law.Law { return slices.Concat(stepLaws(), splitLaws(), queueLaws()) }

// stepLaws are those of one step.
func stepLaws() []law.Law {
	return []law.Law{
		{Name: "decode_step_time",
			Takes:   "weights byte, caches byte, work FLOP, bandwidth byte/s > 0, peak FLOP/s > 0",
			Gives:   "s",
			Formula: "caches / bandwidth + max(weights / bandwidth, work / peak)", Source: law.AustinInference,
			Doc: "A decode step: all caches are read while attention waits, then all weights, while the products " +
				"with them are computed. Bandwidth and peak are those of all chips together."},
	}
}

// splitLaws are those of an MLP that tensor parallelism splits over chips.
func splitLaws() []law.Law {
	return []law.Law{
		{Name: "decode_tp_limit",
			Takes:   "B > 0, F, bandwidth byte/s > 0, gather byte/s, w dtype = bf16, x dtype = bf16",
			Formula: "w.bytes / x.bytes * F / B * gather / bandwidth", Source: law.AustinInference,
			Doc: "Tensor-parallel degree up to which an MLP of inner width F hides its gathers of activations of " +
				"dtype x, if B tokens decode and it waits for its weights of dtype w from memory. gather is the rate " +
				"at which a chip takes activations in, over all mesh axes."},
		{Name: "weight_stationary_2d_time", Takes: "B, D, F, X >= 1, YZ >= 1, W byte/s > 0, d dtype = bf16",
			Gives:   "s",
			Formula: "d.bytes * B * D / (X * W) + 2 * d.bytes * B * F / (YZ * W)", Source: law.Pope,
			Doc: "Traffic of an MLP whose weights are split over both widths: D over X chips, F over YZ chips that " +
				"form two axes. W is what a chip takes in along one axis."},
	}
}

// queueLaws are those of a replica that serves up to so many requests at a time.
func queueLaws() []law.Law {
	takes := "rate 1/s, slots >= 1, prompt s, step s > 0, each s, out >= 1"
	where := "rate * (out * (step + floor(slots) * each) + floor(slots) * prompt) < floor(slots)"
	return []law.Law{
		{Name: "queue_wait", Takes: takes, Gives: "s", Go: queueWait, Source: law.BirthDeath,
			Where: where, Else: phrase.New("serving.queue-grows"),
			Doc: "Mean wait for a slot of requests that arrive at random: the number under way is a chain whose rate " +
				"of service is that of a replica with so many. A decode step takes step, and each for every request under way; " +
				"each request reads its prompt, while the others stall, and then decodes out tokens."},
		{Name: "queue_running", Takes: takes, Go: queueRunning, Source: law.BirthDeath,
			Where: where, Else: phrase.New("serving.queue-grows"),
			Doc: "Requests that hold a slot, on average, in the same chain."},
	}
}

func queueWait(a law.Args) (float64, error) {
	_, waiting := newDesk(a).mean(a.Num(0))
	return waiting / math.Max(a.Num(0), math.SmallestNonzeroFloat64), nil
}

func queueRunning(a law.Args) (float64, error) {
	running, _ := newDesk(a).mean(a.Num(0))
	return running, nil
}

// desk is a replica as a queue sees it.
type desk struct{ slots, prompt, step, each, out float64 }

// mostSlots are distinguished; a replica with more is never full in practice.
const mostSlots = 1 << 14

func newDesk(a law.Args) desk {
	return desk{math.Min(math.Floor(a.Num(1)), mostSlots), a.Num(2), a.Num(3), a.Num(4), a.Num(5)}
}

// service is the requests a second that leave with n under way.
func (l desk) service(n float64) float64 { return n / (l.out*(l.step+n*l.each) + n*l.prompt) }

// mean is how many requests hold a slot and how many wait: p(n) = p(n-1) rate/service(n), geometric beyond the slots.
func (l desk) mean(rate float64) (running, waiting float64) {
	p, sum := 1.0, 1.0
	for n := 1.0; n <= l.slots; n++ {
		p *= rate / l.service(n)
		sum, running = sum+p, running+n*p
		if p > 1e200 {
			p, sum, running = p/1e200, sum/1e200, running/1e200
		}
	}
	busy := rate / l.service(l.slots)
	tail := p * busy / (1 - busy)
	sum, running = sum+tail, running+l.slots*tail
	return running / sum, tail / (1 - busy) / sum
}
