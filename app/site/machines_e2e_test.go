package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// machinesBook is a page with a systolic array, a streamed matmul and a layer.
const machinesBook = "testdata/machines"

// Keys alone work the machines: a cycle on and back, to either end, another box; what they show is announced.
func TestMachinesByKeyboard(t *testing.T) {
	t.Parallel()
	home := serving(t, machinesBook, 500*time.Millisecond)
	p := tab(t, browser.Options{})
	p.open(home)
	p.notePlaces()
	p.wake()
	p.nothingMoved()

	p.run(`document.querySelector("#array--cycle--next").focus()`)
	step := `document.querySelector("#array .input-step .note").textContent`
	for _, c := range []struct{ key, want string }{
		{"\r", "6 of 12"}, {"\u0303", "7 of 12"}, {"\u0302", "6 of 12"}, {"\u0305", "12 of 12"}, {"\u0306", "1 of 12"},
		{"\u0305", "12 of 12"},
	} {
		p.check(p.Keys(c.key))
		p.soon(
			fmt.Sprintf("key %q", c.key),
			step+`.startsWith("`+c.want+`") && document.activeElement.id === "array--cycle--next"`,
		)
	}
	p.soon(
		"the check",
		`document.querySelector("#array").textContent
			.includes("All 24 outputs have left, and match a direct product.")`,
	)
	p.soon("heard", `document.querySelector("#array .sheet-status").textContent.includes("24 of 24 sums have left")`)
	p.soon(
		"the drawing",
		`document.querySelectorAll("#array svg.fig rect.b1, #array svg.fig rect.b2, #array svg.fig rect.b3").length === 1`,
	)

	p.retype("fig-stream", "buffers", "2")
	p.soon("double buffering", `+document.querySelector("#fig-stream output[data-name=t]").dataset.value < 0.00021`)
	p.soon(
		"prose",
		`document.querySelector("data[data-sheet=fig-stream]").textContent ===
			document.querySelector("#fig-stream output[data-name=t]").textContent`,
	)

	p.run(`[...document.querySelectorAll("#fig-layer .box")].find(b => b.textContent.startsWith("router")).focus()`)
	p.check(p.Keys("\r"))
	p.soon(
		"the router",
		`document.activeElement.getAttribute("aria-pressed") === "true"
			&& document.activeElement.textContent.startsWith("router") && document.querySelector("#fig-layer").textContent
			.includes("The 8 best of 256")`,
	)
	p.soon("heard", `document.querySelector("#fig-layer .sheet-status").textContent.includes("router: 1.84")`)
	p.soon("the address", `location.search.includes("fig-layer.box=router") && location.search.includes("array.cycle=11")`)
	p.pick("#fig-layer--model", "llama3.70b")
	p.soon(
		"another model",
		`document.querySelector("#fig-layer--kind").selectedOptions[0].textContent.startsWith("all 80")
			&& document.querySelectorAll("#fig-layer .box").length === 12`,
	)

	q := tab(t, browser.Options{})
	q.open(home + p.text(`location.search`)).wake()
	if a, b := q.text(step), p.text(step); a != b {
		t.Errorf("the address shows %q, not %q", a, b)
	}
	r := tab(t, browser.Options{})
	r.open(home + "embed/fig-layer/?model=llama3.8b&box=scores").wake()
	r.soon("alone", `document.querySelector("#fig-layer [aria-pressed=true]").textContent.startsWith("scores")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in the machines, as printed and in use, in both themes, wide and narrow.
func TestMachinesHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, machinesBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake().use()
	p.run(
		`document.querySelectorAll("#fig-layer .box")[3].click(); document.querySelector("#array--cycle--next").click();
			document.querySelector("#fig-stream--moment--last").click()`,
	)
	p.judgeLooks(script, "in use")
}
