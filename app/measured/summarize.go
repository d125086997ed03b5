package measured

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/measured/summary"
)

//go:embed breaks.tsv
var breakTable string // family, quantity, which assumption breaks where predictions miss

// mostPoints is how many rows of a family a summary keeps to be drawn.
const mostPoints = 120

// Summarize holds all predictions against all measurements: what app/measured/summary keeps of it.
func Summarize() ([]summary.Family, []summary.Figure) {
	grid := Trials(Ultrascale())
	families := append(Families(grid, Trials(Published())), servedFamilies()...)
	for i := range families {
		families[i].Points = thinned(families[i].Points)
		families[i].Breaks = breaks(families[i].Name, families[i].Quantity)
	}
	return families, figures(grid)
}

// thinned are some of the points: every second or third one, so that no more than mostPoints are left.
func thinned(points []summary.Point) []summary.Point {
	var some []summary.Point
	step := (len(points) + mostPoints - 1) / mostPoints
	for i := 0; i < len(points); i += step {
		some = append(some, points[i])
	}
	return some
}

// breaks is why predictions of a family miss, where somebody knows.
func breaks(family, quantity string) string {
	for line := range strings.Lines(breakTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if c[0] == family && c[1] == quantity {
			return c[2]
		}
	}
	return ""
}

// figures are what is told of training besides errors of rows.
func figures(grid []Trial) []summary.Figure {
	regrets := Regrets(grid)
	refused, ran, caught, failed := refusals(grid)
	recipes := Recipes()
	return []summary.Figure{
		{Name: "training.groups", Value: float64(len(regrets))},
		{Name: "training.regret_median", Value: percentile(regrets, 0.5)},
		{Name: "training.regret_mean", Value: mean(regrets)},
		{Name: "training.rank", Value: percentile(ranks(grid), 0.5)},
		{Name: "training.refused", Value: float64(refused)}, {Name: "training.ran", Value: float64(ran)},
		{Name: "training.caught", Value: float64(caught)}, {Name: "training.failed", Value: float64(failed)},
		{Name: "training.recipes", Value: float64(len(recipes))},
		{Name: "training.recipes_fit", Value: float64(fitting(Trials(recipes)))},
	}
}

// quantities are what serving predicts, as pages call it.
var quantities = map[string]string{"first": "time to first token", "token": "time a token", "whole": "time of a request",
	"rate": "tokens a second"}

// servedFamilies are the families of serving: the kinds of load and system.
func servedFamilies() []summary.Family {
	var samples []Sample
	for _, table := range rows.Serving() {
		samples = append(samples, ReadSamples(table)...)
	}
	cases, _ := Cases(samples)
	var all []summary.Family
	for _, h := range HoldServing(cases, ByRegime) {
		part := "kept aside"
		if h.Fitted {
			part = "fitted"
		}
		all = append(all, summary.Family{Half: "serving", Name: h.Group, Quantity: quantities[h.Quantity], Part: part,
			Rows: h.Rows, Median: h.Median, P90: h.P90, Coverage: h.Covered, Width: h.Width})
	}
	return all
}
