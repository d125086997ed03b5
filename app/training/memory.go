package training

import (
	"slices"
	"strings"
)

// Memory is what the fullest rank holds at its peak, by part, in bytes.
type Memory struct {
	Weights, Grads, Master, Moments float64
	Activations                     float64 // kept for the backward pass, of all micro-batches in flight
	Logits                          float64
	Gathered                        float64 // weights that ZeRO-3 or a gather of the step brings together
	Fragments                       float64 // that the allocator loses between activations
	Residual                        float64 // the library, its buffers and the allocator

	Paged    float64 // of the moments, what the driver has moved to the host
	Exchange float64 // of the gradients, what is there only while they are exchanged at the end of a step
}

// Total is all of it.
func (m Memory) Total() float64 {
	return m.Weights + m.Grads + m.Master + m.Moments + m.Activations + m.Logits + m.Gathered + m.Fragments + m.Residual
}

// States is the training state: what doesn't depend on the batch.
func (m Memory) States() float64 { return m.Weights + m.Grads + m.Master + m.Moments }

// rank is what a rank of a pipeline holds: layers, a table, micro-batches in flight, and whether it makes logits.
type rank struct {
	layers, table, inFlight float64
	logits                  bool
}

// ranks are those that may be the fullest: the first, whose activations wait longest, the last, which makes the
// logits and has a copy of the table for them, also if input and output share one, and one between them.
func (p *Estimator) ranks(c *layout) (ranks [3]rank, n int) {
	further := p.furtherLayers() / c.pp // as their time is shared
	if c.pp == 1 {
		ranks[0] = rank{p.shape.layers + further, p.embedOnce(), 1, true}
		return ranks, 1
	}
	ranks[0] = rank{c.stage.first + further, p.inputTable(), c.flight.first, false}
	ranks[1] = rank{c.stage.last + further, p.shape.head, c.flight.last, true}
	ranks[2] = rank{c.stage.slowest + further, 0, c.flight.middle, false}
	return ranks, 3
}

// furtherLayers is how many layers take what modules for further tokens do, each with the matrix that joins two tokens;
// they share the tables.
func (p *Estimator) furtherLayers() float64 {
	n := p.job.Loss.Further
	if n == 0 {
		return 0
	}
	joins := 2 * p.shape.width * p.shape.width
	return n * (p.deep() + joins/(p.shape.dense+p.shape.routed))
}

// memory adds what the fullest rank holds to an estimate. Some software reports the first rank's, whichever is the
// fullest, and some people read it.
func (p *Estimator) memory(c *layout, estimate *Estimate) {
	ranks, n := p.ranks(c)
	var m Memory
	most := 0.0
	for i := range n {
		p.rankMemory(c, &ranks[i], &m)
		if i == 0 {
			estimate.Reported = m
		}
		if all := m.Total(); i == 0 || all > most {
			estimate.Memory, most = m, all
		}
	}
	if p.job.Stack.FirstRank == 0 && !p.job.First {
		estimate.Reported = estimate.Memory
	}
}

// inputTable is the tables of the first of several stages. One that input and output share is there and on the last.
func (p *Estimator) inputTable() float64 { return p.shape.embed + pick(p.shape.tied, p.shape.head, 0) }

// embedOnce is the tables of a rank that has both ends.
func (p *Estimator) embedOnce() float64 { return p.shape.embed + p.shape.head }

