//go:build !lean

package training

import "github.com/scalebook/scalebook/app/model"

// Pricer prices plans of one job. It may be used by several goroutines.
type Pricer struct {
	job     Job
	shape   shape
	devices float64
	pods    float64
	flops   float64 // of the model for a token, forward and backward
	logits  float64 // the logits' work in layers, by operations
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
}

// Job is the job that p prices.
func (p *Pricer) Job() *Job { return &p.job }

// layout is a plan in numbers that formulas use.
type layout struct {
	dp, tp, pp, cp, ep, etp     float64
	shard                       float64 // ranks that dense states are sharded over
	expertShard, expertReplicas float64
	m, v                        float64 // micro-batches, chunks
	tokens                      float64 // of a micro-batch on a rank, before tensor parallelism
	zero                        int
	schedule                    Schedule
	recompute                   Recompute
	again                       float64 // share of the layers that run forward twice
	offload                     bool
	stage                       stage
	inFlight                    float64
	copies                      float64
	imbalance                   float64
	domains                     float64
	crosses                     bool // the plan spans more than one domain
}

// NewPricer takes from a job what every plan needs. The job must be valid; see Job.Check.
func NewPricer(j Job) *Pricer {
	p := &Pricer{job: j, shape: newShape(j.Model, float64(j.Sequence)), devices: float64(j.Devices),
		pods: float64(max(1, j.Pods))}
	p.flops = float64(j.Model.FLOPsPerToken(float64(j.Sequence), model.Windowed, model.Train))
	layer := p.shape.dense
	if p.shape.routed > 0 {
		layer += p.shape.routes * p.shape.perToken * p.shape.matrices * p.shape.expertInput * p.shape.expertWidth
	}
	p.logits = p.shape.width * p.shape.vocab / layer
	return p
}

// layout works out the numbers of a plan.
func (p *Pricer) layout(plan *Plan) layout {
	c := layout{dp: float64(plan.DP), tp: float64(plan.TP), pp: float64(plan.PP), cp: float64(plan.CP),
		ep: float64(plan.EP), etp: float64(plan.ETP)}
	c.zero, c.schedule, c.recompute, c.offload = plan.Zero, plan.Schedule, plan.Recompute, plan.Offload
	if c.recompute >= RecomputeBlock {
		c.again = 1
		if plan.Recomputed > 0 {
			c.again = min(1, float64(plan.Recomputed)/p.shape.layers)
		}
	}
	c.shard = 1
	if c.zero > 0 {
		c.shard = float64(plan.Shard)
	}
	c.expertReplicas = max(1, c.dp*c.cp*c.tp/(c.ep*c.etp))
	c.expertShard = 1
	if c.zero > 0 {
		c.expertShard = min(c.expertReplicas, max(1, c.shard*c.tp/(c.ep*c.etp)))
	}
	c.m = float64(plan.MicroBatches(p.job.Batch))
	c.v = float64(plan.Schedule.chunks(plan.Virtual))
	c.tokens = float64(plan.Micro) * float64(p.job.Sequence) / c.cp
	c.stage = split(p.shape.layers, p.logits, plan.PP, plan.ends(), p.job.Stack.CostSplit != 0)
	if c.schedule == Interleaved {
		c.stage.chunked(c.v, p.logits)
	}
	c.inFlight, c.copies = c.schedule.inFlight(c.pp, c.v, c.m), c.schedule.copies()
	c.imbalance = 1
	if c.ep > 1 {
		c.imbalance = p.job.Stack.Imbalance
	}
	c.domains = ceil(p.devices / float64(max(1, p.job.Device.Domain)))
	c.crosses = c.domains > 1
	return c
}

// Price prices a plan, which must be legal; see Legal.
func (p *Pricer) Price(plan Plan) Price {
	price, c := p.weighed(&plan)
	p.timed(&c, &price)
	return price
}

// weighed is a price with its memory and without its time.
func (p *Pricer) weighed(plan *Plan) (price Price, c layout) {
	price.Plan = plan.filled()
	c = p.layout(&price.Plan)
	price.Memory, price.Reported = p.memory(&c)
	return price, c
}

// timed adds the time to a price that has its memory.
func (p *Pricer) timed(c *layout, price *Price) {
	price.Time = p.time(c)
	s := p.job.Stack
	all := price.Reported.Total() - price.Reported.Exchange // what every micro-batch needs
	if room := s.MemoryRoom * p.job.Device.Memory; s.MemoryRoom > 0 && all > room {
		full := min(1, (all-room)/(Usable(p.job.Device.Memory)-room))
		price.Time.Retry = (s.RetrySlow - 1) * full * price.Time.Step()
	}
}

// TokensPerSecond is the rate of each device.
func (p *Pricer) TokensPerSecond(price *Price) float64 {
	sequences := float64(price.Plan.MicroBatches(p.job.Batch) * price.Plan.DP * price.Plan.Micro)
	return sequences * float64(p.job.Sequence) / price.Time.Step() / float64(price.Plan.Devices())
}
