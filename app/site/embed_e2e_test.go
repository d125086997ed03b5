package site

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/app/widget/address"
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

// live waits until the first n calculators are live.
func (p *page) live(n int) {
	p.t.Helper()
	err := p.Wait(
		startTimeout,
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
		<scalebook-sheet name="beta" Base="3"></scalebook-sheet>
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
	p.check(p.Wait(startTimeout, `told.length > 0`))
	const last = `told.at(-1)`
	if got := p.text(`[` + last + `.from, ` + last + `.sheet, ` + last + `.inputs.B, ` + last + `.inputs.deep, ` +
		last + `.results.T.unit].join()`); got !=
		"asked,alpha,512,false,s" {
		t.Errorf("told %s", got)
	}
	p.run(`const e = ` + inside(0, `[name="B"]`) +
		`; e.value = "1k"; e.dispatchEvent(new Event("input", {bubbles: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}))`)
	p.check(p.Wait(startTimeout, fmt.Sprintf(last+`.results.ops.value === %v && `+last+`.inputs.B === "1k"`,
		2*1000*4096*4096)))
	if p.is(`told.some((x) => x.from !== "asked")`) {
		t.Error("an element that nobody asked tells its results")
	}
}

// Rows that readers see only if they ask for all are reported too, as they are in that state.
func TestEmbedResultsOfHiddenRows(t *testing.T) {
	t.Parallel()
	book := serving(t, "testdata/machines", 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script>
		window.told = [];
		addEventListener("scalebook:results", (e) => told.push(e.detail.results));
		</script><script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="array" cycle="8" results></scalebook-sheet>`))
	p.live(1)
	for _, rows := range []int{0, 2, 3} {
		if rows > 0 {
			p.run(fmt.Sprintf(`{const e = %s; e.value = "%d"; e.dispatchEvent(new Event("input", {bubbles: true}))}`,
				inside(0, `[name="rows"]`), rows))
			p.soon("told of the change", fmt.Sprintf(`Math.abs(told.at(-1).cycles.value - %d) < 1e-9`, rows+6))
		}
		p.soon("told", `told.length > 0`)
	}
	if p.is(`told.some((r) => Math.abs(r.so_far.value - r.overall.value - r.gap.value) > 1e-9)`) {
		t.Errorf("a hidden row is told as it was in another state: %s", p.text(`JSON.stringify(told)`))
	}
}

// A frame takes its numbers from its address, with or without the name of the sheet.
func TestEmbedFrameState(t *testing.T) {
	t.Parallel()
	book, p := serving(t, testBook, 0), tab(t, browser.Options{})
	for query, want := range map[string]float64{"?x=3&utm_source=feed": 10, "?beta.x=4": 17, "?x=3&beta.x=4": 17,
		"?base=4": 17, "?beta.base=4": 17, "?beta.base=3&x=4": 17} { // base is what x was called before
		p.open(book + "embed/beta/" + query).wake()
		p.waitOut("beta", "y", want)
		p.check(p.Wait(5*time.Second, `location.search.includes("beta.x=") && !/[?&]x=/.test(location.search)`))
		if strings.Contains(query, "utm") && !p.is(`location.search.includes("utm_source=feed")`) {
			t.Errorf("%s: a part that is not ours is lost", query)
		}
		if p.is(`document.querySelector(".sheet-toast, .notices *")`) {
			t.Errorf("%s: something is complained about", query)
		}
	}
	p.open(book + "embed/beta/?x=parrot").wake()
	p.check(p.Wait(5*time.Second, `document.querySelector(".notices").innerText.includes("parrot")`))
	if got := p.text(`document.querySelector(".embed-source a").href`); got != book+"one/#beta" {
		t.Errorf("the source is %s", got)
	}
	if !p.is(`document.querySelector(".embed-source").innerText.includes(location.host)`) {
		t.Error("the frame doesn't say where it is from")
	}
	p.open(book + "one/?x=3").wake() // a chapter has many sheets: x says nothing
	p.waitOut("beta", "y", 5)
}

// listenerOf is the listener that the book prints for its readers.
func listenerOf(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(realBook + "/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "<script>\n")
	script, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed || !strings.Contains(script, "addEventListener") {
		t.Fatal("the book prints no listener")
	}
	return script
}

// The listener that the book recommends fits a frame to its calculator, and believes nobody else.
func TestEmbedFrameHeight(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	bad := hosted(
		t,
		`<!doctype html><script>setInterval(() => parent.postMessage({scalebook: "gamma", height: 7777}, "*"), 20)</script>`,
	)
	listener := listenerOf(t)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html>
		<iframe id="ours" src="`+book+`embed/gamma/" width="600" height="100"></iframe>
		<iframe id="bad" src="`+bad+`" width="600" height="100"></iframe>
		<script>`+strings.ReplaceAll(listener, "https://HOST", strings.TrimSuffix(book, base))+`</script>`))
	p.check(p.Wait(startTimeout, `ours.clientHeight > 150 && ours.clientHeight < 3000`))
	p.run(`window.first = ours.clientHeight; ours.width = 280`)
	p.check(p.Wait(5*time.Second, `ours.clientHeight !== first`))
	if got := p.text(`bad.clientHeight + " " + (ours.clientHeight === 7777)`); got != "100 false" {
		t.Errorf("a stranger set a height: %s", got)
	}
}

