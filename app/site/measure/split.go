package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/wasm/build"
)

// noteScript keeps the program's exports and notes what it says, and counts nothing as seen, so that a page waits to be
// asked.
const noteScript = `(() => {
	window.IntersectionObserver = class { observe() {} unobserve() {} disconnect() {} };
	const said = window.__said = new Set();
	window.said = (key) => { said.add(key); };
	window.__ran = () => {
		const numbers = [];
		for (let i = 0; __program["ran" + i]; i++) if (__program["ran" + i].value) numbers.push(i);
		return { ran: numbers, said: [...said] };
	};
	const original = WebAssembly.instantiate;
	WebAssembly.instantiate = async (...args) => {
		const made = await original(...args);
		window.__program = made.exports;
		return made;
	};
})()`

// firstScript waits for the first calculator of a page, a minute at most, and gives what ran and what was said until
// then.
const firstScript = `new Promise((done, fail) => {
	setTimeout(() => fail(new Error("no calculator runs after a minute")), 60_000);
	new MutationObserver((_, observer) => {
		observer.disconnect();
		done(__ran());
	}).observe(document, { attributes: true, attributeFilter: ["data-live"], subtree: true });
	` + awaken + `;
})`

// restScript wakes all calculators of the page, changes and opens something of each, and waits.
const restScript = `(async () => {
	const pause = (ms) => new Promise((done) => setTimeout(done, ms));
	const sheets = [...document.querySelectorAll("section.sheet")];
	for (const s of sheets) s.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
	for (let n = 0; n < 200 && !sheets.every((s) => s.hasAttribute("data-live")); n++) await pause(50);
	for (const s of sheets) {
		for (const fold of s.querySelectorAll("details")) fold.open = true;
		for (const field of s.querySelectorAll("input[type=range], input[name]:not([type]), select")) {
			for (const by of [1, -1]) {
				if (field.type === "range") field.stepUp(by);
				field.dispatchEvent(new Event("input", { bubbles: true }));
				field.dispatchEvent(new Event("change", { bubbles: true }));
			}
		}
		await pause(5);
	}
	await pause(1500);
	return __ran();
})()`

// ran is what a page ran and said, functions by number.
type ran struct {
	Ran  []int    `json:"ran"`
	Said []string `json:"said"`
}

// visited is what a page did until its first calculator was live, and in all.
type visited struct {
	path       string
	first, all ran
	many       bool // whether the page has several calculators
}

// split writes anew what comes with which module of the program, by each known release of Go. Where pages are named,
// only these are visited: what others needed when all were visited last stays.
func split(ctx context.Context, only []string) error {
	roots, err := build.Known(ctx)
	if err != nil {
		return err
	}
	var all []build.Lists
	for _, goroot := range roots {
		fmt.Println("with " + goroot + ":")
		noted, pages, err := visitAll(ctx, goroot, only)
		if err != nil {
			return err
		}
		if len(only) == 0 {
			all = append(all, placeFunctions(noted, pages))
			continue
		}
		var first, ran []int
		for _, v := range pages {
			ran = append(ran, v.all.Ran...)
			if v.many {
				first = append(first, v.first.Ran...)
			}
		}
		all = append(all, noted.Again(first, ran))
	}
	merged := build.Merge(all)
	fmt.Printf("with any: %d functions come first, %d with planners, %d with readers\n",
		len(merged.First), len(merged.Planners), len(merged.Readers))
	return merged.Write(ctx)
}

// visitAll visits pages with the program that the Go installation at goroot compiles: all of them if none is named.
func visitAll(ctx context.Context, goroot string, only []string) (noted *build.Noted, pages []visited, err error) {
	o, err := sources(ctx, goroot)
	if err != nil {
		return nil, nil, err
	}
	if noted, err = build.Note(ctx, goroot); err != nil {
		return nil, nil, err
	}
	o.Program, o.Later = noted.Program, nil
	files, err := site.Render(o)
	if err != nil {
		return nil, nil, err
	}
	b, url, leave, err := visit(ctx, files)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	for i, path := range chapterPages(files) {
		if len(only) > 0 && !slices.Contains(only, "/"+path) {
			continue
		}
		sheets := strings.Count(string(files[path+"index.html"]), `<section class="sheet`)
		v, err := visitOne(b, url, path, sheets, i%slowEach == 0)
		if err != nil {
			return nil, nil, fmt.Errorf("/%s: %w", path, err)
		}
		pages = append(pages, v)
		fmt.Printf("/%s: %d functions and %d sentences until the first calculator runs, %d and %d in all\n",
			path, len(v.first.Ran), len(v.first.Said), len(v.all.Ran), len(v.all.Said))
	}
	return noted, pages, nil
}

