package site

import (
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// mistypeAll gives every calculator a text that is no number.
const mistypeAll = `for (const s of document.querySelectorAll("section.sheet")) {
		const field = s.querySelector("input.field[name]:not(.field-text)");
		if (field) { field.value = "12 parrots"; field.dispatchEvent(new Event("input", {bubbles: true})); }
	}`

// A message beside a control takes room on a phone: no button may reach over what lies below or beside it, on a page of
// many calculators and on pages of one. In each of them everything is open and the first number is wrong. axe looks at
// them whole on the narrowest screen, our own check of what a finger reaches on both.
func TestAxeFindsNothingInErrorsOnAPhone(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, realBook, 0)
	eachPage(
		t,
		[]string{"rooflines-problems/", "embed/q-tiny/", "embed/sharp/", "embed/two-ways/"},
		func(p *page, path string) {
			p.check(p.See(phone))
			p.open(home + path).wake().use()
			p.run(mistypeAll)
			p.check(p.Wait(5*time.Second, `[...document.querySelectorAll("section.sheet")].every(s =>
				!s.querySelector("input.field[name]:not(.field-text)") || s.querySelector("[aria-invalid=true]"))`))
			p.noWider("all calculators in error on a phone")
			p.reachable("all calculators in error on a phone")
			p.check(p.See(browser.Options{Width: 320, Height: 844, Touch: true}))
			p.reachable("all calculators in error on a narrow phone")
			p.judge(script, "all calculators in error on a narrow phone")
		},
	)
}
