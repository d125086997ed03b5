package library

import (
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// planRecord is a plan as sheets see it. Of many plans few are looked at, so its fields are worked out when somebody
// does.
func (n *planner) planRecord(p *training.Planned, why any) value.Value {
	name := p.Estimate.Plan.String()
	r := newRecord(n.plans, name)
	r.ID, r.Of = recordID(name), p
	r.Read = sync.OnceValue(func() map[string]value.Value {
		r.say("why", why)
		r.planned(p)
		return r.Fields
	})
	return r.value()
}

func (r recordBuilder) planned(p *training.Planned) {
	plan, t := p.Estimate.Plan, &p.Estimate.Time
	r.say("plan", plan.String())
	for name, x := range map[string]int{"dp": plan.DP, "tp": plan.TP, "pp": plan.PP, "cp": plan.CP, "ep": plan.EP,
		"micro": plan.Micro, "chunks": plan.Virtual, "zero": plan.Zero} {
		r.num(name, float64(x))
	}
	r.say("schedule", plan.Schedule.String())
	r.say("recompute", plan.Recompute.String())
	r.say("lacks", p.Estimator.Lacks(&plan))
	step := p.Estimator.StepInterval(&p.Estimate)
	memory := p.Estimator.MemoryInterval(&p.Estimate)
	r.num("microbatches", t.MicroBatches)
	r.nums([]named{{"step", step.Mid}, {"low", step.Low}, {"high", step.High},
		{"rate", p.Estimator.TokensPerSecond(&p.Estimate)}, {"mfu", p.Estimator.Use(&p.Estimate)},
		{"memory", p.Estimate.Memory.Total()}, {"memory_low", memory.Low}, {"memory_high", memory.High},
		{"slot", t.Slot()}, {"bubble", t.Bubble}, {"exposed", t.DP}, {"hidden", t.DPHidden},
		{"free", training.AfterContext(p.Estimator.Job().Device.Memory) - p.Estimate.Memory.Total()}})
	r.flag("fits", p.Estimator.Fits(&p.Estimate))
	r.num("slots", float64(p.Estimate.Slots()))
}

// typedPlan is a plan of a job as somebody writes it, or as settings of a tool say it.
func (n *planner) typedPlan(a []value.Value) (value.Value, error) {
	j, err := a[0].Record.Of.(*job).with(a[1].Text, a[2].Text)
	if err != nil {
		return value.Value{}, err
	}
	if err := j.estimator.Legal(j.plan); err != nil {
		return value.Value{}, err
	}
	p := &training.Planned{Estimator: j.estimator, Estimate: j.estimator.Estimate(j.plan), Remark: j.remark}
	return n.planRecord(p, phrase.Sentences(j.said...)), nil
}

// memoryParts are the parts of the memory of the fullest chip.
func (n *planner) memoryParts(a []value.Value) (value.Value, error) {
	m := &a[0].Record.Of.(*training.Planned).Estimate.Memory
	return n.partsOf(m.Parts(), "bytes", m.Total()), nil
}

// exchangeList are the exchanges of a plan.
func (n *planner) exchangeList(a []value.Value) (value.Value, error) {
	return n.exchangesOf(a[0].Record.Of.(*training.Planned)), nil
}

func (n *planner) exchangesOf(p *training.Planned) value.Value {
	names := [...]string{"ranks", "stride", "times", "bytes", "bandwidth", "time", "shown"}
	var all []*value.Record
	for i, e := range p.Estimator.Exchanges(&p.Estimate) {
		r := newRecord(n.exchanges, phrase.New(e.What))
		r.ID = strconv.Itoa(i)
		r.say("what", phrase.New(e.What))
		r.say("group", e.Group)
		wire := "library.wire-between"
		if e.Inside {
			wire = "library.wire-inside"
		}
		r.say("network", phrase.New(wire))
		for k, name := range names {
			r.num(name, e.Numbers()[k])
		}
		all = append(all, r.Record)
	}
	return recordList(all)
}

// partsOf are parts that are not nothing, each with its amount and its share of the total.
func (n *planner) partsOf(parts []training.Part, amount string, total float64) value.Value {
	var all []*value.Record
	for _, part := range parts {
		if part.Value > 0 {
			r := n.part(part.Name)
			r.num(amount, part.Value)
			r.num("share", part.Value/total)
			all = append(all, r.Record)
		}
	}
	return recordList(all)
}

// part is a part of an estimate, and the assumptions that touch it.
func (n *planner) part(name string) recordBuilder {
	r := newRecord(n.parts, name)
	r.ID = recordID(name)
	r.say("part", name)
	var numbers []string
	for _, a := range training.AssumptionsOf(name) {
		numbers = append(numbers, strconv.Itoa(a.Number))
	}
	r.say("assumptions", strings.Join(numbers, ", "))
	return r
}

// timeParts are the parts of a step.
func (n *planner) timeParts(a []value.Value) (value.Value, error) {
	t := &a[0].Record.Of.(*training.Planned).Estimate.Time
	return n.partsOf(t.Parts(), "time", t.Step()), nil
}

// differences are the parts of two plans' steps, and by how much the second takes more.
func (n *planner) differences(a []value.Value) (value.Value, error) {
	one, other := a[0].Record.Of.(*training.Planned), a[1].Record.Of.(*training.Planned)
	others := other.Estimate.Time.Parts()
	var all []*value.Record
	for i, part := range one.Estimate.Time.Parts() {
		if part.Value == 0 && others[i].Value == 0 {
			continue
		}
		r := n.part(part.Name)
		r.num("time", part.Value)
		r.num("other", others[i].Value)
		r.num("more", others[i].Value-part.Value)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// planTerms are the numbers of a plan's main terms.
func (n *planner) planTerms(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	r := newRecord(n.terms, "terms")
	t, time, recipe := p.Estimator.Terms(&p.Estimate), &p.Estimate.Time, &p.Estimator.Job().Recipe
	m := &p.Estimate.Memory
	r.nums([]named{{"layers", t.Layers}, {"tokens", t.Tokens}, {"passes", t.Passes}, {"weights", t.Dense},
		{"whole", t.Full},
		{"split", t.Split}, {"element", t.Element}, {"reach", t.Reach}, {"rate", t.Rate}, {"stream", t.Stream},
		{"attention_passes", t.AttentionPasses}, {"scores", t.Scores}, {"attention_rate", t.AttentionRate},
		{"width", t.Width}, {"gathers", t.Gathers}, {"shown_tp", t.ShownTP}, {"bandwidth_tp", t.WireTP},
		{"latency_tp", t.LatencyTP}, {"microbatches", t.Micro}, {"uneven", t.Uneven}, {"bubble_share", t.BubbleShare},
		{"chunks", t.Chunks}, {"shared", t.Shared}, {"ranks", t.Ranks}, {"shown_dp", t.ShownDP}, {"sent", t.Sent},
		{"bandwidth_dp", t.WireDP}, {"latency_dp", t.LatencyDP}, {"exchanges", t.Exchanges}, {"held", t.Held},
		{"held_routed", t.HeldRouted}, {"shards", t.Shards}, {"expert_shards", t.ExpertShards}, {"kept", t.Kept},
		{"kept_layers", t.KeptLayers}, {"in_flight", t.InFlight}, {"live", t.Live}, {"copies", t.Copies},
		{"matmul", time.Matmul}, {"attention", time.Attention},
		{"elementwise", time.Elementwise + time.Logits + time.Host},
		{"tp_time", time.TP}, {"other_traffic", time.CP + time.EP + time.Gather + time.PP + time.Wait},
		{"dp_time", time.DP}, {"bubble", time.Bubble}, {"rest", time.Optimizer + time.Rest + time.Retry +
			time.Straggle},
		{"weight_bytes", t.Weight}, {"moment_bytes", t.Moments}, {"master_bytes", recipe.Master},
		{"weights_held", m.Weights}, {"moments_held", m.Moments}, {"activations_held", m.Activations}})
	r.num("zero", float64(p.Estimate.Plan.Zero))
	return r.value(), nil
}

func (n *planner) toolList([]value.Value) (value.Value, error) {
	names := map[string]string{"megatron": "Megatron-LM", "nemo": "NeMo", "torchtitan": "TorchTitan",
		"maxtext": "MaxText"}
	var all []*value.Record
	for _, id := range training.Tools() {
		r := newRecord(n.tools, names[id])
		r.ID = id
		r.say("id", id)
		r.say("name", names[id])
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

func (n *planner) assumptionList([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, a := range training.Assumptions() {
		r := newRecord(n.assumptions, phrase.New("library.assumption", "n", a.Number))
		r.ID = strconv.Itoa(a.Number)
		r.num("number", float64(a.Number))
		r.say("parts", strings.Join(a.Parts, ", "))
		r.say("says", a.Text)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// mapping is a map that is being estimated place by place.
type mapping struct {
	rt     *value.RecordType
	job    *job
	made   *training.Map
	record value.Value
	shown  int
}

func (n *planner) beginMap(a []value.Value) value.Task {
	j := a[0].Record.Of.(*job)
	return &mapping{rt: n.maps, job: j, made: training.NewMap(&j.Job)}
}

// Step estimates a place.
func (m *mapping) Step() bool { return m.made.Step(m.job.Job) }

// Progress is the share of the places that are estimated.
func (m *mapping) Progress() float64 {
	return float64(m.made.Next) / float64(max(1, m.made.Size()))
}

// Value is the map as far as it is estimated.
func (m *mapping) Value() (value.Value, error) {
	if m.made.Next == 0 {
		return value.Value{}, phrase.New("library.nothing-priced-yet")
	}
	if m.record.Record == nil || m.shown != m.made.Next {
		copied := *m.made // figures compare what they draw by its record
		r := newRecord(m.rt, "map")
		r.Of = &copied
		r.num("cells", float64(m.made.Next))
		m.record, m.shown = r.value(), m.made.Next
	}
	return m.record, nil
}

// planSplit is what the laws of a layer that FSDP and tensor parallelism split take of a plan.
func (n *planner) planSplit(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	job, plan := p.Estimator.Job(), &p.Estimate.Plan
	fsdp, tp := job.SplitWires()
	r := newRecord(n.splits, "split")
	r.Of = p
	r.nums([]named{{"ways", float64(plan.DP * plan.CP)}, {"bandwidth_fsdp", fsdp}, {"bandwidth_tp", tp}})
	r.say("why", "")
	if why := job.Unsplit(plan); why != nil {
		r.say("why", why)
	}
	return r.value(), nil
}

// splitVerdict says how far a plan's split lies from the best one, of so many ways of FSDP, whose messages take a time
// while those of the plan and the arithmetic take others.
func splitVerdict(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	plan, devices := &p.Estimate.Plan, float64(p.Estimator.Job().Devices)
	plans, best, own, arithmetic := a[1].Num.Value, a[2].Num.Value, a[3].Num.Value, a[4].Num.Value
	key := "library.split-shows"
	switch {
	case own <= arithmetic:
		key = "library.split-hides"
	case best > arithmetic:
		key = "library.split-never-hides"
	}
	return spoken(phrase.New(key, "fsdp", ratio(plans), "tp", ratio(devices/plans), "dp", plan.DP*plan.CP,
		"own", plan.TP, "times", ratio(own/best))), nil
}

// ratio is a plain number, as sheets print it.
func ratio(x float64) quantity.Quantity { return quantity.Quantity{Value: x} }

// mostPlans is how many plans a search in a sheet keeps.
const mostPlans = 50

// searched is what is behind a record of a search, as far as it has come.
type searched struct {
	job   *job
	found training.Found
	plans value.Value
	lacks value.Value // plans that the software can't run
	share float64     // of the divisions, tried
}

// searching is a search under way, which others can share.
type searching struct {
	*planner
	search *training.SearchState
	job    *job
	fault  error
	// of what was found when so many plans were estimated and such a share of the divisions was tried
	record value.Value
}

func (n *planner) beginSearch(a []value.Value) value.Task {
	j := a[0].Record.Of.(*job)
	s := &searching{planner: n, job: j}
	margin, limit := a[2].Num.Value, a[3].Num.Value
	if !(margin >= 0 && margin < 1) || !(limit >= 0 && limit <= 1<<20) {
		s.fault = phrase.Fault{What: phrase.New("library.margin-of", "margin", a[2].Num, "tp", a[3].Num),
			Remedy: phrase.New("library.give-margin")}
		return s
	}
	spec := training.Search{Space: j.estimator.Usual(), Top: mostPlans, Margin: margin, MaxTP: int(limit)}
	if a[1].Bool {
		spec.Space = j.estimator.Whole()
	}
	s.search = j.estimator.BeginSearch(spec)
	return s
}

// Step estimates the plans of one more division of the chips.
func (s *searching) Step() bool {
	if s.fault != nil {
		return false
	}
	return s.search.Step()
}

// Lend, Do, Take and Back are for those who share the search.
func (s *searching) Lend() string                  { return s.search.LendChunk() }
func (s *searching) Do(piece string) string        { return s.search.Do(piece) }
func (s *searching) Take(piece, found string) bool { return s.search.Take(piece, found) }
func (s *searching) Back(piece string)             { s.search.Back(piece) }

// Progress is the share of the divisions that are tried.
func (s *searching) Progress() float64 {
	if s.fault != nil {
		return 1
	}
	return s.search.Done()
}

// Value is the search so far: the same record until it goes on.
func (s *searching) Value() (value.Value, error) {
	if s.fault != nil {
		return value.Value{}, s.fault
	}
	found, share := s.search.Found(), s.search.Done()
	if found.Estimated == 0 && share < 1 {
		return value.Value{}, phrase.New("library.search-started")
	}
	if of, _ := s.recordOf(); of == nil || of.found.Estimated != found.Estimated || of.share != share {
		s.record = s.newRecord(&searched{job: s.job, found: found, share: share})
	}
	return s.record, nil
}

func (s *searching) recordOf() (*searched, bool) {
	if s.record.Record == nil {
		return nil, false
	}
	of, ok := s.record.Record.Of.(*searched)
	return of, ok
}

func (s *searching) newRecord(found *searched) value.Value {
	list := func(estimates []training.Estimate) (all []*value.Record) {
		for i := range estimates {
			p := &training.Planned{Estimator: s.job.estimator, Estimate: estimates[i]}
			all = append(all, s.planRecord(p, verdict(p, found)).Record)
		}
		return all
	}
	all := list(found.found.Best)
	found.plans, found.lacks = recordList(all), recordList(list(found.found.Lacking))
	r := newRecord(s.searches, "search")
	r.Of = found
	r.bestOf(s.job, found.found.Best)
	r.num("divisions", float64(found.found.Divisions))
	r.num("priced", float64(found.found.Estimated))
	r.num("refused", float64(found.found.Refused))
	r.num("cut", float64(found.found.Cut))
	if found.share >= 1 && len(all) == 0 {
		why := s.job.estimator.ExplainNoPlan(&s.search.Search, &found.found)
		r.say("nothing", why)
		r.say("answer", phrase.Count(s.job.Devices, "library.search-nothing", "chip", s.job.Device.Name, "model",
			s.job.Model.Name, "why", why))
	}
	return r.value()
}

// bestOf fills in the fastest plan, and how many of the others are as fast as far as predictions tell.
func (r recordBuilder) bestOf(j *job, best []training.Estimate) {
	if len(best) == 0 {
		return
	}
	p, equal := j.estimator, 0
	for i := range best[1:] {
		if p.Equal(&best[0], &best[1+i]) {
			equal++
		}
	}
	step, memory := p.StepInterval(&best[0]), p.MemoryInterval(&best[0])
	r.say("best", best[0].Plan.String())
	r.nums([]named{{"step", step.Mid}, {"low", step.Low}, {"high", step.High}, {"mfu", p.Use(&best[0])},
		{"equal", float64(equal)}})
	time := func(s float64) string { return quantity.Seconds(s).Quantity().String() }
	others := phrase.New("library.search-alone")
	if equal > 0 {
		others = phrase.Count(equal, "library.search-equal")
	}
	bytes := func(b float64) string { return quantity.Bytes(b).Quantity().String() }
	answer := []any{phrase.Count(j.Devices, "library.search-answer", "chip", j.Device.Name, "model", j.Model.Name,
		"plan",
		best[0].Plan.String(), "step", time(step.Mid), "low", time(step.Low), "high", time(step.High), "mfu",
		quantity.Percent(p.Use(&best[0]), 1)),
		phrase.New("library.search-held", "held", bytes(memory.Mid), "low", bytes(memory.Low), "high",
			bytes(memory.High),
			"of", bytes(training.AfterContext(j.Device.Memory)))}
	if j.price > 0 {
		const million = 1e6
		usd := j.price * float64(j.Devices) * step.Mid / float64(j.Batch*j.Sequence) * million
		answer = append(answer, phrase.New("library.search-cost", "usd", "$"+strconv.FormatFloat(usd, 'g', 3, 64),
			"price", quantity.Quantity{Value: j.price, Dim: quantity.Dim{quantity.Dollar: 1, quantity.Second: -1}}))
	}
	answer = append(answer, others)
	if uneven := j.UnevenBatch(); uneven != nil {
		answer = append(answer, uneven)
	}
	r.say("answer", phrase.Sentences(answer...))
}

// lackingPlans are the plans of a search that the software can't run.
func lackingPlans(a []value.Value) (value.Value, error) { return a[0].Record.Of.(*searched).lacks, nil }

// refused are the reasons why plans don't fit.
func (n *planner) refused(a []value.Value) (value.Value, error) {
	return n.reasonList(a[0].Record.Of.(*searched).found.Reasons), nil
}

func (n *planner) reasonList(reasons []training.Reason) value.Value {
	var all []*value.Record
	for _, reason := range reasons {
		r := newRecord(n.reasons, reason.Binding)
		r.ID = recordID(reason.Binding)
		r.num("plans", float64(reason.Plans))
		r.say("part", reason.Binding)
		r.say("nearest", reason.Nearest.Plan.String())
		r.num("excess", reason.Excess)
		all = append(all, r.Record)
	}
	return recordList(all)
}

// verdict is why a plan is not recommended.
func verdict(p *training.Planned, s *searched) any {
	var best *training.Estimate
	if len(s.found.Best) > 0 {
		best = &s.found.Best[0]
		if best.Plan == p.Estimate.Plan {
			return phrase.New("library.fastest-that-fits")
		}
	}
	return p.Estimator.Why(p.Estimate.Plan, best)
}
