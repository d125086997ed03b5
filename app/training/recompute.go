package training

import (
	"slices"
	"strings"
)

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

// ParseRecompute reads a policy, or modules by their names, those of Megatron-LM too: norm+act+mlp.
func ParseRecompute(text string) (r Recompute, known bool) {
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
func (p *Pricer) modules(r Recompute) Recompute {
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
func (p *Pricer) absent() (r Recompute) {
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
func (p *Pricer) sets() []Recompute {
	cheap := RecomputeNorms | RecomputeActivations
	large := RecomputeExperts
	if p.absent().has(large) {
		large = RecomputeMLP &^ p.absent()
	}
	return []Recompute{cheap, cheap | large, RecomputeOffload}
}

// outputsKept is the share of the matmuls' outputs that is kept where so many modules are computed again.
func (p *Pricer) outputsKept(set Recompute) float64 {
	if set.has(RecomputeSome) {
		return p.job.Stack.KeepOutputs
	}
	return 1
}

// keep works out what a layer keeps of a micro-batch, and how much more there is of one while it is computed again.
func (p *Pricer) keep(c *layout) {
	if p.job.Stack.Eager != 0 && (c.recompute == KeepAll || c.recompute >= RecomputeBlock) {
		p.keepEager(c)
		return
	}
	set := c.modules
	if p.job.Frozen && p.job.Learn.Targets&targetMLP == 0 { // frozen matmuls don't need their inputs again
		set |= p.modules(RecomputeSome)
	}
	c.kept, c.live, c.away = p.kept(c, set), 0, 0
	if inner := set & (RecomputeMLP | RecomputeExperts); inner != 0 {
		c.live = p.kept(c, set&^inner) - c.kept
	}
	if c.recompute < RecomputeBlock {
		if p.job.Host.Kept {
			c.away, c.live, c.kept = c.kept, c.live+2*c.kept, 0 // one layer computes, one is on its way
		}
		return
	}
	c.live = p.kept(c, 0)
	inputs := p.job.Stack.KeepInput * c.tokens * p.shape.width * p.normRanks(c) / c.tp
	if c.recompute == RecomputeOffload || p.job.Host.Kept {
		c.away, inputs = c.again*inputs, 0 // two inputs on their way are little beside the live layer
	}
	c.kept = c.again*inputs + (1-c.again)*c.live
}

// kept is the bytes kept of a layer and a micro-batch where a set of modules is computed again.
func (p *Pricer) kept(c *layout, set Recompute) float64 {
	part := p.keptWidth(c, set) + p.keptHeads(set) + p.keptHidden(set, p.shape.hidden, RecomputeMLP)
	part += p.scoreBytes(c, set)
	if p.job.Learn.Dropout { // an input of its own for each adapter, and the mask
		part += 3 * p.learned.inputs
	}
	if !set.has(RecomputeExperts) {
		part += p.keptHidden(set, p.expertHidden(c), RecomputeExperts) + p.keptRouted(set)*p.expertInputs(c)
	}
	return c.tokens * part / c.tp
}

// keptWidth is the same for a token, of what has the model's width. Where norms are computed again, these are the
// inputs of both blocks.
func (p *Pricer) keptWidth(c *layout, set Recompute) float64 {
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
func (p *Pricer) keptHeads(set Recompute) float64 {
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
func (p *Pricer) keptHidden(set Recompute, hidden float64, module Recompute) float64 {
	switch {
	case set.has(module):
		return 0
	case set.has(RecomputeActivations):
		return p.outputsKept(set) * p.inputBytes() * (p.shape.matrices - 1) * hidden
	}
	return (p.job.Stack.KeepHidden - (2 - p.inputBytes())) * hidden
}

// keptRouted is the bytes for each element that experts take in, and give out unless that is computed again.
func (p *Pricer) keptRouted(set Recompute) float64 {
	if set.has(RecomputeActivations) {
		return p.inputBytes()
	}
	return p.inputBytes() + 2
}
