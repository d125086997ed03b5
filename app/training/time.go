package training

// Time is what a step takes, by part, in seconds. The first parts are one micro-batch on the slowest stage.
type Time struct {
	Matmul      float64 // of a micro-batch: matmuls with weights, forward, backward and again
	Attention   float64
	Elementwise float64
	Logits      float64
	Host        float64 // that the device waits for the host, which launches experts' kernels, or for the steps of a ring
	TP, CP, EP  float64 // traffic that shows
	Gather      float64 // ZeRO-3's, that shows
	PP          float64
	Wait        float64 // that nobody explains; see CrowdWait

	MicroBatches float64    // how often all of that is done
	Passes       [3]float64 // of a pipeline's mean stage: a microbatch forward, to gradients of activations, of weights
	Bubble       float64    // of the step
	DP           float64    // of the step: gradients and weights between replicas, that shows
	DPHidden     float64    // the rest of that
	Optimizer    float64
	Rest         float64
	Retry        float64 // that the allocator takes near the limit of the memory
	Straggle     float64 // that all wait for the slowest machine of a large run
}

// Slot is a micro-batch on the slowest stage.
func (t *Time) Slot() float64 {
	return t.Matmul + t.Attention + t.Elementwise + t.Logits + t.Host + t.TP + t.CP + t.EP + t.Gather + t.PP + t.Wait
}

// Step is all of it.
func (t *Time) Step() float64 {
	return t.MicroBatches*t.Slot() + t.Bubble + t.DP + t.Optimizer + t.Rest + t.Retry + t.Straggle
}

// slot adds up a micro-batch, without the weights that sharded states have to gather for it.
func (p *Pricer) slot(c *layout, t *Time) {
	t.MicroBatches = c.m
	p.compute(c, t)
	p.traffic(c, t)
}

// step adds to a micro-batch what else a step takes.
func (p *Pricer) step(c *layout, t *Time) {
	p.gatherWeights(c, t)
	p.floor(c, t)
	p.bubble(c, t)
	p.replicas(c, t)
	t.Rest = p.job.Stack.Step
	t.Straggle = p.straggle * t.MicroBatches * (t.Matmul + t.Attention + t.Elementwise + t.Logits)
}

// straggling is by how much computing takes longer on so many devices, for all wait for the slowest machine: a share of
// machines is slow, and of many machines one surely is. Up to a number of devices, of which benchmarks show nothing of
// the kind, it is 0.
func (p *Pricer) straggling() float64 {
	const machine = 8 // devices of one
	s := p.job.Stack
	if p.job.Device.Axes > 0 || p.devices <= s.SlowFrom {
		return 0
	}
	none := 1.0 // that no machine is slow
	for range int(p.devices / machine) {
		none *= 1 - s.SlowShare
	}
	return s.SlowBy * (1 - none)
}

// Restarted is the time of a run of many days over that of its steps: interruptions come with the number of devices,
// and each loses the steps since the last checkpoint and the time to begin again. Of Llama 3's 54 days on 16,384 GPUs
// at most a tenth was lost to 466 interruptions.
func Restarted(devices int) float64 {
	const (
		days, gpus, interruptions = 54, 16384, 466
		lost                      = 0.1 // of that run, at most
	)
	each := lost / (1 - lost) * days / interruptions // days
	return 1 + float64(devices)*interruptions/(days*gpus)*each
}

// passes is how many times the forward pass's operations a micro-batch takes: the backward pass is twice the forward,
// without gradients of weights once; recomputing all adds one.
func (p *Pricer) passes(c *layout) float64 {
	n := 3.0
	if p.job.Frozen {
		n = 2
	}
	return 1 + (n-1+c.again)*p.learned.share // layers that don't learn run forward only
}

// matmulPasses is the same of matmuls outside experts: those of modules that are computed again run once more, and of
// the others those whose outputs the software doesn't keep.
func (p *Pricer) matmulPasses(c *layout) float64 {
	z, kept, again := &p.shape, p.outputsKept(c.modules), 0.0
	if c.modules.has(RecomputeLatents) {
		again += z.lifts / z.dense
	}
	if c.modules.has(RecomputeMLP) {
		again += kept * z.matrices * z.width * z.hidden / z.dense
	}
	return p.passes(c) + 1 - kept + again
}

// expertPasses is the same of routed experts.
func (p *Pricer) expertPasses(c *layout) float64 {
	if c.modules.has(RecomputeExperts) {
		return p.passes(c) + 1
	}
	return p.passes(c)
}

// compute is a micro-batch of the slowest stage on the device itself.
func (p *Pricer) compute(c *layout, t *Time) {
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	L := c.stage.pace
	rate := p.matmulRate(p.job.Recipe.Compute)
	element := p.job.Recipe.Compute.Bytes()
	// Matmuls outside experts: their operations at the full rate, and what they move.
	flops := 2 * c.tokens * z.dense / c.tp
	moved := element*(c.tokens*(z.full+z.split/c.tp)+z.dense/c.tp) + c.tokens*(z.full+z.split/c.tp)
	t.Matmul = p.matmulPasses(c) * L * (flops/rate + moved/d.Stream)
	if z.routed > 0 {
		t.Matmul += p.expertPasses(c) * L * p.experts(c, rate, element)
		t.Host = p.expertPasses(c) * L * z.routes * s.LaunchMoE / 3
	}
	if p.job.Frozen {
		t.Matmul *= 1 + s.Adapter
	}
	if p.job.Learn.Quant { // each pass makes the weights wide
		t.Matmul += p.passes(c) * L * (z.dense/c.tp + z.routed/(c.ep*c.etp)) * (p.job.Recipe.Weight + BF16.Bytes()) / d.Stream
	}
	t.Attention = p.attentionPasses(c) * L * c.tokens * z.scores / c.tp / (d.Peak[BF16] * s.Attention)
	p.unfused(c, t)
	t.Elementwise = L * s.Traffic / 3 * 2 * c.tokens * p.elements(c) / c.tp / (d.Stream * s.Stream)
	t.Elementwise += L*z.dense/c.tp*s.Narrow/d.Stream + L*p.scanTime(c)
	if c.stage.work > L || c.pp == 1 {
		p.loss(c, t)
	}
}

