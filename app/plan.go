package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// planFlags are the flags of the verb that plans training.
type planFlags struct {
	models, chips, counts, batch    string
	sequence                        string
	top, maxTP                      int
	dtype, software, by, part, plan string
	settings, state                 string
	margin                          float64
	tokens                          string
	whole, json, csv                bool
	constants                       settings

	run     string         // the text of the file of settings
	unknown string         // the model that it names, which the catalog does not have
	lacks   error          // what its description of the model lacks, if that is the rows of the embedding alone
	own     *config.Import // the model whose shapes that text states, where no flag names another
}

// read declares the flags.
func (f *planFlags) read(set *flag.FlagSet) {
	set.StringVar(&f.models, "model", "", "models: of the catalog, or files; several with commas")
	set.StringVar(&f.chips, "chip", "", "devices of the catalog, h100 or gpu.h100; several with commas")
	set.StringVar(&f.counts, "chips", "", "how many devices; several with commas")
	set.StringVar(&f.batch, "batch", "4194304", "tokens in a step")
	set.StringVar(&f.sequence, "sequence", "8192", "tokens in a sequence")
	set.StringVar(&f.dtype, "dtype", "bf16", "what matmuls compute in: bf16, fp8 or fp4")
	set.StringVar(&f.software, "stack", "", "the software and its version: "+strings.Join(training.Stacks(), ", ")+
		"; megatron on GPUs and xla on TPUs if left out")
	set.StringVar(&f.software, "software", "", "the same as -stack")
	set.StringVar(&f.by, "by", "time", "what the best have least of: time, cost or memory")
	set.Var(&f.constants, "set", "a constant of the software as you have it, show_dp=50%; may be repeated. "+
		"The training planner’s page says what they mean")
	set.IntVar(&f.top, "top", 10, "how many plans to print")
	set.IntVar(&f.maxTP, "max-tp", 0, "tensor parallelism at most")
	set.Float64Var(&f.margin, "margin", 0, "share of the memory to leave free")
	set.StringVar(&f.tokens, "tokens", "", "tokens of the whole run, for days, chip-hours and dollars")
	set.BoolVar(&f.whole, "all", false, "every schedule, policy and sharding, not only the usual ones")
	set.StringVar(&f.plan, "plan", "", "judge this plan instead: "+
		"dp=64,tp=8,pp=4,cp=1,ep=1,mbs=1,vp=1,zero=1,recompute=none")
	set.StringVar(&f.settings, "settings", "", "judge the run of this file instead: flags of a command, YAML, TOML "+
		"or JSON of a tool that trains; - for stdin. "+
		"-model, -chip and -chips may be left out where it says them")
	set.StringVar(&f.state, "state", "", "what learns and how its state is kept, such as "+
		"learn=lora,rank=16,targets=all,optimizer=adamw8bit; also state=pure, weights=bf16, master=none, "+
		"attention=unfused, loss=liger, mtp=1, offload=optimizer, update=backward; of experts dispatcher=alltoall, "+
		"capacity=1.25, experts=overlapped")
	set.StringVar(&f.part, "part", "", "search this part only: 1/8 to 8/8")
	set.BoolVar(&f.json, "json", false, "print an object a plan, a line each")
	set.BoolVar(&f.csv, "csv", false, "print a table with commas")
}

// planTraining is the verb that finds the best plans to train a model.
func planTraining(args []string, s streams) int {
	var f planFlags
	set := newFlags("plan")
	f.read(set)
	others, status, done := parse(set, args, s)
	if done {
		return status
	}
	if err := f.readSettings(s); err != nil {
		s.complain("scalebook plan: %v", err)
		return statusOf(err)
	}
	if err := f.check(others); err != nil {
		s.complain("scalebook plan: %v", err)
		return misuse
	}
	all := ranking{flags: &f}
	for _, name := range strings.Split(f.models, ",") {
		for _, chip := range strings.Split(f.chips, ",") {
			for _, count := range strings.Split(f.counts, ",") {
				task, err := f.task(name, chip, count, s)
				if err == nil {
					err = task.run(s, &all)
				}
				if err != nil {
					s.complain("scalebook plan: %v", err)
					return statusOf(err)
				}
			}
		}
	}
	if err := all.write(s.out); err != nil {
		s.complain("scalebook plan: %v", err)
		return failed
	}
	if all.nothing() {
		return failed
	}
	return ok
}

// failure is an error that is no fault of the flags: something could not be read, or is not possible.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// statusOf is the exit status after an error in what flags say.
func statusOf(err error) int {
	var f failure
	if errors.As(err, &f) {
		return failed
	}
	return misuse
}

