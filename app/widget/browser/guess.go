//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// guess is the reader committing to an estimate, asking to be told, or wanting to try again.
func (c *island) guess(act widget.Act, ev js.Value) {
	if !pressed(ev) {
		return
	}
	name, said := act.On, ""
	switch act.Do {
	case widget.DoGuess:
		g := c.view.TakeGuess(name)
		said = g.Verdict + g.Refused
		if g.Refused == "" {
			c.keep(name, g)
		}
	case widget.DoChoose:
		row, text, _ := strings.Cut(act.On, "=")
		g := c.view.Choose(row, text)
		name, said = row, g.Verdict
		c.keep(name, g)
	case widget.DoSymbol:
		row, symbol, _ := strings.Cut(act.On, "=")
		c.view.Symbol(row, symbol)
		name = row
	case widget.DoTell:
		g := c.view.Tell(name)
		said = g.Verdict
		c.keep(name, g)
	case widget.DoGuessAgain:
		c.view.Forget(name)
		c.keep(name, nil)
	case widget.DoRenew:
		c.renew(name)
		return
	}
	c.asked = name
	if said != "" {
		c.say(said)
	}
}

// renew asks again with other numbers, and says which. The question has the focus once the parts have followed.
func (c *island) renew(name string) {
	said := c.view.Renew(name)
	if c.view.Veiled(name) {
		c.keep(name, nil)
	}
	c.asked = name
	c.changed()
	c.say(said)
}

// afterGuess keeps the focus with the question when the control that had it is gone.
func (c *island) afterGuess(name string) {
	if e := c.element(c.sheet.ID + "--" + name + "--guess"); e.Truthy() {
		e.Call("focus", map[string]any{"preventScroll": true})
	} else if again := c.element(c.sheet.ID + "--" + name + "--again"); again.Truthy() {
		again.Call("focus", map[string]any{"preventScroll": true})
	}
}

func (c *island) storageKey(name string) string {
	return "scalebook:" + c.page.base + ":ask:" + c.id + "." + name
}

// storage is where the reader's estimates are kept; in somebody else's page there is none.
func (c *island) storage() js.Value {
	if c.page.embedded {
		return js.Undefined()
	}
	return c.page.kept.Storage
}

// keep remembers an estimate for the reader's next visit, or forgets it. Storage may be forbidden; then it lasts as
// long as the page.
func (c *island) keep(name string, g *widget.Guess) {
	if c.id == address.PadID {
		return // another sheet may stand there tomorrow
	}
	defer func() { _ = recover() }()
	storage := c.storage()
	if g == nil {
		storage.Call("removeItem", c.storageKey(name))
		return
	}
	storage.Call("setItem", c.storageKey(name), g.Text+"\n"+g.Verdict+"\n"+g.Score)
}

// recall brings back the estimates of earlier visits.
func (c *island) recall() {
	defer func() { _ = recover() }()
	if c.sheet == nil {
		return
	}
	storage := c.storage()
	for _, a := range c.sheet.Asks {
		if kept := storage.Call("getItem", c.storageKey(a.Name)); kept.Type() == js.TypeString {
			text, rest, _ := strings.Cut(kept.String(), "\n")
			verdict, score, _ := strings.Cut(rest, "\n")
			c.ready()
			c.view.KeepGuess(a.Name, &widget.Guess{Text: text, Verdict: verdict, Score: score})
		}
	}
}
