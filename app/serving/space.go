package serving

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

// experts is a plan with every way to spread experts: none for a dense model, which gains nothing from attention groups
// either.
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
