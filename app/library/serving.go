package library

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// servings is what the functions of serving share: the record types of their records.
type servings struct {
	env   *value.Env
	turns *value.RecordType
}

// addServing offers the search over plans of serving, and what follows from a plan.
func addServing(env *value.Env) {
	n := &servings{env: env}
	for _, name := range []string{"plan", "refusal", "step", "memory", "constants", "load", "queue", "bill", "fleet",
		"point", "place", "guesses", "flags"} {
		newRecordType(env, "serving "+name, nil)
	}
	n.turns = newRecordType(env, "serving turns", map[string]value.Type{"places": typeOf(env, "list serving place")})
	n.addSearch(env)
	n.addSteps(env)
	n.addLoads(env)
	addServingOptions(env)
	register(env, law.ServingMeasured, []funcDecl{
		{Name: "serving_measured", Takes: "m model, chip accelerator, in, out, weights dtype",
			Gives: "list serving point", Call: n.measured,
			Doc: "What others measured of a model on a chip at these lengths, each engine’s best points; an empty " +
				"list if nobody did."},
	})
}

// addSearch offers what finds plans of serving, what a search may be given, and what it says.
func (n *servings) addSearch(env *value.Env) {
	register(env, law.ServingModel, []funcDecl{
		{Name: "serving_plans",
			Takes: "m model, chip accelerator, N, in, out, hit, weights dtype, experts dtype, cache dtype, engine " +
				"text, apart switch, ttft s, tpot s",
			Gives: "list serving plan", Work: 5_000_000, // more than a sweep may take
			Doc: "All ways to serve a model on at most N chips, with every batch, that no other beats in tokens a " +
				"second both of a chip and of a user; most tokens of a chip first, and users 4 % apart. Requests " +
				"have `in` tokens of prompt, of which a share `hit` is cached, and `out` of answer. With apart, " +
				"also prefill and decode on chips of their own. ttft and tpot are limits; 0 s is none. What " +
				"serving_flags_set gives may stand behind them: then the engine runs with these flags, and only with " +
				"the layout that they name.",
			Begin: n.begin},
		{Name: "serving_flags_set", Takes: "share, length, sequences, chunk, layout text", Gives: "serving flags",
			Call: n.flagsSet,
			Doc: "Flags of an engine as somebody sets them: gpu-memory-utilization, max-model-len, max-num-seqs, " +
				"max-num-batched-tokens; 0 is as the plan needs it. layout is such as \"tp=16\" or \"tp=1 dp=8 " +
				"ep=8\"; without one all are estimated. version is the engine’s, such as \"0.10.2\", or \"2024\" " +
				"for what was new in July of a year; offload the bytes of its weights that a chip may leave to its " +
				"host; guesses what is guessed ahead. growth is how many times as long as fitted all takes that " +
				"grows with the batch, added the time that each step takes besides: two steps of your own tell both."},
		{Name: "serving_guesses", Takes: "survival text, width, checked", Gives: "serving guesses", Call: n.guesses,
			Doc: "Tokens that a small layer guesses ahead (MTP, EAGLE), by how often the best guess of each position " +
				"survives, such as \"0.79 0.61 0.46\"; empty is none. Of a tree, width guesses of a position are " +
				"kept and followed (SGLang’s speculative-eagle-topk), and checked tokens are checked in a step; 0 " +
				"is all."},
		{Name: "serving_answer", Takes: "plans list serving plan, plan serving plan, price USD/s", Gives: "text",
			Call: n.answer,
			Doc: "A plan in a sentence: its times with their intervals, what a million tokens of answers cost, what " +
				"a chip holds; and how many of the other plans are equal to it within the error. For a rate also how " +
				"many replicas it takes."},
		{Name: "serving_refused", Takes: "plans list serving plan", Gives: "list serving refusal",
			Doc:  "Why the search that found these plans did not take others, and how many.",
			Call: n.refused},
		{Name: "serving_best", Takes: "plans list serving plan, kind text", Gives: "serving plan",
			Doc:  "Of plans those that give most tokens of a chip, of one kind: \"together\" or \"apart\".",
			Call: n.best},
		{Name: "serving_smallest",
			Takes: "m model, chip accelerator, N, in, out, hit, weights dtype, experts dtype, cache dtype, engine text",
			Gives: "serving plan", Work: 1 << 13,
			Doc: "The fewest chips, a power of two up to N, on which weights and one request fit, and the plan that " +
				"leaves most memory there.",
			Call: n.smallest},
	})
}

