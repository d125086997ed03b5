//go:build !js

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/wasm/build"
)

// These tests drive the program in a real browser, on a bare page of its own under the policy that every page has.

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

// starter is the least that starts the program: when window.begin is called.
const starter = `window.onclick = () => { window.clicked = true };
window.begin = async () => {
	const go = new Go();
	const { instance } = await WebAssembly.instantiateStreaming(fetch("/client.wasm"), go.importObject);
	go.run(instance).then(() => { window.ended = true });
};`

func compiled(t testing.TB, id string) *sheet.Sheet {
	t.Helper()
	src, err := os.ReadFile("../app/widget/testdata/" + id + ".sheet")
	if err != nil {
		t.Fatal(err)
	}
	s, errs := sheet.Compile(string(src), widget.Env())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = id
	return s
}

// pageOf is a page with these sheets, each after a paragraph, and a number of the first in the prose.
func pageOf(t testing.TB, ids ...string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<!doctype html><html lang="en" class="js"><head><meta charset="utf-8"><title>t</title><meta http-equiv="Content-Security-Policy" content="%s">`+
			`<link rel="stylesheet" href="/all.css"><script src="/wasm_exec.js"></script><script src="/start.js" data-base="/t/"></script></head><body><div id="goapp-root" hidden></div><main>`,
		policy,
	)
	for i, id := range ids {
		s := compiled(t, id)
		fmt.Fprintf(
			&b,
			`<h2 id="part-%d">Part</h2><p>Prose. %s</p>%s`,
			i,
			strings.Repeat("A sentence that fills a line. ", 12),
			widget.Static(s),
		)
		if i == 0 {
			fmt.Fprintf(&b, "<p>It takes %s.</p>", widget.Number(s, s.Eval(nil), s.Rows[len(s.Rows)-3].Name))
		}
	}
	return b.String() + "</main></body></html>"
}

// serve serves a page with the style sheets and the program.
func serve(t *testing.T, html string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "client.wasm")
	if err := build.Program(t.Context(), "", program); err != nil {
		t.Fatal(err)
	}
	support, err := build.Support(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	text := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		})
	}
	text("/{$}", "text/html", html)
	text("/start.js", "text/javascript", starter)
	var css strings.Builder
	for _, name := range []string{"tokens", "book", "sheet", "chart"} {
		data, err := os.ReadFile("../web/" + name + ".css")
		if err != nil {
			t.Fatal(err)
		}
		css.Write(data)
	}
	text("/all.css", "text/css", css.String())
	mux.HandleFunc("/client.wasm", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/wasm")
		http.ServeFile(w, r, program)
	})
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, support) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// tab is a page in a browser with the checks that every test makes.
type tab struct {
	*browser.Tab
	t *testing.T
}

func open(t *testing.T, url string, o browser.Options) tab {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a browser")
	}
	b, err := browser.Start(t.Context())
	if err == browser.ErrMissing {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	page, err := b.Tab(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(page.Close)
	p := tab{page, t}
	p.check(page.Go(url))
	t.Cleanup(func() {
		if v, err := p.Violations(); err == nil && len(v) > 0 {
			t.Errorf("the policy was violated: %v", v)
		}
	})
	return p
}

func (p tab) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// text runs statements and returns what they return as a text.
func (p tab) text(script string) string {
	p.t.Helper()
	v, err := browser.Eval[string](p.Tab, "(() => {"+script+"})() + ''")
	p.check(err)
	return v
}

// live starts the program and waits until every sheet is live.
func (p tab) live() {
	p.t.Helper()
	p.text("begin()")
	p.check(
		p.Wait(
			time.Minute,
			`document.documentElement.dataset.live && document.querySelectorAll("section.sheet:not([data-live])").length === 0`,
		),
	)
}

// settle waits until what was done has been drawn.
func (p tab) settle() {
	p.t.Helper()
	_, err := browser.Eval[bool](
		p.Tab,
		`new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 100))`,
	)
	p.check(err)
}

// rects are the places of all elements of the sheets, and of the prose around them.
const rects = `return JSON.stringify([...document.querySelectorAll("main *")].filter(e => e.checkVisibility()).map(e => {
	const r = e.getBoundingClientRect(); return [e.tagName, e.className.baseVal ?? e.className, r.x, r.y, r.width, r.height] }))`

// names are all elements of the sheets that can be seen, with what they are called, hold and say.
const names = `return JSON.stringify([...document.querySelectorAll("section.sheet *")].filter(e => !e.closest("template, option, optgroup, details:not([open]) > :not(summary)")).map(e => [e.tagName, e.className.baseVal ?? e.className, e.id,
	e.getAttribute("name"), e.getAttribute("aria-describedby"), e.dataset.value, e.children.length || e.tagName === "SELECT" ? "" : e.textContent, e.value ?? "", !!e.checked, !!e.open]))`

// A page that comes to life is, element for element and pixel for pixel, the page that was printed.
func TestNothingMoves(t *testing.T) {
	for _, o := range []browser.Options{{Width: 1280}, {Width: 390, Touch: true}, {Width: 320}} {
		p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds")), o)
		places, elements := p.text(rects), p.text(names)
		p.live()
		if got := p.text(rects); got != places {
			t.Errorf("%d px: something moved: %s", o.Width, difference(places, got))
		}
		if got := p.text(names); got != elements {
			t.Errorf("%d px: the live page differs: %s", o.Width, difference(elements, got))
		}
		if shift, what, err := p.Shift(); err != nil || shift != 0 {
			t.Errorf("%d px: layout shift %v: %v %v", o.Width, shift, what, err)
		}
		if e := p.Errors(); len(e) > 0 {
			t.Error(e)
		}
		if got := p.text(`return document.documentElement.scrollWidth - innerWidth`); got != "0" &&
			!strings.HasPrefix(got, "-") {
			t.Errorf("%d px: the page is %s px too wide", o.Width, got)
		}
	}
}

// difference is where two long texts part.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("…%.160s… became …%.160s…", a[max(0, i-60):], b[max(0, i-60):])
}

// What the reader did to the printed page is taken over: text and selection, choices, sliders, folds.
func TestTakesOver(t *testing.T) {
	p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds")), browser.Options{})
	p.text(`const B = document.querySelector("#int8-matmul [name=B]"); B.focus(); B.select()`)
	p.check(p.Keys("5120"))
	p.text(`document.activeElement.setSelectionRange(1, 3);
		document.querySelector("#kinds [name=mode]").value = "tree";
		document.querySelector("#kinds [name=on_]").click(); document.querySelector("#int8-matmul [name=B]").focus({preventScroll: true});
		document.getElementById("kinds--M--slider").value = 600;
		document.getElementById("int8-matmul--B_crit--guess").value = "100";
		document.querySelector('#kinds [data-key="row:T"]').open = true`)
	y := p.text(`return document.getElementById("kinds").getBoundingClientRect().height`)
	p.live()
	for script, want := range map[string]string{
		`const e = document.activeElement; return [e.closest("section").id, e.name, e.value, e.selectionStart, e.selectionEnd]`: "int8-matmul,B,5120,1,3",
		`return document.querySelector("#kinds [name=mode]").value`:                                                             "tree",
		`return document.querySelector("#kinds [name=on_]").checked`:                                                            "false",
		`return document.getElementById("kinds--M--slider").value !== "0"`:                                                      "true",
		`return document.getElementById("int8-matmul--B_crit--guess").value`:                                                    "100",
		`return document.querySelector('#kinds [data-key="row:T"]').open`:                                                       "true",
		`return document.querySelector("#int8-matmul output[data-name=ops]").dataset.value`:                                     fmt.Sprintf("%v", 2*5120*4096*16384.0),
	} {
		if got := p.text(script); got != want && !(strings.Contains(script, "dataset.value") && sameNumber(got, want)) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	if got := p.text(`return document.getElementById("kinds").getBoundingClientRect().height`); got != y {
		t.Logf("the opened sheet was %s px high and is %s", y, got)
	}
	p.check(p.Wait(5*time.Second, `location.search.includes("int8-matmul.B=5120")`))
}

func sameNumber(a, b string) bool {
	var x, y float64
	fmt.Sscan(a, &x)
	fmt.Sscan(b, &y)
	return x == y && x != 0
}

// A calculator that breaks says so in its place and can be started again; the others go on.
func TestPanicStaysInItsPlace(t *testing.T) {
	p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds")), browser.Options{})
	p.live()
	p.text(`const i = document.querySelector("#kinds [name=n]");
		Object.defineProperty(i, "value", { get() { throw new Error("broken on purpose") } });
		i.dispatchEvent(new Event("input", { bubbles: true }))`)
	p.check(
		p.Wait(5*time.Second, `document.querySelector("#kinds [role=alert]")?.innerText.includes("broken on purpose")`),
	)
	p.text(
		`const B = document.querySelector("#int8-matmul [name=B]"); B.value = "512"; B.dispatchEvent(new Event("input", { bubbles: true }))`,
	)
	p.check(
		p.Wait(5*time.Second, `document.querySelector("#int8-matmul output[data-name=ops]").textContent === "68.7 GFLOP"`),
	)
	p.text(`document.querySelector("#kinds [role=alert] button").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector("#kinds [name=n]")?.value === "4"`))
	p.text(
		`const n = document.querySelector("#kinds [name=n]"); n.value = "5"; n.dispatchEvent(new Event("input", { bubbles: true }))`,
	)
	p.check(p.Wait(5*time.Second, `document.querySelector("#kinds output[data-name=bad]").textContent === "1 s"`))
	if p.text(`return window.ended`) != "undefined" {
		t.Error("the program has ended")
	}
}

// The page stays an ordinary page: its own handlers, its scroll position, its links and its fragment.
func TestThePageStaysItsOwn(t *testing.T) {
	p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds"))+"/?utm=x#part-1", browser.Options{})
	p.text(`scrollTo(0, 123)`)
	p.live()
	time.Sleep(100 * time.Millisecond)
	if got := p.text(`document.body.click(); return [scrollY, location.search, location.hash, window.clicked, window.onpopstate, window.onresize, typeof window.goappNav]`); got != "123,?utm=x,#part-1,true,,,undefined" {
		t.Errorf("got %s", got)
	}
	p.text(
		`const n = document.querySelector("#kinds [name=n]"); n.value = "5"; n.dispatchEvent(new Event("input", { bubbles: true }))`,
	)
	p.check(p.Wait(5*time.Second, `location.search === "?utm=x&kinds.n=5" && location.hash === "#part-1"`))
}

// A sheet that comes later, even in somebody's shadow root, is brought to life by scalebook.mount.
func TestMountsLater(t *testing.T) {
	p := open(t, serve(t, pageOf(t, "int8-matmul")), browser.Options{})
	p.text(`window.printed = document.getElementById("int8-matmul").cloneNode(true)`)
	p.live()
	p.text(`const host = document.createElement("div"); document.body.append(host);
		const root = host.attachShadow({ mode: "open" }), copy = window.printed;
		copy.dataset.state = "int8-matmul.B=512"; root.append(copy); window.later = copy; scalebook.mount(copy)`)
	p.check(p.Wait(10*time.Second, `later.hasAttribute("data-live")`))
	if got := p.text(`return [later.querySelector("output[data-name=ops]").textContent, later.querySelector("[name=B]").value, document.querySelector("output[data-name=ops]").textContent, location.search]`); got != "68.7 GFLOP,512,34.4 GFLOP," {
		t.Errorf("got %s", got)
	}
}

// The keyboard alone turns an input, opens a row, finds a value for a goal, and reads a plot.
func TestKeyboard(t *testing.T) {
	p := open(t, serve(t, pageOf(t, "int8-matmul")), browser.Options{})
	p.live()
	p.text(`document.getElementById("int8-matmul--B--slider").focus()`)
	p.check(p.Keys("\u0303")) // ArrowRight
	if got := p.text(`return document.querySelector("#int8-matmul [name=B]").value`); got != "260" {
		t.Errorf("one step up from 256 is %s", got)
	}
	p.text(`const s = document.querySelector('[data-key="row:T_math"] > summary'); s.focus()`)
	p.check(p.Keys("\r"))
	p.settle()
	p.text(`document.querySelector('[data-key="more:T_math"] > summary').focus()`)
	p.check(p.Keys("\r"))
	p.check(p.Wait(5*time.Second, `document.getElementById("int8-matmul--T_math--goal")`))
	p.text(`document.getElementById("int8-matmul--T_math--goal").focus()`)
	p.check(p.Keys("1 ms\r"))
	p.check(
		p.Wait(5*time.Second, `Math.abs(document.querySelector("output[data-name=T_math]").dataset.value / 1e-3 - 1) < 1e-4`),
	)
	p.text(`[...document.querySelectorAll(".ask button")].find(b => b.textContent === "Show me").click()`)
	p.settle()
	p.text(`document.querySelector(".plot-cursor").focus()`)
	before := p.text(`return document.querySelector(".readout").textContent`)
	p.check(p.Keys("\u0301"))
	p.check(p.Wait(5*time.Second, `document.querySelector(".readout").textContent !== `+fmt.Sprintf("%q", before)))
	if got := p.text(`const c = document.querySelector(".plot-cursor"); return c.getAttribute("aria-valuetext") === document.querySelector(".readout").textContent`); got != "true" {
		t.Error("the reading isn't told to a screen reader")
	}
}
