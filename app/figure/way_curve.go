package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding/setup"
)

// WayCurve draws the times of a way to compute a product over the size of one of its dimensions, as far as it is
// planned, and marks where the best way changes.
func WayCurve(l phrase.Phrases, c *setup.Curve) *Drawing {
	if len(c.Known) == 0 {
		return textOnly(l.Say("figure.times", "size", c.Over), l.Say("figure.times-none", "size", c.Over))
	}
	p := &chart.Plot{ID: "way-times", Title: l.Say("figure.times-best", "size", c.Over),
		X:       chart.Axis{Label: c.Over, Log: true, Format: sizeText},
		Y:       chart.Axis{Label: l.Say("figure.time"), Log: true, Format: in(quantity.Seconds(1).Quantity())},
		Series:  waySeries(l, c),
		Current: &chart.Mark{Kind: chart.Vertical, X: c.Now, Label: c.Over + " = " + sizeText(c.Now)}}
	if !c.Way.Best() {
		p.Title = l.Say("figure.times-chosen", "size", c.Over)
	}
	changes := ""
	for i, r := range c.Regimes() {
		if i > 0 {
			changes = l.Say("figure.times-changes")
			p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: r.From})
		}
	}
	return plotted(l, p, sentences(l, l.Say("figure.times-note"), changes))
}

// waySeries are the curves: memory traffic only where it counts, the chosen way only where it isn't the best.
func waySeries(l phrase.Phrases, c *setup.Curve) []chart.Series {
	curves := []chart.Series{{Name: "T_math", Label: l.Say("figure.compute")},
		{Name: "T_comms", Label: l.Say("figure.communicate")}, {Name: "best", Label: l.Say("figure.best-in-all")},
		{Name: "T_hbm", Label: l.Say("figure.memory")}, {Name: "way", Label: l.Say("figure.chosen-in-all")}}
	shown := [5]bool{2: true, 4: !c.Way.Best()}
	for _, p := range c.Known {
		for k, y := range [...]float64{p.Math, p.Comms, p.Best, p.Memory, p.Took} {
			if y <= 0 {
				y = math.NaN()
			}
			curves[k].X, curves[k].Y = append(curves[k].X, p.Size), append(curves[k].Y, y)
			shown[k] = shown[k] || k < 2 && y > 0 || k == 3 && y > p.Math && y > p.Comms
		}
	}
	var all []chart.Series
	for k := range curves {
		if shown[k] {
			all = append(all, curves[k])
		}
	}
	return all
}

// sizeText is the size of a dimension as a reader knows it.
func sizeText(x float64) string { return quantity.Quantity{Value: math.Round(x)}.String() }
