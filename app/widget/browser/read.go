//go:build js && wasm

package browser

import (
	"math"
	"strconv"
	"syscall/js"

	"github.com/scalebook/scalebook/app/widget"
)

// read moves a plot's reading line after the pointer or the keys. It writes to the page directly: the line belongs to
// the reader's hand, not to the state.
func (c *island) read(act widget.Act, ev, target js.Value) {
	i := widget.PlotIndex(act.On)
	stage := target.Call("closest", ".plot-stage")
	if i < 0 || !stage.Truthy() {
		return
	}
	cursor := query(stage, ".plot-cursor")
	if c.view.Estimates(i) {
		c.estimate(i, act, ev, stage, target)
		return
	}
	switch act.Do {
	case widget.DoPoint:
		position := c.pointed(i, ev, stage)
		set(cursor, "value", strconv.Itoa(position))
		c.showReading(i, position, stage, cursor, true)
	case widget.DoRead:
		position, _ := strconv.Atoi(get(cursor, "value").String())
		c.showReading(i, position, stage, cursor, true)
	case widget.DoLeave:
		if !cursor.Call("matches", ":focus").Bool() {
			position := c.view.CursorNow(i)
			set(cursor, "value", strconv.Itoa(position))
			c.showReading(i, position, stage, cursor, false)
		}
	}
}

// estimate places the reader's estimate on a plot that is veiled: by a press, by dragging, or with the keys.
func (c *island) estimate(i int, act widget.Act, ev, stage, target js.Value) {
	switch {
	case act.Do == widget.DoRead:
		position, _ := strconv.Atoi(c.reads(target))
		c.view.PlaceStep(i, get(target, "id").String(), position)
	case act.Do == widget.DoPoint && get(ev, "buttons").Int()&1 != 0:
		drawing := query(stage, "svg.chart")
		rect := drawing.Call("getBoundingClientRect")
		unit := get(drawing, "viewBox", "baseVal", "width").Float() / get(rect, "width").Float()
		c.view.PlaceAt(i, (get(ev, "clientX").Float()-get(rect, "left").Float())*unit,
			(get(ev, "clientY").Float()-get(rect, "top").Float())*unit)
	default:
		return
	}
	c.changed()
}

// pointed is the position under the pointer.
func (c *island) pointed(i int, ev, stage js.Value) int {
	drawing := query(stage, "svg.chart")
	if !drawing.Truthy() {
		return 0
	}
	rect, box := drawing.Call("getBoundingClientRect"), get(drawing, "viewBox", "baseVal")
	client, edge, side := "clientX", "left", "width"
	if attribute(drawing, "data-axis") == "y" {
		client, edge, side = "clientY", "top", "height"
	}
	size := get(rect, side).Float()
	if size <= 0 {
		return 0
	}
	return c.view.PositionAt(i, (get(ev, client).Float()-get(rect, edge).Float())/size*get(box, side).Float())
}

// showReading writes what the curves say, and moves the drawing's own line and dots there.
func (c *island) showReading(i, position int, stage, cursor js.Value, on bool) {
	r := c.view.Read(i, position)
	c.held[get(cursor, "id").String()] = strconv.Itoa(position)
	cursor.Call("setAttribute", "aria-valuetext", r.Words)
	if readout := query(get(stage, "parentElement"), ".readout"); readout.Truthy() {
		set(get(readout, "firstChild"), "nodeValue", r.Words)
	}
	group := query(stage, "g.cursor")
	if !group.Truthy() {
		return
	}
	if !on {
		group.Call("setAttribute", "visibility", "hidden")
		return
	}
	move, across := "translate("+place(r.At)+" 0)", "cy"
	if r.Upright {
		move, across = "translate(0 "+place(r.At)+")", "cx"
	}
	group.Call("setAttribute", "transform", move)
	for j, dot := range all(group.Call("querySelectorAll", "circle")) {
		if j < len(r.Dots) && !math.IsNaN(r.Dots[j]) {
			dot.Call("setAttribute", across, place(r.Dots[j]))
			dot.Call("removeAttribute", "visibility")
		} else {
			dot.Call("setAttribute", "visibility", "hidden")
		}
	}
	group.Call("removeAttribute", "visibility")
}

func place(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
