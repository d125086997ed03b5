package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// inputsBook is a page with a sheet that has an input of every form.
const inputsBook = "testdata/inputs"

// puts lets a control hold a value, and tells the page of it as the browser would.
func (p *page) puts(control, value, event string) {
	p.t.Helper()
	p.run(
		fmt.Sprintf("{ const c = document.querySelector(%q); c.value = %q; c.dispatchEvent(new Event(%q, {bubbles: true})) }",
			control, value, event),
	)
}

// pick takes the focus to a menu and chooses an entry of it.
func (p *page) pick(menu, value string) {
	p.t.Helper()
	p.run(fmt.Sprintf("document.querySelector(%q).focus()", menu))
	p.puts(menu, value, "change")
}

// A range and a menu follow another input; what no longer fits is replaced, with a message, and comes back.
func TestInputsFollow(t *testing.T) {
	t.Parallel()
	home := serving(t, inputsBook, 500*time.Millisecond)
	p := tab(t, browser.Options{})
	p.open(home)
	p.notePlaces()
	p.wake()
	p.nothingMoved()
	p.retype("forms", "tp", "8")
	p.waitOut("forms", "y", 16)
	p.retype("forms", "heads", "6")
	p.waitOut("forms", "y", 12)
	p.soon("the message",
		`document.querySelector("#forms--tp--note").textContent.startsWith("8 is out of range; give 1 to 6. Now 6.")`)
	p.soon("the menu", `[...document.querySelector("#forms--d").options].map(o => o.value).join() === "1,2,3,6"`)
	p.soon("its value", `document.querySelector("#forms--d").value === "2"`)
	p.soon("the stepper's end", `document.querySelector("#forms--t").max === "5"`)
	p.retype("forms", "heads", "16")
	p.waitOut("forms", "y", 16)
	p.soon("no message", `!document.querySelector("#forms--tp--note").textContent.includes("range")`)

	p.puts("#forms--fabric", "tree", "change")
	p.soon("an input that comes",
		`document.querySelector("#forms--adds") && !document.querySelector("#forms--adds").checked`)
	p.run(`document.querySelector("#forms--adds").click()`)
	p.waitOut("forms", "passes", 1)
	p.puts("#forms--fabric", "ring", "change")
	p.waitOut("forms", "passes", 2)
	p.soon("and goes", `!document.querySelector("#forms--adds")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// Several choices, a stepper and a document, by mouse and keys; the address brings them back, but for the document.
func TestInputsOfEveryForm(t *testing.T) {
	t.Parallel()
	home := serving(t, inputsBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	p.puts("#forms--chips", "tpu.v5p", "change")
	p.soon("a third chip",
		`document.querySelectorAll("#forms .pills li").length === 3 && document.querySelector("#forms--chips").disabled`)
	p.run(`document.querySelector("#forms .pills .drop").click()`)
	p.soon("taken out", `document.querySelector("#forms .pills").textContent.startsWith("H100")`)
	p.soon("the menu goes back", `document.querySelector("#forms--chips").value === "+"`)

	p.run(`document.querySelector("#forms--t--next").focus()`)
	note := `document.querySelector("#forms .input-step .note").textContent`
	for _, c := range []struct{ key, want string }{{"\r", "2 of 8"}, {"\u0303", "3 of 8"}, {"\u0302", "2 of 8"},
		{"\u0305", "8 of 8"}, {"\u0306", "1 of 8"}} {
		p.check(p.Keys(c.key))
		p.soon(fmt.Sprintf("key %q", c.key),
			note+` === "`+c.want+`" && document.activeElement.id === "forms--t--next"`)
	}
	p.run(`document.querySelector("#forms--t--play").click()`)
	p.soon("it plays to its end", note+` === "8 of 8" && document.querySelector("#forms--t--play").title === "Play"`)
	p.waitOut("forms", "y", 15)

	p.puts("#forms--config", "{}", "input")
	p.waitOut("forms", "own", 1)
	p.soon(
		"the address",
		`location.search.includes("forms.chips=gpu.h100,tpu.v5p") && location.search.includes("forms.t=7")`,
	)
	if p.is(`location.search.includes("config")`) {
		t.Error("the document is in the address")
	}
	q := tab(t, browser.Options{})
	q.open(home + p.text(`location.search`)).wake()
	q.waitOut("forms", "y", 15)
	q.soon("the chips", `document.querySelectorAll("#forms .pills li").length === 2`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in inputs of every form, as printed and in use, wide and narrow.
func TestInputsHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, inputsBook, 0)
	p := tab(t, browser.Options{}).open(home).wake()
	p.retype("forms", "tp", "80")
	p.judgeLooks(script, "in use")
}
