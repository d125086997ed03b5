package widget

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// estimate is a question that a plot answers, and where in the plot its reader's estimate stands.
type estimate struct {
	name  string            // the asked row
	whole bool              // the curve is asked for, and not one value of it
	along bool              // a place of the x axis is asked for, and not of the y axis
	like  quantity.Quantity // one of what is asked for
	text  string            // what the reader said, or is about to
	value float64           // NaN if that is no number of this kind
	curve *chart.Series     // the curve that the reader drew through it; nil for none
	print string            // changes with the text and the curve
}

// estimateOn is the first question that a plot over numbers answers, if there is one.
func (v *built) estimateOn(i int) (e estimate, ok bool) {
	p := v.Sheet.Plots[i]
	e.value = math.NaN()
	if in := v.fitted(p.Over); in == nil || !in.IsNumber() {
		return e, false
	}
	for _, a := range v.Sheet.Asks {
		along := v.seeks(a.Name, p.Over) && a.Over == ""
		if row := v.row(a.Name); a.Symbols == nil && row.Err == nil && (along || slices.Contains(p.Y, a.Name) &&
			(a.Over == "" || a.Over == p.Over)) {
			q := row.Value.Num
			e = estimate{name: a.Name, whole: a.Over != "", along: along, text: v.guessText(a.Name), value: math.NaN(),
				like: quantity.Quantity{Value: 1, Dim: q.Dim, Label: q.Label}}
			if q, err := quantity.ParseLike(e.text, e.like); err == nil && e.text != "" {
				e.value = q.Value
			}
			v.recall(i, &e)
			return e, true
		}
	}
	return e, false
}

// guessText is what the reader said of an asked row, or has in the field.
func (v *questions) guessText(name string) string {
	if g := v.guesses[name]; g.isKnown() {
		return g.Text
	}
	return trimSpace(v.fields[v.id(name, "guess")])
}

// guessMark is the estimate as the plot draws it, nil if there is none.
func (v *evaluated) guessMark(e estimate, now float64) *chart.Mark {
	switch {
	case math.IsNaN(e.value):
		return nil
	case e.along:
		return &chart.Mark{Kind: chart.Vertical, X: e.value, Label: v.say("widget.your-estimate")}
	}
	return &chart.Mark{Kind: chart.Point, X: now, Y: e.value, Label: v.say("widget.your-estimate")}
}

// Estimates says whether the reader may place an estimate on plot i, since it would give the answer away.
func (v *built) Estimates(i int) bool {
	if i >= len(v.Sheet.Plots) {
		return false
	}
	e, ok := v.estimateOn(i)
	return ok && v.Veiled(e.name)
}

// PlaceAt is the reader pointing at a place of plot i, in its own coordinates, to estimate there: an x that is asked
// for, or how high the curve runs. Whoever drags on draws it.
func (v *built) PlaceAt(i int, left, top float64) {
	d := v.draw(i) // before the estimate, which may follow from it
	e, _ := v.estimateOn(i)
	x, y := d.drawing.At(left, top)
	if e.along {
		v.suppose(e, x)
		return
	}
	v.bend(d, e, (d.positionAt(left)*(handles-1)+sliderSteps/2)/sliderSteps, y)
}

// PlaceStep is the reader moving an estimate on plot i with the keyboard, along the axis that is asked for, or one
// handle of a curve, which the control's id names.
func (v *built) PlaceStep(i int, id string, position int) {
	d, share := v.draw(i), float64(position)/sliderSteps
	e, _ := v.estimateOn(i)
	if e.along {
		v.suppose(e, d.drawing.XAt(share))
		return
	}
	v.bend(d, e, index(id[len(id)-1:]), d.drawing.YAt(share))
}

// suppose puts a value that the reader pointed at into the field of its question.
func (v *state) suppose(e estimate, value float64) {
	e.like.Value = value
	v.SetField(v.id(e.name, "guess"), e.like.Typed(2))
}

