//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"syscall/js"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// embedded says whether the page is somebody else's, which web/embed.js has told before it started us. Then the sheets
// come one by one through window.scalebook.mount, each in a shadow root, and nothing else of the page is ours: not its
// address, its history, its storage, nor its elements.
func embedded() bool {
	api := get(global, "scalebook")
	return api.Truthy() && get(api, "embedded").Truthy()
}

// embed tells embed.js that sheets may come.
func (p *page) embed() {
	p.offerMount()
	p.closeMenus()
	if ready := get(global, "scalebook", "ready"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
}

// applyState brings the sheet to the state that a page gives its section, and returns what can't be taken.
func (c *island) applyState(state string) []*phrase.Phrase {
	if state == "" {
		return nil
	}
	c.ready()
	ps, _, problems := address.Decode(state)
	problems = append(problems, c.view.Host(ps)...)
	for _, p := range problems {
		if p.Key == "widget.address-refused" {
			p.Key = "widget.page-refused"
		}
	}
	return problems
}

// framed says whether the page is that of one calculator alone, which stands in a frame of another page.
func (p *page) framed() bool {
	return get(document, "documentElement", "classList").Call("contains", "embed").Bool()
}

// alone lets the address of a page of one calculator alone leave out which it is: B=512 is as good as ID.B=512, if the
// sheet has an input B. It takes such parts out of the others.
func (p *page) alone(ps []address.Param, others []string) ([]address.Param, []string) {
	if len(p.queue) != 1 || !p.framed() {
		return ps, others
	}
	section := p.queue[0]
	id, source := attribute(section, "data-sheet"), ""
	if template := query(section, "template.sheet-source"); template.Truthy() {
		source = get(template, "content", "textContent").String()
	}
	var rest []string
	for _, part := range others {
		name, _, _ := strings.Cut(part, "=")
		one, _, bad := address.Decode(id + "." + part)
		known := len(one) == 1 && (strings.Contains(source, "let "+one[0].Name+" ") || widget.Takes(p.env, one[0].Name))
		named := slices.ContainsFunc(ps, func(x address.Param) bool { return x.Sheet == id && x.Name == name })
		switch {
		case !known || len(bad) > 0:
			rest = append(rest, part)
		case !named:
			ps = append(ps, one[0])
		}
	}
	return ps, rest
}

// home is the address of the calculator's place in the book, without query and fragment.
func (c *island) home() string {
	if home := attribute(c.section, "data-home"); home != "" {
		return home
	}
	location := get(global, "location")
	return get(location, "origin").String() + get(location, "pathname").String()
}

// base is where the book is.
func (c *island) base() string {
	if base := attribute(c.section, "data-base"); base != "" {
		return base
	}
	return c.page.base
}

// offerUse opens a dialog that says how to put this calculator into another page. Its script comes when it is first
// wanted.
func (c *island) offerUse() {
	api := get(global, "scalebook")
	open := func() { c.guard(func() { api.Call("use", c.section, address.Query(c.view.Params(), nil)) }) }
	if get(api, "use").Truthy() {
		open()
		return
	}
	script := document.Call("createElement", "script")
	set(script, "src", trusted(c.base()+"embed-use.js", "createScriptURL"))
	var loaded, failed js.Func
	settle := func(then func()) js.Func {
		return js.FuncOf(func(js.Value, []js.Value) any {
			loaded.Release()
			failed.Release()
			script.Call("remove")
			then()
			return nil
		})
	}
	loaded = settle(open)
	failed = settle(func() { c.tell(c.phrases().Say("browser.lines-unreachable")) })
	script.Set("onload", loaded)
	script.Set("onerror", failed)
	get(document, "head").Call("append", script)
}
