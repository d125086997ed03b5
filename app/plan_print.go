package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// writeText prints plans for people, and what became of the others.
func (t *planTask) writeText(w io.Writer, estimator *training.Estimator, found *training.Found) error {
	j := &t.Job
	fmt.Fprintf(w, "%s on %d x %s: %d sequences of %d tokens a step, %s, %s%s\n", j.Model.Name, j.Devices,
		j.Device.Name, j.Batch, j.Sequence,
		j.Recipe.Compute, stackText(j.Stack), t.Own)
	if t.Rounded {
		fmt.Fprintf(w, "the batch is the nearest to %s that is made of whole sequences\n", ofTokens(t.flags.batch))
	}
	if t.Read != nil {
		for _, left := range t.Read.LeftOpen(j) {
			fmt.Fprintf(w, "not said: %s; nothing in the text sets this variable, what stands in brackets is taken\n",
				left)
		}
	}
	if note := j.UnevenBatch(); note != nil {
		fmt.Fprintln(w, note)
	}
	if len(found.Best) == 0 {
		fmt.Fprintln(w, "\nno plan fits")
	} else {
		if err := textRows(w, estimator, found.Best, false); err != nil {
			return err
		}
		writeEqual(w, estimator, found.Best)
		if t.Plan == nil {
			if err := writeExchanges(w, estimator, &found.Best[0]); err != nil {
				return err
			}
		}
	}
	if len(found.Lacking) > 0 {
		fmt.Fprintf(w, "\n%s can’t run these, which would be among them:\n", j.Stack.Name)
		if err := textRows(w, estimator, found.Lacking, true); err != nil {
			return err
		}
	}
	return t.writeNotes(w, found)
}

// planColumns are those of a table of plans.
var planColumns = []string{"step", "low", "high", "plan", "layers", "mfu", "rate", "memory"}

// textRows prints plans, the best first; lacks says what of them the software can't run.
func textRows(w io.Writer, estimator *training.Estimator, plans []training.Estimate, lacks bool) error {
	show := planColumns
	if lacks {
		show = append(show[:len(show):len(show)], "lacks")
	}
	layers := textColumn("layers", "layers of stages", func(i int) string {
		return layersText(estimator.StageLayers(plans[i].Plan))
	})
	fmt.Fprintln(w)
	return writeList(w, library.TrainingPlans(library.New(), estimator, plans), show, layers)
}

// writeEqual says how many plans are as fast as the best as far as predictions tell.
func writeEqual(w io.Writer, estimator *training.Estimator, best []training.Estimate) {
	equal := 0
	for i := range best[1:] {
		if estimator.Equal(&best[0], &best[1+i]) {
			equal++
		}
	}
	if equal > 0 {
		fmt.Fprintf(w, "\n%d of the others are equal to the first: each step lies in the other’s interval\n", equal)
	}
}

// ofTokens is a number of tokens as somebody wrote it, with the word.
func ofTokens(text string) string {
	if strings.Contains(strings.ToLower(text), "tok") {
		return text
	}
	return text + " tokens"
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
	if found.Divisions > 0 {
		fmt.Fprintf(w, "\nplans estimated: %d; don’t fit: %d; divisions of the devices: %d; "+
			"ruled out by their bounds: %d\n", found.Estimated, found.Refused, found.Divisions, found.Cut)
	}
	if len(found.Reasons) > 0 {
		fmt.Fprint(w, "\nplans that don’t fit, by their largest part\n\n")
		list := library.RefusedPlans(library.New(), found.Reasons)
		if err := writeList(w, list, []string{"part", "plans", "excess", "nearest"}); err != nil {
			return err
		}
	}
	if t.Tokens > 0 && len(found.Best) > 0 {
		t.writeRun(w, &found.Best[0])
	}
	return nil
}

// writeRun prints what the whole run takes with a plan.
func (t *planTask) writeRun(w io.Writer, estimate *training.Estimate) {
	const day, hour = 86400, 3600
	seconds := t.Tokens / float64(t.Job.Batch*t.Job.Sequence) * estimate.Time.Step()
	days := strconv.FormatFloat(seconds/day, 'f', 1, 64)
	if seconds/day >= 1e6 {
		days = strconv.FormatFloat(seconds/day, 'g', 3, 64)
	}
	fmt.Fprintf(w, "\n%s take %s days, %.3g chip-hours", ofTokens(t.flags.tokens), days,
		seconds/hour*float64(t.Job.Devices))
	if rate := t.Price(); rate > 0 {
		fmt.Fprintf(w, ", %.3g dollars", seconds*float64(t.Job.Devices)*rate)
	}
	if lost := training.Restarted(t.Job.Devices); lost > 1.005 {
		fmt.Fprintf(w, "; with restarts %.3g days", seconds/day*lost)
	}
	fmt.Fprintln(w)
}

