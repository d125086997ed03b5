//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/widget"
)

var (
	global   = js.Global()
	document = global.Get("document")
	reflect  = global.Get("Reflect")
)

// get follows properties. A getter that throws becomes a Go panic, which guard catches; js.Value.Get would tear the
// whole program down.
func get(v js.Value, names ...string) js.Value {
	for _, name := range names {
		v = reflect.Call("get", v, name)
	}
	return v
}

// set sets a property, with the same care.
func set(v js.Value, name string, x any) { reflect.Call("set", v, name, x) }

func attribute(e js.Value, name string) string {
	if a := e.Call("getAttribute", name); !a.IsNull() {
		return a.String()
	}
	return ""
}

// all are the elements of a NodeList or an HTMLCollection.
func all(list js.Value) []js.Value {
	out := make([]js.Value, get(list, "length").Int())
	for i := range out {
		out[i] = list.Index(i)
	}
	return out
}

// trusted is a text of ours as HTML (createHTML) or as the address of a script (createScriptURL), made by the policy
// that web/embed.js has for pages which let nothing else make them.
func trusted(text, as string) any {
	if api := get(global, "scalebook"); api.Truthy() && get(api, "policy").Truthy() {
		return get(api, "policy").Call(as, text)
	}
	return text
}

// trustedHTML is the HTML of nodes for a browser that may take only what a policy has made.
func trustedHTML(nodes ...*widget.Node) any { return trusted(widget.HTML(nodes...), "createHTML") }

// setMessage lets an element say a message, in which what stands between backticks is code.
func setMessage(e js.Value, message string) {
	for i, part := range strings.Split(message, "`") {
		if i%2 == 1 {
			code := document.Call("createElement", "code")
			code.Set("textContent", part)
			e.Call("append", code)
		} else {
			e.Call("append", part)
		}
	}
}

func query(from js.Value, selector string) js.Value { return from.Call("querySelector", selector) }

// after calls f once, after so many milliseconds, in a task of its own.
func after(ms int, f func()) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	global.Call("setTimeout", fn, ms)
}

// idle calls f once, in a quiet moment within so many milliseconds.
func idle(ms int, f func()) {
	if !get(global, "requestIdleCallback").Truthy() {
		after(0, f)
		return
	}
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	global.Call("requestIdleCallback", fn, map[string]any{"timeout": ms})
}

// unpainted is how many milliseconds are waited for a frame: a page that is hidden before its next frame gets none.
const unpainted = 1000

// painted calls f once, so many milliseconds after the page has been painted; in a page that nobody sees, at once.
func painted(ms int, f func()) {
	if get(document, "hidden").Bool() {
		after(0, f)
		return
	}
	over := false
	once := func() {
		if !over {
			over = true
			f()
		}
	}
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		after(ms, once)
		return nil
	})
	global.Call("requestAnimationFrame", fn)
	after(ms+unpainted, once)
}

// timer calls f when nothing has asked for it for so many milliseconds.
type timer struct {
	ms    int
	f     func()
	fn    js.Func
	id    js.Value
	ready bool
}

func (t *timer) start() {
	if !t.ready {
		t.fn = js.FuncOf(func(js.Value, []js.Value) any { t.id = js.Value{}; t.f(); return nil })
		t.ready = true
	}
	t.stop()
	t.id = global.Call("setTimeout", t.fn, t.ms)
}

