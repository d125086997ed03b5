package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/training"
)

// readSettings reads the file of settings, and takes from it which model it trains, and on how many devices of which
// kind, where no flag says so.
func (f *planFlags) readSettings(s streams) error {
	if f.settings == "" {
		return nil
	}
	text, err := s.text(f.settings)
	if err != nil {
		return failure{fmt.Errorf("%s: %s; name a file of settings, or - for stdin", f.settings, reason(err))}
	}
	f.run = string(text)
	if f.chips == "" {
		f.chips = startlog.ChipAsked(f.run)
	}
	if f.models != "" && f.counts != "" {
		return nil
	}
	const many = 1 << 20 // devices, which any degrees divide whose product is a power of two
	n, err := strconv.Atoi(f.counts)
	if err != nil || n <= 0 {
		n = many
	}
	said, err := training.ReadFlags(f.run, n)
	switch {
	case err != nil && (f.counts == "" || n < many):
		return failure{fmt.Errorf("%s: %v", f.settings, err)}
	case err != nil: // may depend on the number of devices, and is said again
		return nil
	}
	if f.counts == "" && said.Devices > 0 {
		f.counts = strconv.Itoa(said.Devices)
	}
	if f.models == "" {
		f.models = startlog.ModelOf(said.Model)
	}
	if f.models == "" {
		f.unknown = said.Model
		im, err := config.Read(text)
		var lacks *config.Error
		switch {
		case err == nil:
			f.own, f.models = &im, f.settings
		case errors.As(err, &lacks) && lacks.Remedy != nil && lacks.Remedy.Key == "config.without-vocab":
			f.lacks = err // all else of the model stands there
		}
	}
	return nil
}

// model is the one of a name, or that of the settings.
func (f *planFlags) model(name string, s streams) (config.Import, error) {
	if f.own != nil {
		return *f.own, nil
	}
	return findModel(name, s)
}

// unsaid is the error for what neither flags nor settings say.
func (f *planFlags) unsaid() error {
	var flags []string
	for _, x := range [...]struct{ said, flag string }{
		{f.models, "-model llama3.70b"}, {f.chips, "-chip h100"}, {f.counts, "-chips 64"},
	} {
		if x.said == "" {
			flags = append(flags, x.flag)
		}
	}
	if f.models == "" && f.unknown != "" {
		return fmt.Errorf("%s trains %q, which the catalog does not have; write %s beside -settings, where -model "+
			"may be its config.json", f.settings, f.unknown, strings.Join(flags, " "))
	}
	if f.models == "" && f.lacks != nil {
		return fmt.Errorf("%s describes its model but for one thing, %v; write that, or %s beside -settings",
			f.settings, f.lacks, strings.Join(flags, " "))
	}
	return fmt.Errorf("%s does not say all that is needed; write such as %s beside -settings", f.settings,
		strings.Join(flags, " "))
}

// writeSettings says what became of settings.
func (t *planTask) writeSettings(w io.Writer) {
	if t.Read == nil {
		return
	}
	fmt.Fprintf(w, "\nread as settings of %s\n", training.ToolName(t.Read.Tool))
	state := t.Read.State
	if words := state.Words(); words != "" {
		fmt.Fprintf(w, "taken of them beside the plan: %s\n", words)
	}
	job := t.Job
	state.Apply(&job)
	for _, note := range state.Notes() {
		fmt.Fprintln(w, note)
	}
	if id := startlog.ModelOf(t.Read.Model); id != "" && id != t.Job.Model.ID {
		fmt.Fprintf(w, "the settings train %s; this is of %s\n", t.Read.Model, t.Job.Model.Name)
	}
	if left := t.Read.LeftOpen(&t.Job); len(left) > 0 {
		fmt.Fprintf(w, "left open: %s\n", strings.Join(left, ", "))
	}
	if assumed := t.Read.Assumed(&t.Job); len(assumed) > 0 {
		fmt.Fprintf(w, "nothing says these, they are taken from the flags or as the tool has them: %s\n",
			strings.Join(assumed, ", "))
	}
	if len(t.Read.Without) > 0 {
		fmt.Fprintf(w, "this is without what %s would change\n", strings.Join(t.Read.Without, ", "))
	}
	if len(t.Read.Aside) > 0 {
		fmt.Fprintf(w, "not known: %s\n", strings.Join(t.Read.Aside, ", "))
	}
	if t.Read.Foreign {
		fmt.Fprintln(w, "fewer are known than not: they may be of a program whose settings are not read")
	}
}
