//go:build !js

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// rects are the places of all elements of the sheets, and of the prose around them.
const rects = `return JSON.stringify([...document.querySelectorAll("main *")].filter(e => e.checkVisibility())
	.map(e => { const r = e.getBoundingClientRect()
		return [e.tagName, e.className.baseVal ?? e.className, r.x, r.y, r.width, r.height] }))`

// names are all elements of the sheets that can be seen, with what they are called, hold and say.
const names = `const unseen = "template, option, optgroup, details:not([open]) > :not(summary)"
	return JSON.stringify([...document.querySelectorAll("section.sheet *")].filter(e => !e.closest(unseen))
	.map(e => [e.tagName, e.className.baseVal ?? e.className, e.id, e.getAttribute("name"),
		e.getAttribute("aria-describedby"), e.dataset.value,
		e.children.length || e.tagName === "SELECT" ? "" : e.textContent, e.value ?? "", !!e.checked, !!e.open]))`

// A page that comes to life is, element for element and pixel for pixel, the page that was printed.
func TestNothingMoves(t *testing.T) {
	t.Parallel()
	for _, o := range []browser.Options{{Width: 1280}, {Width: 390, Touch: true}, {Width: 320}} {
		p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds")), o)
		places, elements := p.text(rects), p.text(names)
		const body = `return [document.body.childElementCount, Object.hasOwn(document, "body")]`
		before := p.text(body)
		_, err := p.TakeLayoutShift() // a busy browser may paint while it parses, and the rest in the next frame
		p.check(err)
		p.live()
		if got := p.text(body); got != before || !strings.Contains(got, "false") {
			t.Errorf("%d px: the body was %s and is %s: go-app is in the page, or has kept its body", o.Width, before,
				got)
		}
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
	t.Parallel()
	p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds")), browser.Options{})
	p.text(`const B = document.querySelector("#int8-matmul [name=B]"); B.focus(); B.select()`)
	p.check(p.Keys("5120"))
	p.text(`document.activeElement.setSelectionRange(1, 3);
		document.querySelector("#kinds [name=mode]").value = "tree";
		document.querySelector("#kinds [name=on_]").click();
		document.querySelector("#int8-matmul [name=B]").focus({preventScroll: true});
		document.getElementById("kinds--M--slider").value = 600;
		document.getElementById("int8-matmul--B_crit--guess").value = "100";
		document.querySelector('#kinds [data-key="row:T"]').open = true`)
	y := p.text(`return document.getElementById("kinds").getBoundingClientRect().height`)
	p.live()
	for _, c := range []struct{ script, want string }{
		{
			`const e = document.activeElement
				return [e.closest("section").id, e.name, e.value, e.selectionStart, e.selectionEnd]`,
			"int8-matmul,B,5120,1,3",
		},
		{`return document.querySelector("#kinds [name=mode]").value`, "tree"},
		{`return document.querySelector("#kinds [name=on_]").checked`, "false"},
		{
			`return document.getElementById("kinds--M--slider").value !== "0"`,
			"true",
		},
		{
			`return document.getElementById("int8-matmul--B_crit--guess").value`,
			"100",
		},
		{
			`return document.querySelector('#kinds [data-key="row:T"]').open`,
			"true",
		},
		{
			`return document.querySelector("#int8-matmul output[data-name=ops]").dataset.value`,
			fmt.Sprintf("%v", 2*5120*4096*16384.0),
		},
	} {
		got := p.text(c.script)
		if got != c.want && !(strings.Contains(c.script, "dataset.value") && sameNumber(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.script, got, c.want)
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
	t.Parallel()
	p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds")), browser.Options{})
	p.live()
	p.text(`const i = document.querySelector("#kinds [name=n]");
		Object.defineProperty(i, "value", { get() { throw new Error("broken on purpose") } });
		i.dispatchEvent(new Event("input", { bubbles: true }))`)
	p.check(
		p.Wait(5*time.Second, `document.querySelector("#kinds [role=alert]")?.innerText.includes("broken on purpose")`),
	)
	p.text(
		`const B = document.querySelector("#int8-matmul [name=B]"); B.value = "512";
		B.dispatchEvent(new Event("input", { bubbles: true }))`,
	)
	p.check(
		p.Wait(5*time.Second,
			`document.querySelector("#int8-matmul output[data-name=ops]").textContent === "68.7 GFLOP"`),
	)
	p.text(`document.querySelector("#kinds [role=alert] button").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector("#kinds [name=n]")?.value === "4"`))
	p.text(
		`const n = document.querySelector("#kinds [name=n]"); n.value = "5";
		n.dispatchEvent(new Event("input", { bubbles: true }))`,
	)
	p.check(p.Wait(5*time.Second, `document.querySelector("#kinds output[data-name=bad]").textContent === "1 s"`))
	if p.text(`return window.ended`) != "undefined" {
		t.Error("the program has ended")
	}
}

// The page stays an ordinary page: its own handlers, its scroll position, its links and its fragment.
func TestThePageStaysItsOwn(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, pageOf(t, "int8-matmul", "kinds"))+"/?utm=x#part-1", browser.Options{})
	p.text(`scrollTo(0, 123)`)
	p.live()
	time.Sleep(100 * time.Millisecond)
	got := p.text(`document.body.click(); return [scrollY, location.search, location.hash, window.clicked,
		window.onpopstate, window.onresize, typeof window.goappNav]`)
	if got != "123,?utm=x,#part-1,true,,,undefined" {
		t.Errorf("got %s", got)
	}
	p.text(
		`const n = document.querySelector("#kinds [name=n]"); n.value = "5";
		n.dispatchEvent(new Event("input", { bubbles: true }))`,
	)
	p.check(p.Wait(5*time.Second, `location.search === "?utm=x&kinds.n=5" && location.hash === "#part-1"`))
}

