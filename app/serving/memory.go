package serving

import (
	"math"

	"github.com/scalebook/scalebook/app/hardware"
)

// Memory is what one chip of a replica holds, in bytes, as engines budget it.
type Memory struct {
	Weights     float64
	Activations float64 // of the largest step
	Workspace   float64 // of the process, its allocator and collectives; captured graphs lie beside the share
	Cache       float64 // what is left for caches
	Sequence    float64 // what a sequence of the stated length takes of the cache, paging waste included
	Sequences   float64 // that fit over the whole replica; below 1 nothing runs
}

// What engines keep besides weights, caches and the activations of a step.
const (
	page = 16 // tokens of a cache block

	// graphs is the bytes that captured graphs take: 0.2 to 0.7 GiB in logs of vLLM on one chip, 0.6 in the middle.
	// They lie beside the share that the engine was given, as activations do with SGLang, until vLLM 0.21 counts them.
	graphs = 600 << 20

	// sampling is the copies of the logits, 4 bytes a word, that choosing tokens makes at its peak in vLLM: the logits,
	// sorted, with their 8-byte places, probabilities and their sums. Logs of 2024 and 2025, where it is the largest
	// part of a step: 9.7 (Qwen3, 8B and 235B), 9.6 (Phi-4), 10.3 (Llama 3 8B). Since 0.20 kernels choose without
	// sorting all: 5.6 to 7.2 in logs of 2026, but 10.1 on a GPU of AMD’s. Where FlashInfer chooses, there is no
	// sorting: 3.2 in two logs of 0.10.1 that say so (Qwen2 7B). Other engines need the logits and their probabilities.
	sampling     = 9.7
	samplingNow  = 7
	unsorted     = 3.2
	sampledFused = 2
	sampled      = 256 // sequences that choose at once where nothing says how many: vLLM’s default below 70 GiB
)

// Memory budgets a chip for sequences that grow to T tokens.
func (r *Replica) Memory(T float64) Memory {
	m := Memory{Weights: max(r.weightsOnChip()-r.Offload, 0), Activations: r.activations(), Workspace: r.workspace()}
	used := m.Weights + m.Activations + m.Workspace
	free := r.Chip.Memory - r.beyond() - used
	if r.OfFree {
		m.Cache = r.Share * free
	} else {
		m.Cache = min(cacheCapacity(r.Chip.Memory, r.Share, m.Weights, m.Activations, m.Workspace), free)
	}
	m.Cache = math.Max(m.Cache, 0)
	m.Sequence = r.stage(float64(r.CacheBytes(T+page/2))/r.cacheSplit(), 0, 0)
	if r.Engine.Tokens > 0 {
		m.Cache = r.Engine.Tokens * m.Sequence / (T + page/2) / float64(r.DP)
	}
	if m.Sequence > 0 {
		m.Sequences = m.Cache / m.Sequence * float64(r.DP)
	}
	return m
}

// workspace is what an engine keeps inside its share that is neither weights nor of a step: what the process allocates,
// and graphs where they count.
func (r *Replica) workspace() float64 {
	if r.graphsCount() {
		return r.process() + r.graphs()
	}
	return r.process()
}

// process is what a process keeps inside the engine's share. The context that opening a chip takes lies outside, but
// with old releases of vLLM.
func (r *Replica) process() float64 {
	if r.contextCounts() {
		return r.nonTorch() + hardware.Context
	}
	return r.nonTorch()
}

// beyond is what a chip keeps besides, whatever the engine's share is: the context of the process, and graphs that
// don't count.
func (r *Replica) beyond() float64 {
	bytes := hardware.Context + r.graphs()
	if r.contextCounts() {
		bytes -= hardware.Context
	}
	if r.graphsCount() {
		bytes -= r.graphs()
	}
	return bytes
}

// graphs is the bytes that captured graphs take: none where none is captured.
func (r *Replica) graphs() float64 {
	if r.Graphless {
		return 0
	}
	return graphs
}

// relieved is r with as much of its weights left to the host, up to most bytes a chip, as n requests lack.
func (r *Replica) relieved(n float64, load Load, most float64) *Replica {
	if most == 0 {
		return r
	}
	m, left := r.Memory(r.Grown(n, load)), *r
	used, need := m.Weights+m.Activations+m.Workspace, n/float64(r.DP)*m.Sequence
	free := r.Chip.Memory - r.beyond() - used
	lack := need - min(r.Share*r.Chip.Memory-used, free)
	if r.OfFree {
		lack = need/r.Share - free
	}
	left.Offload = min(max(lack, 0), most, r.weightsOnChip())
	return &left
}

