package widget

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/plot"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// drawnPlot is a plot as it was last drawn. twin is its text twin, kept while it is closed.
type drawnPlot struct {
	rev     int
	said    string        // the estimate that it shows
	curve   *chart.Series // the one that the reader drew
	follows string        // the estimate that follows from it
	strokes int           // how often it was changed
	name    string        // of the x input
	plot    *chart.Plot
	drawing chart.Drawing
	now     int // the position of the reading line where the sheet stands
	err     error
	twin    *Node
}

// draw samples the plot in the present state, once for each.
func (v *built) draw(i int) *drawnPlot {
	d := v.plots[i]
	if i >= len(v.Sheet.Plots) {
		if d == nil {
			return &drawnPlot{err: phrase.New("widget.plot-missing")}
		}
		return d
	}
	if d == nil {
		d = &drawnPlot{rev: -1}
		v.plots[i] = d
	}
	e, asked := v.estimateOn(i)
	if d.rev != v.rev || d.said != e.print {
		data := v.Sheet.PlotData(v.State, v.Sheet.Plots[i])
		d.rev, d.said, d.name, d.err = v.rev, e.print, data.X.Name, data.Err
		d.plot = chartOf(v.phrases(), v.id("plot", strconv.Itoa(i+1)), data)
		d.plot.Guess, d.plot.Sketch = v.guessMark(e, data.Current), e.curve
		d.drawing = d.plot.Draw()
		if e.whole {
			v.trace(d, e)
		}
	}
	if d.now = d.cursorNow(); asked && v.Veiled(e.name) {
		d.now = d.stepOf(e)
	}
	return d
}

// chartOf is the drawing of sampled data.
func chartOf(l phrase.Phrases, id string, data *plot.Data) *chart.Plot {
	p := &chart.Plot{ID: id, Title: data.Title, X: axis(data.X), Y: axis(data.Y), Phrases: l}
	labels := make([]string, len(data.Series))
	for i, c := range data.Series {
		labels[i] = cmp.Or(c.Label, c.Name)
	}
	for i, label := range shortNames(labels) {
		c := data.Series[i]
		p.Series = append(p.Series, chart.Series{Name: c.Name, Label: label, X: c.X, Y: c.Y, Main: c.Main})
	}
	for _, m := range data.Marks {
		kind := chart.Point
		if math.IsNaN(m.Y) {
			kind = chart.Vertical
		}
		p.Marks = append(p.Marks, chart.Mark{Kind: kind, X: m.X, Y: m.Y, Label: m.Label, Of: m.Series + 1})
	}
	if !math.IsNaN(data.Current) {
		p.Current = &chart.Mark{
			Kind:  chart.Vertical,
			X:     data.Current,
			Label: data.X.Name + " = " + format(data.X)(data.Current),
		}
	}
	return p
}

// shortNames are the labels of curves without what tells nobody apart: "TPU7x" for "TPU7x (Ironwood)", "H100" for
// "H100 SXM 80 GB". Labels that would become the same stay long.
func shortNames(labels []string) []string {
	for _, cut := range []func(string) string{withoutBrackets, withoutSize} {
		short, count := make([]string, len(labels)), map[string]int{}
		for i, label := range labels {
			short[i] = cut(label)
			count[short[i]]++
		}
		for i := range short {
			if count[short[i]] > 1 {
				short[i] = labels[i]
			}
		}
		labels = short
	}
	return labels
}

func withoutBrackets(label string) string {
	if short, rest, ok := strings.Cut(label, " ("); ok && strings.HasSuffix(rest, ")") && !strings.Contains(rest, "(") {
		return short
	}
	return label
}

// withoutSize leaves out how a chip is mounted and how much memory it has.
func withoutSize(label string) string {
	short, _, ok := strings.Cut(label, " SXM")
	if !ok || !strings.HasSuffix(label, " GB") {
		return label
	}
	return short
}

func axis(a plot.Axis) chart.Axis {
	label := a.Label
	if label == "" {
		label = a.Name
	}
	drawn := chart.Axis{Label: label, Log: a.Log, Min: a.Min, Max: a.Max, Format: format(a), Categories: a.Categories}
	switch {
	case !a.Log:
	case a.Max > 600 && a.Unit.Dim == (quantity.Dim{quantity.Second: 1}): // 1000 s are 16.7 min
		drawn.Round = chart.RoundTimes()
	case a.Unit.Dim == (quantity.Dim{quantity.Dollar: 1, quantity.Second: -1}): // $0.0002/s are $0.72/hour
		drawn.Round = chart.RoundPrices()
	}
	return drawn
}

// format prints numbers of an axis: its dimension's units, without the noun of a count, which the label names.
func format(a plot.Axis) func(float64) string {
	return func(x float64) string {
		q := a.Unit
		q.Value = x
		return q.Uncounted().String()
	}
}

