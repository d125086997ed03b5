package answer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/training"
)

// Training is what a search for plans of training is asked, in words as people write them.
type Training struct {
	Name                   string // how answers call the model
	Model                  *model.Model
	Chip, Chips            string // h100 or gpu.h100; 1024
	Batch, Sequence        string // in tokens
	DType, Stack           string // "" for the stack that is usual on the chip
	Plan, State            string // typed: dp=64,tp=8 and learn=lora; see training.State
	Settings, SettingsName string // the text of a file of settings, and what errors call it
	Tokens, Part           string // of the whole run; such as 1/8
	Constants              []Constant

	Called func(argument string) string // in errors, as -chips for chips; nil where arguments have no other names
}

// called is what whoever asks calls an argument.
func (f *Training) called(argument string) string {
	if f.Called == nil {
		return argument
	}
	return f.Called(argument)
}

// Task is one search, or one plan that is judged: a model on so many devices.
type Task struct {
	asked       *Training
	Job         training.Job
	Model       string
	Chip        *hardware.Accelerator
	Tokens      float64 // of the whole run; 0 if nobody asks
	Part, Parts int
	Rounded     bool               // the batch is the nearest whole one
	Plan        *training.Plan     // that is judged; nil if the best are asked for
	Read        *training.Settings // that give it; nil if it is typed
	Own         string             // how the constants read that somebody gave
	State       string             // what is typed of it, beside what Read says
}

// Task reads the words: the search, or the plan, that they ask for. The error says which of them can't be read.
func (f *Training) Task() (*Task, error) {
	t := &Task{asked: f, Model: f.Name, Parts: 1}
	t.Job.Model = f.Model
	var err error
	if t.Chip, err = FindChip(f.Chip); err != nil {
		return nil, err
	}
	if t.Job.Device, err = training.NewDevice(t.Chip); err != nil {
		return nil, err
	}
	if t.Job.Devices, err = WholeCount(f.called("chips"), f.Chips, 1, MostCount); err != nil {
		return nil, err
	}
	if err := t.readSettings(); err != nil {
		return nil, err
	}
	software := f.Stack
	if software == "" {
		software = training.UsualStack(t.Chip.ID)
		if t.Read != nil {
			software = training.SoftwareOf(t.Read.Tool, t.Chip.ID)
		}
	}
	stack, err := training.StackNamed(software)
	if err != nil {
		return nil, err
	}
	if t.Job.Stack, t.Own, err = f.withConstants(stack); err != nil {
		return nil, err
	}
	dtype := map[string]training.DType{"bf16": training.BF16, "fp8": training.FP8, "fp4": training.FP4}[f.DType]
	t.Job.Recipe = stack.Recipe(dtype, false)
	if err := t.lengths(); err != nil {
		return nil, err
	}
	if err := t.stated(); err != nil {
		return nil, err
	}
	return t, t.Job.Check()
}

// lengths reads the batch, the sequence, the run and the part.
func (t *Task) lengths() error {
	var err error
	if t.Job.Sequence, err = WholeCount(t.asked.called("sequence"), t.asked.Sequence, 1, MostCount); err != nil {
		return err
	}
	batch, err := aCount(t.asked.called("batch"), t.asked.Batch)
	if err != nil {
		return err
	}
	switch sequences := batch / float64(t.Job.Sequence); {
	case sequences < 1:
		return fmt.Errorf("%s %s is less than one sequence of %d tokens; write more tokens, or a shorter %s",
			t.asked.called("batch"), t.asked.Batch, t.Job.Sequence, t.asked.called("sequence"))
	case sequences > MostCount:
		return fmt.Errorf("%s %s is more than %d sequences of %d tokens; write fewer tokens", t.asked.called("batch"),
			t.asked.Batch, MostCount, t.Job.Sequence)
	default:
		t.Job.Batch = int(math.Round(sequences))
	}
	t.Rounded = float64(t.Job.Batch*t.Job.Sequence) != batch
	if t.asked.Tokens != "" {
		if t.Tokens, err = aCount(t.asked.called("tokens"), t.asked.Tokens); err != nil {
			return err
		}
	}
	return t.readPart()
}

