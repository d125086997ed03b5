package training

import "github.com/scalebook/scalebook/app/phrase"

// Space is the plans that a search tries: those of its values that are legal. The zero Space has none; Whole has all.
type Space struct {
	TP, PP, CP, EP []int
	Micro          []int
	Contexts       []Context
	Virtual        []int // chunks of an interleaved pipeline; 1 is 1F1B
	Schedules      []Schedule
	Zero           []int
	Recompute      []Recompute
	Hybrid         bool // ZeRO also within domains only
	Balanced       bool // also a last stage with fewer layers, since logits are work too
}

// divisors are those of n up to most, ascending.
func divisors(n, most int) []int {
	var all []int
	for d := 1; d <= min(n, most); d++ {
		if n%d == 0 {
			all = append(all, d)
		}
	}
	return all
}

// usualSchedules are 1F1B, which Virtual makes interleaved, ZB-H1 and those others that people run the software with.
// 1F1B also stands for no pipeline, and is there where the software can't run it.
func (p *Pricer) usualSchedules() []Schedule {
	all := []Schedule{OneFOneB}
	if p.can.schedules>>OneFOneB&1 == 0 {
		all = append(all, GPipe)
	}
	if all = append(all, ZBH1); p.can.schedules>>ZBV&1 != 0 {
		all = append(all, ZBV)
	}
	return all
}

// Usual is the space of plans that people run: 1F1B, interleaved or zero-bubble pipelines, states or everything
// sharded.
func (p *Pricer) Usual() Space {
	const longest = 64
	s := Space{Contexts: []Context{RingContext}, Schedules: p.usualSchedules(), Zero: []int{1, 3},
		Recompute: []Recompute{KeepAll, RecomputeSome, RecomputeBlock}}
	s.TP = divisors(int(p.shape.heads), int(p.devices))
	s.PP = divisors(int(p.devices), int(p.shape.layers)+2)
	s.CP = divisors(p.job.Sequence, p.mostContexts())
	s.EP = []int{1}
	if p.shape.experts > 0 {
		s.EP = divisors(int(p.shape.experts), int(p.devices))
	}
	s.Micro = divisors(p.job.Batch, longest)
	s.Virtual = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20}
	s.Balanced = p.job.Stack.CostSplit == 0
	return s
}

// mostContexts is how many ranks a sequence is usually split over at most.
func (p *Pricer) mostContexts() int {
	const most = 64
	const shortest = 4096 // tokens of a sequence on a rank
	return max(1, min(most, int(p.devices), p.job.Sequence/shortest))
}

// Whole is the space of all plans that can be priced.
func (p *Pricer) Whole() Space {
	s := p.Usual()
	s.Contexts = []Context{RingContext, GatherContext, UlyssesContext}
	s.Schedules = nil
	for i := OneFOneB; i < schedules; i++ {
		if i != Interleaved { // Virtual makes 1F1B interleaved
			s.Schedules = append(s.Schedules, i)
		}
	}
	s.Zero, s.Hybrid = []int{0, 1, 2, 3}, true
	s.Recompute = append(s.Recompute, p.sets()...)
	s.Micro = divisors(p.job.Batch, p.job.Batch)
	s.CP = divisors(p.job.Sequence, min(64, int(p.devices)))
	return s
}

// trunk is what the branches of a search have in common: how devices are divided.
type trunk struct{ dp, tp, pp, cp, ep int }

// trunks calls yield with every legal division of the devices, in a fixed order, until it returns false.
func (p *Pricer) trunks(s *Space, yield func(trunk) bool) {
	n := int(p.devices)
	for _, pp := range s.PP {
		for _, tp := range s.TP {
			for _, cp := range s.CP {
				if n%(pp*tp*cp) != 0 {
					continue
				}
				for _, ep := range s.EP {
					t := trunk{n / (pp * tp * cp), tp, pp, cp, ep}
					if p.Legal(t.plan()) == nil && !yield(t) {
						return
					}
				}
			}
		}
	}
}

