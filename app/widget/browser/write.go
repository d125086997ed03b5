//go:build js && wasm

package browser

import (
	"syscall/js"

	"github.com/scalebook/scalebook/app/figure"
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

// writeProse writes every number in the text that changed.
func (c *island) writeProse() {
	if len(c.prose) == 0 {
		return
	}
	for _, s := range c.view.Values() {
		if c.last[s.Name] == s {
			continue
		}
		c.last[s.Name] = s
		for _, e := range c.prose[s.Name] {
			if n := figure.Notated(s.Text); n.Tag == "" {
				set(e, "textContent", n.Text)
			} else {
				set(e, "innerHTML", trustedHTML(n))
			}
			set(e, "value", s.Data)
			flag(e, "data-told", !s.Veiled)
		}
	}
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

// anyControl forgets what the controls hold, so that each is looked at: for when some may be new.
func (c *island) anyControl() { c.held = map[string]string{} }

// adjust lets the controls hold what the view says, as far as that isn't known: what they hold changes only through
// events and through here.
func (c *island) adjust() {
	if c.view.HasFollowers() {
		c.anyControl()
	}
	for _, k := range c.view.Controls() {
		if was, known := c.held[k.ID]; known && was == k.Value {
			continue
		}
		c.held[k.ID] = k.Value
		if e := c.element(k.ID); e.Truthy() && held(e) != k.Value && !c.readOn(k.ID, e) {
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
