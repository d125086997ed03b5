//go:build js && wasm

package browser

import (
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// pad is the sheet that the reader writes, on the page that has the scratch pad. The text and what goes on around it
// are the business of web/pad.js; the language is ours.
type pad struct {
	section js.Value
	next    *sheet.Sheet // waits until the last one is in its place
}

// offerPad gives the page's script window.scalebook.pad, whose functions take and return texts and plain objects:
//
//	show(text)           compiles the text and shows the sheet; what is wrong with it is returned in errors
//	names(text, before)  the words that may stand behind the beginning `before` of the text
//	encode(text), decode(code)  the text for an address, later: a promise of {text, error}
func (p *page) offerPad() {
	section := document.Call("getElementById", address.PadID)
	if !section.Truthy() || !query(document, "textarea#pad-text").Truthy() {
		return
	}
	p.pad.section = section
	p.queue = slices.DeleteFunc(p.queue, section.Equal) // it comes to life with the reader's text
	api := get(global, "Object").New()
	api.Set("show", padFunc(func(text, _ string) any { return p.show(text) }))
	api.Set("names", padFunc(func(text, before string) any {
		return map[string]any{"names": texts(sheet.Complete(p.env, text, len(before)))}
	}))
	api.Set("encode", padFunc(func(text, _ string) any {
		return promise(func(then func(map[string]any)) {
			encodePad(text, func(code string, err error) { then(p.outcome(code, err)) })
		})
	}))
	api.Set("decode", padFunc(func(code, _ string) any {
		return promise(func(then func(map[string]any)) {
			decodePad(code, func(text string, err error) { then(p.outcome(text, err)) })
		})
	}))
	get(global, "scalebook").Set("pad", api)
	idle(1000, func() { p.env.Whole() }) // so that names are there when the first is typed
}

// padFunc is f for the page's script. A panic in it is an error like any other.
func padFunc(f func(a, b string) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if v := recover(); v != nil {
				answer = map[string]any{"error": phrase.Recovered(v)}
			}
		}()
		var in [2]string
		for i := range in {
			if i < len(args) && args[i].Type() == js.TypeString {
				in[i] = args[i].String()
			}
		}
		return f(in[0], in[1])
	})
}

func (p *page) outcome(text string, err error) map[string]any {
	if err != nil {
		return map[string]any{"text": "", "error": p.phrases().Text(err)}
	}
	return map[string]any{"text": text}
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// show compiles a text and shows its sheet. If it can't be read, the last one stays.
func (p *page) show(text string) map[string]any {
	s, errs := sheet.Compile(text, p.env)
	faults := make([]any, len(errs))
	for i, e := range errs {
		faults[i] = map[string]any{"line": e.Pos.Line, "col": e.Pos.Col, "length": e.Pos.Len,
			"what": p.phrases().Text(e.What), "remedy": p.phrases().Text(e.Remedy)}
	}
	if len(errs) > 0 {
		return map[string]any{"errors": faults}
	}
	s.ID = address.PadID
	p.ctx.Dispatch(func(app.Context) { p.put(s) })
	return map[string]any{"errors": faults, "title": s.Title, "empty": len(s.Rows) == 0}
}

// put shows a sheet in the pad's place, or lets it wait until that of before is there.
func (p *page) put(s *sheet.Sheet) {
	c := p.island(address.PadID)
	switch {
	case c == nil:
		p.busy = true
		p.enter(p.restore(p.pad.section, s))
	case c.placed:
		p.pad.next = nil
		c.guard(func() { c.edit(s) })
	case p.pad.next != nil:
		p.pad.next = s
	default:
		p.pad.next = s
		p.putLater()
	}
}

func (p *page) putLater() {
	after(30, func() {
		p.ctx.Dispatch(func(app.Context) {
			if p.island(address.PadID).placed {
				p.put(p.pad.next)
			} else {
				p.putLater()
			}
		})
	})
}

// edit shows another sheet in the calculator's place.
func (c *island) edit(s *sheet.Sheet) {
	c.sheet, c.view, c.author, c.fault = s, c.view.Edited(s), nil, ""
	c.works++ // what works for the text before is no longer waited for
	c.share()
	c.last = map[string]widget.Shown{}
	c.reprint()
	c.anyControl()
	c.follow()
	c.restartWork()
	c.page.addr.start()
}

// copyPadLink is the page's own link, which holds the text: the address alone leads to no sheet.
func (p *page) copyPadLink() {
	p.writeAddress() // with the numbers of this moment
	if button := query(document, "button#pad-link"); button.Truthy() {
		button.Call("click")
	}
}

// openPad opens the sheet, with the reader's numbers, in the scratch pad: in the same window, or beside the page where
// the calculator is a guest.
func (c *island) openPad() {
	home := c.page.home()
	if book := attribute(c.section, "data-base"); book != "" {
		home = book
	}
	encodePad(c.view.PadSource(), func(code string, err error) {
		c.ctx.Dispatch(func(app.Context) { c.guard(func() { c.goToPad(home, code, err) }) })
	})
}

func (c *island) goToPad(home, code string, err error) {
	if err != nil {
		c.view.Notice([]string{c.phrases().Text(err)})
		return
	}
	address := c.view.PadAddress(home, code)
	if c.inPage() && get(global, "parent").Equal(global) {
		get(global, "location").Call("assign", address)
		return
	}
	global.Call("open", address, "_blank", "noopener")
}

// home is the address of the site's first page, whole: the page may belong to somebody else.
func (p *page) home() string {
	script := query(document, "script[data-base]")
	if !script.Truthy() {
		return strings.TrimSuffix(p.base, "/") + "/"
	}
	from := get(script, "src").String()
	if url := get(global, "URL"); from != "" && url.Truthy() {
		return get(url.New(p.base, from), "href").String()
	}
	return p.base
}

// place brings the printed body to life where it stands. One that has to be printed anew waits for a reader who holds a
// slider at this moment.
func (c *island) place() {
	c.body = query(c.section, ".sheet-body")
	if !c.body.Truthy() {
		c.body = document.Call("createElement", "div")
		set(c.body, "className", "sheet-body")
		c.section.Call("append", c.body)
	}
	render := c.needsRender() || !c.fits(c.nodes, c.body)
	if render && c.section.Call("matches", ":active").Bool() && c.waited < 100 {
		c.waited++
		after(50, func() { c.ctx.Dispatch(func(app.Context) { c.guard(c.place) }) })
		return
	}
	c.listen() // first: the program may wait for its other module while it takes over, and the reader types on
	c.findProse()
	c.takeTyped(c.body)
	c.placed = true
	c.takeOver(render)
	c.section.Call("setAttribute", "data-live", "")
	if c.inPage() && len(c.view.Params()) > 0 {
		c.page.addr.start()
	}
	c.work()
}

// takeOver takes over the body: as it stands, if the sheet is as its author left it.
func (c *island) takeOver(render bool) {
	switch {
	case c.fault != "":
		c.ctx.Update()
		return
	case render:
		c.reprint()
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
	path       []int
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
		f.path = append(f.path, i)
		e = get(e, "parentElement")
	}
	return f
}

func (f *focus) restore(body js.Value) {
	if f == nil {
		return
	}
	e := body
	for i := len(f.path) - 1; i >= 0 && e.Truthy(); i-- {
		e = get(e, "children").Index(f.path[i])
	}
	if !e.Truthy() {
		return
	}
	e.Call("focus", map[string]any{"preventScroll": true})
	if f.start.Type() == js.TypeNumber && f.end.Type() == js.TypeNumber {
		e.Call("setSelectionRange", f.start, f.end, f.direction)
	}
}
