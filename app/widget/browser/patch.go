//go:build js && wasm

package browser

import (
	"syscall/js"

	"github.com/scalebook/scalebook/app/widget"
)

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
	if get(e, "nodeType").Int() != elementNode {
		stand := document.Call("createElement", "i")
		e.Call("replaceWith", stand)
		e = stand
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
		patchKids(at, was.Kids, is.Kids)
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

// begins says whether an attribute only says what a control holds to begin with; see [island.adjust] for what it holds.
func begins(n *widget.Node, a widget.Attr) bool {
	return n.Tag == "input" && (a.Name == "value" || a.Name == "checked") || n.Tag == "option" && a.Name == "selected"
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
