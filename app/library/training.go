package library

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// planner are the record types of records that planning of training gives.
type planner struct {
	jobs, searches, plans, reasons, parts, terms, tools, assumptions, maps, softs, splits, exchanges *value.RecordType
	settings, optimizers, models, chips                                                              *value.RecordType
}

// newPlanner is a planner whose record types are those that recordType finds or makes.
func newPlanner(recordType func(name string) *value.RecordType) *planner {
	return &planner{jobs: recordType("training job"), searches: recordType("training search"),
		plans: recordType("training plan"), reasons: recordType("refused plans"), parts: recordType("plan part"),
		terms: recordType("plan terms"),
		tools: recordType("training tool"), assumptions: recordType("assumption"), maps: recordType("batch map"),
		softs: recordType("training software"), splits: recordType("plan split"),
		exchanges: recordType("plan exchange"),
		settings:  recordType("training settings"), optimizers: recordType("optimizer")}
}

// addTraining offers jobs of training, the search over their plans, and what one plan costs.
func addTraining(env *value.Env) {
	n := newPlanner(func(name string) *value.RecordType {
		var types map[string]value.Type
		if strings.HasSuffix(name, "settings") { // which name them
			types = typesOf(env, "model", "model", "chip", "accelerator")
		}
		return newRecordType(env, name, types)
	})
	n.models, n.chips = env.RecordType("model"), env.RecordType("accelerator")
	addSoftware(n.softs)
	register(env, law.TrainingPlanner, []funcDecl{
		{Name: "training_softwares", Gives: "list training software", Call: n.softwares,
			Doc: "The software that plans are estimated for."},
		{Name: "usual_software", Takes: "chip accelerator", Gives: "training software", Call: n.usualSoftware,
			Doc: "What most people train with on a chip."},
		{Name: "training_settings", Takes: "text text", Gives: "training settings", Work: 1 << 14, Call: n.settingsOf,
			Doc: "Whose settings these are: flags, YAML, TOML or JSON of a tool that trains; and the model, the chip " +
				"and the number of chips that they name, else those of a usual run."},
		{Name: "software_of", Takes: "chip accelerator, tool text", Gives: "training software", Call: n.softwareOf,
			Doc: "The software whose constants suit settings of a tool on a chip."},
		{Name: "training_optimizers", Gives: "list optimizer", Work: 1 << 10, Call: n.optimizerList,
			Doc: "Optimizers, with the bytes that each keeps of a weight and its operations."},
		{Name: "job_state", Takes: "job training job, learns text, rank, targets text, optimizer optimizer, weights " +
			"text, gradients text, master text, moments text, attention text, loss text, offload " +
			"text", Gives: "training job",
			Work: 1 << 14, Call: n.jobState, Begin: once(n.jobState),
			Doc: "A job with its trainable weights, in which formats its state is kept, by which optimizer, and how " +
				"attention and the loss are computed. usual: as the software has it."},
		{Name: "job_with", Takes: "job training job, plan text, settings text", Gives: "training job", Work: 1 << 14,
			Call: n.jobWith, Begin: once(n.jobWith),
			Doc: "A job as words of a plan, or settings of a tool, have it: their devices, batch, lengths and state."},
		{Name: "training_job", Takes: "model model, chip accelerator, N, B, T, d dtype, software training software",
			Gives: "training job", Work: 1 << 14, Call: n.newJob, Begin: once(n.newJob),
			Doc: "What is trained on what: a model on N chips, B tokens a step in sequences of T, matmuls in a " +
				"format."},
		{Name: "training_search", Takes: "job training job, all switch, margin, max_tp", Gives: "training search",
			Work: 1 << 18, Begin: n.beginSearch,
			Doc: "The best plans of a job, found exactly. all: every schedule, policy and sharding, not only the " +
				"usual ones; margin: the share of the memory to leave free; max_tp: tensor parallelism at most, 0 " +
				"for any."},
		{Name: "training_plans", Takes: "search training search", Gives: "list training plan", Call: plansFound,
			Doc: "The best plans that a search has found, the fastest first."},
		{Name: "training_lacking", Takes: "search training search", Gives: "list training plan", Call: lackingPlans,
			Doc: "Plans that would be among the best if the software could run them, the fastest first."},
		{Name: "training_refused", Takes: "search training search", Gives: "list refused plans", Work: 1 << 10,
			Call: n.refused,
			Doc: "Why plans that a search estimated don’t fit: how many for which part of the memory, and which " +
				"comes nearest."},
		{Name: "training_plan", Takes: "job training job, plan text, flags text", Gives: "training plan", Work: 1 << 14,
			Call: n.typedPlan, Begin: once(n.typedPlan),
			Doc: "A plan that somebody writes, \"dp=64 tp=8 pp=4\", or gives as flags of a tool. It has no value if " +
				"it is not legal, and says why."},
		{Name: "training_map", Takes: "job training job", Gives: "batch map", Work: 1 << 19, Begin: n.beginMap,
			Doc: "The best plans over chips and over tokens for each chip, around a job: a small search at each of " +
				"25 places."},
		{Name: "training_tools", Gives: "list training tool", Call: n.toolList,
			Doc: "The tools whose flags plans are written as."},
		{Name: "training_assumptions", Gives: "list assumption", Work: 1 << 12, Call: n.assumptionList,
			Doc: "Assumptions of the planner, numbered."},
	})
	n.addParts(env)
}