// addSteps offers what a plan takes and holds, and how an engine is started with it.
func (n *servings) addSteps(env *value.Env) {
	register(env, law.ServingModel, []funcDecl{
		{Name: "serving_step", Takes: "plan serving plan, pass text", Gives: "serving step",
			Doc: "A step of a plan: pass \"decode\" is one without prompts, \"prefill\" one that also computes a " +
				"prompt. B are the sequences that decode in it; 0 is as many as the plan runs.",
			Call: n.step},
		{Name: "serving_memory", Takes: "plan serving plan", Gives: "serving memory",
			Doc: "What one chip of a plan holds, as engines budget it; of those that decode, if prefill and decode " +
				"are apart.",
			Call: n.memory},
		{Name: "serving_context", Takes: "plan serving plan, B", Gives: "token",
			Doc:  "The longest sequence that a replica of a plan holds B of.",
			Call: n.context},
		{Name: "serving_flags", Takes: "plan serving plan, engine text, prompts switch", Gives: "text",
			Doc: "A plan as an engine takes it: \"vllm\", \"sglang\", \"trtllm\" or \"maxtext\". With prompts, the " +
				"replicas that prefill. No sequence is longer, and no more of them are let in, than the caches hold.",
			Call: n.flags},
		{Name: "weight_formats", Gives: "list dtype",
			Doc:  "The formats in which weights are stored, widest first.",
			Call: n.formats},
		{Name: "serving_constants", Takes: "engine text", Gives: "serving constants",
			Doc: "What was fitted to measurements of an engine: shares of data-sheet rates, and fixed times; as " +
				"calibrated, with flags.",
			Call: n.constants},
	})
}

// addLoads offers what requests see of a plan, and what that costs.
func (n *servings) addLoads(env *value.Env) {
	register(env, law.ServingModel, []funcDecl{
		{Name: "serving_closed", Takes: "plan serving plan, c", Gives: "serving load", Work: 1 << 9,
			Doc: "What c requests see of a plan that are always under way, spread over its replicas, each replaced " +
				"as it ends.",
			Call: n.closed},
		{Name: "serving_open", Takes: "plan serving plan, rate 1/s, spread", Gives: "serving queue", Work: 1 << 14,
			Doc: "What requests see of a plan that come at random at a rate, spread over its replicas: waiting, time " +
				"to the first token, time per output token, and their percentiles. Above capacity the queue grows " +
				"for an hour. spread is the coefficient of variation of the answers’ lengths.",
			Call: n.open},
		{Name: "serving_rate", Takes: "plan serving plan, ttft s, tpot s", Gives: "1/s", Work: 1 << 15,
			Doc: "The largest rate of requests at which a plan still gives the first token and each token in time, " +
				"on average. 0 s is no limit.",
			Call: n.largest},
		{Name: "serving_bill", Takes: "plan serving plan, price USD/s, power J/s", Gives: "serving bill", Work: 1 << 7,
			Doc: "What a million tokens of a plan cost, prompts, cached prompts and answers apart. Prompts pay for " +
				"the time that they add to steps, or for the chips that prefill; answers pay for the rest.",
			Call: n.bill},
		{Name: "serving_turns",
			Takes: "plan serving plan, sessions, context, fresh, answer, tool s, dram byte, nvme byte, nvme_rate " +
				"byte/s",
			Gives: "serving turns", Work: 1 << 15, Call: n.turnsOf,
			Doc: "What sessions see that take turns with a plan and wait for a tool between them: where their caches " +
				"lie meanwhile, in the memory of the chips, in dram or nvme bytes for each chip, or nowhere; how " +
				"long they take to come back; the first token, and the whole turn. A prompt has context tokens, of " +
				"which fresh are new."},
		{Name: "serving_fleet", Takes: "trace text, interval s, rate 1/s, chips", Gives: "serving fleet",
			Doc: "How many replicas a trace of request rates needs, such as \"2 8 20 6\" a second, one for each " +
				"interval, if one of so many chips keeps its limits up to a rate.",
			Call: n.fleet},
	})
}