func (t *Task) readPart() error {
	if t.asked.Part == "" {
		return nil
	}
	i, of, found := strings.Cut(t.asked.Part, "/")
	part, err := strconv.Atoi(i)
	parts, err2 := strconv.Atoi(of)
	if !found || err != nil || err2 != nil || part < 1 || part > parts {
		return fmt.Errorf("%s %q; write such as 1/8, from 1/8 to 8/8", t.asked.called("part"), t.asked.Part)
	}
	t.Part, t.Parts = part-1, parts
	return nil
}

// readSettings reads the settings of a tool, if some are given.
func (t *Task) readSettings() error {
	if t.asked.Settings == "" {
		return nil
	}
	read, err := training.ReadFlags(t.asked.Settings, t.Job.Devices)
	if err != nil {
		return fmt.Errorf("%s: %v", t.asked.SettingsName, err)
	}
	t.Read = &read
	return nil
}

// stated gives the job the state that words or settings say, and finds the plan that is to be judged.
func (t *Task) stated() error {
	var state training.State
	if t.asked.State != "" {
		if _, err := state.ReadTyped(t.asked.State, t.Job.Devices); err != nil {
			return fmt.Errorf("%s: %v", t.asked.called("state"), err)
		}
	}
	switch {
	case t.Read != nil:
		t.Job = t.Job.With(t.Read)
		t.Plan = &t.Read.Plan
		if inside := t.Job.Device.Domain; t.Read.State.Hybrid && t.Plan.DP*t.Plan.CP%inside == 0 {
			t.Plan.Shard = inside
		}
		return nil
	case t.asked.Plan != "":
		plan, err := state.ReadTyped(t.asked.Plan, t.Job.Devices)
		if err != nil {
			return fmt.Errorf("%s: %v", t.asked.called("plan"), err)
		}
		t.Plan = &plan
	}
	state.Apply(&t.Job)
	t.State = state.Words()
	return nil
}

// FindChip finds a device by its ID, or by the part after the dot.
func FindChip(name string) (*hardware.Accelerator, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	a, err := hardware.Catalog().Get(name)
	if err == nil {
		return a, nil
	}
	plain := strings.NewReplacer("nvidia ", "", "amd ", "", "geforce", "", " ", "", "-", "").Replace(name) // TPU v5e
	for _, a := range slices.Concat(hardware.Catalog().All, hardware.Cards()) {
		if _, short, _ := strings.Cut(a.ID, "."); short == plain {
			return a, nil
		}
	}
	return nil, err
}

const giga = 1e9

