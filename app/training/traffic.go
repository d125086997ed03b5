package training

import "github.com/scalebook/scalebook/app/network"

// transfer is what a collective of a group goes over.
type transfer struct {
	bandwidth float64 // bytes/s of a rank, one way
	latency   float64 // s a step
	steps     float64 // of a ring between domains
}

// transfer is the way of a group of n ranks that stand stride apart, inner ranks first. A group inside a domain uses
// the fast network. A larger one uses the slow ports of all its members in a domain at once, but no more than the fast
// network carries.
func (p *Estimator) transfer(n, stride float64) transfer {
	s, d := p.job.Stack, &p.job.Device
	if d.Axes > 0 {
		return p.axis(n, stride)
	}
	domain := float64(d.Domain)
	if n*stride <= domain {
		return transfer{d.fast(n) * s.FastWire, s.FastLatency, 1}
	}
	inside := max(1, domain/stride)
	return transfer{min(d.fast(inside)*s.FastWire, inside*d.Slow*s.SlowWire), s.SlowLatency, hops(n * stride / domain)}
}

// next is the way of each rank of a group to the next one: in a mesh over the links to that one alone, unless each is
// of a node of its own.
func (p *Estimator) next(g group) transfer {
	w := p.transfer(g.size, g.stride)
	if d := &p.job.Device; d.Mesh.Devices > 0 && g.stride < float64(d.Domain) {
		w.bandwidth = min(w.bandwidth, d.fast(2)*p.job.Stack.FastWire)
	}
	return w
}

// hops is the steps of a ring through so many domains: from each to the next.
func hops(domains float64) float64 { return max(1, ceil(domains)-1) }

// axis is the same in a torus: a group has axes of its own, as many as its share of the chips' dimensions; between
// pods there is only the data-centre network.
func (p *Estimator) axis(n, stride float64) transfer {
	s, d := p.job.Stack, &p.job.Device
	axes := float64(d.Axes)
	if stride > 1 || n < p.devices/p.pods {
		axes = max(1, axes-1)
	}
	if p.pods > 1 && n*stride > p.devices/p.pods {
		return transfer{min(d.Slow*s.SlowWire*p.devices/p.pods/max(1, stride), axes*d.Fast*s.FastWire), s.SlowLatency,
			hops(n * stride * p.pods / p.devices)}
	}
	if stride == 1 && n < p.devices/p.pods {
		axes = 1
	}
	return transfer{axes * d.Fast * s.FastWire, s.FastLatency, 1}
}

// gather is an all-gather or a reduce-scatter of so many bytes in all over n ranks.
func (w transfer) gather(bytes, n float64) float64 {
	if n <= 1 || w.bandwidth <= 0 {
		return 0
	}
	return bytes*(n-1)/n/w.bandwidth + w.latency*w.steps
}

// traffic is what goes over wires in a micro-batch of the slowest stage, as far as it shows. Weights come by gather.
func (p *Estimator) traffic(c *layout, t *Time) {
	s := p.job.Stack
	if c.tp > 1 {
		t.TP = s.ShowTP * p.takes(p.activations(c))
	}
	if c.cp > 1 {
		t.CP = c.stage.pace * p.contextTime(c)
	}
	if c.ep*c.etp > 1 {
		t.EP = p.shownTokens(c, t)
	}
	if c.pp > 1 {
		t.PP = s.ShowPP * p.takes(p.handed(c))
	}
}

// tensorGathers is how often tensor parallelism gathers or scatters in a mean layer. Blocks that run forward again do
// it twice more. Where tokens aren't split, a block has an all-reduce in each pass, which is both, and whole inputs
// that the backward pass needn't gather again.
func (p *Estimator) tensorGathers(c *layout) float64 {
	z := &p.shape
	n := (pick(p.splitsNorms(), 5.0, 4) + 2*c.again) * z.full / (2 * z.width)
	if c.modules.has(RecomputeMLP) {
		n += 2 * z.mlps
	}
	return n
}

// dispatches is how often tokens go to their experts or back: both ways forward and backward, and once more where
// experts run forward again.
func (p *Estimator) dispatches(c *layout) float64 {
	return 4 + 2*c.again + pick(c.modules.has(RecomputeExperts), 2.0, 0)
}

// allToAlls is what tokens' ways to experts and back take in a micro-batch.
//
//go:noinline
func (p *Estimator) allToAlls(c *layout) float64 {
	return c.stage.pace * p.dispatches(c) * p.dispatch(c)
}

