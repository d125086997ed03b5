package training

// bound is what no plan on a trunk can go below.
type bound struct{ seconds, bytes float64 }

// bound works out the bounds of a trunk.
//
// Time: however a replica's sequences are cut into micro-batches, the slowest stage has to do all of them. That takes
// at least their matmuls at the full rate, attention, elementwise kernels and the bytes of tensor and context
// parallelism, and nothing computed again.
//
// Memory: a rank holds at least its share of the training state when everything is sharded as far as it can be.
func (p *Pricer) bound(t trunk) bound {
	plan := t.plan()
	plan.Zero, plan.Shard = 3, t.dp*t.cp
	c := p.layout(&plan)
	c.tokens *= float64(p.job.Batch / t.dp)
	c.zero = 0
	var time Time
	p.compute(&c, &time)
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	// moved for each micro-batch
	weights := p.passes(&c) * c.stage.pace * p.job.Recipe.Compute.Bytes() * z.dense / c.tp / d.Stream
	if z.routed > 0 {
		weights += p.passes(&c) * c.stage.pace * p.job.Recipe.Compute.Bytes() * z.routed / (c.ep * c.etp) / d.Stream
	}
	narrow := c.stage.pace * z.dense / c.tp * s.Narrow / d.Stream
	seconds := time.Matmul - weights*(1+s.Adapter) + time.Attention + time.Elementwise - narrow
	return bound{max(0, seconds), p.leastMemory(&c)}
}

// leastMemory is the state of the rank with the fewest layers of a stage, all sharded, and nothing else.
func (p *Pricer) leastMemory(c *layout) float64 {
	c.zero = 3
	layers := floor(p.shape.layers / c.pp)
	var m Memory
	p.states(&m, c, layers*p.shape.dense/c.tp, c.shard)
	p.states(&m, c, layers*p.shape.routed/(c.ep*c.etp), p.mostExpertShards(c))
	if p.job.Optimizer.Paged {
		m.Moments = 0 // as far as they don't fit, they are elsewhere
	}
	return m.Total()
}

// mostExpertShards is over how many ranks experts' states can be sharded.
func (p *Pricer) mostExpertShards(c *layout) float64 { return max(1, c.expertReplicas) }
