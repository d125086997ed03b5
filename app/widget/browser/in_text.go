//go:build js && wasm

package browser

import (
	"math"
	"syscall/js"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
)

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
	way := get(ev, "clientX").Float() - f.drag.from
	if !f.drag.moving && math.Abs(way) < reach {
		return
	}
	if !f.drag.moving {
		f.drag.moving = true
		f.field.Call("setPointerCapture", get(ev, "pointerId"))
	}
	c.view.Slide(f.name, max(0, f.drag.at+int(way*2)))
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
