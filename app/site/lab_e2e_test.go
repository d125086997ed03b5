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
	menusShow = `[...document.querySelectorAll("#lab .split select")].map(e => e.selectedOptions[0].textContent).join(" ")`
	refused   = `document.querySelector("#lab--product").getAttribute("aria-invalid") === "true"`
	labShows  = `["[data-figure=way_steps] figcaption", "[data-figure=mesh_shards] .drawing-note"]` +
		`.map(s => document.querySelector("#lab " + s).textContent).join()`
)

// choose sets a menu of a drawing as a reader does, by the name of the choice.
func (p *page) choose(menu, to string) {
	p.t.Helper()
	p.run(fmt.Sprintf(`const m = document.querySelector("#lab [data-set=%s]"); m.focus();
		m.value = [...m.options].find(o => o.textContent.startsWith(%q)).value;
		m.dispatchEvent(new Event("change", {bubbles: true}))`, menu, to))
}

// has is whether the field of the product holds a text.
func has(product string) string {
	return fmt.Sprintf(`document.querySelector("#lab--product").value === %q`, product)
}

// A reader types a product, errs and recovers, builds one from menus, begins with an example, and passes the address
// on.
func TestLabInUse(t *testing.T) {
	t.Parallel()
	home := serving(t, labBook, 0)
	p := tab(t, browser.Options{})
	p.open(home)
	p.notePlaces()
	p.wake()
	p.nothingMoved()
	p.retype("lab", "mesh", "X=4, Y=4")
	p.retype("lab", "product", "A[I, J_X . B[J, K] -> C[I, K]")
	p.soon("refused", refused+` && document.querySelector("#lab .caret").textContent.endsWith("\n"+" ".repeat(9)+"^")`)
	p.soon("the last good one stays", menusShow+` === "X – X – X – –"`)
	p.retype("lab", "product", "A[I, J_X] . B[J_Q, K] -> C[I, K]")
	p.soon(
		"an axis that there is not",
		`document.querySelector("#lab .product-note").textContent.includes("column 17: the mesh has no axis")
			&& `+menusShow+` === "– X – – – – –"`,
	)
	p.retype("lab", "product", "A[I, J_X] . B[J_X, K] -> C[I, K]")
	p.soon("taken", `!(`+refused+`) && !document.querySelector("#lab .caret") && `+menusShow+` === "– X X – – – –"`)
	p.soon(
		"slicing B and adding up",
		`document.querySelector("#lab--way").selectedOptions[0].textContent.includes("Slice_")`,
	)

	p.choose("split-0", "Y")
	p.soon("the text", has("A[I_Y, J_X] . B[J_X, K] -> C[I, K]")+` && document.activeElement.dataset.set === "split-0"`)
	p.soon("the menus", menusShow+` === "Y X X – – – –"`) // what a menu sets follows from what it showed
	p.choose("split-1", "Y")                              // an axis that stood elsewhere in the array leaves there
	p.soon("moved", has("A[I, J_Y] . B[J_X, K] -> C[I, K]")+` && `+menusShow+` === "– Y X – – – –"`)
	p.retype("lab", "mesh", "X=8")
	p.soon(
		"the product follows",
		menusShow+` === "– – X – – – –" && document.querySelectorAll("#lab [data-figure=mesh_shards] g").length === 8`,
	)
	p.soon(
		"and it is said",
		`document.querySelector("#lab .product-note").textContent.includes("worked out with A[I, J] . B[J_X, K] -> C[I, K]")`,
	)
	p.run(`document.querySelector('#lab g[data-set="at=5"]').dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	p.soon(
		"a chip",
		`document.querySelector("#lab--at").value === "5"
			&& document.querySelector("#lab [data-figure=mesh_shards] .drawing-note").textContent.includes("J 5120–6143")`,
	)
	p.soon("the ways follow", `document.querySelectorAll("#lab .pick input").length === 4`)
	p.run(`document.querySelectorAll("#lab .pick input")[1].click()`)
	p.soon(
		"another way is open",
		`document.querySelector("#lab [data-figure=way_steps] figcaption").textContent.startsWith("Step by step: ")`,
	)
	p.run(`document.querySelector("#lab--run").click()`)
	p.soon(
		"it is run",
		`document.querySelector("#lab [data-figure=way_trial]")?.textContent.includes("Equals the unsharded product: yes")`,
	)
	p.soon(
		"the address",
		`decodeURIComponent(location.search.replaceAll("+", " "))
			.includes("lab.product=A[I, J_Y] . B[J_X, K] -> C[I, K]&lab.run=on")`,
	)
	shown, search := p.text(labShows), p.text(`location.search`)
	p.nothingWrong(strings.TrimSuffix(home, base))

	q := tab(t, browser.Options{})
	q.open(home + search + "#lab").wake()
	if got := q.text(labShows); got != shown {
		t.Errorf("from the address: %s, not %s", got, shown)
	}
	q.choose("example", "FSDP: the weights")
	q.soon(
		"an example",
		has("In[B_X, D] . W[D_X, F] -> Out[B_X, F]")+` && document.querySelector("#lab--size_f").value === "28672"`,
	)
	q.soon("prose", `document.querySelector("data[data-name=best]").textContent === "AllGather_X(W), Einsum"`)
	q.nothingWrong(strings.TrimSuffix(home, base))
}

// Addresses of the time when the lab was no sheet still work: each part of them, and a way by its title.
func TestLabAddresses(t *testing.T) {
	t.Parallel()
	home := serving(t, labBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "?lab.at=5&lab.dtype=int8&lab.law=shortcut&lab.mesh=X=4,+Y=4&lab.over=K" +
		"&lab.product=A%5BI_X,+J%5D+.+B%5BJ_X,+K%5D+-%3E+C%5BI_X,+K%5D" +
		"&lab.size_j=4096&lab.way=AllGather_X(B),Einsum&lab.wires=lines&lab.chip=tpu.v5e#lab").
		wake()
	p.soon(
		"all is set",
		`["at 5", "dtype int8", "law shortcut", "mesh X=4, Y=4", "over K", "size_j 4096", "wires lines", "chip tpu.v5e",
			"way AllGather_X(B),Einsum"].every(s => {
const [name, ...value] = s.split(" "); return document.getElementById("lab--" + name).value === value.join(" ") })`,
	)
	p.soon("nothing is refused", `!document.querySelector("#lab .notices p, #lab [aria-invalid=true]")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// What takes longer than a frame is done in pieces, says how far it is, and can be stopped.
func TestLabWorksInPieces(t *testing.T) {
	t.Parallel()
	home := serving(t, labBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	p.run(
		`window.seen = []; new MutationObserver(() => { const s = document.querySelector("#lab .tasks").textContent;
			if (s) seen.push(s) }).observe(document.querySelector("#lab"), {subtree: true, childList: true,
			characterData: true})`,
	)
	p.retype("lab", "mesh", "X=2, Y=2, Z=2, W=4")
	p.retype("lab", "product", "A[B_X, I, J_Y] . B[B, J_Z, K_W] -> C[B, I_X, K_Y]")
	p.soon("progress", `seen.some(s => s.includes("working, ") && s.includes("Cancel"))`)
	p.soon("it ends", `document.querySelector("#lab .tasks").textContent === ""`)
	p.retype("lab", "size_i", "4096")
	p.soon("it begins anew", `[...document.querySelectorAll("#lab .tasks button")].some(b => b.click() || true)`)
	p.soon("stopped", `document.querySelector("#lab .tasks").textContent.includes("stopped at ")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in the lab, with a fault shown as well.
func TestLabHasNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, labBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake().use()
	p.run(
		`for (const d of document.querySelectorAll("#lab details.twin:not([open])")) d.querySelector("summary").click()`,
	)
	p.soon("the table", `document.querySelector("#lab [data-figure=mesh_shards] .twin[open] table")`)
	p.retype("lab", "product", "A[I_X, J . B[J, K] -> C[I, K]")
	p.soon("refused", refused)
	p.judgeLooks(script, "in use")
}
