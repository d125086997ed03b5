package training

// What PyTorch holds that runs operation by operation, without a compiler: counted for a token of a layer from what its
// operations save for the backward pass, and taken at the fullest of four moments of a step.

// eager is the memory of a layer in bytes for a token.
type eager struct {
	saved float64 // for the backward pass
	spare float64 // what the backward pass makes besides while it is at the layer
}

// eagerLayer counts what a layer's operations save.
//
// Norms save their input in fp32, and as it is normed where their weights learn; matmuls their inputs where their
// weights learn, which are outputs of others; attention queries, keys, values and its output, and what goes into the
// next matmul is a copy. An MLP with a gate saves what goes into the activation function, what comes out, what that is
// multiplied by, and the product where the next matmul learns. Kernels that fuse these save the norms' inputs as they
// are, and work the activation function out again. An adapter saves its input in its own width.
func (p *Pricer) eagerLayer(c *layout) (e eager) {
	z, fused, learns := &p.shape, p.job.Loss.Kernels, !p.job.Frozen
	norms, inputs, hidden := 2*4.0, 0.0, 2*z.matrices
	if fused {
		norms, hidden = 2*2, 2*(z.matrices-1)
	}
	if z.matrices < 3 {
		hidden = 2 // what goes into the activation function
	}
	if learns {
		hidden += 2
		inputs = 2*2*z.width + 2*z.values
		if !fused {
			norms += 2 * 2
		}
	}
	heads := 2 * (z.queries + z.keys + z.values + z.latents + z.scan.kept)
	mlps := z.hidden + p.expertHidden(c)
	e.saved = norms*z.width + inputs + heads + hidden*mlps + 2*2*p.expertInputs(c)
	e.spare = 2*2*z.width + pick(fused, 2.0, 2*3)*mlps
	if p.job.Scores { // a softmax in fp32, and cast for the values; their gradients
		each := z.meanHeads * float64(p.job.Sequence)
		e.saved, e.spare = e.saved+(4+2)*each, e.spare+(4+2)*each
	}
	if l := &p.job.Learn; p.job.Frozen {
		e.saved += l.Weight * pick(l.Weight > 2, p.learned.inputs, p.learned.distinct)
		if l.Dropout {
			e.saved += 3 * p.learned.inputs // an input of its own for each adapter, and the mask
		}
	}
	return e
}

// residual is the bytes of an element of what passes from layer to layer: as wide as the table of the input is kept,
// unless shards are cast when they are gathered.
func (p *Pricer) residual() float64 {
	r := &p.job.Recipe
	wide := r.Weight >= 4 && r.Gather != 2 || r.Weight > 4
	if p.job.Frozen {
		wide = p.job.Learn.Table >= 4
	}
	return pick(wide, 4.0, 2)
}

// keepEager works out what an eager layer keeps of a micro-batch, and how much more there is of one while the backward
// pass is at it.
func (p *Pricer) keepEager(c *layout) {
	e := p.eagerLayer(c)
	tokens := c.tokens / c.tp
	c.kept, c.live, c.away = e.saved*tokens, e.spare*tokens, 0
	if c.recompute >= RecomputeBlock {
		inputs := p.residual() * c.tokens * p.shape.width * p.normRanks(c) / c.tp
		whole := e.saved * tokens
		c.live += whole
		if c.recompute == RecomputeOffload || p.job.Host.Kept {
			c.away, inputs = c.again*inputs, 0
		}
		c.kept = c.again*inputs + (1-c.again)*whole
	} else if p.job.Host.Kept {
		c.away, c.live, c.kept = c.kept, c.live+2*c.kept, 0
	}
}

// inputsTwice is how often the inputs of layers are there while the backward pass goes through them: where
// transformers' Trainer trains adapters on shards of FSDP, twice.
func (p *Pricer) inputsTwice(c *layout) float64 {
	if p.job.Learn.Shards && c.zero >= 3 && c.shard > 1 && c.recompute >= RecomputeBlock {
		return p.job.Stack.KeptShards
	}
	return 1
}

// moment is what of a rank's memory is there at a moment of a step, as shares.
type moment struct{ kept, live, logits, grads, gathered, update float64 }

// fullest cuts the memory of a rank down to the fullest of four moments: the loss, when all layers are kept and logits
// are there; the backward pass at its first layer; its end, when all gradients are there; and the update. Gradients of
// one micro-batch alone are made on the way and gone before the next step; where an update is made of all weights at
// once, there is a copy of the second moments.
func (p *Pricer) fullest(c *layout, k *rank, m *Memory) (at moment) {
	j := &p.job
	held := 1.0 // share of the gradients that is there all the time
	if c.m*k.inFlight == 1 && !j.Frozen {
		held = 0
	}
	tables := 0.0 // the gradients of the table that makes logits are the first
	if all := k.layers*p.shape.dense + k.table; k.logits && all > 0 && held == 0 {
		tables = min(1, max(p.shape.head, p.shape.embed)/all)
	}
	live := min(k.layers, 1) * c.live
	kept := m.Activations - live
	var best Memory
	for i, now := range [...]moment{
		{1, 0, 1, held, 1, 0}, {p.inputsTwice(c), 1, 0, max(held, tables), 1, 0}, {0, 1, 0, 1, 1, 0}, {0, 0, 0, 1, 0, 1},
	} {
		x := *m
		x.Activations, x.Logits = now.kept*kept+now.live*live, now.logits*m.Logits
		x.Grads, x.Gathered = now.grads*m.Grads, now.gathered*m.Gathered
		x.Fragments = j.Stack.Fragments * (x.Activations + x.Logits)
		if j.Optimizer.AllAtOnce {
			x.Moments += now.update * m.Moments / 2
		}
		if i == 0 || x.Total() > best.Total() {
			best, at = x, now
		}
	}
	*m = best
	return at
}
