package site

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// Calculators in pages of other sites. The book and each page around are servers of their own, and so other origins.

// hostHead is a page the way blogs and articles are made: a framework's reset, rules on bare elements, handlers on the
// window, a small root font, names that the book uses too, and custom elements.
const hostHead = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A blog</title><style>
*, ::before, ::after { box-sizing: content-box; letter-spacing: .5px }
html { font-size: 62.5%; color-scheme: light }
body { margin: 0; font: 1.6rem/2 Georgia; color: rgb(1, 2, 3); text-transform: uppercase; text-align: center; --ink: red; --rem: 3px }
body > :first-child { border-top: 7px solid rgb(4, 5, 6) }
button { all: unset; font: 30px cursive; color: lime }
input, select, output { width: 11px !important; color: lime !important; display: none }
table { width: 5000px } main { padding: 99px } svg { display: none }
section, .sheet, .sheet-body { display: none; color: lime }
</style><script>
window.seen = []; window.Go = "the host's own"; window.elements = 0;
window.onclick = () => { seen.push("click") };
window.onpopstate = () => { seen.push("popstate") };
window.onresize = () => { seen.push("resize") };
localStorage.setItem("theirs", '{"value": "kept", "expiresAt": "2001-01-01T00:00:00Z"}');
for (const name of ["pushState", "replaceState"]) {
	const f = history[name];
	history[name] = function() { seen.push(name); return f.apply(this, arguments) };
}
addEventListener("DOMContentLoaded", () => {
	customElements.define("d-article", class extends HTMLElement { connectedCallback() { this.dataset.upgraded = "yes" } });
});
</script></head><body>`

const hostStart = `<header id="theirs"><nav><a href="#part">Menu</a> <button>Button</button></nav></header>
<d-article><h1>An article</h1><table id="t"><tr><td>1</td></tr></table><p id="p"><input id="i"><button id="b">x</button></p><p class="tall"></p><h2 id="part">Part</h2></d-article>
<section class="sheet" id="s">a section of theirs</section>`

// hosted serves a page that is no part of the book, and returns its address.
func hosted(t testing.TB, html string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, html)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// inside is JavaScript for an element in the n-th calculator of a page.
func inside(n int, selector string) string {
	return fmt.Sprintf(`document.querySelectorAll("scalebook-sheet")[%d].shadowRoot.querySelector(%q)`, n, selector)
}

// live waits until the first n calculators are alive.
func (p *page) live(n int) {
	p.t.Helper()
	err := p.Wait(
		alive,
		fmt.Sprintf(
			`[...document.querySelectorAll("scalebook-sheet")].filter(e => e.shadowRoot?.querySelector("section.sheet[data-live]")).length === %d || document.querySelector("scalebook-sheet").shadowRoot?.querySelector(".embed-failed")`,
			n,
		),
	)
	if p.is(`document.querySelector("scalebook-sheet").shadowRoot?.querySelector(".embed-failed")`) {
		p.t.Errorf("the first says: %s", p.text(inside(0, ".embed-failed")+`.innerText`))
	}
	p.check(err)
}

// shows waits until a calculator shows a value, to a relative 1e-9.
func (p *page) shows(n int, name string, want float64) {
	p.t.Helper()
	p.check(
		p.Wait(
			5*time.Second,
			fmt.Sprintf(`Math.abs(%s.dataset.value / %v - 1) < 1e-9`, inside(n, `output[data-name="`+name+`"]`), want),
		),
	)
}

// around is how the page around looks: the styles and places of its own elements.
const around = `JSON.stringify([...document.querySelectorAll("body, #theirs, #theirs *, d-article, d-article *, #s")].map(e => {
	const c = getComputedStyle(e);
	return [e.localName, e === document.body || e.outerHTML, ...["display", "color", "fontSize", "fontFamily", "borderTopWidth", "boxSizing", "width", "letterSpacing", "colorScheme"].map(k => c[k])].join("|")
}))`

func TestEmbedElementLeavesItsHostAlone(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	url := hosted(t, hostHead+hostStart+`<style>.tall { height: 1500px }</style>
		<scalebook-sheet name="alpha" B="512" CHIP="tpu.v5p" class="wide" data-x="1"></scalebook-sheet>
		<scalebook-sheet name="beta" x="3"></scalebook-sheet>
		<script>window.go = () => { const s = document.createElement("script"); s.src = "`+book+`embed.js"; document.body.append(s) }</script>`)
	p := tab(t, browser.Options{}).open(url + "?theirs=1#part")
	p.check(p.Wait(5*time.Second, `document.querySelector("d-article[data-upgraded]")`))
	before, scroll := p.text(around), p.number(`scrollY`)
	if scroll < 500 {
		t.Fatalf("the browser didn't follow the fragment: %v", scroll)
	}
	p.run(`scrollBy(0, -100)`) // the reader has moved on: nobody may scroll back
	scroll -= 100
	p.run(`window.childrenBefore = [...document.body.children].map(e => e.id || e.localName).join()`)
	p.run(`go()`)
	p.live(1)
	if got := p.number(`scrollY`); got != scroll {
		t.Errorf("the page was scrolled from %v to %v", scroll, got)
	}
	p.run(`scrollTo(0, 1e6)`)
	p.live(2)
	p.shows(0, "ops", 2*512*4096.0*4096)
	p.shows(0, "T", 2*512*4096.0*4096/459e12)
	p.shows(1, "y", 10)

	if after := p.text(around); after != before {
		t.Errorf("the page around has changed:\nbefore %s\nafter  %s", before, after)
	}
	p.check(
		p.Wait(
			2*time.Second,
			`[...document.body.children].map(e => e.id || e.localName).join() === childrenBefore + ",script"`,
		),
	)
	if got := p.text(`document.body.firstElementChild.id`); got != "theirs" {
		t.Errorf("the first element of the body is %q", got)
	}
	if got := p.text(`window.Go`); got != "the host's own" {
		t.Errorf("window.Go is %q", got)
	}
	if got := p.text(`localStorage.length + localStorage.getItem("theirs")`); got != `1{"value": "kept", "expiresAt": "2001-01-01T00:00:00Z"}` {
		t.Errorf("their storage holds %s", got)
	}

	// A reader's hand: the results follow, and the other calculator and the address stay.
	p.run(inside(0, "[name=B]") + `.focus();` + inside(0, "[name=B]") + `.select()`)
	p.check(p.Keys("1k"))
	p.shows(0, "ops", 2*1000*4096.0*4096)
	p.shows(1, "y", 10)
	time.Sleep(400 * time.Millisecond) // longer than the page of a book waits before it writes its address
	if got := p.text(`location.search + location.hash + " " + history.length + seen.join()`); got != "?theirs=1#part 2" {
		t.Errorf("the address and the history: %s", got)
	}
	p.run(
		`document.getElementById("b").click(); dispatchEvent(new Event("resize")); dispatchEvent(new PopStateEvent("popstate"))`,
	)
	if got := p.text(`seen.join()`); got != "click,resize,popstate" {
		t.Errorf("their handlers saw %q", got)
	}
	if n := count(p.Requests(), ".wasm"); n != 1 {
		t.Errorf("the program was fetched %d times", n)
	}
	if n := count(p.Requests(), "embed."); n != 2 { // embed.js and the style sheet
		t.Errorf("%d requests for script and style", n)
	}
	for _, e := range p.Errors() {
		t.Errorf("uncaught: %s", e)
	}
}

func count(list []string, part string) int {
	n := 0
	for _, s := range list {
		if strings.Contains(s, part) {
			n++
		}
	}
	return n
}

// A calculator looks the same in the book and in a page whose style is hostile.
func TestEmbedElementLooksAsInTheBook(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	look := func(p *page, root string) string {
		return p.text(
			fmt.Sprintf(
				`JSON.stringify([...%s.querySelectorAll(".sheet-title, .sheet-tools, .field, .slider, .row-label, output, .sheet table, .sheet svg, .inputs label")].map(e => {
			const c = getComputedStyle(e);
			return [e.className.baseVal ?? e.className, ...["display", "color", "fontSize", "fontFamily", "lineHeight", "width", "height", "letterSpacing", "textTransform", "textAlign", "boxSizing", "fontVariantNumeric"].map(k => c[k])].join("|")
		}), null, 1)`,
				root,
			),
		)
	}
	frame := tab(t, browser.Options{}).open(book + "embed/alpha/").wake()
	width := frame.number(`document.querySelector("section.sheet").getBoundingClientRect().width`)
	want := look(frame, "document")
	host := hosted(
		t,
		fmt.Sprintf(
			`%s%s<script async src="%sembed.js"></script><style>scalebook-sheet { width: %vpx }</style><scalebook-sheet name="alpha"></scalebook-sheet>`,
			hostHead,
			hostStart,
			book,
			width+16,
		),
	)
	p := tab(t, browser.Options{}).open(host)
	p.live(1)
	if got := look(p, `document.querySelector("scalebook-sheet").shadowRoot`); got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range w {
			if i < len(g) && g[i] != w[i] {
				t.Errorf("in the book   %s\nin the page   %s", w[i], g[i])
			}
		}
		if len(g) != len(w) {
			t.Errorf("%d elements, want %d", len(g), len(w))
		}
	}
}

// What an element asks for in vain is said inside of it.
func TestEmbedElementReports(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="alpha" B="cat" nope="1" state="D=1k"></scalebook-sheet>
		<scalebook-sheet name="nowhere"></scalebook-sheet>
		<scalebook-sheet name="../alpha"></scalebook-sheet>
		<scalebook-sheet name="alpha" B="&lt;img src=x onerror=alert(1)&gt;"></scalebook-sheet>`))
	p.live(2)
	p.shows(0, "ops", 2*256*1000.0*1000)
	notices := p.text(inside(0, ".notices") + `.innerText`)
	for _, part := range []string{"This page asks for B = “cat”", "nope"} {
		if !strings.Contains(notices, part) {
			t.Errorf("nothing is said about %q: %q", part, notices)
		}
	}
	for _, n := range []int{1, 2} {
		if got := p.text(inside(n, "[role=alert]") + `.innerText`); !strings.Contains(got, "There is no calculator") {
			t.Errorf("an unknown name: %q", got)
		}
		if got := p.text(inside(n, "[role=alert] a") + `.href`); got != book {
			t.Errorf("an unknown name: the link leads to %s", got)
		}
	}
	if p.is(inside(3, "img")) || !p.is(inside(3, ".notices")+`.innerText.includes("img")`) {
		t.Error("an attribute became HTML, or nothing is said about it")
	}
}

