package site

import (
	"net/url"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// contrasts checks that all text of a page, as it stands in the present theme, can be told from its ground, and links
// from the text around them. axe has rules for both, color-contrast and link-in-text-block, but takes a second for them
// on a page of thousands of elements; it is asked on the pages of instruments.
func (p *page) contrasts(where string) {
	p.t.Helper()
	p.run(`for (const a of document.getAnimations()) if (isFinite(a.effect.getComputedTiming().endTime)) a.finish()`)
	for _, fault := range value[[]string](p, faint) {
		p.t.Errorf("%s: %s", where, fault)
	}
}

// faint names text that is too faint by WCAG 2.2 (1.4.3), and links that only a colour tells, too near to that of the
// text around them (1.4.1). A ground is what the backgrounds of an element and of all around it come to; text before a
// picture or a gradient, in drawings and in controls that can't be used doesn't count, as with axe.
const faint = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true})
	const memo = (make, known = new Map()) => key => {
		if (!known.has(key)) known.set(key, make(key))
		return known.get(key)
	}
	const color = memo(text => {
		canvas.clearRect(0, 0, 1, 1)
		canvas.fillStyle = text
		canvas.fillRect(0, 0, 1, 1)
		const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
		return [r, g, b, a / 255]
	})
	const style = memo(e => getComputedStyle(e))
	const opacity = memo(e => e ? style(e).opacity * opacity(e.parentElement) : 1)
	const over = ([r, g, b, a], under) => under && [r, g, b].map((x, i) => x * a + under[i] * (1 - a))
	const thinned = (c, e) => [c[0], c[1], c[2], c[3] * opacity(e)]
	const ground = memo(e => {
		if (!e) return [255, 255, 255]
		const c = thinned(color(style(e).backgroundColor), e)
		if (c[3] > 0.999) return c.slice(0, 3)
		return style(e).backgroundImage === "none" ? over(c, ground(e.parentElement)) : null
	})
	const light = c => c.map(x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
		.reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0)
	const ratio = (a, b) => {
		const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y)
		return (bright + 0.05) / (dark + 0.05)
	}
	const ink = e => over(thinned(color(style(e).color), e), ground(e))
	const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
		!e.closest("svg, option, :disabled, [aria-disabled=true], label:has(:disabled)") && color(style(e).color)[3] > 0 &&
		e.getBoundingClientRect().width > 1
	const name = e => (e.closest("section.sheet")?.id || "") + " " + e.localName + "." + e.className + " “" +
		(e.value || e.textContent).trim().slice(0, 30) + "”"
	const faults = []
	const look = e => {
		if (!seen(e) || !ground(e)) return
		const size = parseFloat(style(e).fontSize), large = size >= 24 || size >= 18.66 && style(e).fontWeight >= 700
		const got = ratio(ink(e), ground(e)), least = large ? 3 : 4.5
		if (got < least) faults.push(name(e) + " has a contrast of " + got.toFixed(2) + ", not " + least)
	}
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), holders = new Set()
	while (texts.nextNode()) if (texts.currentNode.data.trim()) holders.add(texts.currentNode.parentElement)
	const fields = "input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=hidden]), select, textarea"
	for (const e of [...holders, ...document.querySelectorAll(fields)]) look(e)
	const told = (a, p) => style(a).textDecorationLine !== "none" || parseFloat(style(a).borderBottomWidth) > 0 ||
		style(a).fontWeight !== style(p).fontWeight || style(a).backgroundColor !== "rgba(0, 0, 0, 0)"
	const letters = e => e.textContent.replace(/\s/g, "").length
	const alone = memo(p => [...p.querySelectorAll("a")].reduce((n, a) => n - letters(a), letters(p)) === 0)
	for (const a of document.querySelectorAll(":is(p, li, dd, td, figcaption) a[href]")) {
		const p = a.closest("p, li, dd, td, figcaption")
		if (!seen(a) || !ground(a) || told(a, p) || alone(p)) continue
		const got = ratio(ink(a), ink(p))
		if (got < 3) faults.push(name(a) + " is told from its text by a contrast of " + got.toFixed(2) + " alone")
	}
	return faults.slice(0, 8)
})()`

// The check of contrasts finds each fault that it is there for, and nothing else.
func TestFaintIsFound(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{})
	for _, c := range []struct{ html, want string }{
		{`<p style="color: #767676">passes by a hair</p>`, ""},
		{`<p style="color: #777">fails by a hair</p>`, "4.48"},
		{`<p style="color: #777; font-size: 24px">large</p>`, ""},
		{`<p style="color: #777; font: bold 18.7px serif">bold</p>`, ""},
		{`<p style="color: #959595; font-size: 24px">large and faint</p>`, "not 3"},
		{`<div style="background: #222"><p style="color: #777">on a dark ground</p></div>`, "contrast of 3.5"},
		{`<div style="background: #222"><p style="color: #999">on a dark ground</p></div>`, ""},
		{`<div style="background: rgb(0 0 0 / 0.5)"><p style="color: #444">on a thin ground</p></div>`, "not 4.5"},
		{`<p style="color: #333; opacity: 0.5">thin itself</p>`, "not 4.5"},
		{`<p style="color: color-mix(in oklch, white 60%, black)">mixed</p>`, "not 4.5"},
		{`<p style="color: #eee; visibility: hidden">unseen</p>`, ""},
		{`<input value="typed" style="color: #aaa; background: white">`, "typed"},
		{`<input value="typed" disabled style="color: #aaa; background: white">`, ""},
		{`<p style="color: #eee; background: linear-gradient(#000, #333)">before a gradient</p>`, ""},
		{`<p style="color: #000">text with <a href="/" style="color: #00c; text-decoration: none">a link</a></p>`, "alone"},
		{`<p style="color: #000">text with <a href="/" style="color: #00c">a link</a></p>`, ""},
		{`<li><a href="/" style="text-decoration: none">1</a> <ol><li><a href="/a">2</a></ol></li>`, ""},
		{`<p style="color: #000">with <a href="/" style="color: #06f; text-decoration: none">a bright link</a></p>`, ""},
	} {
		p.open("data:text/html," + url.PathEscape("<!doctype html><body style='background: white'>"+c.html))
		found := strings.Join(value[[]string](p, faint), "; ")
		if (found == "") != (c.want == "") || !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.html, found, c.want)
		}
	}
}
