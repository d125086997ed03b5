package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/training"
)

// ranking is what all searches of one command found: of several models, devices or numbers of devices.
type ranking struct {
	flags    *planFlags
	rows     []answer.Plan
	best     []answer.Plan // of each search that found a plan
	plans    []string      // the same as people type them
	searches int
	header   bool // the first search is whole, or the first part
	empty    int  // searches, or plans that were given, that came to nothing
}

// nothing tells whether all searches came to nothing.
func (r *ranking) nothing() bool { return r.empty > 0 && r.empty >= r.searches }

// add takes over what a search found. Unless cost is what counts, programs get it at once.
func (r *ranking) add(t *planTask, pricer *training.Pricer, found *training.Found, w io.Writer) error {
	first := r.searches == 0 && t.Part == 0
	r.searches++
	var rows []answer.Plan
	for i := range found.Best {
		rows = append(rows, t.Of(pricer, &found.Best[i]))
	}
	best := len(rows)
	for i := range found.Lacking {
		rows = append(rows, t.Of(pricer, &found.Lacking[i]))
	}
	if best > 0 {
		r.best, r.plans = append(r.best, rows[0]), append(r.plans, found.Best[0].Plan.String())
	}
	r.header = r.header || first
	if r.flags.by == "cost" {
		r.rows = append(r.rows, rows...)
		return nil
	}
	return r.writeRows(w, rows, first)
}

// writeRows prints rows for programs.
func (r *ranking) writeRows(w io.Writer, rows []answer.Plan, header bool) error {
	switch {
	case r.flags.json:
		return writeJSON(w, rows)
	case r.flags.csv:
		return writeCSV(w, rows, header)
	}
	return nil
}

// write ranks what was found by cost, if that is what counts.
func (r *ranking) write(w io.Writer) error {
	if r.flags.by != "cost" || r.flags.plan != "" {
		return nil
	}
	slices.SortStableFunc(r.rows, cheaper)
	if r.searches > 1 && !r.flags.json && !r.flags.csv {
		return r.writeText(w)
	}
	return r.writeRows(w, r.rows, r.header)
}

// cheaper compares plans by what a million tokens cost; those without a price come last, and below them all that the
// software can't run.
func cheaper(a, b answer.Plan) int {
	if (a.Lacks == "") != (b.Lacks == "") {
		return cmp.Compare(a.Lacks, b.Lacks)
	}
	if (a.Dollars == 0) != (b.Dollars == 0) {
		return cmp.Compare(b.Dollars, a.Dollars)
	}
	return cmp.Compare(a.Dollars, b.Dollars)
}

// writeText prints the best plan of each search, the cheapest first.
func (r *ranking) writeText(w io.Writer) error {
	order := make([]int, len(r.best))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cheaper(r.best[a], r.best[b]) })
	fmt.Fprintf(w, "\nthe best of %d searches that found a plan, the cheapest first\n\n", len(order))
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "model\tchip\tchips\t$/M tokens\tstep\ttok/s/chip\tplan")
	for _, i := range order {
		o := &r.best[i]
		cost := "no price"
		if o.Dollars > 0 {
			cost = fmt.Sprintf("%.3g", o.Dollars)
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%s\t%.3g s\t%.0f\t%s\n", o.Model, o.Chip, o.Chips, cost, o.Step[1], o.Rate,
			r.plans[i])
	}
	return out.Flush()
}

// run searches, or judges the plan that was given, and prints.
func (t *planTask) run(s streams, all *ranking) error {
	pricer := training.NewPricer(t.Job)
	search := training.Search{Space: pricer.Usual(), Top: t.flags.top, Margin: t.flags.margin, MaxTP: t.flags.maxTP,
		Part: t.Part, Parts: t.Parts}
	if t.flags.whole {
		search.Space = pricer.Whole()
	}
	if t.flags.by == "memory" {
		search.Objective = training.ByMemory
	}
	under := pricer.BeginSearch(search)
	for under.Step() {
		if err := s.ended(); err != nil {
			return failure{err}
		}
	}
	found := under.Found()
	if t.Plan != nil {
		return t.judge(s, pricer, &found, all)
	}
	if len(found.Best) == 0 && t.Parts == 1 { // a part of a search may well find nothing
		all.empty++
		defer s.complain("scalebook plan: %s on %d x %s: %v", t.Job.Model.Name, t.Job.Devices, t.Job.Device.Name,
			pricer.ExplainNoPlan(&search, &found))
	}
	if err := all.add(t, pricer, &found, s.out); err != nil || t.flags.json || t.flags.csv {
		return err
	}
	return t.writeText(s.out, pricer, &found)
}

// judge says of the plan that was given what it costs, or why not.
func (t *planTask) judge(s streams, pricer *training.Pricer, found *training.Found, all *ranking) error {
	all.searches++
	plan := *t.Plan
	var best *training.Price
	if len(found.Best) > 0 {
		best = &found.Best[0]
	}
	if t.flags.json {
		return t.judgeJSON(s, pricer, plan, all)
	}
	if pricer.Legal(plan) != nil {
		all.empty++
	} else {
		price := pricer.Price(plan)
		if price.Memory.Total() > training.AfterContext(t.Job.Device.Memory) {
			all.empty++
		}
		if err := t.writeText(s.out, pricer, &training.Found{Best: []training.Price{price}}); err != nil {
			return err
		}
		writeParts(s.out, &price)
	}
	fmt.Fprintf(s.out, "\n%s\n", pricer.Why(plan, best))
	t.writeSettings(s.out)
	return nil
}

// judgeJSON prints a plan that was given as an object, or says why it is not legal.
func (t *planTask) judgeJSON(s streams, pricer *training.Pricer, plan training.Plan, all *ranking) error {
	if err := pricer.Legal(plan); err != nil {
		return failure{fmt.Errorf("-plan: %v", err)}
	}
	price := pricer.Price(plan)
	if price.Memory.Total() > training.AfterContext(t.Job.Device.Memory) {
		all.empty++
	}
	return writeJSON(s.out, []answer.Plan{t.Of(pricer, &price)})
}
