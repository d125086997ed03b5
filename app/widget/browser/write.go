//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/widget"
)

// findProse finds the numbers in the text around that belong to the sheet.
func (c *island) findProse() {
	c.prose = map[string][]js.Value{}
	for _, e := range all(c.root.Call("querySelectorAll", `data.live[data-sheet="`+c.id+`"]`)) {
		name := attribute(e, "data-name")
		c.prose[name] = append(c.prose[name], e)
	}
	c.findInTexts()
}

// write writes every value that changed straight into the page. The part of a row writes the same a frame later; it
// finds the text node as it wants it.
func (c *island) write() {
	for _, s := range c.view.Values() {
		if c.last[s.Name] == s {
			continue
		}
		c.last[s.Name] = s
		if out := query(c.body, `output[data-name="`+s.Name+`"]`); out.Truthy() {
			writeOutput(out, s)
		}
		for _, e := range c.prose[s.Name] {
			if strings.Contains(s.Text, "_") {
				set(e, "innerHTML", widget.HTML(figure.Notated(s.Text)))
			} else {
				set(e, "textContent", s.Text)
			}
			set(e, "value", s.Data)
			flag(e, "data-told", !s.Veiled)
		}
	}
}

func writeOutput(out js.Value, s widget.Shown) {
	if first := out.Get("firstChild"); first.Truthy() {
		first.Set("nodeValue", s.Text)
	}
	maybe(out, "data-value", s.Data)
	maybe(out, "data-int", s.Int)
}

// maybe sets an attribute, or takes it away if it has nothing to say.
func maybe(e js.Value, name, value string) {
	if value == "" {
		e.Call("removeAttribute", name)
	} else {
		e.Call("setAttribute", name, value)
	}
}

func flag(e js.Value, name string, on bool) { e.Call("toggleAttribute", name, on) }

// sync lets every control hold what the view says, and looks at each: for when some may be new.
func (c *island) sync() {
	c.held = map[string]string{}
	c.adjust()
}

// adjust lets the controls hold what the view says, as far as that isn't known: what they hold changes only through
// events and through here. While an event is still to be answered, a control holds more than the view knows.
func (c *island) adjust() {
	if c.unheard > 0 {
		c.late = true
		return
	}
	for _, k := range c.view.Controls() {
		if was, known := c.held[k.ID]; known && was == k.Value {
			continue
		}
		c.held[k.ID] = k.Value
		if e := c.element(k.ID); e.Truthy() && held(e) != k.Value {
			setControl(e, k.Value)
		}
	}
	c.setInTexts()
}

// switches says whether a control is on or off.
func switches(e js.Value) bool {
	kind := get(e, "type").String()
	return kind == "checkbox" || kind == "radio"
}

// held is what a control holds, as the text that the view takes.
func held(e js.Value) string {
	if !switches(e) {
		return get(e, "value").String()
	}
	if get(e, "checked").Bool() {
		return "on"
	}
	return "off"
}

// setControl lets a control hold what the text means.
func setControl(e js.Value, text string) {
	if switches(e) {
		set(e, "checked", text == "on")
	} else {
		set(e, "value", text)
	}
}

// element is an element of the sheet by its id.
func (c *island) element(id string) js.Value { return c.root.Call("getElementById", id) }
