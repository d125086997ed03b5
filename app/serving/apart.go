package serving

import (
	"cmp"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
)

// apart is the options in which r decodes and replicas like p prefill, on as many chips as keep it busy.
func (w Spec) apart(p, r *Replica) []Option {
	var all []Option
	w.Offload = 0 // who has chips for both needs no host
	pace := Split{Prefill: p}.pace(w.Load)
	for _, b := range ladder(w.capacity(r)) {
		o, ok := w.pair(p, r, pace, b)
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
	return all
}

// pair is as many decode replicas with b requests each, and prefill replicas for them, as the chips allow, or as are
// given.
func (w Spec) pair(p, d *Replica, pace promptPace, b float64) (Option, bool) {
	s := Split{Prefill: p, Decode: d, Decodes: cmp.Or(w.Replicas, math.Floor(float64(w.Chips)/float64(d.Chips())))}
	step := s.decodeStep(b*s.Decodes, w.Load) // the same however many replicas share
	for ; s.Decodes >= 1; s.Decodes-- {
		s.Prefills = cmp.Or(w.Prefills, pace.match(b*s.Decodes, step, w.Load))
		if s.Chips() <= float64(w.Chips) {
			a := s.Closed(b*s.Decodes, w.Load)
			return Option{Plan: d.Plan, Prompts: p.Plan, Apart: true, Replicas: s.Decodes, Prefills: s.Prefills,
				Chips: s.Chips(), Batch: b, Latency: a}, true
		}
		if w.Replicas > 0 {
			break
		}
	}
	return Option{}, false
}

// prefillers are the replicas that prefill most prompts a second and chip, and the one that is fastest with a single
// prompt.
func (w Spec) prefillers() []*Replica {
	var all []*Replica
	plans, beside := w.Plans(), 2 // as many chips decode, at least
	if w.Prompts != (Plan{}) {
		plans, beside = []Plan{w.Prompts.full()}, 1
	}
	for _, p := range plans {
		r, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine)
		if err == nil && r.Memory(w.Load.In).Sequences >= 1 && beside*r.Chips() <= w.Chips {
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

// noPrefill is why the replicas that are given can't prefill.
func (w Spec) noPrefill() error {
	r, err := NewReplica(w.Shape, w.Chip, w.Prompts, w.Constants, w.Engine)
	switch {
	case err != nil:
		return err
	case r.Chips() > w.Chips:
		return fault(phrase.New("serving.over-chips", "n", r.Chips(), "chips", w.Chips), "serving.give-chips")
	}
	return fault(phrase.New("serving.no-memory"), "serving.free-memory")
}

// promptChips is the chip-seconds of a prompt where many are computed together.
func (w Spec) promptChips(r *Replica) float64 {
	return Split{Prefill: r}.pace(w.Load).each * float64(r.Chips())
}

// Split is a disaggregated system: so many replicas that only prefill, and so many that only decode.
type Split struct {
	Prefill, Decode *Replica
	Prefills        float64 // how many replicas prefill
	Decodes         float64 // how many decode
}

// Chips is how many chips the system takes.
func (s Split) Chips() float64 {
	return s.Prefills*float64(s.Prefill.Chips()) + s.Decodes*float64(s.Decode.Chips())
}

// Match is how many prefill replicas keep the decode replicas busy at a load of c requests under way, with a tenth to
// spare.
func (s Split) Match(c float64, l Load) float64 { return s.pace(l).match(c, s.decodeStep(c, l), l) }

// promptPace is how fast prefill replicas are, however many they are and whoever decodes.
type promptPace struct {
	whole float64 // until a prompt alone is done
	each  float64 // what a prompt takes of a replica's time where many are computed together
}

// pace is that of the prefill replicas.
func (s Split) pace(l Load) promptPace {
	return promptPace{whole: s.prompt(1, l).whole, each: s.prompt(s.capacity(l), l).each}
}

// match is Match for steps of decoding that take so long.
func (p promptPace) match(c, decode float64, l Load) float64 {
	busy := 0.9
	rate := c / (decode*(l.Out-1) + p.whole)
	return max(math.Ceil(rate*p.each/busy), 1)
}

// promptCost is a prompt on a prefill replica: until it is done, and what it takes of the replica's time.
type promptCost struct{ whole, each float64 }

// prompt prices prompts of which so many are computed together.
func (s Split) prompt(batch float64, l Load) promptCost {
	r := s.Prefill
	fresh := l.fresh()
	pieces := math.Ceil(fresh / r.Chunk)
	takes := func(steps float64) float64 {
		part := fresh / steps
		return steps * r.Step(Work{Prompt: batch * part, Prompts: batch, Before: l.In*l.Hit + (fresh-part)/2}).Total()
	}
	p := promptCost{each: takes(pieces)}
	p.whole = p.each * s.late(fresh/r.Chunk)
	if pieces > 1 { // its last piece leaves space for the next prompt's first
		p.each = takes(fresh / r.Chunk)
	}
	p.each /= batch * float64(r.PP)
	return p
}

// Handover is the time that a sequence takes from prefill chips to decode chips: its cache over the network of the
// chips that hold it.
func (s Split) Handover(l Load) float64 {
	r := s.Prefill
	bytes := float64(r.CacheBytes(l.In)) / r.cacheSplit()
	link := r.Network
	if s.Chips() <= float64(r.Domain) {
		link = r.Link * r.Mesh.Share(2)
	}
	if link == 0 {
		return r.Constants.Handover
	}
	return r.Constants.Handover + bytes/(link*r.Links)
}

// decodeStep is the time of a step with so many sequences over all decode replicas.
func (s Split) decodeStep(n float64, l Load) float64 {
	r := s.Decode
	w := Work{Sequences: max(n/s.Decodes, 1) / float64(r.PP), Context: l.In + l.Out/2, Verify: l.Verify}
	return (r.Step(w).Total() + r.Guessing(w, l)) / max(l.Tokens, 1)
}

// joins is how long a sequence waits on the decode chips for its first token there, if so many others decode: the step
// that runs, those until it is let in, and its own.
func (s Split) joins(n, step float64) float64 {
	busy := -math.Expm1(-n / s.Decodes) // as likely one runs
	return (1 + busy/2 + s.Decode.Join) * step
}

// Closed answers for c requests that are always under way. Prompts queue for the prefill replicas; nothing disturbs
// those who decode. It looks for the number n of sequences that decode: they ask for prompts at the rate
//
//	X = n/((out - 1) TPOT(n)),    c = n + X TTFT(X)
func (s Split) Closed(c float64, l Load) Latency {
	held := s.hold(c, l)
	a := Latency{Admitted: held.running}
	queue, step := s.queue(a.Admitted, l), 0.0
	root(a.Admitted, func(n float64) float64 {
		a.Running, a.TPOT = n, s.decodeStep(n, l)
		a.Requests = n / (max(l.Out-1, 1e-9) * a.TPOT)
		a.TTFT, step = queue.firstToken(a.Requests)
		a.TTFT += s.joins(n*queue.others, a.TPOT)
		return n + a.Requests*a.TTFT - a.Admitted
	})
	a.TTFT = max(a.Admitted-a.Running, 0) / a.Requests // exact also where the queue has no end
	a.Decode, a.E2E = a.TPOT, a.TTFT+a.TPOT*(l.Out-1)
	a.First = First{Request: queue.fixed, Step: s.joins(a.Running*queue.others, a.TPOT), Prompt: step}
	a.First.Others = max(a.TTFT-a.First.Total(), 0)
	if c > a.Admitted {
		a.First.Queue = max(c-held.started, 0) / a.Requests
		a.TTFT += a.First.Queue
		a.TPOT += (held.started - held.running) / a.Requests / max(l.Out-1, 1)
		a.E2E = a.TTFT + a.TPOT*(l.Out-1)
	}
	a.Output = a.Requests * l.Out
	return a
}

// root tries numbers from 0 to most until f, which grows from -most by at least as much as its number, is 0 to within
// 1e-9 of most: where the secant meets 0, and the middle where f is infinite or three secants don't halve the range.
func root(most float64, f func(float64) float64) {
	low, high, below, above := 0.0, most, -most, f(most)
	if above <= 1e-9*most {
		return
	}
	width, side := most, 0.0 // of the range at the last check; on which side of 0 the last try was
	for i := range 60 {
		n := (low*above - high*below) / (above - below)
		if i%3 == 2 && high-low > width/2 || !(n > low && n < high) {
			n = (low + high) / 2
		}
		if i%3 == 2 {
			width = high - low
		}
		y := f(n)
		if math.Abs(y) <= 1e-9*most {
			return
		}
		if y > 0 {
			high, above = n, y
		} else {
			low, below = n, y
		}
		if y*side > 0 && y > 0 { // the other end has stayed: pull the secant its way
			below /= 2
		} else if y*side > 0 {
			above /= 2
		}
		side = y
	}
}

// hold is what becomes of c sequences on the decode replicas. What those that give their
// caches back cost the chips that compute them again is not counted.
func (s Split) hold(c float64, l Load) hold {
	h := s.Decode.hold(c/s.Decodes, l)
	h.running, h.started = max(min(h.running*s.Decodes, c), 1), max(min(h.started*s.Decodes, c), 1)
	return h
}

// admit is how many of c sequences the decode replicas hold at a time.
func (s Split) admit(c float64, l Load) float64 { return s.hold(c, l).running }
