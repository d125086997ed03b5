package site

import (
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// In a problem the question stands alone: its working shows when the reader has answered, or has opened the answer,
// which hides nothing. Nor does a plot show that would tell it by another row.
func TestQuestionStandsAlone(t *testing.T) {
	t.Parallel()
	at := serving(t, realBook, 0)
	p := tab(t, browser.Options{}).open(at + "introduction/").wake()
	seen := func(selector string) bool {
		return p.is(`document.querySelector('` + selector + `').checkVisibility({visibilityProperty: true})`)
	}
	const rows, number = "#strong-end .row-formula", `#strong-end output[data-name="N_end"]`
	const told = `.problem .answer data[data-name="N_end"]`
	if !seen("#strong-end .question") || seen(rows) || seen("#strong-end .rest") {
		t.Error("unanswered, the question doesn't stand alone")
	}
	p.run(`document.querySelector(".problem:has(#strong-end) > .answer > summary").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector(".problem:has(#strong-end) > .answer").open`))
	if !seen(rows) || !seen(number) || !seen(told) {
		t.Error("the opened answer hides something")
	}
	p.run(`document.querySelector(".problem:has(#strong-end) > .answer > summary").click()`)
	p.check(p.Wait(5*time.Second, `!document.querySelector(".problem:has(#strong-end) > .answer").open`))
	p.run(`document.querySelector("#strong-end .guess button:last-of-type").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector('`+number+`').hasAttribute("data-told")`))
	if !seen(rows) || !seen(number) {
		t.Error("answered, the working doesn't show")
	}
	p.open(at + "accelerators-problems/").wake()
	if p.run(`document.querySelector("#depth .plot").scrollIntoView()`); seen("#depth .plot") {
		t.Error("a plot gives the share away above the answer")
	}
	if !p.is(`document.querySelector("#depth .ask").compareDocumentPosition(document.querySelector("#depth .inputs")) & 4`) {
		t.Error("the question doesn't stand before its inputs")
	}
	p.run(`document.querySelector("#depth .guess button:last-of-type").click()`)
	p.soon("the plot, once that is told", `document.querySelector("#depth .plot").checkVisibility()`)
}

// The formula of a row that is asked for in the text waits with it, others show.
func TestFormulaWaits(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "introduction/").wake()
	seen := func(selector string) bool {
		return p.is(`document.querySelector('` + selector + `').checkVisibility({visibilityProperty: true})`)
	}
	if seen(`#know-enough .row:has(output[data-name="each"]) .row-formula`) ||
		!seen(`#know-enough .row:has(output[data-name="ops"]) .row-formula`) {
		t.Error("a formula that gives an answer away shows, or another doesn't")
	}
}

// A formula is typed or written with the buttons of its symbols, and judged with other numbers too; an answer is chosen
// with a button. Both stay over a reload. The opened answers of a whole page hide nothing.
func TestAnswersOfEveryKind(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines-problems/").wake()
	verdict := func(sheet string) string {
		p.check(p.Wait(2*time.Second, `document.querySelector("#`+sheet+` .verdict")`))
		return p.text(`document.querySelector("#` + sheet + ` .verdict").firstChild.textContent`)
	}
	says := func(sheet, want string) {
		t.Helper()
		if got := verdict(sheet); !strings.Contains(got, want) {
			t.Errorf("%s: %s, not %s", sheet, got, want)
		}
	}
	const field = `document.querySelector("#int8--B_crit--guess")`
	p.run(`document.querySelector("#int8 .symbols button").click()`)
	p.check(p.Wait(5*time.Second, field+`.value === "C" && document.activeElement === `+field))
	p.check(p.Insert(" / 2 s"))
	p.check(p.Keys("\r"))
	p.check(p.Wait(10*time.Second, `document.querySelector("#int8--B_crit--guess-said").textContent`))
	said := p.text(`document.querySelector("#int8--B_crit--guess-said").textContent`)
	if !strings.Contains(strings.ToLower(said), "your formula") {
		t.Error("another unit is taken: ", said)
	}
	p.run(field + `.focus(); ` + field + `.select()`)
	p.check(p.Insert("C / (2 * W)"))
	p.check(p.Keys("\r"))
	says("int8", "exactly right")
	p.check(p.Repeat("\r")) // the key is still down, and the button that forgets the answer has the focus
	says("int8", "exactly right")
	p.run(`document.querySelector("#derate .guess button").click()`)
	says("derate", "it is smaller")
	p.open(p.text("location.href")).wake()
	says("int8", "exactly right")
	p.run(`for (const a of document.querySelectorAll(".answer")) a.open = true`)
	if hidden := p.text(`[...document.querySelectorAll(".problem :is(output, .row-formula, .live, .rows, .answer p)")]
		.filter((e) => !e.closest("details:not([open]), .answer .sheet") &&
			!e.checkVisibility({ visibilityProperty: true }))
		.map((e) => e.outerHTML).join("\n")`); hidden != "" {
		t.Error("opened, the answers hide ", hidden)
	}
}

// The end of a page lists what was answered there, the farthest off first with where to read again, and forgets it on
// demand. The calculators then ask again.
func TestWhatWasAnswered(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines-problems/").wake()
	const list = `document.querySelector(".answered")`
	p.run(list + `.scrollIntoView()`)
	p.check(p.Wait(10*time.Second, list+`.textContent.includes("none of the")`))
	p.run(`const f = document.querySelector("#datasheet--B_crit--guess");
		f.value = "3000";
		f.dispatchEvent(new Event("input", {bubbles: true}));
		document.querySelector("#datasheet .guess button").click();
		document.querySelector("#derate .guess button:nth-of-type(2)").click();
		document.querySelector("#cost .guess button:last-of-type").click()`)
	p.check(p.Wait(10*time.Second, list+`.textContent.includes("You answered 3 of the 10")`))
	text := p.text(list + `.innerText`)
	for _, want := range []string{"1 right or nearly right, 1 further off, 1 shown",
		"off by a factor of 10, too high", "Read again: critical batch", "Clear these answers",
		"kept in this browser alone"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	link := p.text(list + ` && document.querySelector(".answered li a").getAttribute("href")`)
	if link != "#problem-sheet" {
		t.Error("the farthest off is ", link)
	}
	p.run(`[...document.querySelectorAll(".answered button")].pop().click()`)
	p.check(p.Wait(10*time.Second, list+`.textContent.includes("none of the")`))
	if p.is(`Object.keys(localStorage).some((k) => k.includes(":ask:")) || document.querySelector(".verdict")`) {
		t.Error("cleared, an answer is still there")
	}
}
