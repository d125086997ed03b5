package training

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
)

// Estimator estimates plans of one job. It may be used by several goroutines.
type Estimator struct {
	job      Job
	shape    shape
	devices  float64
	pods     float64
	flops    float64 // of the model for a token, forward and backward
	logits   float64 // the logits' work in layers, by operations
	plays    *plays
	can      support // what the software can run
	learned  learned
	straggle float64 // share of computing that all wait for the slowest machine
	spreads  Spreads
}

// Estimate is what a plan costs.
type Estimate struct {
	Plan     Plan
	Memory   Memory // of the fullest rank
	Reported Memory // of the rank whose memory the software reports
	Time     Time
}

// Planned is a plan of a job with its estimate.
type Planned struct {
	Estimator *Estimator
	Estimate  Estimate
	Remark    any // what of its settings isn't estimated, in words
}

// Job is the job that p estimates.
func (p *Estimator) Job() *Job { return &p.job }

// layout is a plan in numbers that formulas use.
type layout struct {
	// how devices and layers are divided
	dp, tp, pp, cp, ep, etp float64
	expertReplicas          float64
	m, v                    float64 // micro-batches, chunks
	tokens                  float64 // of a micro-batch on a rank, before tensor parallelism
	group                   float64 // of them, those that share buffers of experts
	context                 Context
	schedule                Schedule
	offload                 bool
	stage                   stage
	flight                  flight
	copies                  float64
	imbalance, real         float64 // rows of the busiest rank's experts over the mean, and tokens among them
	domains                 float64
	crosses                 bool // the plan spans more than one domain
	// s by which a micro-batch takes the last stage longer than the slowest, what both gather aside; below 0 if shorter
	over float64
	// s of a micro-batch's loss, and of a stage's share of the modules that predict further tokens
	loss, further float64
	// s by which the last stage takes longer than the slowest in the end; the host issues layers while the loss runs
	excess float64
	// s of what shows of a micro-batch's sums of gradients, for which no other stage waits, and of gathers of weights
	summing, gathering float64
	// s of a micro-batch's matmuls with weights, at least what the host takes to issue all that is in a pass, and what
	// they wait for sharded states and the host's memory
	learning float64

	// what is recomputed
	recompute  Recompute
	again      float64   // share of the layers that run forward twice
	modules    Recompute // those that run forward twice
	kept, live float64   // bytes of a layer and a micro-batch: kept, and of one while it is computed again
	away       float64   // bytes of it that wait in the host's memory

	// how states are sharded
	zero        int
	shard       float64 // ranks that dense states are sharded over
	expertShard float64
}

// NewEstimator takes from a job what every plan needs. The job must be valid; see Job.Check.
func NewEstimator(j Job) *Estimator {
	p := &Estimator{job: j, shape: newShape(j.Model, float64(j.Sequence)), devices: float64(j.Devices),
		pods: float64(max(1, j.Pods)), plays: newPlays(), can: supportOf(j.Stack), spreads: spreads()}
	p.job.Scores = j.Scores || j.Stack.Flash == 0
	p.learned, p.straggle = newLearned(&j), p.straggling()
	pass, passes := model.Train, 3.0
	if j.Frozen {
		pass, passes = model.Frozen, 2
	}
	p.flops = float64(j.Model.FLOPsPerToken(float64(j.Sequence), model.Windowed, pass))
	p.flops *= (1 + (passes-1)*p.learned.share) / passes // layers that don't learn run forward only
	layer := p.shape.dense
	if p.shape.routed > 0 {
		layer += p.shape.routes * p.shape.perToken * p.shape.matrices * p.shape.expertInput * p.shape.expertWidth
	}
	p.logits = p.shape.width * p.shape.vocab / layer
	return p
}

// layout works out the numbers of a plan.
func (p *Estimator) layout(plan *Plan) (c layout) {
	p.divided(&c, plan)
	p.recomputed(&c, plan)
	p.sharded(&c, plan)
	return c
}

