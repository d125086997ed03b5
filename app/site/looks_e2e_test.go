package site

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// phone is a common one; narrow is 1280 pixels at 400 percent.
var (
	phone  = browser.Options{Width: 390, Height: 844, Touch: true}
	narrow = browser.Options{Width: 320, Height: 256, Touch: true}
)

// judgeLooks judges a page that stands as a reader has left it: its contrasts wide and light; narrow and dark these,
// its width and its targets; and then with all rules of axe, which looks once at pieces that are built alike. Its rules
// of colours say light what ours say, and ours say dark. Nothing that needs the whole page can follow.
func (p *page) judgeLooks(script, where string) {
	p.t.Helper()
	dark := narrow
	dark.Dark = true
	p.contrasts(where)
	p.check(p.See(dark))
	p.noWider(where)
	p.reachable(where + " on a dark phone")
	p.contrasts(where + " on a dark phone")
	p.mark(&judged{})
	p.strip()
	p.check(p.See(browser.Options{}))
	p.judge(script, where)
}

// reachable checks what a finger and the keyboard must reach. axe has rules for both, target-size and
// scrollable-region-focusable, but takes seconds for them on a page of thousands of elements; it is asked on the pages
// of TestAxeFindsNothingInErrorsOnAPhone.
func (p *page) reachable(where string) {
	p.t.Helper()
	if p.Wait(2*time.Second, unreachable+".length === 0") == nil { // what scrolls becomes a stop when its size is known
		return
	}
	for _, fault := range value[[]string](p, unreachable) {
		p.t.Errorf("%s: %s", where, fault)
	}
}

// unreachable names targets of a finger that are smaller than 24 pixels and so near another that WCAG 2.2 (2.5.8) asks
// for more, those that another target covers in part, and boxes that scroll but that the keyboard can't scroll.
const unreachable = `(() => {
	const name = e => (e.closest("section.sheet")?.id || "") + " " + e.tagName + "." +
		(e.className.baseVal ?? e.className) + " " + (e.getAttribute("aria-label") || e.name || e.textContent.slice(0, 20))
	const layers = new Map() // what stays on the screen is a layer of its own
	const layer = e => {
		if (e && !layers.has(e))
			layers.set(e, /fixed|sticky/.test(getComputedStyle(e).position) ? e : layer(e.parentElement))
		return layers.get(e)
	}
	const inSentence = e => getComputedStyle(e).display === "inline" &&
		e.parentElement.textContent.trim() !== e.textContent.trim()
	const targets = [...document.querySelectorAll("a[href], button, summary, select, textarea, input, [role=slider]")]
		.filter(e => e.checkVisibility({visibilityProperty: true}) && !e.disabled && !inSentence(e))
		.filter(e => getComputedStyle(e).pointerEvents !== "none") // which only keys reach
		.map(e => ({e, r: e.getBoundingClientRect(), layer: layer(e)})).filter(t => t.r.width > 1 && t.r.height > 1)
	const small = t => !t.e.matches(".undo") && (t.r.width < 23.9 || t.r.height < 23.9) // an undo answers around it too
	const middle = t => [(t.r.left + t.r.right) / 2, (t.r.top + t.r.bottom) / 2]
	const away = ([x, y], r) => Math.hypot(Math.max(r.left - x, 0, x - r.right), Math.max(r.top - y, 0, y - r.bottom))
	const crowds = (t, o) => {
		const [x, y] = middle(t), [a, b] = middle(o)
		return away([x, y], o.r) < 12 || small(o) && Math.hypot(x - a, y - b) < 24
	}
	const common = (a, b, c, d) => Math.max(0, Math.min(b, d) - Math.max(a, c))
	const covers = (t, o) => {
		const wide = common(t.r.left, t.r.right, o.r.left, o.r.right), high = common(t.r.top, t.r.bottom, o.r.top, o.r.bottom)
		return wide > 2 && high > 2 && t.r.width - wide < 24 && t.r.height - high < 24 // what is left is too small
	}
	const faults = []
	targets.sort((t, o) => t.r.top - o.r.top)
	for (const [i, t] of targets.entries()) for (let k = i + 1; k < targets.length; k++) {
		const o = targets[k]
		if (o.r.top > t.r.bottom + 24) break // and so are all that follow
		if (t.layer !== o.layer || t.e.contains(o.e) || o.e.contains(t.e)) continue
		if (covers(t, o) || covers(o, t)) faults.push(name(t.e) + " and " + name(o.e) + " cover each other")
		else if (small(t) && crowds(t, o) || small(o) && crowds(o, t)) faults.push(name(t.e) + " is too near to " + name(o.e))
	}
	const keys = "a[href], button, summary, select, textarea, input, [tabindex]"
	for (const e of document.querySelectorAll("body *")) {
		if (e.scrollWidth <= e.clientWidth + 13 && e.scrollHeight <= e.clientHeight + 13) continue // axe lets pass as much
		const style = getComputedStyle(e)
		if (!/auto|scroll/.test(style.overflowX + style.overflowY)) continue
		if (!e.checkVisibility() || e.matches("textarea, select, input")) continue
		const more = /auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 13 ||
			/auto|scroll/.test(style.overflowY) && e.scrollHeight > e.clientHeight + 13
		if (more && !e.matches(keys) && !e.querySelector(keys)) faults.push(name(e) + " scrolls, but not by keys")
	}
	return faults.slice(0, 8)
})()`

// The check of what a finger and the keyboard reach finds each fault that it is there for, and nothing else.
func TestUnreachableIsFound(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{})
	at := func(left, top, size string) string {
		return `<button style="position: absolute; padding: 0; min-height: 0; left: ` + left + `px; top: ` + top +
			`px; width: ` + size + `px; height: ` + size + `px">` + left + `</button>`
	}
	box := `<div style="width: 50px; overflow: auto"TAB><div style="width: 90px">wide</div></div>`
	for _, c := range []struct{ html, want string }{
		{at("10", "10", "20") + at("50", "10", "20"), ""},
		{at("10", "10", "20") + at("32", "10", "20"), "too near"},
		{at("10", "10", "20") + at("31", "10", "40"), "too near"},
		{at("10", "10", "30") + at("40", "10", "30"), ""},
		{at("10", "10", "30") + at("20", "10", "30"), "cover each other"},
		{at("10", "10", "30") + strings.Replace(at("20", "10", "30"), "style=\"", "style=\"pointer-events: none; ", 1), ""},
		{`<p>A <a href="/">b</a> <a href="/c">c</a></p>`, ""},
		{strings.Replace(box, "TAB", "", 1), "not by keys"},
		{strings.Replace(box, "TAB", ` tabindex="0"`, 1), ""},
	} {
		p.open("data:text/html," + url.PathEscape("<!doctype html>"+c.html))
		found := strings.Join(value[[]string](p, unreachable), "; ")
		if (found == "") != (c.want == "") || !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.html, found, c.want)
		}
	}
}

// On touch screens the button that copies a block of code is always there: it stands above the code.
func TestCopyButtonCoversNoCode(t *testing.T) {
	t.Parallel()
	p := tab(t, phone).open(serving(t, testBook, 0) + "plain/")
	p.soon("the block of code has a button", `!!document.querySelector(".code-box button")`)
	if !p.is(`[...document.querySelectorAll(".code-box")].every(box => {
		const code = document.createRange()
		code.selectNodeContents(box.querySelector("code"))
		const button = box.querySelector("button").getBoundingClientRect()
		return button.height >= 24 && button.bottom <= code.getClientRects()[0].top
	})`) {
		t.Error("the button covers the first line")
	}
}