// gatherWeights is the traffic of sharded states in each micro-batch, as far as it doesn't hide behind computing:
// ZeRO-3 brings weights together forward and again backward. Gradients that are sharded are added up and scattered
// after each micro-batch; that of the last one counts as the step's.
func (p *Estimator) gatherWeights(c *layout, t *Time) {
	c.summing, c.gathering = 0, 0
	if c.zero < 2 || c.shard <= 1 {
		return
	}
	computes := t.Matmul + t.Attention + t.Elementwise + t.Host + p.fetched(c, t)
	hidden := (1 - p.job.Stack.ShowGather) * computes
	if t.EP > 0 { // what hides tokens' ways to experts hides nothing else
		hidden = max(0, min(hidden, computes-(p.allToAlls(c)-t.EP)))
	}
	gathers, sums := p.unhidden(c, c.stage.pace, p.paceTable(c), hidden)
	t.Gather, c.summing, c.gathering = gathers+sums, sums, gathers
	if c.pp > 1 { // the last stage has fewer layers to gather, and the table of its loss
		part := c.stage.end / c.stage.pace
		last, summing := p.unhidden(c, c.stage.end, p.shape.head, hidden*part)
		c.loss += last - gathers*part
		c.excess = max(0, c.over+last-gathers)
		shown := max(0, c.over+last+summing-t.Gather)
		t.Logits, c.summing = shown+c.further, t.Gather+shown-max(gathers, c.over+last)
	}
}

// unhidden is what shows of the traffic of a stage's sharded states in the mean micro-batch, where so much of it is
// hidden: gathers of weights in each, sums of gradients in all but the last. No more of these shows than of the last's.
func (p *Estimator) unhidden(c *layout, layers, table, hidden float64) (gathers, sums float64) {
	all, sums := p.shares(c, layers, table)
	gathers = max(0, all-hidden)
	return gathers, (1 - 1/c.m) * min(max(0, all+sums-hidden)-gathers, p.job.Stack.ShowDP*sums)
}

// shares is what a micro-batch of a stage of so many layers and a table takes to gather weights and to add up
// gradients, if it does.
func (p *Estimator) shares(c *layout, layers, table float64) (gathers, sums float64) {
	for _, e := range p.gathers(c, layers, table) {
		gathers += p.takes(e)
	}
	if p.reducesEach(c) {
		for _, e := range p.reductions(c, layers, table) {
			sums += p.takes(e)
		}
	}
	return gathers, sums
}

// paceTable is the tables of the stage that all wait for: both if there is but one, else that of the input where the
// first stage is among the largest.
func (p *Estimator) paceTable(c *layout) float64 {
	switch {
	case c.pp == 1:
		return p.embedOnce()
	case c.stage.first < c.stage.slowest:
		return 0
	}
	return p.inputTable()
}

// dispatch is the way of a micro-batch's tokens to the experts of a layer, or back. By an all-to-all a copy goes for
// each expert of a token, with what fills buffers; by an all-gather all tokens go to all ranks. Dispatchers that send a
// token once send, inside a domain, a copy to each rank with an expert, and to each other domain one copy of those
// tokens that have an expert there. Ranks that split an expert then gather its tokens, or add up what it makes of them.
func (p *Estimator) dispatch(c *layout) float64 {
	return p.sendTokens(c) + p.takes(p.expertGather(c))
}

// expertGather is what ranks that split experts gather each time: the tokens of all of them.
func (p *Estimator) expertGather(c *layout) exchange {
	return exchange{group{c.etp, 1}, p.job.Stack.SentToken * c.tokens * p.expertInputs(c) / c.tp, 1, false}
}

// sendTokens is the part of it that goes to other ranks of experts.
func (p *Estimator) sendTokens(c *layout) float64 {
	if c.ep <= 1 {
		return 0
	}
	s, d, w, sent := p.job.Stack, &p.job.Device, p.transfer(c.ep, c.etp), p.dispatched(c)
	switch p.dispatcher() {
	case AllToAllDispatcher:
		return p.exchange(p.choices(c), c.ep, c.etp)
	case GatherDispatcher:
		return sent/w.bandwidth + w.latency*w.steps
	}
	if d.Axes > 0 || c.ep*c.etp <= float64(d.Domain) {
		return sent/w.bandwidth + w.latency
	}
	return max(p.copies(c, c.ep)/(d.fast(float64(d.Domain))*s.FastWire), sent/(d.Slow*s.SlowWire)) + w.latency
}