// Without the program an element shows what is printed and says so; without the book it says that.
func TestEmbedElementWithoutProgram(t *testing.T) {
	files := Files{}
	for name, data := range render(t, testBook) {
		if !strings.HasSuffix(name, ".wasm") {
			files[name] = data
		}
	}
	book := servingFiles(t, files)
	p := tab(
		t,
		browser.Options{},
	).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script><scalebook-sheet name="beta"></scalebook-sheet>`))
	p.check(p.Wait(alive, inside(0, ".embed-failed")))
	if got := p.text(inside(0, ".embed-failed a") + `.href`); got != book+"one/#beta" {
		t.Errorf("the link leads to %s", got)
	}
	if !p.is(inside(0, `output[data-name="y"]`) + `.checkVisibility({visibilityProperty: true})`) {
		t.Error("the printed result can't be seen")
	}
	field := inside(0, `.inputs input[name]`)
	p.run(`{ const e = ` + field + `; e.value = "12345"; e.dispatchEvent(new Event("input", {bubbles: true})) }`)
	if p.is(field + `.value !== ` + field + `.defaultValue`) {
		t.Error("an edit stands beside results that don't belong to it")
	}
	if note := p.text(inside(0, `.inputs .note`) + `.textContent`); !strings.Contains(note, "12345") {
		t.Errorf("what the reader wrote is not said: %q", note)
	}
}

// The source of the numbers is named, and a link with the reader's numbers leads to the book.
func TestEmbedElementNamesItsSource(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(
		t,
		browser.Options{},
	).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script><scalebook-sheet name="gamma" rate="1638 GB/s"></scalebook-sheet>`))
	p.live(1)
	if got := p.text(inside(0, ".embed-source a") + `.href`); got != book+"one/#gamma" {
		t.Errorf("the source is %s", got)
	}
	said := p.text(inside(0, ".embed-source") + `.textContent`)
	if host := strings.TrimPrefix(strings.TrimSuffix(book, base), "http://"); !strings.Contains(said, host) ||
		!strings.Contains(said, "edition ") {
		t.Errorf("the source is %q", said)
	}
	p.run(
		`window.copied = []; Object.defineProperty(navigator, "clipboard", {value: {writeText: async x => { copied.push(x) }}})`,
	)
	p.run(inside(0, `.sheet-tools [aria-label^="Copy a link"]`) + `.click()`)
	p.check(p.Wait(5*time.Second, `copied.length === 1`))
	if got, want := p.text(`copied[0]`), book+"one/?gamma.rate=1638+GB/s#gamma"; got != want {
		t.Errorf("the link is %s, want %s", got, want)
	}
}

