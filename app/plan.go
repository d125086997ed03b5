package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
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
		"or JSON of a tool that trains; - for stdin")
	set.StringVar(&f.state, "state", "", "what learns and how its state is kept, such as "+
		"learn=lora,rank=16,targets=all,optimizer=adamw8bit; also state=pure, weights=bf16, master=none, "+
		"attention=unfused, loss=liger, offload=optimizer, update=backward")
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
	im, err := findModel(name, s)
	if err != nil {
		return nil, err
	}
	a, err := findChip(chip)
	if err != nil {
		return nil, err
	}
	asked := answer.Training{Name: name, Model: &im.Model, Chip: a.ID, Chips: count, Batch: f.batch,
		Sequence: f.sequence, DType: f.dtype, Stack: f.software, Plan: f.plan, State: f.state, SettingsName: f.settings,
		Tokens: f.tokens, Part: f.part, Called: flagOf}
	for _, set := range f.constants {
		asked.Constants = append(asked.Constants, answer.Constant{Name: set.name, Text: set.text})
	}
	if f.settings != "" {
		text, err := s.text(f.settings)
		if err != nil {
			return nil, err
		}
		asked.Settings = string(text)
	}
	t, err := asked.Task()
	return &planTask{f, t}, err
}

// writeSettings says what became of settings.
func (t *planTask) writeSettings(w io.Writer) {
	if t.Read == nil {
		return
	}
	fmt.Fprintf(w, "\nread as settings of %s\n", training.ToolName(t.Read.Tool))
	state := t.Read.State
	job := t.Job
	state.Apply(&job)
	for _, note := range state.Notes() {
		fmt.Fprintln(w, note)
	}
	if len(t.Read.Without) > 0 {
		fmt.Fprintf(w, "this is without what %s would change\n", strings.Join(t.Read.Without, ", "))
	}
	if len(t.Read.Aside) > 0 {
		fmt.Fprintf(w, "not known: %s\n", strings.Join(t.Read.Aside, ", "))
	}
}