// addParts offers what one plan costs, part by part, and beside others.
func (n *planner) addParts(env *value.Env) {
	register(env, law.TrainingPlanner, []funcDecl{
		{Name: "plan_memory", Takes: "plan training plan", Gives: "list plan part", Work: 1 << 12, Call: n.memoryParts,
			Doc: "What the fullest chip holds, part by part."},
		{Name: "plan_time", Takes: "plan training plan", Gives: "list plan part", Work: 1 << 12, Call: n.timeParts,
			Doc: "What a step takes, part by part, with the numbers of the assumptions that touch each."},
		{Name: "plan_exchanges", Takes: "plan training plan", Gives: "list plan exchange", Work: 1 << 12,
			Call: n.exchangeList,
			Doc:  "Which chips of a plan send what to one another in a step, how often and over which network."},
		{Name: "plan_terms", Takes: "plan training plan", Gives: "plan terms", Work: 1 << 12,
			Call: n.planTerms, Begin: once(n.planTerms),
			Doc: "The numbers that the main terms of a plan’s time are made of."},
		{Name: "plan_differences", Takes: "plan training plan, other training plan", Gives: "list plan part",
			Work: 1 << 12, Call: n.differences,
			Doc: "Two plans beside each other, part by part of the step."},
		{Name: "plan_verdict", Takes: "plan training plan, search training search", Gives: "text", Work: 1 << 12,
			Call: planVerdict,
			Doc:  "Why a plan is not the one to take: memory that it lacks, or where it loses time to the best."},
		{Name: "plan_split", Takes: "plan training plan", Gives: "plan split", Work: 1 << 10, Call: n.planSplit,
			Doc: "What the laws of a layer that FSDP and tensor parallelism split take of a plan, and why they don’t " +
				"hold for it, if they don’t."},
		{Name: "split_verdict", Takes: "split plan split, ways, best s, own s, arithmetic s", Gives: "text",
			Call: splitVerdict,
			Doc: "How far a plan’s split lies from the best one, an FSDP degree, by the times of the collectives at " +
				"both and of the matmuls."},
	})
}

// plansFound are the plans of a search.
func plansFound(a []value.Value) (value.Value, error) { return a[0].Record.Of.(*searched).plans, nil }

// planVerdict says why a plan is not recommended beside those of a search.
func planVerdict(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	said := []any{verdict(p, a[1].Record.Of.(*searched))}
	if p.Remark != nil {
		said = append(said, p.Remark)
	}
	return spoken(phrase.Sentences(said...)), nil
}

// job is what is behind a record of a training job.
type job struct {
	training.Job
	estimator *training.Estimator
	notes     []any   // what was rounded or taken for granted
	price     float64 // of a device and second, 0 if none is known

	base   training.Job   // without what is said of its state
	state  training.State // what is said of it
	plan   training.Plan  // that settings give
	said   []any          // what became of them
	remark any            // what of them isn't estimated
}

// newJob makes a job of a model, a chip, chips, tokens of a batch and of a sequence, a format and the
// software.
func (n *planner) newJob(a []value.Value) (value.Value, error) {
	j := &job{}
	for _, read := range []func(*job, []value.Value) error{readModel, readDevice, readLengths, readRecipe} {
		if err := read(j, a); err != nil {
			return value.Value{}, err
		}
	}
	j.base = j.Job
	return n.jobRecord(j)
}