// slowEach is which pages are also visited on a slow processor: one in so many.
const slowEach = 4

// openLate are the pages that open with a picture of networks, of ways to shard a product, of programs or of many
// chips: it is printed, and what it is computed and drawn with would make the first module of every page larger.
var openLate = []string{"jax/", "gpus/", "profiling/", "conclusion/", "chips/"}

// visitOne visits a page on this processor, and if asked until its first calculator on a slow one, where timers of Go
// run out meanwhile.
func visitOne(b *browser.Browser, url, path string, sheets int, slowly bool) (v visited, err error) {
	v = visited{path: path, many: (sheets >= few || path == "") && !slices.Contains(openLate, path)}
	t, err := open(b, url+path, 1)
	if err != nil {
		return v, err
	}
	defer t.Close()
	if v.first, err = browser.Eval[ran](t, firstScript); err != nil {
		return v, err
	}
	if v.all, err = browser.Eval[ran](t, restScript); err != nil || !v.many || !slowly {
		return v, err
	}
	slow, err := open(b, url+path, 20)
	if err != nil {
		return v, err
	}
	defer slow.Close()
	more, err := browser.Eval[ran](slow, firstScript)
	v.first.Ran, v.first.Said = append(v.first.Ran, more.Ran...), append(v.first.Said, more.Said...)
	return v, err
}

// open opens a page that waits to be asked.
func open(b *browser.Browser, url string, slower float64) (*browser.Tab, error) {
	t, err := b.Tab(browser.Options{Slower: slower})
	if err != nil {
		return nil, err
	}
	if err := t.Before(noteScript); err != nil {
		return t, err
	}
	if err := t.Go(url); err != nil {
		return t, err
	}
	if _, err := t.TakeLayoutShift(); err != nil {
		return t, err
	}
	time.Sleep(settleDelay)
	return t, nil
}

// placeFunctions are the lists that follow from what the pages did. A page is one of planners if it ran what only
// these have, but for what offers it to sheets, which most pages run. What a page that is one large calculator needs
// first may come later.
func placeFunctions(noted *build.Noted, pages []visited) build.Lists {
	pagesOf := make([]int, len(noted.Names))
	for _, v := range pages {
		for _, i := range v.all.Ran {
			pagesOf[i]++
		}
	}
	first, all, said := make([]bool, len(noted.Names)), make([]bool, len(noted.Names)), map[string]bool{}
	for _, v := range pages {
		for _, i := range v.all.Ran {
			all[i] = true
		}
		only := slices.IndexFunc(v.all.Ran, func(i int) bool {
			return noted.OnlyPlanners(i) &&
				2*pagesOf[i] < len(pages)
		})
		if only >= 0 {
			fmt.Printf("/%s is a page of planners: it ran %s\n", v.path, noted.Names[v.all.Ran[only]])
			continue
		}
		if !v.many {
			continue
		}
		for _, i := range v.first.Ran {
			first[i] = true
		}
		for _, key := range v.first.Said {
			said[key] = true
		}
	}
	return noted.Lists(first, all, slices.Sorted(maps.Keys(said)))
}

// chapterPages are the pages with calculators that are there without a reader's text.
func chapterPages(files site.Files) []string {
	var out []string
	for _, name := range files.Names() {
		path, isPage := strings.CutSuffix(name, "index.html")
		if isPage && !strings.HasPrefix(path, "embed/") && path != "scratch/" &&
			strings.Contains(string(files[name]), `<section class="sheet`) {
			out = append(out, path)
		}
	}
	return slices.Clip(out)
}

// few is how many calculators a page has at least that isn't about one of them; the first page has one.
const few = 3