// Where storage is forbidden, as browsers do in some frames, calculators live all the same; and where it isn't, nobody
// looks into it.
func TestEmbedElementWithoutStorage(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script>
		window.looks = 0;
		Object.defineProperty(window, "localStorage", {configurable: true, get() { throw new DOMException("forbidden", "SecurityError") }});
		for (const name of ["getItem", "setItem", "removeItem", "key"]) Storage.prototype[name] = () => { looks++ };
		</script><script async src="`+book+`embed.js"></script><scalebook-sheet name="beta" x="3"></scalebook-sheet>`))
	p.live(1)
	p.shows(0, "y", 10)
	if !p.is(`(() => { try { localStorage; return false } catch { return looks === 0 } })()`) {
		t.Error("the page's storage is another, or somebody looked into it")
	}
	for _, e := range p.Errors() {
		t.Errorf("uncaught: %s", e)
	}
}

// Colours follow the page around, or the attribute.
func TestEmbedElementTheme(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	around := func(scheme string) string {
		return hosted(
			t,
			`<!doctype html><style>html { color-scheme: `+scheme+` }</style><script async src="`+book+`embed.js"></script>
			<scalebook-sheet name="beta"></scalebook-sheet><scalebook-sheet name="beta" theme="dark"></scalebook-sheet>`,
		)
	}
	dark := func(p *page, n int) bool {
		return p.is(
			`(c => (c[0] + c[1] + c[2]) / 3 < 80)(getComputedStyle(` + inside(
				n,
				"book-html",
			) + `).backgroundColor.match(/[\d.]+/g).map(Number))`,
		)
	}
	for _, c := range []struct {
		scheme   string
		prefers  bool
		followed bool
	}{{"normal", true, false}, {"light", true, false}, {"dark", false, true}, {"light dark", true, true}} {
		p := tab(t, browser.Options{Dark: c.prefers}).open(around(c.scheme))
		p.live(2)
		if got := dark(p, 0); got != c.followed {
			t.Errorf("color-scheme %s, reader prefers dark %v: dark is %v", c.scheme, c.prefers, got)
		}
		if !dark(p, 1) {
			t.Errorf(`color-scheme %s: theme="dark" is not dark`, c.scheme)
		}
		p.run(`document.querySelectorAll("scalebook-sheet")[1].setAttribute("theme", "light")`)
		if dark(p, 1) {
			t.Errorf(`color-scheme %s: theme="light" is dark`, c.scheme)
		}
	}
}

// A page says in many ways that it is dark, also after the element is there; its fonts and its accent are the element's.
func TestEmbedElementFollowsItsHost(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><html><body><script async src="`+book+`embed.js"></script>
		<style>scalebook-sheet { --scalebook-font: "Courier New", monospace; --scalebook-accent: rgb(1, 2, 3) }</style>
		<div id="around"><scalebook-sheet name="beta" x="3"></scalebook-sheet></div>`))
	p.live(1)
	dark := func() bool {
		return p.is(`(c => (c[0] + c[1] + c[2]) / 3 < 80)(getComputedStyle(` + inside(0, "book-html") + `).backgroundColor.match(/[\d.]+/g).map(Number))`)
	}
	for _, c := range [][2]string{
		{`root.dataset.theme = "dark"`, `delete root.dataset.theme`},
		{`root.setAttribute("data-color-mode", "dark")`, `root.removeAttribute("data-color-mode")`},
		{`root.classList.add("dark")`, `root.classList.remove("dark")`},
		{`document.body.setAttribute("style", "background: #101418")`, `document.body.removeAttribute("style")`},
		{`root.style.background = "rgb(10, 10, 40)"`, `root.style.background = ""`},
	} {
		for i, want := range []bool{true, false} {
			p.run(`const root = document.documentElement; ` + c[i])
			time.Sleep(50 * time.Millisecond)
			if got := dark(); got != want {
				t.Errorf("after %s: dark is %v", c[i], got)
			}
		}
	}
	if got := p.text(`getComputedStyle(` + inside(0, ".row-label") + `).fontFamily`); !strings.Contains(got, "Courier New") {
		t.Errorf("the font is %s", got)
	}
	if got := p.text(`getComputedStyle(` + inside(0, ".ask") + `).borderInlineStartColor`); got != "rgb(1, 2, 3)" {
		t.Errorf("the accent is %s", got)
	}
	if p.is(inside(0, ".changed, .undo")) {
		t.Error("the host's value is shown as the reader's edit")
	}
}

