package serving

import "slices"

// Plans are all that w's chips allow: every TP that divides the heads, every DP, PP that are powers of two, and experts
// either whole on their ranks or split over them. Besides powers of two TP takes what divides the chips, and DP what
// leaves none of them over. Where groups have more chips than there are heads of keys and values, which they would keep
// more than once, the cache may be split along the sequence instead.
func (w Wish) Plans() []Plan {
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
func (w Wish) contexts(p Plan) []Plan {
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
func (w Wish) widths(tp int) int {
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
func (w Wish) tensors(n int) (even, uneven []int) {
	for tp := 1; tp <= min(n, max(w.Chip.Domain, 1), w.Shape.Model.Heads); tp++ {
		switch {
		case tp&(tp-1) != 0 && w.Chips%tp != 0:
		case w.Shape.Model.Heads%tp == 0:
			even = append(even, tp)
		default:
			uneven = append(uneven, tp)
		}
	}
	return even, uneven
}

// uneven is why the ways are left out over which the heads don't divide, by the largest of them.
func (w Wish) uneven() []Refusal {
	_, left := w.tensors(w.Chips)
	if len(left) == 0 {
		return nil
	}
	p := Plan{TP: left[len(left)-1]}
	return []Refusal{{p.Legal(w.Shape, &w.Chip), p, len(left)}}
}

// experts is a plan with every way to spread experts, of which all ranks have as many, some of them twice if need be:
// none for a dense model, which gains nothing from attention groups either.
func (w Wish) experts(p Plan) []Plan {
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

// spreads tells whether an engine can be told to spread experts over so many of a group's ranks: vLLM has them whole on
// all ranks, or split over all.
func (e Engine) spreads(ep, group int) bool { return e.Name != "vllm" || ep == 1 || ep == group }

// halves are the powers of two up to n, and n itself, halved as long as that leaves none over; smallest first.
func halves(n int) []int {
	all := powers(n)
	for ; n > 1 && n&(n-1) != 0; n /= 2 {
		all = append(all, n)
		if n%2 != 0 {
			break
		}
	}
	slices.Sort(all)
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
