package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/quantity"
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
	set.StringVar(&f.settings, "settings", "", "judge the run of this file instead: flags of a command, YAML, TOML or JSON of "+
		"a tool that trains; - for stdin")
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

// planTask is one search: a model on so many devices.
type planTask struct {
	flags    *planFlags
	job      training.Job
	model    string
	chip     *hardware.Accelerator
	tokens   float64 // of the whole run; 0 if nobody asks
	part, of int
	rounded  bool               // the batch is the nearest whole one
	plan     *training.Plan     // that is judged; nil if the best are asked for
	read     *training.Settings // that give it; nil if it is typed
	own      string             // how the constants read that -set gave
}

// task makes a task of names and numbers as people write them.
func (f *planFlags) task(name, chip, count string, s streams) (*planTask, error) {
	t := &planTask{flags: f, model: name, of: 1}
	im, err := findModel(name, s.in)
	if err != nil {
		return nil, err
	}
	t.job.Model = &im.Model
	if t.chip, err = findChip(chip); err != nil {
		return nil, err
	}
	if t.job.Device, err = training.NewDevice(t.chip); err != nil {
		return nil, err
	}
	if t.job.Devices, err = wholeCount("-chips", count, 1, mostCount); err != nil {
		return nil, err
	}
	if err := t.readSettings(s); err != nil {
		return nil, err
	}
	software := f.software
	if software == "" {
		software = training.UsualStack(t.chip.ID)
		if t.read != nil {
			software = training.SoftwareOf(t.read.Tool, t.chip.ID)
		}
	}
	stack, err := training.StackNamed(software)
	if err != nil {
		return nil, err
	}
	if t.job.Stack, t.own, err = withConstants(stack, f.constants); err != nil {
		return nil, err
	}
	dtype := map[string]training.DType{"bf16": training.BF16, "fp8": training.FP8, "fp4": training.FP4}[f.dtype]
	t.job.Recipe = training.RecipeOf(stack.Family, dtype, false)
	if err := t.lengths(); err != nil {
		return nil, err
	}
	if err := t.stated(); err != nil {
		return nil, err
	}
	return t, t.job.Check()
}

// lengths reads the batch, the sequence, the run and the part.
func (t *planTask) lengths() error {
	var err error
	if t.job.Sequence, err = wholeCount("-sequence", t.flags.sequence, 1, mostCount); err != nil {
		return err
	}
	batch, err := aCount("-batch", t.flags.batch)
	if err != nil {
		return err
	}
	switch sequences := batch / float64(t.job.Sequence); {
	case sequences < 1:
		return fmt.Errorf("-batch %s is less than one sequence of %d tokens; write more tokens, or a shorter "+
			"-sequence", t.flags.batch, t.job.Sequence)
	case sequences > mostCount:
		return fmt.Errorf("-batch %s is more than %d sequences of %d tokens; write fewer tokens", t.flags.batch,
			mostCount, t.job.Sequence)
	default:
		t.job.Batch = int(math.Round(sequences))
	}
	t.rounded = float64(t.job.Batch*t.job.Sequence) != batch
	if t.flags.tokens != "" {
		if t.tokens, err = aCount("-tokens", t.flags.tokens); err != nil {
			return err
		}
	}
	return t.readPart()
}

func (t *planTask) readPart() error {
	if t.flags.part == "" {
		return nil
	}
	i, of, found := strings.Cut(t.flags.part, "/")
	part, err := strconv.Atoi(i)
	parts, err2 := strconv.Atoi(of)
	if !found || err != nil || err2 != nil || part < 1 || part > parts {
		return fmt.Errorf("-part %q; write such as 1/8, from 1/8 to 8/8", t.flags.part)
	}
	t.part, t.of = part-1, parts
	return nil
}

