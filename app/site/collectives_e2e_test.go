package site

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// stepsBook is a page with a collective.
const stepsBook = "testdata/steps"

// A reader steps through a collective by keyboard, changes it, passes the address on; nothing plays by itself.
func TestCollectiveStepByStep(t *testing.T) {
	t.Parallel()
	home := serving(t, stepsBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	title := `document.querySelector("#collectives [data-figure=collective_step] title").textContent`
	p.soon("the first step", title+` === "All-gather, step 1 of 4"`)
	p.run(`document.querySelector("#collectives--step").focus()`)
	p.check(p.Keys("\u0303")) // to the right
	p.soon("the second step", title+` === "All-gather, step 2 of 4" && document.activeElement.id === "collectives--step"`)
	p.soon("its clock", `document.querySelector("#collectives .drawing-note").textContent.includes("373 µs so far")`)
	p.soon("announced", `document.querySelector("#collectives .sheet-status").textContent.includes("2 of 4")`)
	p.soon("its address", `location.search === "?collectives.step=1"`)
	p.run(`document.querySelector("#collectives--step--next").focus()`)
	p.check(p.Keys("\r"))
	p.soon(
		"the third step",
		title+` === "All-gather, step 3 of 4" && document.activeElement.id === "collectives--step--next"`,
	)
	p.soon("the button of the step rests", `document.querySelector("#collectives--step--play").title === "Play"`)

	p.run(`document.querySelector("#collectives [data-figure=collective_step] .twin summary").click()`)
	p.soon(
		"who holds what",
		`document.querySelector("#collectives [data-figure=collective_step] .twin tbody").rows.length === 8`,
	)
	p.soon(
		"what chip 0 has",
		`document.querySelector("#collectives [data-figure=collective_step] .twin tbody tr").textContent
			.includes("0, 1, 2, 3*, 5*, 6, 7")`,
	)
	p.pick("#collectives--op", "all-reduce")
	p.soon("twice the time", `document.querySelector("data[data-sheet=collectives]").textContent === "1.30 ms"`)
	p.leave(`[...document.querySelectorAll("main a")].find(a => a.textContent.startsWith("eight devices"))`)
	p.wake()
	p.soon(
		"in the switch",
		`document.querySelector("#collectives output[data-name=time]").textContent === "37.3 µs"
			&& document.querySelector("#collectives--adds").checked`,
	)
	p.soon(
		"measured",
		`[...document.querySelectorAll("#collectives caption")].some(c => c.textContent.startsWith("Measured"))`,
	)

	p.soon("its address", `location.search.includes("collectives.adds=on") && !location.search.includes("step")`)
	search := p.text(`location.search`)
	shows := `[".row", "[data-figure=collective_step] .twin tr", ".drawing-note", "[data-figure=collective_step] title"]
		.flatMap(part => [...document.querySelectorAll("#collectives " + part)]).map(e => e.textContent).join("\n")`
	was := p.text(shows)
	q := tab(t, browser.Options{})
	q.open(home + search + "#collectives").wake()
	q.soon("the same", `document.querySelector("#collectives output[data-name=time]").textContent === "37.3 µs"`)
	q.run(`document.querySelector("#collectives [data-figure=collective_step] .twin summary").click()`)
	q.soon("as much", `document.querySelector("#collectives [data-figure=collective_step] .twin tbody").rows.length === 9`)
	if got := q.text(shows); got != was {
		t.Errorf("the address %s shows\n%s\nnot\n%s", search, got, was)
	}
	p.nothingWrong(strings.TrimSuffix(home, base))
	q.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in a collective in use, in either theme, and nothing is too wide.
func TestCollectivesHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, stepsBook, 0)
	p := tab(t, browser.Options{})
	for _, query := range []string{
		"",
		"?collectives.fabric=node&collectives.op=all-reduce&collectives.adds=on&collectives.step=2",
		"?collectives.fabric=tree&collectives.op=all-to-all",
	} {
		p.open(home + query).wake()
		p.use()
		p.run(`document.querySelector("#collectives [data-figure=collective_step] .twin:not([open]) summary")?.click()`)
		p.judgeLooks(script, query)
	}
}
