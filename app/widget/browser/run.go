//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// taken are the handlers that go-app puts on the window; the page keeps its own.
var taken = [...]string{"onclick", "onpopstate", "onresize"}

// Run brings the sheets of the page to life in the given environment, and does not return.
func Run(env *value.Env) {
	p := newPage(env)
	restore, giveBack := p.keepWindow(), lendBody()
	p.storage = hideStorage(p)
	app.Route(get(global, "location", "pathname").String(), func() app.Composer {
		p.onMount = func() {
			restore()
			giveBack()
		}
		return p
	})
	app.RunWhenOnBrowser()
}

// lendBody lets go-app take an element that is in no page for the document's body while it starts: it puts an element
// of its own there, for which a browser would style the whole page anew. The function it returns gives the body back.
func lendBody() (giveBack func()) {
	host := document.Call("createElement", "div")
	host.Call("append", document.Call("createElement", "div"))
	reflect.Call("defineProperty", document, "body", map[string]any{"value": host, "configurable": true})
	giveBack = func() { reflect.Call("deleteProperty", document, "body") }
	after(0, giveBack) // should the start fail
	return giveBack
}

// keepWindow remembers the window's handlers, and keeps go-app from scrolling to the fragment of the address again. The
// function it returns puts all back.
func (p *page) keepWindow() func() {
	var handlers [len(taken)]js.Value
	for i, name := range taken {
		handlers[i] = get(global, name)
	}
	scroll := keepScroll()
	return func() {
		for i, name := range taken {
			global.Set(name, handlers[i])
		}
		for _, name := range []string{"goappNav", "goappOnUpdate", "goappOnAppInstallChange"} {
			global.Delete(name)
		}
		p.ctx.Defer(func(ctx app.Context) { ctx.Defer(func(app.Context) { scroll() }) }) // behind what go-app itself defers
	}
}

// keepScroll makes the element that the address leads to deaf to scrollIntoView until the function it returns is
// called. The address itself and the history are not ours to touch: the page may be somebody else's.
func keepScroll() func() {
	id := strings.TrimPrefix(get(global, "location", "hash").String(), "#")
	if id == "" {
		return func() {}
	}
	target := document.Call("getElementById", id)
	if !target.Truthy() {
		return func() {}
	}
	deaf := js.FuncOf(func(js.Value, []js.Value) any { return nil })
	set(target, "scrollIntoView", deaf)
	return func() {
		target.Delete("scrollIntoView")
		deaf.Release()
	}
}

// hideStorage keeps go-app out of the browser's storage while it starts, and returns the storage for our own use.
// go-app looks through all that is there, which belongs to every site of the origin, for states of its own; where
// storage is forbidden, as in frames that browsers trust little, it would not survive the attempt. What stands there
// meanwhile says so: web/secondary.js lets no other script see it.
func hideStorage(p *page) (storage js.Value) {
	const name = "localStorage"
	object := get(global, "Object")
	before := object.Call("getOwnPropertyDescriptor", global, name)
	func() {
		defer func() { _ = recover() }()
		storage = get(global, name)
	}()
	empty := map[string]any{"value": map[string]any{"length": 0, "hidden": true}, "configurable": true}
	reflect.Call("defineProperty", global, name, empty)
	shown := false
	p.showStorage = func() {
		if shown {
			return
		}
		shown = true
		if before.Truthy() {
			reflect.Call("defineProperty", global, name, before)
		} else {
			reflect.Call("deleteProperty", global, name)
		}
	}
	after(0, p.showStorage) // should the start fail
	return storage
}
