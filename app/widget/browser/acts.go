//go:build js && wasm

package browser

import (
	"strconv"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// do carries out what the reader did to the element target.
func (c *island) do(act widget.Act, ev, target js.Value) {
	c.ready()
	if !c.heeds(act, target) {
		return
	}
	c.page.acted = true
	switch act.Do {
	case widget.DoInput:
		if c.view.Cap(act.On) > 0 {
			c.reread(act.On, target)
			return
		}
		c.view.Set(act.On, c.reads(target))
		c.changed()
	case widget.DoSlide:
		position, _ := strconv.Atoi(c.reads(target))
		c.view.Slide(act.On, position)
		c.changed()
	case widget.DoKey:
		c.key(act.On, ev, target)
	case widget.DoUndo:
		c.view.Undo(act.On)
		c.changed()
		c.focusOn(act.On)
	case widget.DoReset:
		c.view.Reset()
		c.changed()
		c.say(c.phrases().Say("browser.reset", "summary", c.view.Summary()))
	case widget.DoField:
		c.view.SetField(act.On, c.reads(target))
	case widget.DoGoal:
		c.goal(act.On, ev)
	case widget.DoCopy:
		if c.id == address.PadID && act.On == "link" {
			c.page.copyPadLink()
			return
		}
		c.copy(act.On)
	case widget.DoPad:
		c.openPad()
	case widget.DoRestart:
		c.restart()
	case widget.DoPoint, widget.DoLeave, widget.DoRead:
		c.read(act, ev, target)
	case widget.DoSet:
		c.pickSet(act.On)
		c.changed()
	case widget.DoHalt:
		if !c.stopReading(act.On) {
			c.view.Halt(act.On)
		}
		c.changed()
	case widget.DoPick:
		c.pick(ev)
	case widget.DoPull:
		c.view.Pull(c.pulled.what, c.pulled.place(ev))
		c.changed()
	case widget.DoGuess, widget.DoChoose, widget.DoSymbol, widget.DoReveal, widget.DoGuessAgain, widget.DoRenew:
		c.guess(act, ev)
	default:
		if !c.form(act, ev, target) {
			c.fold(act, target)
		}
	}
}

// heeds says whether an event is the reader's doing: the browser also tells of a fold that was mounted open.
func (c *island) heeds(act widget.Act, target js.Value) bool {
	if act.Do == widget.DoToggle && get(target, "open").Bool() == c.view.Open(act.On) {
		return false
	}
	if act.Do != widget.DoPoint && act.Do != widget.DoLeave {
		c.view.Touched()
	}
	return true
}

// reads is what a control holds after an event of its own.
func (c *island) reads(target js.Value) string {
	text := held(target)
	c.held[get(target, "id").String()] = text
	return text
}

// changed follows a change of the state by the reader's hand.
func (c *island) changed() {
	c.turns.hand = true
	c.follow()
	c.restartWork()
	c.announcer.start()
	if c.inPage() {
		c.keepDocuments()
		c.page.addr.start()
	}
}

// announce tells a screen reader the main results, once the reader has paused and long work is done.
func (c *island) announce() {
	if c.view.Long().Busy() {
		c.announcer.start()
		return
	}
	c.say(c.view.Summary())
}

// say tells a screen reader a sentence: what an act answers is not covered by results that still wait to be announced.
func (c *island) say(text string) {
	c.announcer.stop()
	c.ctx.Dispatch(func(app.Context) { c.view.Say(text) })
}

// fold opens and closes.
func (c *island) fold(act widget.Act, target js.Value) {
	switch act.Do {
	case widget.DoToggle:
		c.view.Toggle(act.On, get(target, "open").Bool())
		c.restartWork() // what the fold shows may take long
	case widget.DoToggleAll:
		c.view.ToggleAll(act.On == "open")
	case widget.DoMore:
		c.view.Toggle(act.On, !c.view.Open(act.On))
	case widget.DoDismiss:
		c.view.Dismiss()
	}
	c.anyControl() // what is about to appear may hold controls
}

// key lets the arrow keys turn a ranged input by round numbers, in its field and on its slider alike.
func (c *island) key(name string, ev, target js.Value) {
	if get(ev, "ctrlKey").Bool() || get(ev, "altKey").Bool() || get(ev, "metaKey").Bool() {
		return
	}
	key := get(ev, "key").String()
	if name == "menu" {
		if key == "Escape" && get(target, "open").Bool() {
			set(target, "open", false)
			query(target, "summary").Call("focus")
		}
		return
	}
	slider := get(target, "type").String() == "range"
	direction, big := 0, false
	switch {
	case key == "ArrowUp", slider && key == "ArrowRight":
		direction = 1
	case key == "ArrowDown", slider && key == "ArrowLeft":
		direction = -1
	case key == "PageUp":
		direction, big = 1, true
	case key == "PageDown":
		direction, big = -1, true
	}
	if direction != 0 && c.view.Nudge(name, direction, big) {
		ev.Call("preventDefault")
		c.changed()
	}
}

// goal answers the button, or Enter in the field.
func (c *island) goal(name string, ev js.Value) {
	if !pressed(ev) {
		return
	}
	said := c.view.Goal(name)
	c.changed()
	c.say(said)
}

// pressed says whether the event is a click or the Enter key.
func pressed(ev js.Value) bool {
	if get(ev, "type").String() != "keydown" {
		return true
	}
	if get(ev, "key").String() != "Enter" {
		return false
	}
	ev.Call("preventDefault")
	return true
}

// focusOn puts the focus into an input's control, when what had it is gone.
func (c *island) focusOn(name string) {
	if e := c.element(c.id + "--" + name); e.Truthy() {
		e.Call("focus", map[string]any{"preventScroll": true})
	}
}

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

// guess is the reader committing to an estimate, asking for the answer, or wanting to try again.
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
	case widget.DoReveal:
		g := c.view.Reveal(name)
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
