package serving

import "math"

// Terms is a step, and what its laws are given: whoever has them can work the step out again.
type Terms struct {
	Step
	Rows, Sampled, Sequences, Prompt float64 // of an attention group, on each of its chips
	Tokens                           float64 // that the experts see, over the whole replica
	CacheBytes, CacheOps             float64 // that a chip reads, and computes on it, for a sequence that decodes
	ScoreOps                         float64 // attention over prompts, on a chip
	ExpertsRead, ExpertRows          float64 // experts of a layer that the busiest chip reads, and rows of each
	ExpertElements                   float64 // of an expert on a chip, over all its layers
	Tile                             float64 // rows of an expert below which its product takes no less time
	Sums, Exchanges, Exchanged       float64 // sums over the group, exchanges with experts, and bytes of each
	Widths                           float64 // dense MLPs that are split by both widths
	Beyond                           float64 // seconds of what is sent beyond the domain, over a split cache, to stages
	Read                             float64 // byte/s at which the weights of dense products are read
	Rate, ExpertRate, LogitRate      float64 // FLOP/s that products reach
	ScoreRate                        float64 // FLOP/s that attention reaches
	FixedLayer, Launches             float64 // seconds of a layer, and of launching a step with prompts kernel by kernel
}

// Terms prices a step and says from what.
func (r *Replica) Terms(w Work) Terms {
	l := r.load(w)
	t := Terms{Step: r.Step(w), Rows: l.rows, Sampled: l.sampled, Sequences: l.decode, Prompt: l.prompt, Tokens: l.all,
		Read: r.reads(r.MLP), Rate: r.rate(r.MLP), ExpertRate: r.rate(r.Precision.Experts) * r.Grouped,
		LogitRate: r.rate(r.Tables), ScoreRate: r.Peak16 * r.Score}
	t.CacheBytes, t.CacheOps = r.read(w.Context)
	t.CacheOps *= max(w.Verify, 1)
	if l.prompt > 0 {
		t.ScoreOps, t.Launches = r.scores(l, w.Before), r.launches(l)
	}
	if r.Blocks > 0 {
		t.ExpertsRead, t.ExpertRows = r.experts(l.all)
		t.Tile = r.tile(t.ExpertRows)
		t.ExpertElements = r.Expert / float64(r.ETP) * r.Blocks
	}
	t.FixedLayer = r.floor(r.Layer, 0, r.Latent) / r.Layers
	r.sent(&t, l)
	return t
}

// sent fills in the collectives: those within a scale-up domain by number, what is beyond as time.
func (r *Replica) sent(t *Terms, l load) {
	group, domain := float64(r.TP), float64(max(r.Domain, 1))
	if r.TP > 1 && group <= domain {
		t.Sums = 2 * r.Layers
		if r.DP > 1 {
			t.Sums -= r.Blocks
		}
		if r.WS > 1 {
			t.Widths = r.Layers - r.Blocks
			t.Sums -= t.Widths
		}
	}
	if r.DP > 1 && r.EP > 1 && float64(r.EP*r.ETP) <= domain {
		t.Exchanges, t.Exchanged = r.Blocks, r.exchanged(l)
	}
	known := t.Sums * allReduceTime(l.rows*r.Width*activation, group, r.Torus, r.Link*r.Links, r.Collective, r.Begin)
	if t.Widths > 0 {
		known += t.Widths * r.twoWidths(l)
	}
	if t.Exchanges > 0 {
		known += t.Exchanges * exchangeTime(t.Exchanged, float64(r.EP*r.ETP), r.Link*r.Links, r.Collective)
	}
	t.Beyond = math.Max(t.Collectives-known, 0)
}