// stepOf is where the keyboard stands on the axis that is asked for.
func (d *drawnPlot) stepOf(e estimate) int {
	switch {
	case math.IsNaN(e.value):
		return sliderSteps / 2
	case e.along:
		return d.positionAt(d.drawing.Cursor(e.value))
	}
	return int(math.Round(d.drawing.Share(e.value) * sliderSteps))
}

// cursors are the controls of a plot: one that moves its reading line, and one that moves the line where the sheet
// stands; or the estimate while the plot is veiled; for a curve to be drawn, one for each handle.
func (v *View) cursors(i int, d *drawnPlot, id, key, words string) []*Node {
	e, _ := v.estimateOn(i)
	switch {
	case !v.Estimates(i):
		nodes := []*Node{slide(v.CursorID(i), key, d.now, v.say("widget.read-plot", "label", d.plot.X.Label), words)}
		if in := v.dragged(i); in != nil && !v.static {
			nodes = append(nodes, v.marker(in, id))
		}
		return nodes
	case e.along || v.static:
		return []*Node{slide(v.CursorID(i), key, d.now, v.say("widget.place-estimate", "question", v.question(e.name)),
			cmp.Or(e.text, v.say("widget.place-none")))}
	}
	return v.handleNodes(d, e, id, key)
}

func slide(id, key string, at int, label, words string) *Node {
	return el("input", attr("type", "range"), class("plot-cursor"), attr("id", id), attr("min", "0"),
		attr("max", strconv.Itoa(sliderSteps)), attr("step", "1"), attr("value", strconv.Itoa(at)),
		attr("aria-label", label), attr("aria-valuetext", words), attr("autocomplete", "off"), on("input", DoRead, key))
}

// seeks says whether a row looks for the value of an input.
func (v *evaluated) seeks(name, over string) bool {
	wanted, _, _ := strings.Cut(v.Sheet.Formula(name, explain.Code), " where ")
	return wanted == over && v.row(name).Def.Kind == "solve"
}

// handles is how many points a curve that is drawn has: at the ends of the x axis, and between them.
const handles = 5

// recall brings back the curve that the reader drew on plot i, as long as the estimate is the one that followed from
// it.
func (v *built) recall(i int, e *estimate) {
	e.print = e.text
	if d := v.plots[i]; d != nil && d.curve != nil && d.follows == e.text {
		e.curve = d.curve
		e.print += "~" + strconv.Itoa(d.strokes)
	}
}

// bend moves one handle of the reader's curve, which begins level. The estimate is what it has where the sheet stands.
func (v *questions) bend(d *drawnPlot, e estimate, handle int, y float64) {
	if e.curve == nil {
		e.curve = d.level(v.say("widget.your-estimate"), y)
		if !math.IsNaN(e.value) {
			e.curve = d.level(e.curve.Label, e.value)
		}
	}
	e.curve.Y[handle] = y
	if e.whole {
		v.supposeAll(e, e.curve.Y)
		return
	}
	if here := d.plot.Current; here != nil && !math.IsNaN(d.drawing.On(e.curve, here.X)) {
		y = d.drawing.On(e.curve, here.X)
	}
	v.suppose(e, y)
	d.curve, d.follows = e.curve, v.guessText(e.name)
	d.strokes++
}

// level is a curve that has one value everywhere.
func (d *drawnPlot) level(label string, y float64) *chart.Series {
	return &chart.Series{Label: label, X: d.abscissae(), Y: slices.Repeat([]float64{y}, handles)}
}

// handleNodes are the controls of the reader's curve.
func (v *evaluated) handleNodes(d *drawnPlot, e estimate, id, key string) []*Node {
	nodes := make([]*Node, handles)
	for k, at := range d.abscissae() {
		x := d.plot.X.Format(at)
		height := v.say("widget.place-none")
		if e.curve != nil {
			height = d.plot.Y.Format(e.curve.Y[k])
		}
		nodes[k] = slide(handleID(id, k), key, d.handleStep(e, k),
			v.say("widget.place-curve", "x", x, "label", d.plot.X.Label), height)
	}
	return nodes
}