func (t *timer) stop() {
	if !t.id.IsUndefined() {
		global.Call("clearTimeout", t.id)
		t.id = js.Value{}
	}
}

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
	for name, elements := range c.prose {
		s := c.view.Shown(name)
		if s.Name == "" || c.last[name] == s {
			continue
		}
		c.last[name] = s
		for _, e := range elements {
			if n := figure.Notated(s.Text); n.Tag == "" {
				set(e, "textContent", n.Text)
			} else {
				set(e, "innerHTML", trustedHTML(n))
			}
			set(e, "value", s.Data)
			e.Call("toggleAttribute", "data-told", !s.Veiled)
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

// anyControl forgets what the controls hold, so that each is looked at: for when some may be new.
func (c *island) anyControl() { c.held = map[string]string{} }

// forgetControls forgets what the controls of an input hold, which is about to be built anew.
func (c *island) forgetControls(name string) {
	for id := range c.held {
		if strings.HasPrefix(id, c.sheet.ID+"--"+name) {
			delete(c.held, id)
		}
	}
}

// setControls lets the controls hold what the view says, as far as that isn't known: what they hold changes only
// through events and through here.
func (c *island) setControls() {
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

// spot is a node of the page, looked for only when something has to be written there: most of a part stays as it is.
type spot struct {
	in    *spot // its parent
	i     int   // among its children
	e     js.Value
	found bool
}

func (p *spot) element() js.Value {
	if !p.found {
		p.e, p.found = get(p.in.element(), "childNodes").Index(p.i), true
	}
	return p.e
}

// replace puts a node in the place of what stands there. The browser reads its HTML as what it is within its parent: a
// cell, an option, a part of a drawing.
func (p *spot) replace(n *widget.Node) {
	e := p.element()
	if n.Tag == "" && n.Raw == "" { // as HTML it would be joined to a text beside it
		p.e = document.Call("createTextNode", n.Text)
		e.Call("replaceWith", p.e)
		return
	}
	if get(e, "nodeType").Int() != elementNode {
		placeholder := document.Call("createElement", "i")
		e.Call("replaceWith", placeholder)
		e = placeholder
	}
	set(e, "outerHTML", trustedHTML(n))
	p.found = false
}

const elementNode = 1

// patch lets what stands at a place as one node stand there as another, and writes no more than that takes.
func patch(at *spot, was, is *widget.Node) {
	switch {
	case was.Tag != is.Tag, was.Raw != is.Raw:
		at.replace(is)
	case is.Raw != "":
	case is.Tag == "":
		if was.Text != is.Text {
			set(at.element(), "nodeValue", is.Text)
		}
	default:
		patchAttributes(at, was, is)
		patchKids(at, parsed(was.Kids), parsed(is.Kids))
	}
}

func patchAttributes(at *spot, was, is *widget.Node) {
	for _, a := range is.Attrs {
		if before, had := was.Attr(a.Name); !begins(is, a) && (!had || before != a.Value) {
			at.element().Call("setAttribute", a.Name, a.Value)
		}
	}
	for _, a := range was.Attrs {
		if _, stays := is.Attr(a.Name); !stays && !begins(was, a) {
			at.element().Call("removeAttribute", a.Name)
		}
	}
}

// begins says whether an attribute only says what a control holds to begin with; what it holds then is said by
// [island.setControls].
func begins(n *widget.Node, a widget.Attr) bool {
	return n.Tag == "input" && (a.Name == "value" || a.Name == "checked") || n.Tag == "option" && a.Name == "selected"
}

// parsed are children as a browser has them that has read their HTML: no text is empty, and none stands beside another.
func parsed(kids []*widget.Node) []*widget.Node {
	var out []*widget.Node
	text := false // the last of out is one
	for _, k := range kids {
		switch isText := k.Tag == "" && k.Raw == ""; {
		case !isText:
			out, text = append(out, k), false
		case k.Text == "":
		case text:
			out[len(out)-1] = &widget.Node{Text: out[len(out)-1].Text + k.Text}
		default:
			out, text = append(out, k), true
		}
	}
	return out
}

// patchKids patches children one by one; what is more than before is added at the end, and what is less is taken away
// there.
func patchKids(at *spot, was, is []*widget.Node) {
	both := min(len(was), len(is))
	for i := range both {
		patch(&spot{in: at, i: i}, was[i], is[i])
	}
	for range was[both:] {
		get(at.element(), "lastChild").Call("remove")
	}
	if more := is[both:]; len(more) > 0 {
		at.add(trustedHTML(more...))
	}
}

// add puts HTML behind the children.
func (p *spot) add(html any) { p.element().Call("insertAdjacentHTML", "beforeend", html) }
