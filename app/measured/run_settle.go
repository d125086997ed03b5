package measured

import "github.com/scalebook/scalebook/app/training"

// settle decides what a set-up leaves open. A plan that doesn't say what it recomputes is taken to recompute as
// little as lets it fit; one that doesn't say what it shards, to shard more only if no policy fits otherwise.
func (r *Run) settle(s Setup) {
	r.interleave(s)
	_, file, _ := s.config() // a config.json doesn't say what is recomputed, flags in its place do
	if r.Job.Stack.FirstRank != 0 || s.saysRecompute() ||
		s.Has("config") && !file {
		return
	}
	if !s.Has("tp", "pp", "dp", "cp", "fsdp", "sharding", "strategy") && r.Job.Device.Axes == 0 {
		r.divide()
		return
	}
	r.fit(s)
}

// interleave gives each rank of a pipeline several chunks where a row doesn't say how many and one would leave it idle
// for more than a quarter of the step: as many as bring that below an eighth of the rest. Nobody reports a run that
// stands still so much, and software could do it since 2021.
func (r *Run) interleave(s Setup) {
	const most, aim = 1.0 / 3, 1.0 / 8
	p := &r.Plan
	m := p.MicroBatches(r.Job.Batch)
	if p.PP == 1 || s.Has("vp", "schedule", "pp_schedule") || float64(p.PP-1) <= most*float64(m) || m%p.PP != 0 ||
		r.Job.Stack.Family != "megatron" || !r.Job.Stack.Schedules(training.Interleaved) {
		return
	}
	for v := 2; v*p.PP <= r.Job.Model.Layers+2; v++ {
		p.Virtual, p.Schedule = v, training.Interleaved
		if float64(p.PP-1) <= aim*float64(m*v) {
			return
		}
	}
}

// divide takes, for a set-up that doesn't say how its devices are divided, the way that is priced the fastest: by
// tensor parallelism, and by stages only where that alone doesn't fit.
func (r *Run) divide() {
	given := r.Plan
	for pp := 1; pp <= r.Job.Model.Layers && pp <= r.Job.Devices; pp *= 2 {
		if best, found := r.ways(given, pp); found {
			r.Plan = best
			return
		}
	}
	r.Plan = given
}

// ways is the fastest plan of so many stages that fits.
func (r *Run) ways(given training.Plan, pp int) (best training.Plan, found bool) {
	seconds := 0.0
	for tp := 1; tp <= min(r.Job.Device.Domain, r.Job.Devices); tp *= 2 {
		r.Plan = given
		r.Plan.TP, r.Plan.PP, r.Plan.DP = tp, pp, given.DP*given.TP*given.PP/(tp*pp)
		if r.Plan.DP == 0 || r.Plan.DP*tp*pp != r.Job.Devices || r.Job.Batch%(r.Plan.DP*r.Plan.Micro) != 0 {
			continue
		}
		r.fit(Setup{})
		pricer := training.NewPricer(r.Job)
		price := pricer.Price(r.Plan)
		if t := price.Time.Step(); pricer.Legal(r.Plan) == nil && pricer.Fits(&price) && (seconds == 0 || t < seconds) {
			best, seconds, found = r.Plan, t, true
		}
	}
	return best, found
}

// fit shards and recomputes as little as lets the plan fit.
func (r *Run) fit(s Setup) {
	sharding := []int{r.Plan.Zero}
	if r.Plan.Zero < 3 && !s.Has("zero", "fsdp") {
		sharding = append(sharding, 3)
	}
	pricer := training.NewPricer(r.Job)
	for _, zero := range sharding {
		for _, plan := range r.policies() {
			plan.Zero = zero
			r.Plan = plan
			price := pricer.Price(plan)
			if price.Memory.Total() <= training.AfterContext(r.Job.Device.Memory) {
				return
			}
		}
	}
}

// policies are the plans that recompute more and more: nothing, attention and what lies between matmuls, then layer
// by layer.
func (r *Run) policies() []training.Plan {
	const steps = 8
	var all []training.Plan
	whole := !r.Job.Stack.Recomputes(training.RecomputeSome)
	for _, policy := range []training.Recompute{training.KeepAll, training.RecomputeSome} {
		if policy < r.Plan.Recompute || whole && policy == training.RecomputeSome {
			continue
		}
		plan := r.Plan
		plan.Recompute = policy
		all = append(all, plan)
	}
	for i := 1; i <= steps; i++ {
		if whole && i < steps { // that software recomputes all layers or none
			continue
		}
		plan := r.Plan
		plan.Recompute, plan.Recomputed = training.RecomputeBlock, max(1, r.Job.Model.Layers*i/steps)
		all = append(all, plan)
	}
	last := r.Plan
	last.Recompute = training.RecomputeOffload
	return append(all, last)
}
