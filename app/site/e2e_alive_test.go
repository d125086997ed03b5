package site

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// What the reader has typed before the program arrives is kept, with the focus, and counts.
func TestComingAliveKeepsTypedTextAndFocus(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, time.Second) + "one/")
	p.retype("alpha", "B", "1k")
	if p.is(`document.querySelector("[data-live]")`) {
		t.Fatal("alive before the program could have arrived")
	}
	p.check(p.Wait(alive, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
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
	beside := `document.getElementById(document.querySelector("#alpha [name=D]").getAttribute("aria-describedby").split(" ")[0]).innerText`
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
	p.run(
		`const m = document.querySelector("#alpha [name=chip]"); m.value = "tpu.v5p"; m.dispatchEvent(new Event("change", {bubbles: true}))`,
	)
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
	p.check(p.Wait(alive, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
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
		p.check(p.Wait(alive, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
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
		p.check(p.Wait(alive, `[...document.querySelectorAll(".sheet-toast, #notice:not([hidden])")].some(e => e.innerText.includes(`+
			quoted(said)+`))`))
		p.nothingWrong(home)
	}
}

// One calculator that breaks says so in its place, and the others go on.
func TestPanicStaysInItsPlace(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.run(`const i = document.querySelector("#alpha [name=D]");
		Object.defineProperty(i, "value", {get() { throw new Error("broken on purpose") }});
		i.dispatchEvent(new Event("input", {bubbles: true}))`)
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha [role=alert]")?.innerText`))
	p.retype("beta", "x", "4")
	p.waitOut("beta", "y", 17)
	p.retype("gamma", "rate", "1638 GB/s")
	p.waitOut("gamma", "wait", 16*float64(1<<30)/1638e9)
	if got := p.text(`document.documentElement.dataset.program`); got != "running" {
		t.Errorf("the program is %s", got)
	}
}

// If the program can't be had, the page says so politely and shows all that it has.
func TestProgramMissing(t *testing.T) {
	t.Parallel()
	files := Files{}
	for name, data := range render(t, testBook) {
		if !strings.HasSuffix(name, ".wasm") {
			files[name] = data
		}
	}
	p := tab(t, browser.Options{}).open(servingFiles(t, files) + "one/")
	if !p.is(`document.documentElement.classList.contains("js")`) {
		t.Error("no class js at the beginning")
	}
	p.run(`document.querySelector("#beta [name=x]").focus()`)
	p.check(p.Wait(alive, `document.documentElement.dataset.program === "failed"`))
	if p.is(`document.documentElement.classList.contains("js")`) {
		t.Error("the class js is still there")
	}
	if !p.is(
		`document.getElementById("notice").checkVisibility() && document.getElementById("notice").innerText.length > 20`,
	) {
		t.Error("nothing is said about it")
	}
	p.visible("beta", "y")
}

// Between an edit and the program's arrival the results are marked as not belonging to the inputs, in the sheet and in the
// prose, and the page says why. Once they belong together again the marks are gone.
func TestResultsOfOtherInputsAreMarked(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 4*time.Second) + "one/")
	marks := func() string {
		return p.text(`[...document.querySelectorAll("[data-awaiting]")].map(e => e.id || e.dataset.name).join()`)
	}
	p.retype("alpha", "B", "512")
	if got := marks(); got != "alpha,B,chip,T" {
		t.Errorf("marked: %q", got)
	}
	if p.is(`document.querySelector("[data-live]")`) {
		t.Fatal("alive before the program could have arrived")
	}
	if p.is(`getComputedStyle(document.querySelector("#beta output")).textDecorationLine !== "none"`) ||
		!p.is(`getComputedStyle(document.querySelector("#alpha output")).textDecorationLine === "underline"`) {
		t.Error("the marks can't be told from what belongs together")
	}
	p.check(p.Wait(3*time.Second, `document.getElementById("notice").checkVisibility()`))
	p.check(p.Wait(alive, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
	p.waitOut("alpha", "ops", 2*512*4096.0*4096)
	p.check(p.Wait(time.Second, `document.querySelectorAll("[data-awaiting]").length === 0 && document.getElementById("notice").hidden`))
}

// If the program can't be had, what was edited is as it was printed again, so that inputs and results belong together;
// what the reader wrote stands beside it. So it does with what they write later.
func TestEditsGoBackWithoutProgram(t *testing.T) {
	t.Parallel()
	files := Files{}
	for name, data := range render(t, testBook) {
		if !strings.HasSuffix(name, ".wasm") {
			files[name] = data
		}
	}
	p := tab(t, browser.Options{}).open(servingFiles(t, files) + "one/")
	for _, typed := range []string{"7 TFLOP", "512"} {
		p.run(`const i = document.querySelector("#alpha [name=B]"); i.focus(); i.value = ` + quoted(typed) + `; i.dispatchEvent(new Event("input", {bubbles: true}))`)
		p.check(p.Wait(alive, `document.documentElement.dataset.program === "failed"`))
		if got := p.text(`document.querySelector("#alpha [name=B]").value`); got != "256" {
			t.Errorf("the field has %q beside the results of 256", got)
		}
		note := `document.getElementById("alpha--B--note")`
		if !p.is(note+`.checkVisibility()`) || !strings.Contains(p.text(note+`.innerText`), "“"+typed+"”") {
			t.Errorf("what the reader wrote is lost: %q", p.text(note+`.innerText`))
		}
	}
	if p.is(`document.querySelector("[data-awaiting]")`) {
		t.Error("something is still marked")
	}
	p.run(`const m = document.querySelector("#alpha [name=chip]"); m.focus()`)
	if got := p.text(`document.querySelector("#alpha [name=chip]").value`); got != "tpu.v5e" {
		t.Errorf("the menu has %q", got)
	}
}

// visible checks that a reader sees a result.
func (p *page) visible(sheet, name string) {
	p.t.Helper()
	if !p.is(
		fmt.Sprintf(
			`(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && e.innerText.trim())(document.querySelector('#%s output[data-name=%q]'))`,
			sheet,
			name,
		),
	) {
		p.t.Errorf("%s.%s can't be seen", sheet, name)
	}
}

// A page without sheets doesn't fetch the program, and a sheet far away doesn't either.
func TestProgramIsFetchedOnlyWhenWanted(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "plain/")
	time.Sleep(300 * time.Millisecond)
	for _, url := range p.Requests() {
		if strings.HasSuffix(url, ".wasm") {
			t.Errorf("fetched for a page without sheets: %s", url)
		}
	}
	if !p.is(`document.querySelector(".code-box button")`) {
		t.Error("the block of code has no button to copy it")
	}
}

// The theme is the system's until the reader chooses; the choice is kept under our own key.
func TestTheme(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{Dark: true}).open(home + "plain/")
	luminance := func() float64 {
		return p.number(
			`(() => { const c = getComputedStyle(document.documentElement).backgroundColor.match(/[\d.]+/g).map(Number); return (c[0] + c[1] + c[2]) / 3 })()`,
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
