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

// frontPlot is axes of tokens of a chip over tokens of a user.
func frontPlot(id, title string) *chart.Plot {
	return &chart.Plot{ID: id, Title: title,
		X: chart.Axis{Label: "Tokens a second of a user", Log: true, Format: perSecond("token")},
		Y: chart.Axis{Label: "Tokens a second of a chip", Format: perSecond("token")}}
}

// frontSeries is the plans of a list that pass, from the slowest for a user to the fastest.
func frontSeries(label string, list []sheet.Value, pass func(*sheet.Record) bool) chart.Series {
	s := chart.Series{Name: label, Label: label}
	for _, v := range list {
		if v.Record != nil && pass(v.Record) {
			s.X, s.Y = append(s.X, field(v.Record, "per_user")), append(s.Y, field(v.Record, "per_chip"))
		}
	}
	return s
}

// field is a number of a record.
func field(r *sheet.Record, name string) float64 { return r.Fields[name].Num.Value }

// ServingFront draws the plans that nothing beats, what was measured of the same, the chosen plan, and the least tokens a
// second of a user that a limit of the time a token asks for.
func ServingFront(plans, points []sheet.Value, chosen *sheet.Record, tpot float64) *Drawing {
	p := frontPlot("serving-front", "Tokens of a chip against tokens of a user")
	kind := func(name string) func(*sheet.Record) bool {
		return func(r *sheet.Record) bool { return r.Fields["kind"].Text == name }
	}
	for _, s := range []chart.Series{frontSeries("prefill and decode together", plans, kind("together")),
		frontSeries("prefill and decode apart", plans, kind("apart"))} {
		if len(s.X) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	note := "Each point is a plan with so many requests always under way; nothing beats it in both directions. "
	if s := frontSeries("measured", points, func(*sheet.Record) bool { return true }); len(s.X) > 0 {
		s.Dots = true
		p.Series = append(p.Series, s)
		note += "Dots were measured by others, on as many chips as each engine's best plan takes; their sources stand in the table of measurements."
	} else {
		note += "Nobody's measurements of this model, chip, precision and these lengths are in the book."
	}
	if tpot > 0 {
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: 1 / tpot, Label: "limit " + secondsText(tpot) + " a token"})
	}
	if chosen != nil {
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Point, X: field(chosen, "per_user"), Y: field(chosen, "per_chip"), Label: "chosen"})
	}
	return plotted(p, note)
}

// ServingCompare draws two fronts.
func ServingCompare(a, b []sheet.Value) *Drawing {
	all := func(*sheet.Record) bool { return true }
	p := frontPlot("serving-compare", "Two fronts")
	p.Series = []chart.Series{frontSeries("first", a, all), frontSeries("second", b, all)}
	return plotted(p, "Each curve joins the plans that nothing of its own list beats.")
}

// secondsText is a time as text.
func secondsText(t float64) string { return quantity.Seconds(t).Quantity().String() }
