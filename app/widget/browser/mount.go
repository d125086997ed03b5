//go:build js && wasm

package browser

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/widget"
)

// body is the component of one sheet. Its root stays one and the same div for good, wherever it is moved to.
type body struct {
	app.Compo
	c *island
}

// OnMount moves the rendered body into the page, in the same task in which it was rendered: nothing is painted between.
func (b *body) OnMount(ctx app.Context) {
	b.c.ctx = ctx
	b.c.guard(func() { b.c.place(plain(b.JSValue())) })
	b.c.page.next()
}

func (b *body) Render() app.UI {
	div := app.Div().Class("sheet-body")
	if b.c.fault != "" {
		return div.Body(b.c.ui(b.c.faultNode()))
	}
	var kids []app.UI
	b.c.guard(func() {
		b.c.turns.begin()
		for _, n := range b.c.view.Frame() {
			kids = append(kids, b.c.ui(n))
		}
		b.c.nextTurn()
	})
	return div.Body(kids...)
}

// part is the component of one part of a view. It is rendered again only when its Fingerprint changes, or the
// sheet itself.
type part struct {
	app.Compo
	Key, Fingerprint string
	Edits            int
	c                *island
}

func (p *part) Render() app.UI {
	ui := app.UI(app.Div())
	p.c.guard(func() {
		if n := p.c.view.Part(p.Key); n != nil {
			ui = p.c.ui(n)
		}
	})
	return ui
}

// ui is a node for go-app.
func (c *island) ui(n *widget.Node) app.UI {
	switch {
	case n.Part != "":
		return &part{Key: n.Part, Fingerprint: c.fingerprint(n.Part), Edits: c.edits, c: c}
	case n.Raw != "":
		return app.Raw(n.Raw)
	case n.Tag == "":
		return app.Text(n.Text)
	case n.Tag == "input":
		e := app.ElemSelfClosing(n.Tag)
		for _, a := range n.Attrs {
			if name, value, ok := mounted(n, a); ok {
				e = e.Attr(name, value)
			}
		}
		for _, ev := range n.Events {
			e = e.On(ev.Name, c.handler(ev.Act), app.EventScope(c.id, ev.Act.Do, ev.Act.On))
		}
		return e
	}
	e := app.Elem(n.Tag)
	for _, a := range n.Attrs {
		if name, value, ok := mounted(n, a); ok {
			e = e.Attr(name, value)
		}
	}
	for _, ev := range n.Events {
		e = e.On(ev.Name, c.handler(ev.Act), app.EventScope(c.id, ev.Act.Do, ev.Act.On))
	}
	kids := make([]app.UI, 0, len(n.Kids))
	for _, k := range n.Kids {
		if k != nil { // what isn't there is not printed either
			kids = append(kids, c.ui(k))
		}
	}
	return e.Body(kids...)
}

// mounted is an attribute as go-app should set it, if it should. What a control holds is not go-app's: it sets
// attributes in random order, and a slider whose value comes before its range would lose it.
func mounted(n *widget.Node, a widget.Attr) (name string, value any, ok bool) {
	switch {
	case n.Tag == "input" && (a.Name == "value" || a.Name == "checked"), n.Tag == "option" && a.Name == "selected":
		return "", nil, false
	case a.Flag:
		return a.Name, true, true
	}
	return a.Name, a.Value, true
}

// handler runs an act in answer to an event. The closure holds nothing that changes, so that it never goes stale.
func (c *island) handler(act widget.Act) app.EventHandler {
	return func(ctx app.Context, e app.Event) {
		c.guard(func() { c.do(act, e) })
		if c.fault == "" && (c.frozen || act.Do == widget.DoPoint || act.Do == widget.DoLeave || act.Do == widget.DoRead) {
			ctx.PreventUpdate() // what there is to show now has been written already
		}
	}
}
