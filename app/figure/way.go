package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/execute"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// waySteps writes down a way to compute a product: each step with its law, and the times added up.
type waySteps struct {
	*setup.Way
	l    phrase.Phrases
	twin Table
}

// WaySteps writes a way down, step by step.
func WaySteps(l phrase.Phrases, w *setup.Way) *Drawing {
	x := &waySteps{Way: w, l: l, twin: Table{Caption: l.Say("figure.way-table"), Heads: cells(l, "figure.way-heads")}}
	d := &Drawing{Title: l.Say("figure.way", "way", w.Name()), About: x.sums()}
	if w.Best() {
		d.Title = l.Say("figure.way-best")
	}
	list := markup.El("ol", markup.Class("way-steps written-law"), markup.Attr("translate", "no"))
	for i := range w.Steps {
		list.Add(x.step(&w.Steps[i]))
	}
	x.ledger()
	d.Root = markup.El("div", markup.El("p", l.Text(w.Rank())), list, markup.El("p", d.About))
	d.Now = w.Name()
	d.AltTables = []Table{x.twin}
	return d
}

// step is one step with its law.
func (x *waySteps) step(t *sharding.Step) *markup.Node {
	m := x.Setup.Mesh
	from, to := t.From.String(m), t.To.String(m)
	becomes := from + " → " + to
	if t.Kind == sharding.Multiply {
		becomes = x.l.Say("figure.way-multiply", "from", from, "array", x.Setup.Einsum.B.Name, "to", to)
	}
	head := becomes
	op, sends := t.Kind.Collective()
	var lines []*markup.Node
	switch {
	case t.Kind == sharding.Multiply:
		lines = x.multiply(t, becomes)
	case !sends:
		lines = []*markup.Node{markup.El("p", x.l.Say("figure.way-free"))}
		x.twin.add(t.Title(m), becomes, "", "", "0 s")
	default:
		head = x.l.Say("figure.way-takes", "becomes", becomes, "time", t.Price.Exact.Quantity())
		lines = x.collective(op, t, becomes)
	}
	return markup.El("li", markup.El("p", markup.El("b", Notated(t.Title(m))), " ", Notated(head)), lines)
}

// multiply is what the chips' own products take.
func (x *waySteps) multiply(t *sharding.Step, becomes string) []*markup.Node {
	chip := x.Setup.Limits
	lines := []*markup.Node{x.line(x.l.Say("figure.way-compute"), becomes, "ops/peak", x.Math, []law.Value{
		{Name: "ops", Num: t.FLOPs.Quantity()}, {Name: "peak", Num: chip.Peak.Quantity()}})}
	if chip.HBM > 0 {
		lines = append(lines, x.line(x.l.Say("figure.way-memory"), becomes, "V/W_hbm", x.Memory, []law.Value{
			{Name: "V", Num: t.Bytes.Quantity()}, {Name: "W_hbm", Num: chip.HBM.Quantity()}}))
	}
	return lines
}

// collective is a collective's law with the numbers in it.
func (x *waySteps) collective(op network.Op, t *sharding.Step, becomes string) []*markup.Node {
	group, err := x.Setup.Fabric.Group(t.Axes)
	if err != nil {
		return nil
	}
	c, err := network.Collective{Op: op, Bytes: t.Bytes}.Over(group)
	if err != nil {
		return nil
	}
	key := "figure.way-over"
	if c.Algorithm != nil {
		key = "figure.way-over-by"
	}
	over := []string{x.l.Say(key, "group", group, "n", c.Size, "algorithm", c.Algorithm, "bytes", t.Bytes.Quantity())}
	var lines []*markup.Node
	for _, stage := range c.Stages {
		term := stage.Longest()
		label := phrase.Capital(x.resource(term.Resource, t))
		if len(c.Stages) > 1 {
			label = x.l.Say("figure.way-stage", "stage", phrase.Capital(x.l.Text(stage.Name())), "resource",
				x.resource(term.Resource, t))
		}
		lines = append(lines, x.line(label, t.Title(x.Setup.Mesh)+" "+becomes, term.Formula, term.Time,
			law.Used(term.Formula, term.Values)))
		over = append(over, x.l.Say("figure.way-link", "bytes", term.Bytes.Quantity(), "bandwidth",
			term.Bandwidth.Quantity()))
	}
	if c.Latency > c.Bandwidth {
		over = append(over, x.l.Count(c.Hops, "figure.way-hops", "time", c.Latency.Quantity()))
	}
	words := x.l.Say("figure.way-words", "said", clauses(x.l, over), "shortcut", t.Price.Shortcut.Quantity())
	return append([]*markup.Node{markup.El("p", words)}, lines...)
}

// line is a term of a law, worked out by the renderer of sheets.
func (x *waySteps) line(label, what, text string, time quantity.Seconds, values []law.Value) *markup.Node {
	symbols, numbers := work(text, values, explain.Plain)
	x.twin.add(label, what, symbols, numbers, time.Quantity().String())
	return workedTerm(label, text, values, time)
}

// resource is what a collective waits for. A mesh axis of its own is named; the torus counts its axes.
func (x *waySteps) resource(r network.Resource, t *sharding.Step) string {
	if r.Kind != network.AxisLinks {
		return x.l.Text(r)
	}
	if f := x.Setup.Fabric; len(t.Axes) == 1 && len(f.Pieces) > t.Axes[0] && len(f.Pieces[t.Axes[0]]) < 2 {
		return x.l.Say("figure.along", "axis", x.Setup.Mesh.Axes[t.Axes[0]].Name)
	}
	return x.l.Say("figure.along-wires", "n", r.Name)
}

