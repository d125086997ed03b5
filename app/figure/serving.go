//go:build !lean

package figure

import (
	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// plotted is a drawing of a plot, with its summary and its table.
func plotted(p *chart.Plot, note string) *Drawing {
	laid := p.Draw()
	heads, rows := laid.Twin()
	return &Drawing{Root: markup.Raw(laid.SVG()), Title: p.Title, About: laid.Summary(), Note: note,
		Twin: []Table{{Caption: p.Title, Heads: heads, Rows: rows}}}
}

// perSecond prints numbers of things a second.
func perSecond(what string) func(float64) string {
	return in(quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: what}})
}

// frontPlot is axes of tokens of a chip over tokens of a user, and the plans of some lists in them, a curve each.
func frontPlot(id, title string, labels []string, lists ...[]sheet.Value) *chart.Plot {
	p := &chart.Plot{ID: id, Title: title}
	p.X.Label, p.Y.Label = "Tokens a second of a user", "Tokens a second of a chip"
	p.X.Format, p.Y.Format, p.X.Log = perSecond("token"), perSecond("token"), true
	for i, list := range lists {
		s := chart.Series{Name: labels[i], Label: labels[i]}
		for _, v := range list {
			s.X, s.Y = append(s.X, field(v.Record, "per_user")), append(s.Y, field(v.Record, "per_chip"))
		}
		if len(list) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// field is a number of a record.
func field(r *sheet.Record, name string) float64 { return r.Fields[name].Num.Value }

// ServingFront draws the plans that nothing beats, what was measured of the same, the chosen plan, and the least tokens
// a second of a user that a limit of the time a token asks for.
func ServingFront(plans, points []sheet.Value, chosen *sheet.Record, tpot float64) *Drawing {
	var together, apart []sheet.Value
	for _, v := range plans {
		if v.Record.Fields["kind"].Text == "apart" {
			apart = append(apart, v)
		} else {
			together = append(together, v)
		}
	}
	p := frontPlot("serving-front", "Tokens of a chip against tokens of a user",
		[]string{"prefill and decode together", "prefill and decode apart", "measured"}, together, apart, points)
	note := "Each point is a plan with so many requests always under way; nothing beats it in both directions. "
	if len(points) > 0 {
		p.Series[len(p.Series)-1].Dots = true
		note += "Dots were measured by others, on as many chips as each engine's best plan takes; they stand in a table " +
			"below."
	} else {
		note += "Nobody's measurements of this model, chip, precision and these lengths are in the book."
	}
	if tpot > 0 {
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: 1 / tpot, Label: "limit " +
			in(quantity.Seconds(1).Quantity())(tpot) + " a token"})
	}
	p.Marks = append(p.Marks, chart.Mark{X: field(chosen, "per_user"), Y: field(chosen, "per_chip"), Label: "chosen"})
	return plotted(p, note)
}

// ServingCompare draws two fronts.
func ServingCompare(a, b []sheet.Value) *Drawing {
	return plotted(frontPlot("serving-compare", "Two fronts", []string{"first", "second"}, a, b),
		"Each curve joins the plans that nothing of its own list beats.")
}
