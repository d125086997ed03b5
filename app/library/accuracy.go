package library

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// accuracy offers how far predictions lie from what was measured.
type accuracy struct{ families, rivals, serving, scopes, constants, runs, misses *value.RecordType }

// addAccuracy offers them.
func addAccuracy(env *value.Env) {
	n := &accuracy{families: newRecordType(env, "held family", nil), rivals: newRecordType(env, "rival", nil),
		serving: newRecordType(env, "serving rival", nil), scopes: newRecordType(env, "constant scope", nil),
		constants: newRecordType(env, "planner constant", nil), runs: newRecordType(env, "published run", nil),
		misses: newRecordType(env, "missed run", nil)}
	n.scopes.Members = constantScopes(n.scopes)
	register(env, law.HeldByTests, []funcDecl{
		{Name: "held_families", Takes: "half text", Gives: "list held family", Work: 1 << 14, Call: n.heldFamilies,
			Doc: "The families of measured rows of \"training\", \"serving\" or \"machines\", and how far " +
				"predictions lie off: errors, and how many measured values lie in their interval. Of " +
				"\"training misses\" those whose misses are explained, each explanation once."},
		{Name: "published_runs", Gives: "list published run", Work: 1 << 12, Call: n.publishedRuns,
			Doc: "How far predicted steps of published runs lie from measured ones, for all and by the version of " +
				"their software: bias is below 0 where predictions are too fast."},
		{Name: "widest_misses", Gives: "list missed run", Work: 1 << 12, Call: n.widestMisses,
			Doc: "The published runs whose predicted steps lie farthest off, the widest first."},
		{Name: "held_number", Takes: "name text", Work: 1 << 10, Call: heldNumber,
			Doc: "A number about predictions by its name, such as \"training.regret_median\"."},
		{Name: "rivals", Gives: "list rival", Work: 1 << 12, Call: n.rivalList,
			Doc: "What other tools reach on training plans of the same grid, run on 2026-11-22."},
		{Name: "serving_rivals", Gives: "list serving rival", Work: 1 << 12, Call: n.servingRivals,
			Doc: "What other tools reach on rows of serving, in the median."},
		{Name: "constant_scopes", Gives: "list constant scope", Call: n.scopeList,
			Doc: "What constants of training hold for: a software, every software, GPUs or TPUs."},
		{Name: "training_constants", Takes: "scope constant scope", Gives: "list planner constant", Work: 1 << 14,
			Call: n.trainingConstants,
			Doc: "The constants of training that can’t be derived, each with its source or the rows that " +
				"it was fitted on."},
	})
}

func (n *accuracy) heldFamilies(a []value.Value) (value.Value, error) {
	half, misses := strings.CutSuffix(a[0].Text, " misses")
	families := summary.Families(half)
	if misses {
		families = explained(families)
	}
	var all []*value.Record
	for _, f := range families {
		r := newRecord(n.families, familyName(f.Name))
		r.ID, r.Of = recordID(f.Name, f.Quantity, f.Part), &f
		r.say("family", r.called())
		r.say("quantity", f.Quantity)
		r.say("part", f.Part)
		r.num("rows", float64(f.Rows))
		for _, x := range []named{{"median", f.Median}, {"p90", f.P90}, {"bias", f.Bias}, {"inside", f.Coverage},
			{"width", f.Width}, {"needs", f.Needs}} {
			r.known(x.Name, x.Value)
		}
		if f.Breaks != "" {
			r.say("breaks", f.Breaks)
		}
		r.Phrase = nil
		r.Name = english(phrase.Commas([]string{r.Name, f.Quantity, f.Part}))
		all = append(all, r.Record)
	}
	if all == nil {
		return value.Value{}, phrase.Fault{What: phrase.New("library.nothing-measured", "half", strconv.Quote(half)),
			Remedy: phrase.New("library.write-training-or-serving")}
	}
	return recordList(all), nil
}

// explained are the families of which somebody knows why predictions miss, each explanation once: where several
// quantities of a family miss alike, as "all".
func explained(families []summary.Family) (all []summary.Family) {
	for _, f := range families {
		alike := func(g summary.Family) bool { return g.Name == f.Name && g.Breaks == f.Breaks }
		if at := slices.IndexFunc(all, alike); f.Breaks != "" && at < 0 {
			all = append(all, f)
		} else if f.Breaks != "" && all[at].Quantity != f.Quantity {
			all[at].Quantity = "all"
		}
	}
	return all
}

