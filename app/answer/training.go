package answer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/training"
)

// Training is what a search for plans of training is asked, in words as people write them. Errors name the flags of the
// command.
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
}

// Task reads the words.
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
	if t.Job.Devices, err = WholeCount("-chips", f.Chips, 1, MostCount); err != nil {
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
	if t.Job.Stack, t.Own, err = withConstants(stack, f.Constants); err != nil {
		return nil, err
	}
	dtype := map[string]training.DType{"bf16": training.BF16, "fp8": training.FP8, "fp4": training.FP4}[f.DType]
	t.Job.Recipe = training.RecipeOf(stack.Family, dtype, false)
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
	if t.Job.Sequence, err = WholeCount("-sequence", t.asked.Sequence, 1, MostCount); err != nil {
		return err
	}
	batch, err := aCount("-batch", t.asked.Batch)
	if err != nil {
		return err
	}
	switch sequences := batch / float64(t.Job.Sequence); {
	case sequences < 1:
		return fmt.Errorf("-batch %s is less than one sequence of %d tokens; write more tokens, or a shorter "+
			"-sequence", t.asked.Batch, t.Job.Sequence)
	case sequences > MostCount:
		return fmt.Errorf("-batch %s is more than %d sequences of %d tokens; write fewer tokens", t.asked.Batch,
			MostCount, t.Job.Sequence)
	default:
		t.Job.Batch = int(math.Round(sequences))
	}
	t.Rounded = float64(t.Job.Batch*t.Job.Sequence) != batch
	if t.asked.Tokens != "" {
		if t.Tokens, err = aCount("-tokens", t.asked.Tokens); err != nil {
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
		return fmt.Errorf("-part %q; write such as 1/8, from 1/8 to 8/8", t.asked.Part)
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
			return fmt.Errorf("-state: %v", err)
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
			return fmt.Errorf("-plan: %v", err)
		}
		t.Plan = &plan
	}
	state.Apply(&t.Job)
	return nil
}

// FindChip finds a device by its ID, or by the part after the dot.
func FindChip(name string) (*hardware.Accelerator, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	a, err := hardware.Catalog().Get(name)
	if err == nil {
		return a, nil
	}
	plain := strings.NewReplacer("nvidia ", "", "amd ", "", " ", "", "-", "").Replace(name) // NVIDIA RTX 4090, TPU v5e
	for _, a := range hardware.Catalog().All {
		if _, short, _ := strings.Cut(a.ID, "."); short == plain {
			return a, nil
		}
	}
	return nil, err
}
