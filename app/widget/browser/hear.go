//go:build js && wasm

package browser

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
)

// events are the events that a sheet listens to, once for all that is in it. No node asks for the last two: what the
// reader turned to or scrolled has to be known, so that it is patched and not printed anew.
var events = [...]string{
	"input", "change", "click", "keydown", "toggle", "paste", "drop", "dragover", "pointermove", "pointerdown",
	"pointerleave", "focusin", "scroll",
}

// listen listens on the body for what happens anywhere in it, before it reaches whom it is for: some events don't come
// back up.
func (c *island) listen() {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.guard(func() { c.hear(args[0]) })
		return nil
	})
	for _, name := range events {
		c.body.Call("addEventListener", name, f, true)
	}
}

// hear carries out what an event means to the nodes that it reaches, the innermost first.
func (c *island) hear(ev js.Value) {
	name, target := get(ev, "type").String(), get(ev, "target")
	if strings.HasPrefix(name, "pointer") && !target.Call("closest", ".plot-stage").Truthy() {
		c.pull(name, ev, target)
		if name != "pointermove" {
			c.hold(target, name == "pointerdown" || get(ev, "buttons").Truthy())
		}
		return // a hand that only passes
	}
	if name == "change" {
		c.hold(target, false) // let go, be it beside the slider
	}
	nodes, elements := c.reached(target)
	if name == "click" && target.Call("closest", "summary").Truthy() {
		c.unfold(nodes)
	}
	if name == "click" && switches(target) {
		c.switched()
	}
	if name == "keydown" && get(ev, "repeat").Bool() && target.Call("matches", ".ask button").Bool() {
		used(ev) // the key that answered is still down, and the focus is on the button that forgets the answer
	}
	bubbles := get(ev, "bubbles").Bool()
	for i := len(nodes) - 1; i >= 0; i-- {
		for _, e := range nodes[i].Events {
			if e.Name == name && (bubbles || elements[i].Equal(target)) {
				c.answer(e.Act, ev, elements[i])
			}
		}
	}
}

// hold notes while a slider is held: no touch makes it :active, and a style that looks for it inside the sheet (:has)
// would be computed anew with each plot that is drawn.
func (c *island) hold(target js.Value, held bool) {
	if target.Call("matches", ".slider").Bool() {
		c.body.Call("toggleAttribute", "data-held", held)
	}
}

// answer runs an act in go-app's loop, in the same task.
func (c *island) answer(act widget.Act, ev, on js.Value) {
	c.pendingEvents++
	c.ctx.Dispatch(func(ctx app.Context) {
		ctx.PreventUpdate()
		c.guard(func() { c.do(act, ev, on) })
		c.late = c.late || !passing(act)
		c.heard()
	})
}

// passing tells whether an act writes what it changes by itself: a key that turns a number says so, and any other is on
// its way into a field, which is not to be written before.
func passing(act widget.Act) bool {
	switch act.Do {
	case widget.DoPoint, widget.DoLeave, widget.DoRead, widget.DoKey:
		return true
	}
	return false
}

// switched keeps a switch as the reader just turned it until the browser has said so: between the click and that, what
// was to be shown before may have its turn.
func (c *island) switched() {
	c.pendingEvents++
	after(0, c.heard)
}

// heard notes that one thing that the reader did is answered. While there are others, the reader's hand is ahead of the
// view, and nothing is written.
func (c *island) heard() {
	if c.pendingEvents--; c.pendingEvents == 0 && c.late {
		c.guard(c.follow)
	}
}

// reached are the nodes that an event reaches on its way from the body down to its target, and their elements. Where
// trusted HTML begins, nodes end.
func (c *island) reached(target js.Value) (nodes []*widget.Node, elements []js.Value) {
	level := c.nodes
	for _, e := range c.pathTo(target) {
		i := indexOf.Call("call", get(e, "parentNode", "childNodes"), e).Int()
		if i < 0 || i >= len(level) {
			break
		}
		n := level[i]
		if n.Part != "" {
			n = c.known(c.partAt(n.Part))
		}
		if !matches(n, e) { // the part waits for its turn to follow, and will have something else here
			break
		}
		nodes, elements, level = append(nodes, n), append(elements, e), n.Kids
	}
	return nodes, elements
}

// matches says whether an element is what a node says, as far as it matters for what an event there means.
func matches(n *widget.Node, e js.Value) bool {
	for _, name := range [...]string{"id", "name", "data-set"} {
		if v, _ := n.Attr(name); v != attribute(e, name) {
			return false
		}
	}
	return true
}

var indexOf = get(global, "Array", "prototype", "indexOf")