// handleID ends with the handle's number, one digit.
func handleID(plot string, k int) string { return plot + "-handle-" + strconv.Itoa(k) }

// handleStep is where a handle of the reader's curve stands on the y axis.
func (d *drawnPlot) handleStep(e estimate, k int) int {
	if e.curve != nil {
		e.value = e.curve.Y[k]
	}
	return d.stepOf(e)
}

// handleControls are what the handles should hold now.
func (v *built) handleControls(i int, d *drawnPlot, id string) (cs []Control) {
	e, _ := v.estimateOn(i)
	for k := range handles {
		cs = append(cs, Control{ID: handleID(id, k), Value: strconv.Itoa(d.handleStep(e, k))})
	}
	return cs
}

// aside says how far the reader's curve is off at its ends and in the middle, as factors; nothing where it has none.
func (v *built) aside(name string) string {
	for i := range v.Sheet.Plots {
		e, _ := v.estimateOn(i)
		if e.name != name || e.curve == nil || e.whole {
			continue
		}
		off := v.plots[i].off(e)
		if total := off[0] + off[handles/2] + off[handles-1]; total-total != 0 {
			return ""
		}
		return " " + v.say("widget.guess-curve", "left", factor(off[0]), "middle", factor(off[handles/2]),
			"right", factor(off[handles-1]))
	}
	return ""
}

// off is how far each handle is from the true curve, as a factor; NaN or infinite where there is none.
func (d *drawnPlot) off(e estimate) (off [handles]float64) {
	for _, s := range d.plot.Series {
		if s.Name != e.name {
			continue
		}
		for k, x := range e.curve.X {
			f := e.curve.Y[k] / d.drawing.On(&s, x)
			off[k] = math.Max(f, 1/f)
		}
		return off
	}
	off[0] = math.NaN()
	return off
}

// reach is how far from the line where the sheet stands a pointer may take hold of it, in units of the drawing.
const reach = 14

// dragged is the input that a reader sets by dragging the line where the sheet stands on plot i; nil if there is none.
func (v *built) dragged(i int) *input.Input {
	if i >= len(v.Sheet.Plots) || v.Estimates(i) {
		return nil
	}
	in, d := v.fitted(v.Sheet.Plots[i].Over), v.draw(i)
	if in == nil || !in.Ranged || in.Absent || in.Form() != input.NumberForm || d.err != nil || d.plot.Current == nil {
		return nil
	}
	return in
}

// Grips says whether a pointer at a place of plot i, in its own coordinates, can take hold of the line where the sheet
// stands.
func (v *built) Grips(i int, left float64) bool {
	if v.dragged(i) == nil {
		return false
	}
	d := v.draw(i)
	return math.Abs(left-d.drawing.Cursor(d.plot.Current.X)) <= reach
}

// Drag sets the input along the x axis of plot i to where the pointer has moved its line.
func (v *View) Drag(i int, left float64) {
	if in := v.dragged(i); in != nil {
		x, _ := v.draw(i).drawing.At(left, 0)
		v.Slide(in.Name, scaleOf(in).Position(x))
	}
}

// marker moves the line where the sheet stands with the keyboard: it is one more slider of the input.
func (v *evaluated) marker(in *input.Input, id string) *Node {
	return v.sliderOf(in, "plot-cursor", markerID(id), v.say("widget.move-mark", "label", v.called(in.Name)))
}

func markerID(plot string) string { return plot + "-mark" }

