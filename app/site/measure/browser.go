package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
)

// drive measures what only a browser knows: how long a page takes to come to life, whether it moves, and how long a
// reader waits for the result of what they typed.
func drive(ctx context.Context, files site.Files, heaviest string, wanted wants) error {
	if err := addPlain(ctx, files); err != nil {
		return err
	}
	b, url, leave, err := visit(ctx, files)
	if err != nil {
		return err
	}
	defer leave()
	pages := slices.DeleteFunc(withSheets(files), func(path string) bool { return !wanted(path) })
	if len(pages) == 0 {
		return errors.New("no page of the book has a sheet")
	}
	for _, slower := range []float64{1, 4} {
		if !wanted("boot") {
			break
		}
		if err := boot(b, url, pages, slower); err != nil {
			return err
		}
	}
	for _, slower := range []float64{1, 4} {
		if !wanted("waits") {
			break
		}
		if err := waits(b, url, pages, slower); err != nil {
			return err
		}
	}
	if wanted("plans") {
		if err := plans(b, url); err != nil {
			return err
		}
	}
	if wanted("traces") {
		if err := traces(b, url); err != nil {
			return err
		}
	}
	b.Close() // for the next one
	if wanted("lighthouse") {
		audit(ctx, url, heaviest)
	}
	return nil
}

// withSheets are the chapters that have calculators; pages of one calculator alone repeat them.
func withSheets(files site.Files) []string {
	var out []string
	for _, name := range files.Names() {
		path, isPage := strings.CutSuffix(name, "index.html")
		if isPage && !strings.HasPrefix(name, "embed/") && path != plainPage &&
			strings.Contains(string(files[name]), `<section class="sheet"`) {
			out = append(out, path)
		}
	}
	return out
}

const (
	awaken  = `document.querySelector("section.sheet").dispatchEvent(new FocusEvent("focusin", {bubbles: true}))`
	allLive = `document.querySelectorAll("section.sheet").length && [...document.querySelectorAll("section.sheet")]
		.every(s => s.hasAttribute("data-live"))`
)

// waitScript measures one wait: an input event, the result changed, and the frame after it painted. The plain handler
// sets one text. Both are in view, as what a reader drags is.
const waitScript = `(async () => {
	const frame = () => new Promise(done => requestAnimationFrame(() => { const c = new MessageChannel();
		c.port1.onmessage = done; c.port2.postMessage(0) }));
	const quiet = () => new Promise(done => setTimeout(done, 20 + Math.random() * 17));
	const plainIn = document.createElement("input"), plainOut = document.createElement("output");
	plainIn.addEventListener("input", () => { plainOut.textContent = plainIn.value });
	document.body.append(plainIn, plainOut);
	plainOut.scrollIntoView();
	async function wait(input, text, outputs) {
		await quiet();
		const print = () => outputs.map(o => o.textContent).join("|");
		const before = print(), began = performance.now();
		input.value = text;
		input.dispatchEvent(new Event("input", {bubbles: true}));
		const handler = performance.now() - began;
		while (print() === before) { await frame(); if (performance.now() - began > 1500) return null }
		await frame();
		return [performance.now() - began, handler];
	}
	const plain = [], ours = [], handlers = [], slow = {};
	for (let i = 0; i < 40; i++) plain.push((await wait(plainIn, "v" + i, [plainOut]))[0]);
	for (const section of document.querySelectorAll("section.sheet[data-live]")) {
		const input = [...section.querySelectorAll("input[type=text][name]")].find(i => i.closest(".input-ranged"));
		if (!input) continue;
		const outputs = [...section.querySelectorAll("output[data-name]")], authored = input.value,
			was = parseFloat(authored.replace(/,/g, ""));
		if (!(was > 0)) continue;
		const unit = authored.replace(/^[-\d.,e+ ]+/, "");
		input.scrollIntoView({behavior: "instant", block: "center"});
		await new Promise(done => setTimeout(done, 100)); // for what comes into view
		for (let i = 0; i < 8; i++) {
			const w = await wait(input, String(+(was * (1 + (i + 1) / 100)).toPrecision(6)) + " " + unit, outputs);
			if (!w) break; // moves nothing that is shown
			ours.push(w[0]);
			handlers.push(w[1]);
			(slow[section.id] ??= []).push(w[1]);
		}
	}
	plainIn.remove(); plainOut.remove();
	return {plain, ours, handlers, slow};
})()`

type sample struct {
	Plain    []float64            `json:"plain"`
	Ours     []float64            `json:"ours"`
	Handlers []float64            `json:"handlers"`
	Slow     map[string][]float64 `json:"slow"` // the handlers by sheet
}

// frame is how many milliseconds a frame of a screen takes.
const frame = 1000.0 / 60