// writeExchanges prints who sends what to whom in a step of a plan, what takes longest first.
func writeExchanges(w io.Writer, estimator *training.Estimator, estimate *training.Estimate) error {
	list := library.PlanExchanges(library.New(), &training.Planned{Estimator: estimator, Estimate: *estimate})
	if len(list.List) == 0 {
		return nil
	}
	took := func(v value.Value) float64 {
		time, _ := v.Record.Field("time")
		return time.Num.Value
	}
	slices.SortStableFunc(list.List, func(a, b value.Value) int { return cmp.Compare(took(b), took(a)) })
	fmt.Fprintf(w, "\nwho sends what to whom in a step of %s, on its slowest stage\n\n", estimate.Plan)
	return writeList(w, list, []string{"what", "group", "ranks", "stride", "network", "times", "bytes", "time",
		"shown"})
}

// writeParts prints where the time and the memory of a plan go.
func writeParts(w io.Writer, estimate *training.Estimate) error {
	env := library.New()
	fmt.Fprintln(w)
	if err := writeList(w, library.StepParts(env, estimate), []string{"part", "time", "share"}); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return writeList(w, library.MemoryParts(env, estimate), []string{"part", "bytes", "share"})
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

// planTable are the columns of plan -csv.
func planTable() []csvColumn[answer.Plan] {
	text := func(head string, of func(*answer.Plan) string) csvColumn[answer.Plan] {
		return csvColumn[answer.Plan]{head, of}
	}
	count := func(head string, of func(*answer.Plan) int) csvColumn[answer.Plan] {
		return text(head, func(p *answer.Plan) string { return strconv.Itoa(of(p)) })
	}
	number := func(head string, of func(*answer.Plan) float64) csvColumn[answer.Plan] {
		return text(head, func(p *answer.Plan) string { return strconv.FormatFloat(of(p), 'g', 6, 64) })
	}
	return []csvColumn[answer.Plan]{
		text("model", func(p *answer.Plan) string { return p.Model }),
		text("chip", func(p *answer.Plan) string { return p.Chip }),
		count("chips", func(p *answer.Plan) int { return p.Chips }),
		count("batch", func(p *answer.Plan) int { return p.Batch }),
		count("sequence", func(p *answer.Plan) int { return p.Sequence }),
		text("dtype", func(p *answer.Plan) string { return p.DType }),
		text("software", func(p *answer.Plan) string { return p.Software }),
		count("dp", func(p *answer.Plan) int { return p.DP }),
		count("tp", func(p *answer.Plan) int { return p.TP }),
		count("pp", func(p *answer.Plan) int { return p.PP }),
		count("cp", func(p *answer.Plan) int { return p.CP }),
		count("ep", func(p *answer.Plan) int { return p.EP }),
		count("mbs", func(p *answer.Plan) int { return p.Micro }),
		count("vp", func(p *answer.Plan) int { return p.Virtual }),
		text("schedule", func(p *answer.Plan) string { return p.Schedule }),
		count("zero", func(p *answer.Plan) int { return p.Zero }),
		text("recompute", func(p *answer.Plan) string { return p.Recompute }),
		number("step_low_s", func(p *answer.Plan) float64 { return p.Step[0] }),
		number("step_s", func(p *answer.Plan) float64 { return p.Step[1] }),
		number("step_high_s", func(p *answer.Plan) float64 { return p.Step[2] }),
		number("tokens_per_s_per_device", func(p *answer.Plan) float64 { return p.Rate }),
		number("mfu_pct", func(p *answer.Plan) float64 { return p.MFU }),
		number("memory_GB", func(p *answer.Plan) float64 { return p.Memory }),
		text("usd_per_million_tokens", func(p *answer.Plan) string { return known(p.Dollars, 6) }),
		text("context", func(p *answer.Plan) string { return p.Context }),
		text("plan", func(p *answer.Plan) string { return p.Plan }),
		text("lacks", func(p *answer.Plan) string { return p.Lacks }),
	}
}

// known is a number of so many digits, blank where nobody knows it.
func known(x float64, digits int) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}