// An element may show inputs and plot alone.
func TestEmbedElementShowsPlotAlone(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="alpha" show="plot"></scalebook-sheet>`))
	p.live(1)
	if p.is(inside(0, ".row")+`.checkVisibility()`) || p.is(inside(0, ".grid")+`.checkVisibility()`) {
		t.Error("the rows are there")
	}
	if !p.is(inside(0, ".plot svg")+`.checkVisibility()`) || !p.is(inside(0, ".inputs")+`.checkVisibility()`) {
		t.Error("the plot or the inputs are gone")
	}
}

// In a frame without an origin of its own nothing is thrown, and under a policy of nonces an element works.
func TestEmbedInStrictPlaces(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{})
	p.check(p.Before(`addEventListener("error", e => { top.postMessage({thrown: e.message}, "*") }); addEventListener("unhandledrejection", e => { top.postMessage({thrown: String(e.reason)}, "*") })`))
	p.open(hosted(t, `<!doctype html><script>window.thrown = []; addEventListener("message", e => { if (e.data.thrown) thrown.push(e.data.thrown); if (e.data.height) window.told = e.data.height })</script>
		<iframe sandbox="allow-scripts" src="`+book+`embed/beta/?x=3" width="600" height="900"></iframe>`))
	p.check(p.Wait(alive, `window.told`))
	time.Sleep(3 * time.Second)
	if got := p.text(`thrown.join("; ")`); got != "" {
		t.Errorf("thrown in a sandbox: %s", got)
	}
	origin := strings.TrimSuffix(book, base)
	q := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-abc' 'wasm-unsafe-eval'; connect-src `+origin+`">
		<script async nonce="abc" src="`+book+`embed.js"></script><scalebook-sheet name="alpha" D="8k"></scalebook-sheet>`))
	q.live(1)
	q.shows(0, "ops", 2*256*8000.0*8000)
}

