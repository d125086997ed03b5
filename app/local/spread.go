package local

import (
	_ "embed"
	"strconv"
	"strings"
)

// spreadTable is how far measured times of a token lie from predicted ones.
//
//go:embed spreads.tsv
var spreadTable string

// Spreads is a table of intervals: what is predicted, of which software and memory, and the factors below and above
// between which nine in ten measurements lie. A cell of software that is empty is any. The fit writes it from
// measurements (app/measured/fit/local).
type Spreads string

// Shipped are those of a "token" for one user; others stand with the measurements (app/measured).
func Shipped() Spreads { return Spreads(spreadTable) }

// Of is the interval of a kind by the first of some names that has one of its own; without one, of all.
func (t Spreads) Of(kind string, names ...string) (low, high float64) {
	for _, name := range append(names, "") {
		begin := kind + "\t" + name + "\t"
		for line := range strings.Lines(string(t)) {
			if rest, found := strings.CutPrefix(line, begin); found {
				a, b, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), "\t")
				low, _ = strconv.ParseFloat(a, 64)
				high, _ = strconv.ParseFloat(b, 64)
				return low, high
			}
		}
	}
	return 0.5, 2 // what nobody measured may take half as long or twice
}

// Known are the names by which the interval of a run is known, the nearest first: its software on its kind of memory,
// and that memory; of memory that a processor shares, also that of cards, whose kernels it has.
func (r *Run) Known() []string {
	known := []string{r.Stack, memoryNames[r.Machine.Memory]}
	if r.Machine.Memory == Shared {
		known = append(known, memoryNames[Graphics])
	}
	return known
}
