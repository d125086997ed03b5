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

// covered names the controls of calculators that a notice lies over.
const covered = `[...document.querySelectorAll(".sheet-notice")].flatMap(n => {
	const a = n.getBoundingClientRect();
	return [...n.closest(".sheet").querySelectorAll("button, summary, select, input")].filter(e => {
		const b = e.getBoundingClientRect();
		return !n.contains(e) && e.checkVisibility() && a.left < b.right && b.left < a.right && a.top < b.bottom
			&& b.top < a.bottom;
	}).map(e => e.textContent || e.id);
}).join(", ")`

// toolsBook is a page with the instruments on chips.
const toolsBook = "testdata/tools"

// soon waits until a condition holds; the test goes on if it doesn't.
func (p *page) soon(what, condition string) {
	p.t.Helper()
	if err := p.Wait(5*time.Second, condition); err != nil {
		p.t.Errorf("%s: %v", what, err)
	}
}

// late is soon for what follows a whole search.
func (p *page) late(what, condition string) {
	p.t.Helper()
	if err := p.Wait(20*time.Second, condition); err != nil {
		p.t.Errorf("%s: %v", what, err)
	}
}

// Nothing moves when instruments come to life, wide or narrow, and nothing that was chosen before is lost.
func TestInstrumentsTakeOver(t *testing.T) {
	t.Parallel()
	home := serving(t, toolsBook, 500*time.Millisecond)
	for _, width := range []int64{1280, 390} {
		p := tab(t, browser.Options{Width: width, Height: 900})
		p.open(home)
		p.notePlaces()
		p.pick("#chips--dtype", "int8")
		p.wake()
		p.soon(
			"the choice",
			`document.querySelector("#chips--dtype").value === "int8" && document.activeElement.id === "chips--dtype"`,
		)
		p.run(`document.querySelector("#chips .sheet-tools .tool").click()`) // Reset
		p.soon(
			"the reset",
			`document.querySelector("#chips--dtype").value === "bf16" && !location.search
				&& !document.querySelector("#chips .changed")`,
		)
		p.nothingMoved()
		p.nothingWrong(strings.TrimSuffix(home, base))
	}
}

