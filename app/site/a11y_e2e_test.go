package site

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// axe is a checker of pages under the Mozilla Public Licence.
var axe = sync.OnceValues(func() (string, error) {
	path, err := npmFile(
		"axe-core",
		"4.14.1",
		"package/axe.min.js",
		"29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
	)
	if err != nil {
		return "", err
	}
	script, err := os.ReadFile(path)
	return string(script), err
})

// checker is the script of axe; a test that can't have it, or no browser, is skipped.
func checker(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	script, err := axe()
	if err != nil {
		t.Skipf("skipped, there is no axe to check with: %v", err)
	}
	return script
}

// What the checker is asked: everything, or all but what depends on the theme.
const (
	tagRules  = `{type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}`
	allRules  = `runOnly: ` + tagRules
	formRules = allRules + `, rules: {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false}}`
)

func (p *page) judge(script, where string) {
	p.t.Helper()
	p.judgeBy(script, allRules, where)
}

// judgeBy runs the checker over the page as it is now. The script comes in through the browser's protocol: the page's
// own security policy would refuse it. Without a script there is nothing to do.
func (p *page) judgeBy(script, rules, where string) {
	p.t.Helper()
	if script == "" {
		return
	}
	p.check(p.Wait(5*time.Second, `document.readyState === "complete"`))
	if !p.is(`window.axe`) {
		p.run(script)
	}
	// What moves or fades is judged where it comes to rest.
	verdict := p.text(`Promise.all(document.getAnimations().map(a => a.finished.catch(() => {}))).then(() =>
		axe.run({exclude: [["[data-judged]"]]}, {resultTypes: ["violations"], ` + rules + `}))
			.then(r => JSON.stringify(r.violations.map(v => ({ID: v.id, Help: v.help, N: v.nodes.length,
				Nodes: v.nodes.map(n => n.target.join(" ") + " | " + n.html.slice(0, 160) + " | " +
					(n.any[0]?.message || n.all[0]?.message || n.none[0]?.message || ""))}))))`)
	var faults []struct {
		ID, Help string
		N        int
		Nodes    []string
	}
	p.check(json.Unmarshal([]byte(verdict), &faults))
	for _, f := range faults {
		p.t.Errorf(
			"%s: %s (%s), %d places:\n  %s",
			where,
			f.ID,
			f.Help,
			f.N,
			strings.Join(f.Nodes[:min(5, len(f.Nodes))], "\n  "),
		)
	}
}

// unfold opens all that folds in the calculators, but of the menus only the first, since they hide what is under them,
// of the workings of a calculator the six with most to show, and of what moves these results, which takes hundreds of
// evaluations, two; and the answers of problems.
const unfold = `for (const [i, s] of [...document.querySelectorAll("section.sheet")].entries()) {
		s.most ??= new Set([...s.querySelectorAll("details.row")]
			.sort((a, b) => b.textContent.length - a.textContent.length).slice(0, 6))
		const more = new Set([...s.querySelectorAll("details.row details.more")].slice(2))
		for (const d of s.querySelectorAll("details:not([open])"))
			if (!(i && d.matches(".menu") || d.matches(".row") && !s.most.has(d) || more.has(d)))
				d.querySelector("summary").click();
	}
	for (const d of document.querySelectorAll("details:is(.answer, .hint):not([open]), details.contents-fold:not([open])"))
		d.querySelector("summary").click()`

// mistype gives the last calculator a text that is no number.
const mistype = `const number = "input.field[name]:not(.field-text)";
	const field = [...document.querySelectorAll("section.sheet")].findLast(s => s.querySelector(number))
		?.querySelector(number);
	if (field) { field.value = "12 parrots"; field.dispatchEvent(new Event("input", {bubbles: true})); }`

// widest are the elements that reach farthest to the right and stand in nothing that scrolls.
const widest = `(() => {
	const scrolls = e => e && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement.closest("main *")))
	return [...document.querySelectorAll("main *")].filter(e => e.checkVisibility() && !e.closest("svg") && !scrolls(e))
		.map(e => [e.getBoundingClientRect().right, e]).sort((a, b) => a[0] - b[0]).slice(-3).map(([right, e]) =>
		e.localName + "." + e.className + " up to " + right + ": " + e.textContent.slice(0, 60)).join("; ")
})()`

// noWider checks that the page is no wider than the window, whose innerWidth grows with the page on a phone.
func (p *page) noWider(when string) {
	p.t.Helper()
	if wide := p.number(`document.documentElement.scrollWidth - visualViewport.width`); wide > 0 {
		p.t.Errorf("%s: %v pixels too wide: %s", when, wide, p.text(widest))
	}
}

// use puts the calculators of a page, if it has any, to use: all opened, one in error. The page is hidden meanwhile, so
// that it is laid out once and not for each of hundreds that open: what opens is built the same, seen or not.
func (p *page) use() {
	p.t.Helper()
	p.run(hide + "; " + unfold)
	p.check(p.Wait(5*time.Second, `[...document.querySelectorAll("section.sheet:not([data-instrument])")].every(s =>
		[...s.most].every(d => d.open))`))
	p.run(unfold) // what was within the folds
	p.run(mistype)
	if p.is(`document.querySelector("section.sheet input.field[name]:not(.field-text)")`) {
		p.check(p.Wait(5*time.Second, `document.querySelector("section.sheet [aria-invalid=true]")`))
	}
	p.run(show)
}
