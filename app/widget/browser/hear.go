//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/widget"
)

// events are the events that a sheet listens to, once for all that is in it. No node asks for the last two: what the
// reader turned to or scrolled has to be known, so that it is patched and not printed anew.
var events = [...]string{
	"input", "change", "click", "keydown", "toggle", "paste", "drop", "dragover", "pointermove", "pointerdown",
	"pointerleave", "focusin", "scroll",
}

// listen listens on the body for what happens anywhere in it, before it reaches whom it is for: some events don't come
// back up.
func (c *island) listen() {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.guard(func() { c.hear(args[0]) })
		return nil
	})
	for _, name := range events {
		c.body.Call("addEventListener", name, f, true)
	}
}

// hear carries out what an event means to the nodes that it reaches, the innermost first.
func (c *island) hear(ev js.Value) {
	name, target := get(ev, "type").String(), get(ev, "target")
	if strings.HasPrefix(name, "pointer") && !target.Call("closest", ".plot-stage").Truthy() {
		c.pull(name, ev, target)
		if name != "pointermove" && target.Call("matches", ".slider").Bool() {
			c.body.Call("toggleAttribute", "data-held", name == "pointerdown") // no touch makes a slider :active
		}
		return // a hand that only passes
	}
	nodes, elements := c.reached(target)
	if name == "click" && target.Call("closest", "summary").Truthy() {
		c.unfold(nodes)
	}
	if name == "click" && switches(target) {
		c.switched()
	}
	if name == "keydown" && get(ev, "repeat").Bool() && target.Call("matches", ".ask button").Bool() {
		used(ev) // the key that answered is still down, and the focus is on the button that forgets the answer
	}
	bubbles := get(ev, "bubbles").Bool()
	for i := len(nodes) - 1; i >= 0; i-- {
		for _, e := range nodes[i].Events {
			if e.Name == name && (bubbles || elements[i].Equal(target)) {
				c.answer(e.Act, ev, elements[i])
			}
		}
	}
}

// answer runs an act in go-app's loop, in the same task.
func (c *island) answer(act widget.Act, ev, on js.Value) {
	c.pendingEvents++
	c.ctx.Dispatch(func(ctx app.Context) {
		ctx.PreventUpdate()
		c.guard(func() { c.do(act, ev, on) })
		c.late = c.late || !passing(act)
		c.heard()
	})
}

// passing tells whether an act writes what it changes by itself: a key that turns a number says so, and any other is on
// its way into a field, which is not to be written before.
func passing(act widget.Act) bool {
	switch act.Do {
	case widget.DoPoint, widget.DoLeave, widget.DoRead, widget.DoKey:
		return true
	}
	return false
}

// switched keeps a switch as the reader just turned it until the browser has said so: between the click and that, what
// was to be shown before may have its turn.
func (c *island) switched() {
	c.pendingEvents++
	after(0, c.heard)
}

// heard notes that one thing that the reader did is answered. While there are others, the reader's hand is ahead of the
// view, and nothing is written.
func (c *island) heard() {
	if c.pendingEvents--; c.pendingEvents == 0 && c.late {
		c.guard(c.follow)
	}
}

// reached are the nodes that an event reaches on its way from the body down to its target, and their elements. Where
// trusted HTML begins, nodes end.
func (c *island) reached(target js.Value) (nodes []*widget.Node, elements []js.Value) {
	level := c.nodes
	for _, e := range c.wayTo(target) {
		i := indexOf.Call("call", get(e, "parentNode", "childNodes"), e).Int()
		if i < 0 || i >= len(level) {
			break
		}
		n := level[i]
		if n.Part != "" {
			n = c.known(c.partAt(n.Part))
		}
		if !stands(n, e) { // the part waits for its turn to follow, and will have something else here
			break
		}
		nodes, elements, level = append(nodes, n), append(elements, e), n.Kids
	}
	return nodes, elements
}

// stands says whether an element is what a node says, as far as it matters for what an event there means.
func stands(n *widget.Node, e js.Value) bool {
	for _, name := range [...]string{"id", "name", "data-set"} {
		if v, _ := n.Attr(name); v != attribute(e, name) {
			return false
		}
	}
	return true
}

var indexOf = get(global, "Array", "prototype", "indexOf")

// wayTo are the elements from the body, without it, down to one in it.
func (c *island) wayTo(e js.Value) []js.Value {
	var way []js.Value
	for ; e.Truthy() && !e.Equal(c.body); e = get(e, "parentNode") {
		way = append(way, e)
	}
	slices.Reverse(way)
	return way
}

func (c *island) partAt(key string) *part {
	i := slices.IndexFunc(c.parts, func(p *part) bool { return p.key == key })
	return c.parts[i]
}

// unfold completes the part in which a fold is about to open, before the browser opens it.
func (c *island) unfold(nodes []*widget.Node) {
	for _, p := range c.parts {
		if p.printed && slices.Contains(nodes, p.siblings[p.at]) {
			c.complete(p)
			return
		}
	}
}