// check refuses what no task can be made of.
func (f *planFlags) check(others []string) error {
	switch {
	case len(others) > 0:
		return fmt.Errorf("unexpected argument %q; write -model llama3.70b -chip h100 -chips 1024", others[0])
	case f.settings != "" && (f.models == "" || f.chips == "" || f.counts == ""):
		return f.unsaid()
	case f.models == "" || f.chips == "" || f.counts == "":
		return fmt.Errorf("-model, -chip and -chips are needed; write -model llama3.70b -chip h100 -chips 1024")
	case f.by != "time" && f.by != "cost" && f.by != "memory":
		return fmt.Errorf("-by %q; write time, cost or memory", f.by)
	case f.top < 1 || f.top > 100_000:
		return fmt.Errorf("-top %d; write from 1 to 100000", f.top)
	case f.maxTP < 0:
		return fmt.Errorf("-max-tp %d; write the most ways of tensor parallelism, or 0 for any", f.maxTP)
	case f.json && f.csv:
		return errors.New(bothForms)
	case (f.plan != "" || f.settings != "") && (f.csv || f.part != ""):
		return fmt.Errorf("-plan and -settings judge one plan; leave -csv and -part out")
	case f.plan != "" && f.settings != "":
		return fmt.Errorf("-plan and -settings both give a plan; leave one out")
	case !(f.margin >= 0 && f.margin < 1):
		return fmt.Errorf("-margin %v; write a share from 0 to below 1", f.margin)
	case f.dtype != "bf16" && f.dtype != "fp8" && f.dtype != "fp4":
		return fmt.Errorf("-dtype %q; write bf16, fp8 or fp4", f.dtype)
	}
	return nil
}

// planTask is one search of the command.
type planTask struct {
	flags *planFlags
	*answer.Task
}

// flagOf is the flag that gives an argument of a question.
func flagOf(argument string) string {
	if argument == "constants" {
		return "-set"
	}
	return "-" + argument
}

// task makes a task of names and numbers as people write them.
func (f *planFlags) task(name, chip, count string, s streams) (*planTask, error) {
	im, err := f.model(name, s)
	if err != nil {
		return nil, err
	}
	if im.Model.Name == "" {
		im.Model.Name = name // of the file
	}
	a, err := findChip(chip)
	if err != nil {
		return nil, err
	}
	asked := answer.Training{Name: name, Model: &im.Model, Chip: a.ID, Chips: count, Batch: f.batch,
		Sequence: f.sequence, DType: f.dtype, Stack: f.software, Plan: f.plan, State: f.state, SettingsName: f.settings,
		Settings: f.run, Tokens: f.tokens, Part: f.part, Called: flagOf}
	for _, set := range f.constants {
		asked.Constants = append(asked.Constants, answer.Constant{Name: set.name, Text: set.text})
	}
	t, err := asked.Task()
	return &planTask{f, t}, err
}

// ranking is what all searches of one command found: of several models, devices or numbers of devices.
type ranking struct {
	flags    *planFlags
	rows     []answer.Plan
	best     []answer.Plan // of each search that found a plan
	records  []value.Value // the same as sheets have them
	searches int
	header   bool // the first search is whole, or the first part
	empty    int  // searches, or plans that were given, that came to nothing
}

// nothing tells whether all searches came to nothing.
func (r *ranking) nothing() bool { return r.empty > 0 && r.empty >= r.searches }

// add takes over what a search found. Unless cost is what counts, programs get it at once.
func (r *ranking) add(t *planTask, estimator *training.Estimator, found *training.Found, w io.Writer) error {
	first := r.searches == 0 && t.Part == 0
	r.searches++
	var rows []answer.Plan
	for i := range found.Best {
		rows = append(rows, t.Of(estimator, &found.Best[i]))
	}
	best := len(rows)
	for i := range found.Lacking {
		rows = append(rows, t.Of(estimator, &found.Lacking[i]))
	}
	if best > 0 {
		r.best = append(r.best, rows[0])
		r.records = append(r.records, library.TrainingPlans(library.New(), estimator, found.Best[:1]).List...)
	}
	r.header = r.header || first
	if r.flags.by == "cost" {
		r.rows = append(r.rows, rows...)
		return nil
	}
	return r.writeRows(w, rows, first)
}

// writeRows prints rows for programs.
func (r *ranking) writeRows(w io.Writer, rows []answer.Plan, header bool) error {
	switch {
	case r.flags.json:
		return writeJSON(w, rows)
	case r.flags.csv:
		// a header only above the first part, so that parts merge by cat
		return writeTable(w, planTable(), rows, header)
	}
	return nil
}

// write ranks what was found by cost, if that is what counts.
func (r *ranking) write(w io.Writer) error {
	if r.flags.by != "cost" || r.flags.plan != "" {
		return nil
	}
	slices.SortStableFunc(r.rows, cheaper)
	if r.searches > 1 && !r.flags.json && !r.flags.csv {
		return r.writeText(w)
	}
	return r.writeRows(w, r.rows, r.header)
}

