package site

import (
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// In a problem the question stands alone: its working shows when the reader has answered, or has opened the answer,
// which hides nothing. Beside any other question its formula does not show.
func TestQuestionStandsAlone(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "introduction/").wake()
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
	if seen(`#know-enough .row:has(output[data-name="each"]) .row-formula`) ||
		!seen(`#know-enough .row:has(output[data-name="ops"]) .row-formula`) {
		t.Error("a formula that gives an answer away shows, or another doesn't")
	}
}
