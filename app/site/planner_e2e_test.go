package site

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// A reader sets how much of DP traffic shows: the search and the step follow, a value that can't be is refused, the
// address carries it on, and a reset takes it back.
func TestConstantOfSoftware(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	const (
		step     = `document.querySelector('#training output[data-name="step"]').dataset.value`
		exposed  = `document.querySelector('#training output[data-name="T_dp"]').dataset.value`
		searched = `!document.querySelector("#training [data-task]") && ` + step
		field    = `document.querySelector("#training [name=megatron__show_dp]")`
	)
	p.open(home + "training-planner/#training").wake()
	p.soon("the search", searched+` && `+exposed+` > 0`)
	fitted, shown := p.text(step), p.text(exposed)
	p.run(`document.querySelector('#training [data-key="constants:software"] summary').click()`)
	p.soon("fields", field+`?.value === "70.31 %"`)

	p.retype("training", "megatron__show_dp", "-1")
	p.soon("refused", field+`.getAttribute("aria-invalid") === "true" &&
		`+field+`.closest("dd").textContent.includes("−1 % is out of range; give 0 to 100 %")`)
	if after := p.text(step); after != fitted {
		t.Errorf("a step takes %s s after a refusal, before %s s", after, fitted)
	}
	p.retype("training", "megatron__show_dp", "0")
	p.soon("all of it hidden", searched+` && `+exposed+` === "0" && +`+step+` < `+fitted)
	p.soon("the address", `location.search.includes("training.megatron__show_dp=0")`)
	own := p.text(step)

	p.open(p.text(`location.href`)).wake()
	p.soon("the same by the address", searched+` && `+step+` === "`+own+`"`)
	p.run(`document.querySelector("#training .sheet-tools .tool").click()`) // Reset
	p.soon("the reset", searched+` && `+step+` === "`+fitted+`" && `+exposed+` === "`+shown+`" && !location.search`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// A screen reader hears of results once the search for them is done, not that they have no value.
func TestAnnouncementWaitsForTheSearch(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{})
	p.open(serving(t, realBook, 0) + "training-planner/?training.m=deepseek.v3#training").wake()
	p.soon("the search", `document.querySelector('#training output[data-name="step"]').dataset.value &&
		!document.querySelector("#training [data-task]")`)
	p.run(`window.heard = []
		const status = document.querySelector("#training .sheet-status")
		new MutationObserver(() => heard.push(status.textContent)).
			observe(status, {childList: true, characterData: true, subtree: true})`)
	p.check(p.Slow(6))
	p.retype("training", "N", "8192")
	p.late("announced", `heard.some((text) => text.includes("Divisions of the chips: "))`)
	for _, heard := range value[[]string](p, `heard`) {
		if strings.Contains(heard, "no value") {
			t.Errorf("announced: %q", heard)
		}
	}
}

// In a planner each state is one that Back leads to; in a chapter Back leaves the page.
func TestBackInPlanners(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{})
	home := serving(t, realBook, 0)
	p.open(home + "training-planner/?training.N=256&training.B=4M#training").run(`window.entries = history.length`)
	p.wake()
	p.soon("the address in order", `location.search.startsWith("?training.B=")`)
	if !value[bool](p, `history.length === window.entries`) {
		t.Error("a link that is written in order is a state of its own: Back stays on the page")
	}
	chips := func(n string) string { return `document.getElementById("training--N").value === "` + n + `"` }
	choose := func(n string) {
		p.t.Helper()
		p.run(`const f = document.getElementById("training--N"); f.value = "` + n + `";
			f.dispatchEvent(new Event("input", {bubbles: true})); f.dispatchEvent(new Event("change", {bubbles: true}))`)
		p.soon("the address of "+n, `new URLSearchParams(location.search).get("training.N") === "`+n+`"`)
	}
	choose("1024")
	p.soon("a pause", `Date.now() - (window.began ||= Date.now()) > 2100`) // what follows at once is the same state
	choose("32")
	choose("64")
	p.run(`history.back()`)
	p.soon("1024 again", chips("1024"))
	p.run(`history.back()`)
	p.soon("256 again", chips("256"))
	p.soon("the sentence of 256", `document.querySelector("main").innerText.includes("256 chips of H100")`)
	p.run(`history.forward()`)
	p.soon("forward to 1024", chips("1024"))
	p.soon("the address stays", `new URLSearchParams(location.search).get("training.N") === "1024"`)
}
