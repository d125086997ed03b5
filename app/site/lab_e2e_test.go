package site

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// labBook is a page with the sharding lab.
const labBook = "testdata/lab"

const (
	builderShows = `[...document.querySelectorAll("#lab .builder select")].map(e => e.value).join(" ")`
	refused      = `document.querySelector("#lab--product").getAttribute("aria-invalid") === "true"`
)

// choose sets a menu of the builder as a reader does.
func (p *page) choose(key, to string) {
	p.t.Helper()
	p.run(fmt.Sprintf(`const m = document.querySelector("[id$=choose-%s]"); m.focus(); m.value = %q; m.dispatchEvent(new Event("change", {bubbles: true}))`, key, to))
}

// A reader types a product, errs and recovers, builds one from menus, begins with a preset, and passes the address on.
func TestLabInUse(t *testing.T) {
	home := serving(t, labBook, 0)
	p := tab(t, browser.Options{})
	p.open(home)
	before := p.text(places)
	p.wake()
	for i, line := range strings.Split(before, "\n") {
		if lines := strings.Split(p.text(places), "\n"); i >= len(lines) || lines[i] != line {
			t.Errorf("%s moved: %s", line, lines[min(i, len(lines)-1)])
			break
		}
	}
	p.retype("lab", "mesh", "X=4, Y=4")
	p.retype("lab", "product", "A[I, J_X] . B[J_Q, K] -> C[I, K]")
	p.soon("refused", refused+` && document.querySelector("#lab .caret").textContent.endsWith("\n"+" ".repeat(16)+"^")`)
	p.soon("the last good one stays", builderShows+` === "X - X - X - -"`)
	p.retype("lab", "product", "A[I, J_X] . B[J_X, K] -> C[I, K]")
	p.soon("taken", `!(`+refused+`) && !document.querySelector("#lab .caret") && `+builderShows+` === "- X X - - - -"`)
	p.soon("slicing B and adding up", `document.querySelector("#lab output[data-name=way]").textContent.includes("Slice_")`)

	p.choose("0-1", "Y")
	p.soon("the text", `document.querySelector("#lab--product").value === "A[I_Y, J_X] . B[J_X, K] -> C[I, K]" && document.activeElement.id.endsWith("choose-0-1")`)
	p.choose("0-2", "Y") // an axis that stood elsewhere in the array leaves there
	p.soon("moved", `document.querySelector("#lab--product").value === "A[I, J_Y] . B[J_X, K] -> C[I, K]" && `+builderShows+` === "- Y X - - - -"`)
	p.retype("lab", "mesh", "X=8")
	p.soon("the product follows", `document.querySelector("#lab--product").value === "A[I, J] . B[J_X, K] -> C[I, K]" && document.querySelectorAll("#lab .holders g").length === 8`)
	p.run(`document.querySelector('#lab .holders g[data-set="at=5"]').dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	p.soon("a chip", `document.querySelector("#lab--at").value === "5" && document.querySelector("#lab .lab-chip").textContent.includes("J 5120–6143")`)
	p.run(`document.querySelector("#lab .lab-ways button").click()`)
	p.soon("another way is open", `document.querySelector("#lab .lab-way").textContent.startsWith("The way that you opened")`)
	p.run(`document.querySelector('#lab [data-key="fold-run"] summary').click()`)
	p.soon("it is run", `document.querySelector("#lab .lab-run")?.textContent.includes("Equals the unsharded product: yes")`)
	p.soon("the address", `decodeURIComponent(location.search.replaceAll("+", " ")).includes("lab.product=A[I, J] . B[J_X, K] -> C[I, K]")`)
	shown, search := p.text(`document.querySelector("#lab .lab-way").textContent + document.querySelector("#lab .lab-chip").textContent`), p.text(`location.search`)
	p.nothingWrong(strings.TrimSuffix(home, base))

	q := tab(t, browser.Options{})
	q.open(home + search + "#lab").wake()
	if got := q.text(`document.querySelector("#lab .lab-way").textContent + document.querySelector("#lab .lab-chip").textContent`); got != shown {
		t.Errorf("from the address: %s, not %s", got, shown)
	}
	q.choose("preset", "fsdp")
	q.soon("a preset", `document.querySelector("#lab--product").value === "In[B_X, D] . W[D_X, F] -> Out[B_X, F]" && document.querySelector("#lab--size_f").value === "28672"`)
	q.soon("prose", `document.querySelector("data[data-name=best]").textContent === "AllGather_X(W), Einsum"`)
	q.nothingWrong(strings.TrimSuffix(home, base))
}

// What takes longer than a frame is done in pieces, says how far it is, and can be stopped.
func TestLabWorksInPieces(t *testing.T) {
	home := serving(t, labBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	p.run(`window.seen = []; new MutationObserver(() => { const s = document.querySelector("#lab .lab-progress").textContent; if (s) seen.push(s) }).observe(document.querySelector("#lab"), {subtree: true, childList: true, characterData: true})`)
	p.retype("lab", "mesh", "X=2, Y=2, Z=2, W=4")
	p.retype("lab", "product", "A[B_X, I, J_Y] . B[B, J_Z, K_W] -> C[B, I_X, K_Y]")
	p.soon("progress", `seen.some(s => s.includes("% of the plans") && s.includes("Stop"))`)
	p.soon("it ends", `document.querySelector("#lab .lab-progress").textContent === ""`)
	p.retype("lab", "size_i", "4096")
	p.soon("it begins anew", `[...document.querySelectorAll("#lab .lab-progress button")].some(b => b.click() || true)`)
	p.soon("stopped", `document.querySelector("#lab .lab-progress").textContent.startsWith("Stopped at ")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in the lab, with a fault shown as well.
func TestLabHasNoAxeFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	script, err := axe()
	if err != nil {
		t.Skipf("skipped, there is no axe to check with: %v", err)
	}
	home := serving(t, labBook, 0)
	for _, o := range []browser.Options{{}, {Dark: true}, {Width: 390, Height: 844, Touch: true}, {Width: 320, Height: 700, Dark: true}} {
		p := tab(t, o)
		p.open(home).judge(script, "as opened")
		p.wake().use()
		p.run(`for (const d of document.querySelectorAll("#lab details.more:not([open])")) d.querySelector("summary").click()`)
		p.soon("the table", `document.querySelector("#lab [data-key=fold-holders] table")`)
		p.retype("lab", "product", "A[I_X, J_X] . B[J, K] -> C[I, K]")
		p.soon("refused", refused)
		p.judge(script, fmt.Sprintf("in use, %+v", o))
		if wide := p.number(`document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%+v: the page is %v px too wide", o, wide)
		}
	}
}
