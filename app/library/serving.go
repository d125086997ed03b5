package library

import (
	"math"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// servings is what the functions of serving share: the kins of their records.
type servings struct {
	models, chips                                 *sheet.Kin
	plans, steps, memories, loads, queues         *sheet.Kin
	bills, fleets, refusals, points, constantsKin *sheet.Kin
}

// servingSource is where what these functions give comes from.
const servingSource = "this book's serving model; its assumptions stand on the planner's page, its errors at /measured/"

// perSecond is the type of rates of tokens and requests.
var perSecond = sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Second: -1}}

// addServing offers the search over plans of serving, and what follows from a plan.
func addServing(env *sheet.Env) {
	n := &servings{models: kinNamed(env, "model"), chips: env.Kins[0]}
	for _, k := range []struct {
		to   **sheet.Kin
		name string
	}{{&n.plans, "serving plan"}, {&n.steps, "serving step"}, {&n.memories, "serving memory"}, {&n.loads, "serving load"},
		{&n.queues, "serving queue"}, {&n.bills, "serving bill"}, {&n.fleets, "serving fleet"}, {&n.refusals, "serving refusal"},
		{&n.points, "serving point"}, {&n.constantsKin, "serving constants"}} {
		*k.to = networkKin(k.name, nil)
	}
	for _, fs := range [][]*sheet.Func{n.searchFuncs(), n.planFuncs(), n.loadFuncs(), n.billFuncs()} {
		for _, f := range fs {
			if f.Source == "" {
				f.Source = servingSource
			}
			env.Funcs[f.Name] = f
		}
	}
}

// wishParams is what each search is told: what is served, on what, for which requests.
func (n *servings) wishParams(more ...sheet.Param) []sheet.Param {
	return append([]sheet.Param{param("m", sheet.Type{Kind: sheet.Rec, Kin: n.models}), param("chip", sheet.Type{Kind: sheet.Rec}),
		count("N"), count("in"), count("out"), count("hit"), param("weights", dtype), param("experts", dtype), param("cache", dtype),
		param("engine", text)}, more...)
}

// searchFuncs are the search, and what it leaves out.
func (n *servings) searchFuncs() []*sheet.Func {
	list := sheet.ListOf(sheet.Type{Kind: sheet.Rec, Kin: n.plans})
	limits := []sheet.Param{param("apart", flag), param("ttft", seconds), param("tpot", seconds)}
	return []*sheet.Func{
		{Name: "serving_plans", Params: n.wishParams(limits...), Result: list, Work: 5_000_000, // more than a sweep may take
			Begin: func(a []sheet.Value) sheet.Task { return n.begin(a) }, Call: n.searched,
			Doc: "All ways to serve a model on at most N chips, with every batch, that no other beats in tokens a second both of " +
				"a chip and of a user; most tokens of a chip first. Requests have `in` tokens of prompt, of which a share `hit` " +
				"is cached, and `out` of answer. With apart, also prefill and decode on chips of their own. ttft and tpot are " +
				"limits; 0 s is none."},
		{Name: "serving_refused", Params: []sheet.Param{param("plans", list)},
			Result: sheet.ListOf(sheet.Type{Kind: sheet.Rec, Kin: n.refusals}),
			Doc:    "Why the search that found these plans did not take others, and how many.",
			Call:   n.refused},
		{Name: "serving_best", Params: []sheet.Param{param("plans", list), param("kind", text)},
			Result: sheet.Type{Kind: sheet.Rec, Kin: n.plans},
			Doc:    "Of plans those that give most tokens of a chip, of one kind: \"together\" or \"apart\".",
			Call:   n.best},
		{Name: "serving_smallest", Params: n.wishParams(), Result: sheet.Type{Kind: sheet.Rec, Kin: n.plans}, Work: 1 << 13,
			Doc: "The fewest chips, a power of two up to N, on which weights and one request fit, and the plan that leaves most " +
				"room there.",
			Call: n.smallest},
	}
}

// wish reads what is to be served.
func (n *servings) wish(a []sheet.Value) (serving.Wish, error) {
	m, _ := a[0].Record.Of.(*model.Model)
	chip, _ := a[1].Record.Of.(*hardware.Accelerator)
	w := serving.Wish{Load: serving.Load{In: a[3].Num.Value, Out: a[4].Num.Value, Hit: a[5].Num.Value}}
	switch {
	case m == nil:
		return w, &law.Error{What: a[0].String() + " is no model of the catalog", Remedy: "give one, such as llama3.70b"}
	case chip == nil:
		return w, &law.Error{What: a[1].String() + " is no chip of the catalog", Remedy: "give one, such as gpu.h100"}
	}
	if err := checkWish(a, w.Load); err != nil {
		return w, err
	}
	var err error
	if w.Chip, err = serving.NewChip(chip); err != nil {
		return w, err
	}
	engine := a[9].Text
	w.Chips = int(a[2].Num.Value)
	w.Shape = serving.NewShape(m, serving.Precision{Attention: a[6].Bits / 8, MLP: a[6].Bits / 8, Experts: a[7].Bits / 8,
		Tables: 2, Cache: a[8].Bits / 8})
	w.Constants, w.Engine = serving.Fitted(engine), serving.Engine{OfFree: engine == "trtllm"}
	return w, nil
}

// mostServing are the largest numbers of a search.
const (
	mostServingChips  = 4096
	mostServingTokens = 1e8
)

// checkWish refuses numbers that make no sense.
func checkWish(a []sheet.Value, l serving.Load) error {
	chips := a[2].Num.Value
	switch {
	case !(chips >= 1 && chips <= mostServingChips) || chips != math.Trunc(chips):
		return &law.Error{What: a[2].Num.String() + " to serve on", Remedy: "give a whole number from 1 to 4096"}
	case !(l.In >= 1 && l.In <= mostServingTokens):
		return &law.Error{What: "a prompt of " + a[3].Num.String(), Remedy: "give 1 to 100 million tokens"}
	case !(l.Out >= 1 && l.Out <= mostServingTokens):
		return &law.Error{What: "an answer of " + a[4].Num.String(), Remedy: "give 1 to 100 million tokens"}
	case !(l.Hit >= 0 && l.Hit <= 1):
		return &law.Error{What: "a hit rate of " + a[5].Num.String(), Remedy: "give a share from 0 to 1"}
	}
	for _, engine := range serving.Engines() {
		if a[9].Text == engine {
			return nil
		}
	}
	return &law.Error{What: "there is no engine " + a[9].String(), Remedy: "write \"vllm\", \"sglang\", \"trtllm\" or \"maxtext\""}
}