// weightsOnChip is the weights that the fullest chip holds.
func (r *Replica) weightsOnChip() float64 {
	layers := r.layerBytes()
	body := layers[0] + layers[1] + layers[2]
	first, last := r.tableBytes()
	share, begins, ends := r.fullest(body, first, last)
	sum := body * share
	if begins {
		sum += first + r.beside()
	}
	if ends {
		sum += last
	}
	return sum
}

// stage is what the fullest stage holds of layers of so many bytes, of the table before the first and of that behind
// the last of them. As vLLM deals them out, layers that are left over go one each to the stages before the last.
func (r *Replica) stage(layers, first, last float64) float64 {
	if r.PP == 1 {
		return layers + first + last
	}
	each, least, over := layers/r.Layers, math.Floor(r.Layers/float64(r.PP)), int(r.Layers)%r.PP
	most := least
	if over > 0 {
		most++
	}
	if over == r.PP-1 {
		return max(most*each+first, least*each+last)
	}
	return max(most*each, least*each+max(first, last))
}

// padding is how much larger routed experts in 4 bits are on a chip than in their file: kernels want widths that their
// tiles divide. Those of vLLM take a model's width in steps of 256, and that of an expert in steps of 128 where 4 bits
// are widened before they are multiplied (Marlin), of 256 where they are not, in mxfp4: nvfp4 keeps steps of 128, as
// Qwen 3.8 Flash-Next with experts 640 wide takes 68.7 GiB on a GB10, with what libraries allocate.
func (r *Replica) padding() float64 {
	if r.Precision.Experts >= 0.9 || r.Blocks == 0 || r.Engine.Name == "llama.cpp" {
		return 1
	}
	inner, tile := float64(r.Shape.Model.ExpertWidth())/float64(r.ETP), 128.0
	if r.Peak4 > 0 && r.Precision.Experts > Int4 && r.Precision.Experts < mostMXFP4 {
		tile = 256
	}
	outer := r.Width
	if n := r.Shape.Model.MoE.Latent; n > 0 {
		outer = float64(n)
	}
	return stepped(inner, tile) / inner * stepped(outer, 256) / outer
}

// mostMXFP4 lies between the bytes of an element in mxfp4, with a byte for each 32, and in nvfp4, for each 16. Integers
// of 4 bits, which no unit multiplies, take less than either ([Int4]).
const mostMXFP4 = 4.375 / 8

// stepped is x up to the next whole number of steps.
func stepped(x, step float64) float64 { return math.Ceil(x/step) * step }

// activations is what a step holds at its peak: the largest of a dense MLP, of the routed experts and of the logits.
// Before and after a layer there are two rows of the width for each token; an MLP has its two inner projections and
// their product; experts the same for each that a token chose, and their answers before they are summed.
func (r *Replica) activations() float64 {
	m, tp := r.Shape.Model, float64(r.TP)
	row := 0.0
	if r.Dense > 0 {
		row = 3 * float64(m.FFWidth) / tp
	}
	if r.Blocks > 0 {
		row = max(row, r.PerToken*(3*float64(m.ExpertWidth())/float64(r.ETP)+r.Width))
	}
	rows := r.Chunk * (2*r.Width + row) * activation
	choosing := r.Engine.Sequences
	if choosing == 0 {
		choosing = sampled
	}
	copies := float64(samplingNow)
	if v := r.Engine.Release; v > 0 && v < 20 || r.amd() {
		copies = sampling
	}
	if r.Unsorted {
		copies = unsorted
	}
	if r.Engine.Name != "" && r.Engine.Name != "vllm" {
		copies = sampledFused
	}
	trial := 0.0
	if v := r.Engine.Release; r.foreign() && (v == 0 || v >= 21) { // before, frames were tried one by one
		trial = min(r.Trial, trialShare*r.Chip.Memory)
	}
	if r.TrialSplit > 0 && r.Engine.Name == "vllm" { // the largest image
		trial = r.Trial + r.TrialSplit/tp
	}
	return max(rows, copies*4*choosing*float64(m.Vocab), trial)
}

// trialShare is the share of a chip up to which vLLM puts the frames of a video into one step of an encoder.
const trialShare = 0.1

// foreign tells whether an encoder is run as its publisher wrote it, whole on every chip.
func (r *Replica) foreign() bool { return r.Trial > 0 && r.TrialSplit == 0 && r.Engine.Name == "vllm" }

