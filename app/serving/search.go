package serving

import (
	"cmp"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
)

// Spec is what is to be served, on what, and how fast.
type Spec struct {
	Shape     *Shape
	Chip      Chip
	Chips     int // at the most
	Constants Constants
	Engine    Engine
	Load      Load
	TTFT      float64 // seconds to the first token at the most, on average; 0 is no limit
	TPOT      float64 // seconds a token at the most
	Offload   float64 // bytes of its weights that a chip may leave to its host at the most
	Apart     bool    // also prefill and decode on chips of their own
	Widened   string  // the format of weights that are multiplied in 16 bits all the same; see StoreAs
	Given             // the only layout that is priced; the zero value is none
}

// Option is one way to serve: a plan and a number of requests under way.
type Option struct {
	Plan     Plan // of a replica; of those that decode, if apart
	Prompts  Plan // of the replicas that prefill, if apart
	Apart    bool
	Replicas float64 // of Plan
	Prefills float64 // of Prompts
	Chips    float64 // in use
	Batch    float64 // requests under way on a replica
	Offload  float64 // bytes of a chip's weights that its host holds
	Latency          // of a request; Output and Requests are of all replicas
	PerChip  float64 // tokens a second and chip
	PerUser  float64 // tokens a second of a user, 1/TPOT
}

// Refusal is why plans were not taken: the plan that came nearest, and how many there were.
type Refusal struct {
	Why   error // a [phrase.Speaker]
	Plan  Plan
	Count int
}

// Search estimates every plan of a spec and a ladder of batches, each some percent above the one before, up to what
// memory holds. Only plans with index part modulo parts are priced, so that several processes can share the work.
// Options come in the order of plans.
func (w Spec) Search(part, parts int) (options []Option, refused []Refusal) {
	s := w.BeginPart(part, parts)
	for s.Step() {
	}
	return s.Options, s.Refused
}

// BeginPart begins the search over a part of the plans; see Search.
func (w Spec) BeginPart(part, parts int) *Search {
	s := w.Begin()
	if parts > 1 {
		mine := s.plans[:0]
		for i, p := range s.plans {
			if i%parts == part {
				mine = append(mine, p)
			}
		}
		s.plans = mine
	}
	return s
}

// Search is a search under way: it prices one plan with all its batches at a step, and tells at any time what it has
// found.
type Search struct {
	Options []Option
	Refused []Refusal
	spec    Spec
	plans   []Plan
	prompts []*Replica // those that prefill, if apart
	next    int
	apart   bool // whether any option was
}

// Begin begins a search.
func (w Spec) Begin() *Search {
	w.Apart = w.Apart || w.Prompts != (Plan{})
	s := &Search{spec: w, plans: w.Plans()}
	if w.Layout == (Plan{}) {
		s.Refused = w.uneven()
	}
	if w.Apart {
		s.prompts = w.prefillers()
	}
	if w.Prompts != (Plan{}) && len(s.prompts) == 0 {
		s.plans, s.Refused = nil, []Refusal{{w.noPrefill(), w.Prompts, 1}}
	}
	return s
}

// NothingApart says why prefill and decode could nowhere run apart, though that was asked for; nil where nothing is to
// be said, or not yet.
func (s *Search) NothingApart() *phrase.Phrase {
	switch {
	case !s.spec.Apart || s.apart || s.next < len(s.plans) || s.spec.Prompts != (Plan{}): // refusals say why
		return nil
	case s.spec.Chips < 2:
		return phrase.New("serving.apart-one-chip")
	case len(s.prompts) == 0:
		return phrase.New("serving.apart-too-large", "chips", s.spec.Chips)
	}
	return phrase.New("serving.apart-nowhere", "chips", s.spec.Chips)
}

// Progress is how much of the search is done, from 0 to 1.
func (s *Search) Progress() float64 {
	if len(s.plans) == 0 {
		return 1
	}
	return float64(s.next) / float64(len(s.plans))
}

// Step prices the next plan, and says whether there is one left.
func (s *Search) Step() (more bool) {
	if s.next >= len(s.plans) {
		return false
	}
	p := s.plans[s.next]
	s.next++
	r, err := NewReplica(s.spec.Shape, s.spec.Chip, p, s.spec.Constants, s.spec.Engine)
	if c := &s.spec.Chip; err == nil && p.Chips() > max(c.Domain, 1) && c.Network == 0 { // its steps never end
		err = fault(phrase.New("serving.no-links", "chip", c.Name), "serving.one-chip")
	}
	if err != nil {
		s.Refused = refuse(s.Refused, err, p)
		return s.next < len(s.plans)
	}
	var found []Option
	if s.spec.Prompts == (Plan{}) {
		found = s.spec.together(r)
	}
	for _, prompts := range s.prompts {
		split := s.spec.apart(prompts, r)
		s.apart = s.apart || len(split) > 0
		found = append(found, split...)
	}
	if len(found) == 0 {
		s.Refused = refuse(s.Refused, s.spec.reason(r), p)
	}
	s.Options = append(s.Options, found...)
	return s.next < len(s.plans)
}

