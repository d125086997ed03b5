package library

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// served is a plan that a search found, and what is behind it.
type served struct {
	serving.Option
	spec    serving.Spec
	task    *servingTask
	decode  *serving.Replica // one of the replicas that decode, or do both
	prefill *serving.Replica // one of those that prefill; the same if they are together
	line    func() *serving.Line
}

// newServed builds the replicas of an option.
func newServed(t *servingTask, o serving.Option) *served {
	p := &served{Option: o, spec: t.spec, task: t}
	engine := t.spec.Engine
	engine.Offload = o.Offload
	replica := func(plan serving.Plan) *serving.Replica {
		r, err := serving.NewReplica(t.spec.Shape, t.spec.Chip, plan, t.spec.Constants, engine)
		if err != nil {
			panic(err) // the search estimated it
		}
		return r
	}
	p.decode = replica(o.Plan)
	p.prefill = p.decode
	if o.Apart {
		p.prefill = replica(o.Prompts)
	}
	p.line = sync.OnceValue(func() *serving.Line {
		if o.Apart {
			return p.split().Line(t.spec.Load)
		}
		return p.decode.Line(t.spec.Load)
	})
	return p
}

// split is the system of a plan whose prefill and decode are apart.
func (p *served) split() serving.Split {
	return serving.Split{Prefill: p.prefill, Decode: p.decode, Prefills: p.Prefills, Decodes: p.Replicas}
}

// lines is how many open queues a plan has: each replica its own, but prefill and decode apart are one system.
func (p *served) lines() float64 {
	if p.Apart {
		return 1
	}
	return p.Replicas
}

// planID is a plan as addresses carry it: "2x-tp4.64", or "1x-tp8-to-2x-tp4.64".
func planID(o serving.Option) string {
	id := o.Layout("x ", " to ")
	return strings.ReplaceAll(strings.ToLower(id), " ", "-") + "." + strconv.FormatFloat(o.Batch, 'f', -1, 64)
}

// record is p as a sheet sees it.
func (p *served) record(n *servings, id string) *value.Record {
	layout, kind := p.Layout(" × ", " → "), "together"
	if p.Apart {
		kind = "apart"
	}
	batch := strconv.FormatFloat(p.Batch, 'f', -1, 64)
	r := n.newRecord("plan", phrase.New("library.at-once", "plan", layout, "n", batch), []named{
		{"tp", float64(p.Plan.TP)}, {"dp", float64(p.Plan.DP)}, {"pp", float64(p.Plan.PP)},
		{"ep", float64(p.Plan.EP)}, {"replicas", p.Replicas}, {"prefills", p.Prefills}, {"chips", p.Chips},
		{"batch", p.Batch}, {"requests", p.Batch * p.Replicas}, {"ttft", p.TTFT}, {"tpot", p.TPOT},
		{"per_user", p.PerUser}, {"per_chip", p.PerChip}, {"output", p.Output},
		{"fits", p.decode.Fit(p.spec.Load)},
	})
	r.ID, r.Of = id, p
	r.say("layout", layout)
	r.say("kind", kind)
	r.say("bound", boundOf(p.decode.Step(p.work())))
	x := p.Intervals()
	r.nums([]named{{"tpot_low", x.Token.Low}, {"tpot_high", x.Token.High}, {"per_chip_low", x.Rate.Low},
		{"per_chip_high", x.Rate.High}})
	return r.Record
}

// Intervals are what nine in ten measurements lie between, for figures.
func (p *served) Intervals() serving.Intervals { return p.task.spread().Intervals(&p.Option) }

// beside tells how each plan of a list stands to the first.
func beside(list []*value.Record) {
	for i, r := range list {
		p, key := r.Of.(*served), "library.plan-first"
		switch first := list[0].Of.(*served); {
		case i == 0:
		case p.task.spread().Equal(&first.Option, &p.Option):
			key = "library.plan-equal"
		default:
			key = "library.plan-other"
		}
		recordBuilder{r}.say("against", phrase.New(key))
	}
}

