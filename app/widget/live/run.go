//go:build js && wasm

package live

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/sheet"
)

// rootID is the hidden first child of the body, which go-app takes for the page.
const rootID = "goapp-root"

// taken are the handlers that go-app puts on the window; the page keeps its own.
var taken = [...]string{"onclick", "onpopstate", "onresize"}

// Run brings the sheets of the page to life in the given environment, and does not return.
func Run(env *sheet.Env) {
	p := newPage(env)
	p.prepareRoot()
	restore := p.keepWindow()
	app.Route(get(global, "location", "pathname").String(), func() app.Composer {
		p.onMount = restore
		return p
	})
	app.RunWhenOnBrowser()
}

// prepareRoot makes sure that the body's first child is ours to lose.
func (p *page) prepareRoot() {
	first := get(document, "body", "firstElementChild")
	if first.Truthy() && get(first, "id").String() == rootID {
		return
	}
	root := document.Call("createElement", "div")
	root.Set("id", rootID)
	root.Set("hidden", true)
	get(document, "body").Call("prepend", root)
}

// keepWindow remembers the window's handlers and takes the fragment off the address for a moment, because go-app would
// scroll to it again. The function it returns puts all back.
func (p *page) keepWindow() func() {
	history, href := get(global, "history"), get(global, "location", "href").String()
	var handlers [len(taken)]js.Value
	for i, name := range taken {
		handlers[i] = get(global, name)
	}
	hash := get(global, "location", "hash").String() != ""
	if hash {
		bare := get(global, "location", "pathname").String() + get(global, "location", "search").String()
		history.Call("replaceState", get(history, "state"), "", bare)
	}
	return func() {
		for i, name := range taken {
			global.Set(name, handlers[i])
		}
		for _, name := range []string{"goappNav", "goappOnUpdate", "goappOnAppInstallChange"} {
			global.Delete(name)
		}
		if hash {
			history.Call("replaceState", get(history, "state"), "", href)
		}
	}
}