// divided works out how a plan divides devices and layers.
func (p *Estimator) divided(c *layout, plan *Plan) {
	c.dp, c.tp, c.pp = float64(plan.DP), float64(plan.TP), float64(plan.PP)
	c.cp, c.ep, c.etp = float64(plan.CP), float64(plan.EP), float64(plan.ETP)
	c.expertReplicas = max(1, c.dp*c.cp*c.tp/(c.ep*c.etp))
	c.schedule, c.offload, c.context = plan.Schedule, plan.Offload || p.job.Host.State, plan.Context
	c.m = float64(plan.MicroBatches(p.job.Batch))
	c.v = float64(plan.Schedule.chunks(plan.Virtual))
	c.tokens = float64(plan.Micro) * float64(p.job.Sequence) / c.cp
	if c.group = c.tokens; p.job.Stack.Family == "xla" {
		c.group = float64(p.job.Sequence) / c.cp
	}
	c.stage = split(p.shape.layers, p.logits, plan.PP, plan.ends(), p.job.Stack.CostSplit != 0)
	c.flight, c.copies = p.flight(c), c.schedule.copies()
	c.imbalance, c.real = p.loads(c.ep)
	c.domains = ceil(p.devices / float64(max(1, p.job.Device.Domain)))
	c.crosses = c.domains > 1
}

// flight is how many microbatches' activations the ranks of a pipeline keep.
func (p *Estimator) flight(c *layout) flight {
	n, ok := c.schedule.flight(c.pp, c.v, c.m)
	if !ok {
		n = p.plays.flight(c.pipe())
	}
	if p.job.Routing.Overlapped && c.ep > 1 && c.schedule != DualPipe { // one passes forward beside one backward
		for _, x := range []*float64{&n.first, &n.last, &n.middle} {
			*x = min(c.m, *x+1/c.v)
		}
	}
	return n
}

// pipe is the plan's pipeline.
func (c *layout) pipe() pipe { return newPipe(c.schedule, int(c.pp), int(c.v), int(c.m)) }

// recomputed adds what a plan computes again, and what it keeps.
func (p *Estimator) recomputed(c *layout, plan *Plan) {
	c.recompute, c.modules, c.again = plan.Recompute, p.modules(plan.Recompute), 0
	if c.recompute >= RecomputeBlock {
		c.again = 1
		if plan.Recomputed > 0 {
			c.again = min(1, float64(plan.Recomputed)/p.shape.layers)
		}
	}
	p.keep(c)
}

// sharded adds how a plan shards states.
func (p *Estimator) sharded(c *layout, plan *Plan) {
	c.zero, c.shard, c.expertShard = plan.Zero, 1, 1
	if c.zero > 0 {
		c.shard = float64(plan.Shard)
		c.expertShard = min(c.expertReplicas, max(1, c.shard*c.tp/(c.ep*c.etp)))
	}
}

// Estimate estimates a plan, which must be legal; see Legal.
func (p *Estimator) Estimate(plan Plan) Estimate {
	var d draft
	p.estimateMemory(&d, plan.filled(), newLayout)
	p.time(&d)
	return d.Estimate
}

// TokensPerSecond is the rate of each device.
func (p *Estimator) TokensPerSecond(estimate *Estimate) float64 {
	sequences := float64(estimate.Plan.MicroBatches(p.job.Batch) * estimate.Plan.DP * estimate.Plan.Micro)
	return sequences * float64(p.job.Sequence) / estimate.Time.Step() / float64(estimate.Plan.Devices())
}

// change says what of a plan is other than in the one before.
type change uint8

// The changes. Each includes those before it.
const (
	newSharding  change = iota // ZeRO
	newRecompute               // also what is computed again
	newLayout                  // anything
)

// draft is a plan while it is estimated. A search goes through plans that mostly differ from the one before in their
// last choices: what depends on the others alone is worked out once.
type draft struct {
	Estimate
	layout layout
	slot   Time // of a micro-batch, as far as sharding has no part in it
	timed  bool // slot is worked out
}

// estimateMemory begins with a plan, which must have its defaults filled in: what it holds, without its time.
func (p *Estimator) estimateMemory(d *draft, plan Plan, news change) {
	d.Plan, d.Time = plan, Time{}
	if news == newLayout {
		p.divided(&d.layout, &d.Plan)
	}
	if news >= newRecompute {
		p.recomputed(&d.layout, &d.Plan)
		d.timed = false
	}
	p.sharded(&d.layout, &d.Plan)
	p.memory(&d.layout, &d.Estimate)
}

// time adds the time of a step.
func (p *Estimator) time(d *draft) {
	if !d.timed {
		d.slot, d.timed = Time{}, true
		p.slot(&d.layout, &d.slot)
	}
	d.Time = d.slot
	p.step(&d.layout, &d.Time)
	if d.Memory.Paged > 0 {
		d.Time.Optimizer += 2 * d.Memory.Paged / p.job.Device.Host
	}
	s := p.job.Stack
	all := d.Reported.Total() - d.Reported.Exchange // what every micro-batch needs
	if capacity := s.MemoryRoom * p.job.Device.Memory; s.MemoryRoom > 0 && all > capacity {
		full := min(1, (all-capacity)/(AfterContext(p.job.Device.Memory)-capacity))
		d.Time.Retry = (s.RetrySlow - 1) * full * d.Time.Step()
	}
}