// reason is why nothing came of a replica, and what would change that.
func (w Spec) reason(r *Replica) error {
	switch {
	case r.Engine.Length > 0 && w.Load.In+w.Load.Out > r.Engine.Length:
		return (&Spec{Load: w.Load, Engine: r.Engine}).TooShort()
	case w.takes(r) > float64(w.Chips):
		return fault(phrase.New("serving.over-chips", "n", int(w.takes(r)), "chips", w.Chips), "serving.give-chips")
	}
	if w.capacity(r) < 1 {
		return fault(phrase.New("serving.no-memory"), "serving.free-memory")
	}
	if w.TPOT > 0 && r.relieved(1, w.Load, w.Offload).Closed(1, w.Load).TPOT > w.TPOT {
		return fault(phrase.New("serving.token-late"), "serving.allow-token")
	}
	return fault(phrase.New("serving.first-late"), "serving.allow-first")
}

// refuse counts a refusal.
func refuse(all []Refusal, why error, p Plan) []Refusal {
	for i := range all {
		if all[i].Why.Error() == why.Error() {
			all[i].Count++
			return all
		}
	}
	return append(all, Refusal{why, p, 1})
}

// ladder is batches from 1 to most.
func ladder(most float64) []float64 {
	var all []float64
	for b := 1.0; b < most; b = max(b+1, math.Floor(b*1.1)) {
		all = append(all, b)
	}
	if most >= 1 {
		all = append(all, math.Floor(most))
	}
	return all
}

// together is the options of a replica that prefills and decodes.
func (w Spec) together(r *Replica) []Option {
	var all []Option
	replicas := cmp.Or(w.Replicas, math.Floor(float64(w.Chips)/float64(r.Chips())))
	for _, b := range ladder(w.capacity(r)) {
		r := r.relieved(b, w.Load, w.Offload)
		a := r.Closed(b, w.Load)
		a.Requests, a.Output = a.Requests*replicas, a.Output*replicas
		o := Option{Plan: r.Plan, Replicas: replicas, Chips: replicas * float64(r.Chips()), Batch: b, Latency: a,
			Offload: r.Offload}
		if w.TPOT > 0 && a.TPOT > w.TPOT {
			break // larger batches are slower still
		}
		if w.TTFT == 0 || a.TTFT <= w.TTFT {
			all = append(all, o.rates())
		}
	}
	return all
}

// capacity is the sequences that a replica holds at a time, by memory and by the engine's limit.
func (w Spec) capacity(r *Replica) float64 {
	length := w.Load.In + w.Load.Out
	if r.Engine.Length > 0 && length > r.Engine.Length || w.takes(r) > float64(w.Chips) {
		return 0
	}
	fit := min(r.relieved(float64(most*r.DP), w.Load, w.Offload).Fit(w.Load), float64(most*r.DP))
	if limit := r.Engine.Sequences * float64(r.DP); limit > 0 {
		fit = min(fit, limit)
	}
	return fit
}

// rates fills in what is compared.
func (o Option) rates() Option {
	o.PerChip, o.PerUser = o.Output/o.Chips, 1/o.TPOT
	return o
}

// Plans are all that w's chips allow: every TP that divides the heads, every DP, PP that are powers of two, and experts
// either whole on their ranks or split over them. Besides powers of two TP takes what divides the chips, and DP what
// leaves none of them over; of an odd number also what does so with one less. Where groups have more chips than there
// are heads of keys and values, which they would keep more than once, the cache may be split along the sequence
// instead.
func (w Spec) Plans() []Plan {
	if w.Layout != (Plan{}) {
		return []Plan{w.Layout.full()}
	}
	var all []Plan
	for _, pp := range powers(min(w.Chips, w.Shape.Model.Layers)) {
		even, _ := w.tensors(w.Chips / pp)
		for _, tp := range even {
			for _, dp := range halves(w.Chips / pp / tp) {
				for _, p := range w.experts(Plan{TP: tp, DP: dp, PP: pp}) {
					all = append(all, w.contexts(p)...)
					if p.WS = w.widths(tp); p.WS > 1 {
						all = append(all, p)
					}
				}
			}
		}
	}
	return all
}