// cheaper compares plans by what a million tokens cost; those without a price come last, and below them all that the
// software can't run.
func cheaper(a, b answer.Plan) int {
	if (a.Lacks == "") != (b.Lacks == "") {
		return cmp.Compare(a.Lacks, b.Lacks)
	}
	if (a.Dollars == 0) != (b.Dollars == 0) {
		return cmp.Compare(b.Dollars, a.Dollars)
	}
	return cmp.Compare(a.Dollars, b.Dollars)
}

// writeText prints the best plan of each search, the cheapest first.
func (r *ranking) writeText(w io.Writer) error {
	order := make([]int, len(r.best))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cheaper(r.best[a], r.best[b]) })
	list := value.Value{Kind: value.List}
	for _, i := range order {
		list.List = append(list.List, r.records[i])
	}
	fmt.Fprintf(w, "\nthe best of %d searches that found a plan, the cheapest first\n\n", len(order))
	best := func(i int) *answer.Plan { return &r.best[order[i]] }
	return writeList(w, list, []string{"model", "chip", "chips", "cost", "step", "rate", "plan"},
		textColumn("model", "model", func(i int) string { return best(i).Model }),
		textColumn("chip", "chip", func(i int) string { return best(i).Chip }),
		numberColumn("chips", "chips", quantity.Dim{}, func(i int) float64 { return float64(best(i).Chips) }),
		numberColumn("cost", "a million tokens", quantity.Dim{quantity.Dollar: 1},
			func(i int) float64 { return best(i).Dollars }))
}

// run searches, or judges the plan that was given, and prints.
func (t *planTask) run(s streams, all *ranking) error {
	estimator := training.NewEstimator(t.Job)
	search := training.Search{Space: estimator.Usual(), Top: t.flags.top, Margin: t.flags.margin, MaxTP: t.flags.maxTP,
		Part: t.Part, Parts: t.Parts}
	if t.flags.whole {
		search.Space = estimator.Whole()
	}
	if t.flags.by == "memory" {
		search.Objective = training.ByMemory
	}
	under := estimator.BeginSearch(search)
	for under.Step() {
		if err := s.ended(); err != nil {
			return failure{err}
		}
	}
	found := under.Found()
	if t.Plan != nil {
		return t.printGiven(s, estimator, &found, all)
	}
	if len(found.Best) == 0 && t.Parts == 1 { // a part of a search may well find nothing
		all.empty++
		defer s.complain("scalebook plan: %s on %d x %s: %v", t.Job.Model.Name, t.Job.Devices, t.Job.Device.Name,
			estimator.ExplainNoPlan(&search, &found))
	}
	if err := all.add(t, estimator, &found, s.out); err != nil || t.flags.json || t.flags.csv {
		return err
	}
	if all.searches > 1 {
		fmt.Fprintln(s.out)
	}
	return t.writeText(s.out, estimator, &found)
}

// printGiven says of the plan that was given what it costs, or why not.
func (t *planTask) printGiven(s streams, estimator *training.Estimator, found *training.Found, all *ranking) error {
	all.searches++
	plan := *t.Plan
	var best *training.Estimate
	if len(found.Best) > 0 {
		best = &found.Best[0]
	}
	if t.flags.json {
		return t.printGivenJSON(s, estimator, plan, all)
	}
	if estimator.Legal(plan) != nil {
		all.empty++
	} else {
		estimate := estimator.Estimate(plan)
		if estimate.Memory.Total() > training.AfterContext(t.Job.Device.Memory) {
			all.empty++
		}
		if err := t.writeText(s.out, estimator, &training.Found{Best: []training.Estimate{estimate}}); err != nil {
			return err
		}
		if err := writeParts(s.out, &estimate); err != nil {
			return err
		}
		if err := writeExchanges(s.out, estimator, &estimate); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.out, "\n%s\n", estimator.Why(plan, best))
	t.writeSettings(s.out)
	return nil
}

// printGivenJSON prints a plan that was given as an object, or says why it is not legal.
func (t *planTask) printGivenJSON(s streams, estimator *training.Estimator, plan training.Plan, all *ranking) error {
	if err := estimator.Legal(plan); err != nil {
		return failure{fmt.Errorf("-plan: %v", err)}
	}
	estimate := estimator.Estimate(plan)
	if estimate.Memory.Total() > training.AfterContext(t.Job.Device.Memory) {
		all.empty++
	}
	t.writeSettings(s.err) // a program reads only what can be computed with
	return writeJSON(s.out, []answer.Plan{t.Of(estimator, &estimate)})
}
