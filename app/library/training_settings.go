//go:build !lean

package library

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// most of anything that a run is laid on, where its devices aren't known.
const mostChips = 1 << 24

// settingsOf reads settings of a tool for whoever wants to know whose they are.
func (n *planner) settingsOf(a []value.Value) (value.Value, error) {
	r := newRecord(n.settings, "settings")
	r.say("tool", "")
	r.say("name", "")
	if strings.TrimSpace(a[0].Text) == "" {
		return r.value(), nil
	}
	f, err := training.ReadFlags(a[0].Text, mostChips)
	if err != nil {
		return value.Value{}, err
	}
	r.say("tool", f.Tool)
	r.say("name", training.ToolName(f.Tool))
	return r.value(), nil
}

// softwareOf is the software whose constants suit settings of a tool on a chip.
func (n *planner) softwareOf(a []value.Value) (value.Value, error) {
	return n.softwareNamed(training.SoftwareOf(a[1].Text, a[0].Record.ID)), nil
}

// optimizers are those that are known.
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
	to := &job{Job: j.base, base: j.base, state: state, notes: j.notes}
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
	to := &job{Job: j.base, base: j.base, state: j.state, notes: j.notes}
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
	to.pricer = training.NewPricer(to.Job)
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
	if len(f.Without) > 0 {
		open = append(open, phrase.New("library.without", "names", names(f.Without)))
	}
	if len(f.Aside) > 0 {
		open = append(open, phrase.New("library.settings-unknown", "names", names(f.Aside)))
	}
	if len(open) > 0 {
		j.remark = phrase.Sentences(open...)
	}
	j.said = append(j.said, phrase.New("library.read-as", "tool", training.ToolName(f.Tool)))
	if j.Devices != ours.Devices || j.Batch != ours.Batch || j.Sequence != ours.Sequence {
		theirs := phrase.New("library.from-settings", "devices", j.Devices, "batch", j.Batch, "sequence", j.Sequence)
		j.said, j.notes = append(j.said, theirs), append(j.notes[:len(j.notes):len(j.notes)], theirs)
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
