package site

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/scalebook/scalebook/app/site/browser"
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

// What the checker is asked: everything, or all but what contrasts and reachable say of every page.
const (
	tagRules  = `{type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}`
	allRules  = `runOnly: ` + tagRules
	formRules = allRules + `, rules: {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false},
		"target-size": {enabled: false}, "scrollable-region-focusable": {enabled: false}}`
)

func (p *page) checkRules(script, where string) {
	p.t.Helper()
	p.runAxe(script, allRules, where)
}

// runAxe runs the checker over the page as it is now. The script comes in through the browser's protocol: the page's
// own security policy would refuse it. Without a script there is nothing to do.
func (p *page) runAxe(script, rules, where string) {
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

// mistypeAll gives every calculator a text that is no number.
const mistypeAll = `for (const s of document.querySelectorAll("section.sheet")) {
		const field = s.querySelector("input.field[name]:not(.field-text)");
		if (field) { field.value = "12 parrots"; field.dispatchEvent(new Event("input", {bubbles: true})); }
	}`

// A message beside a control takes space on a phone: no button may reach over what lies below or beside it, on a page
// of many calculators and on pages of one. In each of them everything is open and the first number is wrong. axe looks
// at them whole on the narrowest screen, our own check of what a finger reaches on both.
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
			p.checkRules(script, "all calculators in error on a narrow phone")
		},
	)
}

// seen says whether the focus can be seen: an outline that is there and has a width, on the element or, for the
// invisible handle of a plot, on what it handles, and no box that scrolls cuts off one of its sides.
const seen = `(e => [e, e.closest(".plot-stage"), e.closest(".row")].some(x => { if (!x) return false;
	const s = getComputedStyle(x), r = x.getBoundingClientRect()
	const d = parseFloat(s.outlineWidth) + parseFloat(s.outlineOffset)
	for (let box = x.parentElement; box; box = box.parentElement) {
		const b = box.getBoundingClientRect()
		const cut = (inside, way) => inside > -0.5 && inside < d - 0.5 && way > -0.5
		if (/auto|scroll|hidden/.test(getComputedStyle(box).overflowX) && x.matches(":focus-visible") &&
			(cut(r.left - b.left, b.right - r.right) || cut(b.right - r.right, r.left - b.left))) return false
	}
	return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 && s.visibility === "visible" && r.width > 0
		&& r.height > 0 }))(document.activeElement)`

// where names what has the focus.
const where = `(e => (e.closest("section.sheet")?.id || "") + "|" + e.tagName.toLowerCase() + "." + e.className
	+ "|" + (e.name || e.id || e.textContent.trim().slice(0, 24)))(document.activeElement)`

// tabs walks through the page by the Tab key up to where stop says so, and returns the stops. Each must be seen, and
// none may keep the focus.
func (p *page) tabs(press func(string) error, most int, stop string) []string {
	p.t.Helper()
	var stops []string
	last, stuck := "", 0
	for range most {
		p.check(press("\t"))
		at := p.text(where)
		if at == last {
			if stuck++; stuck > 2 {
				p.t.Fatalf("the focus stays on %s", at)
			}
		} else {
			stuck = 0
		}
		last = at
		stops = append(stops, at)
		if !strings.Contains(at, "|body.") && !p.is(seen) {
			p.t.Errorf("the focus can't be seen on %s", at)
		}
		if p.is(stop) {
			return stops
		}
	}
	p.t.Errorf("%d stops and no end: %s", most, strings.Join(stops[max(0, len(stops)-5):], "  "))
	return stops
}

// Every kind of control is a stop of the keyboard that can be seen, and lets the focus go on, forward and back.
func TestEveryControlIsAVisibleStop(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.run(`document.querySelector("#alpha [data-key='row:T'] > summary").click()`)
	time.Sleep(500 * time.Millisecond) // what a closed row holds is built anew once it opens
	p.run(`document.querySelector("#alpha [data-key='row:T'] details.more > summary").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha .goal input")`))
	walked := strings.Join(p.tabs(p.Keys, 250, `document.activeElement.closest("#gamma")`), "\n")
	for what, stop := range map[string]string{
		"the link to the text": "a.skip", "the search": "a.page-search", "the theme": "button.theme-button",
		"the contents": "|a.|",
		"a menu":       "alpha|select.field field-menu", "a number": "alpha|input.field|B",
		"a switch": "alpha|input.switch|deep", "a row": "alpha|summary.|",
		"goal seek's value": "alpha|input.field|alpha--T--goal", "what may change": "alpha--T--goal-input",
		"looking for it": "alpha|button.tool|Find", "the next calculator": "button.skip",
		"a plot's cursor": "alpha|input.plot-cursor|", "an estimate": "beta|input.field",
		"a link to copy": "alpha|button.tool|Link",
	} {
		if !strings.Contains(walked, stop) {
			t.Errorf("the keyboard never comes to %s (%s):\n%s", what, stop, walked)
		}
	}
	if strings.Contains(walked, "input.slider") {
		t.Error("a slider beside a field is a second stop of one number")
	}
	if strings.Contains(walked, "a.permalink") {
		t.Error("the permalink of a heading is a stop between the calculators")
	}
	p.tabs(p.Shifted, 250, `document.activeElement.matches("a.skip")`)
}