// matmulRate is what large matmuls reach in training, in FLOP/s.
func (p *Pricer) matmulRate(in DType) float64 {
	return p.job.Device.Peak[in] * p.reach(in) * p.job.Stack.Matmul
}

// reach is the share of the peak that they reach in benchmarks.
func (p *Pricer) reach(in DType) float64 {
	if given := p.job.Stack.Reach; given > 0 {
		return given
	}
	return p.job.Device.Reach[in]
}

// elements is what elementwise kernels pass over for a token of a layer, in all passes.
func (p *Pricer) elements(c *layout) float64 {
	z, set, routed := &p.shape, c.modules, p.expertHidden(c)
	width := z.width * p.normRanks(c)
	n := p.passes(c) * (width + z.queries + z.hidden + routed)
	n += pick(set.has(RecomputeNorms), width, 0)
	n += pick(set.has(RecomputeLatents), z.queries, 0)
	n += pick(set.has(RecomputeActivations|RecomputeMLP), z.hidden, 0)
	return n + pick(set.has(RecomputeActivations|RecomputeExperts), routed, 0)
}

// normRanks is how many ranks of tensor parallelism do the same norms: all of them, unless tokens are split.
func (p *Pricer) normRanks(c *layout) float64 { return pick(p.job.Stack.NormsSplit != 0, 1, c.tp) }

// attentionPasses is the same for attention. The backward pass of flash attention takes five matmuls for the forward
// pass's two.
func (p *Pricer) attentionPasses(c *layout) float64 {
	n := p.passes(c) + 0.5
	if c.modules.has(RecomputeAttention) {
		n++
	}
	return n
}

// experts is the forward pass of a layer's routed experts on the busiest rank.
func (p *Pricer) experts(c *layout, rate, element float64) float64 {
	z, s := &p.shape, p.job.Stack
	local := z.routed / (c.ep * c.etp)
	rows := c.tokens * z.routes * z.perToken * c.imbalance / c.etp // of all experts that the rank holds
	flops := 2 * rows * z.matrices * z.expertInput * z.expertWidth
	moved := element*local + (element+2)*rows*(2*z.expertInput+z.matrices*z.expertWidth) +
		s.Shuffle*2*rows*2*z.expertInput
	return flops/(rate*s.Grouped) + moved/p.job.Device.Stream
}

// loss is what makes logits and their loss. If another stage is slower, only what the last has more than it counts.
func (p *Pricer) loss(c *layout, t *Time) {
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	n := min(p.passes(c), 3) // it is not recomputed
	time := n * 2 * c.tokens * z.width * z.vocab / c.tp / p.matmulRate(BF16)
	passes := s.LogitPasses
	if p.job.Loss.Moved > 0 {
		passes *= p.job.Loss.Moved
	}
	time += passes * c.tokens * z.vocab / c.tp / (d.Stream * s.Stream)
	if c.pp > 1 {
		layers := t.Matmul + t.Attention + t.Elementwise + t.Host
		time = max(0, time-layers*(1-c.stage.end/c.stage.pace))
	}
	t.Logits = time
}

// floor is what the device waits for where a layer has less to do than the host to say, or a ring of members steps.
func (p *Pricer) floor(c *layout, t *Time) {
	s := p.job.Stack
	least := s.Launch
	if c.zero >= 3 && c.shard > 1 {
		least += s.LaunchGather
	}
	if p.job.Frozen {
		least += s.LaunchAdapter
	}
	switch {
	case c.tp == 1:
	case c.pp == 1 || !c.crosses:
		least = max(least, s.RingStep*c.tp)
	case c.tp > float64(p.job.Device.Domain):
		least += s.PipeFar * c.tp
	default:
		least += s.PipeStep * c.tp
	}
	least *= c.stage.pace
	if busy := t.Matmul + t.Attention + t.Elementwise + t.Logits + t.TP + t.EP + t.Gather + t.Host; least > busy {
		t.Host += least - busy
	}
	t.Host += p.hostTraffic(c, t)
	if s.CrowdNodes > 0 && c.pp > 1 && c.domains >= s.CrowdNodes {
		t.Wait = s.CrowdWait
	}
}

// bubble is the time in which stages wait for the first micro-batch and after the last, as the schedule is played.
func (p *Pricer) bubble(c *layout, t *Time) {
	if c.pp == 1 {
		return
	}
	mean := t.Slot() * c.stage.total / (c.pp * c.stage.work) // the other stages are shorter
	n := p.passes(c)
	t.Passes = [3]float64{mean / n, mean * (n - 1) / n, 0}
	if !p.job.Frozen {
		w := mean * (t.Matmul / t.Slot()) / max(n, p.matmulPasses(c))
		t.Passes[Backward], t.Passes[Weights] = t.Passes[Backward]-w, w
	}
	waits, ok := c.schedule.closed(c.pp, c.v)
	if !ok {
		waits = p.plays.span(c.pipe(), 1/n, t.Passes[Weights]/mean) - c.m
	}
	t.Bubble = waits * mean
}