// copies is the bytes of a micro-batch's tokens on a rank if each goes to the places that it reaches of n.
//
//go:noinline
func (p *Estimator) copies(c *layout, n float64) float64 {
	z := &p.shape
	return p.job.Stack.SentToken * c.tokens * z.expertInput * z.routes * c.real * p.alike(c) / c.etp / c.tp *
		z.reached(n)
}

// choices is the bytes of a micro-batch's tokens on a rank if each goes to all of its experts, with what fills buffers.
func (p *Estimator) choices(c *layout) float64 {
	return p.job.Stack.SentToken * c.tokens * p.expertInputs(c) / c.etp / c.tp
}

// reached is how many of n places with as many experts each a token is expected to go to.
func (z *shape) reached(n float64) float64 { return network.Reached(z.perToken, n, z.groups, z.chosen) }

// replicas is what gradients and weights take between replicas once a step, and the optimizer.
func (p *Estimator) replicas(c *layout, t *Time) {
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
	if c.offload { // the state comes and goes while it is updated
		t.Optimizer = max(t.Optimizer, own*2*(p.job.Recipe.Master+p.job.Recipe.Moments)/d.Host)
	}
}

// exchanged is the layers and the table whose weights the rank exchanges that the others wait for.
func (p *Estimator) exchanged(c *layout) (layers, table float64) {
	switch {
	case c.pp == 1:
		return c.stage.slowest, p.embedOnce()
	case c.stage.work > c.stage.pace:
		return c.stage.last, p.shape.head
	}
	return c.stage.slowest, 0
}

// sentGrad is the bytes of a gradient as it travels between replicas.
func (p *Estimator) sentGrad() float64 {
	summed := max(p.job.Recipe.Grad, p.job.Recipe.Accum)
	if sent := p.job.Stack.SentGrad; sent > 0 {
		return min(sent, summed)
	}
	return summed
}

// log2 is the logarithm of a number of ranks, rounded up.
func log2(n float64) float64 {
	steps := 0.0
	for size := 1.0; size < n; size *= 2 {
		steps++
	}
	return steps
}

// Exchange is what ranks of a plan send one another in a step: who, how often, over which wire.
type Exchange struct {
	What, Group   string // the key of its name; who exchanges
	Part          int    // of Time.Parts, in which what shows of it stands
	Ranks, Stride int
	Inside        bool    // the group lies inside a domain of the fast network
	Times         float64 // in a step
	Bytes         float64 // that each rank sends each time
	Bandwidth     float64 // bytes/s of a rank, one way
	Time, Shown   float64 // s of the step: all of it, and what doesn't hide
}

// Numbers are those of e in their order, but for what is no number.
func (e *Exchange) Numbers() [7]float64 {
	return [...]float64{float64(e.Ranks), float64(e.Stride), e.Times, e.Bytes, e.Bandwidth, e.Time, e.Shown}
}

// The parts of a step in which traffic stands, by their places in Time.Parts.
const (
	tensorPart = 5 + iota
	contextPart
	expertPart
	gatherPart
	stagePart
	replicaPart = 12
)

// Exchanges are all that the ranks of the slowest stage take part in, but for none that takes no time.
func (p *Estimator) Exchanges(estimate *Estimate) []Exchange {
	plan := estimate.Plan
	c, t, s := p.layout(&plan), &estimate.Time, p.job.Stack
	l := exchanges{p: p, ring: c.context == RingContext}
	l.add("training.sends-activations", "TP", tensorPart, p.activations(&c), c.m, s.ShowTP)
	slots := c.m * c.stage.pace
	bytes, times, shown := p.contextBytes(&c)
	l.layers("training.sends-keys", "CP", contextPart, c.contextGroup(), bytes, slots*times, c.m*t.CP/shown, c.m*t.CP)
	l.layers("training.sends-tokens", "EP", expertPart, c.expertGroup(), p.dispatched(&c),
		slots*p.dispatches(&c), c.m*p.allToAlls(&c), c.m*t.EP)
	l.add("training.sends-on", "PP", stagePart, p.handed(&c), c.m, s.ShowPP)
	l.sharded(&c, t)
	l.once(&c)
	return l.all
}

// exchanges is the list under way.
type exchanges struct {
	p    *Estimator
	ring bool // of context parallelism
	all  []Exchange
}