// rankMemory sets m to what a rank holds at its fullest moment.
func (p *Estimator) rankMemory(c *layout, k *rank, m *Memory) moment {
	layers, table := k.layers, k.table
	s, r := p.job.Stack, &p.job.Recipe
	dense := (layers*p.shape.dense + table) / c.tp
	routed := layers * p.shape.routed / (c.ep * c.etp)
	*m = Memory{}
	p.states(m, c, dense, c.shard)
	p.states(m, c, routed, c.expertShard)
	if c.zero < 3 && !p.job.Host.Weights { // gathered weights are cast anew
		m.Weights += r.Cast * (layers*p.shape.dense/c.tp + routed)
	}
	m.Weights, m.Grads = m.Weights*c.copies, m.Grads*c.copies
	if c.zero >= 3 || p.job.Host.Weights && !p.keepsWhole(c) {
		m.Gathered = 2 * r.Gather * (p.shape.dense/c.tp + p.shape.routed/(c.ep*c.etp))
		m.Gathered += s.Transient * table / c.tp
	}
	p.learns(m, c, layers, p.tablesOf(k))
	p.tableState(m, c, table/c.tp)
	m.Activations = layers * c.kept * p.learned.share * k.inFlight
	m.Activations += min(layers, 1) * c.live
	if c.context == GatherContext { // those of the layer under way
		m.Activations += p.gathered(c)
	}
	if k.logits {
		m.Logits = p.logitBytes() * c.tokens * p.shape.vocab / p.logitRanks(c)
	}
	m.Fragments = s.Fragments * (m.Activations + m.Logits)
	m.Residual = s.Residual
	p.copiedGrads(m, c, dense+routed)
	p.updateCopies(m, c, k, dense, routed)
	at := moment{kept: 1, live: 1}
	if s.Eager != 0 {
		at = p.fullest(c, k, m)
	}
	if p.job.Optimizer.Paged {
		m.Paged = min(m.Moments, max(0, m.Total()-AfterContext(p.job.Device.Memory)))
		m.Moments -= m.Paged
	}
	return at
}

// copiedGrads adds the copies of the gradients of n weights that are made to exchange them: buckets where each replica
// keeps all its state; where it keeps a shard, a flat copy and one in pieces, which take the place of what the backward
// pass has left.
func (p *Estimator) copiedGrads(m *Memory, c *layout, n float64) {
	switch {
	case c.dp*c.cp == 1 || p.job.Frozen || p.job.InBackward:
	case c.zero == 0:
		m.Grads += p.job.Stack.Buckets * n
	default:
		left := m.Activations + m.Logits + m.Fragments + p.narrowGrads(n)
		m.Exchange = max(0, p.job.Stack.FlatGrad*n*(1-1/c.shard)-left)
		m.Grads += m.Exchange
	}
}

// updateCopies adds the copies of gradients that DeepSpeed makes to update shards, with what its allocator keeps of
// them. Gradients in 16 bits are judged tensor by tensor, in 4 bytes for overflows and in 8 for the norm, then laid end
// to end as they are and in 4 bytes, in the place of those copies where that is enough; of ZeRO-3 a group of weights at
// a time. Where wider sums are kept, each gradient is made wide to be added to them, and all of them travel as a copy
// in 16 bits. A bucket of gradients is exchanged at a time, and one of weights in its place.
func (p *Estimator) updateCopies(m *Memory, c *layout, k *rank, dense, routed float64) {
	const wide, recognized, group = 4, 4 + 8, 1e9
	r, bucket := &p.job.Recipe, p.job.Stack.BucketSize
	if bucket == 0 || p.job.Frozen || p.job.InBackward {
		return
	}
	n := dense + routed
	largest := p.learned.largest / c.tp
	if k.table > 0 {
		largest = max(largest, max(p.shape.embed, p.shape.head)/c.tp)
	}
	m.Grads += r.Gather * min(bucket, n)
	if r.Accum > 0 {
		m.Grads += r.Grad*n + wide*min(largest, n)
		return
	}
	shard := n
	switch {
	case c.zero >= 3:
		shard = min(dense/c.shard+routed/c.expertShard, group)
	case c.zero >= 1:
		shard = dense/c.shard + routed/c.expertShard
	}
	m.Grads += max(recognized*min(largest, shard), (r.Grad+wide)*shard)
}

// narrowGrads is what gradients of n weights take at the peak as the backward pass makes them, where wider ones are
// summed up besides.
func (p *Estimator) narrowGrads(n float64) float64 {
	return p.job.Stack.HeldGrad * p.job.Recipe.Grad * n
}

// states adds the training state of n weights that are sharded over so many ranks.
func (p *Estimator) states(m *Memory, c *layout, n, shard float64) {
	r := &p.job.Recipe
	local, whole := n/shard, n
	if p.job.Frozen {
		n = pick(c.zero >= 3, local, whole)
		m.Weights += pick(p.job.Host.Weights, 0, n*r.Weight)
		if p.job.Flat && c.zero >= 3 {
			m.Grads += pick(p.late(c), whole, local) * r.Gather
		}
		return
	}
	m.Weights += pick(p.job.Host.Weights, 0, pick(c.zero >= 3, local, whole)*p.widthOfWeights())
	switch {
	case !p.keepsWhole(c):
	case p.job.Host.Weights: // the shard waits there
		m.Weights += whole * r.Gather
	default:
		m.Weights += local*r.Weight - whole*(r.Weight-r.Gather)
	}
	grad := r.Grad
	if r.Accum > 0 {
		grad = r.Accum
	}
	local, whole = local*p.learned.share, whole*p.learned.share
	if held := pick(c.zero >= 2 && !p.late(c), local, whole); !p.job.InBackward && !p.job.Host.Weights {
		m.Grads += held * grad
		if r.Accum > 0 {
			m.Grads += p.narrowGrads(held)
		}
	}
	if !c.offload {
		m.Master += pick(c.zero >= 1, local, whole) * r.Master
		m.Moments += pick(c.zero >= 1, local, whole) * r.Moments
	}
}

