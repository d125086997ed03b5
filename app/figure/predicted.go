package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Predicted draws what was measured over what was predicted: the rows of a family, and pale those of all others of the
// same half and quantity. On the line both are the same.
func Predicted(l phrase.Phrases, f *summary.Family) *Drawing {
	if len(f.Points) == 0 {
		d := textOnly(l.Word(f.Name), l.Say("figure.predicted-counted"))
		d.Twin = []Table{familyTable(l, f)}
		return d
	}
	own, others := chart.Series{Name: "family", Label: l.Word(f.Name), Dots: true}, chart.Series{Name: "others",
		Label: l.Say("figure.predicted-others"), Dots: true}
	for _, g := range summary.Families() {
		if g.Half != f.Half || g.Quantity != f.Quantity {
			continue
		}
		to := &others
		if g.Name == f.Name && g.Part == f.Part {
			to = &own
		}
		for _, p := range g.Points {
			to.X, to.Y = append(to.X, p.Predicted), append(to.Y, p.Measured)
		}
	}
	p := &chart.Plot{ID: "predicted-" + f.Half,
		Title: l.Say("figure.predicted", "quantity", l.Word(f.Quantity), "family", l.Word(f.Name)),
		X:     chart.Axis{Label: l.Say("figure.predicted-x", "quantity", f.Quantity), Log: true, Format: in(unitOf(f))},
		Y:     chart.Axis{Label: l.Say("figure.predicted-y", "quantity", f.Quantity), Log: true, Format: in(unitOf(f))}}
	equal := equalLine(&own, &others)
	equal.Label = l.Say("figure.predicted-equal")
	p.Series = []chart.Series{own, equal, others}
	d := plotted(l, p, l.Say("figure.predicted-note", "n", len(f.Points), "all", f.Rows))
	d.About = l.Say("figure.predicted-about", "median", quantity.Percent(f.Median, 1), "most", quantity.Percent(f.P90, 1))
	d.Twin = []Table{familyTable(l, f)}
	return d
}

// equalLine is where both are the same, as long as the points of all series reach.
func equalLine(series ...*chart.Series) chart.Series {
	low, high := math.Inf(1), 0.0
	for _, s := range series {
		for i := range s.X {
			low, high = min(low, s.X[i], s.Y[i]), max(high, s.X[i], s.Y[i])
		}
	}
	return chart.Series{Name: "equal", X: []float64{low, high}, Y: []float64{low, high}}
}

// unitOf is a unit of what f predicts.
func unitOf(f *summary.Family) quantity.Quantity {
	switch is := f.Quantity; {
	case is == "KV tokens":
		return quantity.Quantity{Value: 1, Label: quantity.Label{Over: "token"}}
	case is == "memory", is == "weights", is == "size":
		return quantity.Bytes(1).Quantity()
	case strings.HasSuffix(is, "bandwidth"):
		return quantity.Bandwidth(1).Quantity()
	case strings.HasSuffix(is, "tokens a second"):
		return quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: "token"}}
	}
	return quantity.Seconds(1).Quantity()
}

// familyTable is a family in numbers.
func familyTable(l phrase.Phrases, f *summary.Family) Table {
	t := Table{Caption: l.Say("figure.family", "family", l.Word(f.Name), "quantity", l.Word(f.Quantity)),
		Heads: []string{l.Say("figure.family-rows"), commas(l, strconv.Itoa(f.Rows), f.Part)}}
	t.add(l.Say("figure.family-median"), quantity.Percent(f.Median, 1))
	t.add(l.Say("figure.family-most"), quantity.Percent(f.P90, 1))
	t.add(l.Say("figure.family-coverage"), quantity.Percent(f.Coverage, 1))
	t.add(l.Say("figure.family-width"), strconv.FormatFloat(f.Width, 'f', 2, 64))
	return t
}
