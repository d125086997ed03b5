package measured

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/serving"
)

// Served is how far predictions lie from measurements, over some rows of one quantity.
type Served struct {
	Group    string // which rows: a regime, or a family of model, chip and engine within one
	Quantity string // "first" (token), "token" (time a token), "whole" (request), "rate" (tokens a second)
	Fitted   bool   // the rows that constants were fitted to; otherwise those kept aside
	Rows     int
	Median   float64 // of the error, as a share of what was measured
	P90      float64 // of the error
	Bias     float64 // the median of predicted over measured, less 1
	Covered  float64 // share of the rows inside their interval
	Width    float64 // of the interval: its upper end over its lower
	Points   []summary.Point
}

// Grouping names the rows that a line of a table is about.
type Grouping func(Case) string

// ByRegime groups by the kind of load and system.
func ByRegime(c Case) string { return c.Regime() }

// ByFamily groups by regime, model, chip and engine.
func ByFamily(c Case) string {
	t := c.setting
	return strings.Join([]string{c.Regime(), t.shape.Model.ID, t.chip.ID, t.engine}, " | ")
}

// HoldServing prices all cases with the shipped constants and says how far they lie off, by group, quantity and part.
func HoldServing(cases []Case, group Grouping) []Served {
	type key struct {
		group, quantity string
		fitted          bool
	}
	off, inside, wide, points := map[key][]float64{}, map[key]float64{}, map[key]float64{}, map[key][]summary.Point{}
	for i, errs := range AllErrors(cases, serving.Fitted) {
		for q, x := range errs {
			k := key{group(cases[i]), q, cases[i].Fitted()}
			low, high := cases[i].interval(q)
			off[k], wide[k] = append(off[k], x), high/low
			m := cases[i].measured(q)
			points[k] = append(points[k], summary.Point{Predicted: m * math.Exp(x), Measured: m})
			if miss := math.Exp(-x); miss >= low && miss <= high {
				inside[k]++
			}
		}
	}
	var all []Served
	for k, xs := range off {
		n := float64(len(xs))
		same := func(x float64) float64 { return x }
		all = append(all, Served{k.group, k.quantity, k.fitted, len(xs), Quantile(xs, .5, Percent), Quantile(xs, .9, Percent),
			math.Exp(Quantile(xs, .5, same)) - 1, inside[k] / n, wide[k], points[k]})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].sortKey() < all[j].sortKey() })
	return all
}

// interval is the factors of the interval of one quantity of c.
func (c Case) interval(quantity string) (low, high float64) {
	return spreadOf(c.Regime(), map[string]string{"first": "ttft", "token": "tpot", "whole": "e2e",
		"rate": "output"}[quantity])
}

func (h Served) sortKey() string {
	return h.Group + "|" + h.Quantity + "|" + strconv.FormatBool(h.Fitted)
}

// PrintServing is a table of lines, columns between tabs.
func PrintServing(lines []Served) string {
	var b strings.Builder
	b.WriteString("group\tquantity\trows\tnumber\tmedian error\tp90 error\tbias\tcovered\tinterval\n")
	for _, h := range lines {
		part := "kept aside"
		if h.Fitted {
			part = "fitted"
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t%.2fx\n", h.Group, h.Quantity, part, h.Rows,
			100*h.Median, 100*h.P90, 100*h.Bias, 100*h.Covered, h.Width)
	}
	return b.String()
}

// fewFitted is how many fitted rows say by themselves how wide an interval must be.
const fewFitted = 200

// Widths are the factors of the intervals as the fitted rows give them: the middle of them, so many in a hundred, lie
// inside. Where the fitted rows are few, those of closed loops on the same chips are counted with them: what is seldom
// far off among ninety rows says little of how far it may be.
func Widths(cases []Case, k func(engine string) serving.Constants, inside float64) string {
	off := map[string][]float64{}
	for i, errs := range AllErrors(cases, k) {
		for q, x := range errs {
			name := cases[i].Regime() + "\t" + q
			off[name] = append(off[name], -x)
		}
	}
	all := map[string]width{}
	for name, xs := range off {
		if _, quantity, _ := strings.Cut(name, "\t"); len(xs) < fewFitted {
			xs = slices.Concat(xs, off["together\t"+quantity])
		}
		all[name] = middle(xs, inside)
	}
	follow(all)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%s\t%.3g\t%.3g\n", name, all[name].low, all[name].high)
	}
	return b.String()
}

// follow widens the intervals of rates that follow from the time a token: what the one leaves open, the other can't
// know. What the time to the first token adds may make them wider still.
func follow(all map[string]width) {
	for name, token := range all {
		regime, quantity, _ := strings.Cut(name, "\t")
		if rate, found := all[regime+"\trate"]; found && quantity == "token" {
			all[regime+"\trate"] = width{min(rate.low, 1/token.high), max(rate.high, 1/token.low)}
		}
	}
}

// middle is the factors between which so many in a hundred lie.
func middle(off []float64, inside float64) width {
	return width{Quantile(off, (1-inside)/2, math.Exp), Quantile(off, (1+inside)/2, math.Exp)}
}

// Quantile is the q-th quantile of what f makes of the numbers that are numbers.
func Quantile(xs []float64, q float64, f func(float64) float64) float64 {
	var ys []float64
	for _, x := range xs {
		if !math.IsNaN(x) {
			ys = append(ys, f(x))
		}
	}
	if len(ys) == 0 {
		return math.NaN()
	}
	sort.Float64s(ys)
	return ys[int(q*float64(len(ys)-1)+0.5)]
}

// Percent is the error of a prediction, as a share of what was measured, from the logarithm of their ratio.
func Percent(x float64) float64 { return math.Abs(math.Exp(x) - 1) }
