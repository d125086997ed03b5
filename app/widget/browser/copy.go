//go:build js && wasm

package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/widget/address"
)

// copy puts the sheet on the clipboard in one of the forms of the menu.
func (c *island) copy(what string) {
	v := c.view
	text := ""
	switch what {
	case "link":
		text = c.home() + address.Query(v.Params(), nil) + "#" + c.id
	case "embed":
		c.offerUse()
		return
	default:
		text = c.export(what)
	}
	clipboard := get(global, "navigator", "clipboard")
	if !clipboard.Truthy() {
		c.copied(oldCopy(text))
		return
	}
	var done, failed js.Func
	settle := func(ok func() bool) js.Func {
		return js.FuncOf(func(js.Value, []js.Value) any {
			done.Release()
			failed.Release()
			c.copied(ok())
			return nil
		})
	}
	done = settle(func() bool { return true })
	failed = settle(func() bool { return oldCopy(text) })
	clipboard.Call("writeText", text).Call("then", done, failed)
}

// export is the calculator as text, Markdown or CSV.
func (c *island) export(form string) string { return c.view.Export(form) }

func (c *island) copied(ok bool) {
	said := c.phrases().Say("browser.copied")
	if !ok {
		said = c.phrases().Say("browser.copying-forbidden")
	}
	c.tell(said)
}

// tell says a word beside the menu for a while, to be seen and heard.
func (c *island) tell(said string) {
	c.ctx.Dispatch(func(app.Context) {
		c.view.Copied(said)
		c.view.Say(said)
	})
	after(4000, func() { c.ctx.Dispatch(func(app.Context) { c.view.Copied("") }) })
}

// oldCopy copies through a field, where there is no clipboard to write to.
func oldCopy(text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	field := document.Call("createElement", "textarea")
	set(field, "value", text)
	field.Set("className", "visually-hidden")
	get(document, "body").Call("append", field)
	field.Call("select")
	ok = document.Call("execCommand", "copy").Bool()
	field.Call("remove")
	return ok
}