// answer is a plan in sentences.
func (n *servings) answer(a []value.Value) (value.Value, error) {
	var all []serving.Option
	for _, v := range a[0].List {
		all = append(all, plan(v).Option)
	}
	p := plan(a[1])
	said := p.spec.Answer(p.Option, all, a[2].Num.Value)
	if replicas := a[4].Num.Value; replicas > 0 {
		said = phrase.Sentences(phrase.Count(int(replicas), "library.serving-rate", "rate", a[3].Num, "chips",
			int(replicas*p.Chips)), said)
	}
	if s := p.task.search; s != nil {
		if why := s.NothingApart(); why != nil {
			said = phrase.Sentences(said, why)
		}
	}
	return spoken(said), nil
}

// work is what a decode step does on a replica, with all stages of the pipeline busy.
func (p *served) work() serving.Work {
	w := serving.Work{Sequences: max(p.Running/float64(p.decode.PP), 1), Context: p.spec.Load.In + p.spec.Load.Out/2,
		Verify: p.spec.Load.Verify}
	if p.Apart {
		w.Sequences = max(p.Running/p.Replicas, 1) / float64(p.decode.PP)
	}
	return w
}

// boundOf is what a decode step spends most on.
func boundOf(s serving.Step) string {
	name, most := "", 0.0
	for _, part := range []struct {
		name string
		time float64
	}{{"weights", s.Projections + s.Dense + s.Logits}, {"experts", s.Experts}, {"KV cache", s.Cache},
		{"collectives", s.Collectives}, {"overhead", s.Fixed}} {
		if part.time > most {
			name, most = part.name, part.time
		}
	}
	return name
}

// servingTask is a search under way. A plan that it has found stays the same record as it finds more.
type servingTask struct {
	n      *servings
	spec   serving.Spec
	widths *serving.Spreads // once somebody asked
	search *serving.Search
	fault  error
	known  map[string]*value.Record
	shown  value.Value // the plans when they were last asked for
	at     float64     // the progress then
}

// begin begins a search.
func (n *servings) begin(a []value.Value) value.Task {
	t := &servingTask{n: n, known: map[string]*value.Record{}, at: -1}
	if t.spec, t.fault = n.spec(a); t.fault != nil {
		return t
	}
	t.spec.Apart, t.spec.TTFT, t.spec.TPOT = a[10].Bool, a[11].Num.Value, a[12].Num.Value
	if !(t.spec.TTFT >= 0 && t.spec.TPOT >= 0) {
		t.fault = phrase.Fault{What: phrase.New("library.limit-below-zero"), Remedy: phrase.New("library.give-limit")}
		return t
	}
	t.search = t.spec.Begin()
	return t
}

// spread is how far the times of the plans may be off.
func (t *servingTask) spread() *serving.Spreads {
	if t.widths == nil {
		t.widths = t.spec.Spreads()
	}
	return t.widths
}

// manyOptions is how many options a search keeps before it drops those that are beaten.
const manyOptions = 4096

// Step estimates a plan.
func (t *servingTask) Step() (more bool) {
	if t.fault != nil {
		return false
	}
	more = t.search.Step()
	if len(t.search.Options) > manyOptions {
		t.search.Options = serving.Front(t.search.Options)
	}
	return more
}

// Progress is how much is done.
func (t *servingTask) Progress() float64 {
	if t.fault != nil {
		return 1
	}
	return t.search.Progress()
}

// shownEvery is how much further the search must be until what it has found is looked at again: drawing it takes longer
// than estimating some plans.
const shownEvery = 0.3

// Value is the plans found so far.
func (t *servingTask) Value() (value.Value, error) {
	if t.fault != nil {
		return value.Value{}, t.fault
	}
	done := t.search.Progress()
	if done != t.at && (done == 1 || done > t.at+shownEvery || len(t.shown.List) == 0) {
		t.at, t.shown = done, t.list()
	}
	switch {
	case len(t.shown.List) > 0:
		return t.shown, nil
	case done < 1:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-plan-yet"), Remedy: phrase.New("library.wait")}
	}
	return value.Value{}, t.explainNoPlan()
}

// usersApart is how far from each other, as a ratio, users of two plans of the front are that are shown.
const usersApart = 1.04

