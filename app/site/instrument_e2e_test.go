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
		return `document.querySelector("scalebook-sheet[name=` + name + `]").shadowRoot?.querySelector("section[data-live]")`
	}
	q.check(q.Wait(alive, inside("pod-slice")))
	q.run(`document.querySelector("scalebook-sheet[name=chips]").scrollIntoView()`) // only what comes near comes to life
	q.check(q.Wait(alive, inside("chips")))
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
	p.judgeLooks(script, "in use")
	for _, o := range []browser.Options{{}, {Width: 390, Height: 844, Touch: true}} {
		q := tab(t, o) // what an address says wrong must not stand in the way of anything
		q.open(home + "?chips.dtype=int7&chips.nothing=1&pod-slice.shape=9x9#chips").wake()
		q.soon("problems", `document.querySelectorAll(".sheet-notice").length === 2`)
		q.judge(script, fmt.Sprintf("with notices, %+v", o))
		if covered := q.text(covered); covered != "" {
			t.Errorf("%+v: the notice covers %s", o, covered)
		}
	}
}
