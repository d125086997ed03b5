package serving

// Given is a layout of all chips that somebody has chosen.
type Given struct {
	Layout   Plan    // of a replica; of those that decode, if Prompts is given
	Prompts  Plan    // of replicas that only prefill; the zero value is none
	Replicas float64 // of Layout; 0 is what the chips allow
	Prefills float64 // of Prompts; 0 is what keeps the others busy
	Host     float64 // GB of a chip's weights on its host; 0 if nothing is said
}

// Least is the fewest chips that the layout takes.
func (g Given) Least() float64 {
	n := max(g.Replicas, 1) * float64(g.Layout.Chips())
	if g.Prompts != (Plan{}) {
		n += max(g.Prefills, 1) * float64(g.Prompts.Chips())
	}
	return n
}

// takes is the chips that a replica takes with all that is given beside it.
func (w *Spec) takes(r *Replica) float64 {
	g := w.Given
	g.Layout = r.Plan
	return g.Least()
}

// Given is the layout of an option.
func (o *Option) Given() Given {
	g := Given{Layout: o.Plan, Replicas: o.Replicas, Host: o.Offload / 1e9}
	if o.Apart {
		g.Prompts, g.Prefills = o.Prompts, o.Prefills
	}
	return g
}