// addServingOptions adds the parameters that functions of serving may be given besides.
func addServingOptions(env *value.Env) {
	last := len(env.RecordTypes) - 2 // before that of turns
	rt := env.RecordTypes[last]      // of flags
	flags := value.Param{Name: "flags", Type: typeOfRecord(rt), Optional: true,
		Default: value.Value{Kind: value.Rec, Record: &value.Record{Type: rt}}}
	for _, name := range []string{"serving_plans", "serving_smallest", "serving_constants"} {
		env.Funcs[name].Params = append(env.Funcs[name].Params, flags)
	}
	set, guesses := env.Funcs["serving_flags_set"], env.RecordTypes[last-1]
	set.Params = append(set.Params,
		value.Param{Name: "version", Type: value.Type{Kind: value.Text}, Optional: true,
			Default: value.Value{Kind: value.Text}},
		value.Param{Name: "offload", Type: fieldType("byte"), Optional: true, Default: value.Value{Kind: value.Number,
			Num: quantity.Bytes(0).Quantity()}},
		value.Param{Name: "guesses", Type: typeOfRecord(guesses), Optional: true,
			Default: value.Value{Kind: value.Rec, Record: &value.Record{Type: guesses}}},
		value.Param{Name: "growth", Type: fieldType(""), Optional: true, Default: counted(1, "")},
		value.Param{Name: "added", Type: fieldType("s"), Optional: true, Default: value.Value{Kind: value.Number,
			Num: quantity.Seconds(0).Quantity()}})
	step := env.Funcs["serving_step"]
	step.Params = append(step.Params,
		value.Param{Name: "B", Type: fieldType(""), Optional: true, Default: counted(0, "")})
	answer := env.Funcs["serving_answer"]
	answer.Params = append(answer.Params,
		value.Param{Name: "rate", Type: fieldType("1/s"), Optional: true, Default: counted(0, "")},
		value.Param{Name: "replicas", Type: fieldType(""), Optional: true, Default: counted(0, "")})
}

// newRecord begins a record of a record type of serving, some of whose numbers are set.
func (n *servings) newRecord(rt string, name any, numbers []named) recordBuilder {
	r := newRecord(n.env.RecordType("serving "+rt), name)
	r.nums(numbers)
	return r
}

// plan is the plan behind a record.
func plan(v value.Value) *served { return v.Record.Of.(*served) }

// noEngine is the error of an engine that nobody knows; nil of one that is known.
func noEngine(name string) error {
	if engines := serving.Engines(); !slices.Contains(engines, name) {
		return phrase.Fault{What: phrase.New("library.no-engine", "name", name),
			Remedy: phrase.New("library.write-one-of", "names", phrase.Commas(engines))}
	}
	return nil
}

// bill is what a million tokens of a plan cost.
func (n *servings) bill(a []value.Value) (value.Value, error) {
	p, price, power := plan(a[0]), a[1].Num.Value, a[2].Num.Value
	if price < 0 || power < 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.below-zero"),
			Remedy: phrase.New("library.give-or-more", "least", 0)}
	}
	money, energy := p.bill(price), p.bill(power)
	return n.newRecord("bill", phrase.New("library.million-tokens"), []named{
		{"input", money.Input}, {"cached", money.Cached}, {"output", money.Output},
		{"request", money.Total(p.spec.Load)}, {"input_energy", energy.Input}, {"cached_energy", energy.Cached},
		{"output_energy", energy.Output}, {"power", energy.Output},
	}).value(), nil
}

// bill is what a million tokens cost at a price of a chip and second.
func (p *served) bill(price float64) serving.Bill {
	if p.Apart {
		return p.split().Bill(price, p.Latency, p.spec.Load)
	}
	one := p.Latency
	one.Requests /= p.Replicas
	return p.decode.Bill(price, one, p.spec.Load)
}

// mostTrace is how many rates a trace may have.
const mostTrace = 10000

