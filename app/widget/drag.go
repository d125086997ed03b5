package widget

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// reach is how far from the line where the sheet stands a pointer may take hold of it, in units of the drawing.
const reach = 14

// dragged is the input that a reader sets by dragging the line where the sheet stands on plot i; nil if there is none.
func (v *View) dragged(i int) *input.Input {
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
func (v *View) Grips(i int, left float64) bool {
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
func (v *View) marker(in *input.Input, id string) *Node {
	return v.sliderOf(in, "plot-cursor", markerID(id), v.say("widget.move-mark", "label", v.called(in.Name)))
}

func markerID(plot string) string { return plot + "-mark" }