// Plan is a plan of training with its estimate.
type Plan struct {
	Model     string             `json:"model"`
	Chip      string             `json:"chip"`
	Chips     int                `json:"chips" jsonschema:"devices"`
	Batch     int                `json:"batch" jsonschema:"sequences in a step"`
	Sequence  int                `json:"sequence" jsonschema:"tokens in a sequence"`
	DType     string             `json:"dtype" jsonschema:"what matmuls compute in"`
	Software  string             `json:"software" jsonschema:"the stack whose constants are taken"`
	DP        int                `json:"dp" jsonschema:"ways of data parallelism"`
	TP        int                `json:"tp" jsonschema:"ways of tensor parallelism"`
	PP        int                `json:"pp" jsonschema:"stages of the pipeline"`
	CP        int                `json:"cp" jsonschema:"ways of context parallelism"`
	EP        int                `json:"ep" jsonschema:"ways of expert parallelism"`
	Micro     int                `json:"mbs" jsonschema:"sequences in a micro-batch"`
	Virtual   int                `json:"vp" jsonschema:"chunks of layers a stage has (interleaving)"`
	Schedule  string             `json:"schedule" jsonschema:"of the pipeline"`
	Zero      int                `json:"zero" jsonschema:"ZeRO stage: 0 to 3"`
	Recompute string             `json:"recompute" jsonschema:"which activations are computed again"`
	Context   string             `json:"context" jsonschema:"how ranks of CP share attention"`
	ETP       int                `json:"etp" jsonschema:"ways of tensor parallelism within experts"`
	Shard     int                `json:"shard,omitempty" jsonschema:"ranks that share the states, if not all of DP x CP"`
	First     int                `json:"first_stage_layers,omitempty" jsonschema:"0 where layers lie evenly"`
	Last      int                `json:"last_stage_layers,omitempty" jsonschema:"0 where layers lie evenly"`
	Plan      string             `json:"plan" jsonschema:"the plan as the argument plan takes it"`
	State     string             `json:"state,omitempty" jsonschema:"as the argument state takes it"`
	Lacks     string             `json:"lacks,omitempty" jsonschema:"what of it the software can’t run"`
	Layers    []int              `json:"stage_layers" jsonschema:"layers of each stage"`
	Step      [3]float64         `json:"step_time_s" jsonschema:"seconds a step: low, middle, high"`
	Rate      float64            `json:"tokens_per_s_per_device" jsonschema:"tokens a second and device"`
	MFU       float64            `json:"mfu_pct" jsonschema:"model FLOPs utilization in percent"`
	Memory    float64            `json:"memory_GB" jsonschema:"of the fullest device, in 10^9 byte"`
	Dollars   float64            `json:"usd_per_million_tokens,omitempty" jsonschema:"0 if the catalog has no price"`
	Times     map[string]float64 `json:"time_parts_s" jsonschema:"seconds of a step by part"`
	Bytes     map[string]float64 `json:"memory_parts_GB" jsonschema:"10^9 byte of the fullest device by part"`
	Exchanges []Exchange         `json:"exchanges" jsonschema:"who sends what to whom in a step, on the slowest stage"`
	ReadAs    string             `json:"read_as,omitempty" jsonschema:"whose settings gave the plan"`
	Without   []string           `json:"without,omitempty" jsonschema:"settings that matter and aren’t priced"`
	Unknown   []string           `json:"not_known,omitempty" jsonschema:"settings that aren’t known"`
	Open      []string           `json:"not_said,omitempty" jsonschema:"settings that name variables which nothing sets, with what is taken"`
}

// Exchange is what the ranks of a plan send one another in a step.
type Exchange struct {
	What      string  `json:"what" jsonschema:"what is sent"`
	Group     string  `json:"group" jsonschema:"who exchanges: TP, CP, EP, PP, DP, or expert DP for replicas of experts"`
	Ranks     int     `json:"ranks" jsonschema:"how many take part"`
	Stride    int     `json:"stride" jsonschema:"how far apart they stand, ranks of TP being neighbours"`
	Inside    bool    `json:"inside_domain" jsonschema:"whether all stand inside a domain of the fast network"`
	Times     float64 `json:"times" jsonschema:"how often in a step"`
	Bytes     float64 `json:"bytes" jsonschema:"that each rank sends each time"`
	Bandwidth float64 `json:"bandwidth_B_s" jsonschema:"bytes a second of a rank, one way"`
	Time      float64 `json:"time_s" jsonschema:"seconds of the step that all of it takes"`
	Shown     float64 `json:"shown_s" jsonschema:"seconds of that which nothing hides"`
}

// exchangesOf are those of a plan.
func exchangesOf(estimator *training.Estimator, estimate *training.Estimate) []Exchange {
	all := []Exchange{}
	for _, e := range estimator.Exchanges(estimate) {
		all = append(all, Exchange{What: phrase.New(e.What).Error(), Group: e.Group, Ranks: e.Ranks, Stride: e.Stride,
			Inside: e.Inside, Times: e.Times, Bytes: e.Bytes, Bandwidth: e.Bandwidth, Time: e.Time, Shown: e.Shown})
	}
	return all
}