// keepsWhole tells whether a rank keeps a shard of the weights in full width, and all of them as layers use it from the
// forward pass to the backward, as FSDP does with SHARD_GRAD_OP.
func (p *Estimator) keepsWhole(c *layout) bool {
	r := &p.job.Recipe
	return c.zero == 2 && !p.job.Frozen && r.Gather < r.Weight && r.Master == 0
}

// widthOfWeights is the bytes of a weight as it is kept. Those of layers that don't learn have no copy to compute with
// beside one in full width; software may leave them as they are loaded.
func (p *Estimator) widthOfWeights() float64 {
	learns, frozen := p.job.Recipe.Weight, min(p.job.Recipe.Weight, 4)
	if l := &p.job.Learn; l.Table > 0 {
		frozen = min(frozen, l.Table)
	}
	return learns*p.learned.share + frozen*(1-p.learned.share)
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// keepsGathered tells whether the inputs that tensor parallelism gathered are kept for the backward pass, which is a
// switch of Nanotron (tp_recompute_allgather). In the Ultra-Scale grid neither pipelines of two stages nor those on
// many nodes keep them, nor pipelines whose tensor parallelism spans more than two nodes; see assumption 19.
func (p *Estimator) keepsGathered(c *layout) bool {
	few := p.job.Stack.CrowdNodes == 0 || c.domains < p.job.Stack.CrowdNodes && c.tp <= 2*float64(p.job.Device.Domain)
	return c.tp > 1 && !p.job.Regather && (c.pp == 1 || c.pp > 2 && few)
}

// inputBytes is what an element of a matmul's input takes while it is kept.
func (p *Estimator) inputBytes() float64 {
	if p.job.Stack.KeepCast != 0 {
		return p.job.Recipe.Compute.Bytes()
	}
	return BF16.Bytes()
}

// alike is how many ranks of tensor parallelism give their experts the same tokens: those that split an expert, which
// gather each other's, or all of them where norms aren't split by tokens.
func (p *Estimator) alike(c *layout) float64 { return max(c.etp, p.normRanks(c)) }

// expertInputs is the width of what a token of the busiest rank gives its experts. Ranks that have the same tokens all
// have its whole input.
func (p *Estimator) expertInputs(c *layout) float64 {
	return p.shape.routes * p.shape.perToken * p.shape.expertInput * c.imbalance * p.alike(c)
}

// expertHidden is the hidden width of the experts that a token of the busiest rank uses.
func (p *Estimator) expertHidden(c *layout) float64 {
	return p.shape.routes * p.shape.perToken * p.shape.expertWidth * c.imbalance * p.alike(c) / c.etp
}

// logitRanks is among how many ranks the logits of a token are split.
func (p *Estimator) logitRanks(c *layout) float64 { return pick(p.job.Loss.Whole, 1, c.tp) }

// logitBytes is the memory of a logit of all, those that are not there at once counted as nothing.
func (p *Estimator) logitBytes() float64 {
	l, bytes := &p.job.Loss, p.job.Stack.LogitBytes
	if l.Bytes > 0 {
		bytes = l.Bytes
	}
	if l.Share > 0 {
		bytes *= l.Share
	}
	return bytes
}

// tablesOf is the weights of tables that learn beside adapters on a rank.
func (p *Estimator) tablesOf(k *rank) float64 {
	if k.table == 0 {
		return 0
	}
	return p.learned.tables
}

// tableState adds what weights of tables take other than those in layers: frozen ones may be wider, and an optimizer
// may keep more or less of them.
func (p *Estimator) tableState(m *Memory, c *layout, n float64) {
	j := &p.job
	if j.Frozen {
		if wider := j.Learn.Table - j.Recipe.Weight; j.Learn.Table > 0 && !j.Host.Weights {
			m.Weights += wider * pick(c.zero >= 3, n/c.shard, n)
		}
		return
	}
	if !c.offload {
		m.Moments += j.Recipe.Table * p.learned.share * pick(c.zero >= 1, n/c.shard, n)
	}
	if j.InBackward || j.Host.Weights { // gradients of a layer at a time, or of the larger table
		table := min(n, max(p.shape.embed, p.shape.head)/c.tp)
		most := max(p.shape.dense/c.tp+p.shape.routed/(c.ep*c.etp), table)
		m.Grads += max(j.Recipe.Grad, j.Recipe.Accum) * pick(c.zero >= 3, most/c.shard, most)
	}
}

// scoreBytes is what unfused attention keeps for a token of a layer: for each head and each token of the sequence a
// softmax, a mask of what is dropped, and what is left, in 2, 1 and 2 bytes (Korthikanti et al. 2022: 5 a s^2 b).
func (p *Estimator) scoreBytes(c *layout, set Recompute) float64 {
	if !p.job.Scores || set.has(RecomputeAttention) {
		return 0
	}
	const each = 5
	return each * p.shape.meanHeads * float64(p.job.Sequence)
}

// unfused adds what scores take that go through the memory: in each pass they are written and read for the softmax, for
// what is dropped, and for the values, in 2 bytes, all of the square.
func (p *Estimator) unfused(c *layout, t *Time) {
	if !p.job.Scores {
		return
	}
	s, d := p.job.Stack, &p.job.Device
	squares := c.tokens * p.shape.meanHeads * float64(p.job.Sequence) / c.tp
	t.Attention = p.attentionPasses(c) * c.stage.pace * (2*c.tokens*p.shape.scores/c.tp/p.matmulRate(BF16) +
		s.ScoreBytes*squares/(d.Stream*s.Stream))
}

// hostTraffic is what a micro-batch waits for the host's link: weights that wait there come for each pass, and
// gradients go back; of what layers keep, only what computing and waiting for the host don't hide counts.
func (p *Estimator) hostTraffic(c *layout, t *Time) float64 {
	d, h, z := &p.job.Device, &p.job.Host, &p.shape
	if d.Host <= 0 {
		return 0
	}
	wait := 0.0
	if h.Weights {
		n := c.stage.pace * (z.dense/c.tp/c.shard + z.routed/(c.ep*c.etp)/c.expertShard)
		r := &p.job.Recipe
		wait = n * (r.Gather*2 + pick(p.job.Frozen, 0, r.Grad)) / d.Host
	}
	return wait + p.fetched(c, t)
}

// fetched is how much longer what layers keep takes to the host's memory and back than a micro-batch computes.
func (p *Estimator) fetched(c *layout, t *Time) float64 {
	if c.away <= 0 || p.job.Device.Host <= 0 {
		return 0
	}
	return max(0, 2*c.away*c.stage.pace/p.job.Device.Host-(t.Matmul+t.Attention+t.Elementwise+t.Logits+t.Host))
}

// Context is the bytes that a driver and its libraries take of a device for a program, outside its allocator.
func (s *Stack) Context() float64 { return min(s.Residual, 0.5e9) }

// Recompute says what the backward pass computes again instead of keeping it: a policy for whole layers, or a set of
// modules, each with its own bit.
type Recompute uint8

// The policies.
const (
	KeepAll       Recompute = 0      // nothing but the scores inside flash attention
	RecomputeSome Recompute = 1 << 0 // the usual modules: norms, activation functions and attention, or what it takes

	RecomputeNorms       Recompute = 1 << 1 // inputs of both blocks are kept in place of norms' outputs
	RecomputeActivations Recompute = 1 << 2 // activation functions, also of experts: outputs of matmuls are kept
	RecomputeAttention   Recompute = 1 << 3 // scores; flash attention keeps none of them anyway
	RecomputeLatents     Recompute = 1 << 4 // queries, keys and values from latents (MLA)
	RecomputeMLP         Recompute = 1 << 5 // the dense MLP and shared experts, from their input
	RecomputeExperts     Recompute = 1 << 6 // the routed experts, with the way of tokens to them and back

	RecomputeBlock   Recompute = 1 << 7             // every layer, from its input
	RecomputeOffload Recompute = RecomputeBlock + 1 // the same, and the inputs wait in the memory of the host
)

// recomputeName is a policy or a module by the name that plans give it.
type recomputeName struct {
	policy Recompute
	name   string
	flag   string // what Megatron-LM calls the module
}

var recomputeNames = [...]recomputeName{{KeepAll, "none", ""}, {RecomputeSome, "some", ""},
	{RecomputeNorms, "norm", "layernorm"}, {RecomputeActivations, "act", "moe_act"},
	{RecomputeAttention, "attn", "core_attn"}, {RecomputeLatents, "up", "mla_up_proj"}, {RecomputeMLP, "mlp", "mlp"},
	{RecomputeExperts, "moe", "moe"}, {RecomputeBlock, "block", ""}, {RecomputeOffload, "offload", ""}}

// module tells whether r may stand in a set.
func (r Recompute) module() bool { return r > KeepAll && r < RecomputeBlock }

// has tells whether r has any of so many modules.
func (r Recompute) has(modules Recompute) bool { return r&modules != 0 }

// usual are the modules that RecomputeSome stands for, of a model with latents or without: models with latents gain
// more from computing what attention takes again.
func usual(latents bool) Recompute {
	return RecomputeNorms | RecomputeActivations | pick(latents, RecomputeLatents, RecomputeAttention)
}

// String is the name of r, or the names of its modules: norm+act+mlp.
func (r Recompute) String() string {
	var names []string
	for _, n := range recomputeNames {
		if r == n.policy {
			return n.name
		}
		if n.policy < RecomputeBlock && r < RecomputeBlock && r.has(n.policy) {
			names = append(names, n.name)
		}
	}
	if names == nil {
		return "unknown"
	}
	return strings.Join(names, "+")
}

// ParseRecompute reads a policy, or modules by their names, those of Megatron-LM too: norm+act+mlp. What it calls full
// is block.
func ParseRecompute(text string) (r Recompute, known bool) {
	if text == "full" {
		text = "block"
	}
	names := strings.Split(strings.ReplaceAll(text, "shared_experts", "mlp"), "+")
	for _, name := range names {
		i := slices.IndexFunc(recomputeNames[:], func(n recomputeName) bool { return n.name == name || n.flag == name })
		if name == "" || i < 0 || len(names) > 1 && !recomputeNames[i].policy.module() {
			return KeepAll, false
		}
		r |= recomputeNames[i].policy
	}
	return r, true
}

// level is how much r computes again: nothing, modules, layers, or layers whose inputs wait elsewhere.
func (r Recompute) level() int {
	switch {
	case r == KeepAll:
		return 0
	case r < RecomputeBlock:
		return 1
	}
	return 2 + int(r-RecomputeBlock)
}

// modules are those of r that run forward twice. Software that keeps a share of the matmuls' outputs keeps attention's.
func (p *Estimator) modules(r Recompute) Recompute {
	switch {
	case r >= RecomputeBlock:
		return 0
	case !r.has(RecomputeSome):
		return r
	case p.job.Stack.KeepOutputs < 1:
		return r | usual(p.shape.latents > 0)&^RecomputeAttention
	}
	return r | usual(p.shape.latents > 0)
}

// absent are the modules that the model doesn't have.
func (p *Estimator) absent() (r Recompute) {
	for _, m := range []struct {
		module Recompute
		size   float64
	}{{RecomputeLatents, p.shape.latents}, {RecomputeMLP, p.shape.hidden}, {RecomputeExperts, p.shape.experts}} {
		if m.size == 0 {
			r |= m.module
		}
	}
	return r
}

// sets are the policies beside the usual ones: what takes little, the same with the MLPs or experts, and the inputs of
// layers in the memory of the host.
func (p *Estimator) sets() []Recompute {
	cheap := RecomputeNorms | RecomputeActivations
	large := RecomputeExperts
	if p.absent().has(large) {
		large = RecomputeMLP &^ p.absent()
	}
	return []Recompute{cheap, cheap | large, RecomputeOffload}
}

// outputsKept is the share of the matmuls' outputs that is kept where so many modules are computed again.
func (p *Estimator) outputsKept(set Recompute) float64 {
	if set.has(RecomputeSome) {
		return p.job.Stack.KeepOutputs
	}
	return 1
}

// keep works out what a layer keeps of a micro-batch, and how much more there is of one while it is computed again.
func (p *Estimator) keep(c *layout) {
	if p.job.Stack.Eager != 0 && (c.recompute == KeepAll || c.recompute >= RecomputeBlock) {
		p.keepEager(c)
		return
	}
	set, least := c.modules, KeepAll
	// frozen matmuls don't need their inputs, attention its scores
	if p.job.Frozen && p.job.Learn.Targets&targetMLP == 0 {
		least = p.modules(RecomputeSome) &^ RecomputeAttention
		set |= least
	}
	c.kept, c.live, c.away = p.kept(c, set), 0, 0
	inner := set & (RecomputeMLP | RecomputeExperts)
	if p.job.Scores {
		inner |= set & RecomputeAttention
	}
	if inner != 0 {
		c.live = p.kept(c, set&^inner|least) - c.kept
	}
	routed := p.job.Stack.LiveRouted * c.tokens * p.expertInputs(c) / c.tp
	if c.recompute < RecomputeBlock {
		c.live += routed
		if p.job.Host.Kept {
			c.away, c.live, c.kept = c.kept, c.live+2*c.kept, 0 // one layer computes, one is on its way
		}
		return
	}
	layer := p.kept(c, least)
	c.live = layer + routed
	inputs := p.job.Stack.KeepInput * c.tokens * p.shape.width * p.normRanks(c) / c.tp
	if c.recompute == RecomputeOffload || p.job.Host.Kept {
		c.away, inputs = c.again*inputs, 0 // two inputs on their way are little beside the live layer
	}
	c.kept = c.again*inputs + (1-c.again)*layer
}

// kept is the bytes kept of a layer and a micro-batch where a set of modules is computed again.
func (p *Estimator) kept(c *layout, set Recompute) float64 {
	part := p.keptWidth(c, set) + p.keptHeads(set) + p.keptHidden(set, p.shape.hidden, RecomputeMLP)
	part += p.scoreBytes(c, set)
	if p.job.Learn.Dropout { // an input of its own for each adapter, and the mask
		part += 3 * p.learned.inputs
	}
	if !set.has(RecomputeExperts) {
		part += p.keptHidden(set, p.expertHidden(c), RecomputeExperts) + p.keptRouted(set)*p.expertInputs(c)
		part += maskKept * p.places(c)
	}
	return c.tokens * part / c.tp
}

// keptWidth is the same for a token, of what has the model's width. Where norms are computed again, these are the
// inputs of both blocks.
func (p *Estimator) keptWidth(c *layout, set Recompute) float64 {
	s, z := p.job.Stack, &p.shape
	whole := p.normRanks(c)
	if set.has(RecomputeNorms) {
		return 2 * 2 * z.width * whole
	}
	part := (s.KeepWidth*z.width - (2-p.inputBytes())*z.full/2) * whole
	if p.keepsGathered(c) {
		part += s.KeepGather * z.full / 2 * c.tp
	}
	return part
}

// keptHeads is the same of attention: its output, and queries, keys and values, or the latents that they are made of.
func (p *Estimator) keptHeads(set Recompute) float64 {
	z := &p.shape
	taken := z.queries + z.keys + z.latents + z.scan.kept
	if set.has(RecomputeLatents) {
		taken = z.latents + z.scan.kept
	}
	if set.has(RecomputeSome | RecomputeAttention | RecomputeLatents) {
		return 2*z.values + p.outputsKept(set)*2*taken
	}
	part := p.job.Stack.KeepHeads * (taken + z.values)
	if cast := p.inputBytes(); cast < 2 {
		part += cast * z.values // as the next matmul takes it, besides
	}
	return part
}

// keptHidden is the same of MLPs of so many hidden units that all are of one module: what goes into activation
// functions, cast if inputs are, and what comes out.
func (p *Estimator) keptHidden(set Recompute, hidden float64, module Recompute) float64 {
	switch {
	case set.has(module):
		return 0
	case set.has(RecomputeActivations):
		return p.outputsKept(set) * p.inputBytes() * (p.shape.matrices - 1) * hidden
	}
	return (p.job.Stack.KeepHidden - (2 - p.inputBytes())) * hidden
}

// keptRouted is the bytes for each element that experts take in, and give out unless that is computed again.
func (p *Estimator) keptRouted(set Recompute) float64 {
	if set.has(RecomputeActivations) {
		return p.inputBytes()
	}
	return p.inputBytes() + p.job.Stack.KeepRouted
}
