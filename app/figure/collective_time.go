package figure

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// CollectiveLaw writes down the exact law of a collective, stage by stage and term by term: with symbols, and with
// numbers.
func CollectiveLaw(l phrase.Phrases, x *play.Setting) *Drawing {
	d := &Drawing{Title: l.Say("figure.law"), About: l.Say("figure.law-nobody")}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.law-heads")}
	root := markup.El("div", markup.Class("written-law"))
	for i := range x.Cost.Stages {
		st := &x.Cost.Stages[i]
		longest := st.Longest()
		root.Add(markup.El("p", markup.El("b", l.Say("figure.law-stage", "name", phrase.Capital(l.Text(st.Name())))),
			" ", l.Say("figure.ended", "said", st.Why)))
		if i > 0 && longest.Time == x.Cost.Stages[i-1].Longest().Time {
			root.Add(markup.El("p", l.Say("figure.law-again", "time", longest.Time.Quantity())))
			continue
		}
		for j := range st.Terms {
			t := &st.Terms[j]
			label := termLabel(l, t, len(st.Terms) > 1 && t.Resource == longest.Resource)
			symbols, numbers := work(t.Formula, valuesOf(x, t), explain.Plain)
			root.Add(workedTerm(label, t.Formula, valuesOf(x, t), t.Time))
			twin.add(label, symbols, numbers, t.Time.Quantity().String())
		}
	}
	if letters := lettersOf(l, x); letters != "" {
		d.About = ended(l, letters)
		d.AltTables = []Table{twin}
	}
	root.Add(markup.El("p", markup.Class("law-letters"), d.About))
	d.Root = root
	return d
}

// termLabel is what a term is about.
func termLabel(l phrase.Phrases, t *network.Term, longest bool) string {
	label := phrase.Capital(l.Text(t.Resource))
	if t.Resource.Kind == network.LevelEgress {
		label = l.Say("figure.law-inside")
		if t.Resource.Name == "network" {
			label = l.Say("figure.law-between")
		}
	}
	if longest {
		return l.Say("figure.law-longest", "term", label)
	}
	return label
}

// valuesOf are the values of a term's formula, bytes as the reader wrote the size.
func valuesOf(x *play.Setting, t *network.Term) []law.Value {
	values := law.Used(t.Formula, t.Values)
	for i := range values {
		if n := &values[i].Num; n.Dim == x.Size.Dim && n.Value >= 1<<20 {
			n.Binary = x.Size.Binary
		}
	}
	return values
}

// lettersOf says what the letters of the formulas mean, each once.
func lettersOf(l phrase.Phrases, x *play.Setting) string {
	var meant []law.Value
	var all []string
	for _, st := range x.Cost.Stages {
		for _, t := range st.Terms {
			for _, v := range law.Used(t.Formula, t.Values) {
				same := func(m law.Value) bool { return m.Name == v.Name && m.Is.Key == v.Is.Key }
				if slices.ContainsFunc(meant, same) {
					continue
				}
				key := "figure.letter"
				if meant = append(meant, v); len(meant) == 1 {
					key = "figure.letter-is"
				}
				all = append(all, l.Say(key, "letter", v.Name, "meaning", v.Is))
			}
		}
	}
	return clauses(l, all)
}

// CollectiveCurve draws the cost of a collective over the size of its array: the exact law, the textbook's shortcut,
// what was measured, and a line through that. With bus it is the bus bandwidth, else the time.
func CollectiveCurve(l phrase.Phrases, x *play.Setting, bus bool) *Drawing {
	if x.Cost.Time <= 0 {
		return textOnly(l.Say("figure.curve-none"), l.Say("figure.curve-nothing"))
	}
	c := curve{Setting: x, l: l, measured: x.Measured(), bus: bus}
	return plotted(l, c.plot(), c.note())
}

// curve is a plot under way.
type curve struct {
	*play.Setting
	l        phrase.Phrases
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
		X:  chart.Axis{Label: c.l.Say("figure.curve-array"), Log: true, Format: in(quantity.Bytes(1).Quantity())},
	}
	p.Title = c.l.Say("figure.curve-time", "collective", c.named())
	p.Y = chart.Axis{Label: c.l.Say("figure.time"), Log: true, Format: in(quantity.Seconds(1).Quantity())}
	if c.bus {
		p.ID, p.Title = "collective-bus", c.l.Say("figure.curve-bus", "collective", c.named())
		p.Y = chart.Axis{Label: c.l.Say("figure.bus-bandwidth"), Format: in(quantity.Bandwidth(1).Quantity())}
	}
	c.series(p)
	if k := c.Knee(); k > 0 {
		law, _ := c.Times(k)
		knee := c.l.Say("figure.knee", "x", c.SizeText(k))
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Point, X: k, Y: c.y(k, law), Label: knee})
	}
	now := c.l.Say("figure.now", "x", c.Size)
	p.Current = &chart.Mark{Kind: chart.Vertical, X: float64(c.Collective.Bytes), Label: now}
	return p
}

// series adds the law, the shortcut, and, where there are any, the measurements and the line through them.
func (c *curve) series(p *chart.Plot) {
	law, rough := c.one("law", "figure.curve-law"), c.one("shortcut", "figure.curve-shortcut")
	dots, line := c.one("measured", "figure.measured"), c.one("fit", "figure.curve-fitted")
	dots.Dots, law.Main = true, true
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

// one is a series, without its points.
func (c *curve) one(name, label string) chart.Series {
	return chart.Series{Name: name, Label: c.l.Say(label)}
}

// named is the collective and where: "an all-gather over a ring of 4".
func (c *curve) named() string {
	op := c.Collective.Op
	an := op == network.AllGather || op == network.AllReduce || op == network.AllToAll
	key := "figure.a-over"
	switch {
	case c.Kind == play.Tree && an:
		key = "figure.an-over-nodes"
	case c.Kind == play.Tree:
		key = "figure.a-over-nodes"
	case an:
		key = "figure.an-over"
	}
	return c.l.Say(key, "op", op, "group", c.Group, "n", c.Nodes)
}

// note says what was measured, by whom, and what the line through it is.
func (c *curve) note() string {
	m, line := &c.measured, ""
	if len(m.Points) == 0 {
		return c.l.Say("figure.curve-nobody")
	}
	if fit, ok := m.Fit(); ok {
		line = c.l.Say("figure.curve-line", "start", fit.Alpha.Quantity(), "bandwidth", fit.Bandwidth.Quantity(),
			"worst",
			strconv.FormatFloat(100*fit.Worst, 'f', 0, 64), "knee", c.SizeText(float64(fit.Knee())), "law",
			c.Cost.Latency.Quantity())
	}
	return sentences(c.l, line, c.l.Text(m.Doubt), c.l.Say("figure.source", "source", clauses(c.l, m.Sources)))
}
