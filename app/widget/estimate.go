package widget

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// estimate is a question that a plot answers, and where in the plot its reader's estimate stands.
type estimate struct {
	name  string            // the asked row
	along bool              // a place of the x axis is asked for, and not of the y axis
	like  quantity.Quantity // one of what is asked for
	text  string            // what the reader said, or is about to
	value float64           // NaN if that is no number of this kind
	curve *chart.Series     // the curve that the reader drew through it; nil for none
	print string            // changes with the text and the curve
}

// estimateOn is the first question that a plot over numbers answers, if there is one.
func (v *View) estimateOn(i int) (e estimate, ok bool) {
	p := v.Sheet.Plots[i]
	e.value = math.NaN()
	if in := v.fitted(p.Over); in == nil || !in.IsNumber() {
		return e, false
	}
	for _, a := range v.Sheet.Asks {
		along := v.seeks(a.Name, p.Over)
		if row := v.row(a.Name); row.Err == nil && (along || slices.Contains(p.Y, a.Name)) {
			q := row.Value.Num
			e = estimate{name: a.Name, along: along, text: v.said(a.Name), value: math.NaN(),
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

// said is what the reader said of an asked row, or has in the field.
func (v *View) said(name string) string {
	if g := v.guesses[name]; g.told() {
		return g.Text
	}
	return trimSpace(v.fields[v.id(name, "guess")])
}

// guessMark is the estimate as the plot draws it, nil if there is none.
func (v *View) guessMark(e estimate, now float64) *chart.Mark {
	switch {
	case math.IsNaN(e.value):
		return nil
	case e.along:
		return &chart.Mark{Kind: chart.Vertical, X: e.value, Label: v.say("widget.your-estimate")}
	}
	return &chart.Mark{Kind: chart.Point, X: now, Y: e.value, Label: v.say("widget.your-estimate")}
}

// Estimates says whether the reader may place an estimate on plot i, since it would give the answer away.
func (v *View) Estimates(i int) bool {
	if i >= len(v.Sheet.Plots) {
		return false
	}
	e, ok := v.estimateOn(i)
	return ok && v.Veiled(e.name)
}

// PlaceAt is the reader pointing at a place of plot i, in its own coordinates, to estimate there: an x that is asked
// for, or how high the curve runs. Whoever drags on draws it.
func (v *View) PlaceAt(i int, left, top float64) {
	e, _ := v.estimateOn(i)
	d := v.draw(i)
	x, y := d.drawing.At(left, top)
	if e.along {
		v.suppose(e, x)
		return
	}
	v.bend(d, e, (d.positionAt(left)*(handles-1)+sliderSteps/2)/sliderSteps, y)
}

// PlaceStep is the reader moving an estimate on plot i with the keyboard, along the axis that is asked for, or one
// handle of a curve, which the control's id names.
func (v *View) PlaceStep(i int, id string, position int) {
	e, _ := v.estimateOn(i)
	d, share := v.draw(i), float64(position)/sliderSteps
	if e.along {
		v.suppose(e, d.drawing.XAt(share))
		return
	}
	v.bend(d, e, index(id[len(id)-1:]), d.drawing.YAt(share))
}

// suppose puts a value that the reader pointed at into the field of its question.
func (v *View) suppose(e estimate, value float64) {
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
		if in := v.dragged(i); in != nil && !v.still {
			nodes = append(nodes, v.marker(in, id))
		}
		return nodes
	case e.along || v.still:
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
func (v *View) seeks(name, over string) bool {
	wanted, _, _ := strings.Cut(v.Sheet.Formula(name, explain.Code), " where ")
	return wanted == over && v.row(name).Def.Kind == "solve"
}
