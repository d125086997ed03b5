package training

// Terms are the numbers that the main terms of a price are made of, for whoever works them out again by the laws of
// laws_plan.go. Times are of one micro-batch on the slowest stage.
type Terms struct {
	Layers, Tokens, Passes     float64 // of the slowest stage, of a micro-batch on a rank, forward passes' worth of work
	Dense, Full, Split         float64 // weights of a layer outside routed experts; see shape
	Element, Rate, Stream      float64 // bytes of an operand, FLOP/s of matmuls, bytes/s of memory
	Reach                      float64 // share of the peak that large matmuls reach in benchmarks
	AttentionPasses, Scores    float64 // FLOPs of attention for a token of a layer, forward
	AttentionRate              float64 // FLOP/s
	Width, Gathers             float64 // of the model; how often tensor parallelism gathers or scatters in a layer
	ShownTP, WireTP, LatencyTP float64

	Micro, Uneven, BubbleShare float64 // micro-batches; the mean stage over the slowest; of (p-1)/v slots, by schedule
	Chunks                     float64 // layers are in so many chunks on a rank, for the bubble

	Shared, Ranks, ShownDP     float64 // weights outside routed experts that a rank exchanges, among so many
	Sent, WireDP, LatencyDP    float64 // bytes for each weight of them; bytes/s; s for each exchange
	Exchanges                  float64
	Held, HeldRouted           float64 // weights of the fullest rank, before sharding
	Shards, ExpertShards       float64 // over how many ranks states are sharded
	Kept, KeptLayers, InFlight float64 // bytes kept of a layer and micro-batch; layers and micro-batches of the fullest
	Live                       float64 // bytes of one layer that is computed again, or gathered for context parallelism
	Copies                     float64
	Weight, Moments            float64 // bytes of each weight that is held, of its moments where they are sharded
}

// Terms takes a price apart.
func (p *Pricer) Terms(price *Price) Terms {
	plan := price.Plan
	c := p.layout(&plan)
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	t := Terms{Layers: c.stage.pace, Tokens: c.tokens, Passes: p.matmulPasses(&c), Dense: z.dense, Full: z.full,
		Split: z.split, Element: p.job.Recipe.Compute.Bytes(), Stream: d.Stream, Micro: c.m, Width: z.width,
		Scores: z.scores, AttentionRate: d.Peak[BF16] * s.Attention, Chunks: 1}
	t.Reach, t.Rate = p.reach(p.job.Recipe.Compute), p.matmulRate(p.job.Recipe.Compute)
	t.AttentionPasses = p.attentionPasses(&c)
	if took := price.Time.Attention; p.job.Scores && took > 0 { // what reaches it in effect
		t.AttentionRate = t.AttentionPasses * t.Layers * t.Tokens * t.Scores / c.tp / took
	}
	t.Gathers = p.tensorGathers(&c)
	w := p.wire(c.tp, 1)
	t.ShownTP, t.WireTP, t.LatencyTP = s.ShowTP, w.bandwidth, w.latency*w.steps
	p.bubbleTerms(&c, &t, price)
	p.replicaTerms(&c, &t)
	p.memoryTerms(&c, &t)
	p.stateTerms(&c, &t, price)
	return t
}

// bubbleTerms say how large the bubble is beside that of a pipeline that runs one forward, one backward.
func (p *Pricer) bubbleTerms(c *layout, t *Terms, price *Price) {
	t.Uneven, t.BubbleShare = c.stage.total/(c.pp*c.stage.work), 0
	if c.schedule == Interleaved {
		t.Chunks = c.v
	}
	if whole := price.Time.Slot() * t.Uneven * (c.pp - 1) / t.Chunks; whole > 0 {
		t.BubbleShare = price.Time.Bubble / whole
	}
}

// replicaTerms are the exchange of gradients and weights outside routed experts, over one group of ranks.
func (p *Pricer) replicaTerms(c *layout, t *Terms) {
	layers, table := p.exchanged(c)
	t.Shared, t.Ranks, t.ShownDP = (layers*p.shape.dense+table)/c.tp, c.shard, p.job.Stack.ShowDP
	r, grad := &p.job.Recipe, p.sentGrad()
	switch {
	case p.job.Frozen:
		t.Shared = 0
	case c.zero == 0:
		t.Ranks, t.ShownDP, t.Sent, t.Exchanges = c.dp*c.cp, p.job.Stack.ShowReduce, 2*grad, 2
	case c.zero >= 3:
		t.Sent, t.Exchanges = grad, 1
	default:
		t.Sent, t.Exchanges = grad+r.Gather, 2
	}
	w := p.wire(t.Ranks, c.tp)
	t.WireDP, t.LatencyDP = w.bandwidth, w.latency*w.steps
	if t.Ranks <= 1 {
		t.Exchanges = 0
	}
}

// memoryTerms are what the fullest rank holds.
func (p *Pricer) memoryTerms(c *layout, t *Terms) {
	ranks, n := p.ranks(c)
	fullest, most := &ranks[0], 0.0
	for i := range n {
		var m Memory
		if p.rankMemory(c, &ranks[i], &m); m.Total() > most {
			fullest, most = &ranks[i], m.Total()
		}
	}
	t.Held = (fullest.layers*p.shape.dense + fullest.table) / c.tp
	t.HeldRouted = fullest.layers * p.shape.routed / (c.ep * c.etp)
	t.Shards, t.ExpertShards, t.Copies = c.shard, c.expertShard, c.copies
	t.Kept, t.KeptLayers, t.InFlight = c.kept*p.learned.share, fullest.layers, fullest.inFlight
	t.Live = c.live
	if c.context == GatherContext {
		t.Live += p.gathered(c)
	}
}

// stateTerms are the bytes of a weight and of its moments: of the recipe, or in the mean where parts of the model differ
// or some wait elsewhere.
func (p *Pricer) stateTerms(c *layout, t *Terms, price *Price) {
	t.Weight, t.Moments = p.job.Recipe.Weight, p.job.Recipe.Moments
	if !p.job.Stated && !c.offload {
		return
	}
	local := t.Held/t.Shards + t.HeldRouted/t.ExpertShards
	if local > 0 {
		t.Moments = price.Memory.Moments / local
		t.Weight = price.Memory.Weights / t.Copies / pick(c.zero >= 3, local, t.Held+t.HeldRouted)
	}
}