// findChip finds a device by its ID, by the part after the dot, or as people and drivers write it.
func findChip(name string) (*hardware.Accelerator, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	a, err := hardware.Catalog().Get(name)
	if err == nil {
		return a, nil
	}
	for _, a := range hardware.Catalog().All {
		if _, short, _ := strings.Cut(a.ID, "."); short == name {
			return a, nil
		}
	}
	if counted.MatchString(name) {
		return nil, fmt.Errorf("device %q tells how many, too; write -chip h100 -chips 8", name)
	}
	if a, found := measured.Device(name); found {
		return a, nil
	}
	return nil, err
}

// counted is a device with how many there are of it: 8xH100.
var counted = regexp.MustCompile(`^[0-9]+ ?[x×*] ?`)

// readSettings reads the file of a tool's settings, if one is given.
func (t *planTask) readSettings(s streams) error {
	name := t.flags.settings
	if name == "" {
		return nil
	}
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(s.in)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return err
	}
	read, err := training.ReadFlags(string(text), t.job.Devices)
	if err != nil {
		return fmt.Errorf("%s: %v", name, err)
	}
	t.read = &read
	return nil
}

// stated gives the job the state that words or settings say, and finds the plan that is to be judged.
func (t *planTask) stated() error {
	var state training.State
	if t.flags.state != "" {
		if _, err := state.ReadTyped(t.flags.state, t.job.Devices); err != nil {
			return fmt.Errorf("-state: %v", err)
		}
	}
	switch {
	case t.read != nil:
		t.job = t.job.With(t.read)
		t.plan = &t.read.Plan
		if inside := t.job.Device.Domain; t.read.State.Hybrid && t.plan.DP*t.plan.CP%inside == 0 {
			t.plan.Shard = inside
		}
		return nil
	case t.flags.plan != "":
		plan, err := state.ReadTyped(t.flags.plan, t.job.Devices)
		if err != nil {
			return fmt.Errorf("-plan: %v", err)
		}
		t.plan = &plan
	}
	state.Apply(&t.job)
	return nil
}

// writeSettings says what became of settings.
func (t *planTask) writeSettings(w io.Writer) {
	if t.read == nil {
		return
	}
	fmt.Fprintf(w, "\nread as settings of %s\n", training.ToolName(t.read.Tool))
	state := t.read.State
	job := t.job
	state.Apply(&job)
	for _, note := range state.Notes() {
		fmt.Fprintln(w, note)
	}
	if len(t.read.Without) > 0 {
		fmt.Fprintf(w, "this is without what %s would change\n", strings.Join(t.read.Without, ", "))
	}
	if len(t.read.Aside) > 0 {
		fmt.Fprintf(w, "not known: %s\n", strings.Join(t.read.Aside, ", "))
	}
}

// withConstants is a software with constants as -set gives them, and how they read: ", show_dp 50 %".
func withConstants(s *training.Stack, sets settings) (*training.Stack, string, error) {
	facts, own, said := s.Facts(), map[string]quantity.Quantity{}, ""
	for _, set := range sets {
		i := slices.IndexFunc(facts, func(f training.Fact) bool { return f.Name == set.name })
		if i < 0 {
			return nil, "", fmt.Errorf("-set %s: %s has no such constant; its constants are %s", set.name, s.Name,
				factNames(facts))
		}
		q, err := factValue(&facts[i], set.text)
		if err != nil {
			return nil, "", fmt.Errorf("-set %s=%s: %v", set.name, set.text, err)
		}
		own[set.name] = q
		said += fmt.Sprintf(", %s %s", set.name, q)
	}
	return s.With(own), said, nil
}

// factValue reads a constant as a person writes it. A bare number counts in the unit of the table.
func factValue(f *training.Fact, text string) (quantity.Quantity, error) {
	unit, err := quantity.UnitOf(f.Text)
	if err != nil {
		return unit, err
	}
	q, err := quantity.ParseLike(text, unit)
	if err == nil && !(f.Least.Value <= q.Value && q.Value <= f.Most.Value) {
		err = fmt.Errorf("%v is out of range; give %v to %v", q, f.Least, f.Most)
	}
	return q, err
}

func factNames(facts []training.Fact) string {
	var names []string
	for _, f := range facts {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