// pathTo are the elements from the body, without it, down to one in it; none if that was taken out of it meanwhile:
// while the program waits for a module, events wait too.
func (c *island) pathTo(e js.Value) []js.Value {
	var path []js.Value
	for ; !e.Equal(c.body); e = get(e, "parentNode") {
		if !e.Truthy() {
			return nil
		}
		path = append(path, e)
	}
	slices.Reverse(path)
	return path
}

func (c *island) partAt(key string) *part {
	i := slices.IndexFunc(c.parts, func(p *part) bool { return p.key == key })
	return c.parts[i]
}

// unfold completes the part in which a fold is about to open, before the browser opens it.
func (c *island) unfold(nodes []*widget.Node) {
	for _, p := range c.parts {
		if p.printed && slices.Contains(nodes, p.siblings[p.at]) {
			c.complete(p)
			return
		}
	}
}

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
	return (get(ev, client).Float() - get(rect, edge).Float()) * get(drawing, "viewBox", "baseVal",
		"width").Float() / wide
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

// inText is an input of the sheet within a sentence. It stands in the prose.
type inText struct {
	field js.Value
	name  string
	drag  *drag // while the reader presses it
}

// drag is a number under the reader's hand.
type drag struct {
	from   float64 // where the pointer went down
	at     int     // where the slider was then
	moving bool
}

// reach is how many pixels a hand goes before it drags.
const reach = 4

// inTexts are the fields of the sheet in the text around.
func (c *island) inTexts() []js.Value {
	return all(c.root.Call("querySelectorAll", `.in-text input[data-sheet="`+c.id+`"]`))
}

// findInTexts listens to the fields in the text, once.
func (c *island) findInTexts() {
	if c.fields != nil {
		return
	}
	for _, e := range c.inTexts() {
		f := &inText{field: e, name: attribute(e, "name")}
		c.fields = append(c.fields, f)
		listen := js.FuncOf(func(_ js.Value, args []js.Value) any {
			c.guard(func() { c.inTextEvent(f, args[0]) })
			return nil
		})
		for _, event := range []string{"input", "keydown", "mousedown", "pointerdown", "pointermove", "pointerup",
			"pointercancel"} {
			e.Call("addEventListener", event, listen)
		}
	}
}

// inTextEvent carries out what the reader did to a field in the text.
func (c *island) inTextEvent(f *inText, ev js.Value) {
	c.ready()
	switch get(ev, "type").String() {
	case "input":
		c.view.Touched()
		c.view.Set(f.name, held(f.field))
		c.changed()
	case "keydown":
		c.key(f.name, ev, f.field)
	case "mousedown":
		if f.drags() {
			ev.Call("preventDefault") // no text is selected while the hand drags; the field gets the focus on release
		}
	case "pointerdown":
		f.drag = nil
		if f.drags() && get(ev, "isPrimary").Bool() && get(ev, "button").Int() == 0 {
			f.drag = &drag{from: get(ev, "clientX").Float(), at: c.view.SliderAt(f.name)}
		}
	case "pointermove":
		c.dragTo(f, ev)
	default:
		if f.drag != nil && !f.drag.moving && get(ev, "type").String() == "pointerup" {
			f.field.Call("focus")
			f.field.Call("select")
		}
		f.drag = nil
	}
}

// drags says whether a press may become a drag: in a field that has the focus it places the caret.
func (f *inText) drags() bool {
	return f.field.Call("hasAttribute", "data-ranged").Bool() && !f.field.Call("matches", ":focus").Bool()
}

// dragTo lets the number follow the hand, two pixels a step of its slider.
func (c *island) dragTo(f *inText, ev js.Value) {
	if f.drag == nil {
		return
	}
	distance := get(ev, "clientX").Float() - f.drag.from
	if !f.drag.moving && math.Abs(distance) < reach {
		return
	}
	if !f.drag.moving {
		f.drag.moving = true
		f.field.Call("setPointerCapture", get(ev, "pointerId"))
	}
	c.view.Slide(f.name, max(0, f.drag.at+int(distance*2)))
	c.changed()
}

// setInTexts lets the fields in the text hold what the view says.
func (c *island) setInTexts() {
	for _, f := range c.fields {
		text, fault := c.view.InText(f.name)
		if held(f.field) != text {
			setControl(f.field, text)
		}
		set(f.field, "size", widget.InTextSize(text))
		maybe(get(f.field, "parentElement"), "data-fault", phrase.Capital(fault))
		if fault != "" {
			fault = "true"
		}
		maybe(f.field, "aria-invalid", fault)
	}
}