// plot is a drawing, a line of reading that follows pointer and keys, and the same as a table.
func (v *View) plot(i int) *Node {
	if !v.Result.ShowsPlot(i) {
		return absent()
	}
	key, d := partKey("plot", strconv.Itoa(i)), v.draw(i)
	id := v.id("plot", strconv.Itoa(i+1))
	of := v.Sheet.Plots[i]
	_, placed := v.estimateOn(i)
	veiled := v.veil(append(of.Y[:len(of.Y):len(of.Y)], of.Marks...), of.Over)
	parts := append([]any{class("plot"), attr("id", id)}, veiled...)
	fig := el("figure", append(parts, bare("data-place", placed))...)
	if d.err != nil {
		fig.Kids = append(fig.Kids, el("p", class("none"), spoken(v.say("widget.no-plot", "why", d.err))))
		return fig
	}
	fig.Kids = append(append(fig.Kids, v.stage(i, d, id, key)...), v.twinOf(i, key, d))
	if d.plot.Title != "" {
		fig.Kids = append(fig.Kids, el("figcaption", d.plot.Title))
	}
	return fig
}

// stage is the drawing with its reading line, and what the curves have there in words.
func (v *View) stage(i int, d *drawnPlot, id, key string) []*Node {
	words := d.words(d.drawing.Read(d.xAt(d.now)))
	stage := el("div", class("plot-stage"), on("pointermove", DoPoint, key), on("pointerdown", DoPoint, key),
		on("pointerleave", DoLeave, key), raw(`<div class="chart-box">`+d.drawing.SVG()+`</div>`))
	stage.Kids = append(stage.Kids, v.cursors(i, d, id, key, words)...)
	return []*Node{
		stage,
		el("p", class("readout"), attr("aria-hidden", "true"), attr("translate", "no"), words),
	}
}

// cursorNow is the position of the reading line where the sheet stands.
func (d *drawnPlot) cursorNow() int {
	if d.plot.Current == nil {
		return 0
	}
	return d.positionAt(d.drawing.Cursor(d.plot.Current.X))
}

// positionAt is the position of the reading line for a place in the drawing, in its own coordinates.
func (d *drawnPlot) positionAt(place float64) int {
	from, to := d.drawing.Cursor(d.drawing.XAt(0)), d.drawing.Cursor(d.drawing.XAt(1))
	if to == from {
		return 0
	}
	return int(math.Round(math.Max(0, math.Min(1, (place-from)/(to-from))) * sliderSteps))
}

// xAt is the x at a position: exactly where the sheet stands, if that is the position.
func (d *drawnPlot) xAt(position int) float64 {
	if d.plot.Current != nil && position == d.now {
		return d.plot.Current.X
	}
	return d.drawing.XAt(float64(position) / sliderSteps)
}

// words says what the curves have at x. A line breaks neither within a number nor before a dot.
func (d *drawnPlot) words(r chart.Reading) string {
	const nbsp = "\u00a0"
	parts := make([]string, 0, len(r.Values))
	for _, y := range r.Values {
		parts = append(parts, reads(y.Label, strings.ReplaceAll(y.Text, " ", nbsp)))
	}
	if len(d.plot.X.Categories) == 0 {
		r.XText = strings.ReplaceAll(d.name+" = "+r.XText, " ", nbsp)
	}
	return r.XText + ": " + strings.Join(parts, nbsp+"· ")
}

// reads is what a curve is: "HBM 8.59 µs", but "every = 1: 9.66 GB", whose numbers would run into each other.
func reads(curve, value string) string {
	if strings.TrimRight(curve, "0123456789") != curve {
		curve += ":"
	}
	return curve + " " + value
}

// CursorID is the ID of the control of plot i's reading line.
func (v *evaluated) CursorID(i int) string { return v.id("plot", strconv.Itoa(i+1)) + "-cursor" }

// CursorNow is the position of plot i's reading line where the sheet stands now.
func (v *built) CursorNow(i int) int { return v.draw(i).now }

// Reading is what a plot says at one position of its reading line, and how to draw the line there.
type Reading struct {
	Words   string
	At      float64   // where the line stands in the drawing, in its own coordinates
	Dots    []float64 // where each curve is on it; NaN if it isn't
	Upright bool      // the plot runs from top to bottom
}

// Read is what plot i says at a position of its reading line.
func (v *built) Read(i, position int) Reading {
	d := v.draw(i)
	if d.err != nil {
		return Reading{}
	}
	x := d.xAt(position)
	read := d.drawing.Read(x)
	r := Reading{Words: d.words(read), At: d.drawing.Cursor(x), Upright: len(d.plot.X.Categories) > 0}
	for _, y := range read.Values {
		r.Dots = append(r.Dots, y.At)
	}
	return r
}

// twinOf is the plot as a table, rebuilt only while it can be seen.
func (v *View) twinOf(i int, key string, d *drawnPlot) *Node {
	if v.open[key] {
		d.twin = nil
		return v.buildTwin(i, key, d)
	}
	if d.twin == nil {
		d.twin = v.buildTwin(i, key, d)
	}
	return d.twin
}

