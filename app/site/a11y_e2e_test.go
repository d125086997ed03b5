package site

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// axe is a checker of pages under the Mozilla Public Licence.
var axe = sync.OnceValues(func() (string, error) {
	path, err := npmFile("axe-core", "4.14.1", "package/axe.min.js", "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c")
	if err != nil {
		return "", err
	}
	script, err := os.ReadFile(path)
	return string(script), err
})

// wideFormula is a formula too wide for a phone. Browsers make such a box a stop of the keyboard while it can be scrolled,
// which the checker does not know; TestWideFormulaIsAStop holds them to it.
var wideFormula = regexp.MustCompile(`class="(math|row-formula|working|law-formula)"`)

// judge runs the checker over the page as it is now. The script comes in through the browser's protocol: the page's own
// security policy would refuse it.
func (p *page) judge(script, where string) {
	p.t.Helper()
	p.check(p.Wait(5*time.Second, `document.readyState === "complete"`))
	if !p.is(`window.axe`) {
		p.run(script)
	}
	// What moves or fades is judged where it comes to rest.
	verdict := p.text(`Promise.all(document.getAnimations().map(a => a.finished.catch(() => {}))).then(() =>
		axe.run(document, {resultTypes: ["violations"], runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}})).then(r => JSON.stringify(
		r.violations.map(v => ({ID: v.id, Help: v.help, N: v.nodes.length, Nodes: v.nodes.map(n => n.target.join(" ") + " | " + n.html.slice(0, 160) + " | " + (n.any[0]?.message || n.all[0]?.message || n.none[0]?.message || ""))}))))`)
	var faults []struct {
		ID, Help string
		N        int
		Nodes    []string
	}
	p.check(json.Unmarshal([]byte(verdict), &faults))
	for _, f := range faults {
		if f.ID == "scrollable-region-focusable" && !slices.ContainsFunc(f.Nodes, func(n string) bool { return !wideFormula.MatchString(n) }) {
			continue
		}
		p.t.Errorf("%s: %s (%s), %d places:\n  %s", where, f.ID, f.Help, f.N, strings.Join(f.Nodes[:min(5, len(f.Nodes))], "\n  "))
	}
}

// unfold opens all that folds in the first calculator, and the answers of problems.
const unfold = `const sheets = [...document.querySelectorAll("section.sheet")];
	for (const d of sheets[0]?.querySelectorAll("details:not([open])") || []) d.querySelector("summary").click();
	for (const d of document.querySelectorAll("details.answer:not([open]), details.contents-fold:not([open])")) d.querySelector("summary").click()`

// mistype gives the last calculator a text that is no number.
const mistype = `const sheets = [...document.querySelectorAll("section.sheet")];
	const field = sheets.findLast(s => s.querySelector("input.field[name]:not(.field-text)"))?.querySelector("input.field[name]:not(.field-text)");
	if (field) { field.value = "12 parrots"; field.dispatchEvent(new Event("input", {bubbles: true})); }`

// No page has a fault that axe can find, in either theme, as it is opened and with its calculators in use.
func TestAxeFindsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	script, err := axe()
	if err != nil {
		t.Skipf("skipped, there is no axe to check with: %v", err)
	}
	files := render(t, realBook)
	home := serving(t, realBook, 0)
	for _, dark := range []bool{false, true} {
		p := tab(t, browser.Options{Dark: dark})
		small := tab(t, browser.Options{Dark: dark, Width: 390, Height: 844, Touch: true})
		for _, path := range append(paths(files), "404.html") {
			t.Run(fmt.Sprintf("dark=%v/%s", dark, path), func(t *testing.T) {
				p := &page{t, p.Tab}
				p.open(home+path).judge(script, "as opened")
				p.wake().use()
				p.judge(script, "in use")
				if !strings.HasPrefix(path, "embed/") {
					small := &page{t, small.Tab}
					small.open(home + path).wake().use()
					small.judge(script, "in use on a phone")
				}
			})
		}
	}
}

// use puts the calculators of a page, if it has any, to use: one opened, one in error.
func (p *page) use() {
	p.t.Helper()
	p.run(unfold)
	if p.is(`document.querySelector("section.sheet details.row")`) {
		p.check(p.Wait(5*time.Second, `document.querySelector("section.sheet details.row[open]")`))
	}
	p.run(unfold) // what was within the folds
	p.run(mistype)
	if p.is(`document.querySelector("section.sheet input.field[name]:not(.field-text)")`) {
		p.check(p.Wait(5*time.Second, `document.querySelector("section.sheet [aria-invalid=true]")`))
	}
}
