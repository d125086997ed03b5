package library

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// step is a step of a plan.
func (n *servings) step(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	w, r := p.work(), p.decode
	switch a[1].Text {
	case "decode":
	case "prefill":
		if p.Apart {
			w, r = serving.Work{}, p.prefill
		}
		fresh := max(p.wish.Load.In*(1-p.wish.Load.Hit), 1)
		pieces := math.Ceil(fresh / r.Chunk)
		w.Prompt, w.Prompts, w.Before = fresh/pieces, 1, p.wish.Load.In*p.wish.Load.Hit+(fresh-fresh/pieces)/2
	default:
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-pass", "pass", a[1]),
			Remedy: phrase.New("library.write-decode-or-prefill")}
	}
	return n.stepRecord(r, w), nil
}

// stepRecord is a step with all that its laws are given.
func (n *servings) stepRecord(r *serving.Replica, w serving.Work) value.Value {
	t := r.Terms(w)
	x := n.fill("step", phrase.New("library.step-of", "plan", r.Plan.String()), []named{
		{"tp", float64(r.TP)}, {"dp", float64(r.DP)}, {"ranks", float64(r.EP * r.ETP)}, {"rows", t.Rows},
		{"sampled", t.Sampled}, {"sequences", t.Sequences}, {"context", w.Context}, {"prompt", t.Prompt},
		{"tokens", t.Tokens}, {"cache", t.CacheBytes}, {"cache_ops", t.CacheOps}, {"score_ops", t.ScoreOps},
		{"experts", t.ExpertsRead}, {"expert_rows", t.ExpertRows}, {"expert_elements", t.ExpertElements}, {"tile", t.Tile},
		{"uses", r.Blocks * r.PerToken}, {"sums", t.Sums}, {"exchanges", t.Exchanges}, {"exchanged", t.Exchanged},
		{"wire", max(r.Link*r.Links, 1)}, {"beyond", t.Beyond}, {"read", t.Read}, {"rate", t.Rate},
		{"expert_rate", t.ExpertRate}, {"logit_rate", t.LogitRate}, {"score_rate", t.ScoreRate},
		{"widths", t.Widths}, {"ws", float64(r.WS)}, {"axes", max(r.Axes, 2)}, {"inner", r.Inner()},
		{"layer", t.FixedLayer}, {"launches", t.Launches}, {"projections", t.Projections}, {"attention", t.Cache},
		{"scores", t.Scores}, {"mlp", t.Dense}, {"routed", t.Experts}, {"logits", t.Logits},
		{"collectives", t.Collectives}, {"fixed", t.Fixed}, {"time", t.Total()},
	})
	x.flag("ring", r.Torus)
	return x.value()
}

// memory is what a chip of a plan holds.
func (n *servings) memory(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	r := p.decode
	m := r.Memory(p.wish.Load.In + p.wish.Load.Out)
	return n.fill("memory", phrase.New("library.memory-of", "plan", r.Plan.String()), []named{
		{"memory", r.Chip.Memory}, {"weights", m.Weights}, {"activations", m.Activations},
		{"workspace", m.Workspace}, {"room", m.Cache}, {"each", m.Sequence}, {"sequences", m.Sequences},
		{"used", p.Batch / float64(r.DP) * r.Memory(r.Grown(p.Batch, p.wish.Load)).Sequence}, {"share", r.Share},
	}).value(), nil
}

// context is the longest sequence of which a plan holds so many.
func (n *servings) context(a []value.Value) (value.Value, error) {
	T := plan(a[0]).decode.LargestContext(a[1].Num.Value)
	if T == 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.fit-at-no-length", "n", a[1].Num),
			Remedy: phrase.New("library.ask-for-fewer")}
	}
	return counted(T, "token"), nil
}

// formats are those in which weights are stored.
func (n *servings) formats([]value.Value) (value.Value, error) {
	v := value.Value{Kind: value.List}
	for _, name := range []string{"bf16", "fp8", "nvfp4", "mxfp4"} {
		v.List = append(v.List, n.env.Values[name])
	}
	return v, nil
}

// flags is a plan as an engine takes it.
func (n *servings) flags(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	r, batch := p.decode, p.Batch
	if a[2].Bool {
		r, batch = p.prefill, max(math.Floor(p.prefill.Chunk/p.wish.Load.In), 1)*float64(p.prefill.DP)
	}
	return words(r.Flags(a[1].Text, p.wish.Load, batch)), noEngine(a[1].Text)
}

// constants are those of an engine that sheets compute with.
func (n *servings) constants(a []value.Value) (value.Value, error) {
	k := serving.Fitted(a[0].Text)
	x := n.fill("constants", phrase.New("library.constants-of", "engine", a[0].Text), []named{
		{"weights", k.Weights}, {"sparse", k.Sparse}, {"cache", k.Cache}, {"links", k.Links},
		{"block", k.Block}, {"sequence", k.Sequence}, {"passes", k.Passes}, {"collective", k.Collective},
		{"begin", k.Begin},
	})
	return x.value(), noEngine(a[0].Text)
}
