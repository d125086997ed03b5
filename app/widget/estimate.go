package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// estimate is a question that a plot answers, and where in the plot its reader's estimate stands.
type estimate struct {
	name  string            // the asked row
	along bool              // a place of the x axis is asked for, and not of the y axis
	like  quantity.Quantity // one of what is asked for
	text  string            // what the reader said, or is about to
	value float64           // NaN if that is no number of this kind
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

// PlaceAt is the reader pointing at a place of plot i, in its own coordinates, to estimate there.
func (v *View) PlaceAt(i int, x, y float64) {
	e, _ := v.estimateOn(i)
	x, y = v.draw(i).drawing.At(x, y)
	v.suppose(e, x, y)
}

// PlaceStep is the reader moving an estimate on plot i with the keyboard, along the axis that is asked for.
func (v *View) PlaceStep(i, position int) {
	e, _ := v.estimateOn(i)
	share := float64(position) / sliderSteps
	v.suppose(e, v.draw(i).drawing.XAt(share), v.draw(i).drawing.YAt(share))
}

// suppose puts a place of a plot into the field of its question.
func (v *View) suppose(e estimate, x, y float64) {
	if !e.along {
		x = y
	}
	e.like.Value = x
	v.SetField(v.id(e.name, "guess"), e.like.Format(2))
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

// cursor is the control that moves the reading line of a plot, or the estimate while the plot is veiled.
func (v *View) cursor(i int, d *drawnPlot, id, key, words string) *Node {
	label := v.say("widget.read-plot", "label", d.plot.X.Label)
	if v.Estimates(i) {
		e, _ := v.estimateOn(i)
		label, words = v.say("widget.place-estimate", "question", v.question(e.name)), e.text
		if words == "" {
			words = v.say("widget.place-none")
		}
	}
	return el("input", attr("type", "range"), class("plot-cursor"), attr("id", id+"-cursor"), attr("min", "0"),
		attr("max", strconv.Itoa(sliderSteps)), attr("step", "1"), attr("value", strconv.Itoa(d.now)),
		attr("aria-label", label), attr("aria-valuetext", words), attr("autocomplete", "off"), on("input", DoRead, key))
}

// seeks says whether a row looks for the value of an input.
func (v *View) seeks(name, over string) bool {
	wanted, _, _ := strings.Cut(v.Sheet.Formula(name, sheet.Code), " where ")
	return wanted == over && v.row(name).Def.Kind == "solve"
}