// plan is the simplest plan on t.
func (t trunk) plan() Plan {
	return Plan{DP: t.dp, TP: t.tp, PP: t.pp, CP: t.cp, EP: t.ep, ETP: 1, Micro: 1, Virtual: 1}
}

// branches calls yield with every legal plan on a trunk, its defaults filled in, and with what is new in it.
func (p *Pricer) branches(s *Space, t trunk, yield func(Plan, change)) {
	for _, micro := range s.Micro {
		p.branchesOf(s, t, micro, yield)
	}
}

// branchesOf is the same for one size of micro-batches.
func (p *Pricer) branchesOf(s *Space, t trunk, micro int, yield func(Plan, change)) {
	plan := t.plan()
	if plan.Micro = micro; p.job.Batch%(plan.DP*plan.Micro) != 0 {
		return
	}
	for _, schedule := range s.Schedules {
		for _, virtual := range s.Virtual {
			plan.Schedule, plan.Virtual = schedule, virtual
			if virtual > 1 && schedule != OneFOneB {
				break
			}
			if virtual > 1 {
				plan.Schedule = Interleaved
			}
			pipes := virtual > 1 || schedule != OneFOneB
			if plan.PP > 1 || !pipes {
				p.contexts(s, plan, yield)
			}
		}
	}
}

// contexts calls yield with what is left to choose of a plan that has a schedule.
func (p *Pricer) contexts(s *Space, plan Plan, yield func(Plan, change)) {
	for _, plan.Context = range s.Contexts {
		if plan.CP == 1 && plan.Context != RingContext || !p.divides(&plan) {
			continue
		}
		p.leaves(s, plan, yield)
		if plan.Last = p.lighter(s, &plan); plan.Last > 0 {
			p.leaves(s, plan, yield)
			plan.Last = 0
		}
	}
}

// lighter is how many layers the last stage has if stages are balanced by work, where that is another plan. Interleaved
// stages aren't balanced so: Megatron-LM refuses ends whose layers its chunks don't divide.
func (p *Pricer) lighter(s *Space, q *Plan) int {
	if !s.Balanced || q.Virtual > 1 {
		return 0
	}
	return balanced(p.shape.layers, p.logits, q.PP)
}

// leaves calls yield with what is left to choose of a plan: recomputation and sharding.
func (p *Pricer) leaves(s *Space, plan Plan, yield func(Plan, change)) {
	whole := plan.DP * plan.CP
	inside := max(1, p.job.Device.Domain/plan.TP)
	news := newLayout
	for _, plan.Recompute = range s.Recompute {
		for _, plan.Zero = range s.Zero {
			plan.Shard = whole
			yield(plan, news)
			news = newSharding
			if s.Hybrid && plan.Zero > 0 && inside > 1 && inside < whole && whole%inside == 0 {
				plan.Shard = inside
				yield(plan, news)
			}
		}
		news = newRecompute
	}
}

// SplitWires are the bytes a second that FSDP and tensor parallelism have for themselves on a torus: tensor parallelism
// has an axis, FSDP the others.
func (j *Job) SplitWires() (fsdp, tp float64) {
	return float64(j.Device.Axes-1) * j.Device.Fast, j.Device.Fast
}

// Unsplit is why the law of layers that are split by FSDP and tensor parallelism alone doesn't hold for a plan; nil if
// it does.
func (j *Job) Unsplit(plan *Plan) *phrase.Phrase {
	switch {
	case j.Devices == 1:
		return phrase.New("training.unsplit-one")
	case j.Model.MoE.Experts > 0:
		return phrase.New("training.unsplit-experts")
	case j.Pods > 1:
		return phrase.New("training.unsplit-pods", "pods", j.Pods)
	case j.Device.Axes < 2:
		return phrase.New("training.unsplit-switches")
	case plan.PP > 1:
		return phrase.New("training.unsplit-stages")
	case plan.Zero < 3:
		return phrase.New("training.unsplit-whole")
	}
	return nil
}