// The lines of a calculator are one stop, and its tools are another: arrows lead through them, and the line that had
// the focus last is the stop.
func TestLinesAreOneStop(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	const stops = `[...document.querySelectorAll("#alpha :is(.rows, .sheet-tools) summary")]
		.filter(e => e.tabIndex === 0 && e.checkVisibility()).length`
	if n := p.number(stops); n != 1 {
		t.Errorf("%v lines are stops, not one", n)
	}
	for _, group := range []struct{ first, key, next string }{
		{"#alpha .rows .row > summary", kb.ArrowDown, "#alpha .rows .row + .row > summary"},
		{"#alpha .sheet-tools .tool + .tool", kb.ArrowRight, "#alpha .sheet-tools .menu > summary"},
	} {
		at := func(selector string) bool {
			return p.is(`document.activeElement === document.querySelector(` + strconv.Quote(selector) + `)`)
		}
		p.run(`document.querySelector(` + strconv.Quote(group.first) + `).focus()`)
		p.check(p.Keys(group.key))
		if !at(group.next) {
			t.Errorf("the arrow doesn't lead to %s", group.next)
		}
		p.check(p.Keys("\t"))
		p.check(p.Shifted("\t"))
		if !at(group.next) {
			t.Errorf("%s is no stop though it had the focus last", group.next)
		}
	}
}

// Whoever doesn't want a calculator goes on to the next by one key, and past hints and answers between them.
func TestKeyboardPassesCalculators(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.run(`document.querySelector("button.skip").focus()`)
	for i := range 2 {
		p.check(p.Keys("\r"))
		at := p.number(`(e => [...document.querySelectorAll("section.sheet")]
			.findIndex(s => s.previousElementSibling === e || s.contains(e)))(document.activeElement)`)
		if at != float64(i+1) {
			t.Errorf("after %d the focus is at calculator %v", i+1, at)
		}
	}
}

// A formula too wide for its place is a stop of the keyboard, shows that it goes on, and the arrow keys move it; one
// that has the space is no stop.
func TestWideFormulaIsAStop(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{Width: 320, Height: 640}).open(serving(t, realBook, 0) + "rooflines/").wake()
	p.run(
		`const wide = [...document.querySelectorAll("div.math, .row-formula")]
			.filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1);
		window.wide = {}; for (const e of wide) wide[e.className] ??= e; Object.assign(window.wide, wide)`,
	)
	odd := `[...document.querySelectorAll(".math, .row-formula")].filter(e => e.checkVisibility())
		.filter(e => (e.scrollWidth > e.clientWidth + 1) !==
		(e.tabIndex === 0 && getComputedStyle(e).backgroundImage.includes("gradient")))`
	if err := p.Wait(2*time.Second, odd+`.length === 0`); err != nil {
		t.Error(p.text(odd + `.map(e => e.outerHTML.slice(0, 90) + " " + e.scrollWidth + " " + e.clientWidth).join("; ")`))
	}
	for _, class := range []string{"math", "row-formula"} {
		if !p.is(fmt.Sprintf(`wide[%q]`, class)) {
			t.Errorf("no %s is too wide here", class)
			continue
		}
		p.run(fmt.Sprintf(`const e = wide[%q]; e.scrollIntoView({block: "center"});
			[...document.querySelectorAll("a[href], button, summary, input, select")]
				.filter(x => x.checkVisibility() &&
					x.compareDocumentPosition(e) === Node.DOCUMENT_POSITION_FOLLOWING)
				.at(-1).focus({preventScroll: true})`, class))
		p.tabs(p.Keys, 4, fmt.Sprintf(`document.activeElement === wide[%q]`, class))
		p.check(p.Keys(kb.ArrowRight))
		p.check(p.Wait(2*time.Second, fmt.Sprintf(`wide[%q].scrollLeft > 0`, class)))
	}
}

