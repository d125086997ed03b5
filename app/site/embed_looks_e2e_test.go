package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// How calculators look in pages of other sites: as in the book, in the colours of the page around.

// A calculator looks the same in the book and in a page whose style is hostile.
func TestEmbedElementLooksAsInTheBook(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	look := func(p *page, root string) string {
		return p.text(fmt.Sprintf(`JSON.stringify([...%s.querySelectorAll(
				".sheet-title, .sheet-tools, .field, .slider, .row-label, output, .sheet :is(table, svg), .inputs label"
			)].map(e => {
				const c = getComputedStyle(e);
				return [e.className.baseVal ?? e.className, ...["display", "color", "fontSize", "fontFamily", "lineHeight",
					"width", "height", "letterSpacing", "textTransform", "textAlign", "boxSizing", "fontVariantNumeric"]
					.map(k => c[k])].join("|")
			}), null, 1)`, root))
	}
	frame := tab(t, browser.Options{}).open(book + "embed/alpha/").wake()
	width := frame.number(`document.querySelector("section.sheet").getBoundingClientRect().width`)
	want := look(frame, "document")
	host := hosted(
		t,
		fmt.Sprintf(
			`%s%s<script async src="%sembed.js"></script><style>scalebook-sheet { width: %vpx }</style>`+
				`<scalebook-sheet name="alpha"></scalebook-sheet>`,
			hostHead, hostStart, book, width+16,
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

// Colours follow the page around, or the attribute.
func TestEmbedElementTheme(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	around := func(scheme string) string {
		return hosted(
			t,
			`<!doctype html><style>html { color-scheme: `+scheme+` }</style><script async src="`+book+
				`embed.js"></script>
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
	p := tab(t, browser.Options{})
	for _, c := range []struct {
		scheme   string
		prefers  bool
		followed bool
	}{{"normal", true, false}, {"light", true, false}, {"dark", false, true}, {"light dark", true, true}} {
		p.check(p.See(browser.Options{Dark: c.prefers}))
		p.open(around(c.scheme))
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

// A page says in many ways that it is dark, also after the element is there; its fonts and its accent are the
// element's.
func TestEmbedElementFollowsItsHost(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><html><body>
		<script async src="`+book+`embed.js"></script>
		<style>scalebook-sheet { --scalebook-font: "Courier New", monospace; --scalebook-accent: rgb(1, 2, 3) }</style>
		<div id="around"><scalebook-sheet name="beta" x="3"></scalebook-sheet></div>`))
	p.live(1)
	dark := func() bool {
		return p.is(`(c => (c[0] + c[1] + c[2]) / 3 < 80)(getComputedStyle(` + inside(0, "book-html") +
			`).backgroundColor
			.match(/[\d.]+/g).map(Number))`)
	}
	const own = "rgb(23, 22, 20)" // the paper of the book's own dark
	for _, c := range [][3]string{
		{`root.dataset.theme = "dark"`, `delete root.dataset.theme`, own},
		{`root.setAttribute("data-color-mode", "dark")`, `root.removeAttribute("data-color-mode")`, own},
		{`root.classList.add("dark")`, `root.classList.remove("dark")`, own},
		{`document.body.setAttribute("style", "background: #101418")`, `document.body.removeAttribute("style")`,
			"rgb(16, 20, 24)"},
		{`root.style.background = "rgb(10, 10, 40)"`, `root.style.background = ""`, "rgb(10, 10, 40)"},
		{`root.style.background = "rgb(90, 90, 90)"`, `root.style.background = ""`, own}, // too light to read on
		{`root.style.cssText = "background: #111; --scalebook-paper: #000"`, `root.style.cssText = ""`, "rgb(0, 0, 0)"},
	} {
		for i, want := range []bool{true, false} {
			p.run(`const root = document.documentElement; ` + c[i])
			time.Sleep(50 * time.Millisecond)
			if got := dark(); got != want {
				t.Errorf("after %s: dark is %v", c[i], got)
			}
			if paper := p.text(`getComputedStyle(` + inside(0, "book-html") + `).backgroundColor`); want &&
				paper != c[2] {
				t.Errorf("after %s: the paper is %s, want %s", c[i], paper, c[2])
			}
		}
	}
	font := p.text(`getComputedStyle(` + inside(0, ".row-label") + `).fontFamily`)
	if !strings.Contains(font, "Courier New") {
		t.Errorf("the font is %s", font)
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
	p.check(p.Wait(startTimeout, inside(0, ".embed-failed")))
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
	p.check(p.Wait(startTimeout, inside(0, ".embed-failed")))
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
	p.check(p.Wait(startTimeout, `window.told`))
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

// Where a page lets only policies make HTML and addresses of scripts, an element works; where it lets ours make none,
// the element shows what is printed.
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
	p.check(p.Wait(startTimeout, inside(0, ".embed-failed")))
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
	p.check(p.Wait(startTimeout, `customElements.get("scalebook-sheet")`))
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
