package site

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"regexp"
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

// checkLooks judges a page that stands as a reader has left it: its contrasts wide and light; narrow and dark these,
// its width and its targets; and then with all rules of axe, which looks once at pieces that are built alike. Its rules
// of colours say light what ours say, and ours say dark. Nothing that needs the whole page can follow.
func (p *page) checkLooks(script, where string) {
	p.t.Helper()
	dark := narrow
	dark.Dark = true
	p.contrasts(where)
	p.check(p.See(dark))
	p.noWider(where)
	p.reachable(where + " on a dark phone")
	p.contrasts(where + " on a dark phone")
	p.mark(&checked{})
	p.strip()
	p.check(p.See(browser.Options{}))
	p.checkRules(script, where)
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
		{at("10", "10", "30") + strings.Replace(at("20", "10", "30"), "style=\"", "style=\"pointer-events: none; ", 1),
			""},
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

// contrasts checks that all text of a page, as it stands in the present theme, can be distinguished from its ground,
// and links from the text around them. axe has rules for both, color-contrast and link-in-text-block, but takes a
// second for them on a page of thousands of elements; it is asked on the pages of instruments.
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
		{`<p style="color: #000">text with <a href="/" style="color: #00c; text-decoration: none">a link</a></p>`,
			"alone"},
		{`<p style="color: #000">text with <a href="/" style="color: #00c">a link</a></p>`, ""},
		{`<li><a href="/" style="text-decoration: none">1</a> <ol><li><a href="/a">2</a></ol></li>`, ""},
		{`<p style="color: #000">with <a href="/" style="color: #06f; text-decoration: none">a bright link</a></p>`,
			""},
	} {
		p.open("data:text/html," + url.PathEscape("<!doctype html><body style='background: white'>"+c.html))
		found := strings.Join(value[[]string](p, faint), "; ")
		if (found == "") != (c.want == "") || !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.html, found, c.want)
		}
	}
}

// WebKit's process ends at some paragraphs that are to be wrapped prettily, at some widths.
func TestNoPrettyWrap(t *testing.T) {
	web := os.DirFS("../../web")
	names, err := fs.Glob(web, "*.css")
	if err != nil || len(names) == 0 {
		t.Fatal("no style sheets", err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(web, name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("text-wrap: pretty")) {
			t.Errorf("%s: text-wrap: pretty; leave it out", name)
		}
	}
}

// The names of the pages stand below each other where somebody has come to a page that isn't there.
func TestMissingPageLinesUp(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "404.html")
	for _, width := range []int64{1280, 390} {
		p.check(p.See(browser.Options{Width: width, Height: 800}))
		ragged := value[[]string](p, `(() => {
			const left = (a) => { const r = document.createRange(); r.selectNodeContents(a.lastChild);
				return Math.round(r.getClientRects()[0].left) };
			const links = [...document.querySelectorAll(".home-chapters a")], first = left(links[0]);
			return links.filter(a => left(a) !== first).map(a => a.textContent + " at " + left(a) + ", not " + first);
		})()`)
		if len(ragged) > 0 {
			t.Errorf("at %d: %s", width, strings.Join(ragged, "; "))
		}
	}
}

// What stands above and below the line of a fraction keeps off it, also where no font for mathematics is at hand.
func TestFractionsAreOpen(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "training/")
	close := value[[]string](p, `[...document.querySelectorAll("mfrac")].filter(e => e.checkVisibility()).filter(e => {
		const [over, under] = [...e.children], px = (e, side) => parseFloat(getComputedStyle(e)["padding" + side]);
		const gap = under.getBoundingClientRect().top + px(under, "Top") - over.getBoundingClientRect().bottom
			+ px(over, "Bottom");
		return gap < 0.25 * parseFloat(getComputedStyle(e).fontSize) }).map(e => e.textContent)`)
	if len(close) > 0 {
		t.Errorf("%d fractions touch their lines: %s", len(close), strings.Join(close, "; "))
	}
}

// A note's mark stands on the line of the word that it belongs to, at every width.
func TestNoteMarksNeverStartALine(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines/")
	marks := 0
	for width := int64(320); width <= 800; width += 20 {
		p.check(p.See(browser.Options{Width: width, Height: 800}))
		marks = int(p.number(`document.querySelectorAll("main .note-ref").length`))
		alone := value[[]string](p, `[...document.querySelectorAll("main .note-ref")].filter(e => e.checkVisibility())
			.filter(mark => {
			let before = mark.previousSibling;
			while (before?.lastChild) before = before.lastChild;
			if (before?.nodeType !== Node.TEXT_NODE || !before.data.trim()) return false;
			const r = document.createRange(); r.setStart(before, before.length - 1); r.setEnd(before, before.length);
			const word = [...r.getClientRects()].at(-1), own = mark.querySelector("a").getClientRects()[0];
			return own.top > word.bottom;
		}).map(e => e.textContent)`)
		if len(alone) > 0 {
			t.Errorf("at %d: marks %s begin a line", width, strings.Join(alone, ", "))
		}
	}
	if marks == 0 {
		t.Error("the page has no notes; take one that has")
	}
}

