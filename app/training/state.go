//go:build !lean

package training

// logitBytes is the memory of a logit of all, those that are not there at once counted as nothing.
func (p *Pricer) logitBytes() float64 {
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
func (p *Pricer) tablesOf(k *rank) float64 {
	if k.table == 0 {
		return 0
	}
	return p.learned.tables
}

// tableState adds what weights of tables take other than those in layers: frozen ones may be wider, and an optimizer
// may keep more or less of them.
func (p *Pricer) tableState(m *Memory, c *layout, n float64) {
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
func (p *Pricer) scoreBytes(c *layout, set Recompute) float64 {
	if !p.job.Scores || set.has(RecomputeAttention) {
		return 0
	}
	const each = 5
	return each * p.shape.meanHeads * float64(p.job.Sequence)
}

// unfused adds what scores take that go through the memory: in each pass they are written and read for the softmax, for
// what is dropped, and for the values, in 2 bytes, all of the square.
func (p *Pricer) unfused(c *layout, t *Time) {
	if !p.job.Scores {
		return
	}
	s, d := p.job.Stack, &p.job.Device
	squares := c.tokens * p.shape.meanHeads * float64(p.job.Sequence) / c.tp
	t.Attention = p.attentionPasses(c) * c.stage.pace * (2*c.tokens*p.shape.scores/c.tp/p.matmulRate(BF16) +
		s.ScoreBytes*squares/(d.Stream*s.Stream))
}

// hostTraffic is what a micro-batch waits for the host's link: weights that wait there come for each pass, and gradients
// go back; of what layers keep, only what computing doesn't hide counts.
func (p *Pricer) hostTraffic(c *layout, t *Time) float64 {
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
	if c.away > 0 {
		wait += max(0, 2*c.away*c.stage.pace/d.Host-(t.Matmul+t.Attention+t.Elementwise))
	}
	return wait
}

// Context is the bytes that a driver and its libraries take of a device for a program, outside its allocator.
func (s *Stack) Context() float64 { return min(s.Residual, 0.5e9) }
