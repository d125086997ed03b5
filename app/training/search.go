//go:build !lean

package training

import (
	"slices"
)

// Objective is what the best plan has least of.
type Objective uint8

// The objectives. Cost is time, for as many devices.
const (
	ByTime Objective = iota
	ByMemory
)

// Search finds the best plans of a space.
type Search struct {
	Space     Space
	Objective Objective
	Top       int     // how many; 0 means 1
	Margin    float64 // share of the memory to leave free
	Misfits   bool    // plans that don't fit count too
	MaxTP     int     // 0 means any
	Part      int     // this part of the search, counted from 0,
	Parts     int     // of so many; 0 means 1
	Exhaust   bool    // price every plan, without bounds

	Progress func(*Found) bool // called now and then with what is found so far; it ends the search by false
}

// Found is what a search found.
type Found struct {
	Best    []Price // the best first
	Trunks  int     // divisions of the devices
	Priced  int     // plans priced
	Refused int     // of them, plans that don't fit
	Cut     int     // divisions that no plan could have saved, by their bounds
	Reasons []Reason
}

// Reason is why plans were refused.
type Reason struct {
	Plans   int
	Binding string // the largest part of the memory
	Nearest Price  // the plan that lacks least
	Excess  float64
}

// Find searches. Its answer is that of pricing every plan of the space: a division of the devices is left out only if
// a lower bound of its time is no better than the worst plan kept, or if a lower bound of its memory doesn't fit.
func (p *Pricer) Find(s Search) Found {
	h := p.Hunt(s)
	for h.Step() && (s.Progress == nil || s.Progress(&h.found)) {
	}
	return h.Found()
}

// Hunt is a search under way, which goes on division by division.
type Hunt struct {
	*Pricer
	Search
	trunks []trunk // of this part
	next   int     // the trunk that is tried
	micro  int     // the size of its micro-batches that is tried next
	found  Found
}

// Hunt begins a search.
func (p *Pricer) Hunt(s Search) *Hunt {
	s.Top, s.Parts = max(1, s.Top), max(1, s.Parts)
	h := &Hunt{Pricer: p, Search: s}
	p.trunks(&s.Space, func(t trunk) bool {
		h.found.Trunks++
		if (h.found.Trunks-1)%s.Parts == s.Part && (s.MaxTP == 0 || t.tp <= s.MaxTP) {
			h.trunks = append(h.trunks, t)
		}
		return true
	})
	return h
}

// Step prices the plans of one more size of micro-batches of a division, and tells whether there is more to do.
func (h *Hunt) Step() (more bool) {
	if h.next >= len(h.trunks) {
		return false
	}
	t := h.trunks[h.next]
	if h.micro == 0 && !h.Exhaust && h.hopeless(t) {
		h.found.Cut++
		h.micro = len(h.Space.Micro)
	} else if h.micro < len(h.Space.Micro) {
		h.branchesOf(&h.Space, t, h.Space.Micro[h.micro], h.try)
		h.micro++
	}
	if h.micro >= len(h.Space.Micro) {
		h.micro = 0
		h.next++
	}
	return h.next < len(h.trunks)
}

// Done is the share of the divisions that have been tried.
func (h *Hunt) Done() float64 {
	if len(h.trunks) == 0 {
		return 1
	}
	return float64(h.next) / float64(len(h.trunks))
}

// Found is what is found so far, the most frequent reason first.
func (h *Hunt) Found() Found {
	f := h.found
	f.Best, f.Reasons = slices.Clone(f.Best), slices.Clone(f.Reasons)
	slices.SortStableFunc(f.Reasons, func(a, b Reason) int { return b.Plans - a.Plans })
	return f
}

// room is the memory that a plan may take.
func (p *Pricer) room(s *Search) float64 { return Usable(p.job.Device.Memory) * (1 - s.Margin) }

// score is what the objective counts.
func (h *Hunt) score(price *Price) float64 {
	if h.Objective == ByMemory {
		return price.Memory.Total()
	}
	return price.Time.Step()
}

// try prices a plan and keeps it if it is among the best. Of equal plans the earlier one stays.
func (h *Hunt) try(plan *Plan) {
	price := Price{Plan: plan.filled()}
	c := h.layout(&price.Plan)
	price.Memory, price.Reported = h.memory(&c)
	h.found.Priced++
	if !h.Misfits && price.Memory.Total() > h.room(&h.Search) {
		h.refuse(&price)
		return
	}
	h.timed(&c, &price)
	best := h.found.Best
	if len(best) == h.Top && h.score(&price) >= h.score(&best[len(best)-1]) {
		return
	}
	i, _ := slices.BinarySearchFunc(best, h.score(&price), func(kept Price, score float64) int {
		if h.score(&kept) <= score {
			return -1
		}
		return 1
	})
	best = slices.Insert(best, i, price)
	h.found.Best = best[:min(len(best), h.Top)]
}

// refuse counts a plan that doesn't fit by the part that takes most.
func (h *Hunt) refuse(price *Price) {
	h.found.Refused++
	excess, binding := price.Memory.Total()-h.room(&h.Search), price.Memory.Largest()
	for i := range h.found.Reasons {
		r := &h.found.Reasons[i]
		if r.Binding != binding {
			continue
		}
		if r.Plans++; excess < r.Excess {
			r.Nearest, r.Excess = *price, excess
		}
		return
	}
	h.found.Reasons = append(h.found.Reasons, Reason{Plans: 1, Binding: binding, Nearest: *price, Excess: excess})
}

// hopeless tells whether no plan on a trunk can be among the best.
func (h *Hunt) hopeless(t trunk) bool {
	bound := h.bound(t)
	if !h.Misfits && bound.bytes > h.room(&h.Search) {
		return true
	}
	if len(h.found.Best) < h.Top {
		return false
	}
	worst := h.score(&h.found.Best[h.Top-1])
	if h.Objective == ByMemory {
		return bound.bytes >= worst
	}
	return bound.seconds >= worst
}