// sums says what the times come to.
func (x *waySteps) sums() string {
	both, received := "", ""
	if x.Parallel < x.Comms*(1-1e-9) {
		both = x.l.Say("figure.way-parallel", "time", x.Parallel.Quantity())
	}
	if x.Received > 0 {
		received = x.l.Say("figure.way-received", "bytes", x.Received.Quantity())
	}
	sums := x.l.Say("figure.way-sums", "local", x.Local().Quantity(), "lower", x.Lower().Quantity(), "upper",
		x.Upper().Quantity())
	return sentences(x.l, sums, both, received)
}

// ledger adds the times up, below the steps of the twin.
func (x *waySteps) ledger() {
	for _, sum := range []struct {
		key  string
		time quantity.Seconds
	}{
		{"figure.way-all", x.Exact},
		{"figure.way-local", x.Local()},
		{"figure.way-turns", x.Upper()},
		{"figure.way-overlapped", x.Lower()},
	} {
		x.twin.add(append(cells(x.l, sum.key), "", "", sum.time.Quantity().String())...)
	}
}

// WayTrial says what became of a way that was carried out on small numbers.
func WayTrial(l phrase.Phrases, w *setup.Way) *Drawing {
	came := trialWords(l, w)
	root := markup.El("div", markup.El("p", markup.El("b", Notated(w.Name()))), markup.El("p", came))
	return &Drawing{Root: root, Title: l.Say("figure.trial"), About: came, Now: came,
		AltTables: []Table{{Caption: l.Say("figure.trial-table"), Heads: cells(l, "figure.trial-heads"),
			Rows: [][]string{{w.Name(), came}}}}}
}

func trialWords(l phrase.Phrases, w *setup.Way) string {
	t, err := execute.Try(w.Setup.Einsum, w.Steps)
	if err != nil {
		return l.Say("figure.trial-not", "why", strings.TrimSuffix(l.Text(err), "."))
	}
	var sizes []string
	for _, ix := range t.Einsum.Indices {
		sizes = append(sizes, ix.Name+" = "+strconv.FormatFloat(ix.Size, 'f', -1, 64))
	}
	run := l.Say("figure.trial-run", "mesh", t.Einsum.Mesh, "product", t.Einsum.String(), "sizes", commas(l, sizes...))
	if t.Equal {
		return sentences(l, run, l.Say("figure.trial-equal", "n", t.Count))
	}
	return sentences(l, run, l.Say("figure.trial-differs", "most", strconv.FormatFloat(t.Worst, 'g', 3, 64)))
}

// WayCurve draws the times of a way to compute a product over the size of one of its dimensions, as far as it is
// planned, and marks where the best way changes.
func WayCurve(l phrase.Phrases, c *setup.Curve) *Drawing {
	if len(c.Known) == 0 {
		return textOnly(l.Say("figure.times", "size", c.Over), l.Say("figure.times-none", "size", c.Over))
	}
	p := &chart.Plot{ID: "way-times", Title: l.Say("figure.times-best", "size", c.Over),
		X:       chart.Axis{Label: c.Over, Log: true, Format: sizeText},
		Y:       chart.Axis{Label: l.Say("figure.time"), Log: true, Format: in(quantity.Seconds(1).Quantity())},
		Series:  waySeries(l, c),
		Current: &chart.Mark{Kind: chart.Vertical, X: c.Now, Label: c.Over + " = " + sizeText(c.Now)}}
	if !c.Way.Best() {
		p.Title = l.Say("figure.times-chosen", "size", c.Over)
	}
	changes := ""
	for i, r := range c.Regimes() {
		if i > 0 {
			changes = l.Say("figure.times-changes")
			p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: r.From,
				Label: c.Over + " = " + sizeText(r.From)})
		}
	}
	return plotted(l, p, sentences(l, l.Say("figure.times-note"), changes))
}

// waySeries are the curves: memory traffic only where it counts, the chosen way only where it isn't the best.
func waySeries(l phrase.Phrases, c *setup.Curve) []chart.Series {
	curves := []chart.Series{{Name: "T_math", Label: l.Say("figure.compute")},
		{Name: "T_comms", Label: l.Say("figure.communicate")},
		{Name: "best", Label: l.Say("figure.best-in-all"), Main: true},
		{Name: "T_hbm", Label: l.Say("figure.memory")}, {Name: "way", Label: l.Say("figure.chosen-in-all")}}
	shown := [5]bool{2: true, 4: !c.Way.Best()}
	for _, p := range c.Known {
		for k, y := range [...]float64{p.Math, p.Comms, p.Best, p.Memory, p.Took} {
			if y <= 0 {
				y = math.NaN()
			}
			curves[k].X, curves[k].Y = append(curves[k].X, p.Size), append(curves[k].Y, y)
			shown[k] = shown[k] || k < 2 && y > 0 || k == 3 && y > p.Math && y > p.Comms
		}
	}
	var all []chart.Series
	for k := range curves {
		if shown[k] {
			all = append(all, curves[k])
		}
	}
	return all
}

// sizeText is the size of a dimension as a reader knows it.
func sizeText(x float64) string { return quantity.Quantity{Value: math.Round(x)}.String() }
