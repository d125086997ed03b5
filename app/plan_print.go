package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/training"
)

const giga = 1e9

// writeText prints plans for people, and what became of the others.
func (t *planTask) writeText(w io.Writer, pricer *training.Pricer, found *training.Found) error {
	j := &t.Job
	fmt.Fprintf(w, "%s on %d x %s: %d sequences of %d tokens a step, %s, %s%s\n", j.Model.Name, j.Devices,
		j.Device.Name, j.Batch, j.Sequence,
		j.Recipe.Compute, stackText(j.Stack), t.Own)
	if t.Rounded {
		fmt.Fprintf(w, "the batch is the nearest to %s that is made of whole sequences\n", ofTokens(t.flags.batch))
	}
	if len(found.Best) == 0 {
		fmt.Fprintln(w, "\nno plan fits")
	} else {
		if err := t.textRows(w, pricer, found.Best); err != nil {
			return err
		}
		writeEqual(w, pricer, found.Best)
	}
	if len(found.Lacking) > 0 {
		fmt.Fprintf(w, "\n%s can’t run these, which would be among them:\n", j.Stack.Name)
		if err := t.textRows(w, pricer, found.Lacking); err != nil {
			return err
		}
	}
	return t.writeNotes(w, found)
}

// textRows prints plans, the best first.
func (t *planTask) textRows(w io.Writer, pricer *training.Pricer, plans []training.Price) error {
	fmt.Fprintln(w)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "DP\tTP\tPP\tlayers\tCP\tEP\tmicro\tchunks\tschedule\tZeRO\trecompute\t"+
		"step\tfrom\tto\ttok/s/chip\tMFU\tmemory\t")
	for i := range plans {
		t.textRow(out, pricer, &plans[i])
	}
	return out.Flush()
}

// writeEqual says how many plans are as fast as the best as far as predictions tell.
func writeEqual(w io.Writer, pricer *training.Pricer, best []training.Price) {
	equal := 0
	for i := range best[1:] {
		if pricer.Equal(&best[0], &best[1+i]) {
			equal++
		}
	}
	if equal > 0 {
		fmt.Fprintf(w, "\n%d of the others are equal to the first: each step lies in the other’s interval\n", equal)
	}
}

// textRow prints a plan.
func (t *planTask) textRow(w io.Writer, pricer *training.Pricer, price *training.Price) {
	p, step := price.Plan, pricer.StepInterval(price)
	fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t%s\t%d\t%s\t%.3g s\t%.3g\t%.3g\t%.0f\t%.1f %%\t%.1f GB\t\n", p.DP,
		p.TP, p.PP, layersText(pricer.StageLayers(p)), contextText(&p), p.EP, p.Micro, p.Virtual,
		p.Schedule, p.Zero, p.Recompute, step.Mid, step.Low, step.High, pricer.TokensPerSecond(price),
		100*pricer.Use(price), price.Memory.Total()/giga)
}

// ofTokens is a number of tokens as somebody wrote it, with the word.
func ofTokens(text string) string {
	if strings.Contains(strings.ToLower(text), "tok") {
		return text
	}
	return text + " tokens"
}

// contextText is the ranks of context parallelism and, where it isn't a ring, how they share attention.
func contextText(p *training.Plan) string {
	if p.Context == training.RingContext {
		return strconv.Itoa(p.CP)
	}
	return strconv.Itoa(p.CP) + " " + p.Context.String()
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
		fmt.Fprintf(w, "\n%d plans estimated, %d of them don’t fit; of %d ways to divide the devices %d are ruled out by "+
			"their bounds\n", found.Priced,
			found.Refused, found.Trunks, found.Cut)
	}
	for _, r := range found.Reasons {
		n := r.Nearest.Plan
		fmt.Fprintf(w, "%d don’t fit mostly for their %s; DP %d TP %d PP %d CP %d EP %d comes nearest, it lacks %.1f "+
			"GB\n", r.Plans, r.Binding, n.DP, n.TP, n.PP,
			n.CP, n.EP, r.Excess/giga)
	}
	if t.Tokens > 0 && len(found.Best) > 0 {
		t.writeRun(w, &found.Best[0])
	}
	return nil
}

// writeRun prints what the whole run takes with a plan.
func (t *planTask) writeRun(w io.Writer, price *training.Price) {
	const day, hour = 86400, 3600
	seconds := t.Tokens / float64(t.Job.Batch*t.Job.Sequence) * price.Time.Step()
	days := strconv.FormatFloat(seconds/day, 'f', 1, 64)
	if seconds/day >= 1e6 {
		days = strconv.FormatFloat(seconds/day, 'g', 3, 64)
	}
	fmt.Fprintf(w, "%s take %s days, %.3g chip-hours", ofTokens(t.flags.tokens), days,
		seconds/hour*float64(t.Job.Devices))
	if rate := t.Price(); rate > 0 {
		fmt.Fprintf(w, ", %.3g dollars", seconds*float64(t.Job.Devices)*rate)
	}
	if lost := training.Restarted(t.Job.Devices); lost > 1.005 {
		fmt.Fprintf(w, "; with restarts %.3g days", seconds/day*lost)
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

// stackText is a stack with the months in which people ran it.
func stackText(s *training.Stack) string {
	switch {
	case s.Since == "":
		return s.Name
	case s.Until == "":
		return s.Name + " (since " + s.Since + ")"
	}
	return s.Name + " (" + s.Since + " to " + s.Until + ")"
}

// writeJSON prints an object a line.
func writeJSON[T any](w io.Writer, all []T) error {
	for _, x := range all {
		line, err := answer.Line(x)
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
func writeCSV(w io.Writer, plans []answer.Plan, header bool) error {
	out := csv.NewWriter(w)
	if header {
		out.Write([]string{"model", "chip", "chips", "batch", "sequence", "dtype", "software", "dp", "tp", "pp",
			"cp", "ep", "mbs", "vp", "schedule", "zero", "recompute", "step_low_s", "step_s", "step_high_s",
			"tokens_per_s_per_device", "mfu_pct", "memory_GB", "usd_per_million_tokens", "context", "plan", "lacks"})
	}
	for i := range plans {
		out.Write(planCells(&plans[i]))
	}
	out.Flush()
	return out.Error()
}

// planCells are o's columns of the table.
func planCells(o *answer.Plan) []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	cells := []string{o.Model, o.Chip}
	for _, n := range []int{o.Chips, o.Batch, o.Sequence} {
		cells = append(cells, strconv.Itoa(n))
	}
	cells = append(cells, o.DType, o.Software)
	for _, n := range []int{o.DP, o.TP, o.PP, o.CP, o.EP, o.Micro, o.Virtual} {
		cells = append(cells, strconv.Itoa(n))
	}
	cells = append(cells, o.Schedule, strconv.Itoa(o.Zero), o.Recompute, number(o.Step[0]), number(o.Step[1]),
		number(o.Step[2]), number(o.Rate), number(o.MFU), number(o.Memory))
	dollars := ""
	if o.Dollars != 0 {
		dollars = number(o.Dollars)
	}
	return append(cells, dollars, o.Context, o.Plan, o.Lacks)
}