// jobRecord is a job as sheets see it.
func (n *planner) jobRecord(j *job) (value.Value, error) {
	if err := j.Check(); err != nil {
		return value.Value{}, err
	}
	if j.estimator == nil {
		j.estimator = training.NewEstimator(j.Job)
	}
	r := newRecord(n.jobs, phrase.New("library.job", "model", j.Model.Name, "n", j.Devices, "chip", j.Device.Name))
	r.Of = j
	r.say("model", j.Model.Name)
	r.say("note", phrase.Sentences(j.notes...))
	r.num("chips", float64(j.Devices))
	r.num("sequences", float64(j.Batch))
	r.num("tokens", float64(j.Batch*j.Sequence))
	r.num("params", j.Model.Total())
	r.num("flops_per_token", float64(j.Model.FLOPsPerToken(float64(j.Sequence), model.Windowed, model.Train)))
	r.num("memory", training.AfterContext(j.Device.Memory))
	r.num("peak", j.Device.Peak[training.BF16])
	return r.value(), nil
}

// readModel takes a model of the catalog, or of a config.json.
func readModel(j *job, a []value.Value) error {
	if j.Model, _ = a[0].Record.Of.(*model.Model); j.Model == nil {
		return phrase.Fault{What: phrase.New("library.no-model-to-train", "value", a[0]),
			Remedy: phrase.New("library.choose-model")}
	}
	return nil
}

func readDevice(j *job, a []value.Value) error {
	chip, _ := a[1].Record.Of.(*hardware.Accelerator)
	if chip == nil {
		return phrase.Fault{What: phrase.New("library.no-chip-of-catalog", "value", a[1]),
			Remedy: phrase.New("library.give-one-chip", "chip", "gpu.h100")}
	}
	var err error
	if j.Device, err = training.NewDevice(chip); err != nil {
		return err
	}
	const most = 1 << 24
	if j.Devices, err = between(a[2], "library.number-of-chips", 1, most); err != nil {
		return err
	}
	if price, err := chip.Get("price"); err == nil {
		j.price = price.Value.Value
	}
	if j.Device.Axes > 0 && j.Devices > j.Device.Domain {
		j.Pods = (j.Devices + j.Device.Domain - 1) / j.Device.Domain
		j.notes = append(j.notes, phrase.New("library.pods", "pods", j.Pods, "chips", j.Device.Domain))
	}
	return nil
}

// readLengths takes the batch in whole sequences.
func readLengths(j *job, a []value.Value) error {
	const most = 1 << 24
	var err error
	if j.Sequence, err = between(a[4], "library.sequence", 1, most); err != nil {
		return err
	}
	B := a[3].Num.Value
	sequences := training.WholeSequences(min(max(B, 0), most*most) / float64(j.Sequence))
	if !(sequences >= 1 && sequences <= most) {
		return phrase.Fault{What: phrase.New("library.batch-of", "tokens", a[3].Num, "sequence", j.Sequence),
			Remedy: phrase.New("library.give-sequences", "most", most)}
	}
	j.Batch = int(sequences)
	if tokens := sequences * float64(j.Sequence); math.Abs(tokens-B) > 0.5 {
		j.notes = append(j.notes, phrase.Count(j.Batch, "library.rounded"))
	}
	return nil
}

func readRecipe(j *job, a []value.Value) error {
	compute, known := map[string]training.DType{"bf16": training.BF16, "fp16": training.BF16, "fp8": training.FP8,
		"int8": training.FP8, "fp4": training.FP4}[a[5].Text]
	if !known {
		return phrase.Fault{What: phrase.New("library.format-not-priced", "format", a[5].Text),
			Remedy: phrase.New("library.choose-format")}
	}
	j.Stack = a[6].Record.Of.(*software).stack
	j.Recipe = j.Stack.Recipe(compute, false)
	return nil
}

// mostChips is the most of anything that a run is laid on, where its devices aren't known.
const mostChips = 1 << 24

// usualModel on usualChips is what a form has where settings name none.
const (
	usualModel = "llama3.70b"
	usualChips = 512
)

// settingsOf reads settings of a tool for whoever wants to know whose they are.
func (n *planner) settingsOf(a []value.Value) (value.Value, error) {
	r := newRecord(n.settings, "settings")
	var f training.Settings
	if strings.TrimSpace(a[0].Text) != "" {
		var err error
		if f, err = training.ReadFlags(a[0].Text, mostChips); err != nil {
			return value.Value{}, err
		}
		r.say("name", training.ToolName(f.Tool))
	} else {
		r.say("name", "")
	}
	r.say("tool", f.Tool)
	r.Fields["model"] = recordOf(n.models, cmp.Or(startlog.ModelOf(f.Model), usualModel))
	r.Fields["chip"] = recordOf(n.chips, cmp.Or(n.chipAsked(a[0].Text), startlog.UsualChip))
	r.num("chips", float64(cmp.Or(f.Devices, usualChips)))
	return r.value(), nil
}

