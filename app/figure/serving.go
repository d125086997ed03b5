package figure

import (
	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// perSecond prints numbers of things a second.
func perSecond(what string) func(float64) string {
	return in(quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: what}})
}

// frontPlot is axes of tokens of a chip over tokens of a user, and the plans of some lists in them, a curve each.
func frontPlot(l phrase.Phrases, id, title string, labels []string, lists ...[]value.Value) *chart.Plot {
	p := &chart.Plot{ID: id, Title: title}
	p.X.Label, p.Y.Label = l.Say("figure.per-user"), l.Say("figure.per-chip")
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
func field(r *value.Record, name string) float64 { return r.Fields[name].Num.Value }

// ServingFront draws the plans that nothing beats, what was measured of the same, the chosen plan, and the least tokens
// a second of a user that a limit of the time a token asks for.
func ServingFront(l phrase.Phrases, plans, points []value.Value, chosen *value.Record, tpot float64) *Drawing {
	var together, apart []value.Value
	for _, v := range plans {
		if v.Record.Fields["kind"].Text == "apart" {
			apart = append(apart, v)
		} else {
			together = append(together, v)
		}
	}
	p := frontPlot(l, "serving-front", l.Say("figure.front"), []string{l.Say("figure.front-together"),
		l.Say("figure.front-apart"), l.Say("figure.measured")}, together, apart, points)
	compared := l.Say("figure.front-nobody")
	if len(points) > 0 {
		p.Series[len(p.Series)-1].Dots = true
		compared = l.Say("figure.front-measured")
	}
	if tpot > 0 {
		limit := l.Say("figure.front-limit", "time", seconds(tpot))
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: 1 / tpot, Label: limit})
	}
	p.Marks = append(p.Marks, chart.Mark{X: field(chosen, "per_user"), Y: field(chosen, "per_chip"),
		Label: l.Say("figure.chosen")})
	return plotted(l, p, sentences(l, l.Say("figure.front-note"), compared))
}

// ServingCompare draws two fronts.
func ServingCompare(l phrase.Phrases, a, b []value.Value) *Drawing {
	labels := []string{l.Say("figure.fronts-first"), l.Say("figure.fronts-second")}
	return plotted(l, frontPlot(l, "serving-compare", l.Say("figure.fronts"), labels, a, b), l.Say("figure.fronts-note"))
}
