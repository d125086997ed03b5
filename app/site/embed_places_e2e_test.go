package site

import (
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// Where calculators of other sites must live: without program, book or storage, under strict policies, late.

// Without the program an element shows what is printed and says so; without the book it says that.
func TestEmbedElementWithoutProgram(t *testing.T) {
	t.Parallel()
	files := Files{}
	for name, data := range render(t, testBook) {
		if !strings.HasSuffix(name, ".wasm") {
			files[name] = data
		}
	}
	book := servingFiles(t, files)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="beta"></scalebook-sheet>`))
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
	p.open(hosted(t, `<!doctype html><body style="background: #111; color: #eee"><script async src="`+book+`embed.js">
		</script><scalebook-sheet name="nobody"></scalebook-sheet>`))
	p.check(p.Wait(alive, inside(0, ".embed-failed")))
	if p.is(`(a => getComputedStyle(a).color !== getComputedStyle(a.parentElement).color)(` +
		inside(0, ".embed-failed a") + `)`) {
		t.Error("without the book’s style the way to the book is dark on dark")
	}
}

// Where storage is forbidden, as browsers do in some frames, calculators live all the same; and where it isn't, nobody
// looks into it.
func TestEmbedElementWithoutStorage(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script>
		window.looks = 0;
		Object.defineProperty(window, "localStorage",
			{configurable: true, get() { throw new DOMException("forbidden", "SecurityError") }});
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

// In a frame without an origin of its own nothing is thrown, and under a policy of nonces an element works.
func TestEmbedInStrictPlaces(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := newTab(t, browser.Options{})
	p.check(p.Before(`addEventListener("error", e => { top.postMessage({thrown: e.message}, "*") });
		addEventListener("unhandledrejection", e => { top.postMessage({thrown: String(e.reason)}, "*") })`))
	p.open(hosted(t, `<!doctype html><script>window.thrown = []; addEventListener("message", e => {
		if (e.data.thrown) thrown.push(e.data.thrown); if (e.data.height) window.told = e.data.height })</script>
		<iframe sandbox="allow-scripts" src="`+book+`embed/beta/?x=3" width="600" height="900"></iframe>`))
	p.check(p.Wait(alive, `window.told`))
	time.Sleep(3 * time.Second)
	if got := p.text(`thrown.join("; ")`); got != "" {
		t.Errorf("thrown in a sandbox: %s", got)
	}
	origin := strings.TrimSuffix(book, base)
	q := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><meta http-equiv="Content-Security-Policy"
		content="default-src 'none'; script-src 'nonce-abc' 'wasm-unsafe-eval'; connect-src `+origin+`">
		<script async nonce="abc" src="`+book+`embed.js"></script><scalebook-sheet name="alpha" D="8k"></scalebook-sheet>`))
	q.live(1)
	q.shows(0, "ops", 2*256*8000.0*8000)
}

// Under a strict policy that lets in the book, an element works and nothing is refused.
func TestEmbedElementUnderPolicy(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	origin := strings.TrimSuffix(book, base)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><meta http-equiv="Content-Security-Policy"
		content="default-src 'none'; script-src `+origin+` 'wasm-unsafe-eval'; connect-src `+origin+`">
		<script async src="`+book+`embed.js"></script><scalebook-sheet name="alpha" D="8k"></scalebook-sheet>`))
	p.live(1)
	p.shows(0, "ops", 2*256*8000.0*8000)
	violations, err := p.Violations()
	p.check(err)
	for _, v := range violations {
		t.Errorf("refused: %s", v)
	}
}

// Where a page lets only policies make HTML and addresses of scripts, an element works; where it lets ours make none, the
// element shows what is printed.
func TestEmbedElementUnderTrustedTypes(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	page := `<!doctype html><meta http-equiv="Content-Security-Policy" content="require-trusted-types-for 'script'; %s">
		<script async src="` + book + `embed.js"></script><scalebook-sheet name="alpha" D="8k"></scalebook-sheet>`
	p := tab(t, browser.Options{}).open(hosted(t, strings.Replace(page, "%s", "", 1)))
	p.live(1)
	p.shows(0, "ops", 2*256*8000.0*8000)
	p.run(inside(0, "[name=B]") + `.focus();` + inside(0, "[name=B]") + `.select()`)
	p.check(p.Keys("512"))
	p.shows(0, "ops", 2*512*8000.0*8000)
	violations, err := p.Violations()
	p.check(err)
	for _, v := range violations {
		t.Errorf("refused: %s", v)
	}
	p.open(hosted(t, strings.Replace(page, "%s", "trusted-types theirs", 1)))
	p.check(p.Wait(alive, inside(0, ".embed-failed")))
	if got := p.text(inside(0, `output[data-name="ops"]`) + `.textContent`); got == "" {
		t.Error("the printed result is not there")
	}
}

// Elements may come later, many at once, and move; all have one program.
func TestEmbedElementsThatComeLater(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script>
		<div id="a"></div><div id="b"></div>`))
	p.check(p.Wait(alive, `customElements.get("scalebook-sheet")`))
	if n := count(p.Requests(), ".wasm"); n != 0 {
		t.Error("the program was fetched for nobody")
	}
	p.run(
		`for (let i = 1; i <= 4; i++) { const e = document.createElement("scalebook-sheet"); e.setAttribute("name", "beta");
			e.setAttribute("x", i); a.append(e) }`,
	)
	p.live(4)
	for i := range 4 {
		p.shows(i, "y", float64((i+1)*(i+1)+1))
	}
	p.run(`b.append(document.querySelector("scalebook-sheet"))`) // now the last
	p.run(inside(3, "[name=x]") + `.focus();` + inside(3, "[name=x]") + `.select()`)
	p.check(p.Keys("9"))
	p.shows(3, "y", 82)
	if n := count(p.Requests(), "scalebook."); n != 1 {
		t.Errorf("the program was fetched %d times", n)
	}
	for _, e := range p.Errors() {
		t.Errorf("uncaught: %s", e)
	}
}