// Terms are the numbers that the main terms of an estimate are made of, for whoever works them out again by the laws of
// estimate.go. Times are of one micro-batch on the slowest stage.
type Terms struct {
	// of the slowest stage, of a micro-batch on a rank, forward passes' worth of work
	Layers, Tokens, Passes     float64
	Dense, Full, Split         float64 // weights of a layer outside routed experts; see shape
	Element, Rate, Stream      float64 // bytes of an operand, FLOP/s of matmuls, bytes/s of memory
	Reach                      float64 // share of the peak that large matmuls reach in benchmarks
	AttentionPasses, Scores    float64 // FLOPs of attention for a token of a layer, forward
	AttentionRate              float64 // FLOP/s
	Width, Gathers             float64 // of the model; how often tensor parallelism gathers or scatters in a layer
	ShownTP, WireTP, LatencyTP float64 // share of the traffic that shows; bytes/s; s for each gather or scatter

	Micro, Uneven, BubbleShare float64 // micro-batches; the mean stage over the slowest; of (p-1)/v slots, by schedule
	Chunks                     float64 // layers are in so many chunks on a rank, for the bubble

	Shared, Ranks, ShownDP     float64 // weights outside routed experts that a rank exchanges, among so many
	Sent, WireDP, LatencyDP    float64 // bytes for each weight of them; bytes/s; s for each exchange
	Exchanges                  float64 // of gradients, and of weights gathered after them: 0 to 2
	Held, HeldRouted           float64 // weights of the fullest rank, before sharding
	Shards, ExpertShards       float64 // over how many ranks states are sharded
	Kept, KeptLayers, InFlight float64 // bytes kept of a layer and micro-batch; layers and micro-batches of the fullest
	Live                       float64 // bytes of one layer that is computed again, or gathered for context parallelism
	Copies                     float64 // of the weights that a rank keeps at once, by its schedule
	Weight, Moments            float64 // bytes of each weight that is held, of its moments where they are sharded
}

// Terms takes an estimate apart.
func (p *Estimator) Terms(estimate *Estimate) Terms {
	plan := estimate.Plan
	c := p.layout(&plan)
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	t := Terms{Layers: c.stage.pace, Tokens: c.tokens, Passes: p.matmulPasses(&c), Dense: z.dense, Full: z.full,
		Split: z.split, Element: p.job.Recipe.Compute.Bytes(), Stream: d.Stream, Micro: c.m, Width: z.width,
		Scores: z.scores, AttentionRate: p.attentionRate(), Chunks: 1}
	t.Reach, t.Rate = p.reach(p.job.Recipe.Compute), p.matmulRate(p.job.Recipe.Compute)
	t.AttentionPasses = p.attentionPasses(&c)
	if took := estimate.Time.Attention; p.job.Scores && took > 0 { // what reaches it in effect
		t.AttentionRate = t.AttentionPasses * t.Layers * t.Tokens * t.Scores / c.tp / took
	}
	t.Gathers = p.tensorGathers(&c)
	w := p.transfer(c.tp, 1)
	t.ShownTP, t.WireTP, t.LatencyTP = s.ShowTP, w.bandwidth, w.latency*w.steps
	p.bubbleTerms(&c, &t, estimate)
	p.replicaTerms(&c, &t)
	p.memoryTerms(&c, &t)
	p.stateTerms(&c, &t, estimate)
	return t
}

// bubbleTerms say how large the bubble is beside that of a pipeline that runs one forward, one backward.
func (p *Estimator) bubbleTerms(c *layout, t *Terms, estimate *Estimate) {
	t.Uneven, t.BubbleShare = 1, 0
	if slot := estimate.Time.Slot(); c.pp > 1 && slot > 0 {
		passes := estimate.Time.Passes
		t.Uneven = (passes[Forward] + passes[Backward] + passes[Weights]) / slot
	}
	if c.schedule == Interleaved {
		t.Chunks = c.v
	}
	if whole := estimate.Time.Slot() * t.Uneven * (c.pp - 1) / t.Chunks; whole > 0 {
		t.BubbleShare = estimate.Time.Bubble / whole
	}
}

