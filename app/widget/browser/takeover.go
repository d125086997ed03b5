//go:build js && wasm

package browser

import (
	"strconv"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// place brings the printed body to life where it stands. One that has to be printed anew waits for a reader who holds a
// slider at this moment.
func (c *island) place() {
	c.body = query(c.section, ".sheet-body")
	if !c.body.Truthy() {
		c.body = document.Call("createElement", "div")
		set(c.body, "className", "sheet-body")
		c.section.Call("append", c.body)
	}
	anew := c.needsRender() || !c.fits(c.nodes, c.body)
	if anew && c.section.Call("matches", ":active").Bool() && c.waited < 100 {
		c.waited++
		after(50, func() { c.ctx.Dispatch(func(app.Context) { c.guard(c.place) }) })
		return
	}
	c.listen() // first: the program may wait for its other module while it takes over, and the reader types on
	c.findProse()
	c.takeTyped(c.body)
	c.placed = true
	c.takeOver(anew)
	c.section.Call("setAttribute", "data-live", "")
	if c.inPage() && len(c.view.Params()) > 0 {
		c.page.addr.start()
	}
	c.work()
}

// takeOver takes over the body: as it stands, if the sheet is as its author left it.
func (c *island) takeOver(anew bool) {
	switch {
	case c.fault != "":
		c.ctx.Update()
		return
	case anew:
		c.printAnew()
	case c.noted:
		c.showChanged(func(string) bool { return true })
	}
	if c.completeInputs(); c.noted {
		c.anyControl()
		c.follow()
	}
}

// takeTyped takes over what the reader did to the static body: texts typed, choices made, folds opened.
func (c *island) takeTyped(old js.Value) {
	if !old.Truthy() {
		return
	}
	c.takeSheet(old)
	for _, d := range all(old.Call("querySelectorAll", "details[data-key]")) {
		switch key, open := attribute(d, "data-key"), get(d, "open").Bool(); {
		case open == c.view.Open(key):
		case open:
			c.ready()
			c.view.OpenedBefore(key)
		default:
			c.view.Toggle(key, false)
		}
	}
}

func (c *island) takeSheet(old js.Value) {
	for _, in := range c.sheet.Inputs {
		id := c.sheet.ID + "--" + in.Name
		if text, ok := c.typed(id); ok {
			c.ready()
			c.view.Take(in.Name, text)
		} else if at, ok := c.typed(id + "--slider"); ok {
			c.ready()
			position, _ := strconv.Atoi(at)
			c.view.Slide(in.Name, position)
		}
	}
	for _, e := range c.inTexts() {
		if text := held(e); text != get(e, "defaultValue").String() {
			c.ready()
			c.view.Take(attribute(e, "name"), text)
		}
	}
	for _, e := range all(old.Call("querySelectorAll", "input[type=radio][data-set]")) {
		if get(e, "checked").Bool() && !get(e, "defaultChecked").Bool() {
			c.ready()
			c.view.Pick(attribute(e, "data-set"))
		}
	}
	for _, a := range c.sheet.Asks {
		id := c.sheet.ID + "--" + a.Name + "--guess"
		if text, ok := c.typed(id); ok {
			c.ready()
			c.view.SetField(id, text)
		}
	}
}

// typed is what a static control holds, if the reader changed it.
func (c *island) typed(id string) (string, bool) {
	e := c.element(id)
	if !e.Truthy() {
		return "", false
	}
	switch {
	case get(e, "type").String() == "checkbox":
		now := get(e, "checked").Bool()
		if now == get(e, "defaultChecked").Bool() {
			return "", false
		}
		if now {
			return "on", true
		}
		return "off", true
	case get(e, "tagName").String() == "SELECT":
		chosen := get(e, "selectedOptions").Index(0)
		if !chosen.Truthy() || get(chosen, "defaultSelected").Bool() {
			return "", false
		}
		text := get(e, "value").String()
		return text, text != ""
	}
	text := get(e, "value").String()
	return text, text != get(e, "defaultValue").String()
}

// focus is where the reader was in a body: the way down to the element, and the selection in it.
type focus struct {
	way        []int
	start, end js.Value
	direction  js.Value
}

// focusIn is the focus if it is in old, else nil. What takes its place is built alike, so the way down stays the same.
func focusIn(root, old js.Value) *focus {
	e := get(root, "activeElement")
	if !old.Truthy() || !e.Truthy() || !old.Call("contains", e).Bool() {
		return nil
	}
	f := &focus{start: get(e, "selectionStart"), end: get(e, "selectionEnd"), direction: get(e, "selectionDirection")}
	for !e.Equal(old) {
		i := 0
		for s := get(e, "previousElementSibling"); s.Truthy(); s = get(s, "previousElementSibling") {
			i++
		}
		f.way = append(f.way, i)
		e = get(e, "parentElement")
	}
	return f
}

func (f *focus) restore(body js.Value) {
	if f == nil {
		return
	}
	e := body
	for i := len(f.way) - 1; i >= 0 && e.Truthy(); i-- {
		e = get(e, "children").Index(f.way[i])
	}
	if !e.Truthy() {
		return
	}
	e.Call("focus", map[string]any{"preventScroll": true})
	if f.start.Type() == js.TypeNumber && f.end.Type() == js.TypeNumber {
		e.Call("setSelectionRange", f.start, f.end, f.direction)
	}
}