func (v *View) buildTwin(i int, key string, d *drawnPlot) *Node {
	header, rows := d.drawing.AltTable()
	return el("details", class("twin"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
		el("summary", v.say("widget.as-table")),
		onePiece(grid(v.id("plot", strconv.Itoa(i+1), "twin"), d.drawing.Summary(), header, textCells(rows))))
}

// drawer draws the figure of a name in a language, from its values.
type drawer func(l phrase.Phrases, name string, args []value.Value) (*figure.Drawing, error)

// drawnFigure is a figure as it was last drawn. It is drawn again only when its values change.
type drawnFigure struct {
	rev     int
	args    []value.Value
	drawing *figure.Drawing
	err     error
	drawn   int // how often it was drawn
}

// drawFigure draws figure i in the present state.
func (v *built) drawFigure(i int) *drawnFigure {
	d := v.figures[i]
	if d == nil {
		d = &drawnFigure{rev: -1}
		v.figures[i] = d
	}
	if d.rev == v.rev {
		return d
	}
	d.rev = v.rev
	args, err := v.Result.FigureArgs(i)
	if d.drawn > 0 && err == nil && d.err == nil && slices.EqualFunc(args, d.args, value.Value.Same) {
		return d
	}
	d.drawn++
	d.args, d.drawing, d.err = args, nil, err
	if err == nil {
		d.drawing, d.err = v.drawer(v.phrases(), v.Sheet.Figures[i].Figure.Name, args)
	}
	return d
}

// figure is a drawing made from values, and the same in words.
func (v *View) figure(i int) *Node {
	if !v.Result.ShowsFigure(i) {
		return absent()
	}
	d, key, id := v.drawFigure(i), partKey("figure", strconv.Itoa(i)), v.id("figure", strconv.Itoa(i+1))
	fig := el("figure", class("drawing"), attr("id", id), attr("data-figure", v.Sheet.Figures[i].Figure.Name))
	if d.err != nil {
		fig.Add(el("p", class("none"), spoken(v.say("widget.no-drawing", "why", d.err))))
		return fig
	}
	stage := el("div", class("drawing-stage"), on("click", DoPick, key), on("keydown", DoPick, key),
		on("change", DoPick, key), picture(d.drawing))
	fig.Add(stage, v.strip(i))
	if i != v.lead() {
		fig.Add(v.figureTwin(key, id, d.drawing))
	}
	fig.Add(figureCaption(v.caption(v.Sheet.Figures[i].Caption), d.drawing))
	return fig
}

// leadTwin is what the picture that opens a chapter shows, apart from it: the controls come first.
func (v *View) leadTwin(i int) *Node {
	d := v.drawFigure(i)
	if d.err != nil {
		return absent()
	}
	return v.figureTwin(partKey("twin", strconv.Itoa(i)), v.id("figure", strconv.Itoa(i+1)), d.drawing)
}

// picture is a drawing without its words.
func picture(d *figure.Drawing) *Node {
	if d.Root.Raw == "" {
		return d.Root
	}
	return raw(`<div class="drawing-box">` + d.Root.Raw + `</div>`)
}

// figureCaption is what the author says of a drawing, or else what it is, unless the picture says so itself, and what
// is needed to read it.
func figureCaption(author string, d *figure.Drawing) *Node {
	if author == "" && !d.Headed {
		author = d.Title
	}
	caption := el("figcaption", author)
	if d.Note != "" {
		caption.Add(el("p", class("drawing-note"), d.Note))
	}
	return caption
}

// figureTwin is what a drawing shows, as tables or in a sentence.
func (v *View) figureTwin(key, id string, d *figure.Drawing) *Node {
	summary, inside := v.say("widget.in-words"), []*Node{el("p", d.About)}
	if len(d.AltTables) > 0 {
		summary, inside = v.say("widget.as-table"), nil
	}
	for i, t := range d.AltTables {
		inside = append(inside, onePiece(grid(id+"--twin"+strconv.Itoa(i+1), t.Caption, t.Heads, textCells(t.Rows))))
	}
	return el(
		"details",
		class("twin"),
		attr("data-key", key),
		bare("open", v.open[key]),
		on("toggle", DoToggle, key),
		el("summary", summary),
		inside,
	)
}

// onePiece is a node as one piece of HTML: in a browser thousands of cells, in which nothing happens, are one element
// then, not one each.
func onePiece(n *Node) *Node { return raw(HTML(n)) }

// textCells are the cells of a table of texts.
func textCells(rows [][]string) [][]*Node {
	cells := make([][]*Node, len(rows))
	for r, row := range rows {
		for _, c := range row {
			cells[r] = append(cells[r], text(c))
		}
	}
	return cells
}

// Pick is the reader choosing what sets inputs, as a figure's data-set or the option of a menu says: "name=value", a
// line each. A name alone puts its input back to its author's value.
func (v *state) Pick(set string) error {
	for line := range strings.Lines(set) {
		name, value, given := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !given {
			v.Undo(name)
		} else if err := v.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