// replicaTerms are the exchange of gradients and weights outside routed experts, over one group of ranks.
func (p *Estimator) replicaTerms(c *layout, t *Terms) {
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
	w := p.transfer(t.Ranks, c.tp)
	t.WireDP, t.LatencyDP = w.bandwidth, w.latency*w.steps
	if t.Ranks <= 1 {
		t.Exchanges = 0
	}
}

// memoryTerms are what the fullest rank holds.
func (p *Estimator) memoryTerms(c *layout, t *Terms) {
	ranks, n := p.ranks(c)
	fullest, most, at := &ranks[0], 0.0, moment{kept: 1, live: 1}
	for i := range n {
		var m Memory
		if now := p.rankMemory(c, &ranks[i], &m); m.Total() > most {
			fullest, most, at = &ranks[i], m.Total(), now
		}
	}
	t.Held = (fullest.layers*p.shape.dense + fullest.table) / c.tp
	t.HeldRouted = fullest.layers * p.shape.routed / (c.ep * c.etp)
	t.Shards, t.ExpertShards, t.Copies = c.shard, c.expertShard, c.copies
	t.Kept, t.KeptLayers, t.InFlight = c.kept*p.learned.share*at.kept, fullest.layers, fullest.inFlight
	t.Live = min(fullest.layers, 1) * c.live * at.live
	if c.context == GatherContext {
		t.Live += p.gathered(c)
	}
}

// stateTerms are the bytes of a weight and of its moments: of the recipe, or in the mean where parts of the model
// differ or some wait elsewhere.
func (p *Estimator) stateTerms(c *layout, t *Terms, estimate *Estimate) {
	t.Weight, t.Moments = p.job.Recipe.Weight, p.job.Recipe.Moments
	if !p.job.Stated && !c.offload && p.job.Stack.Eager == 0 && p.job.Recipe.Cast == 0 {
		return
	}
	local := t.Held/t.Shards + t.HeldRouted/t.ExpertShards
	if local > 0 {
		t.Moments = estimate.Memory.Moments / local
		t.Weight = estimate.Memory.Weights / t.Copies / pick(c.zero >= 3, local, t.Held+t.HeldRouted)
	}
}

// Part is a part of an estimate by its name.
type Part struct {
	Name  string
	Value float64
}

// Parts are all parts of m.
func (m *Memory) Parts() []Part {
	parts := m.parts()
	return parts[:]
}

func (m *Memory) parts() [9]Part {
	return [...]Part{
		{Name: "weights", Value: m.Weights},
		{Name: "gradients", Value: m.Grads},
		{Name: "master weights", Value: m.Master},
		{Name: "moments", Value: m.Moments},
		{Name: "activations", Value: m.Activations},
		{Name: "logits", Value: m.Logits},
		{Name: "gathered weights", Value: m.Gathered},
		{Name: "fragmentation", Value: m.Fragments},
		{Name: "framework overhead", Value: m.Residual},
	}
}

// Largest is the name of the largest part.
func (m *Memory) Largest() string {
	best := Part{}
	for _, p := range m.parts() {
		if p.Value > best.Value {
			best = p
		}
	}
	return best.Name
}

// Part is a part by its name.
func (m *Memory) Part(name string) float64 {
	for _, p := range m.Parts() {
		if p.Name == name {
			return p.Value
		}
	}
	return 0
}

// Parts are all parts of a step; what is done for each micro-batch counts as often as there are.
func (t *Time) Parts() []Part {
	m := t.MicroBatches
	return []Part{
		{Name: "matmuls", Value: m * t.Matmul},
		{Name: "attention", Value: m * t.Attention},
		{Name: "elementwise kernels", Value: m * t.Elementwise},
		{Name: "logits", Value: m * t.Logits},
		{Name: "waiting for the host", Value: m * t.Host},
		{Name: "tensor parallelism", Value: m * t.TP},
		{Name: "context parallelism", Value: m * t.CP},
		{Name: "expert parallelism", Value: m * t.EP},
		{Name: "weight all-gathers", Value: m * t.Gather},
		{Name: "pipeline P2P", Value: m * t.PP},
		{Name: "waiting among many nodes", Value: m * t.Wait},
		{Name: "bubble", Value: t.Bubble},
		{Name: "gradients between replicas", Value: t.DP},
		{Name: "optimizer", Value: t.Optimizer},
		{Name: "rest", Value: t.Rest},
		{Name: "allocator near the limit", Value: t.Retry},
		{Name: "slowest machine", Value: t.Straggle},
	}
}

