package library

import (
	"math"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// planFuncs are functions of one plan: a step, its memory, what fits, its flags, the constants behind it.
func (n *servings) planFuncs() []*sheet.Func {
	plan := param("plan", sheet.Type{Kind: sheet.Rec, Kin: n.plans})
	return []*sheet.Func{
		{Name: "serving_step", Params: []sheet.Param{plan, param("pass", text)}, Result: sheet.Type{Kind: sheet.Rec, Kin: n.steps},
			Doc:  "A step of a plan: pass \"decode\" is one without prompts, \"prefill\" one that also computes a prompt.",
			Call: n.step},
		{Name: "serving_memory", Params: []sheet.Param{plan}, Result: sheet.Type{Kind: sheet.Rec, Kin: n.memories},
			Doc: "What one chip of a plan holds, as engines budget it; of those that decode, if prefill and decode are apart.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				return n.memory(a[0].Record.Of.(*served)), nil
			}},
		{Name: "serving_context", Params: []sheet.Param{plan, count("B")}, Result: plain,
			Doc: "The longest sequence that a replica of a plan holds B of.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				p := a[0].Record.Of.(*served)
				T := p.decode.LargestContext(a[1].Num.Value)
				if T == 0 {
					return sheet.Value{}, &law.Error{What: a[1].Num.String() + " sequences fit at no length", Remedy: "ask for fewer"}
				}
				return counted(T, "token"), nil
			}},
		{Name: "serving_flags", Params: []sheet.Param{plan, param("engine", text), param("prompts", flag)}, Result: text,
			Doc: "A plan as an engine takes it: \"vllm\", \"sglang\", \"trtllm\" or \"maxtext\". With prompts, the replicas that " +
				"prefill. No sequence is longer, and no more of them are let in, than the caches hold.",
			Call: flagsOf},
		{Name: "weight_formats", Result: sheet.ListOf(dtype), Source: "the formats in which checkpoints are published",
			Doc: "The formats in which weights are stored, widest first.",
			Call: func([]sheet.Value) (sheet.Value, error) {
				return sheet.Value{Kind: sheet.List, List: []sheet.Value{dtypeValue("bf16", 16), dtypeValue("fp8", 8),
					dtypeValue("nvfp4", 4.5), dtypeValue("mxfp4", 4.25)}}, nil
			}},
		{Name: "serving_constants", Params: []sheet.Param{param("engine", text)}, Result: sheet.Type{Kind: sheet.Rec, Kin: n.constantsKin},
			Doc:  "What was fitted to measurements of an engine: shares of data-sheet rates, and fixed times.",
			Call: n.constants},
	}
}

// step is a step of a plan.
func (n *servings) step(a []sheet.Value) (sheet.Value, error) {
	p, r := a[0].Record.Of.(*served), a[0].Record.Of.(*served).decode
	w := p.work()
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
	t, x := r.Terms(w), fill(n.steps, "a step of "+r.Plan.String())
	for name, v := range map[string]float64{
		"tp": float64(r.TP), "dp": float64(r.DP), "ranks": float64(r.EP * r.ETP), "rows": t.Rows, "sampled": t.Sampled,
		"sequences": t.Sequences, "context": w.Context, "prompt": t.Prompt, "tokens": t.Tokens,
		"cache": t.CacheBytes, "cache_ops": t.CacheOps, "score_ops": t.ScoreOps,
		"experts": t.ExpertsRead, "expert_rows": t.ExpertRows, "expert_elements": t.ExpertElements, "uses": r.Blocks * r.PerToken,
		"sums": t.Sums, "exchanges": t.Exchanges, "exchanged": t.Exchanged, "beyond": t.Beyond,
		"rate": t.Rate, "expert_rate": t.ExpertRate, "logit_rate": t.LogitRate, "score_rate": t.ScoreRate,
		"wire": max(r.Link*r.Links, 1), "layer": t.FixedLayer, "launches": t.Launches,
		"projections": t.Projections, "attention": t.Cache, "scores": t.Scores, "mlp": t.Dense, "routed": t.Experts,
		"logits": t.Logits, "collectives": t.Collectives, "fixed": t.Fixed, "time": t.Total(),
	} {
		x.num(name, v)
	}
	x.flag("ring", r.Torus)
	return x.value()
}

// memory is what a chip of a plan holds.
func (n *servings) memory(p *served) sheet.Value {
	r := p.decode
	m, x := r.Memory(p.wish.Load.In+p.wish.Load.Out), fill(n.memories, "memory of a chip of "+r.Plan.String())
	x.Of = p
	for name, v := range map[string]float64{
		"memory": r.Chip.Memory, "weights": m.Weights, "activations": m.Activations, "workspace": m.Workspace, "room": m.Cache,
		"each": m.Sequence, "sequences": m.Sequences, "used": p.Batch / float64(r.DP) * m.Sequence, "share": r.Share,
	} {
		x.num(name, v)
	}
	return x.value()
}

// flagsOf is a plan as an engine takes it.
func flagsOf(a []sheet.Value) (sheet.Value, error) {
	p := a[0].Record.Of.(*served)
	r, batch := p.decode, p.Batch
	if a[2].Bool {
		r, batch = p.prefill, max(math.Floor(p.prefill.Chunk/p.wish.Load.In), 1)*float64(p.prefill.DP)
	}
	flags := r.Flags(a[1].Text, p.wish.Load, batch)
	if flags == "" {
		return sheet.Value{}, &law.Error{What: "there is no engine " + a[1].String(),
			Remedy: "write \"vllm\", \"sglang\", \"trtllm\" or \"maxtext\""}
	}
	return words(flags), nil
}

// constants are those of an engine that sheets compute with.
func (n *servings) constants(a []sheet.Value) (sheet.Value, error) {
	k := serving.Fitted(a[0].Text)
	r := fill(n.constantsKin, "constants of "+a[0].Text)
	for _, c := range k.All() {
		for i := range n.constantsKin.Fields {
			if n.constantsKin.Fields[i].Name == c.Name {
				r.num(c.Name, *c.Value)
			}
		}
	}
	return r.value(), nil
}