// A reader compares other chips, sorts them, changes a constant, takes another reading, and passes the address on.
func TestInstrumentInUse(t *testing.T) {
	t.Parallel()
	home := serving(t, toolsBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	names := `[...document.querySelectorAll("#chips .grid")[1].querySelectorAll("tbody th")]
		.map(e => e.textContent.replaceAll("\u00a0", " ")).join()`

	p.pick("#chips--chips", "gpu.b200")
	p.soon("one more", names+` === "TPU v5e,H100 SXM 80 GB,B200 SXM (HGX)"`)
	p.soon(
		"the menu offers the next",
		`document.querySelector("#chips--chips").value === "+" && document.activeElement.id === "chips--chips"`,
	)
	p.soon("the address", `decodeURIComponent(location.search) === "?chips.chips=tpu.v5e,gpu.h100,gpu.b200"`)

	p.run(`document.querySelectorAll("#chips .grid")[1].querySelectorAll(".sorter")[2].focus()`)
	p.check(p.Keys("\r"))
	p.soon(
		"the smallest first",
		names+` === "TPU v5e,H100 SXM 80 GB,B200 SXM (HGX)" && document.activeElement.closest("th").ariaSort === "ascending"`,
	)
	p.check(p.Keys("\r"))
	p.soon(
		"the largest first",
		names+` === "B200 SXM (HGX),H100 SXM 80 GB,TPU v5e"
			&& document.activeElement.closest("th").ariaSort === "descending"`,
	)
	p.soon(
		"one order for all tables",
		`[...document.querySelectorAll("#chips .list tbody tr:first-child th")]
			.every(e => e.textContent === "B200 SXM (HGX)")`,
	)

	p.run(`document.querySelector('#chips [data-key="constants:chips tpu.v5e"] summary').click()`)
	p.soon("fields", `document.querySelector("#chips [name=tpu_v5e__hbm_bandwidth]")?.value === "819 GB/s"`)
	p.retype("chips", "tpu_v5e__hbm_bandwidth", "1.2 TB")
	p.soon(
		"refused",
		`document.activeElement.ariaInvalid === "true" || document.activeElement.getAttribute("aria-invalid") === "true"`,
	)
	p.check(p.Keys("/s"))
	p.soon(
		"taken",
		`document.activeElement.name === "tpu_v5e__hbm_bandwidth" && document.activeElement.value === "1.2 TB/s"
			&& !document.activeElement.hasAttribute("aria-invalid")`,
	)
	p.soon("marked", `document.querySelectorAll("#chips .edited").length > 2`)
	p.soon("the demand", `[...document.querySelectorAll("#chips td")].some(e => e.textContent === "164*")`)
	p.soon("announced", `document.querySelector("#chips .sheet-status").textContent.includes("1 constant is yours")`)
	p.run(
		`[...document.querySelectorAll('#chips button')]
			.find(e => e.ariaLabel === "Use it: 810 GB/s for the HBM bandwidth of TPU v5e").click()`,
	)
	p.soon("another reading", `document.querySelector("#chips [name=tpu_v5e__hbm_bandwidth]").value === "810 GB/s"`)

	p.run(`document.querySelector('#chips [aria-label="Take out H100 SXM 80 GB"]').click()`)
	p.soon("one less", names+` === "B200 SXM (HGX),TPU v5e" && document.activeElement.id === "chips--chips"`)

	p.retype("pod-slice", "shape", "4x4x4")
	p.soon("prose", `document.querySelector("data[data-sheet=pod-slice]").textContent === "64 chips"`)
	p.retype("pod-slice", "shape", "3x5x7")
	p.soon(
		"no such slice",
		`document.querySelector("#pod-slice--shape").getAttribute("aria-invalid")
			&& document.querySelector("#pod-slice output[data-name=chips]").textContent === "64 chips"`,
	)
	p.soon("the table follows", `document.querySelector('#pod-slice [data-set="shape=4x4x4"]').checked`)
	p.run(`document.querySelector('#pod-slice [data-set="shape=2x4x4"]').click()`)
	p.soon(
		"chosen",
		`document.querySelector("#pod-slice .now .pick").textContent === "2x4x4"
			&& document.querySelector("#pod-slice--shape").value === "2x4x4"`,
	)
	p.retype("pod-slice", "shape", "8 x 8 × 8")
	p.soon("any other", `document.querySelector("#pod-slice output[data-name=chips]").textContent === "512 chips"`)

	p.soon(
		"the whole address",
		`decodeURIComponent(location.search).includes("pod-slice.shape=8+x+8+×+8")
			&& location.search.includes("tpu_v5e__hbm_bandwidth=810+GB/s")`,
	)
	search := p.text(`location.search`)
	shows := `[...document.querySelectorAll("#chips .list")].map(e => e.textContent).join()
		+ document.querySelector("#pod-slice .rows").textContent`
	was := p.text(shows)
	q := tab(t, browser.Options{})
	q.open(home + search + "&chips.dtype=int7&chips.nothing=1#chips").wake()
	if got := q.text(shows); got != was {
		t.Errorf("the address shows\n%s\nnot\n%s", got, was)
	}
	q.soon(
		"problems",
		`document.querySelector("#chips .sheet-notice").textContent.includes("int7")
			&& document.querySelector("#chips .sheet-notice").textContent.includes("nothing")`,
	)
	p.nothingWrong(strings.TrimSuffix(home, base))
	q.nothingWrong(strings.TrimSuffix(home, base))
}

// changed says whether an HBM of so many GB, which is not the catalog's, stands starred under a head that names the
// unit.
func changed(root string, size int) string {
	return fmt.Sprintf(
		`[...%s.querySelectorAll("td.edited")].some(e => parseFloat(e.textContent) === %d && e.textContent.endsWith("*") &&
		/^HBM.*GB/.test(e.closest("table").tHead.rows[0].cells[e.cellIndex].textContent))`,
		root,
		size,
	)
}

// Instruments stand in frames and in pages of other sites, with their state.
func TestInstrumentElsewhere(t *testing.T) {
	t.Parallel()
	home := serving(t, toolsBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "embed/chips/?chips=gpu.h100&tpu_v5e__hbm=32+GB&gpu_h100__hbm=90+GB").wake()
	p.soon("its state", changed("document", 90))

	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>x</title><script async src="%sembed.js"></script>
			<scalebook-sheet name="pod-slice" chip="tpu.v5e" shape="16x16"></scalebook-sheet>
			<scalebook-sheet name="chips" chips="tpu.v5p,tpu.v6e" state="tpu_v6e__hbm=30+GB"></scalebook-sheet>`, home)
	}))
	t.Cleanup(host.Close)
	q := tab(t, browser.Options{})
	q.open(host.URL)
	inside := func(name string) string {
		return `document.querySelector("scalebook-sheet[name=` + name +
			`]").shadowRoot?.querySelector("section[data-live]")`
	}
	q.check(q.Wait(startTimeout, inside("pod-slice")))
	// only what comes near comes to life
	q.run(`document.querySelector("scalebook-sheet[name=chips]").scrollIntoView()`)
	q.check(q.Wait(startTimeout, inside("chips")))
	q.soon("the slice", inside("pod-slice")+`.querySelector("output[data-name=chips]").textContent === "256 chips"`)
	q.soon("the chips", changed(inside("chips"), 30))
	q.soon("their style", `getComputedStyle(`+inside("chips")+`.querySelector(".pills")).display === "flex"`)
}

// Without scripts an instrument is complete: its tables, its drawing and every source.
func TestInstrumentWithoutScripts(t *testing.T) {
	t.Parallel()
	home := serving(t, toolsBook, 0)
	p := tab(t, browser.Options{NoScripts: true})
	p.open(home)
	shot, err := p.Shot()
	p.check(err)
	if len(shot) == 0 {
		t.Error("nothing to see")
	}
	page := string(render(t, toolsBook)["index.html"])
	for _, want := range []string{"197 TFLOP/s", "Also <b>810 GB/s</b>", "<svg class=\"fig\"", "128 chips"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// The checker finds nothing in instruments that are in use.
func TestInstrumentsHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, toolsBook, 0)
	p := tab(t, browser.Options{}).open(home).wake()
	p.use()
	p.run(
		`for (const b of document.querySelectorAll("#chips .sorter")) b.click();
			for (const d of document.querySelectorAll("#chips details.constants:not([open])"))
				d.querySelector("summary").click()`,
	)
	p.soon("fields", `document.querySelector("#chips [name=gpu_h100__hbm]")`)
	p.retype("chips", "gpu_h100__hbm", "1 W")
	p.soon("refused", `document.querySelector("#chips [name=gpu_h100__hbm]").hasAttribute("aria-invalid")`)
	p.checkLooks(script, "in use")
	for _, o := range []browser.Options{{}, {Width: 390, Height: 844, Touch: true}} {
		q := tab(t, o) // what an address says wrong must not stand in the way of anything
		q.open(home + "?chips.dtype=int7&chips.nothing=1&pod-slice.shape=9x9#chips").wake()
		q.soon("problems", `document.querySelectorAll(".sheet-notice").length === 2`)
		q.checkRules(script, fmt.Sprintf("with notices, %+v", o))
		if covered := q.text(covered); covered != "" {
			t.Errorf("%+v: the notice covers %s", o, covered)
		}
	}
}

// stepsBook is a page with a collective.
const stepsBook = "testdata/steps"

// A reader steps through a collective by keyboard, changes it, passes the address on; nothing plays by itself.
func TestCollectiveStepByStep(t *testing.T) {
	t.Parallel()
	home := serving(t, stepsBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	title := `document.querySelector("#collectives [data-figure=collective_step] title").textContent`
	p.soon("the first step", title+` === "All-gather, step 1 of 4"`)
	p.run(`document.querySelector("#collectives--step").focus()`)
	p.check(p.Keys("\u0303")) // to the right
	p.soon("the second step", title+` === "All-gather, step 2 of 4" && document.activeElement.id === "collectives--step"`)
	p.soon("its clock", `document.querySelector("#collectives .drawing-note").textContent.includes("373 µs so far")`)
	p.soon("announced", `document.querySelector("#collectives .sheet-status").textContent.includes("2 of 4")`)
	p.soon("its address", `location.search === "?collectives.step=1"`)
	p.run(`document.querySelector("#collectives--step--next").focus()`)
	p.check(p.Keys("\r"))
	p.soon(
		"the third step",
		title+` === "All-gather, step 3 of 4" && document.activeElement.id === "collectives--step--next"`,
	)
	p.soon("the button of the step rests", `document.querySelector("#collectives--step--play").title === "Play"`)

	p.run(`document.querySelector("#collectives [data-figure=collective_step] .twin summary").click()`)
	p.soon(
		"who holds what",
		`document.querySelector("#collectives [data-figure=collective_step] .twin tbody").rows.length === 8`,
	)
	p.soon(
		"what chip 0 has",
		`document.querySelector("#collectives [data-figure=collective_step] .twin tbody tr").textContent
			.includes("0, 1, 2, 3*, 5*, 6, 7")`,
	)
	p.pick("#collectives--op", "all-reduce")
	p.soon("twice the time", `document.querySelector("data[data-sheet=collectives]").textContent === "1.30 ms"`)
	p.leave(`[...document.querySelectorAll("main a")].find(a => a.textContent.startsWith("eight devices"))`)
	p.wake()
	p.soon(
		"in the switch",
		`document.querySelector("#collectives output[data-name=time]").textContent === "37.3 µs"
			&& document.querySelector("#collectives--adds").checked`,
	)
	p.soon(
		"measured",
		`[...document.querySelectorAll("#collectives caption")].some(c => c.textContent.startsWith("Measured"))`,
	)

	p.soon("its address", `location.search.includes("collectives.adds=on") && !location.search.includes("step")`)
	search := p.text(`location.search`)
	shows := `[".row", "[data-figure=collective_step] .twin tr", ".drawing-note", "[data-figure=collective_step] title"]
		.flatMap(part => [...document.querySelectorAll("#collectives " + part)]).map(e => e.textContent).join("\n")`
	was := p.text(shows)
	q := tab(t, browser.Options{})
	q.open(home + search + "#collectives").wake()
	q.soon("the same", `document.querySelector("#collectives output[data-name=time]").textContent === "37.3 µs"`)
	q.run(`document.querySelector("#collectives [data-figure=collective_step] .twin summary").click()`)
	q.soon("as much", `document.querySelector("#collectives [data-figure=collective_step] .twin tbody").rows.length === 9`)
	if got := q.text(shows); got != was {
		t.Errorf("the address %s shows\n%s\nnot\n%s", search, got, was)
	}
	p.nothingWrong(strings.TrimSuffix(home, base))
	q.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in a collective in use, in either theme, and nothing is too wide.
func TestCollectivesHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, stepsBook, 0)
	p := tab(t, browser.Options{})
	for _, query := range []string{
		"",
		"?collectives.fabric=node&collectives.op=all-reduce&collectives.adds=on&collectives.step=2",
		"?collectives.fabric=tree&collectives.op=all-to-all",
	} {
		p.open(home + query).wake()
		p.use()
		p.run(`document.querySelector("#collectives [data-figure=collective_step] .twin:not([open]) summary")?.click()`)
		p.checkLooks(script, query)
	}
}

// machinesBook is a page with a systolic array, a streamed matmul and a layer.
const machinesBook = "testdata/machines"

// Keys alone work the machines: a cycle on and back, to either end, another box; what they show is announced.
func TestMachinesByKeyboard(t *testing.T) {
	t.Parallel()
	home := serving(t, machinesBook, 500*time.Millisecond)
	p := tab(t, browser.Options{})
	p.open(home)
	p.notePlaces()
	p.wake()
	p.nothingMoved()

	p.run(`document.querySelector("#array--cycle--next").focus()`)
	step := `document.querySelector("#array .input-step .note").textContent`
	for _, c := range []struct{ key, want string }{
		{"\r", "6 of 12"}, {"\u0303", "7 of 12"}, {"\u0302", "6 of 12"}, {"\u0305", "12 of 12"}, {"\u0306", "1 of 12"},
		{"\u0305", "12 of 12"},
	} {
		p.check(p.Keys(c.key))
		p.soon(
			fmt.Sprintf("key %q", c.key),
			step+`.startsWith("`+c.want+`") && document.activeElement.id === "array--cycle--next"`,
		)
	}
	p.soon(
		"the check",
		`document.querySelector("#array").textContent
			.includes("All 24 outputs have left, and match a direct product.")`,
	)
	p.soon("heard", `document.querySelector("#array .sheet-status").textContent.includes("24 of 24 sums have left")`)
	p.soon(
		"the drawing",
		`document.querySelectorAll("#array svg.fig rect.b1, #array svg.fig rect.b2, #array svg.fig rect.b3").length === 1`,
	)

	p.retype("fig-stream", "buffers", "2")
	p.soon("double buffering", `+document.querySelector("#fig-stream output[data-name=t]").dataset.value < 0.00021`)
	p.soon(
		"prose",
		`document.querySelector("data[data-sheet=fig-stream]").textContent ===
			document.querySelector("#fig-stream output[data-name=t]").textContent`,
	)

	p.run(`[...document.querySelectorAll("#fig-layer .box")].find(b => b.textContent.startsWith("router")).focus()`)
	p.check(p.Keys("\r"))
	p.soon(
		"the router",
		`document.activeElement.getAttribute("aria-pressed") === "true"
			&& document.activeElement.textContent.startsWith("router") && document.querySelector("#fig-layer").textContent
			.includes("The 8 best of 256")`,
	)
	p.soon("heard", `document.querySelector("#fig-layer .sheet-status").textContent.includes("router: 1.84")`)
	p.soon("the address", `location.search.includes("fig-layer.box=router") && location.search.includes("array.cycle=11")`)
	p.pick("#fig-layer--model", "llama3.70b")
	p.soon(
		"another model",
		`document.querySelector("#fig-layer--kind").selectedOptions[0].textContent.startsWith("all 80")
			&& document.querySelectorAll("#fig-layer .box").length === 12`,
	)

	q := tab(t, browser.Options{})
	q.open(home + p.text(`location.search`)).wake()
	if a, b := q.text(step), p.text(step); a != b {
		t.Errorf("the address shows %q, not %q", a, b)
	}
	r := tab(t, browser.Options{})
	r.open(home + "embed/fig-layer/?model=llama3.8b&box=scores").wake()
	r.soon("alone", `document.querySelector("#fig-layer [aria-pressed=true]").textContent.startsWith("scores")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in the machines, as printed and in use, in both themes, wide and narrow.
func TestMachinesHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, machinesBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake().use()
	p.soon("controls", `document.querySelector("#array--cycle--next") &&
		document.querySelector("#fig-stream--moment--last")`)
	p.run(
		`document.querySelectorAll("#fig-layer .box")[3].click(); document.querySelector("#array--cycle--next").click();
			document.querySelector("#fig-stream--moment--last").click()`,
	)
	p.checkLooks(script, "in use")
}

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
	p.checkLooks(script, "in use")
}
