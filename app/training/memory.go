package training

// Memory is what the fullest rank holds at its peak, by part, in bytes.
type Memory struct {
	Weights, Grads, Master, Moments float64
	Activations                     float64 // kept for the backward pass, of all micro-batches in flight
	Logits                          float64
	Gathered                        float64 // weights that ZeRO-3 or a gather of the step brings together
	Fragments                       float64
	Residual                        float64

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
// logits, and one between them.
func (p *Pricer) ranks(c *layout) (ranks [3]rank, n int) {
	if c.pp == 1 {
		ranks[0] = rank{p.shape.layers, p.embedOnce(), 1, true}
		return ranks, 1
	}
	ranks[0] = rank{c.stage.first, p.shape.embed, c.flight.first, false}
	ranks[1] = rank{c.stage.last, p.lastTable(), c.flight.last, true}
	ranks[2] = rank{c.stage.slowest, 0, c.flight.middle, false}
	return ranks, 3
}

// memory adds what the fullest rank holds to a price. Some software reports the first rank's, whichever is the fullest.
func (p *Pricer) memory(c *layout, price *Price) {
	ranks, n := p.ranks(c)
	var m Memory
	most := 0.0
	for i := range n {
		p.rankMemory(c, &ranks[i], &m)
		if i == 0 {
			price.Reported = m
		}
		if all := m.Total(); i == 0 || all > most {
			price.Memory, most = m, all
		}
	}
	if p.job.Stack.FirstRank == 0 {
		price.Reported = price.Memory
	}
}

// embedOnce is the tables of a rank that has both ends.
func (p *Pricer) embedOnce() float64 { return p.shape.embed + p.shape.head }

// lastTable is the table that makes logits: on another rank than the input's it is a copy, also if both are one.
func (p *Pricer) lastTable() float64 { return p.shape.head }

// rankMemory sets m to what a rank holds at its fullest moment.
func (p *Pricer) rankMemory(c *layout, k *rank, m *Memory) moment {
	layers, table := k.layers, k.table
	s, r := p.job.Stack, &p.job.Recipe
	dense := (layers*p.shape.dense + table) / c.tp
	routed := layers * p.shape.routed / (c.ep * c.etp)
	*m = Memory{}
	p.states(m, c, dense, c.shard)
	p.states(m, c, routed, c.expertShard)
	m.Weights, m.Grads = m.Weights*c.copies, m.Grads*c.copies
	if c.zero >= 3 || p.job.Host.Weights {
		m.Gathered = 2 * r.Weight * (p.shape.dense/c.tp + p.shape.routed/(c.ep*c.etp))
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
		m.Logits = p.logitBytes() * c.tokens * p.shape.vocab / c.tp
	}
	m.Fragments = s.Fragments * (m.Activations + m.Logits)
	m.Residual = s.Residual
	p.copiedGrads(m, c, dense+routed)
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
func (p *Pricer) copiedGrads(m *Memory, c *layout, n float64) {
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

// narrowGrads is what gradients of n weights take at the peak as the backward pass makes them, where wider ones are
// summed up besides.
func (p *Pricer) narrowGrads(n float64) float64 { return p.job.Stack.HeldGrad * p.job.Recipe.Grad * n }

// states adds the training state of n weights that are sharded over so many ranks.
func (p *Pricer) states(m *Memory, c *layout, n, shard float64) {
	r := &p.job.Recipe
	if p.job.Frozen {
		if c.zero >= 3 {
			n /= shard
		}
		m.Weights += pick(p.job.Host.Weights, 0, n*r.Weight)
		return
	}
	local, whole := n/shard, n
	m.Weights += pick(p.job.Host.Weights, 0, pick(c.zero >= 3, local, whole)*p.widthOfWeights())
	if c.zero == 2 && r.Gather < r.Weight { // a shard in full width, and all as layers use it
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

// widthOfWeights is the bytes of a weight as it is kept. Those of layers that don't learn have no copy to compute with
// beside one in full width; software may leave them as they are loaded.
func (p *Pricer) widthOfWeights() float64 {
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
// switch of Nanotron (tp_recompute_allgather). In the Ultra-Scale grid neither pipelines of two stages nor those on many
// nodes keep them, nor pipelines whose tensor parallelism spans more than two nodes; see assumption 19.
func (p *Pricer) keepsGathered(c *layout) bool {
	few := p.job.Stack.CrowdNodes == 0 || c.domains < p.job.Stack.CrowdNodes && c.tp <= 2*float64(p.job.Device.Domain)
	return c.tp > 1 && !p.job.Regather && (c.pp == 1 || c.pp > 2 && few)
}

// inputBytes is what an element of a matmul's input takes while it is kept.
func (p *Pricer) inputBytes() float64 {
	if p.job.Stack.KeepCast != 0 {
		return p.job.Recipe.Compute.Bytes()
	}
	return BF16.Bytes()
}

// expertInputs is the width of what a token of the busiest rank gives its experts.
func (p *Pricer) expertInputs(c *layout) float64 {
	return p.shape.routes * p.shape.perToken * p.shape.expertInput * c.imbalance
}

// expertHidden is the hidden width of the experts that a token of the busiest rank uses.
func (p *Pricer) expertHidden(c *layout) float64 {
	return p.shape.routes * p.shape.perToken * p.shape.expertWidth * c.imbalance
}

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

// hostTraffic is what a micro-batch waits for the host's link: weights that wait there come for each pass, and
// gradients go back; of what layers keep, only what computing and waiting for the host don't hide counts.
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
		wait += max(0, 2*c.away*c.stage.pace/d.Host-(t.Matmul+t.Attention+t.Elementwise+t.Logits+t.Host))
	}
	return wait
}

// Context is the bytes that a driver and its libraries take of a device for a program, outside its allocator.
func (s *Stack) Context() float64 { return min(s.Residual, 0.5e9) }