// Under a strict policy that lets in the book, an element works and nothing is refused.
func TestEmbedElementUnderPolicy(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	origin := strings.TrimSuffix(book, base)
	p := tab(
		t,
		browser.Options{},
	).open(hosted(t, `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src `+origin+` 'wasm-unsafe-eval'; connect-src `+origin+`">
		<script async src="`+book+`embed.js"></script><scalebook-sheet name="alpha" D="8k"></scalebook-sheet>`))
	p.live(1)
	p.shows(0, "ops", 2*256*8000.0*8000)
	violations, err := p.Violations()
	p.check(err)
	for _, v := range violations {
		t.Errorf("refused: %s", v)
	}
}

// Elements may come later, many at once, and move; all have one program.
func TestEmbedElementsThatComeLater(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(
		t,
		browser.Options{},
	).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script><div id="a"></div><div id="b"></div>`))
	p.check(p.Wait(alive, `customElements.get("scalebook-sheet")`))
	if n := count(p.Requests(), ".wasm"); n != 0 {
		t.Error("the program was fetched for nobody")
	}
	p.run(
		`for (let i = 1; i <= 4; i++) { const e = document.createElement("scalebook-sheet"); e.setAttribute("name", "beta"); e.setAttribute("x", i); a.append(e) }`,
	)
	p.live(4)
	for i := range 4 {
		p.shows(i, "y", float64((i+1)*(i+1)+1))
	}
	p.run(`b.append(document.querySelector("scalebook-sheet"))`) // now the last
	p.run(inside(3, "[name=x]") + `.focus();` + inside(3, "[name=x]") + `.select()`)
	p.check(p.Keys("9"))
	p.shows(3, "y", 82)
	if n := count(p.Requests(), ".wasm"); n != 1 {
		t.Errorf("the program was fetched %d times", n)
	}
	for _, e := range p.Errors() {
		t.Errorf("uncaught: %s", e)
	}
}