// list is the plans of the front, most tokens of a chip first. Of those that hardly differ for a user the first is
// taken.
func (t *servingTask) list() value.Value {
	var all []*value.Record
	last := serving.Option{}
	options := serving.Front(t.search.Options)
	for i := len(options) - 1; i >= 0; i-- {
		o := options[i]
		if o.PerUser < last.PerUser*usersApart {
			continue
		}
		last = o
		id := planID(o)
		r := t.known[id]
		if r == nil {
			r = newServed(t, o).record(t.n, id)
			t.known[id] = r
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b *value.Record) int {
		return cmp.Compare(get(b, "per_chip"),
			get(a, "per_chip"))
	})
	beside(all)
	return recordList(all)
}

// explainNoPlan says why no plan was taken.
func (t *servingTask) explainNoPlan() error {
	why := &serving.Error{What: phrase.New("library.no-way-to-spread"), Remedy: phrase.New("library.ask-less")}
	most := 0
	for _, r := range t.search.Refused {
		if e, ok := r.Why.(*serving.Error); ok && r.Count > most {
			why, most = e, r.Count
		}
	}
	return phrase.Fault{What: phrase.New("library.nothing-serves", "why", why.What), Remedy: why.Remedy}
}

// refused are the reasons of the search that found plans.
func (n *servings) refused(a []value.Value) (value.Value, error) {
	var all []*value.Record
	if len(a[0].List) > 0 {
		for _, x := range plan(a[0].List[0]).task.search.Refused {
			why := x.Why
			r := n.newRecord("refusal", why, []named{{"plans", float64(x.Count)}})
			r.say("why", why)
			r.say("nearest", x.Plan.String())
			all = append(all, r.Record)
		}
	}
	return recordList(all), nil
}

// best is the first plan of a kind.
func (n *servings) best(a []value.Value) (value.Value, error) {
	for _, v := range a[0].List {
		if v.Record.Fields["kind"].Text == a[1].Text {
			return v, nil
		}
	}
	return value.Value{}, phrase.Fault{What: phrase.New("library.no-plan-of-kind", "kind", a[1].Text),
		Remedy: phrase.New("library.give-chips-or-limits")}
}

// smallest is the smallest slice that holds a model.
func (n *servings) smallest(a []value.Value) (value.Value, error) {
	w, err := n.spec(a)
	if err != nil {
		return value.Value{}, err
	}
	p, found := w.SmallestSlice()
	if !found {
		return value.Value{}, phrase.Fault{What: phrase.New("library.fits-no-slice", "chips", a[2].Num),
			Remedy: phrase.New("library.give-chips-or-smaller")}
	}
	r, err := serving.NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
	if err != nil {
		return value.Value{}, err
	}
	one := r.Closed(1, w.Load)
	o := serving.Option{Plan: p, Replicas: 1, Chips: float64(p.Chips()), Batch: 1, Latency: one,
		PerChip: one.Output / float64(p.Chips()), PerUser: 1 / one.TPOT}
	return value.Value{Kind: value.Rec, Record: newServed(&servingTask{spec: w}, o).record(n, planID(o))}, nil
}

// step is a step of a plan.
func (n *servings) step(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	w, r := p.work(), p.decode
	if B := a[2].Num.Value; B > 0 {
		w.Sequences = max(B/float64(r.PP), 1)
	}
	switch a[1].Text {
	case "decode":
	case "prefill":
		if p.Apart {
			w, r = serving.Work{}, p.prefill
		}
		fresh := max(p.spec.Load.In*(1-p.spec.Load.Hit), 1)
		pieces := math.Ceil(fresh / r.Chunk)
		w.Prompt, w.Prompts, w.Before = fresh/pieces, 1, p.spec.Load.In*p.spec.Load.Hit+(fresh-fresh/pieces)/2
	default:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-pass", "pass", a[1]),
			Remedy: phrase.New("library.write-decode-or-prefill")}
	}
	return n.stepRecord(r, w, p.spec.Load), nil
}

