package serving

import (
	"cmp"
	"math"
	"slices"
)

// Wish is what is to be served, on what, and how fast.
type Wish struct {
	Shape     *Shape
	Chip      Chip
	Chips     int // at the most
	Constants Constants
	Engine    Engine
	Load      Load
	TTFT      float64 // seconds to the first token at the most, on average; 0 is no limit
	TPOT      float64 // seconds a token at the most
	Apart     bool    // also prefill and decode on chips of their own
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
	Latency          // of a request; Output and Requests are of all replicas
	PerChip  float64 // tokens a second and chip
	PerUser  float64 // tokens a second of a user, 1/TPOT
}

// Refusal is why plans were not taken: the plan that came nearest, and how many there were.
type Refusal struct {
	Why   string
	Plan  Plan
	Count int
}

// Search prices every plan for a wish and a ladder of batches, each some percent above the one before, up to what memory
// holds. Only plans with index part modulo parts are priced, so that several processes can share the work. Options come in
// the order of plans.
func (w Wish) Search(part, parts int) (options []Option, refused []Refusal) {
	for i, p := range w.Plans() {
		if parts > 1 && i%parts != part {
			continue
		}
		r, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
		if err != nil {
			refused = refuse(refused, err.Error(), p)
			continue
		}
		found := w.together(r)
		if w.Apart {
			found = append(found, w.apart(r)...)
		}
		if len(found) == 0 {
			refused = refuse(refused, w.reason(r), p)
		}
		options = append(options, found...)
	}
	return options, refused
}

// reason is why nothing came of a replica.
func (w Wish) reason(r *Replica) string {
	if r.Memory(w.Load.In+w.Load.Out).Sequences < 1 {
		return "memory: not one sequence fits beside the weights"
	}
	if w.TPOT > 0 && r.Closed(1, w.Load).TPOT > w.TPOT {
		return "a token takes too long even alone"
	}
	return "the first token takes too long"
}

// refuse counts a refusal.
func refuse(all []Refusal, why string, p Plan) []Refusal {
	for i := range all {
		if all[i].Why == why {
			all[i].Count++
			return all
		}
	}
	return append(all, Refusal{why, p, 1})
}

// Plans are all that w's chips allow: every TP that divides the heads, every DP, PP that are powers of two, and experts
// either whole on their ranks or split over them.
func (w Wish) Plans() []Plan {
	var all []Plan
	for _, pp := range powers(min(w.Chips, w.Shape.Model.Layers)) {
		for _, tp := range powers(w.Chips / pp) {
			if w.Shape.Model.Heads%tp != 0 || tp > max(w.Chip.Domain, 1) {
				continue
			}
			for _, dp := range powers(w.Chips / pp / tp) {
				all = append(all, w.experts(Plan{TP: tp, DP: dp, PP: pp})...)
			}
		}
	}
	return all
}

// experts is a plan with every way to spread experts: none for a dense model, which gains nothing from attention groups either.
func (w Wish) experts(p Plan) []Plan {
	if w.Shape.Blocks == 0 {
		if p.DP > 1 {
			return nil
		}
		return []Plan{p}
	}
	var all []Plan
	for _, ep := range powers(min(p.TP*p.DP, w.Shape.Model.MoE.Experts)) {
		if p.DP > 1 && ep < p.DP {
			continue
		}
		p.EP, p.ETP = ep, p.TP*p.DP/ep
		all = append(all, p)
	}
	return all
}

// powers are the powers of two up to n.
func powers(n int) []int {
	var all []int
	for p := 1; p <= n; p *= 2 {
		all = append(all, p)
	}
	return all
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
func (w Wish) together(r *Replica) []Option {
	var all []Option
	replicas := math.Floor(float64(w.Chips) / float64(r.Chips()))
	for _, b := range ladder(w.room(r)) {
		a := r.Closed(b, w.Load)
		a.Requests, a.Output = a.Requests*replicas, a.Output*replicas
		o := Option{Plan: r.Plan, Replicas: replicas, Chips: replicas * float64(r.Chips()), Batch: b, Latency: a}
		if w.TPOT > 0 && a.TPOT > w.TPOT {
			break // larger batches are slower still
		}
		if w.TTFT == 0 || a.TTFT <= w.TTFT {
			all = append(all, o.rates())
		}
	}
	return all
}

// room is the sequences that a replica holds, by memory and by the engine's limit.
func (w Wish) room(r *Replica) float64 {
	fit := min(r.Memory(w.Load.In+w.Load.Out).Sequences, float64(most*r.DP))
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

// apart is the options in which r decodes and others prefill, on as many chips as keep it busy. Of the plans that prefill the
// one is taken that needs the fewest chips.
func (w Wish) apart(r *Replica) []Option {
	var all []Option
	for _, p := range w.prefillers() {
		for _, b := range ladder(w.room(r)) {
			o, ok := w.pair(p, r, b)
			if !ok {
				continue
			}
			if w.TPOT > 0 && o.TPOT > w.TPOT {
				break
			}
			if w.TTFT == 0 || o.TTFT <= w.TTFT {
				all = append(all, o.rates())
			}
		}
	}
	return all
}

// pair is as many decode replicas with b requests each, and prefill replicas for them, as the chips allow.
func (w Wish) pair(p, d *Replica, b float64) (Option, bool) {
	s := Split{Prefill: p, Decode: d, Decodes: math.Floor(float64(w.Chips) / float64(d.Chips()))}
	for ; s.Decodes >= 1; s.Decodes-- {
		s.Prefills = s.Match(b*s.Decodes, w.Load)
		if s.Chips() <= float64(w.Chips) {
			a := s.Closed(b*s.Decodes, w.Load)
			return Option{Plan: d.Plan, Prompts: p.Plan, Apart: true, Replicas: s.Decodes, Prefills: s.Prefills,
				Chips: s.Chips(), Batch: b, Latency: a}, true
		}
	}
	return Option{}, false
}

// prefillers are the replicas that prefill most prompts a second and chip, and the one that is fastest with a single prompt.
func (w Wish) prefillers() []*Replica {
	var all []*Replica
	for _, p := range w.Plans() {
		r, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
		if err == nil && r.Memory(w.Load.In).Sequences >= 1 && 2*r.Chips() <= w.Chips {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil
	}
	thrifty := slices.MinFunc(all, func(a, b *Replica) int {
		return cmp.Compare(w.promptChips(a), w.promptChips(b))
	})
	fast := slices.MinFunc(all, func(a, b *Replica) int {
		return cmp.Compare(Split{Prefill: a}.prompt(1, w.Load).whole, Split{Prefill: b}.prompt(1, w.Load).whole)
	})
	if fast == thrifty {
		return []*Replica{fast}
	}
	return []*Replica{thrifty, fast}
}

// promptChips is the chip-seconds of a prompt where many are computed together.
func (w Wish) promptChips(r *Replica) float64 {
	room := max(math.Floor(r.Chunk/w.Load.fresh()), 1) * float64(r.DP)
	return Split{Prefill: r}.prompt(room, w.Load).each * float64(r.Chips())
}

// Front is the options that no other beats both in tokens a chip and in tokens a user, fastest users first. Equal ones are
// left out but the first.
func Front(options []Option) []Option {
	sorted := slices.Clone(options)
	slices.SortStableFunc(sorted, func(a, b Option) int {
		return cmp.Or(cmp.Compare(b.PerUser, a.PerUser), cmp.Compare(b.PerChip, a.PerChip))
	})
	var front []Option
	best := 0.0
	for _, o := range sorted {
		if o.PerChip > best {
			front, best = append(front, o), o.PerChip
		}
	}
	return front
}
