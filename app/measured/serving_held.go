package measured

import (
	"fmt"
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
	Width    float64 // of the interval: its upper end over its lower, in the median
	Needs    float64 // the narrowest interval around nine in ten of the rows, in the same way
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
	off, inside, wide, points := map[key][]float64{}, map[key]float64{}, map[key][]float64{}, map[key][]summary.Point{}
	for i, errs := range AllErrors(cases, serving.Fitted) {
		for q, x := range errs {
			k := key{group(cases[i]), q, cases[i].Fitted()}
			low, high := cases[i].interval(q)
			off[k], wide[k] = append(off[k], x), append(wide[k], high/low)
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
			math.Exp(Quantile(xs, .5, same)) - 1, inside[k] / n, Quantile(wide[k], .5, same), needs(xs), points[k]})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].sortKey() < all[j].sortKey() })
	return all
}

// needs is the ratio of the ends of the narrowest interval that holds nine in ten of some errors.
func needs(off []float64) float64 {
	xs := slices.Sorted(slices.Values(off))
	most, least := int(math.Ceil(0.9*float64(len(xs)))), math.Inf(1)
	for i := most - 1; i < len(xs); i++ {
		least = min(least, xs[i]-xs[i-most+1])
	}
	return math.Exp(least)
}

// interval is the factors of the interval of one quantity of c.
func (c Case) interval(quantity string) (low, high float64) {
	w := c.setting.spread(quantity)
	return w.low, w.high
}

func (h Served) sortKey() string {
	return h.Group + "|" + h.Quantity + "|" + strconv.FormatBool(h.Fitted)
}

// PrintServing is a table of lines, columns between tabs.
func PrintServing(lines []Served) string {
	var b strings.Builder
	b.WriteString("group\tquantity\trows\tnumber\tmedian error\tp90 error\tbias\tcovered\tinterval\tneeded\n")
	for _, h := range lines {
		part := "kept aside"
		if h.Fitted {
			part = "fitted"
		}
		fmt.Fprintf(
			&b,
			"%s\t%s\t%s\t%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t%.2fx\t%.2fx\n",
			h.Group,
			h.Quantity,
			part,
			h.Rows,
			100*h.Median,
			100*h.P90,
			100*h.Bias,
			100*h.Covered,
			h.Width,
			h.Needs,
		)
	}
	return b.String()
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
