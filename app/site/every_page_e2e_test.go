package site

import (
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// Every page of the book comes to life without moving, with the same numbers and without a word of protest, and stands
// on a phone where it stood before; with all its calculators in use it has no fault that axe can find, in either theme,
// on a screen and at 320 pixels, which is 1280 at 400 percent; it never scrolls sideways; and it has all of its results
// without scripts. It is loaded on a phone, where more may move, and turned wide before it wakes. The calculators that
// stand alone are those of the chapters, so they are not put to use once more.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	script, err := axe()
	if err != nil {
		t.Logf("there is no axe to check with, only widths are: %v", err)
	}
	j := &checked{}
	eachPage(t, append(some(paths(render(t, realBook))), "404.html"), func(p *page, path string) {
		p.check(p.See(phone))
		p.open(home + path)
		p.checkShift(path)
		p.fits("as printed")
		p.withoutScripts()
		printed := value[[]string](p, heights)
		p.check(p.See(browser.Options{}))
		p.checkStarted(path)
		p.uncut("alive")
		p.nothingWrong(home)
		p.check(p.See(phone))
		p.fits("alive")
		p.same("place on a phone", printed, value[[]string](p, heights))
		p.check(p.See(narrow))
		p.fits("alive")
		if strings.HasPrefix(path, "embed/") {
			return
		}
		p.use()
		p.inUse(script, j)
		p.run(hide) // nobody looks at it while the window shrinks for the next
	})
}

// inUse judges a page whose calculators are all in use and which stands narrow: its width, its targets and its
// contrasts whole, in either theme; then wide, with axe too, which looks once at pieces that are built alike.
func (p *page) inUse(script string, j *checked) {
	p.t.Helper()
	p.noWider("in use")
	p.reachable("in use on a phone")
	p.contrasts("in use on a phone")
	dark := narrow
	dark.Dark = true
	p.run(hide + "; " + spacing)
	p.check(p.See(dark))
	p.run(show)
	p.noWider("in use, with text spaced out")
	p.contrasts("in use on a dark phone") // which spacing changes nothing about
	p.run(hide + "; spaced.remove()")
	p.mark(j)
	p.strip()
	p.check(p.See(browser.Options{}))
	p.run(show)
	p.reachable("in use") // as on a phone, of what only a wide screen has
	p.contrasts("in use")
	p.runAxe(script, formRules, "in use")
}

// A page that is hidden while several things change is laid out once, not for each of them.
const (
	hide = `document.body.style.display = "none"`
	show = `document.body.style.display = ""`
)

// spacing sets text as far apart as WCAG 2.2 asks pages to bear (1.4.12).
const spacing = `window.spaced = new CSSStyleSheet();
	spaced.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; " +
		"word-spacing: 0.16em !important } p { margin-block-end: 2em !important }");
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, spaced]; spaced.remove = () => {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter(s => s !== spaced) }`

// allNumbers are all results of a page, sheets and prose, as it shows them.
const allNumbers = `[...document.querySelectorAll("output[data-name], data.live")].map(e =>
	(e.closest("section.sheet")?.id || "prose " + e.dataset.sheet) + "." + e.dataset.name + " = " +
	(e.dataset.value || e.getAttribute("value") || "") + " | " + e.textContent)`

// heights are where the pieces of a page stand.
const heights = `[...document.querySelectorAll("section.sheet, main h2, main p, .row, output, svg.chart")].filter(e =>
	e.checkVisibility()).map(e => Math.round(e.getBoundingClientRect().top + scrollY) + " " +
	(e.closest("section.sheet")?.id || "") + " " + e.tagName + "." + (e.className.baseVal ?? e.className) + " " +
	(e.dataset.name || ""))`

// stir lets every sheet work out its numbers and draw its parts anew, by a change that changes nothing: until then what
// was printed stays.
const stir = `for (const s of document.querySelectorAll("section.sheet")) {
	const e = s.querySelector(".inputs [name]");
	e?.dispatchEvent(new Event(e.matches("select, [type=checkbox]") ? "change" : "input", { bubbles: true }));
}`

// rests waits until no sheet has work left: on a busy machine more of them take so long that they say how far they are.
func (p *page) rests() *page {
	p.t.Helper()
	p.check(p.Wait(startTimeout, `!document.querySelector("section.sheet [data-task]")`))
	return p
}

// checkStarted wakes a page and compares its numbers and places with those that were printed.
func (p *page) checkStarted(path string) {
	p.t.Helper()
	_, err := p.TakeLayoutShift() // its way to this width doesn't count
	p.check(err)
	before, places := value[[]string](p, allNumbers), value[[]string](p, heights)
	if len(before) == 0 && strings.HasPrefix(path, "embed/") && !p.is(`document.querySelector("section.sheet svg")`) {
		p.t.Error("neither results nor a figure")
	}
	p.wake().rests()
	if !strings.HasPrefix(path, "embed/") {
		p.fetchesNoMore(path)
	}
	p.same("number", before, value[[]string](p, allNumbers))
	p.same("place", places, value[[]string](p, heights))
	p.run(stir)
	score, moved, err := p.rests().Shift()
	p.check(err)
	p.same("number worked out anew", before, value[[]string](p, allNumbers))
	p.same("place, drawn anew", places, value[[]string](p, heights))
	if score != 0 {
		p.t.Errorf("layout shift of %v: %s", score, strings.Join(moved, "; "))
	}
}

// same reports the first of what differs between the printed page and the live one.
func (p *page) same(what string, printed, live []string) {
	p.t.Helper()
	if len(printed) != len(live) {
		p.t.Errorf("of each %s: %d printed, %d alive", what, len(printed), len(live))
	}
	for i := range min(len(printed), len(live)) {
		if printed[i] != live[i] {
			p.t.Errorf("%s: printed  %s\nalive    %s", what, printed[i], live[i])
			return
		}
	}
}

// eachPage visits pages, two at a time, each in a tab that has been used for others before.
func eachPage(t *testing.T, paths []string, visit func(p *page, path string)) {
	t.Helper()
	waiting := make(chan string, len(paths))
	for _, path := range paths {
		waiting <- path
	}
	close(waiting)
	var workers sync.WaitGroup
	for range 2 {
		own := tab(t, browser.Options{})
		workers.Go(func() {
			for path := range waiting {
				t.Run("/"+path, func(t *testing.T) { visit(&page{t, own.Tab}, path) })
			}
		})
	}
	workers.Wait()
}
