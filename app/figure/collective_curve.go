package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/quantity"
)

// CollectiveCurve draws the cost of a collective over the size of its array: the exact law, the textbook's shortcut,
// what was measured, and a line through that. With bus it is the bus bandwidth, else the time.
func CollectiveCurve(x *play.Setting, bus bool) *Drawing {
	if x.Cost.Time <= 0 {
		return &Drawing{Root: markup.El("p", "Nothing is sent, which takes no time."), Title: "Cost over size",
			About: "Nothing is sent, which takes no time."}
	}
	c := curve{Setting: x, measured: x.Measured(), bus: bus}
	p := c.plot()
	laid := p.Draw()
	heads, rows := laid.Twin()
	return &Drawing{Root: markup.Raw(laid.SVG()), Title: p.Title, About: laid.Summary(), Note: c.note(),
		Twin: []Table{{Caption: p.Title, Heads: heads, Rows: rows}}}
}

// curve is a plot under way.
type curve struct {
	*play.Setting
	measured play.Measured
	bus      bool
}

// y is what is plotted of a size and its time.
func (c *curve) y(bytes, t float64) float64 {
	if c.bus {
		return c.BusFactor() * bytes / t
	}
	return t
}

// sizes are where the curves are computed: evenly on a logarithmic axis around the knee, the present size and what was
// measured.
func (c *curve) sizes() []float64 {
	now, knee := float64(c.Collective.Bytes), c.Knee()
	low, high := now/30, now*30
	if knee > 0 {
		low, high = math.Min(low, knee/300), math.Max(high, knee*300)
	}
	for _, p := range c.measured.Points {
		low, high = math.Min(low, float64(p.Bytes)/3), math.Max(high, float64(p.Bytes)*3)
	}
	low = math.Max(low, 1)
	const n = 61
	var all []float64
	for i := range n {
		b := low * math.Pow(high/low, float64(i)/(n-1))
		if last := len(all) - 1; knee > 0 && last >= 0 && all[last] < knee && knee < b {
			all = append(all, knee)
		}
		all = append(all, b)
	}
	return all
}

// in prints numbers in a unit.
func in(unit quantity.Quantity) func(float64) string {
	return func(v float64) string {
		q := unit
		q.Value = v
		return q.String()
	}
}

func (c *curve) plot() *chart.Plot {
	p := &chart.Plot{
		ID: "collective-time",
		X:  chart.Axis{Label: "The array", Log: true, Format: in(quantity.Bytes(1).Quantity())},
	}
	p.Y = chart.Axis{Label: "Time", Log: true, Format: in(quantity.Seconds(1).Quantity())}
	if c.bus {
		p.ID = "collective-bus"
		p.Y = chart.Axis{Label: "Bus bandwidth", Format: in(quantity.Bandwidth(1).Quantity())}
	}
	p.Title = p.Y.Label + " of " + c.named() + ", over the size of the array"
	c.series(p)
	if k := c.Knee(); k > 0 {
		law, _ := c.Times(k)
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Point, X: k, Y: c.y(k, law), Label: "knee " + c.SizeText(k)})
	}
	p.Current = &chart.Mark{Kind: chart.Vertical, X: float64(c.Collective.Bytes), Label: "now " + c.Size.String()}
	return p
}

// series adds the law, the shortcut, and, where there are any, the measurements and the line through them.
func (c *curve) series(p *chart.Plot) {
	law, rough := chart.Series{Name: "law", Label: "exact law"}, chart.Series{Name: "shortcut", Label: "textbook shortcut"}
	dots, line := chart.Series{Name: "measured", Label: "measured", Dots: true}, chart.Series{Name: "fit",
		Label: "fitted line"}
	add := func(s *chart.Series, bytes, t float64) { s.X, s.Y = append(s.X, bytes), append(s.Y, c.y(bytes, t)) }
	fit, fitted := c.measured.Fit()
	low, high := math.Inf(1), 0.0
	for _, b := range c.sizes() {
		exact, short := c.Times(b)
		if exact <= 0 || short <= 0 {
			continue
		}
		low, high = math.Min(low, exact), math.Max(high, short)
		add(&law, b, exact)
		add(&rough, b, short)
		if fitted {
			add(&line, b, float64(fit.Time(quantity.Bytes(b))))
		}
	}
	for _, m := range c.measured.Points {
		add(&dots, float64(m.Bytes), float64(m.Time))
	}
	p.Series = []chart.Series{law, rough}
	if len(c.measured.Points) > 0 {
		p.Series = append(p.Series, dots)
	}
	if fitted {
		p.Series = append(p.Series, line)
	}
	if !c.bus {
		p.Y.Min, p.Y.Max = low/3, high*1.5
	}
}

// named is the collective and where: "an all-gather over a ring of 4".
func (c *curve) named() string {
	article := "a "
	if op := c.Collective.Op; op == network.AllGather || op == network.AllReduce || op == network.AllToAll {
		article = "an "
	}
	text := article + c.Collective.Op.String() + " over " + c.Group.String()
	if c.Kind == play.Tree {
		text += " in " + strconv.Itoa(c.Nodes) + " nodes"
	}
	return text
}

// note says what was measured, by whom, and what the line through it is.
func (c *curve) note() string {
	m := &c.measured
	if len(m.Points) == 0 {
		return "Nobody's measurements of exactly this are in the book."
	}
	text := ""
	if fit, ok := m.Fit(); ok {
		text = "The line through them with the least squared relative errors: a start of " + fit.Alpha.Quantity().String() +
			" and " + fit.Bandwidth.Quantity().String() +
			" of array after it. At worst it is off by " + strconv.FormatFloat(100*fit.Worst, 'f', 0, 64) +
			" %; half of its time is start at " + c.SizeText(float64(fit.Knee())) +
			". The law's own start is " + c.Cost.Latency.Quantity().String() +
			" of steps; the rest of the measured one is software, and what else the law leaves out. "
	}
	if m.Doubt != "" {
		text += m.Doubt + " "
	}
	return text + "Source: " + strings.Join(m.Sources, "; ") + "."
}
