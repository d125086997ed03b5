//go:build !lean

package training

// group is ranks that exchange something: how many, and how far apart they stand. Ranks are numbered as Megatron-LM
// does: those of TP stand side by side, then come those of CP and DP, and stages stand farthest apart. Where experts
// are, the same ranks count otherwise: ranks of one expert side by side, then those of EP, then the replicas of each
// expert.
type group struct{ size, stride float64 }

func (c *layout) tensorGroup() group   { return group{c.tp, 1} }
func (c *layout) contextGroup() group  { return group{c.cp, c.tp} }
func (c *layout) pipelineGroup() group { return group{c.pp, c.tp * c.cp * c.dp} }
func (c *layout) expertGroup() group   { return group{c.ep, c.etp} }

// shards are ranks that share the states of weights outside routed experts, replicas those that hold the same shard.
func (c *layout) shards() group   { return group{c.shard, c.tp} }
func (c *layout) replicas() group { return group{c.dp * c.cp / c.shard, c.tp * c.shard} }

// expertShards and expertReplicas are the same of routed experts.
func (c *layout) expertShards() group { return group{c.expertShard, c.ep * c.etp} }
func (c *layout) expertCopies() group {
	return group{c.expertReplicas / c.expertShard, c.ep * c.etp * c.expertShard}
}

// exchange is a collective of the ranks of a group, so often in a micro-batch or in a step. bytes are those that it
// gathers, or scatters, in all.
type exchange struct {
	group
	bytes, times float64
	direct       bool // from one rank to another, in one step
}

// takes is how long an exchange takes as often as it comes.
func (p *Pricer) takes(e exchange) float64 {
	if e.size <= 1 || e.bytes <= 0 {
		return 0
	}
	w := p.wire(e.size, e.stride)
	if e.direct {
		w.steps = 1
	}
	return e.times * w.gather(e.bytes, e.size)
}

// activations is tensor parallelism in a micro-batch. With sequence parallelism a block gathers before its matmuls and
// scatters after them, and the backward pass mirrors it and gathers its inputs again.
func (p *Pricer) activations(c *layout) exchange {
	return exchange{c.tensorGroup(), 2 * c.tokens * p.shape.width, c.stage.pace * p.tensorGathers(c), false}
}

// handed is what a stage gets from the one before and behind in a micro-batch, for each of its chunks. It is no
// collective, but takes as long as a gather of all but the rank's own bytes.
func (p *Pricer) handed(c *layout) exchange {
	each := 2 * c.tokens * p.shape.width / c.tp
	return exchange{c.pipelineGroup(), each * c.pp / max(1, c.pp-1), 2 * c.v, true}
}

// owned is the weights that learn of the rank that the others wait for, outside routed experts and of them.
func (p *Pricer) owned(c *layout) (dense, routed float64) {
	layers, table := p.exchanged(c)
	l := &p.learned
	if p.job.Frozen { // the adapters alone
		return (layers*l.dense + l.tables) / c.tp, layers * l.routed / (c.ep * c.etp)
	}
	return (layers*p.shape.dense + table) / c.tp * l.share, layers * p.shape.routed / (c.ep * c.etp) * l.share
}

// gathers are the weights of the slowest stage that ZeRO-3 brings together in a micro-batch, outside routed experts and
// of them: forward, and again backward.
func (p *Pricer) gathers(c *layout) (dense, routed exchange) {
	if c.zero >= 3 {
		each, z := p.job.Recipe.Gather*c.stage.pace, &p.shape
		dense = exchange{c.shards(), each * z.dense / c.tp, 2, false}
		routed = exchange{c.expertShards(), each * z.routed / (c.ep * c.etp), 2, false}
	}
	return dense, routed
}

// late tells whether gradients of a pipeline stay whole until the last micro-batch, whatever is sharded.
func (p *Pricer) late(c *layout) bool { return p.job.Stack.LateSync != 0 && c.pp > 1 }

// reducesEach tells whether gradients are added up between ranks after each micro-batch: who holds a shard of them has
// no room for more.
func (p *Pricer) reducesEach(c *layout) bool { return c.zero >= 2 && !p.late(c) && !p.job.Frozen }

// reductions are the gradients that shards add up after a micro-batch.
func (p *Pricer) reductions(c *layout) (dense, routed exchange) {
	grad, z := p.sentGrad()*c.stage.pace*p.learned.share, &p.shape
	return exchange{c.shards(), grad * z.dense / c.tp, 1, false},
		exchange{c.expertShards(), grad * z.routed / (c.ep * c.etp), 1, false}
}

// syncs are the exchanges of gradients and weights once a step, outside routed experts and then of them: shards add up
// gradients, send the weights that come of them, unless weights stay sharded, and replicas of a shard add up theirs.
func (p *Pricer) syncs(c *layout) [6]exchange {
	dense, routed := p.owned(c)
	grad, weights := p.sentGrad(), pick(c.zero < 3, p.job.Recipe.Gather, 0)
	return [6]exchange{
		{c.shards(), grad * dense, 1, false}, {c.shards(), weights * dense, 1, false},
		{c.replicas(), grad * dense / c.shard, 2, false},
		{c.expertShards(), grad * routed, 1, false}, {c.expertShards(), weights * routed, 1, false},
		{c.expertCopies(), grad * routed / c.expertShard, 2, false}}
}
