package serving

import (
	"cmp"
	"math"
	"slices"
)

// apart is the options in which r decodes and replicas like p prefill, on as many chips as keep it busy.
func (w Wish) apart(p, r *Replica) []Option {
	var all []Option
	w.Offload = 0 // who has chips for both needs no host
	pace := Split{Prefill: p}.pace(w.Load)
	for _, b := range ladder(w.room(r)) {
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

// pair is as many decode replicas with b requests each, and prefill replicas for them, as the chips allow.
func (w Wish) pair(p, d *Replica, pace promptPace, b float64) (Option, bool) {
	s := Split{Prefill: p, Decode: d, Decodes: math.Floor(float64(w.Chips) / float64(d.Chips()))}
	step := s.decodeStep(b*s.Decodes, w.Load) // the same however many replicas share
	for ; s.Decodes >= 1; s.Decodes-- {
		s.Prefills = pace.match(b*s.Decodes, step, w.Load)
		if s.Chips() <= float64(w.Chips) {
			a := s.Closed(b*s.Decodes, w.Load)
			return Option{Plan: d.Plan, Prompts: p.Plan, Apart: true, Replicas: s.Decodes, Prefills: s.Prefills,
				Chips: s.Chips(), Batch: b, Latency: a}, true
		}
	}
	return Option{}, false
}

// prefillers are the replicas that prefill most prompts a second and chip, and the one that is fastest with a single
// prompt.
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
	return Split{Prefill: r}.pace(w.Load).each * float64(r.Chips())
}
