//go:build !lean

package library

import (
	"math"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// step is a step of a plan.
func (n *servings) step(a []sheet.Value) (sheet.Value, error) {
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
		return sheet.Value{}, &law.Error{What: "there is no pass " + a[1].String(), Remedy: "write \"decode\" or \"prefill\""}
	}
	return n.stepRecord(r, w), nil
}

// stepRecord is a step with all that its laws are given.
func (n *servings) stepRecord(r *serving.Replica, w serving.Work) sheet.Value {
	t := r.Terms(w)
	x := n.fill("step", "a step of "+r.Plan.String(),
		"tp dp ranks rows sampled sequences context prompt tokens cache cache_ops score_ops "+
			"experts expert_rows expert_elements uses sums exchanges exchanged wire beyond "+
			"read rate expert_rate logit_rate score_rate layer launches "+
			"projections attention scores mlp routed logits collectives fixed time",
		float64(r.TP), float64(r.DP), float64(r.EP*r.ETP), t.Rows, t.Sampled, t.Sequences, w.Context, t.Prompt, t.Tokens,
		t.CacheBytes, t.CacheOps, t.ScoreOps,
		t.ExpertsRead, t.ExpertRows, t.ExpertElements, r.Blocks*r.PerToken, t.Sums, t.Exchanges, t.Exchanged,
		max(r.Link*r.Links, 1), t.Beyond,
		t.Read, t.Rate, t.ExpertRate, t.LogitRate, t.ScoreRate, t.FixedLayer, t.Launches,
		t.Projections, t.Cache, t.Scores, t.Dense, t.Experts, t.Logits, t.Collectives, t.Fixed, t.Total())
	x.flag("ring", r.Torus)
	return x.value()
}

// memory is what a chip of a plan holds.
func (n *servings) memory(a []sheet.Value) (sheet.Value, error) {
	p := plan(a[0])
	r := p.decode
	m := r.Memory(p.wish.Load.In + p.wish.Load.Out)
	return n.fill("memory", "memory of a chip of "+r.Plan.String(),
		"memory weights activations workspace room each sequences used share",
		r.Chip.Memory, m.Weights, m.Activations, m.Workspace, m.Cache, m.Sequence, m.Sequences,
		p.Batch/float64(r.DP)*m.Sequence, r.Share).value(), nil
}

// context is the longest sequence of which a plan holds so many.
func (n *servings) context(a []sheet.Value) (sheet.Value, error) {
	T := plan(a[0]).decode.LargestContext(a[1].Num.Value)
	if T == 0 {
		return sheet.Value{}, &law.Error{What: a[1].Num.String() + " fit at no length", Remedy: "ask for fewer"}
	}
	return counted(T, "token"), nil
}

// formats are those in which weights are stored.
func (n *servings) formats([]sheet.Value) (sheet.Value, error) {
	v := sheet.Value{Kind: sheet.List}
	for _, name := range []string{"bf16", "fp8", "nvfp4", "mxfp4"} {
		v.List = append(v.List, n.env.Values[name])
	}
	return v, nil
}

// flags is a plan as an engine takes it.
func (n *servings) flags(a []sheet.Value) (sheet.Value, error) {
	p := plan(a[0])
	r, batch := p.decode, p.Batch
	if a[2].Bool {
		r, batch = p.prefill, max(math.Floor(p.prefill.Chunk/p.wish.Load.In), 1)*float64(p.prefill.DP)
	}
	return words(r.Flags(a[1].Text, p.wish.Load, batch)), noEngine(a[1].Text)
}

// constants are those of an engine that sheets compute with.
func (n *servings) constants(a []sheet.Value) (sheet.Value, error) {
	k := serving.Fitted(a[0].Text)
	return n.fill("constants", "constants of "+a[0].Text, "weights sparse cache links tile block sequence passes collective begin",
		k.Weights, k.Sparse, k.Cache, k.Links, k.Tile, k.Block, k.Sequence, k.Passes, k.Collective, k.Begin).value(), noEngine(a[0].Text)
}
