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
	if act.Do == widget.DoPoint && c.drag(i, ev, stage) {
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

// readOn leaves a plot's reading line where the reader moved it, as long as it has the focus, and shows its reading in
// the plot that was drawn anew. It says whether e is such a line.
func (c *island) readOn(id string, e js.Value) bool {
	for i := range c.sheet.Plots {
		if id == c.view.CursorID(i) && !c.view.Estimates(i) && get(c.root, "activeElement").Equal(e) {
			position, _ := strconv.Atoi(held(e))
			c.showReading(i, position, e.Call("closest", ".plot-stage"), e, true)
			return true
		}
	}
	return false
}

// estimate places the reader's estimate on a plot that is veiled: by a press, by dragging, or with the keys.
func (c *island) estimate(i int, act widget.Act, ev, stage, target js.Value) {
	switch {
	case act.Do == widget.DoRead:
		position, _ := strconv.Atoi(c.reads(target))
		c.view.PlaceStep(i, get(target, "id").String(), position)
	case act.Do == widget.DoPoint && pressing(ev):
		c.view.PlaceAt(i, inDrawing(ev, stage, "x"), inDrawing(ev, stage, "y"))
	default:
		return
	}
	c.changed()
}

// drag moves the line where the sheet stands with a pointer that has taken hold of it, and says whether one has.
func (c *island) drag(i int, ev, stage js.Value) bool {
	left := inDrawing(ev, stage, "x")
	near := c.view.Grips(i, left)
	switch {
	case !pressing(ev):
		c.gripped = false
	case get(ev, "type").String() == "pointerdown":
		if c.gripped = near; near {
			capture(ev, stage)
		}
	}
	shape := ""
	if near || c.gripped {
		shape = "ew-resize"
	}
	set(get(stage, "style"), "cursor", shape)
	if c.gripped {
		c.view.Touched()
		c.view.Drag(i, left)
		c.changed()
	}
	return c.gripped
}

// pulled is what a pointer has hold of in a figure. The drawing is made anew under the pointer, so it is known from
// when it was taken hold of how the pointer's places are those of the drawing.
type pulled struct {
	what          widget.Pull
	client        string // the coordinate of the pointer
	start, at, by float64
}

// place is where in the drawing a pointer is.
func (p pulled) place(ev js.Value) float64 { return p.at + (get(ev, p.client).Float()-p.start)*p.by }

// pull lets a pointer take hold of what in a figure can be pulled, and moves that.
func (c *island) pull(name string, ev, target js.Value) {
	p := &c.pulled
	if name == "pointerdown" || !pressing(ev) {
		*p = pulled{}
	}
	if handle := target.Call("closest", "[data-pull]"); name == "pointerdown" && handle.Truthy() {
		drawing, stage := handle.Call("closest", "svg"), handle.Call("closest", ".drawing-stage")
		rect, edge, corner := drawing.Call("getBoundingClientRect"), "left", "x"
		if p.what, p.client = widget.ParsePull(attribute(handle, "data-pull")), "clientX"; p.what.Upright {
			p.client, edge, corner = "clientY", "top", "y"
		}
		box := get(drawing, "viewBox", "baseVal")
		p.start, p.by = get(ev, p.client).Float(), get(box, "width").Float()/max(1, get(rect, "width").Float())
		p.at = get(box, corner).Float() + (p.start-get(rect, edge).Float())*p.by
		capture(ev, stage)
		ev.Call("preventDefault") // nothing is selected
		return
	}
	if name == "pointermove" && p.client != "" {
		c.answer(widget.Act{Do: widget.DoPull}, ev, target)
	}
}

// capture lets a stage have all that a pointer does until it is lifted, also beside it. A pointer that is no more, or
// was made by a script, can't be had.
func capture(ev, stage js.Value) {
	defer func() { _ = recover() }()
	stage.Call("setPointerCapture", get(ev, "pointerId"))
}

func pressing(ev js.Value) bool { return get(ev, "buttons").Int()&1 != 0 }

// pointed is the position under the pointer.
func (c *island) pointed(i int, ev, stage js.Value) int {
	axis := "x"
	if drawing := query(stage, "svg.chart"); drawing.Truthy() && attribute(drawing, "data-axis") == "y" {
		axis = "y"
	}
	return c.view.PositionAt(i, inDrawing(ev, stage, axis))
}

// inDrawing is where the pointer is along an axis of a stage's drawing, in the drawing's own coordinates.
func inDrawing(ev, stage js.Value, axis string) float64 {
	drawing := query(stage, "svg.chart")
	if !drawing.Truthy() {
		return 0
	}
	client, edge := "clientX", "left"
	if axis == "y" {
		client, edge = "clientY", "top"
	}
	rect := drawing.Call("getBoundingClientRect")
	wide := get(rect, "width").Float()
	if wide <= 0 {
		return 0
	}
	return (get(ev, client).Float() - get(rect, edge).Float()) * get(drawing, "viewBox", "baseVal", "width").Float() / wide
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
