package library

import (
	"math"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// job is what is behind a record of a training job.
type job struct {
	training.Job
	pricer *training.Pricer
	notes  []any // what was rounded or taken for granted

	base   training.Job   // without what is said of its state
	state  training.State // what is said of it
	plan   training.Plan  // that settings give
	said   []any          // what became of them
	remark any            // what of them isn't priced
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
	if j.pricer == nil {
		j.pricer = training.NewPricer(j.Job)
	}
	r := newRecord(n.jobs, phrase.New("library.job", "model", j.Model.Name, "n", j.Devices, "chip", j.Device.Name))
	r.Of = j
	r.say("model", j.Model.Name)
	r.say("note", phrase.Sentences(j.notes...))
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
	j.Recipe = training.RecipeOf(j.Stack.Family, compute, false)
	return nil
}