// waits measures from the reader's input to the painted result, beside a plain handler in the same page.
func waits(b *browser.Browser, url string, pages []string, slower float64) error {
	all := sample{Slow: map[string][]float64{}}
	beyond := map[string]float64{}
	for _, path := range pages {
		t, err := b.Tab(browser.Options{})
		if err != nil {
			return err
		}
		s, err := waitsOn(t, url+path, slower)
		t.Close()
		if err != nil {
			return fmt.Errorf("/%s: %w", path, err)
		}
		if len(s.Ours) > 0 {
			beyond[path] = quantile(s.Ours, 0.95) - quantile(s.Plain, 0.95)
		}
		all.Plain = append(all.Plain, s.Plain...)
		all.Ours = append(all.Ours, s.Ours...)
		all.Handlers = append(all.Handlers, s.Handlers...)
		maps.Copy(all.Slow, s.Slow)
	}
	if len(all.Ours) == 0 {
		return errors.New("no input moved any result")
	}
	plain, ours := quantile(all.Plain, 0.95), quantile(all.Ours, 0.95)
	most := plain + frame
	if slower > 1 {
		most = 50
	}
	at := fmt.Sprintf(" at %gx CPU", slower)
	line(
		fmt.Sprintf(
			"input to painted result, p95 of %d (p50 %.1f; plain JS p95 %.1f)%s",
			len(all.Ours),
			quantile(all.Ours, 0.5),
			plain,
			at,
		),
		fmt.Sprintf("%.1f ms", ours),
		fmt.Sprintf("%.1f ms", most),
		ours <= most,
	)
	reportBeyond(beyond, at)
	slowest := slices.MaxFunc(slices.Sorted(maps.Keys(all.Slow)), func(x, y string) int {
		return cmp.Compare(quantile(all.Slow[x], 0.5), quantile(all.Slow[y], 0.5))
	})
	line("  the handler itself, p95"+at, fmt.Sprintf("%.1f ms", quantile(all.Handlers, 0.95)), "", true)
	line(
		"  the handler of the slowest sheet, "+slowest+", median"+at,
		fmt.Sprintf("%.1f ms", quantile(all.Slow[slowest], 0.5)),
		"",
		true,
	)
	return nil
}

// reportBeyond prints by how much the p95 of a page is above that of a plain handler in it, on the pages where it is
// most. A planner's is the time of its search, which shows how far it is.
func reportBeyond(beyond map[string]float64, at string) {
	pages := slices.SortedFunc(maps.Keys(beyond), func(x, y string) int { return cmp.Compare(beyond[y], beyond[x]) })
	for _, path := range pages[:min(len(pages), 5)] {
		line(
			"  p95 beyond plain JS, /"+path+at,
			fmt.Sprintf("%.1f ms", beyond[path]),
			fmt.Sprintf("%.1f ms", frame),
			beyond[path] <= frame,
		)
	}
}

func waitsOn(t *browser.Tab, url string, slower float64) (s sample, err error) {
	if err := t.Go(url); err != nil {
		return s, err
	}
	if _, err := browser.Eval[bool](t, awaken); err != nil {
		return s, err
	}
	if err := t.Wait(time.Minute, allLive); err != nil {
		return s, err
	}
	if err := t.Slow(slower); err != nil {
		return s, err
	}
	return browser.Eval[sample](t, waitScript)
}

// quantile is the share q of the sorted values.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// boots is how often each page is started cold.
const boots = 3

// settleDelay is how long a new tab is left alone: it has work of its own when a page has just loaded.
const settleDelay = 300 * time.Millisecond

// marks notes, in a page that is about to load, when its program is instantiated, and when the first of its calculators
// and all of them are live. Nothing counts as seen, so that no page asks for its program before it is asked to.
const marks = `(() => {
	const times = window.__boot = {};
	const mark = (name) => { times[name] ??= performance.now() };
	window.IntersectionObserver = class { observe() {} unobserve() {} disconnect() {} };
	for (const name of ["instantiate", "instantiateStreaming"]) {
		const original = WebAssembly[name];
		WebAssembly[name] = async (...args) => {
			const made = await original(...args);
			mark("instantiated");
			return made;
		};
	}
	new MutationObserver(() => {
		const sheets = [...document.querySelectorAll("section.sheet")];
		const live = sheets.filter((s) => s.hasAttribute("data-live"));
		if (live.length) mark("first");
		if (live.length && live.length === sheets.length) mark("all");
	}).observe(document, { attributes: true, attributeFilter: ["data-live"], subtree: true });
})()`

// awaitBoot asks for the first calculator of a page, waits for all of them, and says what took how long.
const awaitBoot = `new Promise((done) => {
	const b = __boot, wanted = performance.now();
	` + awaken + `;
	(function look() {
		if (!b.all) return setTimeout(look, 5);
		const fetched = performance.getEntriesByType("resource").find((e) => e.name.endsWith(".wasm")).responseEnd;
		const main = performance.getEntriesByName("main")[0].startTime;
		done({Fetch: fetched - wanted, Compile: b.instantiated - fetched, Start: main - b.instantiated,
			First: b.first - main, Live: b.first - wanted, All: b.all - wanted});
	})();
})`

