package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

func servingFiles(t testing.TB, files Files) string {
	s := &Server{}
	s.now.Store(ready(t, testBook)) // its programs needn't be compressed again
	s.Show(base, files)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + base
}

// some are all pages, but of the calculators that stand alone, which repeat those of the chapters, only some.
func some(paths []string) []string {
	var out []string
	alone := 0
	for _, path := range paths {
		if strings.HasPrefix(path, "embed/") {
			if alone++; alone%25 != 1 {
				continue
			}
		}
		out = append(out, path)
	}
	return out
}

// settled checks that loading moves next to nothing, and starts the count of what coming alive moves. A busy browser
// may stop to paint in the middle of an element and finish it in the next frame; it does so now and then, and somewhere
// else each time. What the page itself moves is moved at every load, so a load without it clears the page.
func (p *page) settled(path string) {
	p.t.Helper()
	const loads, most = 3, 0.001
	for load := 1; ; load++ {
		score, err := p.Settle()
		p.check(err)
		if score <= most {
			return
		}
		if load == loads {
			p.t.Errorf("/%s: layout shift of %v while loading, each of %d times", path, score, loads)
			return
		}
		p.open(p.text(`location.href`))
	}
}

// fits checks that nothing is cut or wider than the screen, and names what is.
func (p *page) fits(when string) {
	p.t.Helper()
	p.uncut(when)
	if wide := p.text(wider); wide != "" {
		p.t.Errorf("%s: %s", when, wide)
	}
}

// wider says by how much a page is wider than the screen, and what in it is; it is empty if nothing is.
const wider = `document.documentElement.scrollWidth <= visualViewport.width ? "" :
	document.documentElement.scrollWidth + " wide on a screen of " + visualViewport.width + ": "
		+ [...document.querySelectorAll("body *")].filter(e =>
	e.checkVisibility() && e.getBoundingClientRect().right > visualViewport.width + 1 &&
	!e.closest("pre, table, math, svg, .scroll, [class*=scroll]")).map(e => e.tagName + "." + e.className)
		.slice(0, 5).join(" ")`

// unseen names the results of a page that a reader without scripts would miss.
const unseen = `[...document.querySelectorAll("output[data-name], data.live")].filter(e =>
	!e.closest("details:not([open])") && !(e.checkVisibility({visibilityProperty: true, opacityProperty: true})
		&& e.textContent.trim())).map(e => e.dataset.name).join()`

// With scripts off a chapter is complete: every result is there and can be seen, asked or not. How a page looks without
// scripts hangs on one class, which TestEveryPage takes away from each.
func TestScriptsOff(t *testing.T) {
	t.Parallel()
	for book, some := range map[string][]string{testBook: {"one/", "plain/"}, realBook: {"rooflines/", "chips/"}} {
		home := serving(t, book, 0)
		p := tab(t, browser.Options{NoScripts: true})
		for _, path := range some {
			p.open(home + path)
			if p.is(`document.documentElement.classList.contains("js")`) {
				t.Fatal("scripts are not off")
			}
			if hidden := p.text(unseen); hidden != "" {
				t.Errorf("/%s: can't be seen: %s", path, hidden)
			}
		}
		if book == testBook {
			p.open(home + "one/")
			if got := p.out("alpha", "ops"); got != 2*256*4096.0*4096 {
				t.Errorf("ops = %v", got)
			}
			p.visible("beta", "y")
		}
	}
}

// withoutScripts checks that a page has all of its results when it looks as it does without scripts.
func (p *page) withoutScripts() {
	p.t.Helper()
	p.run(`document.documentElement.classList.remove("js")`)
	if hidden := p.text(unseen); hidden != "" {
		p.t.Errorf("without scripts can't be seen: %s", hidden)
	}
	p.run(`document.documentElement.classList.add("js")`)
}

// An asked value is veiled until the reader says something, on paper never, and veiling moves nothing.
func TestAskedValueIsVeiled(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/")
	seen := `document.querySelector("#beta output[data-name=y]").checkVisibility({visibilityProperty: true})`
	prose := `document.querySelector("data[data-sheet=beta][data-name=y]").checkVisibility({visibilityProperty: true})`
	for _, when := range []string{"printed", "alive"} {
		if p.is(seen) || p.is(prose) {
			t.Errorf("%s: the answer can be seen", when)
		}
		p.wake()
	}
	p.check(p.Paper())
	if !p.is(seen) || !p.is(prose) {
		t.Error("the answer is veiled on paper")
	}
}