// contexts is a plan with its cache kept as often as there are chips for each head, and, if an engine can, only once.
func (w Spec) contexts(p Plan) []Plan {
	heads := int(w.Shape.KVHeads)
	if w.Engine.Name != "" && w.Engine.Name != "vllm" || p.TP <= heads || p.TP%heads != 0 {
		return []Plan{p}
	}
	split := p
	split.CP = p.TP / heads
	return []Plan{p, split}
}

// widths is over how many chips of a group the outer width of MLPs is split best, if that sends less than splitting the
// inner one alone; 1 if nothing does. All splits start as many collectives, so that no other is ever faster.
func (w Spec) widths(tp int) int {
	s, least, best := w.Shape, allReduceTime(w.Shape.Width, float64(tp), true, 1, 0, 0), 1
	if w.Chip.Axes < 2 || s.Layers == s.Blocks || w.Engine.Name != "" && w.Engine.Name != "maxtext" {
		return 1
	}
	for x := 2; x < tp && tp%x == 0 && int(s.Width)%x == 0; x *= 2 {
		if t := twoWidthsTime(s.Width, s.Inner(), float64(x), float64(tp/x), w.Chip.Axes, 1, 0); t < least {
			least, best = t, x
		}
	}
	return best
}

// tensors is the ways of tensor parallelism on up to n chips of one domain: those over which the heads divide evenly,
// and the others.
func (w Spec) tensors(n int) (even, uneven []int) {
	for tp := 1; tp <= min(n, max(w.Chip.Domain, 1), w.Shape.Model.Heads); tp++ {
		switch {
		case tp&(tp-1) != 0 && w.Chips%tp != 0 && (w.Chips%2 == 0 || (w.Chips-1)%tp != 0): // as in halves
		case w.Shape.Model.Heads%tp == 0:
			even = append(even, tp)
		default:
			uneven = append(uneven, tp)
		}
	}
	return even, uneven
}

// uneven is why the ways are left out over which the heads don't divide, by the largest of them.
func (w Spec) uneven() []Refusal {
	_, left := w.tensors(w.Chips)
	if len(left) == 0 {
		return nil
	}
	p := Plan{TP: left[len(left)-1]}
	return []Refusal{{p.Legal(w.Shape, &w.Chip), p, len(left)}}
}

// experts is a plan with every way to spread experts, of which all ranks have as many, some of them twice if need be:
// none for a dense model, which gains nothing from attention groups either.
func (w Spec) experts(p Plan) []Plan {
	if w.Shape.Blocks == 0 {
		if p.DP > 1 {
			return nil
		}
		return []Plan{p}
	}
	var all []Plan
	group := p.TP * p.DP
	for _, ep := range halves(group) {
		if group%ep != 0 || ep > w.Shape.Model.MoE.Experts || p.DP > 1 && ep < p.DP || !w.Engine.spreads(ep, group) {
			continue
		}
		p.EP, p.ETP, p.Spare = ep, group/ep, (ep-w.Shape.Model.MoE.Experts%ep)%ep
		all = append(all, p)
	}
	return all
}

// spreads tells whether an engine can be set to spread experts over so many of a group's ranks: vLLM has them whole on
// all ranks, or split over all.
func (e Engine) spreads(ep, group int) bool { return e.Name != "vllm" || ep == 1 || ep == group }

// halves are the powers of two up to n, and n itself, halved as long as that leaves none over; smallest first. Of odd n
// they are those of one less, too, so that a chip more takes none away.
func halves(n int) []int {
	all := powers(n)
	if n%2 != 0 && n > 1 {
		all = append(all, halves(n-1)...)
	}
	for ; n > 1 && n&(n-1) != 0; n /= 2 {
		all = append(all, n)
		if n%2 != 0 {
			break
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// powers are the powers of two up to n.
func powers(n int) []int {
	var all []int
	for p := 1; p <= n; p *= 2 {
		all = append(all, p)
	}
	return all
}

// Front is the options that no other beats both in tokens a chip and in tokens a user, fastest users first. Equal ones
// are left out but the first.
func Front(options []Option) []Option {
	order := make([]int, len(options))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &options[i], &options[j]
		return cmp.Or(cmp.Compare(b.PerUser, a.PerUser), cmp.Compare(b.PerChip, a.PerChip))
	})
	var front []Option
	best := 0.0
	for _, i := range order {
		if options[i].PerChip > best {
			front, best = append(front, options[i]), options[i].PerChip
		}
	}
	return front
}