// stepRecord is a step with all that its laws are given.
func (n *servings) stepRecord(r *serving.Replica, w serving.Work, l serving.Load) value.Value {
	t := r.Terms(w)
	x := n.newRecord("step", phrase.New("library.step-of", "plan", r.Plan.String()), []named{
		{"tp", float64(r.TP)}, {"dp", float64(r.DP)}, {"ranks", float64(r.EP * r.ETP)}, {"rows", t.Rows},
		{"sampled", t.Sampled}, {"sequences", t.Sequences}, {"context", w.Context}, {"prompt", t.Prompt},
		{"tokens", t.Tokens}, {"cache", t.CacheBytes}, {"cache_ops", t.CacheOps}, {"score_ops", t.ScoreOps},
		{"experts", t.ExpertsRead}, {"expert_rows", t.ExpertRows}, {"expert_elements", t.ExpertElements},
		{"tile", t.Tile},
		{"uses", r.Blocks * r.PerToken}, {"sums", t.Sums}, {"exchanges", t.Exchanges}, {"exchanged", t.Exchanged},
		{"bandwidth", max(t.Wire, 1)}, {"beyond", t.Beyond}, {"read", t.Read}, {"rate", t.Rate},
		{"expert_rate", t.ExpertRate}, {"logit_rate", t.LogitRate}, {"score_rate", t.ScoreRate},
		{"widths", t.Widths}, {"ws", float64(r.WS)}, {"axes", max(r.Axes, 2)}, {"inner", r.Inner()},
		{"layer", t.FixedLayer}, {"launches", t.Launches}, {"projections", t.Projections}, {"attention", t.Cache},
		{"scores", t.Scores}, {"mlp", t.Dense}, {"routed", t.Experts}, {"logits", t.Logits},
		{"collectives", t.Collectives}, {"fixed", t.Fixed}, {"time", t.Total()},
		{"sequence", r.Sequence + r.Checked*max(w.Verify-1, 0)}, {"host", t.Host}, {"guessing", r.Guessing(w, l)},
		{"yield", max(l.Tokens, 1)},
	})
	x.flag("ring", r.Torus)
	return x.value()
}

// memory is what a chip of a plan holds.
func (n *servings) memory(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	r := p.decode
	m := r.Memory(p.spec.Load.In + p.spec.Load.Out)
	return n.newRecord("memory", phrase.New("library.memory-of", "plan", r.Plan.String()), []named{
		{"memory", r.Chip.Memory}, {"weights", m.Weights}, {"activations", m.Activations},
		{"workspace", m.Workspace}, {"caches", m.Cache}, {"each", m.Sequence}, {"sequences", m.Sequences},
		{"used", p.Batch / float64(r.DP) * r.Memory(r.Grown(p.Batch, p.spec.Load)).Sequence}, {"share", r.Share},
	}).value(), nil
}

// context is the longest sequence of which a plan holds so many.
func (n *servings) context(a []value.Value) (value.Value, error) {
	T := plan(a[0]).decode.LargestContext(a[1].Num.Value)
	if T == 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.fit-at-no-length", "n", a[1].Num),
			Remedy: phrase.New("library.ask-for-fewer")}
	}
	return counted(T, "token"), nil
}

// formats are those in which weights are stored.
func (n *servings) formats([]value.Value) (value.Value, error) {
	v := value.Value{Kind: value.List}
	for _, name := range []string{"bf16", "fp8", "nvfp4", "mxfp4"} {
		v.List = append(v.List, n.env.Values[name])
	}
	return v, nil
}

// flags is a plan as an engine takes it.
func (n *servings) flags(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	r, batch := p.decode, p.Batch
	if a[2].Bool {
		r, batch = p.prefill, max(math.Floor(p.prefill.Chunk/p.spec.Load.In), 1)*float64(p.prefill.DP)
	}
	return words(r.Flags(a[1].Text, p.spec.Load, batch)), noEngine(a[1].Text)
}

// constants are those of an engine that sheets compute with.
func (n *servings) constants(a []value.Value) (value.Value, error) {
	k := serving.Fitted(a[0].Text)
	if set, is := unwrap(a[1]).(*flagsSet); is {
		k = k.Calibrated(set.growth, 0, 1)
	}
	x := n.newRecord("constants", phrase.New("library.constants-of", "engine", a[0].Text), []named{
		{"weights", k.Weights}, {"sparse", k.Sparse}, {"cache", k.Cache}, {"links", k.Links},
		{"block", k.Block}, {"sequence", k.Sequence}, {"passes", k.Passes}, {"collective", k.Collective},
		{"begin", k.Begin},
	})
	return x.value(), noEngine(a[0].Text)
}
