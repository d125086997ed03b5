package site

import (
	"fmt"
	"math"
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

// checkShift checks that loading moves next to nothing, and starts the count of what starting moves. A busy browser
// may stop to paint in the middle of an element and finish it in the next frame; it does so now and then, and somewhere
// else each time. What the page itself moves is moved at every load, so a load without it clears the page.
func (p *page) checkShift(path string) {
	p.t.Helper()
	const loads, most = 3, 0.001
	for load := 1; ; load++ {
		score, err := p.TakeLayoutShift()
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
func TestEmbedReportsItsHeight(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><script>window.told = []; addEventListener("message", e => told.push(e.data))</script>
			<iframe width="600" height="100" src="%sembed/gamma/"></iframe>`, home)
	}))
	defer host.Close()
	p := tab(t, browser.Options{}).open(host.URL)
	p.check(p.Wait(startTimeout, `told.some(m => m.scalebook === "gamma" && m.height > 100 && m.height < 3000)`))
	first := p.number(`told.at(-1).height`)
	p.run(`document.querySelector("iframe").width = 300`)
	p.check(p.Wait(5*time.Second, fmt.Sprintf(`told.at(-1).height !== %v`, first)))
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

// What the reader has typed before the program arrives is kept, with the focus, and counts.
func TestStartKeepsTypedTextAndFocus(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, time.Second) + "one/")
	p.retype("alpha", "B", "1k")
	if p.is(`document.querySelector("[data-live]")`) {
		t.Fatal("alive before the program could have arrived")
	}
	p.check(p.Wait(startTimeout, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
	if got := p.text(`document.activeElement.name + "=" + document.activeElement.value`); got != "B=1k" {
		t.Errorf("the focus and the text are %q, want B=1k", got)
	}
	p.waitOut("alpha", "ops", 2*1000*4096.0*4096)
	p.check(p.Keys("b")) // "1kb" is no number: the good value stays
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha [name=B]").getAttribute("aria-invalid") === "true"`))
	if got := p.text(`document.activeElement.value`); got != "1kb" {
		t.Errorf("the field has %q", got)
	}
	if got := p.out("alpha", "ops"); got != 2*1000*4096.0*4096 {
		t.Errorf("ops = %v after a text that is no number", got)
	}
}

// A value that can't be read gets its reason beside it; the prose and the other sheets stay.
func TestBadValue(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	before := p.text(`document.querySelector("data[data-sheet=alpha][data-name=T]").textContent`)
	p.retype("alpha", "D", "12 parrots")
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha [name=D]").getAttribute("aria-invalid") === "true"`))
	beside := `document.getElementById(document.querySelector("#alpha [name=D]").getAttribute("aria-describedby")
		.split(" ")[0]).innerText`
	p.check(p.Wait(5*time.Second, beside+`.includes("parrots")`))
	if got := p.out("alpha", "ops"); got != 2*256*4096.0*4096 {
		t.Errorf("ops = %v, the last good value was lost", got)
	}
	if got := p.text(`document.querySelector("data[data-sheet=alpha][data-name=T]").textContent`); got != before {
		t.Errorf("the prose says %q, was %q", got, before)
	}
	p.retype("alpha", "D", "0")
	p.check(p.Wait(5*time.Second, beside+`.includes("128")`)) // where its range begins
	p.retype("alpha", "D", "8k")
	p.waitOut("alpha", "ops", 2*256*8000.0*8000)
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha [name=D]").getAttribute("aria-invalid") !== "true"`))
}

// The prose, the plot and the address follow.
func TestEverythingFollows(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	plot := p.text(`document.querySelector("#alpha svg").outerHTML`)
	p.retype("alpha", "B", "512")
	p.waitOut("alpha", "ops", 2*512*4096.0*4096)
	p.check(p.Wait(5*time.Second, `document.querySelector("data[data-sheet=alpha][data-name=B]").value === "512"`))
	want := 2 * 512 * 4096.0 * 4096 / 197e12
	if got := p.number(`+document.querySelector("data[data-sheet=alpha][data-name=T]").value`); math.Abs(
		got/want-1,
	) > 1e-9 {
		t.Errorf("the prose says %v, want %v", got, want)
	}
	p.check(p.Wait(5*time.Second, `location.search.includes("alpha.B=512")`))
	if p.text(`document.querySelector("#alpha svg").outerHTML`) == plot {
		t.Error("the plot has not followed")
	}
	p.puts("#alpha [name=chip]", "tpu.v5p", "change")
	p.check(p.Wait(5*time.Second, `document.querySelector("data[data-sheet=alpha][data-name=chip]").value === "tpu.v5p"`))
	p.check(p.Wait(5*time.Second, `location.search.includes("alpha.chip=tpu.v5p")`))
	if got := p.out("beta", "y"); got != 5 {
		t.Errorf("another sheet moved: y = %v", got)
	}
}

// A link carries the state, and the section it leads to stays where the browser put it.
func TestSharedLink(t *testing.T) {
	t.Parallel()
	url := serving(t, testBook, 300*time.Millisecond) + "one/?beta.x=7&gamma.rate=1638+GB%2Fs#beta"
	p := tab(t, browser.Options{}).open(url)
	top := p.number(`document.getElementById("beta").getBoundingClientRect().top`)
	if top < -1 || top > 120 {
		t.Errorf("the browser put the sheet at %v", top)
	}
	p.check(p.Wait(startTimeout, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
	p.waitOut("beta", "y", 50)
	p.waitOut("gamma", "wait", 16*float64(1<<30)/1638e9)
	if got := p.number(`document.getElementById("beta").getBoundingClientRect().top`); math.Abs(got-top) > 1 {
		t.Errorf("the sheet moved from %v to %v", top, got)
	}
	if got := p.text(`location.hash`); got != "#beta" {
		t.Errorf("the address ends in %q", got)
	}
}

// What an address carries by mistake or malice is said in the page, and otherwise ignored.
func TestBadAddress(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{})
	for _, query := range []string{"alpha.B=cat", "alpha.B=-5", "alpha.nope=1", "alpha.chip=abacus",
		"alpha.B=%3Cimg%20src=x%20onerror=alert(1)%3E", "alpha.B=1e999"} {
		p.open(home + "one/?" + query)
		p.check(p.Wait(startTimeout, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
		if got := p.out("alpha", "ops"); got != 2*256*4096.0*4096 {
			t.Errorf("?%s: ops = %v", query, got)
		}
		if p.text(`document.querySelector("#alpha .notices").innerText`) == "" {
			t.Errorf("?%s: nothing is said about it", query)
		}
		if p.is(`document.querySelector("main img")`) {
			t.Errorf("?%s: the address became HTML", query)
		}
		p.nothingWrong(home)
	}
}

// A calculator that the page doesn't have is said at once, though none of those that it has is in sight; so is a value
// that is longer than any of ours.
func TestAddressOfNobody(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	long := strings.Repeat("1%2B", 600) + "1"
	p := tab(t, browser.Options{})
	for path, said := range map[string]string{
		"one/?nosuch.B=5":        "“nosuch.B”",
		"plain/?nosuch.B=5":      "“nosuch.B”",
		"one/?alpha.B=" + long:   "“alpha.B”",
		"one/?nosuch.sort.x=hbm": "“nosuch.sort.x”",
	} {
		p.open(home + path)
		p.check(p.Wait(startTimeout, `[...document.querySelectorAll(".sheet-toast, #notice:not([hidden])")]
			.some(e => e.innerText.includes(`+
			quoted(said)+`))`))
		p.nothingWrong(home)
	}
}