// The menu of a sheet leads to a dialog with the lines, which carry the state; the keyboard gets in and out.
func TestEmbedDialog(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(book + "one/").wake()
	p.retype("alpha", "B", "512")
	p.waitOut("alpha", "ops", 2*512*4096.0*4096)
	if n := count(p.Requests(), "embed-use"); n != 0 {
		t.Error("fetched before anybody asked")
	}
	p.run(noteCopies)
	p.run(`document.documentElement.dataset.theme = "dark"`)
	p.run(`document.querySelector("#alpha .menu > summary").focus()`)
	p.check(p.Keys("\r"))
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha .menu").open`))
	p.run(`[...document.querySelectorAll("#alpha .menu-list button")].find(b => b.innerText.includes("Use this")).focus()`)
	p.check(p.Keys("\r"))
	p.check(p.Wait(5*time.Second, `document.querySelector("dialog.use[open]")`))
	if !p.is(`document.querySelector("dialog.use").contains(document.activeElement)`) {
		t.Error("the focus is not in the dialog")
	}
	frame, element := p.text(
		`document.getElementById("use-frame").value`,
	), p.text(
		`document.getElementById("use-script").value`,
	)
	if want := `src="` + book + `embed/alpha/?B=512&#38;theme=dark"`; !strings.Contains(frame, want) {
		t.Errorf("the frame %s\nhas no %s", frame, want)
	}
	if cut := p.text(`[...document.querySelectorAll(".use textarea")].filter(e => e.scrollHeight > e.clientHeight + 1 ||
		e.scrollWidth > e.clientWidth + 1).map(e => e.id).join()`); cut != "" {
		t.Errorf("a part of the lines is out of sight: %s", cut)
	}
	for _, want := range []string{`src="` + book + `embed.js"`, `<scalebook-sheet name="alpha" B="512">`} {
		if !strings.Contains(element, want) {
			t.Errorf("the element %s\nhas no %s", element, want)
		}
	}
	p.run(`for (const b of document.querySelectorAll(".use-line button")) b.click()`)
	p.check(
		p.Wait(
			5*time.Second,
			`copied.length === 2 && document.querySelector("dialog.use [role=status]").innerText === "Copied."`,
		),
	)
	if p.text(`copied[0]`) != frame || p.text(`copied[1]`) != element {
		t.Error("something else was copied")
	}
	p.check(p.Keys("\x1b"))
	p.check(
		p.Wait(5*time.Second, `!document.querySelector("dialog.use") && document.activeElement.closest("#alpha .menu")`),
	)
	p.nothingWrong(strings.TrimSuffix(book, base))

	// The lines do what they say.
	q := tab(t, browser.Options{}).open(hosted(t, `<!doctype html>`+element))
	q.live(1)
	q.shows(0, "ops", 2*512*4096.0*4096)
	q = tab(t, browser.Options{}).open(strings.Split(strings.Split(frame, `src="`)[1], `"`)[0]).wake()
	q.waitOut("alpha", "ops", 2*512*4096.0*4096)
}