// A key on its way into a field finds it as it is, also if something other than keys has emptied it.
func TestKeysFindTheFieldAsItIs(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	const field = `document.querySelector("#alpha [name=B]")`
	p.run(field + `.value = ""; ` + field + `.focus()`)
	p.check(p.Keys("512"))
	p.soon("the sheet follows",
		`+document.querySelector("#alpha output[data-name=ops]").dataset.value === 2 * 512 * 4096 * 4096`)
	if got := p.text(field + `.value`); got != "512" {
		t.Errorf("the field holds %q", got)
	}
}

// Keys without a modifier do nothing outside of controls: whoever speaks to the browser would hit them. The one that
// opens the search can be turned off.
func TestBareKeysDoNothing(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	const shown = `[...document.body.children].filter(e => !e.hidden).map(e => e.outerHTML).join() + location`
	p.soon("the plot has its controls", `!!document.getElementById("alpha--plot--1-mark")`)
	before := p.text(shown)
	p.check(p.Keys("?kstgnp.,123"))
	time.Sleep(300 * time.Millisecond)
	if p.is(`document.querySelector("dialog[open]")`) || p.text(shown) != before {
		t.Error("a bare key does something")
	}
}

// After many quick inputs a screen reader gets the results once, politely, and of the last state.
func TestResultsAreAnnouncedOnce(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.run(`window.told = []; const s = document.querySelector("#alpha [role=status]");
		new MutationObserver(() => { if (told.at(-1) !== s.textContent) told.push(s.textContent) })
			.observe(s, {childList: true, characterData: true, subtree: true})`)
	if got := p.text(`document.querySelector("#alpha [role=status]").getAttribute("aria-live")`); got != "polite" {
		t.Errorf("the status is %s", got)
	}
	if got := p.text(`[...document.querySelectorAll("output:not([aria-live=off])")]
		.map(e => e.dataset.name).join()`); got != "" {
		t.Errorf("would be read out at every change: %s", got)
	}
	p.retype("alpha", "B", "1")
	for _, key := range []string{"0", "2", "4"} {
		time.Sleep(60 * time.Millisecond)
		p.check(p.Keys(key))
	}
	p.waitOut("alpha", "ops", 2*1024*4096.0*4096)
	p.check(p.Wait(5*time.Second, `told.length > 0`))
	time.Sleep(1500 * time.Millisecond)
	announced := value[[]string](p, `told`)
	if len(announced) != 1 ||
		!strings.Contains(announced[0], p.text(`document.querySelector("#alpha output[data-name=T]").textContent`)) {
		t.Errorf("told: %q", announced)
	}
}

// Who wants no motion gets none.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{})
	p.check(p.Prefer(map[string]string{"prefers-reduced-motion": "reduce"}))
	p.open(serving(t, testBook, 0) + "one/").wake()
	moving := `[...document.querySelectorAll("*")].filter(e => { const s = getComputedStyle(e);
		return parseFloat(s.transitionDuration) > 0 || parseFloat(s.animationDuration) > 0
			|| s.scrollBehavior === "smooth" }).map(e => e.tagName + "." + e.className).join()`
	if got := p.text(moving); got != "" {
		t.Errorf("moves: %s", got)
	}
}

// In forced colours fields have borders, sliders tracks, plots lines, and what is veiled stays veiled and says so.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	home, p := serving(t, testBook, 0), tab(t, browser.Options{})
	for _, scheme := range []string{"light", "dark"} {
		p.check(p.Prefer(map[string]string{"forced-colors": "active", "prefers-color-scheme": scheme}))
		p.open(home + "one/").wake()
		if !p.is(`matchMedia("(forced-colors: active)").matches`) {
			t.Fatal("no forced colours")
		}
		for what, holds := range map[string]string{
			"a field has a border": `[...document.querySelectorAll(".field")].filter(e => e.checkVisibility()).every(e => {
				const s = getComputedStyle(e), paper = getComputedStyle(document.body).backgroundColor;
				return parseFloat(s.borderBottomWidth) >= 1 && s.borderBottomStyle !== "none" &&
					s.borderBottomColor !== paper })`,
			"the lines of plots": `[...document.querySelectorAll(".chart .line")]
				.every(e => contrast(getComputedStyle(e).stroke) > 3)`,
			"the words of plots": `[...document.querySelectorAll(".chart text")]
				.every(e => contrast(getComputedStyle(e).fill) > 4.5)`,
			"results can be read": `[...document.querySelectorAll("output")]
				.every(e => contrast(getComputedStyle(e).color) > 4.5)`,
			"an asked value is veiled": `getComputedStyle(document.querySelector("#beta output[data-name=y]"))
				.visibility === "hidden"`,
			"the veil says so": `(s => s.visibility === "visible" && s.content.includes("?")
				&& contrast(s.color) > 4.5)(getComputedStyle(document.querySelector("#beta output[data-name=y]"), "::after"))`,
		} {
			contrast := `(window.contrast = c => {
				const linear = x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
				const lum = t => { const [r, g, b] = t.match(/[\d.]+/g).map(linear);
					return 0.2126 * r + 0.7152 * g + 0.0722 * b };
				const paper = document.createElement("i"); paper.style.color = "Canvas"; document.body.append(paper);
				const p = lum(getComputedStyle(paper).color); paper.remove();
				const x = lum(c); return (Math.max(x, p) + 0.05) / (Math.min(x, p) + 0.05) }, true)`
			if !p.is(contrast + " && " + holds) {
				t.Errorf("%s: not so: %s", scheme, what)
			}
		}
	}
}

