package training

// wire is what a collective of a group goes over.
type wire struct {
	bandwidth float64 // bytes/s of a rank, one way
	latency   float64 // s a step
	steps     float64 // of a ring between domains
}

// wire is the way of a group of n ranks that stand stride apart, inner ranks first. A group inside a domain uses the
// fast network. A larger one uses the slow ports of all its members in a domain at once, but no more than the fast
// network carries.
func (p *Pricer) wire(n, stride float64) wire {
	s, d := p.job.Stack, &p.job.Device
	if d.Axes > 0 {
		return p.axis(n, stride)
	}
	domain := float64(d.Domain)
	if n*stride <= domain {
		return wire{d.Fast * s.FastWire, s.FastLatency, 1}
	}
	inside := max(1, domain/stride)
	return wire{min(d.Fast*s.FastWire, inside*d.Slow*s.SlowWire), s.SlowLatency, hops(n * stride / domain)}
}

// hops is the steps of a ring through so many domains: from each to the next.
func hops(domains float64) float64 { return max(1, ceil(domains)-1) }

// axis is the same in a torus: a group has axes of its own, as many as its share of the chips' dimensions; between
// pods there is only the data-centre network.
func (p *Pricer) axis(n, stride float64) wire {
	s, d := p.job.Stack, &p.job.Device
	axes := float64(d.Axes)
	if stride > 1 || n < p.devices/p.pods {
		axes = max(1, axes-1)
	}
	if p.pods > 1 && n*stride > p.devices/p.pods {
		return wire{min(d.Slow*s.SlowWire*p.devices/p.pods/max(1, stride), axes*d.Fast*s.FastWire), s.SlowLatency,
			hops(n * stride * p.pods / p.devices)}
	}
	if stride == 1 && n < p.devices/p.pods {
		axes = 1
	}
	return wire{axes * d.Fast * s.FastWire, s.FastLatency, 1}
}

// gather is an all-gather or a reduce-scatter of so many bytes in all over n ranks.
func (w wire) gather(bytes, n float64) float64 {
	if n <= 1 || w.bandwidth <= 0 {
		return 0
	}
	return bytes*(n-1)/n/w.bandwidth + w.latency*w.steps
}

// traffic is what goes over wires in a micro-batch of the slowest stage, as far as it shows. Weights come by gather.
func (p *Pricer) traffic(c *layout, t *Time) {
	s := p.job.Stack
	if c.tp > 1 {
		t.TP = s.ShowTP * p.takes(p.activations(c))
	}
	if c.cp > 1 {
		t.CP = c.stage.pace * p.contextTime(c)
	}
	if c.ep > 1 {
		t.EP = s.ShowEP * c.stage.pace * p.dispatches(c) * p.dispatch(c)
	}
	if c.pp > 1 {
		t.PP = s.ShowPP * p.takes(p.handed(c))
	}
}

// tensorGathers is how often tensor parallelism gathers or scatters in a mean layer. Blocks that run forward again do
// it twice more. Where tokens aren't split, a block has an all-reduce in each pass, which is both, and whole inputs
// that the backward pass needn't gather again.
func (p *Pricer) tensorGathers(c *layout) float64 {
	z := &p.shape
	n := (pick(p.job.Stack.NormsSplit != 0, 5.0, 4) + 2*c.again) * z.full / (2 * z.width)
	if c.modules.has(RecomputeMLP) {
		n += 2 * z.mlps
	}
	return n
}

// dispatches is how often tokens go to their experts or back: both ways forward and backward, and once more where
// experts run forward again.
func (p *Pricer) dispatches(c *layout) float64 {
	return 4 + 2*c.again + pick(c.modules.has(RecomputeExperts), 2.0, 0)
}

// gatherWeights is the traffic of sharded states in each micro-batch, as far as it doesn't hide behind computing:
// ZeRO-3 brings weights together forward and again backward. Gradients that are sharded are added up and scattered
// after each micro-batch; that of the last one counts as the step's.
func (p *Pricer) gatherWeights(c *layout, t *Time) {
	if c.zero < 2 || c.shard <= 1 {
		return
	}
	dense, routed := p.gathers(c)
	need := p.takes(dense) + p.takes(routed)
	if p.reducesEach(c) {
		dense, routed = p.reductions(c)
		need += (1 - 1/c.m) * (p.takes(dense) + p.takes(routed))
	}
	t.Gather = max(0, need-(1-p.job.Stack.ShowGather)*(t.Matmul+t.Attention+t.Elementwise+t.Host))
}

// dispatch is the way of a micro-batch's tokens to the experts of a layer, or back. Inside a domain a copy goes to
// each expert's rank; to each other domain goes one copy of those tokens that have an expert there.
func (p *Pricer) dispatch(c *layout) float64 {
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	tokens := 2 * c.tokens * z.expertInput * z.routes * c.imbalance / c.tp
	w := p.wire(c.ep, c.etp)
	group, domain := c.ep*c.etp, float64(d.Domain)
	if d.Axes > 0 || group <= domain {
		return tokens*distinct(c.ep, z.perToken)*(c.ep-1)/c.ep/w.bandwidth + w.latency
	}
	domains := group / domain
	fast := tokens * distinct(c.ep, z.perToken) / (d.Fast * s.FastWire)
	slow := tokens * distinct(domains, z.perToken) * (domains - 1) / domains / (d.Slow * s.SlowWire)
	return max(fast, slow) + w.latency
}

// distinct is how many of n places k random choices are expected to meet.
func distinct(n, k float64) float64 {
	miss := 1.0
	for range int(k) {
		miss *= 1 - 1/n
	}
	return n * (1 - miss)
}

// replicas is what gradients and weights take between replicas once a step, and the optimizer.
func (p *Pricer) replicas(c *layout, t *Time) {
	s, d := p.job.Stack, &p.job.Device
	dense, routed := p.owned(c)
	if dense+routed == 0 {
		return
	}
	all := 0.0
	for _, e := range p.syncs(c) {
		all += p.takes(e)
	}
	show, late := s.ShowReduce, 0.0
	if c.zero > 0 {
		layers, _ := p.exchanged(c)
		show, late = s.ShowDP, s.Bucket*layers*log2(c.dp*c.cp)
	}
	t.DP, t.DPHidden = show*all+late, (1-show)*all
	own := dense
	if c.zero >= 1 {
		own = dense/c.shard + routed/c.expertShard
	} else {
		own += routed
	}
	t.Optimizer = p.updates(c, own)
	if c.offload {
		t.Optimizer = own * 2 * (p.job.Recipe.Master + p.job.Recipe.Moments) / d.Host
	}
}

// exchanged is the layers and the table whose weights the rank exchanges that the others wait for.
func (p *Pricer) exchanged(c *layout) (layers, table float64) {
	switch {
	case c.pp == 1:
		return c.stage.slowest, p.embedOnce()
	case c.stage.work > c.stage.pace:
		return c.stage.last, p.shape.head
	}
	return c.stage.slowest, 0
}

// sentGrad is the bytes of a gradient as it travels between replicas.
func (p *Pricer) sentGrad() float64 {
	switch r := &p.job.Recipe; {
	case p.job.Stack.SentGrad > 0:
		return p.job.Stack.SentGrad
	case r.Accum > 0:
		return r.Accum
	default:
		return r.Grad
	}
}

// log2 is the logarithm of a number of ranks, rounded up.
func log2(n float64) float64 {
	steps := 0.0
	for size := 1.0; size < n; size *= 2 {
		steps++
	}
	return steps
}