// add adds an exchange that comes in so many microbatches, or once, of which a share shows.
func (l *exchanges) add(what, group string, part int, e exchange, micros, shown float64) {
	if time := micros * l.p.takes(e); time > 0 {
		bytes := e.bytes * (e.size - 1) / e.size
		l.all = append(l.all, l.exchange(what, group, part, e.group, micros*e.times, bytes, time, shown*time))
	}
}

// layers adds one that takes so long in all, if it takes any.
func (l *exchanges) layers(what, group string, part int, g group, bytes, times, all, shown float64) {
	if g.size > 1 && all > 0 {
		l.all = append(l.all, l.exchange(what, group, part, g, times, bytes, all, shown))
	}
}

func (l *exchanges) exchange(what, name string, part int, g group, times, bytes, time, shown float64) Exchange {
	w := l.p.transfer(g.size, g.stride)
	if part == stagePart || part == contextPart && l.ring {
		w = l.p.next(g)
	}
	return Exchange{What: what, Group: name, Part: part, Ranks: int(g.size), Stride: int(g.stride),
		Inside: g.size*g.stride <= float64(l.p.job.Device.Domain), Times: times, Bytes: bytes,
		Bandwidth: w.bandwidth, Time: time, Shown: shown}
}

// sharded adds what sharded states exchange in each micro-batch. What of all of that shows is known together.
func (l *exchanges) sharded(c *layout, t *Time) {
	if c.zero < 2 || c.shard <= 1 {
		return
	}
	from, groups := len(l.all), [3]string{"DP", "expert DP", "DP"}
	what := [3]string{"training.sends-weights", "training.sends-weights", "training.sends-tables"}
	for i, e := range l.p.gathers(c, c.stage.pace, l.p.paceTable(c)) {
		l.add(what[i], groups[i], gatherPart, e, c.m, 0)
	}
	if l.p.reducesEach(c) {
		what = [3]string{"training.sends-each", "training.sends-each", "training.sends-each-table"}
		for i, e := range l.p.reductions(c, c.stage.pace, l.p.paceTable(c)) {
			l.add(what[i%3], groups[i%3], gatherPart, e, c.m-1, 0)
		}
	}
	all := 0.0
	for _, e := range l.all[from:] {
		all += e.Time
	}
	for i := range l.all[from:] {
		l.all[from+i].Shown = l.all[from+i].Time / all * c.m * t.Gather
	}
}

// once adds what comes once in a step.
func (l *exchanges) once(c *layout) {
	shown := pick(c.zero > 0, l.p.job.Stack.ShowDP, l.p.job.Stack.ShowReduce)
	what := [3]string{"training.sends-gradients", "training.sends-updated", "training.sends-replicas"}
	for i, e := range l.p.syncs(c) {
		l.add(what[i%3], [2]string{"DP", "expert DP"}[i/3], replicaPart, e, 1, shown)
	}
}

// contextBytes is what a rank of context parallelism sends of a layer each time, how often, and the share that shows.
func (p *Estimator) contextBytes(c *layout) (bytes, times, shown float64) {
	others := (c.cp - 1) / c.cp
	switch c.context {
	case UlyssesContext:
		return others * 2 * c.tokens * p.swapped(c) / c.tp, 2 + c.again, 1
	case GatherContext:
		return others * p.gathered(c), 3, 1
	}
	return others * p.gathered(c), 3, p.job.Stack.ShowCP
}

// dispatched is the bytes of a layer that a rank sends to other ranks of experts each time: a copy to each of them, or
// to another domain one for all that are there.
func (p *Estimator) dispatched(c *layout) float64 {
	n, domain := c.ep, float64(p.job.Device.Domain)
	switch p.dispatcher() {
	case AllToAllDispatcher:
		return p.choices(c) * (n - 1) / n
	case GatherDispatcher:
		return p.job.Stack.SentToken * c.tokens * p.shape.routes * p.shape.expertInput * p.alike(c) / c.etp / c.tp *
			(n - 1)
	}
	if group := c.ep * c.etp; p.job.Device.Axes == 0 && group > domain {
		n = group / domain
	}
	return p.copies(c, n) * (n - 1) / n
}

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
func (p *Estimator) takes(e exchange) float64 {
	if e.size <= 1 || e.bytes <= 0 {
		return 0
	}
	w := p.transfer(e.size, e.stride)
	if e.direct {
		w = p.next(e.group)
		w.steps = 1
	}
	return e.times * w.gather(e.bytes, e.size)
}

