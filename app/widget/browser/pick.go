//go:build js && wasm

package browser

import "syscall/js"

// pick sets what the element of a drawing sets that was clicked, or used with the keyboard.
func (c *island) pick(ev js.Value) {
	hit := get(ev, "target").Call("closest", "[data-set]")
	if !hit.Truthy() {
		return
	}
	kind, menu := get(ev, "type").String(), hit.Call("matches", "select").Bool()
	if menu != (kind == "change") || kind == "keydown" && !used(ev) {
		return
	}
	set := attribute(hit, "data-set")
	if hit.Call("matches", ":focus").Bool() {
		c.picked = set
	}
	if menu {
		set = get(hit, "value").String() // the menu's own data-set is its name
	}
	c.pickSet(set)
	c.changed()
}

// pickSet sets what an element sets.
func (c *island) pickSet(set string) {
	c.view.Pick(set)
}

// used says whether a key is one that buttons answer to.
func used(ev js.Value) bool {
	if key := get(ev, "key").String(); key != "Enter" && key != " " {
		return false
	}
	ev.Call("preventDefault")
	return true
}

// refocus gives the focus to a question that was answered or is asked again, or back to what was picked: drawn anew,
// the drawing has another element there. While drawings still wait for their turns, that is too early: what has the
// focus now goes when they are drawn.
func (c *island) refocus() {
	if name := c.asked; name != "" {
		c.asked = ""
		c.afterGuess(name)
		return
	}
	if len(c.turns.left) > 0 {
		return
	}
	set := c.picked
	c.picked = ""
	if set == "" || c.body.Call("contains", get(c.root, "activeElement")).Bool() {
		return
	}
	for _, e := range all(c.body.Call("querySelectorAll", "[data-set]")) {
		if attribute(e, "data-set") == set {
			e.Call("focus", map[string]any{"preventScroll": true})
			return
		}
	}
}