// parts are what the time from a wanted calculator to a live one consists of, in milliseconds. Compiling goes on
// while the program is fetched; Compile is what is left of it then.
type parts struct{ Fetch, Compile, Start, First, Live, All float64 }

// boot measures how pages come to life, each in a tab without any cache, beside a plain Go program in the same run, and
// the layout shift.
func boot(b *browser.Browser, url string, pages []string, slower float64) error {
	var ours, plain []parts
	shift, moved := 0.0, ""
	for range boots {
		for _, path := range pages {
			p, score, what, err := bootOnce(b, url+path, slower)
			if err != nil {
				return fmt.Errorf("/%s: %w", path, err)
			}
			if score > shift {
				shift, moved = score, " (/"+path+": "+what+")"
			}
			ours = append(ours, p)
			if p, _, _, err = bootOnce(b, url+plainPage, slower); err != nil {
				return fmt.Errorf("the plain program: %w", err)
			}
			plain = append(plain, p)
		}
	}
	at := fmt.Sprintf(" at %gx CPU", slower)
	line("layout shift when a page comes to life"+at+moved, fmt.Sprint(shift), "0", shift == 0)
	report(ours, plain, at, slower)
	return nil
}

// report prints medians.
func report(ours, plain []parts, at string, slower float64) {
	fmt.Printf(
		"from wanted to live, median of %d cold starts%s; beside it a plain Go program in the same run\n",
		len(ours),
		at,
	)
	for _, part := range []struct {
		name string
		of   func(p parts) float64
	}{
		{"fetch", func(p parts) float64 { return p.Fetch }},
		{"compile, beyond fetching", func(p parts) float64 { return p.Compile }},
		{"start: Go's runtime, packages", func(p parts) float64 { return p.Start }},
		{"first calculator", func(p parts) float64 { return p.First }},
		{"all calculators of the page, from wanted", func(p parts) float64 { return p.All }},
	} {
		line(
			"  "+part.name,
			fmt.Sprintf("%.0f ms", median(ours, part.of)),
			fmt.Sprintf("%.0f ms", median(plain, part.of)),
			true,
		)
	}
	live := func(p parts) float64 { return p.Live }
	got, least := median(ours, live), median(plain, live)
	most := mostTimesPlain * least
	held := got > 0 && got <= most // nothing takes no time: what is 0 was not measured
	line("  wanted to live"+at, fmt.Sprintf("%.0f ms", got), fmt.Sprintf("%.0f ms", most), held)
	line("  as a multiple of the plain program's", fmt.Sprintf("%.2f", got/least), fmt.Sprint(mostTimesPlain), held)
}

// mostTimesPlain is how many times a plain Go program's time the book's program may take.
const mostTimesPlain = 2.6

func median(all []parts, of func(p parts) float64) float64 {
	var values []float64
	for _, p := range all {
		values = append(values, of(p))
	}
	return quantile(values, 0.5)
}

func bootOnce(b *browser.Browser, url string, slower float64) (p parts, shift float64, what string, err error) {
	t, err := b.Tab(browser.Options{Slower: slower})
	if err != nil {
		return p, 0, "", err
	}
	defer t.Close()
	if err := t.Before(marks); err != nil {
		return p, 0, "", err
	}
	if err := t.Go(url); err != nil {
		return p, 0, "", err
	}
	if _, err := t.TakeLayoutShift(); err != nil {
		return p, 0, "", err
	}
	time.Sleep(settleDelay)
	if p, err = browser.Eval[parts](t, awaitBoot); err != nil {
		return p, 0, "", err
	}
	shift, moved, err := t.Shift()
	if len(moved) > 0 {
		what = moved[0]
	}
	return p, shift, what, err
}

// plainPage is where the page of the plain program is, beside those of the book.
const plainPage = "plain/"

// addPlain compiles the plain program and adds a page for it, which starts it the way that the book's own are started.
func addPlain(ctx context.Context, files site.Files) error {
	dir, err := os.MkdirTemp("", "scalebook-plain-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "plain.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "./app/site/measure/plain")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the plain program: %w\n%s", err, said)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	named := func(begin, end string) string {
		names := files.Names()
		i := slices.IndexFunc(names, func(n string) bool {
			return strings.HasPrefix(n, begin) && strings.HasSuffix(n, end)
		})
		return base + names[max(0, i)]
	}
	files[plainPage+"p.wasm"] = program
	files[plainPage+"index.html"] = fmt.Appendf(
		nil,
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plain</title>`+
			`<script defer src="%s" data-base="%s" data-wasm="%s" data-exec="%s"></script></head>`+
			`<body><section class="sheet" id="plain">plain</section></body></html>`,
		named("assets/book.", ".js"),
		base,
		base+plainPage+"p.wasm",
		named("assets/wasm_exec.", ".js"),
	)
	return nil
}
