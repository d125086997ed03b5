// Package summary is how far the book's predictions lie from what was measured, family by family: small tables that
// pages read. The rows of measurements themselves stay with app/measured, whose test makes these tables anew and
// compares.
package summary

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

var (
	// half, name, quantity, part, rows, median, p90, coverage, width, points, what breaks, bias, needs; points are
	// drawn only: what was measured, in two digits, and what was predicted in percent of that
	//
	//go:embed families.tsv
	familyTable string

	//go:embed simulated.tsv
	simulatedTable string // as families.tsv: what app/serving predicts of engines that its tests simulate step by step

	//go:embed firsts.tsv
	firstTable string // as families.tsv: first scores, written down before anything was changed. Lines never change

	//go:embed figures.tsv
	figureTable string // name, value

	//go:embed rivals.tsv
	rivalTable string // name, then the columns of Rival, in percent; empty where it has none
)

// Family is how far the predictions of one quantity lie from measurements, over the rows of a family.
type Family struct {
	Half     string // "training", "serving", "start", and others that a page asks for
	Name     string
	Quantity string // "step time", "memory", "time to first token"
	Part     string // which rows: "kept aside", "fitted", or "all" where none was fitted to
	Rows     int
	Median   float64 // of |predicted/measured - 1|
	P90      float64 // of the same
	Coverage float64 // share of rows whose measured value lies in the predicted interval
	Width    float64 // of that interval: high over low, in the median
	Bias     float64 // the median of predicted/measured - 1
	Needs    float64 // high over low of the narrowest interval around predictions that holds nine in ten of the rows
	Points   []Point // some of the rows, in base units
	Breaks   string  // which assumption breaks where predictions miss; may be empty
}

// Point is a row: what was predicted, and what was measured.
type Point struct{ Predicted, Measured float64 }

// Families are those of a half, or of all that are called so: "training", "serving families". Of "" they are all.
func Families(half string) []Family {
	var all []Family
	for line := range strings.Lines(familyTable + simulatedTable + firstTable) {
		if half != "" && !strings.HasPrefix(line, half+"\t") {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		f := Family{Half: c[0], Name: c[1], Quantity: c[2], Part: c[3], Rows: int(number(c[4])), Median: number(c[5]),
			P90: number(c[6]), Coverage: number(c[7]), Width: number(c[8]), Breaks: c[10], Bias: number(c[11]),
			Needs: number(c[12])}
		for pair := range strings.FieldsSeq(c[9]) {
			measured, percent, _ := strings.Cut(pair, ":")
			f.Points = append(f.Points, Point{number(measured) * number(percent) / 100, number(measured)})
		}
		all = append(all, f)
	}
	return all
}

// number reads a cell; an empty one is no number.
func number(cell string) float64 {
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Line is f as a line of the table.
func (f *Family) Line() string {
	var points []string
	for _, p := range f.Points {
		measured := digits(p.Measured, 2)
		points = append(points, measured+":"+strconv.Itoa(max(int(math.Round(100*p.Predicted/number(measured))), 1)))
	}
	return strings.Join([]string{f.Half, f.Name, f.Quantity, f.Part, strconv.Itoa(f.Rows), Digits(f.Median),
		Digits(f.P90),
		Digits(f.Coverage), Digits(f.Width), strings.Join(points, " "), f.Breaks, Digits(f.Bias),
		Digits(f.Needs)}, "\t") + "\n"
}

// Digits is x with three digits that count, as tables hold measurements: "1230", "0.0376", "1.2e-05"; of no number "".
func Digits(x float64) string { return digits(x, 3) }

func digits(x float64, n int) string {
	if math.IsNaN(x) {
		return ""
	}
	short := strconv.FormatFloat(x, 'g', n, 64)
	if plain := strconv.FormatFloat(number(short), 'f', -1, 64); len(plain) <= len(short) {
		return plain
	}
	return short
}

// Figure is a number about predictions, by its name: "regret median".
type Figure struct {
	Name  string
	Value float64
}

// Figures are all of them.
func Figures() []Figure {
	var all []Figure
	for line := range strings.Lines(figureTable) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, Figure{name, number(value)})
	}
	return all
}

// Line is f as a line of the table.
func (f *Figure) Line() string {
	return f.Name + "\t" + strconv.FormatFloat(f.Value, 'g', 4, 64) + "\n"
}

// Rival is what another tool reaches on rows of the same kind, as shares; what it has no figure for is no number.
type Rival struct {
	Name                           string
	Step, StepP90, Used            float64 // errors of the step's time; Used where at least 5 % of the peak was used
	Regret, RegretMean             float64
	Memory, MemoryP90, RefusedRuns float64 // errors of memory; plans that ran and are called impossible
}

// Rivals are all of them, run on 2026-11-22 on 945 plans of the Ultra-Scale grid that ran and 539 that failed. Nobody's
// constants were fitted to the rows.
func Rivals() []Rival {
	var all []Rival
	for line := range strings.Lines(rivalTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		r := Rival{Name: c[0]}
		for i, x := range []*float64{&r.Step, &r.StepP90, &r.Used, &r.Regret, &r.RegretMean, &r.Memory, &r.MemoryP90,
			&r.RefusedRuns} {
			*x = number(c[1+i]) / 100
		}
		all = append(all, r)
	}
	return all
}

// servingRivalTable has name, load, rows, errors of a request, of the first token and of a token in percent, and which
// rows.
//
//go:embed serving_rivals.tsv
var servingRivalTable string

// ServingRival is what another tool reaches on rows of serving: errors in the median, as shares; what it has no figure
// for is no number.
type ServingRival struct {
	Name, Load          string // Load is "open" or "closed"
	Rows                float64
	Whole, First, Token float64
	Where               string // on which rows, by whom
}

// ServingRivals are all of them. Nobody's constants were fitted to the rows, but those of the fitted BLIS to rows
// alike.
func ServingRivals() []ServingRival {
	var all []ServingRival
	for line := range strings.Lines(servingRivalTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(
			all,
			ServingRival{c[0], c[1], number(c[2]), number(c[3]) / 100, number(c[4]) / 100, number(c[5]) / 100, c[6]},
		)
	}
	return all
}