func (n *accuracy) publishedRuns([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, v := range summary.Runs() {
		name := v.Stack
		if name != "all" {
			name = scopeName(name)
		}
		r := newRecord(n.runs, name)
		r.ID = recordID(v.Stack, v.Part)
		r.say("software", name)
		r.say("part", v.Part)
		r.num("rows", float64(v.Rows))
		r.nums([]named{{"median", v.Median}, {"p90", v.P90}, {"bias", v.Bias}, {"inside", v.Inside}})
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

func (n *accuracy) widestMisses([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, v := range summary.Misses() {
		r := newRecord(n.misses, v.ID)
		r.ID = recordID(v.ID)
		r.say("run", v.ID)
		r.say("software", scopeName(v.Stack))
		r.say("device", v.Device)
		r.num("devices", float64(v.Devices))
		r.num("off", v.Predicted/v.Measured-1)
		r.num("predicted", v.Predicted)
		r.num("measured", v.Measured)
		r.say("source", v.Source)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// familyName is a family of rows in the names that makers give: "Llama 3 70B, H100, vLLM: together" for
// "llama3.70b, gpu.h100, vllm: together".
func familyName(family string) string {
	parts := strings.Split(family, ", ")
	for i, p := range parts {
		if engine, mode, ok := strings.Cut(p, ": "); ok {
			parts[i] = engineName(engine) + ": " + mode
		} else if m := model.Catalog().Find(p); m != nil {
			parts[i] = m.Name
		} else if a := hardware.Catalog().Find(p); a != nil {
			parts[i] = a.Name
		}
	}
	return strings.Join(parts, ", ")
}

// engineName is an engine's name as its makers write it.
func engineName(id string) string {
	switch id {
	case "vllm":
		return "vLLM"
	case "sglang":
		return "SGLang"
	case "trtllm":
		return "TensorRT-LLM"
	case "tgi":
		return "TGI"
	case "lmdeploy":
		return "LMDeploy"
	case "mlc":
		return "MLC LLM"
	case "exllama":
		return "ExLlama"
	}
	return id
}

// recordID makes an ID of words, for addresses.
func recordID(words ...string) string {
	keep := func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return ' '
	}
	return strings.Join(strings.Fields(strings.Map(keep, strings.Join(words, " "))), "-")
}

func heldNumber(a []value.Value) (value.Value, error) {
	name := a[0].Text
	var names []string
	for _, f := range summary.Figures() {
		if f.Name == name {
			return counted(f.Value, ""), nil
		}
		names = append(names, f.Name)
	}
	return value.Value{}, phrase.Fault{What: phrase.New("library.no-number", "name", strconv.Quote(name)),
		Remedy: phrase.New("library.write-one-of", "names", phrase.Commas(names))}
}

// known sets a number unless nobody has measured it.
func (r recordBuilder) known(name string, x float64) {
	if !math.IsNaN(x) {
		r.num(name, x)
	}
}

func (n *accuracy) rivalList([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, v := range summary.Rivals() {
		r := newRecord(n.rivals, v.Name)
		r.ID = recordID(v.Name)
		r.say("tool", v.Name)
		for _, f := range []struct {
			name  string
			value float64
		}{{"step", v.Step}, {"p90", v.StepP90}, {"used", v.Used}, {"regret", v.Regret}, {"regret_mean", v.RegretMean},
			{"memory", v.Memory}, {"memory_p90", v.MemoryP90}, {"refused", v.RefusedRuns}} {
			r.known(f.name, f.value)
		}
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

func (n *accuracy) servingRivals([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, v := range summary.ServingRivals() {
		r := newRecord(n.serving, v.Name)
		r.ID = recordID(v.Name)
		r.say("tool", v.Name)
		r.say("load", v.Load)
		r.say("where", v.Where)
		for i, x := range []float64{v.Rows, v.Whole, v.First, v.Token} {
			r.known([]string{"rows", "whole", "first", "token"}[i], x)
		}
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// scopeName is what a constant holds for: "Megatron, NeMo", or a chip.
func scopeName(id string) string {
	for _, s := range scopes {
		if s.ID == id {
			return s.dated()
		}
	}
	if a := hardware.Catalog().Find(id); a != nil {
		return a.Name
	}
	return id
}

// scopeList are the scopes of constants.
func (n *accuracy) scopeList([]value.Value) (value.Value, error) {
	return recordList(n.scopes.Members), nil
}

// scope is what constants of training hold for: a software, every software, a family of devices.
type scope struct{ ID, Name string }

var scopes = []scope{{"megatron", "Megatron, NeMo"}, {"nanotron", "Nanotron"}, {ID: "fsdp", Name: "PyTorch FSDP"},
	{"transformers", "transformers, DeepSpeed, axolotl"}, {"megatron-2026", "Megatron, NeMo"},
	{ID: "hai-llm", Name: "HAI-LLM, DualPipe, DeepEP"},
	{"megatron-2022", "Megatron, NeMo"}, {"megatron-2021", "Megatron-LM"}, {"megatron-2020", "Megatron-LM"},
	{"deepspeed", "Megatron-DeepSpeed"}, {"deepspeed-zero3", "DeepSpeed ZeRO-3"}, {"transformers-2022", "transformers"},
	{ID: "xla", Name: "MaxText and XLA"}, {ID: "every", Name: "every software"}, {"gpu", "GPUs"}, {"tpu", "TPUs"}}

// constantScopes are what constants hold for.
func constantScopes(rt *value.RecordType) []*value.Record {
	var all []*value.Record
	for _, s := range scopes {
		r := newRecord(rt, s.dated())
		r.ID = recordID(s.ID)
		r.say("name", s.dated())
		all = append(all, r.Record)
	}
	return all
}

// dated is the name with the months in which people ran that version, if a version is meant.
func (s scope) dated() string {
	stack, err := training.StackNamed(s.ID)
	switch {
	case err != nil || stack.Since == "":
		return s.Name
	case stack.Until == "":
		return s.Name + " since " + stack.Since
	}
	return s.Name + ", " + stack.Since + " to " + stack.Until
}

func (n *accuracy) trainingConstants(a []value.Value) (value.Value, error) {
	scope := a[0].Record.ID
	var all []*value.Record
	for _, c := range training.Sources() {
		if recordID(c.Scope) != scope && !strings.HasPrefix(c.Scope, scope+".") {
			continue
		}
		r := newRecord(n.constants, c.Name)
		r.ID = recordID(c.Scope, c.Name)
		r.say("scope", scopeName(c.Scope))
		r.say("constant", c.Name)
		r.say("is", quantity.Shown(c.Value))
		r.say("source", c.Source)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// addStarted offers the start-up of matmuls, fitted to what somebody timed.
func addStarted(env *value.Env) {
	rt := withFields(value.RecordType{Name: "timed matmul"}, nil)
	env.Funcs["matmul_timings"] = &value.Func{
		Name: "matmul_timings", Result: listType(rt), Work: 1 << 10,
		Params: []value.Param{param("text", text), param("peak", flopRate), param("bandwidth", bandwidth)},
		Source: "fitted here, to the pairs that are given",
		Doc:    "Timed matmuls beside the law matmul_time_started, as fitted to every other of them.",
		Call: func(a []value.Value) (value.Value, error) {
			peak, bandwidth := quantity.FLOPRate(a[1].Num.Value), quantity.Bandwidth(a[2].Num.Value)
			timed, err := roofline.Timings(a[0].Text)
			if err != nil {
				return value.Value{}, err
			}
			fit, err := roofline.FitStarted(everyOther(timed), peak, bandwidth)
			var all []*value.Record
			for i, t := range timed {
				all = append(all, timedMatmul(rt, t, fit, t.Ideal(peak, bandwidth), i%2 == 0))
			}
			return recordList(all), err
		}}
}

// everyOther are the matmuls that constants are fitted to, from the first on; those between are held out.
func everyOther(timed []roofline.Timed) []roofline.Timed {
	var half []roofline.Timed
	for i := 0; i < len(timed); i += 2 {
		half = append(half, timed[i])
	}
	return half
}

// timedMatmul is a matmul beside what the roofline and the fitted law say of it.
func timedMatmul(rt *value.RecordType, t roofline.Timed, fit roofline.Started, ideal quantity.Seconds,
	fitted bool) *value.Record {
	law := fit.Time(t, ideal)
	r := newRecord(rt, "matmul")
	r.num("share", fit.Share)
	r.num("edge", float64(fit.Edge))
	r.num("side", t.Side())
	r.num("took", float64(t.Took))
	r.num("ideal", float64(ideal))
	r.num("law", float64(law))
	r.num("off", float64(law/t.Took-1))
	r.say("use", phrase.New("library.held-out"))
	if fitted {
		r.say("use", phrase.New("library.fitted"))
	}
	return r.Record
}