// activations is tensor parallelism in a micro-batch. With sequence parallelism a block gathers before its matmuls and
// scatters after them, and the backward pass mirrors it and gathers its inputs again.
func (p *Estimator) activations(c *layout) exchange {
	return exchange{c.tensorGroup(), 2 * c.tokens * p.shape.width, c.stage.pace * p.tensorGathers(c), false}
}

// handed is what a stage gets from the one before and behind in a micro-batch, for each of its chunks. It is no
// collective, but takes as long as a gather of all but the rank's own bytes.
func (p *Estimator) handed(c *layout) exchange {
	each := 2 * c.tokens * p.shape.width / c.tp
	return exchange{c.pipelineGroup(), each * c.pp / max(1, c.pp-1), 2 * c.v, true}
}

// owned is the weights that learn of the rank that the others wait for, outside routed experts and of them.
func (p *Estimator) owned(c *layout) (dense, routed float64) {
	layers, table := p.exchanged(c)
	l := &p.learned
	if p.job.Frozen { // the adapters alone
		return (layers*l.dense + l.tables) / c.tp, layers * l.routed / (c.ep * c.etp)
	}
	return (layers*p.shape.dense + table) / c.tp * l.share, layers * p.shape.routed / (c.ep * c.etp) * l.share
}

// gathers are the weights of a stage that ZeRO-3 brings together in a micro-batch, outside routed experts, of them, and
// of its table: forward, and again backward, layer by layer.
func (p *Estimator) gathers(c *layout, layers, table float64) (all [3]exchange) {
	if c.zero >= 3 {
		all = p.units(c, p.job.Recipe.Gather, 2, layers, table)
	}
	return all
}

// units are the exchanges of a stage's weights among those that share them, so many bytes each and so many times.
func (p *Estimator) units(c *layout, each, times, layers, table float64) [3]exchange {
	z := &p.shape
	return [3]exchange{{c.shards(), each * z.dense / c.tp, times * layers, false},
		{c.expertShards(), each * z.routed / (c.ep * c.etp), times * layers, false},
		{c.shards(), each * table / c.tp, times, false}}
}

// late tells whether gradients stay whole until the last micro-batch, whatever is sharded: of a pipeline, or of a job
// that adds them up between ranks once a step.
func (p *Estimator) late(c *layout) bool {
	return p.job.Stack.LateSync != 0 && c.pp > 1 || p.job.Late && c.m > 1
}

// reducesEach tells whether gradients are added up between ranks after each micro-batch: who holds a shard of them has
// no memory for more.
func (p *Estimator) reducesEach(c *layout) bool { return c.zero >= 2 && !p.late(c) && !p.job.Frozen }

// reductions are the gradients of a stage that shards add up after a micro-batch, and then those that replicas of a
// shard (HSDP) do where software doesn't wait with them for the last one.
func (p *Estimator) reductions(c *layout, layers, table float64) [6]exchange {
	var all [6]exchange
	each := p.units(c, p.sentGrad()*p.learned.share, 1, layers, table)
	for i, e := range each {
		all[i] = e
		if p.job.Stack.CopiesEach != 0 {
			all[3+i] = exchange{c.copiesOf(i), e.bytes / e.size, 2 * e.times, false}
		}
	}
	return all
}

// copiesOf are the replicas of the shards that exchange a unit.
func (c *layout) copiesOf(unit int) group {
	if unit == 1 {
		return c.expertCopies()
	}
	return c.replicas()
}

// syncs are the exchanges of gradients and weights once a step, outside routed experts and then of them: shards add up
// gradients, send the weights that come of them, unless weights stay sharded, and replicas of a shard add up theirs.
func (p *Estimator) syncs(c *layout) [6]exchange {
	dense, routed := p.owned(c)
	grad, weights := p.sentGrad(), pick(c.zero < 3, p.job.Recipe.Gather, 0)
	return [6]exchange{
		{c.shards(), grad * dense, 1, false}, {c.shards(), weights * dense, 1, false},
		{c.replicas(), grad * dense / c.shard, 2, false},
		{c.expertShards(), grad * routed, 1, false}, {c.expertShards(), weights * routed, 1, false},
		{c.expertCopies(), grad * routed / c.expertShard, 2, false}}
}
