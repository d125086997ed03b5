//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"

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

// trusted is a text of ours as HTML (createHTML) or as the address of a script (createScriptURL), made by the policy that
// web/embed.js has for pages which let nothing else make them.
func trusted(text, as string) any {
	if api := get(global, "scalebook"); api.Truthy() && get(api, "policy").Truthy() {
		return get(api, "policy").Call(as, text)
	}
	return text
}

// trustedHTML is the HTML of nodes for a browser that may take only what a policy has made.
func trustedHTML(nodes ...*widget.Node) any { return trusted(widget.HTML(nodes...), "createHTML") }

// speak lets an element say a message, in which what stands between backticks is code.
func speak(e js.Value, message string) {
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

// painted calls f once, so many milliseconds after the page has been painted; in a page that nobody sees, at once.
func painted(ms int, f func()) {
	if get(document, "hidden").Bool() {
		after(0, f)
		return
	}
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		after(ms, f)
		return nil
	})
	global.Call("requestAnimationFrame", fn)
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
	if !t.id.IsUndefined() {
		global.Call("clearTimeout", t.id)
	}
	t.id = global.Call("setTimeout", t.fn, t.ms)
}