// Lost is the part of t that takes most more than in another step, and how much.
func (t *Time) Lost(other *Time) (name string, more float64) {
	others := other.Parts()
	for i, p := range t.Parts() {
		if d := p.Value - others[i].Value; d > more {
			name, more = p.Name, d
		}
	}
	return name, more
}

// Law is the time of a pipelined step as two numbers have it: Slot (m + (p-1)/v) + Constant, for m micro-batches on p
// stages of v chunks.
type Law struct {
	Slot, Constant float64 // s
	Bubble         float64 // (p-1)/v, in micro-batches
}

// Calibrate finds the law of a plan from two steps that were measured with different numbers of micro-batches.
func Calibrate(stages, chunks, m1, seconds1, m2, seconds2 float64) (Law, error) {
	switch {
	case stages < 1 || chunks < 1 || m1 < 1 || m2 < 1 || !(seconds1 > 0) || !(seconds2 > 0):
		return Law{}, fault("training.calibrate-least")
	case m1 == m2:
		return Law{}, fault("training.calibrate-same")
	}
	l := Law{Slot: (seconds2 - seconds1) / (m2 - m1), Bubble: (stages - 1) / chunks}
	l.Constant = seconds1 - l.Slot*(m1+l.Bubble)
	if l.Slot <= 0 {
		return l, fault("training.calibrate-shorter")
	}
	return l, nil
}

// Step is what the law says of a step of m micro-batches.
func (l Law) Step(m float64) float64 { return l.Slot*(m+l.Bubble) + l.Constant }

// layerSplit are the parameters of laws of a layer's MLP whose weights are gathered over links of bandwidth W_x, and
// whose activations over links of W_y. matrices is 2, or 3 with a gate.
const layerSplit = "F, peak FLOP/s > 0, W_x byte/s > 0, W_y byte/s > 0, matrices > 0"

// Laws are the laws of a model that is split over chips to be trained.
func Laws() []law.Law { return append(planLaws(), splitLaws()...) }

// splitLaws are those of layers that are split, and of pipelines.
func splitLaws() []law.Law {
	return []law.Law{
		{Name: "tensor_limit", Takes: "F, peak FLOP/s, W byte/s > 0, matrices > 0", Gives: "",
			Formula: "matrices / 2 * F * W / peak * 1 FLOP/byte", Source: law.AustinTraining,
			Doc: "Tensor-parallel degree up to which an MLP of width F computes longer than its activations " +
				"take over links of bandwidth W. matrices is 2, or 3 with a gate."},
		{Name: "mixed_tokens", Takes: layerSplit, Gives: "token",
			Formula: "2 * peak^2 / (W_x * W_y * matrices * F) * (1 byte/FLOP)^2", Source: law.AustinTraining,
			Doc: "Tokens that each chip needs at least if FSDP over links of bandwidth W_x and tensor " +
				"parallelism over W_y together are to stay compute-bound, at the best split, as if it could be any " +
				"number."},
		{Name: "mixed_best", Takes: "B, N, F, W_x byte/s, W_y byte/s > 0, matrices > 0", Gives: "",
			Formula: "sqrt(2 * B * N * W_x / (matrices * F * W_y))", Source: law.AustinTraining,
			Doc: "FSDP degree on N chips, tensor parallelism taking the rest, at which gathering weights and " +
				"gathering activations take the same time. The sum of both is least there, too."},
		{Name: "mixed_time", Takes: "X >= 1, N >= 1, B, D, F, W_x byte/s > 0, W_y byte/s > 0, matrices > 0", Gives: "s",
			Formula: "max(if(X > 1, matrices * D * F * 2 byte * X / (N * W_x), 0 s), " +
				"if(X < N, 4 byte * B * D / (X * W_y), 0 s))", Source: law.AustinTraining,
			Doc: "Time of the collectives of an MLP's forward pass where FSDP of degree X gathers its weights and, " +
				"at the same time, tensor parallelism of degree N / X gathers and adds up its activations, all in " +
				"bf16."},
		{Name: "expert_width", Takes: "peak FLOP/s, W_node byte/s > 0, Z >= 1, n >= 1, k > 0", Gives: "",
			Formula: "peak / W_node * 1 byte/FLOP * max(0, Z - n) * min(n * k / Z, 1) / k", Source: law.AustinGPUs,
			Doc: "Width of an expert above which its matmuls hide both all-to-alls, if experts are spread over Z " +
				"devices in nodes of n that send W_node each, and a token goes to k of them: once to each node that has some."},
		{Name: "pipeline_send_time", Takes: "B, D, m > 0, p >= 1, W byte/s > 0", Gives: "s",
			Formula: "if(p > 1, 2 byte * B * D / (m * W) * (m + p - 2), 0 s)", Source: law.AustinGPUs,
			Doc: "Time of all sends of a forward pass through p stages, B tokens of width D in bf16, cut into m " +
				"microbatches: from the first that leaves to the last that arrives."},
		{Name: "pipeline_bubble", Takes: "p >= 1, m > 0, v >= 1", Gives: "%",
			Formula: "(p - 1) / (v * m + p - 1)", Source: "Narayanan et al., SC21 (2021), section 2.2",
			Doc: "Share of a step in which a stage of a pipeline is idle: p stages, m microbatches, v chunks of " +
				"layers on each stage."},
		{Name: "pipeline_step", Takes: "a s, m, p >= 1, v >= 1, c s", Gives: "s",
			Formula: "a * (m + (p - 1) / v) + c", Source: "Narayanan et al., SC21 (2021), section 2.2",
			Doc: "Time of a step of a pipeline: a for each of m microbatches, the bubble of p stages with v " +
				"chunks each, and c, which comes once in a step."},
	}
}

