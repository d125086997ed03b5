package serving

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
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
	Offload   float64 // bytes of its weights that a chip may leave to its host at the most
	Apart     bool    // also prefill and decode on chips of their own
	Layout    Plan    // the only plan of a replica that is priced; the zero value is none
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

// Search prices every plan for a wish and a ladder of batches, each some percent above the one before, up to what
// memory holds. Only plans with index part modulo parts are priced, so that several processes can share the work.
// Options come in the order of plans.
func (w Wish) Search(part, parts int) (options []Option, refused []Refusal) {
	s := w.BeginPart(part, parts)
	for s.Step() {
	}
	return s.Options, s.Refused
}

// BeginPart begins the search over a part of the plans; see Search.
func (w Wish) BeginPart(part, parts int) *Search {
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
	wish    Wish
	plans   []Plan
	prompts []*Replica // those that prefill, if apart
	next    int
}

// Begin begins a search.
func (w Wish) Begin() *Search {
	s := &Search{wish: w, plans: w.Plans()}
	if w.Layout == (Plan{}) {
		s.Refused = w.uneven()
	}
	if w.Apart {
		s.prompts = w.prefillers()
	}
	return s
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
	r, err := NewReplica(s.wish.Shape, s.wish.Chip, p, s.wish.Constants, s.wish.Engine)
	if err != nil {
		s.Refused = refuse(s.Refused, err, p)
		return s.next < len(s.plans)
	}
	found := s.wish.together(r)
	for _, prompts := range s.prompts {
		found = append(found, s.wish.apart(prompts, r)...)
	}
	if len(found) == 0 {
		s.Refused = refuse(s.Refused, s.wish.reason(r), p)
	}
	s.Options = append(s.Options, found...)
	return s.next < len(s.plans)
}

// reason is why nothing came of a replica.
func (w Wish) reason(r *Replica) error {
	switch {
	case r.Engine.Length > 0 && w.Load.In+w.Load.Out > r.Engine.Length:
		return phrase.New("serving.over-length", "tokens", int(w.Load.In+w.Load.Out), "length", int(r.Engine.Length))
	case r.Chips() > w.Chips:
		return phrase.New("serving.over-chips", "n", r.Chips(), "chips", w.Chips)
	}
	if w.room(r) < 1 {
		return phrase.New("serving.no-memory")
	}
	if w.TPOT > 0 && r.relieved(1, w.Load, w.Offload).Closed(1, w.Load).TPOT > w.TPOT {
		return phrase.New("serving.token-late")
	}
	return phrase.New("serving.first-late")
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
func (w Wish) together(r *Replica) []Option {
	var all []Option
	replicas := math.Floor(float64(w.Chips) / float64(r.Chips()))
	for _, b := range ladder(w.room(r)) {
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

// room is the sequences that a replica holds at a time, by memory and by the engine's limit.
func (w Wish) room(r *Replica) float64 {
	length := w.Load.In + w.Load.Out
	if r.Engine.Length > 0 && length > r.Engine.Length || r.Chips() > w.Chips {
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
