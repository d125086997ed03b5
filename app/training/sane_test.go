package training

import (
	"math/rand/v2"
	"testing"
)

// randomPlan is a legal plan of any kind for a job, or none after some tries.
func randomPlan(r *rand.Rand, p *Estimator, s *Space) (Plan, bool) {
	one := func(of []int) int { return of[r.IntN(len(of))] }
	for range 200 {
		plan := Plan{TP: one(s.TP), PP: one(s.PP), CP: one(s.CP), EP: one(s.EP), ETP: 1, Micro: one(s.Micro),
			Zero: one(s.Zero), Schedule: s.Schedules[r.IntN(len(s.Schedules))],
			Recompute: s.Recompute[r.IntN(len(s.Recompute))], Context: s.Contexts[r.IntN(len(s.Contexts))]}
		if plan.Schedule == OneFOneB {
			plan.Virtual = one(s.Virtual)
		}
		each := plan.TP * plan.PP * plan.CP
		if plan.DP = int(p.devices) / each; plan.DP*each == int(p.devices) && p.Legal(plan) == nil {
			return plan, true
		}
	}
	return Plan{}, false
}

// TestPricesAreSane: whatever the plan, better devices aren't slower, more work isn't faster, and what is meant to save
// memory doesn't cost any. No law is left out because another hides it: each change is of one thing.
func TestPricesAreSane(t *testing.T) {
	const rounding = 1 + 1e-9
	r, tried := rand.New(rand.NewPCG(seed(t), 8)), 0
	jobs := 400
	if testing.Short() {
		jobs = 100
	}
	for range jobs {
		j := pickJob(t, r)
		j.Batch *= 2
		p := NewEstimator(j)
		s := p.Whole()
		plan, found := randomPlan(r, p, &s)
		if !found || plan.Schedule.split() && (plan.Zero >= 2 || plan.Recompute == RecomputeOffload) {
			continue // what gathers and the host's link wait is shared out over passes in the mean, not one by one
		}
		tried++
		estimate := p.Estimate(plan)
		step, bytes := estimate.Time.Step()-estimate.Time.Retry, estimate.Memory.Total()
		// of is the estimate of a changed job or plan, without what the allocator takes where memory is short.
		of := func(change func(*Job, *Plan)) (seconds, bytes float64) {
			k, q := j, plan
			change(&k, &q)
			other := NewEstimator(k)
			if other.Legal(q) != nil {
				return -1, -1
			}
			estimate := other.Estimate(q)
			return estimate.Time.Step() - estimate.Time.Retry, estimate.Memory.Total()
		}
		for name, better := range map[string]func(*Device){
			"arithmetic": func(d *Device) {
				for i := range d.Peak {
					d.Peak[i] *= 2
				}
			},
			"memory bandwidth": func(d *Device) { d.Stream *= 2 },
			"links":            func(d *Device) { d.Fast *= 2 },
			"network":          func(d *Device) { d.Slow *= 2 },
			"host’s link":      func(d *Device) { d.Host *= 2 },
		} {
			if got, _ := of(func(k *Job, _ *Plan) { better(&k.Device) }); got > step*rounding || got < step/2/rounding {
				t.Errorf("%s on %s, %v: %v s, with twice the %s %v s", j.Model.Name, j.Device.Name, plan, step, name,
					got)
			}
		}
		if got, _ := of(func(k *Job, _ *Plan) { k.Batch *= 2 }); got < step/rounding {
			t.Errorf("%s, %v: %v s, of twice the batch %v s", j.Model.Name, plan, step, got)
		}
		got, more := of(func(k *Job, q *Plan) { k.Batch, q.Micro = 2*k.Batch, 2*q.Micro })
		if got < step/rounding || more < bytes/rounding {
			t.Errorf("%s with %s, %v: %v s and %v bytes, of twice the microbatch %v and %v", j.Model.Name, j.Stack.Name,
				plan, step, bytes, got, more)
		}
		if plan.Micro%2 == 0 && plan.Context != UlyssesContext {
			k, q := j, plan
			k.Batch, k.Sequence, q.Micro = k.Batch/2, 2*k.Sequence, q.Micro/2
			long := NewEstimator(k).Estimate(q).Time
			short := estimate.Time.Slot() - estimate.Time.Logits // by which the last stage is longer than the others
			if got := long.Slot() - long.Logits; got < short/rounding {
				t.Errorf("%s, %v: a microbatch takes %v s, half as many sequences of twice the length %v s",
					j.Model.Name, plan, short, got)
			}
		}
		laid := p.layout(&plan)
		stage, chunks := laid.stage, laid.v
		// of a chunk's only layer the input is kept, and it is made again
		whole := j.Stack.Eager == 0 || plan.TP == 1 // transformers doesn't split layers
		// layers that learn are spread over stages
		least := min(stage.first, stage.last, stage.slowest) * p.learned.share
		if plan.Recompute == KeepAll && whole && least >= 2*chunks {
			got, less := of(func(_ *Job, q *Plan) { q.Recompute = RecomputeBlock })
			if got < step/rounding || less > bytes*rounding {
				t.Errorf("%s with %s, %v: %v s and %v bytes, all layers again %v s and %v bytes", j.Model.Name,
					j.Stack.Name, plan, step, bytes, got, less)
			}
		}
		i := p.StepInterval(&estimate)
		if most := p.Use(&estimate) * step / i.Low; most > rounding {
			t.Errorf("%s, %v: the interval reaches %v of the peak of %s", j.Model.Name, plan, most, j.Recipe.Compute)
		}
	}
	if tried < jobs/3 {
		t.Errorf("only %d plans", tried)
	}
}