// planLaws are the main terms of a plan's estimate. The search computes them in Go; sheets open them by these, and a
// test holds both equal.
func planLaws() []law.Law {
	return []law.Law{
		{Name: "plan_matmul_time", Takes: "passes, layers, tokens, ways >= 1, weights, whole, split, element byte, " +
			"rate FLOP/s > 0, stream byte/s > 0", Gives: "s",
			Formula: "passes * layers * (2 FLOP * tokens * weights/ways/rate + (element * weights/ways + " +
				"(element + 1 byte) * tokens * (whole + split/ways))/stream)", Source: law.PlanPricing,
			Doc: "Time of a microbatch’s matmuls outside routed experts on a stage of so many layers: their " +
				"operations at the rate that large ones reach, and then their operands and results through the " +
				"memory."},
		{Name: "plan_attention_time", Takes: "passes, layers, tokens, ways >= 1, scores FLOP, rate FLOP/s > 0",
			Gives: "s", Formula: "passes * layers * tokens * scores / ways / rate", Source: law.PlanPricing,
			Doc: "Time of a microbatch’s flash attention, scores being the operations of a token in a layer, forward."},
		{Name: "plan_tp_time", Takes: "shown, layers, gathers, tokens, width, ways >= 1, W byte/s, latency s",
			Gives: "s",
			Formula: "if(ways > 1, " +
				"shown * layers * gathers * (2 byte * tokens * width * (ways - 1)/ways/W + latency), 0 s)",
			Source: law.PlanPricing,
			Doc: "Traffic of tensor parallelism with sequence parallelism in a microbatch, as far as it shows: " +
				"so many gathers and scatters a layer of the activations of the whole width."},
		{Name: "plan_bubble_time", Takes: "slot s, uneven, p >= 1, v >= 1, share", Gives: "s",
			Formula: "share * slot * uneven * (p - 1) / v", Source: law.PlanPricing,
			Doc: "Bubble of a step: uneven is the mean stage over the slowest, share what the schedule leaves of the " +
				"bubble of one forward, one backward."},
		{Name: "plan_dp_time", Takes: "shown, weights, sent byte, ranks >= 1, W byte/s, exchanges, latency s",
			Gives:   "s",
			Formula: "if(ranks > 1, shown * (weights * sent * (ranks - 1)/ranks/W + exchanges * latency), 0 s)",
			Source:  law.PlanPricing,
			Doc: "Gradients and weights between replicas in a step, as far as they show: sent bytes for each " +
				"weight that a rank holds before sharding."},
		{Name: "plan_state_bytes", Takes: "weights, routed, each byte, shards >= 1, expert_shards >= 1", Gives: "byte",
			Formula: "each * (weights/shards + routed/expert_shards)", Source: law.PlanPricing,
			Doc: "A part of the training state on a rank: each bytes for every weight that it holds, outside and " +
				"inside of routed experts, over so many shards."},
		{Name: "plan_activation_bytes", Takes: "layers, kept byte, in_flight, live byte", Gives: "byte",
			Formula: "layers * kept * in_flight + live", Source: law.PlanPricing,
			Doc: "Activations on a rank: what a layer keeps of a microbatch, for all microbatches in flight, and the " +
				"layer that is being computed again."},
	}
}