// checkAnswer says how far off an answer is: a number as a factor; a formula by what it comes to with these numbers and
// with others.
func (v *View) checkAnswer(name string, g *Guess) error {
	if g.Text == "" {
		return phrase.New("widget.guess-missing")
	}
	row := v.row(name)
	if row.Err != nil {
		g.Verdict = v.say("widget.answer-none", "why", row.Err)
		return nil
	}
	like := quantity.Quantity{Value: 1, Dim: row.Value.Num.Dim, Label: row.Value.Num.Label}
	a := v.ask(name)
	if a.Over != "" {
		return v.checkCurve(a, g, like)
	}
	guess, err := quantity.ParseLike(g.Text, like)
	formula := v.onPaper(a, g.Text)
	used := v.namesIn(formula)
	if a.Symbols != nil || err != nil && len(used) > 0 && !v.Sheet.Long() {
		return v.checkFormula(a, g, formula, used)
	}
	if err := needsUnit(g.Text, row.Value.Num); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	if guess.Value <= 0 && row.Value.Num.Value > 0 { // no estimate: the answer is not given away for it
		return phrase.New("widget.guess-positive")
	}
	said := g.Text
	if !quantity.Plainly(said) {
		said = v.say("widget.read-as", "text", said, "read", guess)
	}
	g.Score = score(guess.Value, row.Value.Num.Value)
	g.Verdict = v.compared(said, guess.Value, row.Value.Num.Value, row.In(v.phrases())) +
		v.hint(guess.Value/row.Value.Num.Value, like.Dim) + v.aside(name)
	return nil
}

// score is how far an estimate is off, for programs.
func score(guess, value float64) string {
	f := math.Max(math.Abs(guess/value), math.Abs(value/guess))
	switch {
	case guess == value:
		return "1"
	case guess*value > 0 && f-f == 0:
		return strconv.FormatFloat(f, 'g', 4, 64)
	}
	return "wrong"
}

// compared says how far an estimate is off, as a factor where both have one sign.
func (v *evaluated) compared(said string, guess, value float64, is string) string {
	f, low := math.Max(math.Abs(guess/value), math.Abs(value/guess)), math.Abs(guess) < math.Abs(value)
	key, off := "widget.guess-high", ""
	switch {
	case guess == value:
		key = "widget.guess-exact"
	case guess*value <= 0:
		key, off = "widget.guess-off", quantity.Quantity{Value: math.Abs(guess - value)}.String()
	case f < 1.02:
		key = "widget.guess-close"
	case f >= 1.25:
		off = factor(f)
		if low {
			key = "widget.guess-low"
		}
	default:
		key, off = "widget.guess-near-high", quantity.Percent(f-1, 0)
		if low {
			key = "widget.guess-near-low"
		}
	}
	return v.verdict(key, said, off, is)
}

// verdict is a sentence about an answer: what was said, how far that is off, what it is.
func (v *evaluated) verdict(key, said, off, is string) string {
	return v.say(key, "said", said, "off", off, "percent", off, "factor", off, "value", is)
}

// hint says what an estimate may have taken for another thing, where it is off by a factor that people know: a prefix,
// bits for bytes, minutes for seconds. f is the estimate over the value.
func (v *evaluated) hint(f float64, dim quantity.Dim) string {
	f = math.Max(math.Abs(f), math.Abs(1/f))
	is := func(factors ...float64) bool {
		return slices.ContainsFunc(factors, func(x float64) bool { return math.Abs(f/x-1) < 0.003 })
	}
	key := ""
	switch {
	case is(8) || dim[quantity.Byte] != 0 && is(8e3, 8e6, 8e9):
		key = "widget.hint-bits"
	case is(1e3, 1e6, 1e9, 1e12):
		key = "widget.hint-prefix"
	case dim[quantity.Byte] != 0 && is(1.024, 1.048576, 1.073741824, 1.099511627776):
		key = "widget.hint-binary"
	case dim[quantity.Second] != 0 && is(60, 3600, 86400, 24):
		key = "widget.hint-time"
	case is(100):
		key = "widget.hint-percent"
	case is(2):
		key = "widget.hint-two"
	}
	if key == "" {
		return ""
	}
	return " " + v.say(key)
}

func factor(f float64) string {
	switch {
	case f < 10:
		return strconv.FormatFloat(f, 'g', 3, 64)
	case f < 1e6:
		return strconv.FormatFloat(math.Round(f), 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'e', 1, 64)
}
