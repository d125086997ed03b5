//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/widget"
)

// updates is the component of one sheet. Its own element is empty and stays in the hidden root: go-app says when the
// view is to follow, and part by part the page is patched where it stands.
type updates struct {
	app.Compo
	c *island
}

func (u *updates) OnMount(ctx app.Context) { u.c.ctx = ctx }

func (u *updates) Render() app.UI {
	u.c.guard(u.c.follow)
	return app.Div()
}

// part is a part of a view as it stands in the page.
type part struct {
	key         string
	siblings    []*widget.Node // among them its node; that is a hole as long as nobody had to know the part
	at          int
	way         []int  // from the body down to its element
	fingerprint string // of the state that it shows
	printed     bool   // it stands as the page was printed, or what is folded in it does
}

// indexParts finds the places of the parts in a frame.
func (c *island) indexParts(frame []*widget.Node) {
	c.nodes, c.parts = frame, nil
	c.find(frame, nil)
}

func (c *island) find(nodes []*widget.Node, way []int) {
	for i, n := range nodes {
		down := append(way[:len(way):len(way)], i)
		if n.Part != "" {
			c.parts = append(c.parts, &part{key: n.Part, siblings: nodes, at: i, way: down, printed: true})
			continue
		}
		c.find(n.Kids, down)
	}
}

// print puts nodes into the body in the place of all that is there.
func (c *island) print(nodes []*widget.Node) {
	nodes = markup.Shape(nodes...)
	set(c.body, "innerHTML", trustedHTML(nodes...))
	c.nodes, c.parts = nodes, nil
}

// printAnew prints the view anew, for when the page shows another state of it, or another sheet.
func (c *island) printAnew() {
	focus := focusIn(c.root, c.body)
	frame := c.view.Frame()
	c.indexParts(frame)
	c.noted = true
	for _, p := range c.parts {
		p.fingerprint, p.printed = c.view.Fingerprint(p.key), false
		p.siblings[p.at] = c.built(p.key)
	}
	set(c.body, "innerHTML", trustedHTML(frame...))
	focus.restore(c.body)
}

// built is a part of the view as it is now.
func (c *island) built(key string) *widget.Node { return markup.Shape(c.view.Part(key))[0] }

// ready notes the state that the parts show, before it changes for the first time.
func (c *island) ready() {
	if c.noted {
		return
	}
	c.noted = true
	for _, p := range c.parts {
		p.fingerprint = c.view.Fingerprint(p.key)
	}
}

// follow lets the page follow the view: the numbers in the text, the parts that changed, the controls. It is the one
// way from a change to the page, whatever changed. Drawings and tables wait for their turns.
func (c *island) follow() {
	switch {
	case c.fault != "":
		if c.placed {
			c.print([]*widget.Node{c.faultNode()})
		}
		return
	case !c.placed, !c.noted:
		return
	case c.pendingEvents > 0:
		c.late = true
		return
	}
	c.late = false
	c.writeProse()
	c.showChanged(c.turns.takes)
	c.adjust()
	c.refocus()
	c.nextTurn()
}

// showChanged shows the parts that changed and whose turn it is.
func (c *island) showChanged(turn func(key string) bool) {
	for _, p := range c.parts {
		if c.view.Fingerprint(p.key) != p.fingerprint && turn(p.key) {
			c.show(p)
		}
	}
}

// show lets a part show the view. A table that nobody had to know yet, which may be long, is printed as a whole.
func (c *island) show(p *part) {
	at, kind := c.spotOf(p), p.key[:strings.IndexByte(p.key, ':')+1]
	if p.siblings[p.at].Part != "" && kind == "table:" {
		focus := focusIn(c.root, at.element())
		p.siblings[p.at] = c.built(p.key)
		at.replace(p.siblings[p.at])
		focus.restore(at.element())
	} else {
		was := c.known(p) // first: what is folded in a row then stays as it is
		p.siblings[p.at] = c.built(p.key)
		patch(at, was, p.siblings[p.at])
	}
	p.fingerprint = c.view.Fingerprint(p.key)
	p.printed = p.printed && (kind == "row:" || kind == "rest:")
}

// known is the node of a part. Until it is shown anew, it is what was printed; once the view has changed, a view that
// stays as the author left it knows what that was. The page isn't written here: an event may be on its way through it.
func (c *island) known(p *part) *widget.Node {
	if n := p.siblings[p.at]; n.Part == "" {
		return n
	}
	view := c.view
	if c.noted && view.Fingerprint(p.key) != p.fingerprint {
		if c.author == nil {
			c.author = c.view.Untouched()
		}
		view = c.author
	}
	p.siblings[p.at] = markup.Shape(view.Printed(p.key))[0]
	return p.siblings[p.at]
}

// complete gives a part what pages without scripts lack.
func (c *island) complete(p *part) {
	if p.printed {
		c.known(p)
		c.view.Unprint()
		c.show(p)
		p.printed = false
	}
}

// completeInputs gives the menus all their choices.
func (c *island) completeInputs() {
	for _, p := range c.parts {
		if p.printed && c.view.Abridged(p.key) {
			c.complete(p)
		}
	}
}

// completePlots gives the plots of the page the controls that pages without scripts lack, one in each quiet moment.
func (p *page) completePlots() {
	for _, c := range p.islands {
		i := slices.IndexFunc(c.parts, func(x *part) bool { return x.printed && widget.PlotIndex(x.key) >= 0 })
		if i < 0 || !c.placed || c.fault != "" {
			continue
		}
		idle(1000, func() {
			c.ctx.Dispatch(func(ctx app.Context) {
				ctx.PreventUpdate()
				if i < len(c.parts) {
					c.guard(func() { c.complete(c.parts[i]) })
				}
				p.completePlots()
			})
		})
		return
	}
}

// spotOf is where a part stands.
func (c *island) spotOf(p *part) *spot {
	at := &spot{e: c.body, found: true}
	for _, i := range p.way {
		at = &spot{in: at, i: i}
	}
	return at
}

// fits says whether the printed body is built like the frame, so that its parts are where they are looked for.
func (c *island) fits(nodes []*widget.Node, e js.Value) bool {
	list := get(e, "childNodes")
	if get(list, "length").Int() != len(nodes) {
		return false
	}
	for i, n := range nodes {
		if n.Part == "" && n.Tag != "" && len(n.Kids) > 0 && !c.fits(n.Kids, list.Index(i)) {
			return false
		}
	}
	return true
}
