//go:build js && wasm

package goapp

import (
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

var (
	global   = js.Global()
	document = global.Get("document")
	reflect  = global.Get("Reflect")
)

// taken are the handlers that go-app puts on the window; the page keeps its own.
var taken = [...]string{"onclick", "onpopstate", "onresize"}

// Root is the root component. Once go-app has mounted it, Mounted has to be called.
type Root interface {
	app.Composer
	OnMount(app.Context)
}

// Page is what a page keeps from go-app while that starts.
type Page struct {
	Storage     js.Value // the browser's storage, undefined if it is forbidden
	restore     func(app.Context)
	showStorage func()
	restoreBody func()
}

// Start lets go-app begin with a root component, and does not return. The component's OnMount calls Mounted first.
func (p *Page) Start(root Root) {
	p.restore, p.restoreBody = keepWindow(), lendBody()
	p.hideStorage()
	app.Route(get(global, "location", "pathname").String(), func() app.Composer { return root })
	app.RunWhenOnBrowser()
}

// Mounted puts back what go-app has changed by the time that it mounts its root, and calls begin when go-app has
// finished its start, before the browser gets to do anything else.
func (p *Page) Mounted(ctx app.Context, begin func()) {
	p.restore(ctx)
	p.restoreBody()
	ctx.Dispatch(func(app.Context) {
		p.showStorage()
		begin()
	})
}

// lendBody lets go-app take an element that is in no page for the document's body. The function it returns gives the
// body back.
func lendBody() (restoreBody func()) {
	host := document.Call("createElement", "div")
	host.Call("append", document.Call("createElement", "div"))
	reflect.Call("defineProperty", document, "body", map[string]any{"value": host, "configurable": true})
	restoreBody = func() { reflect.Call("deleteProperty", document, "body") }
	afterwards(restoreBody)
	return restoreBody
}

// keepWindow remembers the window's handlers, and keeps go-app from scrolling to the fragment of the address again. The
// function it returns puts all back.
func keepWindow() func(app.Context) {
	var handlers [len(taken)]js.Value
	for i, name := range taken {
		handlers[i] = get(global, name)
	}
	scroll := keepScroll()
	return func(ctx app.Context) {
		for i, name := range taken {
			global.Set(name, handlers[i])
		}
		for _, name := range []string{"goappNav", "goappOnUpdate", "goappOnAppInstallChange"} {
			global.Delete(name)
		}
		// behind what go-app itself defers
		ctx.Defer(func(ctx app.Context) { ctx.Defer(func(app.Context) { scroll() }) })
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
	reflect.Call("set", target, "scrollIntoView", deaf)
	return func() {
		target.Delete("scrollIntoView")
		deaf.Release()
	}
}

// hideStorage keeps go-app out of the browser's storage. What stands there meanwhile says so: web/modules.js lets no
// other script see it.
func (p *Page) hideStorage() {
	const name = "localStorage"
	before := get(global, "Object").Call("getOwnPropertyDescriptor", global, name)
	func() {
		defer func() { _ = recover() }()
		p.Storage = get(global, name)
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
	afterwards(p.showStorage)
}

// get follows properties. A getter that throws becomes a Go panic; js.Value.Get would tear the whole program down.
func get(v js.Value, names ...string) js.Value {
	for _, name := range names {
		v = reflect.Call("get", v, name)
	}
	return v
}

// afterwards calls f in a task of its own, should the start fail.
func afterwards(f func()) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	global.Call("setTimeout", fn, 0)
}
