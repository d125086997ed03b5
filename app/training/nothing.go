package training

import (
	"cmp"
	"slices"
)

// ExplainNoPlan says why a search found no plan: no division of the devices is legal, or nothing fits; and what to
// change.
func (p *Pricer) ExplainNoPlan(s *Search, f *Found) error {
	switch {
	case f.Trunks == 0 || f.Priced+f.Cut == 0:
		return p.indivisible(s)
	case len(f.Reasons) > 0:
		r := f.nearest()
		return fault("training.nothing-fits", "n", f.Refused, "plan", r.Nearest.Plan.String(), "missing",
			gigabytes(r.Excess), "part", r.Binding)
	}
	least, room := p.leastOf(s), p.room(s)
	if !p.job.Stated { // by the software's usual recipe, which others undercut
		each, model := p.job.Model.Total()/p.devices, p.job.Model.Total()
		return fault("training.usual-too-large", "devices", int(p.devices), "least", gigabytes(least), "room", gigabytes(room),
			"need", int(ceil(p.devices*least/room)), "bytes", three(least*p.devices/model), "software", p.job.Stack.Name, "pure",
			gigabytes(8*each), "eight", gigabytes(6*each))
	}
	return fault("training.states-too-large", "devices", int(p.devices), "least", gigabytes(least), "room",
		gigabytes(room), "need", int(ceil(p.devices*least/room)))
}

// nearest is the reason of the plan that lacks least. A search that refused none has no such reason.
func (f *Found) nearest() Reason {
	return slices.MinFunc(f.Reasons, func(a, b Reason) int { return cmp.Compare(a.Excess, b.Excess) })
}

// indivisible says that no plan divides the devices, and how many can be divided.
func (p *Pricer) indivisible(s *Search) error {
	return fault("training.indivisible", "devices", int(p.devices), "batch", p.job.Batch, "heads", int(p.shape.heads),
		"layers", int(p.shape.layers), "near", p.divisible(s))
}

// divisible is the most devices, no more than there are, that some plan divides.
func (p *Pricer) divisible(s *Search) int {
	n, best := int(p.devices), 1
	tps := divisors(int(p.shape.heads), n)
	for _, dp := range divisors(p.job.Batch, n) {
		for _, tp := range tps {
			if s.MaxTP > 0 && tp > s.MaxTP {
				break
			}
			for _, cp := range divisors(p.job.Sequence, p.mostContexts()) {
				if each := dp * tp * cp; each <= n {
					best = max(best, each*min(n/each, int(p.shape.layers)))
				}
			}
		}
	}
	return best
}

// leastOf is what the training state takes on a device at least, of all divisions of a search.
func (p *Pricer) leastOf(s *Search) float64 {
	least := 0.0
	p.trunks(&s.Space, func(t trunk) bool {
		if s.MaxTP > 0 && t.tp > s.MaxTP {
			return true
		}
		if b := p.bound(t).bytes; least == 0 || b < least {
			least = b
		}
		return true
	})
	return least
}
