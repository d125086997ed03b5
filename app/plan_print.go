package main

import (
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
	fmt.Fprintf(w, "%s on %d x %s: %d sequences of %d tokens a step, %s, %s%s\n", j.Model.Name, j.Devices,
		j.Device.Name, j.Batch, j.Sequence,
		j.Recipe.Compute, stackText(j.Stack), t.own)
	if t.rounded {
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
		fmt.Fprintf(w, "\n%d plans priced, %d of them don’t fit; of %d ways to divide the devices %d are ruled out by "+
			"their bounds\n", found.Priced,
			found.Refused, found.Trunks, found.Cut)
	}
	for _, r := range found.Reasons {
		n := r.Nearest.Plan
		fmt.Fprintf(w, "%d don’t fit mostly for their %s; DP %d TP %d PP %d CP %d EP %d comes nearest, it lacks %.1f "+
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
	days := strconv.FormatFloat(seconds/day, 'f', 1, 64)
	if seconds/day >= 1e6 {
		days = strconv.FormatFloat(seconds/day, 'g', 3, 64)
	}
	fmt.Fprintf(w, "%s take %s days, %.3g chip-hours", ofTokens(t.flags.tokens), days,
		seconds/hour*float64(t.job.Devices))
	if rate := t.price(); rate > 0 {
		fmt.Fprintf(w, ", %.3g dollars", seconds*float64(t.job.Devices)*rate)
	}
	if lost := training.Restarted(t.job.Devices); lost > 1.005 {
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