// fleet is the replicas for a trace.
func (n *servings) fleet(a []value.Value) (value.Value, error) {
	var trace []float64
	for word := range strings.FieldsFuncSeq(a[0].Text, func(r rune) bool {
		return r == ' ' || r == ',' || r == ';' ||
			r == '\n'
	}) {
		rate, err := strconv.ParseFloat(word, 64)
		if err != nil || !(rate >= 0 && rate <= 1e9) {
			return value.Value{}, phrase.Fault{What: phrase.New("library.no-rate", "word", strconv.Quote(word)),
				Remedy: phrase.New("library.write-rates")}
		}
		trace = append(trace, rate)
	}
	interval, rate, chips := a[1].Num.Value, a[2].Num.Value, a[3].Num.Value
	if len(trace) == 0 || len(trace) > mostTrace || !(interval > 0) || !(rate > 0) {
		return value.Value{}, phrase.Fault{What: phrase.Count(len(trace), "library.trace-of-rates"),
			Remedy: phrase.New("library.write-trace", "most", mostTrace)}
	}
	f := serving.NewFleet(trace, interval, rate)
	return n.newRecord("fleet", phrase.New("library.fleet"), []named{{"peak", f.Peak}, {"mean", f.Mean},
		{"hours", f.Hours * chips}, {"standing", f.Peak * float64(len(trace)) * interval / 3600 * chips}}).value(), nil
}

// closed is what c requests under way see.
func (n *servings) closed(a []value.Value) (value.Value, error) {
	p, c := plan(a[0]), a[1].Num.Value
	if !(c >= 1 && c <= 1e7) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.under-way", "n", a[1].Num),
			Remedy: phrase.New("library.give-requests")}
	}
	x := n.newRecord("load", phrase.New("library.under-way", "n", a[1].Num), nil)
	l, copies := serving.Latency{}, 1.0
	if p.Apart {
		l = p.split().Closed(c, p.spec.Load)
		l.Running /= p.Replicas
		l.Admitted /= p.Replicas
	} else {
		copies = min(p.Replicas, c) // those that have anything to do
		l = p.decode.Closed(c/copies, p.spec.Load)
		x.nums([]named{{"client", l.First.Request}, {"step", l.First.Step}, {"prompt", l.First.Prompt},
			{"others", l.First.Others}, {"queue", l.First.Queue}})
	}
	x.nums([]named{{"ttft", l.TTFT}, {"tpot", l.TPOT}, {"e2e", l.E2E}, {"output", l.Output * copies},
		{"rate", l.Requests * copies}, {"running", l.Running}, {"admitted", l.Admitted}})
	return x.value(), nil
}

// open is what requests see that come at a rate.
func (n *servings) open(a []value.Value) (value.Value, error) {
	p, rate, spread := plan(a[0]), a[1].Num.Value, a[2].Num.Value
	if !(rate > 0 && rate <= 1e9 && spread >= 0 && spread <= 100) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.rate-of", "rate", a[1].Num),
			Remedy: phrase.New("library.give-rate")}
	}
	q := p.queue(rate, spread)
	if q.Wait < 1e-9 { // nobody sees it
		q.Wait = 0
	}
	return n.newRecord("queue", a[1].Num, []named{
		{"ttft", q.TTFT.Mean}, {"ttft_p50", q.TTFT.P50}, {"ttft_p90", q.TTFT.P90}, {"ttft_p99", q.TTFT.P99},
		{"tpot", q.TPOT.Mean}, {"tpot_p90", q.TPOT.P90}, {"tpot_p99", q.TPOT.P99}, {"e2e", q.E2E.Mean},
		{"e2e_p90", q.E2E.P90}, {"e2e_p99", q.E2E.P99}, {"wait", q.Wait}, {"running", q.Running},
		{"capacity", q.Capacity * p.lines()}, {"busy", q.Busy}, {"output", q.Output * p.lines()},
	}).value(), nil
}

// largest is the largest rate of requests that are served in time.
func (n *servings) largest(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	rate := p.line().Largest(serving.Arrivals{Replicas: p.lines()}, a[1].Num.Value, a[2].Num.Value) * p.lines()
	if rate <= 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.nothing-in-time"),
			Remedy: phrase.New("library.allow-more-time")}
	}
	v := counted(rate, "request")
	v.Num.Dim = fieldType("1/s").Dim
	return v, nil
}

// placeKeys are the places where caches wait, each with its sentence.
var placeKeys = [...][2]string{{"chips", "library.place-chips"}, {"dram", "library.place-dram"},
	{"nvme", "library.place-nvme"}, {"nowhere", "library.place-nowhere"}}

