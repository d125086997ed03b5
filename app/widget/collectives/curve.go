package collectives

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// curve is the cost over size: the law, the shortcut, what was measured.
func (x *subject) curve(s *instrument.State) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("From latency to bandwidth"), s.Control("over"))
	if x.Cost.Time <= 0 {
		box.Kids = append(box.Kids, instrument.Note("Nothing is sent, which takes no time."))
		return box
	}
	box.Kids = append(box.Kids, s.Plot("curve", x.plot(s.Text("over") == "bus")))
	box.Kids = append(box.Kids, x.compared(s)...)
	return box
}

// sizes are where the curves are computed: evenly on a logarithmic axis around the knee, the present size and what was measured.
func (x *subject) sizes(points []network.Point) []float64 {
	now := float64(x.Collective.Bytes)
	low, high := now/30, now*30
	if k := x.Knee(); k > 0 {
		low, high = math.Min(low, k/300), math.Max(high, k*300)
	}
	for _, p := range points {
		low, high = math.Min(low, float64(p.Bytes)/3), math.Max(high, float64(p.Bytes)*3)
	}
	low = math.Max(low, 1)
	const n = 61
	var all []float64
	k := x.Knee()
	for i := range n {
		b := low * math.Pow(high/low, float64(i)/(n-1))
		if last := len(all) - 1; k > 0 && last >= 0 && all[last] < k && k < b {
			all = append(all, k)
		}
		all = append(all, b)
	}
	return all
}

func (x *subject) plot(bus bool) *chart.Plot {
	y := func(bytes, t float64) float64 { return t }
	p := &chart.Plot{Title: "Time", X: chart.Axis{Label: "The array", Log: true, Format: instrument.In(quantity.Bytes(1).Quantity())}}
	p.Y = chart.Axis{Label: "Time", Log: true, Format: instrument.In(quantity.Seconds(1).Quantity())}
	if bus {
		y, p.Title = x.bus, "Bus bandwidth"
		p.Y = chart.Axis{Label: p.Title, Format: instrument.In(quantity.Bandwidth(1).Quantity())}
	}
	p.Title += " of " + x.named() + ", over the size of the array"
	m := x.Measured()
	points := m.Points
	fit, fitted := m.Fit()
	p.Series = []chart.Series{{Name: "law", Label: "exact law"}, {Name: "shortcut", Label: "textbook shortcut"}, {Name: "measured", Label: "measured", Dots: true}, {Name: "fit", Label: "fitted line"}}
	add := func(series int, bytes, t float64) {
		s := &p.Series[series]
		s.X, s.Y = append(s.X, bytes), append(s.Y, y(bytes, t))
	}
	low, high := math.Inf(1), 0.0
	for _, b := range x.sizes(points) {
		law, rough := x.Times(b)
		if law <= 0 || rough <= 0 {
			continue
		}
		low, high = math.Min(low, law), math.Max(high, rough)
		add(0, b, law)
		add(1, b, rough)
		if fitted && fit.Least <= quantity.Bytes(b) && quantity.Bytes(b) <= fit.Most {
			add(3, b, float64(fit.Time(quantity.Bytes(b))))
		}
	}
	for _, p := range points {
		add(2, float64(p.Bytes), float64(p.Time))
	}
	switch {
	case len(points) == 0:
		p.Series = p.Series[:2]
	case !fitted:
		p.Series = p.Series[:3]
	}
	if !bus {
		p.Y.Min, p.Y.Max = low/3, high*1.5
	}
	if k := x.Knee(); k > 0 {
		law, _ := x.Times(k)
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Point, X: k, Y: y(k, law), Label: "knee " + x.SizeText(k)})
	}
	p.Current = &chart.Mark{Kind: chart.Vertical, X: float64(x.Collective.Bytes), Label: "now " + x.Size.String()}
	return p
}

// named is the collective and where: "an all-gather over a ring of 4".
func (x *subject) named() string {
	article := "a "
	if x.Collective.Op == network.AllGather || x.Collective.Op == network.AllReduce || x.Collective.Op == network.AllToAll {
		article = "an "
	}
	text := article + x.Collective.Op.String() + " over " + x.Group.String()
	if x.Kind == play.Tree {
		text += " in " + strconv.Itoa(x.Nodes) + " nodes"
	}
	return text
}
