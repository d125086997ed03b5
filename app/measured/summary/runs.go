package summary

import (
	_ "embed"
	"strconv"
	"strings"
)

var (
	//go:embed runs.tsv
	runTable string // stack, part, rows, median, p90, bias, share in the interval

	//go:embed misses.tsv
	missTable string // id, stack, device, devices, predicted, measured, source
)

// Run is how far predicted steps of published runs lie from measured ones, for all or for one version of a software.
type Run struct {
	Stack, Part string // a stack, or "all"; "all" rows, those "kept aside", "gathered later" or "last"
	Rows        int
	Median, P90 float64 // of |predicted/measured - 1|
	Bias        float64 // predicted/measured - 1 in the median: below 0 predictions are too fast
	Inside      float64 // share of rows in the interval
}

// Line is r as a line of the table.
func (r *Run) Line() string {
	return strings.Join([]string{r.Stack, r.Part, strconv.Itoa(r.Rows), Digits(r.Median), Digits(r.P90), Digits(r.Bias),
		Digits(r.Inside)}, "\t") + "\n"
}

// Runs are all of them.
func Runs() []Run {
	var all []Run
	for line := range strings.Lines(runTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, Run{c[0], c[1], int(number(c[2])), number(c[3]), number(c[4]), number(c[5]), number(c[6])})
	}
	return all
}

// Miss is a published run whose prediction lies far off, in seconds a step.
type Miss struct {
	ID, Stack, Device   string
	Devices             int
	Predicted, Measured float64
	Source              string
}

// Line is m as a line of the table.
func (m *Miss) Line() string {
	return strings.Join([]string{m.ID, m.Stack, m.Device, strconv.Itoa(m.Devices), Digits(m.Predicted),
		Digits(m.Measured), m.Source}, "\t") + "\n"
}

// Misses are the widest, the widest first.
func Misses() []Miss {
	var all []Miss
	for line := range strings.Lines(missTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, Miss{c[0], c[1], c[2], int(number(c[3])), number(c[4]), number(c[5]), c[6]})
	}
	return all
}