// In a shadow root the dialog opens too.
func TestEmbedDialogInElement(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, hostHead+hostStart+`<script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="beta" x="3"></scalebook-sheet>`))
	p.live(1)
	p.run(inside(0, ".menu > summary") + `.click()`)
	p.run(
		`[...` + inside(
			0,
			".menu-list",
		) + `.querySelectorAll("button")].find(b => b.textContent.includes("Use this")).click()`,
	)
	p.check(p.Wait(5*time.Second, inside(0, "dialog.use[open]")))
	if got := p.text(inside(0, "#use-frame") + `.value`); !strings.Contains(got, `src="`+book+`embed/beta/?x=3"`) {
		t.Errorf("the frame's line is %s", got)
	}
	p.run(inside(0, "dialog.use") + `.close()`)
	p.check(p.Wait(5*time.Second, `!`+inside(0, "dialog.use")))
}

// The scratch pad of the book opens beside somebody else's page, with the sheet and the reader's numbers.
func TestEmbedElementOpensThePad(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, hostHead+hostStart+`<script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="beta" x="3"></scalebook-sheet>
		<script>window.opened = []; window.open = (...how) => { opened.push(how) }</script>`))
	p.live(1)
	p.run(inside(0, ".menu > summary") + `.click()`)
	p.run(
		`[...` + inside(
			0,
			".menu-list",
		) + `.querySelectorAll("button")].find(b => b.textContent === "Open in the scratch pad").click()`,
	)
	p.check(p.Wait(5*time.Second, `opened.length`))
	opened, window, how := p.text(`opened[0][0]`), p.text(`opened[0][1]`), p.text(`opened[0][2]`)
	if window != "_blank" || how != "noopener" || !strings.HasPrefix(opened, book+"scratch/?scratch.x=3#s=") {
		t.Fatalf("opened %s in %s (%s)", opened, window, how)
	}
	_, code, _ := strings.Cut(opened, "#s=")
	if text, err := address.DecodePad(code); err != nil || !strings.Contains(text, "let x = ") {
		t.Errorf("the address holds %q, %v", text, err)
	}
	pad, _ := padPage(t, "?scratch.x=3#s="+code)
	pad.waitOut("scratch", "y", 10)
}

// A frame tells its results to the page that named itself in its address, with units, again after each change, and
// shows its reader whom. Another page gets nothing.
func TestEmbedFrameResults(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	const listen = `<!doctype html><script>
		window.told = [];
		addEventListener("message", (e) => { if (e.data.type === "scalebook:results") told.push(e.data); });
		const frame = document.createElement("iframe");
		frame.src = BOOK + "embed/alpha/?B=512&results=" + (NAMED || location.origin);
		document.documentElement.append(frame);
		</script>`
	host := func(named string) string {
		return hosted(t, strings.NewReplacer("BOOK", `"`+book+`"`, "NAMED", `"`+named+`"`).Replace(listen))
	}
	p := tab(t, browser.Options{}).open(host(""))
	p.check(p.Wait(startTimeout, `told.length > 0`))
	const last = `told.at(-1)`
	got := p.text(last + `.sheet + " " + ` + last + `.inputs.B + " " + ` + last + `.results.ops.unit`)
	if got != "alpha 512 FLOP" {
		t.Errorf("told %s", got)
	}
	if got := p.number(last + `.results.ops.value`); got != 2*512*4096.0*4096 {
		t.Errorf("ops is %v", got)
	}
	said := p.number(`told.length`)
	p.run(`frames[0].postMessage({type: "scalebook:set", B: 7}, "*")`) // none is obeyed
	p.run(`frame.src = frame.src.replace("B=512", "B=1k")`)
	p.check(p.Wait(startTimeout, fmt.Sprintf(`told.length > %v && `+last+`.results.ops.value === %v`, said,
		2*1000*4096*4096)))
	for _, named := range []string{"https://example.org", "*", "null", "example.org", book} {
		p := tab(t, browser.Options{}).open(host(named))
		p.check(p.Wait(startTimeout, `frames.length === 1`))
		time.Sleep(3 * time.Second)
		if received := p.number(`told.length`); received != 0 {
			t.Errorf("a page that calls itself %s was told %v messages", named, received)
		}
	}
	p = tab(t, browser.Options{}).open(book + "embed/alpha/?results=https://example.org").wake()
	if p.is(`document.querySelector(".embed-source").innerText.includes("example.org")`) {
		t.Error("a page that is no frame says whom it tells")
	}
}