// turnsOf is what sessions of agents see.
func (n *servings) turnsOf(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	x := serving.Sessions{Number: a[1].Num.Value, Context: a[2].Num.Value, Fresh: a[3].Num.Value,
		Answer: a[4].Num.Value,
		Tool:   a[5].Num.Value, Tiers: []serving.Tier{{Bytes: a[6].Num.Value, Bandwidth: math.Inf(1)},
			{Bytes: a[7].Num.Value, Bandwidth: a[8].Num.Value}}}
	if !(x.Number >= 1 && x.Number <= 1e7 && x.Context >= 1 && x.Context <= 1e8 && x.Fresh >= 1 &&
		x.Fresh <= x.Context &&
		x.Answer >= 1 && x.Answer <= 1e8 && x.Tool >= 0 && x.Tool <= 1e7 && x.Tiers[0].Bytes >= 0 &&
		x.Tiers[1].Bytes >= 0 &&
		x.Tiers[1].Bandwidth > 0) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.sessions-of", "n", a[1].Num, "context", a[2].Num),
			Remedy: phrase.New("library.give-sessions")}
	}
	t := p.decode.Sessions(x, max(p.Replicas, 1))
	var places []*value.Record
	for i, at := range t.Places {
		r := n.newRecord("place", phrase.New(placeKeys[i][1]),
			[]named{{"share", at.Share}, {"back", at.Back}, {"busy", at.Busy}})
		r.ID = placeKeys[i][0]
		r.say("place", r.called())
		if !math.IsInf(at.Holds, 1) {
			r.num("holds", math.Floor(at.Holds*max(p.Replicas, 1)))
		}
		places = append(places, r.Record)
	}
	r := newRecord(n.turns, phrase.New("library.turns"))
	r.nums([]named{{"back", t.Back}, {"first", t.First}, {"tpot", t.TPOT}, {"turn", t.Turn}, {"rate", t.Rate},
		{"running", t.Running}, {"found", t.Found}})
	r.Fields["places"] = recordList(places)
	return r.value(), nil
}

// queue is what requests see of a plan at a rate over all its replicas.
func (p *served) queue(rate, spread float64) serving.Queue {
	return p.line().Queue(serving.Arrivals{Rate: rate / p.lines(), Spread: spread, Replicas: p.lines()})
}

// FirstToken is the time to the first token at a rate over all replicas, for figures.
func (p *served) FirstToken(rate float64) (mean, p90, p99 float64) {
	f := p.queue(rate, 0).TTFT
	return f.Mean, f.P90, f.P99
}

// Capacity is the rate over all replicas above which the queue grows without end.
func (p *served) Capacity() float64 { return p.line().Capacity() * p.lines() }

// measuredPoints is the measurements that figures lay over what was computed: a line for each model, chip, bits of
// weights, engine, mode, and tokens of prompt and answer, then requests:ms a token:tokens a second and chip. It is
// written from the tables of app/measured/rows.
//
//go:embed serving_measured.tsv
var measuredPoints string

// measured are the points of a model on a chip at these lengths.
func (n *servings) measured(a []value.Value) (value.Value, error) {
	var all []*value.Record
	begin := a[0].Record.ID + "\t" + a[1].Record.ID + "\t"
	for line := range strings.Lines(measuredPoints) {
		if !strings.HasPrefix(line, begin) {
			continue
		}
		c := strings.Split(strings.TrimSpace(line), "\t")
		bits, _ := strconv.ParseFloat(c[2], 64)
		if bits == a[4].Bits && c[5] == plainText(a[2]) && c[6] == plainText(a[3]) {
			all = append(all, n.pointsOf(c[3], c[4], c[7])...)
		}
	}
	return recordList(all), nil
}

// plainText is a number as the table writes it.
func plainText(v value.Value) string { return strconv.FormatFloat(v.Num.Value, 'g', -1, 64) }

