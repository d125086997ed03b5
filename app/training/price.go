package training

import "github.com/scalebook/scalebook/app/model"

// Pricer prices plans of one job. It may be used by several goroutines.
type Pricer struct {
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
}

// Price is what a plan costs.
type Price struct {
	Plan     Plan
	Memory   Memory // of the fullest rank
	Reported Memory // of the rank whose memory the software reports
	Time     Time
}

// Planned is a plan of a job with its price.
type Planned struct {
	Pricer *Pricer
	Price  Price
	Remark any // what of its settings isn't priced, in words
}

// Job is the job that p prices.
func (p *Pricer) Job() *Job { return &p.job }

// layout is a plan in numbers that formulas use.
type layout struct {
	// how devices and layers are divided
	dp, tp, pp, cp, ep, etp float64
	expertReplicas          float64
	m, v                    float64 // micro-batches, chunks
	tokens                  float64 // of a micro-batch on a rank, before tensor parallelism
	context                 Context
	schedule                Schedule
	offload                 bool
	stage                   stage
	flight                  flight
	copies                  float64
	imbalance               float64
	domains                 float64
	crosses                 bool // the plan spans more than one domain

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

// NewPricer takes from a job what every plan needs. The job must be valid; see Job.Check.
func NewPricer(j Job) *Pricer {
	p := &Pricer{job: j, shape: newShape(j.Model, float64(j.Sequence)), devices: float64(j.Devices),
		pods: float64(max(1, j.Pods)), plays: newPlays(), can: supportOf(j.Stack)}
	p.job.Scores = j.Scores || j.Stack.Flash == 0
	p.learned, p.straggle = newLearned(&j), p.straggling()
	pass := model.Train
	if j.Frozen {
		pass = model.Frozen
	}
	p.flops = float64(j.Model.FLOPsPerToken(float64(j.Sequence), model.Windowed, pass))
	layer := p.shape.dense
	if p.shape.routed > 0 {
		layer += p.shape.routes * p.shape.perToken * p.shape.matrices * p.shape.expertInput * p.shape.expertWidth
	}
	p.logits = p.shape.width * p.shape.vocab / layer
	return p
}

// layout works out the numbers of a plan.
func (p *Pricer) layout(plan *Plan) (c layout) {
	p.divided(&c, plan)
	p.recomputed(&c, plan)
	p.sharded(&c, plan)
	return c
}

// divided works out how a plan divides devices and layers.
func (p *Pricer) divided(c *layout, plan *Plan) {
	c.dp, c.tp, c.pp = float64(plan.DP), float64(plan.TP), float64(plan.PP)
	c.cp, c.ep, c.etp = float64(plan.CP), float64(plan.EP), float64(plan.ETP)
	c.expertReplicas = max(1, c.dp*c.cp*c.tp/(c.ep*c.etp))
	c.schedule, c.offload, c.context = plan.Schedule, plan.Offload || p.job.Host.State, plan.Context
	c.m = float64(plan.MicroBatches(p.job.Batch))
	c.v = float64(plan.Schedule.chunks(plan.Virtual))
	c.tokens = float64(plan.Micro) * float64(p.job.Sequence) / c.cp
	c.stage = split(p.shape.layers, p.logits, plan.PP, plan.ends(), p.job.Stack.CostSplit != 0)
	if c.schedule == Interleaved {
		c.stage.chunked(c.v, p.logits)
	}
	c.flight, c.copies = p.flight(c), c.schedule.copies()
	c.imbalance = 1
	if c.ep > 1 {
		c.imbalance = p.job.Stack.Imbalance
	}
	c.domains = ceil(p.devices / float64(max(1, p.job.Device.Domain)))
	c.crosses = c.domains > 1
}

// flight is how many microbatches' activations the ranks of a pipeline keep.
func (p *Pricer) flight(c *layout) flight {
	if n, ok := c.schedule.flight(c.pp, c.v, c.m); ok {
		return n
	}
	return p.plays.flight(c.pipe())
}

// pipe is the plan's pipeline.
func (c *layout) pipe() pipe { return newPipe(c.schedule, int(c.pp), int(c.v), int(c.m)) }

// recomputed adds what a plan computes again, and what it keeps.
func (p *Pricer) recomputed(c *layout, plan *Plan) {
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
func (p *Pricer) sharded(c *layout, plan *Plan) {
	c.zero, c.shard, c.expertShard = plan.Zero, 1, 1
	if c.zero > 0 {
		c.shard = float64(plan.Shard)
		c.expertShard = min(c.expertReplicas, max(1, c.shard*c.tp/(c.ep*c.etp)))
	}
}

// Price prices a plan, which must be legal; see Legal.
func (p *Pricer) Price(plan Plan) Price {
	var d draft
	p.estimateMemory(&d, plan.filled(), newLayout)
	p.time(&d)
	return d.Price
}

// TokensPerSecond is the rate of each device.
func (p *Pricer) TokensPerSecond(price *Price) float64 {
	sequences := float64(price.Plan.MicroBatches(p.job.Batch) * price.Plan.DP * price.Plan.Micro)
	return sequences * float64(p.job.Sequence) / price.Time.Step() / float64(price.Plan.Devices())
}
