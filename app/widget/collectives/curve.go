package collectives

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// curve is the cost over size: the law, the shortcut, what was measured.
func (x *subject) curve(s *instrument.State) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("From latency to bandwidth"), s.Control("over"))
	if x.cost.Time <= 0 {
		box.Kids = append(box.Kids, instrument.Note("Nothing is sent, which takes no time."))
		return box
	}
	box.Kids = append(box.Kids, s.Plot("curve", x.plot(s.Text("over") == "bus")))
	box.Kids = append(box.Kids, x.compared(s)...)
	return box
}

// sizes are where the curves are computed: evenly on a logarithmic axis around the knee, the present size and what was measured.
func (x *subject) sizes(points []network.Point) []float64 {
	now := float64(x.c.Bytes)
	low, high := now/30, now*30
	if k := x.knee(); k > 0 {
		low, high = math.Min(low, k/300), math.Max(high, k*300)
	}
	for _, p := range points {
		low, high = math.Min(low, float64(p.Bytes)/3), math.Max(high, float64(p.Bytes)*3)
	}
	low = math.Max(low, 1)
	const n = 61
	var all []float64
	k := x.knee()
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
	points, _, _ := x.measured()
	y := func(bytes float64, t quantity.Seconds) float64 {
		if !bus {
			return float64(t)
		}
		return x.bus(bytes, t)
	}
	law, rough := chart.Series{Name: "law", Label: "exact law"}, chart.Series{Name: "shortcut", Label: "textbook shortcut"}
	for _, b := range x.sizes(points) {
		c, ok := x.at(b)
		if !ok || c.Time <= 0 || max(c.Shortcut, c.Latency) <= 0 {
			continue
		}
		law.X, law.Y = append(law.X, b), append(law.Y, y(b, c.Time))
		rough.X, rough.Y = append(rough.X, b), append(rough.Y, y(b, max(c.Shortcut, c.Latency)))
	}
	low, high := math.Inf(1), 0.0
	for i := range law.Y {
		low, high = math.Min(low, law.Y[i]), math.Max(high, rough.Y[i])
	}
	p := &chart.Plot{
		Title:  "Time of " + x.named() + ", over the size of the array",
		X:      chart.Axis{Label: "The array", Log: true, Format: instrument.In(quantity.Bytes(1).Quantity())},
		Y:      chart.Axis{Label: "Time", Log: true, Min: low / 3, Max: high * 1.5, Format: instrument.In(quantity.Seconds(1).Quantity())},
		Series: []chart.Series{law, rough},
	}
	if bus {
		p.Title = "Bus bandwidth of " + x.named() + ", over the size of the array"
		p.Y = chart.Axis{Label: "Bus bandwidth", Format: instrument.In(quantity.Bandwidth(1).Quantity())}
	}
	if len(points) > 0 {
		p.Series = append(p.Series, x.dots(points, y))
		if fit, err := network.FitAlphaBeta(points); err == nil && len(points) > 1 && !math.IsInf(float64(fit.Bandwidth), 0) {
			line := chart.Series{Name: "fit", Label: "fitted line"}
			for _, b := range law.X {
				line.X, line.Y = append(line.X, b), append(line.Y, y(b, fit.Time(quantity.Bytes(b))))
			}
			p.Series = append(p.Series, line)
		}
	}
	if k := x.knee(); k > 0 {
		c, _ := x.at(k)
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Point, X: k, Y: y(k, c.Time), Label: "knee " + x.bytes(k)})
	}
	p.Current = &chart.Mark{Kind: chart.Vertical, X: float64(x.c.Bytes), Label: "now " + x.size.String()}
	return p
}

func (x *subject) dots(points []network.Point, y func(float64, quantity.Seconds) float64) chart.Series {
	d := chart.Series{Name: "measured", Label: "measured", Dots: true}
	for _, p := range points {
		d.X, d.Y = append(d.X, float64(p.Bytes)), append(d.Y, y(float64(p.Bytes), p.Time))
	}
	return d
}

// named is the collective and where: "an all-gather over a ring of 4".
func (x *subject) named() string {
	article := "a "
	if x.c.Op == network.AllGather || x.c.Op == network.AllReduce || x.c.Op == network.AllToAll {
		article = "an "
	}
	text := article + x.c.Op.String() + " over " + x.group.String()
	if x.net == tree {
		text += " in " + strconv.Itoa(x.nodes) + " nodes"
	}
	return text
}
