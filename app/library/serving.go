package library

import (
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// servings is what the functions of serving share: the record types of their records.
type servings struct{ env *value.Env }

// addServing offers the search over plans of serving, and what follows from a plan.
func addServing(env *value.Env) {
	n := &servings{env}
	for _, name := range []string{"plan", "refusal", "step", "memory", "constants", "load", "queue", "bill", "fleet",
		"point", "flags"} {
		newKin(env, "serving "+name, nil)
	}
	register(env, law.ServingModel, []offered{
		{Name: "serving_plans",
			Takes: "m model, chip accelerator, N, in, out, hit, weights dtype, experts dtype, cache dtype, engine text, " +
				"apart switch, ttft s, tpot s",
			Gives: "list serving plan", Work: 5_000_000, // more than a sweep may take
			Doc: "All ways to serve a model on at most N chips, with every batch, that no other beats in tokens a second both " +
				"of a chip and of a user; most tokens of a chip first, and users 4 % apart. Requests have `in` tokens of " +
				"prompt, of which a share `hit` is cached, and `out` of answer. With apart, also prefill and decode on chips " +
				"of their own. ttft and tpot are limits; 0 s is none. What serving_flags_set gives may stand behind them: then " +
				"the engine runs with these flags, and only with the layout that they name.",
			Begin: n.begin},
		{Name: "serving_flags_set", Takes: "share, length, sequences, chunk, layout text", Gives: "serving flags",
			Call: n.flagsSet,
			Doc: "Flags of an engine as somebody sets them: gpu-memory-utilization, max-model-len, max-num-seqs, " +
				"max-num-batched-tokens; 0 is as the plan needs it. layout is such as \"tp=16\" or \"tp=1 dp=8 ep=8\"; " +
				"without one all are priced."},
		{Name: "serving_refused", Takes: "plans list serving plan", Gives: "list serving refusal",
			Doc:  "Why the search that found these plans did not take others, and how many.",
			Call: n.refused},
		{Name: "serving_best", Takes: "plans list serving plan, kind text", Gives: "serving plan",
			Doc:  "Of plans those that give most tokens of a chip, of one kind: \"together\" or \"apart\".",
			Call: n.best},
		{Name: "serving_smallest",
			Takes: "m model, chip accelerator, N, in, out, hit, weights dtype, experts dtype, cache dtype, engine text",
			Gives: "serving plan", Work: 1 << 13,
			Doc: "The fewest chips, a power of two up to N, on which weights and one request fit, and the plan that leaves " +
				"most room there.",
			Call: n.smallest},
		{Name: "serving_step", Takes: "plan serving plan, pass text", Gives: "serving step",
			Doc:  "A step of a plan: pass \"decode\" is one without prompts, \"prefill\" one that also computes a prompt.",
			Call: n.step},
		{Name: "serving_memory", Takes: "plan serving plan", Gives: "serving memory",
			Doc:  "What one chip of a plan holds, as engines budget it; of those that decode, if prefill and decode are apart.",
			Call: n.memory},
		{Name: "serving_context", Takes: "plan serving plan, B", Gives: "token",
			Doc:  "The longest sequence that a replica of a plan holds B of.",
			Call: n.context},
		{Name: "serving_flags", Takes: "plan serving plan, engine text, prompts switch", Gives: "text",
			Doc: "A plan as an engine takes it: \"vllm\", \"sglang\", \"trtllm\" or \"maxtext\". With prompts, the replicas " +
				"that prefill. No sequence is longer, and no more of them are let in, than the caches hold.",
			Call: n.flags},
		{Name: "weight_formats", Gives: "list dtype",
			Doc:  "The formats in which weights are stored, widest first.",
			Call: n.formats},
		{Name: "serving_constants", Takes: "engine text", Gives: "serving constants",
			Doc:  "What was fitted to measurements of an engine: shares of data-sheet rates, and fixed times.",
			Call: n.constants},
		{Name: "serving_closed", Takes: "plan serving plan, c", Gives: "serving load", Work: 1 << 9,
			Doc:  "What c requests see of a plan that are always under way, spread over its replicas, each replaced as it ends.",
			Call: n.closed},
		{Name: "serving_open", Takes: "plan serving plan, rate 1/s, spread", Gives: "serving queue", Work: 1 << 14,
			Doc: "What requests see of a plan that come at random at a rate, spread over its replicas: waiting, time to the " +
				"first token, time a token, and their percentiles. Above capacity the queue grows for an hour. spread is the " +
				"coefficient of variation of the answers’ lengths.",
			Call: n.open},
		{Name: "serving_rate", Takes: "plan serving plan, ttft s, tpot s", Gives: "1/s", Work: 1 << 15,
			Doc: "The largest rate of requests at which a plan still gives the first token and each token in time, on " +
				"average. 0 s is no limit.",
			Call: n.largest},
		{Name: "serving_bill", Takes: "plan serving plan, price USD/s, power J/s", Gives: "serving bill", Work: 1 << 7,
			Doc: "What a million tokens of a plan cost, prompts, cached prompts and answers apart. Prompts pay for the time " +
				"that they add to steps, or for the chips that prefill; answers pay for the rest.",
			Call: n.bill},
		{Name: "serving_fleet", Takes: "trace text, interval s, rate 1/s, chips", Gives: "serving fleet",
			Doc: "How many replicas a trace of request rates needs, such as \"2 8 20 6\" a second, one for each interval, if " +
				"one of so many chips keeps its limits up to a rate.",
			Call: n.fleet},
	})
	kin := env.RecordTypes[len(env.RecordTypes)-1] // of flags
	flags := value.Param{Name: "flags", Type: kinType(kin), Optional: true,
		Default: value.Value{Kind: value.Rec, Record: &value.Record{Type: kin}}}
	for _, name := range []string{"serving_plans", "serving_smallest"} {
		env.Funcs[name].Params = append(env.Funcs[name].Params, flags)
	}
	register(env, law.ServingMeasured, []offered{
		{Name: "serving_measured", Takes: "m model, chip accelerator, in, out, weights dtype",
			Gives: "list serving point", Call: n.measured,
			Doc: "What others measured of a model on a chip at these lengths, each engine’s best points; an empty list if " +
				"nobody did."},
	})
}

// fill is a record of a record type of serving, some of whose numbers are set.
func (n *servings) fill(kin string, name any, numbers []named) filling {
	r := newRecord(kinNamed(n.env, "serving "+kin), name)
	r.nums(numbers)
	return r
}

// plan is what is behind a plan.
func plan(v value.Value) *served { return v.Record.Of.(*served) }

// noEngine is the error of an engine that nobody knows; nil of one that is known.
func noEngine(name string) error {
	if engines := serving.Engines(); !slices.Contains(engines, name) {
		return phrase.Fault{What: phrase.New("library.no-engine", "name", name),
			Remedy: phrase.New("library.write-one-of", "names", phrase.Commas(engines))}
	}
	return nil
}
