package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// A roofline shows so many operations, and none that does less than a millionth of all.
const (
	mostDots = 300
	tiny     = 1e6
)

// Roofline draws the operations of a program under the roofs of its chip: the rate that each reaches at most, over the
// operations that it does for each byte of HBM traffic.
func Roofline(l phrase.Phrases, p *hlo.Profile) *Drawing {
	peak := p.Chip.Peak("bf16")
	dots := rooflineDots(l, p)
	title := l.Say("figure.roofline", "chip", p.Chip.Name)
	plot := &chart.Plot{ID: "hlo-roofline", Title: title,
		X: chart.Axis{Label: l.Say("figure.roofline-x"), Log: true},
		Y: chart.Axis{Label: l.Say("figure.rate"), Log: true, Format: in(quantity.FLOPRate(1).Quantity())}}
	low, high := math.Inf(1), 0.0
	for _, d := range dots {
		for _, x := range d.X {
			low, high = min(low, x), max(high, x)
		}
	}
	if high == 0 || peak == 0 || p.Chip.HBM == 0 {
		return textOnly(title, l.Say("figure.roofline-none"))
	}
	ridge := peak / p.Chip.HBM
	low, high = min(low, ridge/4), max(high, ridge*4)
	plot.Series = append(dots, chart.Series{Name: "roof", Label: l.Say("figure.roof"), X: []float64{low, ridge, high},
		Y: []float64{low * p.Chip.HBM, peak, peak}})
	return plotted(l, plot, l.Say("figure.roofline-note", "ridge", strconv.FormatFloat(ridge, 'f', 0, 64)))
}

// rooflineDots are the operations, those of each bound in a series of their own.
func rooflineDots(l phrase.Phrases, p *hlo.Profile) []chart.Series {
	names := []string{"compute", "HBM", "VMEM", "network"}
	labels := []string{"figure.bound-compute", "figure.bound-hbm", "figure.bound-vmem", "figure.bound-network"}
	all := make([]chart.Series, len(names))
	shown := 0
	for i := range p.Ops {
		e := &p.Ops[i]
		for k, name := range names {
			if e.Bound() == name && e.FLOPs()*e.Times > p.FLOPs/tiny && e.HBM > 0 && shown < mostDots {
				all[k].X, all[k].Y = append(all[k].X, e.Intensity()), append(all[k].Y, e.FLOPs()/e.Time())
				shown++
			}
		}
	}
	var some []chart.Series
	for k, s := range all {
		if len(s.X) > 0 {
			s.Name, s.Label, s.Dots = names[k], l.Say(labels[k]), true
			some = append(some, s)
		}
	}
	return some
}
