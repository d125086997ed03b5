package site

import (
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
		p.check(p.Wait(alive, `[...document.querySelectorAll(".sheet-toast, #notice:not([hidden])")]
			.some(e => e.innerText.includes(`+
			quoted(said)+`))`))
		p.nothingWrong(home)
	}
}
