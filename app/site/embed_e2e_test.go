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
body { margin: 0; font: 1.6rem/2 Georgia; color: rgb(1, 2, 3); text-transform: uppercase; text-align: center;
	--ink: red; --rem: 3px }
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
	customElements.define("d-article",
		class extends HTMLElement { connectedCallback() { this.dataset.upgraded = "yes" } });
});
</script></head><body>`

const hostStart = `<header id="theirs"><nav><a href="#part">Menu</a> <button>Button</button></nav></header>
<d-article><h1>An article</h1><table id="t"><tr><td>1</td></tr></table>
<p id="p"><input id="i"><button id="b">x</button></p>
<p class="tall"></p><h2 id="part">Part</h2></d-article>
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

// noteCopies keeps what the page copies in window.copied.
const noteCopies = `window.copied = [];
	Object.defineProperty(navigator, "clipboard", {value: {writeText: async x => { copied.push(x) }}})`

// live waits until the first n calculators are alive.
func (p *page) live(n int) {
	p.t.Helper()
	err := p.Wait(
		alive,
		fmt.Sprintf(
			`[...document.querySelectorAll("scalebook-sheet")]
				.filter(e => e.shadowRoot?.querySelector("section.sheet[data-live]")).length === %d
				|| document.querySelector("scalebook-sheet").shadowRoot?.querySelector(".embed-failed")`,
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
const around = `JSON.stringify([...document.querySelectorAll("body, #theirs, #theirs *, d-article, d-article *, #s")]
	.map(e => {
	const c = getComputedStyle(e);
	return [e.localName, e === document.body || e.outerHTML, ...["display", "color", "fontSize", "fontFamily",
		"borderTopWidth", "boxSizing", "width", "letterSpacing", "colorScheme"].map(k => c[k])].join("|")
}))`

func TestEmbedElementLeavesItsHostAlone(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	url := hosted(t, hostHead+hostStart+`<style>.tall { height: 1500px }</style>
		<scalebook-sheet name="alpha" B="512" CHIP="tpu.v5p" class="wide" data-x="1"></scalebook-sheet>
		<scalebook-sheet name="beta" x="3"></scalebook-sheet>
		<script>window.go = () => { const s = document.createElement("script"); s.src = "`+book+`embed.js";
			document.body.append(s) }</script>`)
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
	const theirs = `{"value": "kept", "expiresAt": "2001-01-01T00:00:00Z"}`
	if got := p.text(`localStorage.length + localStorage.getItem("theirs")`); got != "1"+theirs {
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
		`document.getElementById("b").click(); dispatchEvent(new Event("resize"));
			dispatchEvent(new PopStateEvent("popstate"))`,
	)
	if got := p.text(`seen.join()`); got != "click,resize,popstate" {
		t.Errorf("their handlers saw %q", got)
	}
	if n := count(p.Requests(), "scalebook."); n != 1 {
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

// The source of the numbers is named, and a link with the reader's numbers leads to the book.
func TestEmbedElementNamesItsSource(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="gamma" rate="1638 GB/s"></scalebook-sheet>`))
	p.live(1)
	if got := p.text(inside(0, ".embed-source a") + `.href`); got != book+"one/#gamma" {
		t.Errorf("the source is %s", got)
	}
	said := p.text(inside(0, ".embed-source") + `.textContent`)
	if host := strings.TrimPrefix(strings.TrimSuffix(book, base), "http://"); !strings.Contains(said, host) ||
		!strings.Contains(said, "edition ") {
		t.Errorf("the source is %q", said)
	}
	p.run(noteCopies)
	p.run(inside(0, `.sheet-tools [aria-label^="Copy a link"]`) + `.click()`)
	p.check(p.Wait(5*time.Second, `copied.length === 1`))
	if got, want := p.text(`copied[0]`), book+"one/?gamma.rate=1638+GB/s#gamma"; got != want {
		t.Errorf("the link is %s, want %s", got, want)
	}
}

// An element tells its results only if it is asked to: an event for each new state, with units.
func TestEmbedElementResults(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script>
		window.told = [];
		addEventListener("scalebook:results", (e) => told.push({from: e.target.id, ...e.detail}));
		</script><script async src="`+book+`embed.js"></script>
		<scalebook-sheet id="asked" name="alpha" B="512" results></scalebook-sheet>
		<scalebook-sheet id="silent" name="beta"></scalebook-sheet>`))
	p.live(2)
	p.check(p.Wait(alive, `told.length > 0`))
	const last = `told.at(-1)`
	if got := p.text(`[` + last + `.from, ` + last + `.sheet, ` + last + `.inputs.B, ` + last + `.inputs.deep, ` + last + `.results.T.unit].join()`); got !=
		"asked,alpha,512,false,s" {
		t.Errorf("told %s", got)
	}
	p.run(`const e = ` + inside(0, `[name="B"]`) + `; e.value = "1k"; e.dispatchEvent(new Event("input", {bubbles: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}))`)
	p.check(p.Wait(alive, fmt.Sprintf(last+`.results.ops.value === %v && `+last+`.inputs.B === "1k"`, 2*1000*4096*4096)))
	if p.is(`told.some((x) => x.from !== "asked")`) {
		t.Error("an element that nobody asked tells its results")
	}
}
