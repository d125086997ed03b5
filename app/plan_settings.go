package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// readSettings reads the file of a tool's settings, if one is given.
func (t *planTask) readSettings(s streams) error {
	name := t.flags.settings
	if name == "" {
		return nil
	}
	text, err := s.text(name)
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
