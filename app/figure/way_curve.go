package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding/setup"
)

// WayCurve draws the times of a way to compute a product over the size of one of its dimensions, as far as it is
// planned, and marks where the best way changes.
func WayCurve(c *setup.Curve) *Drawing {
	if len(c.Known) == 0 {
		said := "There is nothing to plot over " + c.Over + "."
		return &Drawing{Root: markup.El("p", said), Title: "Times over " + c.Over, About: said}
	}
	p := &chart.Plot{ID: "way-times", Title: "Times over " + c.Over + ", of the best way at each size",
		X:       chart.Axis{Label: c.Over, Log: true, Format: sizeText},
		Y:       chart.Axis{Label: "Time", Log: true, Format: in(quantity.Seconds(1).Quantity())},
		Series:  waySeries(c),
		Current: &chart.Mark{Kind: chart.Vertical, X: c.Now, Label: c.Over + " = " + sizeText(c.Now)}}
	if !c.Way.Best() {
		p.Title = "Times over " + c.Over + ": compute and communicate are of the chosen way"
	}
	note := "The line with a number is the present size."
	for i, r := range c.Regimes() {
		if i == 1 {
			note += " Dashed lines: there the best way changes, or what it waits for."
		}
		if i > 0 {
			p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: r.From})
		}
	}
	laid := p.Draw()
	heads, rows := laid.Twin()
	return &Drawing{Root: markup.Raw(laid.SVG()), Title: p.Title, About: laid.Summary(), Note: note,
		Twin: []Table{{Caption: p.Title, Heads: heads, Rows: rows}}}
}

// waySeries are the curves: memory traffic only where it counts, the chosen way only where it isn't the best.
func waySeries(c *setup.Curve) []chart.Series {
	curves := []chart.Series{{Name: "T_math", Label: "compute"}, {Name: "T_comms", Label: "communicate"},
		{Name: "best", Label: "best, in all"}, {Name: "T_hbm", Label: "memory"}, {Name: "way", Label: "chosen, in all"}}
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