// pointsOf reads the points of a line.
func (n *servings) pointsOf(engine, mode, text string) []*value.Record {
	var all []*value.Record
	for point := range strings.FieldsSeq(text) {
		c := strings.Split(point, ":")
		var x [3]float64
		for i := range x {
			x[i], _ = strconv.ParseFloat(c[i], 64)
		}
		r := n.newRecord("point", phrase.New("library.at-once", "plan", engineName(engine), "n", c[0]), []named{
			{"requests", x[0]}, {"tpot", x[1] / 1e3}, {"per_chip", x[2]}, {"per_user", 1e3 / x[1]}})
		r.ID = engine + "-" + mode + "-" + point
		r.say("engine", engineName(engine))
		r.say("mode", mode)
		all = append(all, r.Record)
	}
	return all
}

// spec reads what is to be served.
func (n *servings) spec(a []value.Value) (serving.Spec, error) {
	m, _ := a[0].Record.Of.(*model.Model)
	chip, _ := a[1].Record.Of.(*hardware.Accelerator)
	w := serving.Spec{Load: serving.Load{In: a[3].Num.Value, Out: a[4].Num.Value, Hit: a[5].Num.Value,
		Spread: serving.UsualSpread}}
	err := checkSpec(a, w.Load)
	switch {
	case m == nil:
		return w, phrase.Fault{What: phrase.New("library.no-model-of-catalog", "value", a[0]),
			Remedy: phrase.New("library.give-model")}
	case chip == nil:
		return w, phrase.Fault{What: phrase.New("library.no-chip-of-catalog", "value", a[1]),
			Remedy: phrase.New("library.give-one-chip", "chip", "gpu.h100")}
	case err != nil:
		return w, err
	}
	if w.Chip, err = serving.NewChip(chip); err != nil {
		return w, err
	}
	engine, weights := a[9].Text, a[6].Bits/8
	w.Chips = int(a[2].Num.Value)
	p := serving.Stored(m.ID, weights, a[8].Bits/8)
	if experts := a[7].Bits / 8; experts != weights {
		p.Experts = experts
	}
	w.Shape = serving.NewShape(m, p)
	w.Constants, w.Engine = serving.Fitted(engine), serving.Engine{Name: engine, OfFree: engine == "trtllm"}
	if set, is := unwrap(a[len(a)-1]).(*flagsSet); is {
		w.Layout = set.layout
		w.Engine.Share, w.Engine.Length = set.engine.Share, set.engine.Length
		w.Engine.Sequences, w.Engine.Chunk = set.engine.Sequences, set.engine.Chunk
		w.Engine.Release, w.Offload = set.release(engine), set.offload
		if set.growth > 0 {
			w.Constants = w.Constants.Calibrated(set.growth, set.added, w.Shape.Layers)
		}
		if len(set.draft.Survival) > 0 {
			w.Shape, w.Load = w.Shape.Drafted(), w.Load.Guess(set.draft)
		}
		if err = set.misfit(engine); w.Constants.Layer < 0 {
			err = phrase.Fault{What: phrase.New("library.step-too-short"),
				Remedy: phrase.New("library.add-less-than-none")}
		}
	}
	stored := []string{a[6].Text}
	if w.Shape.Blocks > 0 {
		stored = append(stored, a[7].Text)
	}
	return w, cmp.Or(err, w.StoreAs(stored...), w.TooShort())
}

// flagsSet is what flags say that somebody sets.
type flagsSet struct {
	engine  serving.Engine
	layout  serving.Plan
	version string
	offload float64
	draft   serving.Draft
	growth  float64 // of what grows with the batch, over the fitted; 0 is not set
	added   float64 // seconds of each step
}

// release is the version that is set, as an engine has it: of a year, or by its number.
func (x *flagsSet) release(engine string) float64 {
	if year, err := strconv.Atoi(x.version); err == nil {
		return serving.ReleaseIn(engine, year)
	}
	return startlog.ReleaseOf(x.version)
}

// misfit is why an engine can't be set so.
func (x *flagsSet) misfit(engine string) error {
	switch {
	case x.draft.Width > 1 && engine != "sglang":
		return phrase.Fault{What: phrase.New("library.no-trees", "engine", engineName(engine)),
			Remedy: phrase.New("library.give-chain")}
	case x.offload > 0 && (engine == "trtllm" || engine == "maxtext"):
		return phrase.Fault{What: phrase.New("library.no-offload", "engine", engineName(engine)),
			Remedy: phrase.New("library.keep-weights")}
	}
	return nil
}

