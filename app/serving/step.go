package serving

import (
	"math"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Work is what one step does, over the whole replica.
type Work struct {
	Prompt    float64 // tokens of prompts
	Prompts   float64 // pieces of prompts that they are in; 0 means 1
	Before    float64 // tokens that each of them follows, already in the cache
	Sequences float64 // that generate a token each
	Context   float64 // tokens that each of those looks at
	Verify    float64 // tokens checked for each sequence, the generated one included; 0 means 1
}

// Step is the time of a step by part, in seconds. Its parts follow one another: the total is their sum.
type Step struct {
	Projections float64 // attention's weights
	Cache       float64 // keys and values read by the sequences that decode
	Scores      float64 // attention of prompts
	Dense       float64 // dense MLPs and shared experts
	Experts     float64 // routed experts
	Logits      float64 // the head, of the tokens that are chosen
	Collectives float64 // between the chips of the replica
	Fixed       float64 // floors
	Host        float64 // weights that stay in the host's memory, read over its link
}

// Total is the time of the step.
func (s Step) Total() float64 {
	return s.Projections + s.Cache + s.Scores + s.Dense + s.Experts + s.Logits + s.Collectives + s.Fixed + s.Host
}

// load is a step's work on the busiest chip.
type load struct {
	decode, prompt float64 // sequences and prompt tokens of the busiest attention group
	pieces         float64 // of prompts there
	rows           float64 // of its products
	all            float64 // rows over the whole replica, which the experts see
	sampled        float64 // rows of which logits are made
	guessed        float64 // of them, those of guesses
}

// load spreads w over the attention groups: whole sequences, as evenly as they go.
func (r *Replica) load(w Work) load {
	groups := float64(r.DP)
	l := load{pieces: max(w.Prompts, 1)}
	spread := min(groups, l.pieces)
	l.prompt, l.pieces = w.Prompt/spread, l.pieces/spread
	l.decode = w.Sequences / min(groups, max(w.Sequences, 1))
	l.rows = l.decode*max(w.Verify, 1) + l.prompt
	l.all = w.Sequences*max(w.Verify, 1) + w.Prompt
	l.sampled, l.guessed = l.decode*max(w.Verify, 1), l.decode*max(w.Verify-1, 0)
	if w.Prompt > 0 {
		l.sampled += l.pieces
	}
	return l
}

// Step prices a step: one pass through all stages of the pipeline. An engine that takes batches in halves does so where
// that is faster.
func (r *Replica) Step(w Work) Step {
	s := r.whole(w)
	if h, ok := r.halves(w); ok && h.Total() < s.Total() {
		return h
	}
	return s
}

// halves prices a step of which one half computes while the other exchanges tokens with experts: each half reads all
// weights, and what an exchange takes longer than the computation beside it remains. Whole sequences go into each half.
func (r *Replica) halves(w Work) (s Step, ok bool) {
	groups := 2 * float64(r.DP)
	if !r.Halves || r.DP == 1 || r.Blocks == 0 || w.Sequences > 0 && w.Sequences < groups ||
		w.Prompt > 0 && w.Prompts < groups {
		return s, false
	}
	w.Sequences, w.Prompt, w.Prompts = w.Sequences/2, w.Prompt/2, w.Prompts/2
	s = r.whole(w)
	beside := (s.Total() - s.Collectives) * r.Blocks / r.Layers
	s.Collectives -= min(r.Blocks*r.exchange(r.load(w)), beside)
	for _, part := range []*float64{&s.Projections, &s.Cache, &s.Scores, &s.Dense, &s.Experts, &s.Logits,
		&s.Collectives,
		&s.Fixed, &s.Host} {
		*part *= 2
	}
	return s, true
}

// whole prices a step that takes its batch at once.
func (r *Replica) whole(w Work) Step {
	l, tp := r.load(w), float64(r.TP)
	s := Step{
		Projections: r.product(l.rows, r.Attn/tp, r.Precision.Attention),
		Dense:       r.product(l.rows, (r.Dense+r.Shared)/tp, r.MLP),
		Logits:      r.product(l.sampled, r.Shape.Logits/tp, r.Tables),
		Cache:       r.cacheTime(l, w.Context, max(w.Verify, 1)),
		Scores:      r.scoreTime(l, w.Before),
		Experts:     r.expertTime(l.all),
		Collectives: r.collectiveTime(l),
	}
	if r.Offload > 0 { // nothing hides it: each layer waits for its weights
		s.Host = r.Offload * float64(r.PP) / r.Host
	}
	s.Fixed = r.fixed(l)
	s.Fixed += max(r.launches(l)-s.Total(), 0)
	return s
}

// fixed is the floors of a step.
func (r *Replica) fixed(l load) float64 {
	vectors := r.Passes * l.prompt * r.Width * activation / r.Bandwidth * r.Layers
	return r.lowerBound(r.Layer, r.Block, r.Latent) + r.Sequence*l.decode + r.Checked*l.guessed + vectors
}

// launches is how long it takes to launch a step kernel by kernel, as steps with prompts are unless they are so short
// that the engine has a graph for them, and all where it has none: the work hides behind it, or it behind the work.
func (r *Replica) launches(l load) float64 {
	if !r.Graphless && (l.prompt == 0 || l.rows <= r.Captured) {
		return 0
	}
	return r.lowerBound(r.Eager, 0, r.EagerLatent)
}

// lowerBound is a fixed time for each layer, for each expert that a token uses in one, and for each latent attention.
func (r *Replica) lowerBound(layer, block, latent float64) float64 {
	if r.Shape.Model.MLA.KVRank != 0 {
		layer += latent
	}
	return r.Layers*layer + r.Blocks*r.PerToken*block
}

// product is the time of matrices of so many elements, times so many rows: reading them, or the arithmetic.
func (r *Replica) product(rows, elements, bytes float64) float64 {
	if elements == 0 || rows == 0 {
		return 0
	}
	return productTime(elements, rows, bytes, r.reads(bytes), r.rate(bytes))
}

// reads is the bandwidth at which weights of so many bytes an element are read.
func (r *Replica) reads(bytes float64) float64 {
	if bytes < 0.9 {
		return r.Bandwidth * r.Weights4
	}
	return r.Bandwidth * r.Weights
}

// rate is the arithmetic that a large product reaches on weights of so many bytes an element.
func (r *Replica) rate(bytes float64) float64 {
	peak, width := r.peak(bytes)
	switch width {
	case 4:
		return peak * r.Math4
	case 8:
		return peak * r.Math8
	}
	return peak * r.Math16
}

// expertTime is that of the routed experts on the busiest rank, which has Imbalance times the mean of the rows where
// there are many ranks.
func (r *Replica) expertTime(tokens float64) float64 {
	if r.Blocks == 0 || tokens == 0 {
		return 0
	}
	n, rows := r.experts(tokens)
	return expertTime(n, rows, r.Expert/float64(r.ETP)*r.Blocks, r.Precision.Experts, r.Bandwidth*r.Sparse,
		r.rate(r.Precision.Experts)*r.Grouped, r.tile(rows))
}

// widened is the rows of an expert below which its product takes no less time, where weights of 4 bits are widened as
// they are read: kernels for that take blocks of as few (vLLM's fused_marlin_moe).
const widened = 8

// tile is how many rows more an expert's product of so many takes, since its last block is not full.
func (r *Replica) tile(rows float64) float64 {
	if _, width := r.peak(r.Precision.Experts); r.Precision.Experts < 0.9 && width == 16 {
		return min(r.Tile, widened)
	}
	if r.tuned() {
		return min(r.Tile, max(rows, fewestRows))
	}
	return r.Tile
}

// experts is how many experts of a layer the busiest rank reads, and the rows that each is multiplied with.
func (r *Replica) experts(tokens float64) (n, rows float64) {
	ranks := float64(r.EP)
	uneven := 1 + (r.Imbalance-1)*(1-1/ranks)
	free := 1 + max(tokens-1, 0)*r.Alike
	n = expertsRead(r.Shape.Experts, r.PerToken, free, ranks)
	rows = uneven * tokens * r.PerToken / model.ExpertsTouched(r.Shape.Experts, r.PerToken, free)
	if r.Spare > 0 { // copies share the rows
		slots := r.Shape.Experts + float64(r.Spare)
		n *= math.Ceil(slots/ranks) / math.Ceil(r.Shape.Experts/ranks)
		rows *= r.Shape.Experts / slots
	}
	return n, rows
}

// cacheTime is that of attention of the decoding sequences: reading their caches, or the arithmetic of latent
// attention.
func (r *Replica) cacheTime(l load, context, verify float64) float64 {
	if l.decode == 0 {
		return 0
	}
	bytes, ops := r.read(context)
	return attentionTime(l.decode, bytes, ops*verify, r.Bandwidth*r.Constants.Cache, r.Peak16*r.Score)
}

// read is what attention of a generated token reads of its cache on a chip, in bytes, and computes on it.
func (r *Replica) read(context float64) (bytes, ops float64) {
	bytes = r.State * 2 / float64(r.TP)
	for _, k := range r.kinds {
		seen := k.layers * k.seen(context)
		bytes += seen * k.reads / r.cacheSplit()
		ops += seen * k.perKey / float64(r.TP)
	}
	return bytes, ops
}

// cacheSplit is over how many chips of a group the cache of a sequence is split: by heads, then along the sequence.
func (r *Replica) cacheSplit() float64 {
	byHeads := min(float64(r.TP), r.KVHeads)
	return min(byHeads*float64(r.CP), float64(r.TP))
}

// scoreTime is that of attention of prompts to themselves and to what they follow.
func (r *Replica) scoreTime(l load, before float64) float64 {
	if l.prompt == 0 {
		return 0
	}
	return r.scores(l, before) / (r.Peak16 * r.Score)
}

// scores is the operations of attention over prompts on a chip.
func (r *Replica) scores(l load, before float64) float64 {
	ops := 0.0
	for _, k := range r.kinds {
		ops += k.layers * k.prefill * k.pairs(l.prompt/l.pieces, before) * l.pieces
	}
	return ops / float64(r.TP)
}

// kernel is a product of experts on a chip in 8 bits: how many experts, and the inner width of each there.
type kernel struct {
	chip           string
	experts, inner int
}

// tunedKernels are those for which vLLM or SGLang bring blocks tuned by the number of tokens: of 16 rows up to where an
// expert has as many, then of 64. Others have 64 from the start (fused_moe.py, get_default_config, with scales by
// block). vllm-project/vllm, vllm/model_executor/layers/fused_moe/configs: @645d18f, where the blocks were read,
// @c25660a, @e005580 and @dcb98f8; sgl-project/sglang, python/sglang/srt/layers/moe/fused_moe_triton/configs, for the
// last.
var tunedKernels = [...]kernel{
	{"gpu.h200", 256, 256}, // DeepSeek-V3 and R1 on eight chips
	{"gpu.h200", 128, 384}, // Qwen3 235B-A22B on four
	{"gpu.h200", 128, 768},
	{"gpu.h100", 128, 192},
	{"gpu.h100", 256, 128},
}

// fewestRows is the rows of the smallest block of a tuned kernel.
const fewestRows = 16

// tuned tells whether r's engine has blocks for the rows of r's experts.
func (r *Replica) tuned() bool {
	if r.Precision.Experts < 0.9 || r.Precision.Experts > 1.9 || r.Engine.Name == "trtllm" {
		return false
	}
	experts := int(math.Ceil((r.Shape.Experts + float64(r.Spare)) / float64(r.EP)))
	for _, k := range tunedKernels {
		if k.chip == r.Chip.ID && k.experts == experts && k.inner*r.ETP == r.Shape.Model.ExpertWidth() {
			return true
		}
	}
	return false
}

// Terms is a step, and what its laws are given: whoever has them can work the step out again.
type Terms struct {
	Step
	Rows, Sampled, Sequences, Prompt float64 // of an attention group, on each of its chips
	Tokens                           float64 // that the experts see, over the whole replica
	CacheBytes, CacheOps             float64 // that a chip reads, and computes on it, for a sequence that decodes
	ScoreOps                         float64 // attention over prompts, on a chip
	ExpertsRead, ExpertRows          float64 // experts of a layer that the busiest chip reads, and rows of each
	ExpertElements                   float64 // of an expert on a chip, over all its layers
	Tile                             float64 // rows of an expert below which its product takes no less time
	Sums, Exchanges, Exchanged       float64 // sums over the group, exchanges with experts, and bytes of each
	Wire                             float64 // byte/s that a chip has for those
	Widths                           float64 // dense MLPs that are split by both widths
	Beyond                           float64 // seconds of what is sent beyond the domain, over a split cache, to stages
	Read                             float64 // byte/s at which the weights of dense products are read
	Rate, ExpertRate, LogitRate      float64 // FLOP/s that products reach
	ScoreRate                        float64 // FLOP/s that attention reaches
	// seconds of a layer, and of launching a step with prompts kernel by kernel
	FixedLayer, Launches float64
}

// Terms prices a step that does the work w, and says from which numbers.
func (r *Replica) Terms(w Work) Terms {
	l := r.load(w)
	t := Terms{Step: r.Step(w), Rows: l.rows, Sampled: l.sampled, Sequences: l.decode, Prompt: l.prompt, Tokens: l.all,
		Read: r.reads(r.MLP), Rate: r.rate(r.MLP), ExpertRate: r.rate(r.Precision.Experts) * r.Grouped,
		LogitRate: r.rate(r.Tables), ScoreRate: r.Peak16 * r.Score}
	t.CacheBytes, t.CacheOps = r.read(w.Context)
	t.CacheOps *= max(w.Verify, 1)
	if l.prompt > 0 {
		t.ScoreOps = r.scores(l, w.Before)
	}
	t.Launches = r.launches(l)
	if r.Blocks > 0 {
		t.ExpertsRead, t.ExpertRows = r.experts(l.all)
		t.Tile = r.tile(t.ExpertRows)
		t.ExpertElements = r.Expert / float64(r.ETP) * r.Blocks
	}
	t.FixedLayer = r.lowerBound(r.Layer, 0, r.Latent) / r.Layers
	r.sent(&t, l)
	return t
}

// sent fills in the collectives: those within a scale-up domain by number, what is beyond as time.
func (r *Replica) sent(t *Terms, l load) {
	group, domain, ranks := float64(r.TP), float64(max(r.Domain, 1)), float64(r.EP*r.ETP)
	if t.Wire = r.wire(group); r.TP == 1 {
		t.Wire = r.wire(ranks)
	}
	if r.TP > 1 && group <= domain {
		t.Sums = 2 * r.Layers
		if r.DP > 1 {
			t.Sums -= r.Blocks
		}
		if r.WS > 1 {
			t.Widths = r.Layers - r.Blocks
			t.Sums -= t.Widths
		}
	}
	if r.DP > 1 && r.EP > 1 && ranks <= domain && r.wire(ranks) == t.Wire {
		t.Exchanges, t.Exchanged = r.Blocks, r.exchanged(l)
	}
	known := t.Sums * allReduceTime(l.rows*r.Width*activation, group, r.Torus, t.Wire, r.Collective, r.Begin)
	if t.Widths > 0 {
		known += t.Widths * r.twoWidths(l)
	}
	if t.Exchanges > 0 {
		known += t.Exchanges * exchangeTime(t.Exchanged, ranks, t.Wire, r.Collective)
	}
	t.Beyond = math.Max(t.Collectives-known, 0)
}

// activation is the bytes of an element that collectives carry.
const activation = 2

// collectiveTime is that of all collectives of a step, on the busiest chip: after attention and after each MLP a sum
// over TP; experts on several attention groups get their tokens by an all-to-all and give them back by another; stages
// hand on.
func (r *Replica) collectiveTime(l load) float64 {
	vector := r.Width * activation
	attention, mlp := r.Layers, r.Layers-r.Blocks
	sum := 0.0
	if r.DP == 1 {
		mlp = r.Layers
	} else if r.Blocks > 0 {
		sum += r.Blocks * r.exchange(l)
	}
	if r.WS > 1 {
		mlp -= r.Layers - r.Blocks
		sum += (r.Layers - r.Blocks) * r.twoWidths(l)
	}
	if r.TP > 1 {
		sum += (attention + mlp) * r.allReduce(l.rows*vector, r.TP)
	}
	if r.CP > 1 {
		sum += r.Layers * 2 * r.allReduce(l.decode*vector, r.CP)
	}
	if r.PP > 1 {
		sum += float64(r.PP-1) * r.send(l.rows*vector)
	}
	return sum
}

// twoWidths is the collectives of a dense MLP whose weights are split by both widths.
func (r *Replica) twoWidths(l load) float64 {
	return twoWidthsTime(l.rows*r.Width*activation, l.rows*r.Inner()*activation, float64(r.WS), float64(r.TP/r.WS),
		r.Axes, r.Link*r.Links, r.Collective)
}

// Inner is the elements of a token between the matrices of a dense MLP that are summed: with a gate both of its inputs
// are scattered, and only their product is gathered.
func (s *Shape) Inner() float64 {
	if s.Model.Plain {
		return float64(s.Model.FFWidth)
	}
	return 1.5 * float64(s.Model.FFWidth)
}

// allReduce is a sum of so many bytes over n neighbouring chips: behind a switch the faster of two ways, otherwise
// around a ring; and between scale-up domains, of which each chip sends its share.
func (r *Replica) allReduce(bytes float64, n int) float64 {
	inside := min(n, max(r.Domain, 1))
	t := allReduceTime(bytes, float64(inside), r.Torus, r.wire(float64(inside)), r.Collective, r.Begin)
	if outside := float64(n) / float64(inside); outside > 1 {
		t += r.Far*rounds(outside) + float64(network.AllReduceTime(q.Bytes(bytes/float64(inside)), outside,
			q.Bandwidth(r.Network*r.Links)))
	}
	return t
}

// exchange is the two all-to-alls of an expert layer: tokens out in 8 bits and back in 16, to those of the ranks that
// have one of their experts.
func (r *Replica) exchange(l load) float64 {
	ranks := float64(r.EP)
	if ranks <= 1 { // experts are split, every chip needs every token
		return r.allReduce(l.rows*r.Width*activation, r.TP*r.DP)
	}
	inside := min(float64(r.EP*r.ETP), float64(max(r.Domain, 1)))
	away := 1 - inside/float64(r.EP*r.ETP)
	bytes := r.exchanged(l)
	t := exchangeTime(bytes*(1-away), inside, r.wire(inside), r.Collective)
	if away > 0 {
		t += 2*r.Far + bytes*away/(r.Network*r.Links)
	}
	return t
}

// exchanged is the bytes that a chip sends to the ranks of experts and gets back from them in a layer.
func (r *Replica) exchanged(l load) float64 {
	ranks := float64(r.EP)
	moe := &r.Shape.Model.MoE
	reached := network.Reached(r.PerToken, ranks, float64(moe.Groups), float64(moe.Chosen))
	return l.rows / float64(r.TP) * reached * (1 - 1/ranks) * r.Width * (1 + activation)
}

// send is handing so many bytes to the next stage.
func (r *Replica) send(bytes float64) float64 {
	if r.Chips() > max(r.Domain, 1) {
		return r.Far + bytes/(r.Network*r.Links)
	}
	return r.Collective + bytes/r.wire(2)
}

// wire is what collectives reach of a chip's links to n-1 others of its domain.
func (r *Replica) wire(n float64) float64 { return r.Link * r.Mesh.Share(max(n, 2)) * r.Links }
