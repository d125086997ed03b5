package serving

import "math"

// reserves is the share of the tokens that running requests have yet to write for which an engine keeps room when it
// lets another in. vLLM keeps none and grows caches a page at a time. SGLang keeps a share that falls to a seventh of
// 0.7 while nothing runs out (new_token_ratio). TensorRT-LLM lets in only what surely ends (GUARANTEED_NO_EVICT), and
// MaxText has slots of the full length.
var reserves = map[string]float64{"vllm": 0, "sglang": 0.1, "trtllm": 1, "maxtext": 1}

// Reserves is [Engine.Reserve] of an engine by its name; of others that of vLLM.
func Reserves(engine string) float64 { return reserves[engine] }

// hold is how many requests a cache holds at a time, on average.
type hold struct {
	running float64 // that have their caches
	begun   float64 // the same, and those that had to give theirs back and wait to go on
	again   float64 // tokens of a request that are computed once more after that
}

// written is how much of its answer a request has, of those that give their caches back: they are the last that came.
const written = 1. / 12

// hold is what becomes of c requests under way. While there is room everything that waits is let in. Of requests that
// came at different times each has half of its answer, and room is kept for a share of the other half:
//
//	n (In + Out (1 + Reserve)/2) = tokens of the cache
//
// Lengths at a time differ, by sqrt(n) Out over all: whenever there is room by chance, it is given to prompts, and
// taken back as answers grow, the last first. So sqrt(n) Out/(In + Out/12) have begun and wait, if there are as many
// requests. Of one request that is as many tokens to compute again as it writes: what ends leaves room for Out/In
// prompts besides its follower, and those that run need that room before the next one ends. All three, the reserve's
// exp(-Reserve/(1 - Reserve) sqrt(3n)) that it still happens and Out/12 are held to a simulation of the scheduler.
func (r *Replica) hold(c float64, l Load) hold {
	limit := c
	if r.Engine.Sequences > 0 {
		limit = min(c, r.Engine.Sequences*float64(r.DP))
	}
	fit := r.Fit(l)
	if fit < 1 || limit <= fit {
		n := max(limit, 1)
		return hold{running: n, begun: n}
	}
	h := hold{running: fit}
	chance := 0.0
	if kept := r.reserve(); kept < 1 {
		chance = math.Exp(-kept / (1 - kept) * math.Sqrt(3*fit))
	}
	many := math.Sqrt(fit*chance) * l.Out / (l.In + l.Out*written)
	h.begun = fit + min(many, limit-fit)
	if many > 0 {
		h.again = chance * l.Out * (h.begun - fit) / many
	}
	return h
}

// Fit is how many requests run at once by memory alone, on average; below 1 if not even one can end.
func (r *Replica) Fit(l Load) float64 {
	last := r.Memory(l.In + l.Out).Sequences
	if last < float64(r.DP) {
		return math.Floor(last)
	}
	return math.Floor(max(r.Memory(r.Grown(1e9, l)).Sequences, last))
}

// Grown is the tokens that each of n requests has in the cache on average; the last that an attention group is left
// with must be able to end.
func (r *Replica) Grown(n float64, l Load) float64 {
	return max(l.In+l.Out*(1+r.reserve())/2, (l.In+l.Out)/max(n/float64(r.DP), 1))
}

// reserve is the share of answers to come that room is kept for.
func (r *Replica) reserve() float64 {
	if r.Engine.Reserve > 0 {
		return min(r.Engine.Reserve, 1)
	}
	return Reserves(r.Engine.Name)
}
