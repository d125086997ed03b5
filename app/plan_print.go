package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/training"
)

const giga = 1e9

// writeText prints plans for people, and what became of the others.
func (t *planTask) writeText(w io.Writer, pricer *training.Pricer, found *training.Found) error {
	j := &t.job
	fmt.Fprintf(w, "%s on %d x %s: %d sequences of %d tokens a step, %s, %s\n", j.Model.Name, j.Devices,
		j.Device.Name, j.Batch, j.Sequence,
		t.flags.dtype, j.Stack.Name)
	if t.rounded {
		fmt.Fprintf(w, "the batch is the nearest to %s tokens that is made of whole sequences\n", t.flags.batch)
	}
	if len(found.Best) == 0 {
		fmt.Fprintln(w, "\nno plan fits")
	} else {
		fmt.Fprintln(w)
		out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(out, "DP\tTP\tPP\tlayers\tCP\tEP\tmicro\tchunks\tschedule\tZeRO\trecompute\t"+
			"step\tfrom\tto\ttok/s/chip\tMFU\tmemory\t")
		for i := range found.Best {
			t.textRow(out, pricer, &found.Best[i])
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return t.writeNotes(w, found)
}

// textRow prints a plan.
func (t *planTask) textRow(w io.Writer, pricer *training.Pricer, price *training.Price) {
	p, step := price.Plan, pricer.StepInterval(price)
	fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%s\t%d\t%s\t%.3g s\t%.3g\t%.3g\t%.0f\t%.1f %%\t%.1f GB\t\n", p.DP,
		p.TP, p.PP, layersText(pricer.StageLayers(p)), p.CP, p.EP, p.Micro, p.Virtual,
		p.Schedule, p.Zero, p.Recompute, step.Mid, step.Low, step.High, pricer.TokensPerSecond(price),
		100*pricer.Use(price), price.Memory.Total()/giga)
}

// layersText is how many layers stages have: 8, or 7+14x8+7.
func layersText(layers []int) string {
	var parts []string
	for i := 0; i < len(layers); {
		n := i
		for n < len(layers) && layers[n] == layers[i] {
			n++
		}
		part := strconv.Itoa(layers[i])
		if n-i > 1 && n-i < len(layers) {
			part = strconv.Itoa(n-i) + "x" + part
		}
		parts, i = append(parts, part), n
	}
	return strings.Join(parts, "+")
}

// writeNotes prints what the search did, why plans were refused, and what a whole run takes.
func (t *planTask) writeNotes(w io.Writer, found *training.Found) error {
	if found.Trunks > 0 {
		fmt.Fprintf(w, "\n%d plans priced, %d of them don't fit; of %d ways to divide the devices %d are ruled out by "+
			"their bounds\n", found.Priced,
			found.Refused, found.Trunks, found.Cut)
	}
	for _, r := range found.Reasons {
		n := r.Nearest.Plan
		fmt.Fprintf(w, "%d don't fit mostly for their %s; DP %d TP %d PP %d CP %d EP %d comes nearest, it lacks %.1f "+
			"GB\n", r.Plans, r.Binding, n.DP, n.TP, n.PP,
			n.CP, n.EP, r.Excess/giga)
	}
	if t.tokens > 0 && len(found.Best) > 0 {
		t.writeRun(w, &found.Best[0])
	}
	return nil
}

// writeRun prints what the whole run takes with a plan.
func (t *planTask) writeRun(w io.Writer, price *training.Price) {
	const day, hour = 86400, 3600
	seconds := t.tokens / float64(t.job.Batch*t.job.Sequence) * price.Time.Step()
	fmt.Fprintf(w, "%s tokens take %.1f days, %.3g chip-hours", t.flags.tokens, seconds/day,
		seconds/hour*float64(t.job.Devices))
	if rate, err := t.chip.Get("price"); err == nil {
		fmt.Fprintf(w, ", %.3g dollars", seconds*float64(t.job.Devices)*rate.Value.Value)
	}
	fmt.Fprintln(w)
}

// writeParts prints where the time and the memory of a plan go.
func writeParts(w io.Writer, price *training.Price) {
	fmt.Fprintln(w)
	for _, p := range price.Time.Parts() {
		if p.Value > 0 {
			fmt.Fprintf(w, "%-28s %10.4g s\n", p.Name, p.Value)
		}
	}
	fmt.Fprintln(w)
	for _, p := range price.Memory.Parts() {
		if p.Value > 0 {
			fmt.Fprintf(w, "%-28s %10.4g GB\n", p.Name, p.Value/giga)
		}
	}
}

// planJSON is a plan as plan -json prints it.
type planJSON struct {
	Model     string             `json:"model"`
	Chip      string             `json:"chip"`
	Chips     int                `json:"chips"`
	Batch     int                `json:"batch"`
	Sequence  int                `json:"sequence"`
	DType     string             `json:"dtype"`
	Software  string             `json:"software"`
	DP        int                `json:"dp"`
	TP        int                `json:"tp"`
	PP        int                `json:"pp"`
	CP        int                `json:"cp"`
	EP        int                `json:"ep"`
	Micro     int                `json:"mbs"`
	Virtual   int                `json:"vp"`
	Schedule  string             `json:"schedule"`
	Zero      int                `json:"zero"`
	Recompute string             `json:"recompute"`
	Layers    []int              `json:"stage_layers"` // of each stage
	Step      [3]float64         `json:"step_time_s"`  // low, middle, high
	Rate      float64            `json:"tokens_per_s_per_device"`
	MFU       float64            `json:"mfu_pct"`
	Memory    float64            `json:"memory_GB"`
	Times     map[string]float64 `json:"time_parts_s"`
	Bytes     map[string]float64 `json:"memory_parts_GB"`
}

// objectOf is a plan as an object.
func (t *planTask) objectOf(pricer *training.Pricer, price *training.Price) planJSON {
	p, step := price.Plan, pricer.StepInterval(price)
	o := planJSON{t.model, t.chip.ID, t.job.Devices, t.job.Batch, t.job.Sequence, t.flags.dtype, t.job.Stack.Name,
		p.DP, p.TP, p.PP, p.CP, p.EP, p.Micro, p.Virtual,
		p.Schedule.String(), p.Zero, p.Recompute.String(), pricer.StageLayers(p), [3]float64{step.Low, step.Mid,
			step.High}, pricer.TokensPerSecond(price), 100 * pricer.Use(price),
		price.Memory.Total() / giga, map[string]float64{}, map[string]float64{}}
	for _, part := range price.Time.Parts() {
		o.Times[part.Name] = part.Value
	}
	for _, part := range price.Memory.Parts() {
		o.Bytes[part.Name] = part.Value / giga
	}
	return o
}

// writeJSON prints an object a plan.
func (t *planTask) writeJSON(w io.Writer, pricer *training.Pricer, found *training.Found) error {
	for i := range found.Best {
		line, err := compactJSON(t.objectOf(pricer, &found.Best[i]))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// writeCSV prints a line a plan. Only the first part of a search has a header, so that parts merge by cat.
func (t *planTask) writeCSV(w io.Writer, pricer *training.Pricer, found *training.Found, header bool) error {
	out := csv.NewWriter(w)
	if header {
		out.Write([]string{"model", "chip", "chips", "batch", "sequence", "dtype", "software", "dp", "tp", "pp",
			"cp", "ep", "mbs", "vp", "schedule", "zero",
			"recompute", "step_low_s", "step_s", "step_high_s", "tokens_per_s_per_device", "mfu_pct", "memory_GB"})
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for i := range found.Best {
		o := t.objectOf(pricer, &found.Best[i])
		cells := []string{o.Model, o.Chip}
		for _, n := range []int{o.Chips, o.Batch, o.Sequence} {
			cells = append(cells, strconv.Itoa(n))
		}
		cells = append(cells, o.DType, o.Software)
		for _, n := range []int{o.DP, o.TP, o.PP, o.CP, o.EP, o.Micro, o.Virtual} {
			cells = append(cells, strconv.Itoa(n))
		}
		cells = append(cells, o.Schedule, strconv.Itoa(o.Zero), o.Recompute, number(o.Step[0]), number(o.Step[1]),
			number(o.Step[2]), number(o.Rate), number(o.MFU),
			number(o.Memory))
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}
