package modelcard

import (
	"math"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// operations are those for a token against the context.
func operations(s *instrument.State, all []*subject) *instrument.Node {
	p, step := pass(s)
	plot := overContext(s, instrument.Capital(step)+", for a token", quantity.FLOPs(1).Quantity())
	for _, x := range all {
		name := ""
		if len(all) > 1 {
			name = x.Name + ": "
		}
		matmuls := float64(x.LayerFLOPs(p))
		plot.Series = append(plot.Series,
			curve(plot, name+"matmuls", func(float64) float64 { return matmuls }),
			curve(plot, name+"attention", func(T float64) float64 { return float64(x.AttentionFLOPs(T, mask(s), p)) }))
		if at, err := x.CrossoverContext(mask(s)); err == nil && at >= plot.X.Min && at <= plot.X.Max {
			plot.Marks = append(plot.Marks, chart.Mark{Kind: chart.Point, X: at, Y: matmuls, Label: tokens(at)})
		}
	}
	plot.Title = "Operations for a token against the context"
	plot.Caption = "For a token of a sequence, on average: the layers’ matmuls with weights, and attention’s scores and weighted values, which grow with the context. A ring is where attention overtakes the matmuls."
	return section(s, "Operations", s.Plot("flops", plot), operationTable(s, all), instrument.Note(conventions(all)))
}

// conventions say what the operations are.
func conventions(all []*subject) string {
	said := "A multiply and an add are two operations. Training takes three times a forward pass, and nothing is computed again. Where attention overtakes the matmuls, the unembedding is left out of them, as in the rule of thumb that a dense model gets there at 8 D, or 16 D under a causal mask."
	for _, x := range all {
		if x.MLA.KVRank > 0 {
			return said + " With latents, training expands every head’s keys and values; generating works on the cached latents as they are, which takes more operations and reads fewer bytes."
		}
	}
	return said
}

func operationTable(s *instrument.State, all []*subject) *instrument.Node {
	p, step := pass(s)
	T := s.Number("context")
	t := instrument.Table{Key: "flops-table", Caption: "For a token at " + s.Quantity("context").String() + ", " + step, Heads: heads("Operations", all, "")}
	for _, line := range []struct {
		label string
		of    func(x *subject) instrument.Cell
	}{
		{"Layers’ matmuls with weights", func(x *subject) instrument.Cell { return instrument.Q(x.LayerFLOPs(p).Quantity()) }},
		{"Unembedding", func(x *subject) instrument.Cell { return instrument.Q(x.UnembeddingFLOPs(p).Quantity()) }},
		{"Attention’s scores and values", func(x *subject) instrument.Cell { return instrument.Q(x.AttentionFLOPs(T, mask(s), p).Quantity()) }},
		{"All of them", func(x *subject) instrument.Cell { return instrument.Q(x.FLOPsPerToken(T, mask(s), p).Quantity()) }},
		{"Attention’s share", func(x *subject) instrument.Cell {
			part, whole := float64(x.AttentionFLOPs(T, mask(s), p)), float64(x.FLOPsPerToken(T, mask(s), p))
			return instrument.Cell{Text: percent(part, whole), Num: part / whole}
		}},
		{"Generating one token, forward", func(x *subject) instrument.Cell { return instrument.Q(x.DecodeFLOPs(T).Quantity()) }},
	} {
		row := []instrument.Cell{instrument.Say(line.label)}
		for _, x := range all {
			row = append(row, line.of(x))
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}

// overContext is a plot over the context, from the short to the long, around where the reader stands.
func overContext(s *instrument.State, label string, like quantity.Quantity) *chart.Plot {
	T := s.Number("context")
	return &chart.Plot{
		X:       chart.Axis{Label: "Context (tokens)", Log: true, Min: min(1024, T), Max: max(1<<20, T), Format: tokens},
		Y:       chart.Axis{Label: label, Log: true, Format: instrument.In(like)},
		Current: &chart.Mark{Kind: chart.Vertical, X: T, Label: s.Quantity("context").String()},
	}
}

// tokens prints a context.
func tokens(x float64) string { return plain(math.Round(x)).String() }

// samples is how many points a curve has.
const samples = 64

// curve samples a law over a plot's range.
func curve(p *chart.Plot, label string, law func(T float64) float64) chart.Series {
	out := chart.Series{Name: label, Label: label}
	for i := range samples + 1 {
		T := p.X.Min * math.Pow(p.X.Max/p.X.Min, float64(i)/samples)
		y := law(T)
		if !(y > 0) || math.IsInf(y, 0) {
			y = math.NaN()
		}
		out.X, out.Y = append(out.X, T), append(out.Y, y)
	}
	return out
}