// Of is what a plan comes to: the middle of each figure of the estimate, with the interval of its step.
func (t *Task) Of(estimator *training.Estimator, estimate *training.Estimate) Plan {
	p, step := estimate.Plan, estimator.StepInterval(estimate)
	o := Plan{
		Model: t.Model, Chip: t.Chip.ID, Chips: t.Job.Devices, Batch: t.Job.Batch, Sequence: t.Job.Sequence,
		DType: t.Job.Recipe.Compute.String(), Software: t.Job.Stack.Name,
		DP: p.DP, TP: p.TP, PP: p.PP, CP: p.CP, EP: p.EP, Micro: p.Micro, Virtual: p.Virtual,
		Schedule: p.Schedule.String(), Zero: p.Zero, Recompute: p.Recompute.String(), Context: p.Context.String(),
		ETP: max(1, p.ETP), First: p.First, Last: p.Last, Plan: p.String(), State: t.State,
		Lacks:  estimator.Lacks(&p),
		Layers: estimator.StageLayers(p), Step: [3]float64{step.Low, step.Mid, step.High},
		Rate: estimator.TokensPerSecond(estimate), MFU: 100 * estimator.Use(estimate),
		Memory: estimate.Memory.Total() / giga, Dollars: t.Dollars(estimate), Times: map[string]float64{},
		Bytes: map[string]float64{}, Exchanges: exchangesOf(estimator, estimate),
	}
	if p.Zero > 0 && p.Shard < p.DP*p.CP {
		o.Shard = p.Shard
	}
	if f := t.Read; f != nil {
		o.ReadAs, o.Without, o.Unknown = training.ToolName(f.Tool), f.Without, f.Aside
		o.Open = f.LeftOpen(&t.Job)
	}
	for _, part := range estimate.Time.Parts() {
		o.Times[part.Name] = part.Value
	}
	for _, part := range estimate.Memory.Parts() {
		o.Bytes[part.Name] = part.Value / giga
	}
	return o
}

// Price is what a device costs in a second, 0 if the catalog doesn't tell.
func (t *Task) Price() float64 {
	if rate, err := t.Chip.Get("price"); err == nil {
		return rate.Value.Value
	}
	return 0
}

// Dollars is what a million tokens cost with a plan.
func (t *Task) Dollars(estimate *training.Estimate) float64 {
	const million = 1e6
	return t.Price() * float64(t.Job.Devices) * estimate.Time.Step() / float64(t.Job.Batch*t.Job.Sequence) * million
}

// MostCount is the most devices, sequences, or tokens of a sequence.
const MostCount = 1 << 24

// aCount reads a number above 0 without a unit, such as 4M or 4M token, for the argument of that name.
func aCount(argument, text string) (float64, error) {
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %v", argument, err)
	case !q.Dim.IsZero() || !(q.Value > 0) || q.IsPercent():
		return 0, fmt.Errorf("%s is %q; write a number above 0, such as 1024 or 4M", argument, text)
	}
	return q.Value, nil
}

// WholeCount reads a whole number within limits, for the argument of that name.
func WholeCount(argument, text string, least, most int) (int, error) {
	x, err := aCount(argument, strings.TrimSpace(text))
	if err != nil || x != math.Trunc(x) || x < float64(least) || x > float64(most) {
		return 0, fmt.Errorf("%s is %q; write a whole number from %d to %d", argument, text, least, most)
	}
	return int(x), nil
}

// Constant is a constant of the software as somebody knows it.
type Constant struct{ Name, Text string }

// withConstants is a software with the constants that are given, and how they read: ", show_dp 50 %".
func (f *Training) withConstants(s *training.Stack) (*training.Stack, string, error) {
	facts, own, said := s.Facts(), map[string]quantity.Quantity{}, ""
	for _, set := range f.Constants {
		i := slices.IndexFunc(facts, func(f training.Fact) bool { return f.Name == set.Name })
		if i < 0 {
			return nil, "", fmt.Errorf("%s %s: %s has no such constant; its constants are %s", f.called("constants"),
				set.Name, s.Name, factNames(facts))
		}
		q, err := factValue(&facts[i], set.Text)
		if err != nil {
			return nil, "", fmt.Errorf("%s %s=%s: %v", f.called("constants"), set.Name, set.Text, err)
		}
		own[set.Name] = q
		said += fmt.Sprintf(", %s %s", set.Name, q)
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