// A sheet that comes later, even in somebody's shadow root, is brought to life by scalebook.mount.
func TestMountsLater(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, pageOf(t, "int8-matmul")), browser.Options{})
	p.text(`window.printed = document.getElementById("int8-matmul").cloneNode(true)`)
	p.live()
	p.text(`const host = document.createElement("div"); document.body.append(host);
		const root = host.attachShadow({ mode: "open" }), copy = window.printed;
		copy.dataset.state = "int8-matmul.B=512"; root.append(copy); window.later = copy; scalebook.mount(copy)`)
	p.check(p.Wait(10*time.Second, `later.hasAttribute("data-live")`))
	got := p.text(`return [later.querySelector("output[data-name=ops]").textContent,
		later.querySelector("[name=B]").value, document.querySelector("output[data-name=ops]").textContent,
		location.search]`)
	if got != "68.7 GFLOP,512,34.4 GFLOP," {
		t.Errorf("got %s", got)
	}
}

// The keyboard alone turns an input, opens a row, finds a value for a goal, and reads a plot.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, pageOf(t, "int8-matmul")), browser.Options{})
	p.live()
	p.text(`document.getElementById("int8-matmul--B--slider").focus()`)
	p.check(p.Keys("\u0303")) // ArrowRight
	if got := p.text(`return document.querySelector("#int8-matmul [name=B]").value`); got != "260" {
		t.Errorf("one step up from 256 is %s", got)
	}
	// Steps of an answer wait with it.
	p.text(`[...document.querySelectorAll(".ask button")].find(b => b.textContent === "Show me").click()`)
	p.waitUntilDrawn()
	p.text(`const s = document.querySelector('[data-key="row:T_math"] > summary'); s.focus()`)
	p.check(p.Keys("\r"))
	p.waitUntilDrawn()
	p.text(`document.querySelector('[data-key="more:T_math"] > summary').focus()`)
	p.check(p.Keys("\r"))
	p.check(p.Wait(5*time.Second, `document.getElementById("int8-matmul--T_math--goal")`))
	p.text(`document.getElementById("int8-matmul--T_math--goal").focus()`)
	p.check(p.Keys("1 ms\r"))
	p.check(
		p.Wait(5*time.Second,
			`Math.abs(document.querySelector("output[data-name=T_math]").dataset.value / 1e-3 - 1) < 1e-4`),
	)
	p.text(`document.querySelector(".plot-cursor").focus()`)
	before := p.text(`return document.querySelector(".readout").textContent`)
	p.check(p.Keys("\u0301"))
	p.check(p.Wait(5*time.Second, `document.querySelector(".readout").textContent !== `+fmt.Sprintf("%q", before)))
	if got := p.text(`const c = document.querySelector(".plot-cursor");
		return c.getAttribute("aria-valuetext") === document.querySelector(".readout").textContent`); got != "true" {
		t.Error("the reading isn't told to a screen reader")
	}
}