// chipAsked is the chip that settings ask for; "" if none, or one that has no estimates.
func (n *planner) chipAsked(settings string) string {
	id := startlog.ChipAsked(settings)
	if chip := recordOf(n.chips, id).Record; chip.ID == id && has(chip, "hbm hbm_bandwidth flops.bf16") {
		return id
	}
	return ""
}

// softwareOf is the software whose constants suit settings of a tool on a chip.
func (n *planner) softwareOf(a []value.Value) (value.Value, error) {
	return n.softwareNamed(training.SoftwareOf(a[1].Text, a[0].Record.ID)), nil
}

// optimizerList is the optimizers that are known.
func (n *planner) optimizerList([]value.Value) (value.Value, error) {
	var all []*value.Record
	for _, o := range training.Optimizers() {
		r := newRecord(n.optimizers, o.Label)
		r.ID = o.ID
		r.say("name", o.Label)
		each := o.Bytes
		if each == 0 {
			each = 4
		}
		r.num("state", o.Numbers*each)
		r.num("flops", o.FLOPs)
		r.say("source", o.Source)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

// jobState is a job whose state is as somebody says it, word by word.
func (n *planner) jobState(a []value.Value) (value.Value, error) {
	from := a[0].Record.Of.(*job)
	state := from.state
	words := [...]string{"learn", "rank", "targets", "optimizer", "weights", "grads", "master", "moments", "attention",
		"loss", "offload"}
	for i, name := range words {
		text := a[i+1].Text
		switch {
		case a[i+1].Record != nil:
			text = a[i+1].Record.ID
		case a[i+1].Kind == value.Number:
			text = strconv.Itoa(int(a[i+1].Num.Value))
		}
		if name == "optimizer" && text == "adamw" {
			text = "" // as the software has it
		}
		if _, err := state.Set(name, text); err != nil {
			return value.Value{}, err
		}
	}
	if state.Learn == "" {
		state.Rank, state.Targets = 0, 0
	}
	return n.jobRecord(from.stated(state))
}

// stated is a job with another state.
func (j *job) stated(state training.State) *job {
	to := &job{Job: j.base, base: j.base, state: state, notes: j.notes, price: j.price}
	to.state.Apply(&to.Job)
	return to
}

// jobWith is a job as a plan that is typed, or settings of a tool, have it. What they say wrong is said of the plan.
func (n *planner) jobWith(a []value.Value) (value.Value, error) {
	j, err := a[0].Record.Of.(*job).with(a[1].Text, a[2].Text)
	if err != nil {
		return a[0], nil
	}
	return n.jobRecord(j)
}

// with is j as a plan that is typed, or else settings of a tool, have it.
func (j *job) with(typed, flags string) (*job, error) {
	to := &job{Job: j.base, base: j.base, state: j.state, notes: j.notes, price: j.price}
	var err error
	if strings.TrimSpace(flags) == "" {
		to.plan, err = to.state.ReadTyped(typed, j.Devices)
		to.state.Apply(&to.Job)
	} else {
		err = to.read(flags)
	}
	if err == nil {
		err = to.Check()
	}
	if err != nil {
		return nil, err
	}
	to.estimator = training.NewEstimator(to.Job)
	return to, nil
}

// mostAside is how many settings are named that say nothing of a plan, for each reason.
const mostAside = 12

// read takes settings of a tool.
func (j *job) read(flags string) error {
	f, err := training.ReadFlags(flags, j.Devices)
	if err != nil {
		return err
	}
	ours := j.Job
	j.Job = j.With(&f)
	j.plan, j.state = f.Plan, f.State
	if inside := j.Device.Domain; f.State.Hybrid && inside < j.plan.DP*j.plan.CP && j.plan.DP*j.plan.CP%inside == 0 {
		j.plan.Shard = inside
	}
	names := func(all []string) any { return phrase.Commas(all[:min(len(all), mostAside)]) }
	var open []any
	if a, err := hardware.Catalog().Get(startlog.ChipAsked(flags)); err == nil {
		if a.Name == j.Device.Name {
			j.said = append(j.said, phrase.New("library.settings-chip", "chip", a.Name))
		} else {
			open = append(open, phrase.New("library.settings-other-chip", "name", a.Name, "chip", j.Device.Name))
		}
	}
	if left := f.LeftOpen(&j.Job); len(left) > 0 {
		open = append(open, phrase.New("library.settings-open", "names", names(left)))
	}
	if id := startlog.ModelOf(f.Model); id != "" && id != j.Model.ID {
		open = append(open, phrase.New("library.settings-model", "name", phrase.Printable(f.Model, 60), "model",
			j.Model.Name))
	}
	if len(f.Without) > 0 {
		open = append(open, phrase.New("library.without", "names", names(f.Without)))
	}
	if len(f.Aside) > 0 {
		open = append(open, phrase.New("library.settings-unknown", "names", names(f.Aside)))
	}
	if f.Foreign {
		open = append(open, phrase.New("library.settings-foreign"))
	}
	if len(open) > 0 {
		j.remark = phrase.Sentences(open...)
	}
	j.said = append(j.said, phrase.New("library.read-as", "tool", training.ToolName(f.Tool)))
	if j.Devices != ours.Devices || j.Batch != ours.Batch || j.Sequence != ours.Sequence {
		theirs := phrase.New("library.from-settings", "devices", j.Devices, "batch", j.Batch, "sequence", j.Sequence)
		j.said, j.notes = append(j.said, theirs), append(j.notes[:len(j.notes):len(j.notes)], theirs)
	}
	if assumed := f.Assumed(&j.Job); len(assumed) > 0 {
		j.said = append(j.said, phrase.New("library.settings-assumed", "names", names(assumed)))
	}
	state := f.State
	again := j.base
	state.Apply(&again)
	j.said = append(j.said, state.Notes()...)
	for _, x := range f.Ignored {
		j.said = append(j.said, ignored(x.Reason, names(x.Names)))
	}
	return nil
}

// ignored says why settings change nothing.
func ignored(reason string, names any) any {
	switch reason {
	case "data":
		return phrase.New("library.ignored-data", "names", names)
	case "rate":
		return phrase.New("library.ignored-rate", "names", names)
	case "log":
		return phrase.New("library.ignored-log", "names", names)
	case "save":
		return phrase.New("library.ignored-save", "names", names)
	case "eval":
		return phrase.New("library.ignored-eval", "names", names)
	case "model":
		return phrase.New("library.ignored-model", "names", names)
	case "usual":
		return phrase.New("library.ignored-usual", "names", names)
	case "full":
		return phrase.New("library.ignored-full", "names", names)
	}
	return phrase.New("library.ignored-run", "names", names)
}

// software is what is behind a record of one: its constants, and how a reader meets them.
type software struct {
	stack *training.Stack
	facts func() []value.Constant
}

// addSoftware gives its record type the software that training is estimated for. A reader may change its constants.
func addSoftware(rt *value.RecordType) {
	rt.Constants = func(r *value.Record) []value.Constant { return r.Of.(*software).facts() }
	rt.Amend = func(r *value.Record, own map[string]quantity.Quantity) *value.Record {
		return softwareRecord(rt, scope{r.ID, r.Name}, r.Of.(*software).stack.With(own))
	}
	for _, s := range scopes {
		if stack, err := training.StackNamed(s.ID); err == nil {
			rt.Members = append(rt.Members, softwareRecord(rt, scope{s.ID, s.dated()}, stack))
		}
	}
}

func softwareRecord(rt *value.RecordType, of scope, stack *training.Stack) *value.Record {
	r := newRecord(rt, of.Name)
	r.ID = recordID(of.ID)
	r.Of = &software{stack, sync.OnceValue(func() []value.Constant { return stackConstants(stack) })}
	r.say("name", of.Name)
	return r.Record
}

// stackConstants are the constants of a stack, each with its range and with its source or the rows that it was fitted
// on.
func stackConstants(stack *training.Stack) []value.Constant {
	var all []value.Constant
	for _, f := range stack.Facts() {
		note := english(phrase.New("library.constant-range", "range", input.FromTo(f.Least, f.Most)))
		all = append(all, value.Constant{Name: f.Name, Label: f.Label, Least: f.Least, Most: f.Most,
			Reading: value.Reading{Text: f.Text, Value: f.Value, Source: f.Source, Note: note}})
	}
	return all
}

// softwares are the stacks that there are constants for.
func (n *planner) softwares([]value.Value) (value.Value, error) {
	return recordList(n.softs.Members), nil
}

// usualSoftware is what most people train with on a chip.
func (n *planner) usualSoftware(a []value.Value) (value.Value, error) {
	return n.softwareNamed(training.UsualStack(a[0].Record.ID)), nil
}

// softwareNamed is the software of an ID.
func (n *planner) softwareNamed(id string) value.Value {
	i := slices.IndexFunc(n.softs.Members, func(r *value.Record) bool { return r.ID == recordID(id) })
	return value.Value{Kind: value.Rec, Record: n.softs.Members[i]}
}
