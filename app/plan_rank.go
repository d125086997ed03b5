package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/training"
)

// ranking is what all searches of one command found: of several models, devices or numbers of devices.
type ranking struct {
	flags    *planFlags
	rows     []planJSON
	best     []planJSON // of each search that found a plan
	plans    []string   // the same as people type them
	searches int
	header   bool // the first search is whole, or the first part
	empty    int  // searches, or plans that were given, that came to nothing
}

// nothing tells whether all searches came to nothing.
func (r *ranking) nothing() bool { return r.empty > 0 && r.empty >= r.searches }

// add takes over what a search found. Unless cost is what counts, programs get it at once.
func (r *ranking) add(t *planTask, pricer *training.Pricer, found *training.Found, w io.Writer) error {
	first := r.searches == 0 && t.part == 0
	r.searches++
	var rows []planJSON
	for i := range found.Best {
		rows = append(rows, t.objectOf(pricer, &found.Best[i]))
	}
	best := len(rows)
	for i := range found.Lacking {
		rows = append(rows, t.objectOf(pricer, &found.Lacking[i]))
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
func (r *ranking) writeRows(w io.Writer, rows []planJSON, header bool) error {
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
func cheaper(a, b planJSON) int {
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
