//go:build !lean

package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/quantity"
)

// Predicted draws what was measured over what was predicted: the rows of a family, and pale those of all others of the
// same half and quantity. On the line both are the same.
func Predicted(f *summary.Family) *Drawing {
	if len(f.Points) == 0 {
		return &Drawing{Root: markup.El("p", "The rows of this family are counted, but not kept to be drawn."),
			Title: f.Name, About: "The rows of this family are counted, but not kept to be drawn.",
			Twin: []Table{familyTable(f)}}
	}
	own, others := chart.Series{Name: "family", Label: f.Name, Dots: true}, chart.Series{Name: "others",
		Label: "other families", Dots: true}
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
	p := &chart.Plot{ID: "predicted-" + f.Half, Title: "Measured " + f.Quantity + " over predicted: " + f.Name,
		X: chart.Axis{Label: "Predicted " + f.Quantity, Log: true, Format: in(unitOf(f))},
		Y: chart.Axis{Label: "Measured " + f.Quantity, Log: true, Format: in(unitOf(f))}}
	p.Series = []chart.Series{own, equalLine(&own, &others), others}
	return &Drawing{Root: markup.Raw(p.SVG()), Title: p.Title, Twin: []Table{familyTable(f)},
		About: "Half of the rows are off by less than " + errorText(f.Median) + ", nine in ten by less than " +
			errorText(f.P90) + ".",
		Note: strconv.Itoa(len(f.Points)) + " of " + strconv.Itoa(f.Rows) + " rows are drawn. Above the line the run took " +
			"more than was predicted."}
}

// equalLine is where both are the same, as long as the points of all series reach.
func equalLine(series ...*chart.Series) chart.Series {
	low, high := math.Inf(1), 0.0
	for _, s := range series {
		for i := range s.X {
			low, high = min(low, s.X[i], s.Y[i]), max(high, s.X[i], s.Y[i])
		}
	}
	return chart.Series{Name: "equal", Label: "as predicted", X: []float64{low, high}, Y: []float64{low, high}}
}

// unitOf is a unit of what f predicts.
func unitOf(f *summary.Family) quantity.Quantity {
	switch f.Quantity {
	case "memory":
		return quantity.Bytes(1).Quantity()
	case "tokens a second":
		return quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: "token"}}
	}
	return quantity.Seconds(1).Quantity()
}

// errorText is an error as a percentage.
func errorText(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }

// familyTable is a family in numbers.
func familyTable(f *summary.Family) Table {
	t := Table{Caption: f.Name + ": " + f.Quantity, Heads: []string{"Rows", strconv.Itoa(f.Rows) + ", " + f.Part}}
	t.add("Error, median", errorText(f.Median))
	t.add("Error, nine in ten below", errorText(f.P90))
	t.add("Measured value in the interval", errorText(f.Coverage))
	t.add("Interval, high over low", strconv.FormatFloat(f.Width, 'f', 2, 64))
	if f.Breaks != "" {
		t.add("Where it misses", f.Breaks)
	}
	return t
}
