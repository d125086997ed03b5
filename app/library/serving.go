//go:build !lean

package library

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// Where functions of serving come from.
const (
	servingSource  = "this book's serving model; its assumptions stand on the planner's page, its errors at /measured/"
	measuredSource = "ai-dynamo/aiconfigurator, silicon_sample.csv; SemiAnalysisAI/InferenceX; held at /measured/"
)

// wished is what each search is told: what is served, on what, for which requests.
const wished = "m model, chip accelerator, N, in, out, hit, weights dtype, experts dtype, cache dtype, engine text"

// servings is what the functions of serving share: the kins of their records.
type servings struct{ env *sheet.Env }

// servingFunc is a function as it is declared. It takes parameters with their types, and gives one: a unit, text,
// switch, dtype, a kin of records, or a list of one.
type servingFunc struct {
	name, takes, gives string
	work               int
	doc                string
	call               func(n *servings, a []sheet.Value) (sheet.Value, error)
}

// servingFuncs are the search over plans of serving, and what follows from a plan.
func servingFuncs() []servingFunc {
	return []servingFunc{
		{"serving_plans", wished + ", apart switch, ttft s, tpot s", "list serving plan", 5_000_000,
			// more than a sweep may take
			"All ways to serve a model on at most N chips, with every batch, that no other beats in tokens a second both of a " +
				"chip and of a user; most tokens of a chip first, and users 4 % apart. Requests have `in` tokens of prompt, of " +
				"which a share `hit` is cached, and `out` of answer. With apart, also prefill and decode on chips of their own. " +
				"ttft and tpot are limits; 0 s is none.", (*servings).searched},
		{"serving_refused", "plans list serving plan", "list serving refusal", 0,
			"Why the search that found these plans did not take others, and how many.", (*servings).refused},
		{"serving_best", "plans list serving plan, kind text", "serving plan", 0,
			"Of plans those that give most tokens of a chip, of one kind: \"together\" or \"apart\".", (*servings).best},
		{"serving_smallest", wished, "serving plan", 1 << 13,
			"The fewest chips, a power of two up to N, on which weights and one request fit, and the plan that leaves most " +
				"room there.", (*servings).smallest},
		{"serving_step", "plan serving plan, pass text", "serving step", 0,
			"A step of a plan: pass \"decode\" is one without prompts, \"prefill\" one that also computes a prompt.",
			(*servings).step},
		{"serving_memory", "plan serving plan", "serving memory", 0,
			"What one chip of a plan holds, as engines budget it; of those that decode, if prefill and decode are apart.",
			(*servings).memory},
		{"serving_context", "plan serving plan, B", "token", 0,
			"The longest sequence that a replica of a plan holds B of.", (*servings).context},
		{"serving_flags", "plan serving plan, engine text, prompts switch", "text", 0,
			"A plan as an engine takes it: \"vllm\", \"sglang\", \"trtllm\" or \"maxtext\". With prompts, the replicas that " +
				"prefill. No sequence is longer, and no more of them are let in, than the caches hold.", (*servings).flags},
		{"weight_formats", "", "list dtype", 0, "The formats in which weights are stored, widest first.",
			(*servings).formats},
		{"serving_constants", "engine text", "serving constants", 0,
			"What was fitted to measurements of an engine: shares of data-sheet rates, and fixed times.", (*servings).constants},
		{"serving_closed", "plan serving plan, c", "serving load", 1 << 9,
			"What c requests see of a plan that are always under way, spread over its replicas, each replaced as it ends.",
			(*servings).closed},
		{"serving_open", "plan serving plan, rate 1/s, spread", "serving queue", 1 << 14,
			"What requests see of a plan that come at random at a rate, spread over its replicas: waiting, time to the first " +
				"token, time a token, and their percentiles. Above capacity the queue grows for an hour. spread is the " +
				"coefficient of variation of the answers' lengths.", (*servings).open},
		{"serving_rate", "plan serving plan, ttft s, tpot s", "1/s", 1 << 15,
			"The largest rate of requests at which a plan still gives the first token and each token in time, on average. 0 s " +
				"is no limit.", (*servings).largest},
		{"serving_bill", "plan serving plan, price USD/s, power J/s", "serving bill", 1 << 7,
			"What a million tokens of a plan cost, prompts, cached prompts and answers apart. Prompts pay for the time that " +
				"they add to steps, or for the chips that prefill; answers pay for the rest.", (*servings).bill},
		{"serving_fleet", "trace text, interval s, rate 1/s, chips", "serving fleet", 0,
			"How many replicas a trace of request rates needs, such as \"2 8 20 6\" a second, one for each interval, if one " +
				"of so many chips keeps its limits up to a rate.", (*servings).fleet},
		{"serving_measured", "m model, chip accelerator, in, out, weights dtype", "list serving point", 0,
			"What others measured of a model on a chip at these lengths, each engine's best points; an empty list if nobody " +
				"did.",
			(*servings).measured},
	}
}

// addServing offers them.
func addServing(env *sheet.Env) {
	n := &servings{env}
	for _, name := range []string{"plan", "refusal", "step", "memory", "constants", "load", "queue", "bill", "fleet",
		"point"} {
		env.Kins = append(env.Kins, networkKin("serving "+name, nil))
	}
	for _, d := range servingFuncs() {
		f := &sheet.Func{Name: d.name, Params: n.params(d.takes), Result: n.typ(d.gives), Work: d.work, Doc: d.doc,
			Source: servingSource}
		f.Call = func(a []sheet.Value) (sheet.Value, error) { return d.call(n, a) }
		env.Funcs[d.name] = f
	}
	env.Funcs["serving_plans"].Begin = func(a []sheet.Value) sheet.Task { return n.begin(a) }
	env.Funcs["serving_measured"].Source = measuredSource
}

// params reads parameters: a name and its type, separated by commas.
func (n *servings) params(takes string) []sheet.Param {
	var all []sheet.Param
	for part := range strings.SplitSeq(takes, ", ") {
		if name, what, _ := strings.Cut(part, " "); name != "" {
			all = append(all, param(name, n.typ(what)))
		}
	}
	return all
}

// typ is the type of these words.
func (n *servings) typ(words string) sheet.Type {
	if of, list := strings.CutPrefix(words, "list "); list {
		return sheet.ListOf(n.typ(of))
	}
	switch kin := kinNamed(n.env, words); {
	case kin != nil:
		return sheet.Type{Kind: sheet.Rec, Kin: kin}
	case words == "dtype":
		return dtype
	}
	return fieldType(words, nil)
}

// fill is a record of a kin of serving, some of whose numbers are set: their names with spaces between them, and as
// many values.
func (n *servings) fill(kin, name, numbers string, values ...float64) filling {
	r := fill(kinNamed(n.env, "serving "+kin), name)
	r.nums(numbers, values...)
	return r
}

// nums sets several numbers.
func (r filling) nums(names string, values ...float64) {
	i := 0
	for name := range strings.FieldsSeq(names) {
		r.num(name, values[i])
		i++
	}
}

// plan is what is behind a plan.
func plan(v sheet.Value) *served { return v.Record.Of.(*served) }

// noEngine is the error of an engine that nobody knows; nil of one that is known.
func noEngine(name string) error {
	if engines := serving.Engines(); !slices.Contains(engines, name) {
		return &law.Error{What: "there is no engine " + name, Remedy: "write one of " + strings.Join(engines, ", ")}
	}
	return nil
}
