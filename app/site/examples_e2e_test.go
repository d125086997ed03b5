package site

import (
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// A reader with GPUs says so once: calculators that have both begin with a GPU on every page, the sentences around them
// follow, notes about GPUs stand out, and what the address or the reader sets stays.
func TestExamplesOnGPUs(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{}).open(home + "rooflines/").wake()
	chip := func(id string) string {
		return p.text(`document.querySelector("#` + id + ` [name=chip]").value`)
	}
	on := func(id, want string) {
		t.Helper()
		p.check(p.Wait(10*time.Second, `document.querySelector("#`+id+`").dataset.live !== undefined &&
			document.querySelector("#`+id+` [name=chip]").value === "`+want+`"`))
	}
	if got := chip("every-chip"); got != "tpu.v5e" {
		t.Errorf("the page begins with %s", got)
	}
	choose := func(word string) { p.run(`document.querySelector(".examples [value=` + word + `]").click()`) }
	p.run(`document.querySelector("#every-chip").scrollIntoView()`)
	on("every-chip", "tpu.v5e")
	choose("gpu")
	on("every-chip", "gpu.h100")
	on("tile-on-roof", "gpu.h100")
	p.check(p.Wait(5*time.Second, `Math.round(document.querySelector("#every-chip output[data-name=B_crit]").dataset.value) === 295`))
	if got := p.text(`document.querySelector('main p > data[data-sheet="every-chip"][data-name="v5e"]').textContent`); got != "241 tokens" {
		t.Errorf("the number of a v5e became %q", got)
	}

	p.open(home + "sharding/").wake()
	on("too-big", "gpu.h100")
	p.check(p.Wait(5*time.Second,
		`document.querySelector('main p > data[data-sheet="too-big"][data-name="chips"]').value === "10"`))
	if got := p.text(`document.querySelector(".examples [aria-pressed=true]").value`); got != "gpu" {
		t.Errorf("the choice shows as %q", got)
	}
	if p.is(`document.querySelector("#too-big .changed")`) {
		t.Error("a chip that the book has put there passes for the reader's")
	}
	if !p.is(`getComputedStyle(document.querySelector(".on-gpu")).borderLeftWidth === "3px"`) {
		t.Error("notes about GPUs don't stand out")
	}

	p.open(home + "training/?one-chip.chip=tpu.v6e").wake()
	on("one-chip", "tpu.v6e")

	p.open(home + "rooflines/").wake()
	on("every-chip", "gpu.h100")
	choose("tpu")
	on("every-chip", "tpu.v5e")
	p.open(home + "sharding/").wake()
	on("too-big", "tpu.v5p")
	p.nothingWrong(home)
}