// The keyboard alone is enough: past the head of the page, into a sheet, through all of its controls and out again.
func TestKeyboardWalk(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.check(p.Keys("\t"))
	if got := p.text(`document.activeElement.className`); got != "skip" {
		t.Errorf("the first stop is %q, not the link to the text", got)
	}
	p.check(p.Keys("\r"))
	p.check(p.Wait(2*time.Second, `location.hash === "#main"`))
	var stops []string
	for range 60 {
		p.check(p.Keys("\t"))
		stop := p.text(
			`(e => (e.closest("section.sheet")?.id || "") + ":" + (e.name || e.id || e.innerText
				|| e.tagName))(document.activeElement)`,
		)
		stops = append(stops, stop)
		if !p.is(
			`(e => { const s = getComputedStyle(e), r = e.getBoundingClientRect(); return r.width > 0
				&& (s.outlineStyle !== "none" || s.boxShadow !== "none") })(document.activeElement)`,
		) {
			t.Errorf("the focus can't be seen on %s", stop)
		}
		if strings.HasPrefix(stop, "beta:") {
			break
		}
	}
	walked := strings.Join(stops, " ")
	for _, name := range []string{"alpha:chip", "alpha:B", "alpha:D", "alpha:deep"} {
		if !strings.Contains(walked, name) {
			t.Errorf("the keyboard never comes to %s: %s", name, walked)
		}
	}
	if !strings.Contains(walked, "beta:") {
		t.Errorf("the keyboard doesn't come out of the sheet: %s", walked)
	}
	p.run(`document.querySelector("#alpha [name=deep]").focus()`)
	p.check(p.Keys(" "))
	p.waitOut("alpha", "layers", 64)
}

// Where one is, is marked in the contents; on a phone the contents fold.
func TestContents(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "one/#second-section")
	p.check(
		p.Wait(3*time.Second, `document.querySelector(".page > .contents a[aria-current=true]")?.hash === "#second-section"`),
	)
	if got := p.text(`[...document.querySelectorAll(".page > .contents a[aria-current=page]")]
		.map(a => a.pathname).join()`); got != base+"one/" {
		t.Errorf("the present page is %q", got)
	}
	p.run(`scrollTo(0, 0)`)
	p.check(p.Wait(3*time.Second, `!document.querySelector(".page > .contents a[aria-current=true]")`))
	p.run(`scrollTo(0, document.body.scrollHeight)`)
	p.check(
		p.Wait(3*time.Second, `document.querySelector(".page > .contents a[aria-current=true]")?.hash === "#third-section"`),
	)
	phone := tab(t, browser.Options{Width: 390, Height: 844, Touch: true}).open(home + "one/")
	if phone.is(`document.querySelector(".page > .contents").checkVisibility()`) ||
		!phone.is(`document.querySelector(".contents-fold summary").checkVisibility()`) {
		t.Error("the contents are not folded on a phone")
	}
	phone.run(
		`document.querySelector(".contents-fold summary").click();
			document.querySelector('.contents-fold a[href="#third-section"]').click()`,
	)
	phone.check(
		phone.Wait(3*time.Second, `!document.querySelector(".contents-fold").open && location.hash === "#third-section"`),
	)
	phone.check(phone.Wait(3*time.Second, `document.querySelector(".contents-here").innerText.includes("Third section")`))
	top := phone.number(`document.getElementById("third-section").getBoundingClientRect().top`)
	bar := phone.number(`document.querySelector(".contents-fold").getBoundingClientRect().bottom`)
	if top < bar {
		t.Errorf("the heading at %v lies under the bar, which ends at %v", top, bar)
	}
}

// A frame learns how tall its calculator is, and again when that changes.
func TestEmbedTellsItsHeight(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><script>window.told = []; addEventListener("message", e => told.push(e.data))</script>
			<iframe width="600" height="100" src="%sembed/gamma/"></iframe>`, home)
	}))
	defer host.Close()
	p := tab(t, browser.Options{}).open(host.URL)
	p.check(p.Wait(alive, `told.some(m => m.scalebook === "gamma" && m.height > 100 && m.height < 3000)`))
	first := p.number(`told.at(-1).height`)
	p.run(`document.querySelector("iframe").width = 300`)
	p.check(p.Wait(5*time.Second, fmt.Sprintf(`told.at(-1).height > %v`, first)))
}

// The theme is the system's until the reader chooses; the choice is kept under our own key.
func TestTheme(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{Dark: true}).open(home + "plain/")
	luminance := func() float64 {
		return p.number(
			`(() => { const c = getComputedStyle(document.documentElement).backgroundColor.match(/[\d.]+/g).map(Number);
				return (c[0] + c[1] + c[2]) / 3 })()`,
		)
	}
	if l := luminance(); l > 60 {
		t.Errorf("a reader who prefers dark gets a paper of %v", l)
	}
	p.run(`document.querySelector(".theme-button").click()`) // auto -> light
	if l := luminance(); l < 200 {
		t.Errorf("light is %v", l)
	}
	p.open(home + "one/")
	if l := luminance(); l < 200 {
		t.Errorf("the choice is forgotten on the next page: %v", l)
	}
	if got := p.text(`Object.keys(localStorage).join()`); got != "scalebook:/scalebook/:theme" {
		t.Errorf("kept under %s", got)
	}
	p.run(`const b = document.querySelector(".theme-button"); b.click(); b.click()`) // dark, auto
	if got := p.text(`Object.keys(localStorage).join()`); got != "" {
		t.Errorf("auto leaves %s behind", got)
	}
}
