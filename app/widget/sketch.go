package widget

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
)

// handles is how many points a curve that is drawn has: at the ends of the x axis, and between them.
const handles = 5

// recall brings back the curve that the reader drew on plot i, as long as the estimate is the one that followed from
// it.
func (v *View) recall(i int, e *estimate) {
	e.print = e.text
	if d := v.plots[i]; d != nil && d.curve != nil && d.follows == e.text {
		e.curve = d.curve
		e.print += "~" + strconv.Itoa(d.strokes)
	}
}

// bend moves one handle of the reader's curve, which begins level. The estimate is what it has where the sheet stands.
func (v *View) bend(d *drawnPlot, e estimate, handle int, y float64) {
	if e.curve == nil {
		e.curve = d.level(v.say("widget.your-estimate"), y)
		if !math.IsNaN(e.value) {
			e.curve = d.level(e.curve.Label, e.value)
		}
	}
	e.curve.Y[handle] = y
	if here := d.plot.Current; here != nil && !math.IsNaN(d.drawing.On(e.curve, here.X)) {
		y = d.drawing.On(e.curve, here.X)
	}
	v.suppose(e, y)
	d.curve, d.follows = e.curve, v.said(e.name)
	d.strokes++
}

// level is a curve that has one value everywhere.
func (d *drawnPlot) level(label string, y float64) *chart.Series {
	s := &chart.Series{Label: label, X: make([]float64, handles), Y: make([]float64, handles)}
	for k := range s.X {
		s.X[k], s.Y[k] = d.drawing.XAt(float64(k)/(handles-1)), y
	}
	return s
}

// handleNodes are the controls of the reader's curve.
func (v *View) handleNodes(d *drawnPlot, e estimate, id, key string) []*Node {
	nodes := make([]*Node, handles)
	for k := range nodes {
		x := d.plot.X.Format(d.drawing.XAt(float64(k) / (handles - 1)))
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
func (v *View) handleControls(i int, d *drawnPlot, id string) (cs []Control) {
	e, _ := v.estimateOn(i)
	for k := range handles {
		cs = append(cs, Control{ID: handleID(id, k), Value: strconv.Itoa(d.handleStep(e, k))})
	}
	return cs
}

// aside says how far the reader's curve is off at its ends and in the middle, as factors; nothing where it has none.
func (v *View) aside(name string) string {
	for i := range v.Sheet.Plots {
		e, _ := v.estimateOn(i)
		if e.name != name || e.curve == nil {
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