// TestMoreChipsAreNotSlower: the fastest plan of a large batch takes no longer on twice as many devices.
func TestMoreChipsAreNotSlower(t *testing.T) {
	for _, c := range []struct{ model, device, stack string }{
		{"llama3.8b", "gpu.h100", "megatron"}, {"llama3.70b", "gpu.gb200", "megatron"},
		{"mixtral.8x7b", "gpu.h100", "megatron"},
		{"llama3.8b", "tpu.v5p", "xla"}, {"gpt_oss.20b", "gpu.gh200", "fsdp"}, {"llama2.7b", "gpu.a100", "nanotron"},
	} {
		before, devices := 0.0, 0
		for n := 32; n <= 512; n *= 2 {
			p := NewEstimator(newJob(t, c.model, c.device, c.stack, n, 2048, 4096))
			found := p.Find(Search{Space: p.Usual()}).Best
			if len(found) == 0 {
				continue
			}
			step := found[0].Time.Step()
			if before > 0 && step > before {
				t.Errorf("%s on %s: %v s on %d, %v s on %d", c.model, c.device, before, devices, step, n)
			}
			before, devices = step, n
		}
		if devices < 512 {
			t.Errorf("%s on %s: nothing fits on 512", c.model, c.device)
		}
	}
}

// With sharded states gathers bound a slot, and faster memory only hides less of them. The last stage, which makes the
// loss, has fewer layers than the slowest and gathers less as well, so that its loss doesn't come to light in turn.
func TestLossBesideGathers(t *testing.T) {
	plan := Plan{DP: 2, TP: 1, PP: 19, CP: 4, EP: 1, ETP: 1, Micro: 1, Zero: 3, Context: UlyssesContext,
		Schedule: GPipe, Recompute: RecomputeNorms | RecomputeActivations | RecomputeMLP}
	last := 0.0
	for i := range 9 {
		j := newJob(t, "llama3.8b", "gpu.a100", "megatron-2021", 152, 414, 512)
		j.Device.Stream *= 0.5 + 0.25*float64(i)
		estimate := NewEstimator(j).Estimate(plan)
		step := estimate.Time.Step()
		if last > 0 && step > last {
			t.Errorf("%v s, and %v s with faster memory", last, step)
		}
		last = step
	}
}