// said is a live number of a sentence, its unit, and the words behind it.
var said = regexp.MustCompile(`<data class="live"[^>]*>` +
	`[-$]?[\d.,]+(?: [kMBT])?(?:&nbsp;|\x{a0}| )?([^<]*)</data>((?: [a-z-]+){1,3})`)

// No sentence says a unit that its number has already said: "2048 chips chips", "4.42/s prompts a second".
func TestNoUnitIsSaidTwice(t *testing.T) {
	t.Parallel()
	rate := regexp.MustCompile(`^ (\S+ )?(a|an|per|each) (second|hour|chip|token|way|request)\b`)
	seen := 0
	files := render(t, realBook)
	for _, path := range paths(files) {
		for _, m := range said.FindAllStringSubmatch(string(files[path+"index.html"]), -1) {
			seen++
			unit, behind := strings.TrimSpace(m[1]), m[2]
			word := strings.Fields(behind)[0]
			noun, _, _ := strings.Cut(unit, "/")
			same := len(noun) > 3 && strings.TrimSuffix(word, "s") == strings.TrimSuffix(noun, "s")
			times := unit != "" && strings.HasPrefix(behind, " times ") // "323 tokens times as large"
			if same || times || strings.Contains(unit, "/") && rate.MatchString(behind) {
				t.Errorf("/%s: %q", path, strings.TrimSpace(unit+behind))
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d numbers in sentences were found", seen)
	}
}

// cut names what leaves its sheet, and the fields and values that are wider than what shows them.
const cut = `(() => {
	const out = [];
	for (const sheet of document.querySelectorAll("section.sheet")) {
		const box = sheet.getBoundingClientRect();
		if (!box.width) continue;
		const parts = ".row-value, .row-label, .field, .control, label, .plot, .drawing, .question, .note, figcaption";
		for (const e of sheet.querySelectorAll(parts)) {
			const r = e.getBoundingClientRect();
			if (!e.checkVisibility() || !r.width || e.closest(".grid > *, .drawing-box, .row-formula")) continue;
			const name = sheet.id + " " + e.tagName + "." + e.className + " " + (e.name || e.dataset.name || "");
			if (r.right > box.right + 1 || r.left < box.left - 1) out.push(name + " leaves its sheet");
			if (e.matches("input.field[inputmode], .row-value") && e.scrollWidth > e.clientWidth + 1
				&& e !== document.activeElement)
				out.push(name + " is cut: " + (e.value ?? e.textContent));
		}
	}
	return out.slice(0, 8).join("; ");
})()`

// crowded names the words of drawings that are cut off at the edge, and those that stand on others: their boxes, which
// are higher than letters, share half of a line. Words at a slant are left out: their boxes are mostly empty.
const crowded = `(() => {
	const out = [];
	for (const drawing of document.querySelectorAll("svg")) {
		const box = drawing.getBoundingClientRect();
		if (!box.width || !drawing.checkVisibility()) continue;
		const where = (drawing.closest("[id]")?.id ?? "") + " ";
		const words = [...drawing.querySelectorAll("text")].filter(t => t.textContent.trim() &&
			!(t.getScreenCTM()?.b) && t.checkVisibility({visibilityProperty: true}))
			.map(t => ({t: t.textContent, r: t.getBoundingClientRect()}));
		for (const [i, {t, r}] of words.entries()) {
			const over = Math.max(box.left - r.left, r.right - box.right, box.top - r.top, r.bottom - box.bottom);
			if (over > 3 && getComputedStyle(drawing).overflow !== "visible") out.push(where + "cuts " + t);
			for (const o of words.slice(i + 1)) {
				const wide = Math.min(r.right, o.r.right) - Math.max(r.left, o.r.left);
				const high = Math.min(r.bottom, o.r.bottom) - Math.max(r.top, o.r.top);
				if (wide > 2 && high > Math.min(r.height, o.r.height) / 2 && t !== o.t)
					out.push(where + "has " + t + " on " + o.t);
			}
		}
	}
	return out.slice(0, 8).join("; ");
})()`

// uncut checks that nothing leaves its sheet, that no field clips what it holds, and that no word of a drawing is cut
// or stands on another.
func (p *page) uncut(what string) {
	p.t.Helper()
	for _, look := range [...]string{cut, crowded} {
		if got := p.text(look); got != "" {
			p.t.Errorf("/%s: %s", what, got)
		}
	}
}