// What a thumb must hit is 44 pixels high, but for links within a sentence.
func TestTargetsOnTouch(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{Width: 390, Height: 844, Touch: true})
	for _, path := range []string{"", "rooflines/", "rooflines-problems/", "search/", "embed/matmul/"} {
		p.open(home + path).wake().use()
		small := value[[]string](
			p,
			`[...document.querySelectorAll("button, summary, select, input:not([type=checkbox])")]
				.filter(e => e.checkVisibility() && !e.matches(".undo, .plot-cursor"))
				.filter(e => e.getBoundingClientRect().height < 43.5)
				.map(e => e.tagName + "." + e.className + " " + (e.name || e.textContent.slice(0, 20)) + " " +
					e.getBoundingClientRect().height).slice(0, 8)`,
		)
		if len(small) > 0 {
			t.Errorf("/%s: too small: %s", path, strings.Join(small, "; "))
		}
	}
}

// A term says what it means to pointer, keyboard and thumb, without leaving the page, and Escape takes that away.
func TestTermsExplainThemselves(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	shown := `(b => b?.matches(":popover-open") && b.innerText.length > 40 && b.getBoundingClientRect().left >= 0
		&& b.getBoundingClientRect().right <= innerWidth && b.innerText)(document.querySelector("#term-said"))`
	link := `document.querySelector('main a[href$="glossary/#hbm"]')`
	p := tab(t, browser.Options{}).open(home + "rooflines/")
	for _, url := range p.Requests() {
		if strings.Contains(url, "terms") || strings.Contains(url, "glossary") {
			t.Errorf("fetched before it was wanted: %s", url)
		}
	}
	p.run(link + `.scrollIntoView({block: "center", behavior: "instant"})`)
	p.run(`new Promise(done => setTimeout(done, 500))`) // scrolling puts a definition away, and may be reported late
	p.run(link + `.focus()`)
	p.check(p.Wait(5*time.Second, shown))
	if !p.is(
		link + `.getAttribute("aria-describedby") === "term-said" && document.getElementById("term-said").role === "tooltip"`,
	) {
		t.Error("the definition doesn't describe the link")
	}
	p.check(p.Keys("\x1b"))
	p.check(p.Wait(time.Second, `!(`+shown+`)`))
	p.run(
		`document.activeElement.blur();
			` + link + `.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}))`,
	)
	p.check(p.Wait(5*time.Second, shown))
	p.nothingWrong(home)

	phone := tab(t, browser.Options{Width: 390, Height: 844, Touch: true}).open(home + "rooflines/")
	phone.run(link + `.scrollIntoView({block: "center"})`)
	x := phone.number(`(r => r.left + r.width / 2)(` + link + `.getBoundingClientRect())`)
	y := phone.number(`(r => r.top + r.height / 2)(` + link + `.getBoundingClientRect())`)
	phone.check(phone.Tap(math.Round(x), math.Round(y)))
	phone.check(phone.Wait(5*time.Second, shown+` && document.querySelector("#term-said a")`))
	if !strings.Contains(phone.text(`location.pathname`), "rooflines") {
		t.Error("a tap leaves the page")
	}
	phone.run(`document.querySelector("#term-said a").click()`)
	phone.check(phone.Wait(5*time.Second, `location.hash === "#hbm" && location.pathname.endsWith("/glossary/")`))
}
