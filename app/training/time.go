package training

import "github.com/scalebook/scalebook/app/model"

// Time is what a step takes, by part, in seconds. The first parts are one micro-batch on the slowest stage.
type Time struct {
	Matmul      float64 // of a micro-batch: matmuls with weights, forward, backward and again
	Attention   float64 // scores, and the values that they weigh
	Elementwise float64 // norms, activations and sums, bound by the memory
	Logits      float64 // the head and the loss
	// that the device waits for the host, which launches experts' kernels, or for the steps of a ring
	Host       float64
	TP, CP, EP float64 // traffic that shows
	Gather     float64 // ZeRO-3's, that shows
	PP         float64 // activations and their gradients handed from stage to stage, that show
	Wait       float64 // for hand-overs between stages among many nodes; see CrowdWait

	MicroBatches float64    // how often all of that is done
	Passes       [3]float64 // of a pipeline's mean stage: a microbatch forward, to gradients of activations, of weights
	Bubble       float64    // of the step
	DP           float64    // of the step: gradients and weights between replicas, that shows
	DPHidden     float64    // the rest of that
	Optimizer    float64    // of the step
	Rest         float64    // of the step: what software does besides, the stack's constant step
	Retry        float64    // that the allocator takes near the limit of the memory
	Straggle     float64    // that all wait for the slowest machine of a large run
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
func (p *Estimator) slot(c *layout, t *Time) {
	t.MicroBatches = c.m
	p.compute(c, t)
	p.traffic(c, t)
	if c.pp > 1 { // only what the last stage takes longer than the slowest shows
		c.over = c.loss - (t.Slot()-t.Logits)*(1-c.stage.end/c.stage.pace)
		c.excess = max(0, c.over)
		t.Logits = c.excess + c.further
	}
}

// step adds to a micro-batch what else a step takes.
func (p *Estimator) step(c *layout, t *Time) {
	p.gatherWeights(c, t)
	p.lowerBound(c, t)
	p.bubble(c, t)
	p.replicas(c, t)
	t.Rest = p.job.Stack.Step
	t.Straggle = p.straggle * t.MicroBatches * (t.Matmul + t.Attention + t.Elementwise + t.Logits)
}

// straggling is by how much computing takes longer on so many devices, for all wait for the slowest machine: a share of
// machines is slow, and of many machines one surely is. Up to a number of devices, of which benchmarks show nothing of
// the kind, it is 0.
func (p *Estimator) straggling() float64 {
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
func (p *Estimator) passes(c *layout) float64 {
	n := 3.0
	if p.job.Frozen {
		n = 2
	}
	return 1 + (n-1+c.again)*p.learned.share // layers that don't learn run forward only
}

// matmulPasses is the same of matmuls outside experts: those of modules that are computed again run once more, and of
// the others those whose outputs the software doesn't keep.
func (p *Estimator) matmulPasses(c *layout) float64 {
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
func (p *Estimator) expertPasses(c *layout) float64 {
	if c.modules.has(RecomputeExperts) {
		return p.passes(c) + 1
	}
	return p.passes(c)
}

// compute is a micro-batch of the slowest stage on the device itself.
func (p *Estimator) compute(c *layout, t *Time) {
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	L := c.stage.pace
	rate := 1 / ((1-p.job.Wide)/p.matmulRate(p.job.Recipe.Compute) + p.job.Wide/p.matmulRate(BF16))
	element := p.job.Recipe.Compute.Bytes()
	// Matmuls outside experts: their operations at the full rate, and what they move.
	flops := 2 * c.tokens * z.dense / c.tp
	moved := element*(c.tokens*(z.full+z.split/c.tp)+z.dense/c.tp) + c.tokens*(z.full+z.split/c.tp)
	t.Matmul = p.matmulPasses(c) * L * (flops/rate + moved/d.Stream)
	if z.routed > 0 {
		t.Matmul += p.expertPasses(c) * L * p.experts(c, rate, element)
		t.Matmul += L * p.masked(c)
		each := s.LaunchExpert*p.castsToo() + s.LaunchLoop*d.Loops + pick(z.biased, s.LaunchBias, 0)
		t.Host = p.expertPasses(c) * L * z.routes * (s.LaunchMoE + each*z.experts/c.ep) / 3
	}
	if p.job.Frozen {
		t.Matmul *= 1 + s.Adapter
	}
	if p.job.Learn.Quant { // each pass makes the weights wide
		t.Matmul += p.passes(c) * L * (z.dense/c.tp + z.routed/(c.ep*c.etp)) *
			(p.job.Recipe.Weight + BF16.Bytes()) / d.Stream
	}
	t.Attention = p.attentionPasses(c) * L * c.tokens * z.scores / c.tp / p.attentionRate()
	p.unfused(c, t)
	t.Elementwise = L * s.Traffic / 3 * 2 * c.tokens * p.elements(c) / c.tp / (d.Stream * s.Stream)
	t.Elementwise += L*z.dense/c.tp*s.Narrow/d.Stream + L*p.scanTime(c)
	if z.biased { // of what experts give out; matmuls add those inside
		t.Elementwise += p.expertPasses(c) / 3 * L * s.BiasBytes * c.tokens * p.expertInputs(c) / c.tp / (d.Stream * s.Stream)
	}
	p.loss(c, t)
}

// castsToo is the share of an expert's kernels that are launched: in 8 bits or fewer six matmuls and twelve casts of
// what they take, forward and backward, in 16 bits the matmuls alone.
func (p *Estimator) castsToo() float64 { return pick(p.job.Recipe.Compute == BF16, 6.0/18, 1) }

// attentionRate is what fused attention reaches, in FLOP/s: the same share of the peak in 8 bits as in 16. Of kernels
// for Ampere it is so much less as the chip reaches less by its instructions; where they reach too little the software
// has others.
func (p *Estimator) attentionRate() float64 {
	s, d := p.job.Stack, &p.job.Device
	return d.Peak[p.job.Recipe.Attention] * s.Attention * pick(d.Older < s.OwnKernels, 1, d.Older)
}

// matmulRate is what large matmuls reach in training, in FLOP/s.
func (p *Estimator) matmulRate(in DType) float64 {
	return p.job.Device.Peak[in] * p.reach(in) * p.job.Stack.Matmul
}

// reach is the share of the peak that they reach in benchmarks.
func (p *Estimator) reach(in DType) float64 {
	if given := p.job.Stack.Reach; given > 0 {
		return given
	}
	return p.job.Device.Reach[in]
}

// elements is what elementwise kernels pass over for a token of a layer, in all passes.
func (p *Estimator) elements(c *layout) float64 {
	z, set, routed := &p.shape, c.modules, p.expertHidden(c)
	width := z.width * p.normRanks(c)
	n := p.passes(c) * (width + z.queries + z.hidden + routed)
	n += pick(set.has(RecomputeNorms), width, 0)
	n += pick(set.has(RecomputeLatents), z.queries, 0)
	n += pick(set.has(RecomputeActivations|RecomputeMLP), z.hidden, 0)
	return n + pick(set.has(RecomputeActivations|RecomputeExperts), routed, 0)
}

// normRanks is how many ranks of tensor parallelism do the same norms: all of them, unless tokens are split.
func (p *Estimator) normRanks(c *layout) float64 { return pick(p.splitsNorms(), 1, c.tp) }

// splitsNorms tells whether they are split: whether there is sequence parallelism.
func (p *Estimator) splitsNorms() bool { return p.job.Stack.NormsSplit != 0 && !p.job.NormsWhole }

// attentionPasses is the same for attention. The backward pass of flash attention takes five matmuls for the forward
// pass's two.
func (p *Estimator) attentionPasses(c *layout) float64 {
	n := p.passes(c) + 0.5
	if c.modules.has(RecomputeAttention) {
		n++
	}
	return n
}

// sorted is how often experts' inputs are read and written where tokens come in the order of their experts: once in and
// once out, forward and backward, over three passes.
const sorted = 4.0 / 3

// experts is the forward pass of a layer's routed experts on the busiest rank. Each rank of tensor parallelism has its
// own share of the tokens, or all of them; ranks that split an expert have together those of all of them, and each a
// share of its width.
func (p *Estimator) experts(c *layout, rate, element float64) float64 {
	z, s := &p.shape, p.job.Stack
	local, width := z.routed/(c.ep*c.etp), z.expertWidth/c.etp
	rows := c.tokens * z.routes * z.perToken * c.imbalance * p.alike(c) / c.tp // of all experts that the rank holds
	padded, share := rows+z.routes*z.experts/c.ep*s.Pad, s.Grouped             // to whole tiles of each
	if p.job.Routing.batched() {
		padded, share = rows, 1
	}
	flops := 2 * padded * z.matrices * z.expertInput * width
	shuffle := s.Shuffle
	if c.ep > 1 && p.dispatcher() == OnceDispatcher { // which weighs what comes back as it adds it up
		shuffle = min(shuffle, sorted)
	}
	moved := element*local + (element+2)*rows*(2*z.expertInput+z.matrices*width) + shuffle*2*rows*2*z.expertInput
	return flops/(rate*share) + moved/p.job.Device.Stream
}

// loss is what makes logits and their loss.
func (p *Estimator) loss(c *layout, t *Time) {
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	n := min(p.passes(c), 3) // it is not recomputed
	time := n * 2 * c.tokens * z.width * z.vocab / c.tp / p.matmulRate(BF16)
	passes := s.LogitPasses
	if p.job.Loss.Moved > 0 {
		passes *= p.job.Loss.Moved
	}
	time += passes * c.tokens * z.vocab / p.logitRanks(c) / (d.Stream * s.Stream)
	layers := t.Matmul + t.Attention + t.Elementwise + t.Host
	c.further = p.further(c, layers/c.stage.pace, time) / c.pp // stages are laid out so that these are shared, too
	c.loss, t.Logits = time, time+c.further
}

// further is what modules take that predict further tokens: layers, a matmul that joins a token's embedding to what the
// layer before gives, and logits and a loss of their own.
func (p *Estimator) further(c *layout, layer, loss float64) float64 {
	n := p.job.Loss.Further
	if n == 0 {
		return 0
	}
	joins := 2 * c.tokens * 2 * p.shape.width * p.shape.width / c.tp / p.matmulRate(BF16)
	return n * (p.deep()*layer + p.passes(c)*joins + loss)
}

// deep is how many layers such a module has: a hybrid's has an attention and an expert layer.
func (p *Estimator) deep() float64 { return pick(p.job.Model.Linear.Heads > 0, 2.0, 1) }

// lowerBound is what the device waits for where a layer has less to do than the host to say, or a ring of members
// steps.
func (p *Estimator) lowerBound(c *layout, t *Time) {
	s := p.job.Stack
	least := s.Launch
	if c.zero >= 3 && c.shard > 1 {
		least += s.LaunchGather
	}
	if p.job.Frozen {
		least += s.LaunchAdapter
	}
	if p.job.Routing.Capacity <= 0 { // who fills buffers up to a limit waits for no counts of tokens
		least += s.LaunchRouted * p.shape.routes * p.expertPasses(c) / 3
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
	c.learning = max(t.Matmul+c.gathering+t.Host, least)
	busy := t.Matmul + t.Attention + t.Elementwise + t.Logits + t.TP + t.EP + t.Gather + t.Host
	unsummed := busy - c.summing
	c.excess = max(unsummed, least) - max(unsummed-c.excess, least)
	c.summing = min(c.summing, max(0, busy-least)) // the rest hides behind the host
	t.Host += max(0, least-busy)
	traffic := p.hostTraffic(c, t)
	t.Host, c.learning = t.Host+traffic, c.learning+traffic
	if s.CrowdNodes > 0 && c.domains >= s.CrowdNodes {
		t.Wait = s.CrowdWait * handovers(c.pp, c.m) / c.m
		if c.pp == 1 && c.dp*c.cp > 1 { // replicas stand on all nodes, and scatter and gather gradients once
			t.Wait = s.CrowdWait * 2 / c.m
		}
	}
}

// handovers is how many a step of p stages waits for, each of which keeps both stages: m micro-batches pass a stage
// between others four times and one with a single neighbour twice; before the first and after the last of them come
// those on the way to the last but one, which no micro-batch hides. Without stages there are none.
func handovers(p, m float64) float64 { return 2*min(p-1, 2)*m + 2*max(0, p-3) }

// bubble is the time in which stages wait for the first micro-batch and after the last, as the schedule is played.
func (p *Estimator) bubble(c *layout, t *Time) {
	if c.pp == 1 {
		return
	}
	// the other stages are shorter; the wait comes with each micro-batch, and fills no pipeline, nor do sums of
	// gradients: the stage before goes on meanwhile
	slot := t.Slot() - t.Wait - c.summing
	layers, timed := slot-c.excess, *c
	layer := timed.stage.weigh(slot, layers, c.loss)
	mean := slot * timed.stage.total / (c.pp * timed.stage.work)
	n := p.passes(c)
	t.Passes = [3]float64{mean / n, mean * (n - 1) / n, 0}
	if !p.job.Frozen {
		// only layers that learn have gradients of weights
		w := mean * min(1, c.learning/layers) * p.learned.share / max(n, p.matmulPasses(c))
		t.Passes[Backward], t.Passes[Weights] = t.Passes[Backward]-w, w
	}
	waits, ok := timed.closed(1 / n)
	if !ok { // in slots; those who wait do so for the others
		waits = p.plays.span(c.pipe(), 1/n, t.Passes[Weights]/mean) - c.m
		waits *= (timed.stage.total - timed.stage.work) / (c.pp - 1)
	}
	t.Bubble = waits * layer
}

// Context is how the ranks of context parallelism, which hold some tokens of each sequence, share attention.
type Context uint8

// The ways. A ring passes keys and values around while attention computes (Liu et al. 2023); a gather brings those of
// the whole sequence together before it (Llama 3); Ulysses exchanges tokens for heads before it and back after it, so
// that a rank has whole sequences of its heads (Jacobs et al. 2023).
const (
	RingContext Context = iota
	GatherContext
	UlyssesContext

	contexts
)

var contextNames = [contexts]string{"ring", "gather", "ulysses"}

// String is the name of x.
func (x Context) String() string { return nameOf(contextNames[:], x) }

// ParseContext finds a way by its name.
func ParseContext(name string) (Context, bool) { return named[Context](contextNames[:], name) }

// contextTime is a layer's traffic of context parallelism for a micro-batch, forward and backward, as far as it shows.
//
// Keys and values go around three times: forward, backward, and their gradients. On a ring a share of that shows; where
// they are gathered before attention begins, nothing hides it. By Ulysses queries, keys, values and outputs go through
// an all-to-all forward, and their gradients backward; what is computed again is exchanged again.
func (p *Estimator) contextTime(c *layout) float64 {
	if c.context == UlyssesContext {
		return (2 + c.again) * p.exchange(2*c.tokens*p.swapped(c)/c.tp, c.cp, c.tp)
	}
	if c.context == GatherContext {
		return 3 * p.transfer(c.cp, c.tp).gather(p.gathered(c), c.cp)
	}
	around := 3 * p.next(c.contextGroup()).gather(p.gathered(c), c.cp)
	return p.job.Stack.ShowCP * around
}

// gathered is the bytes of a layer's keys and values of whole sequences.
func (p *Estimator) gathered(c *layout) float64 { return 2 * c.tokens * c.cp * p.shape.keys / c.tp }

// swapped is the widths of what Ulysses exchanges for a token: queries, keys and values, outputs. Each rank needs whole
// heads, so that the few heads of keys and values go to several.
func (p *Estimator) swapped(c *layout) float64 {
	z := &p.shape
	return z.queries + z.keys*max(1, c.cp/max(1, z.kvHeads/c.tp)) + z.values
}

// exchange is an all-to-all in which each of n ranks, stride apart, gives its bytes away in equal parts. What leaves a
// domain goes through the rank's own port. On a torus a part goes a quarter of the ring far in the mean.
func (p *Estimator) exchange(bytes, n, stride float64) float64 {
	s, d, w := p.job.Stack, &p.job.Device, p.transfer(n, stride)
	inside := n
	if d.Axes > 0 {
		return bytes*max((n-1)/n, n/4)/w.bandwidth + w.latency
	}
	if domain := float64(d.Domain); n*stride > domain {
		inside = max(1, domain/stride)
	}
	fast, slow := bytes*(inside-1)/n/(d.fast(inside)*s.FastWire), bytes*(n-inside)/n/(d.Slow*s.SlowWire)
	return max(fast, slow) + w.latency
}

// scan is what a layer with a state, linear attention or a state-space model, computes for a token beside its matmuls
// with weights, forward: its convolution, and its recurrence cut into chunks.
type scan struct {
	flops float64 // in small matmuls
	bytes float64 // through the memory
	kept  float64 // elements that the backward pass needs
}

// chunk is how many tokens a kernel takes at once: 64 by the delta rule (flash-linear-attention), 128 of state-space
// models (Nemotron's configurations). Fewer would write states more often, more would multiply more inside a chunk.
func chunk(kind model.LinearKind) float64 {
	if kind == model.GatedDelta || kind == model.KimiDelta {
		return 64
	}
	return 128
}

// newScan is the scan of a model's linear layers, of heads with states of P x N, chunks of Q tokens, channels of the
// convolution and V elements of values:
//
//	flops  2 Q (N + P) a head for each product inside a chunk, of which the delta rule has one more, and 2 P N for each
//	       with the state
//	bytes  the convolution reads and writes its channels; one kernel makes states of chunks from them and one outputs;
//	       between them states in fp32 are written, passed on and read; the output is written, gated and normed
func newScan(m *model.Model) scan {
	l := &m.Linear
	channels, values := float64(l.Channels(m.Width)), float64(l.Heads*l.ValueSize)
	products := l.Products()
	if products == 0 { // a convolution alone
		return scan{bytes: 2 * 2 * channels, kept: channels}
	}
	Q, state := chunk(l.Kind), values*float64(l.KeySize)
	keys := float64(l.KeyHeads * l.KeySize)
	const passes, fp32 = 4, 4 // of states
	return scan{
		flops: (products-1)*2*Q*(keys+values) + 2*products*state,
		bytes: 2*(2*channels+2*channels+4*values) + passes*fp32*state/Q,
		kept:  2*channels + 2*values, // before and after the convolution, the gate, the output
	}
}

func (s *scan) add(other scan) {
	s.flops, s.bytes, s.kept = s.flops+other.flops, s.bytes+other.bytes, s.kept+other.kept
}

// scanTime is a micro-batch through a layer's scan. Like attention's, its backward pass takes two and a half times as
// much as the forward pass, whose states it makes again.
func (p *Estimator) scanTime(c *layout) float64 {
	s, z, d := p.job.Stack, &p.shape.scan, &p.job.Device
	each := z.flops/(d.Peak[BF16]*s.Attention) + z.bytes/(d.Stream*s.Stream)
	return (p.passes(c) + 0.5) * c.tokens / c.tp * each
}

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
// are, and work the activation function out again. An adapter saves its input in its own width. Some software saves
// inputs of matmuls whose weights are frozen, too.
func (p *Estimator) eagerLayer(c *layout) (e eager) {
	z, fused, learns := &p.shape, p.job.Loss.Kernels, !p.job.Frozen
	norms, inputs, hidden := 2*4.0, 0.0, 2*z.matrices
	if fused {
		norms, hidden = 2*2, 2*(z.matrices-1)
	}
	if z.matrices < 3 {
		hidden = 2 // what goes into the activation function
	}
	if learns || p.job.Learn.Inputs {
		hidden += 2
		inputs = 2*2*z.width + 2*z.values
	}
	if learns && !fused {
		norms += 2 * 2
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
		if l.Weight > 2 || !l.Inputs { // else it is there
			e.saved += l.Weight * pick(l.Weight > 2, p.learned.inputs, p.learned.distinct)
		}
		if l.Dropout {
			e.saved += 3 * p.learned.inputs // an input of its own for each adapter, and the mask
		}
	}
	return e
}

// residual is the bytes of an element of what passes from layer to layer: as wide as the table of the input is kept,
// unless shards are cast when they are gathered.
func (p *Estimator) residual() float64 {
	r := &p.job.Recipe
	wide := r.Weight >= 4 && r.Gather != 2 || r.Weight > 4
	if p.job.Frozen {
		wide = p.job.Learn.Table >= 4
	}
	return pick(wide, 4.0, 2)
}

// keepEager works out what an eager layer keeps of a micro-batch, and how much more there is of one while the backward
// pass is at it.
func (p *Estimator) keepEager(c *layout) {
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
func (p *Estimator) inputsTwice(c *layout) float64 {
	if p.job.Learn.Shards && c.zero >= 3 && c.shard > 1 && c.recompute >= RecomputeBlock {
		return p.job.Stack.KeptShards
	}
	return 1
}

// widened is how much wider inputs of layers are that norms have made wide: PEFT leaves norms alone where weights are
// sharded.
func (p *Estimator) widened(c *layout) float64 {
	if p.job.Learn.Wide && c.zero < 3 && c.recompute >= RecomputeBlock {
		return 4 / p.residual()
	}
	return 1
}

// moment is what of a rank's memory is there at a moment of a step, as shares.
type moment struct{ kept, live, logits, grads, gathered, update float64 }

// fullest cuts the memory of a rank down to the fullest of four moments: the loss, when all layers are kept and logits
// are there; the backward pass at its first layer; its end, when all gradients are there; and the update. Gradients of
// one micro-batch alone are made on the way and gone before the next step; where an update is made of all weights at
// once, there is a copy of the second moments.
func (p *Estimator) fullest(c *layout, k *rank, m *Memory) (at moment) {
	j := &p.job
	held := 1.0 // share of the gradients that is there all the time
	if c.m*k.inFlight == 1 && !j.Frozen {
		held = 0
	}
	tables := 0.0 // the gradients of the table that makes logits are the first
	if all := k.layers*p.shape.dense + k.table; k.logits && all > 0 && held == 0 {
		tables = min(1, max(p.shape.head, p.shape.embed)/all)
	}
	live, one := min(k.layers, 1)*c.live, 0.0 // what the layer under way has kept, of all that is
	kept := m.Activations - live
	if c.recompute == KeepAll && !j.Host.Kept {
		one = 1 / max(1, k.layers*k.inFlight)
	}
	var best Memory
	for i, now := range [...]moment{
		{1, 0, 1, held, 1, 0}, {p.inputsTwice(c), 1, 0, max(held, tables), 1, 0}, {one, 1, 0, 1, 1, 0},
		{0, 0, 0, 1, 0, 1},
	} {
		x := *m
		now.kept *= p.widened(c)
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
