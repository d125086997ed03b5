package site

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

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

// withoutProgram is the test's book with no program to fetch.
func withoutProgram(t *testing.T) Files {
	t.Helper()
	files := maps.Clone(render(t, testBook))
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return strings.HasSuffix(name, ".wasm") })
	return files
}

// If the program can't be had, the page says so politely and shows all that it has.
func TestProgramMissing(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(servingFiles(t, withoutProgram(t)) + "one/")
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

// Between an edit and the program's arrival the results are marked as not belonging to the inputs, in the sheet and in
// the prose, and the page says why. Once they belong together again the marks are gone.
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
	p.check(p.Wait(time.Second, `document.querySelectorAll("[data-awaiting]").length === 0
		&& document.getElementById("notice").hidden`))
}

// If the program can't be had, what was edited is as it was printed again, so that inputs and results belong together;
// what the reader wrote stands beside it. So it does with what they write later.
func TestEditsGoBackWithoutProgram(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(servingFiles(t, withoutProgram(t)) + "one/")
	for _, typed := range []string{"7 TFLOP", "512"} {
		p.run(`const i = document.querySelector("#alpha [name=B]"); i.focus(); i.value = ` + quoted(typed) + `;
			i.dispatchEvent(new Event("input", {bubbles: true}))`)
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
			`(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
				&& e.innerText.trim())(document.querySelector('#%s output[data-name=%q]'))`,
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