// beside is the weights beside the text model on a chip. Routed experts of a draft lie where those of the model do.
func (r *Replica) beside() float64 {
	kept := r.adapters() + r.Guessed/float64(r.EP*r.ETP)
	bytes := r.Beside - r.Guessed
	if r.foreign() {
		return bytes + kept
	}
	if r.Engine.Name == "llama.cpp" { // has the encoder in a file of its own
		encoder, _, _ := beside(r.Shape.Model.ID)
		bytes = max(bytes-encoder, 0)
	}
	return bytes/float64(r.TP) + kept
}

// adapters is the memory that vLLM and SGLang keep on a chip for low-rank adapters of all matrices of attention and of
// MLPs, as large as the largest may be, whether any is loaded: in 16 bits, r rows of what goes in and r columns of what
// comes out of each. Of matrices whose outputs are split over chips each chip has the rows whole, of the others (after
// attention, and out of the MLP) the columns: 7 D, and a part of 2 N H + 2 K H + 3 F. Those of experts, of latents and
// of linear layers are not counted.
func (r *Replica) adapters() float64 {
	m, sum := r.Shape.Model, 0.0
	if !m.TakesAdapters() {
		return 0
	}
	tp := float64(r.TP)
	for i := range m.Layers {
		l := m.Layer(i)
		heads := 2*float64(l.Heads)/tp + 2*max(float64(l.KVHeads)/tp, 1)
		sum += 7*float64(m.Width) + heads*float64(l.HeadSize) + 3*float64(m.FFWidth)/tp
	}
	return 2 * r.Engine.Adapters * r.Engine.Rank * sum / float64(r.PP)
}

// Reserves is [Engine.Reserve] of an engine by its name, the share of the tokens that running requests have yet to
// write for which it keeps memory when it lets another in. vLLM keeps none and grows caches a page at a time. SGLang
// keeps a share that falls to a seventh of 0.7 while nothing runs out (new_token_ratio). TensorRT-LLM lets in only what
// surely ends (GUARANTEED_NO_EVICT), and MaxText has slots of the full length. Of others it is that of vLLM.
func Reserves(engine string) float64 {
	switch engine {
	case "sglang":
		return 0.1
	case "trtllm", "maxtext":
		return 1
	}
	return 0
}

// hold is how many requests a cache holds at a time, on average.
type hold struct {
	running float64 // that have their caches
	started float64 // the same, and those that had to give theirs back and wait to go on
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
// taken back as answers grow, the last first. So sqrt(n) Out/(In + Out/12) have started and wait, if there are as many
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
		return hold{running: n, started: n}
	}
	h := hold{running: fit}
	chance := 0.0
	if kept := r.reserve(); kept < 1 {
		chance = math.Exp(-kept / (1 - kept) * math.Sqrt(3*fit))
	}
	many := math.Sqrt(fit*chance) * l.Out / (l.In + l.Out*written)
	h.started = fit + min(many, limit-fit)
	if many > 0 {
		h.again = chance * l.Out * (h.started - fit) / many
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

// Reuse is who comes back to the prefixes of prompts: so many sessions at a time, each with a prefix of so many tokens
// that all its next prompts begin with.
type Reuse struct {
	Sessions float64
	Prefix   float64 // tokens that a session's next prompt shares with what is cached
	Prompt   float64 // tokens of that prompt
	Orderly  bool    // sessions take turns, so that the oldest is always the next; otherwise they come at random
}

// Hit is the share of a prompt that is found in a cache of so many tokens, of which those who run need some. As long as
// the working set, all sessions' prefixes, fits, everything is found. Once it doesn't, sessions at random still find
// the share that fits; those that take turns find nothing: what is dropped is always what comes next.
func (u Reuse) Hit(capacity float64) float64 {
	if u.Prompt <= 0 || u.Prefix <= 0 {
		return 0
	}
	whole := min(u.Prefix/u.Prompt, 1)
	set := u.Sessions * u.Prefix
	switch {
	case set <= capacity:
		return whole
	case u.Orderly || capacity <= 0:
		return 0
	}
	return whole * capacity / set
}

// PrefixCapacity is the tokens that a replica's cache has left for prefixes beside those who run.
func (r *Replica) PrefixCapacity(running float64, l Load) float64 {
	m := r.Memory(l.In + l.Out)
	if m.Sequence == 0 {
		return 0
	}
	return max(m.Sequences-running, 0) * (l.In + l.Out)
}
