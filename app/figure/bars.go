package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// ChipBars draws a field of each chip of a comparison as a bar, the shortest first; what is not known stands there as
// such.
func ChipBars(l phrase.Phrases, chips []value.Value, column *value.Record) (*Drawing, error) {
	if len(chips) == 0 {
		return nil, phrase.New("figure.no-chip")
	}
	field, about := column.Fields["name"].Text, column.Fields["about"].In(l)
	p := &chart.Plot{ID: "chip-bars", Title: about, Series: []chart.Series{{Name: field, Label: l.Word(column.Name)}}}
	p.X.Label = l.Say("figure.chip")
	var like quantity.Quantity
	of := func(chip value.Value) float64 {
		if v, ok := chip.Record.Fields[field]; ok {
			like = v.Num
			return v.Num.Value
		}
		return math.Inf(1) // what isn't known stands last
	}
	chips = append([]value.Value{}, chips...)
	chart.Ascending(chips, of)
	for _, chip := range chips {
		x := of(chip)
		p.X.Categories = append(p.X.Categories, chip.Record.Name)
		p.Series[0].Y = append(p.Series[0].Y, x)
	}
	p.Y.Format = in(like)
	return plotted(l, p, ""), nil
}