// flagsSet reads them.
func (n *servings) flagsSet(a []value.Value) (value.Value, error) {
	x := &flagsSet{engine: serving.Engine{Share: a[0].Num.Value, Length: a[1].Num.Value, Sequences: a[2].Num.Value,
		Chunk: a[3].Num.Value}}
	e := &x.engine
	if !(e.Share >= 0 && e.Share <= 1 && e.Length >= 0 && e.Sequences >= 0 && e.Chunk >= 0) {
		return value.Value{}, phrase.Fault{What: phrase.New("startlog.below-zero"),
			Remedy: phrase.New("startlog.give-flags")}
	}
	var err error
	if x.layout, err = serving.ReadPlan(a[4].Text); err != nil {
		return value.Value{}, err
	}
	x.version, x.offload = strings.TrimSpace(a[5].Text), a[6].Num.Value
	if x.version == "newest" {
		x.version = ""
	}
	year, _ := strconv.Atoi(x.version)
	if x.version != "" && startlog.ReleaseOf(x.version) == 0 && !(year >= 2023 && year <= 2100) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-version", "version", strconv.Quote(x.version)),
			Remedy: phrase.New("library.write-version")}
	}
	x.growth, x.added = a[8].Num.Value, a[9].Num.Value
	if !(x.offload >= 0 && x.growth > 0) {
		return value.Value{}, phrase.Fault{What: phrase.New("startlog.below-zero"),
			Remedy: phrase.New("startlog.give-flags")}
	}
	if draft, is := unwrap(a[7]).(serving.Draft); is {
		x.draft = draft
	}
	r := n.newRecord("flags", phrase.New("library.flags-set"), nil)
	r.Of = x
	r.From = [...]any{x.engine, x.layout, x.version, x.offload, a[7].Record.From, x.growth, x.added}
	r.say("layout", a[4].Text)
	return r.value(), nil
}

// mostGuesses is how deep, how wide and how large a tree of guesses may be.
const (
	deepestGuess = 16
	widestGuess  = 16
)

// guesses reads what is guessed.
func (n *servings) guesses(a []value.Value) (value.Value, error) {
	d := serving.Draft{Width: int(a[1].Num.Value), Checked: int(a[2].Num.Value)}
	bad := phrase.Fault{What: phrase.New("library.no-guesses", "text", a[0].Text),
		Remedy: phrase.New("library.give-guesses", "deep", deepestGuess, "wide", widestGuess)}
	for word := range strings.FieldsFuncSeq(a[0].Text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		x, ok := quantity.ParseShare(word)
		if !ok || len(d.Survival) == deepestGuess {
			return value.Value{}, bad
		}
		d.Survival = append(d.Survival, x)
	}
	if w, c := a[1].Num.Value, a[2].Num.Value; !(w >= 0 && w <= widestGuess && c >= 0 && c <= 1<<12) || c == 1 {
		return value.Value{}, bad
	}
	checked, yield := d.Tree()
	r := n.newRecord("guesses", phrase.Count(len(d.Survival), "library.guesses"), []named{
		{"depth", float64(len(d.Survival))}, {"checked", checked}, {"yield", yield}})
	r.Of, r.From = d, [...]any{a[0].Text, d.Width, d.Checked}
	return r.value(), nil
}

// checkSpec refuses numbers that make no sense.
func checkSpec(a []value.Value, l serving.Load) error {
	for _, x := range []struct {
		at           int
		least, most  float64
		what, remedy string
	}{
		{2, 1, 4096, "library.serve-on", "library.give-chips-to-serve"},
		{3, 1, 1e8, "library.prompt-of", "library.give-tokens"},
		{4, 1, 1e8, "library.answer-of", "library.give-tokens"},
		{5, 0, 1, "library.hit-rate-of", "library.give-share"},
	} {
		if v := a[x.at].Num.Value; !(v >= x.least && v <= x.most) || x.at == 2 && v != math.Trunc(v) {
			return phrase.Fault{What: phrase.New(x.what, "n", a[x.at].Num), Remedy: phrase.New(x.remedy)}
		}
	}
	return noEngine(a[9].Text)
}

// unwrap is the value of the domain behind a record; nil of what is no record.
func unwrap(v value.Value) any {
	if v.Record == nil {
		return nil
	}
	return v.Record.Of
}
