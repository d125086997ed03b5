package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/wasm/build"
)

// The list of functions that go into the secondary module, and how long a page may take with a program that counts.
const (
	secondaryList = "wasm/build/secondary.txt"
	counting      = 20 * time.Second
)

// ranScript waits for the first calculator of a page and gives the numbers of all functions that ran until then.
const ranScript = `new Promise((done) => {
	new MutationObserver((_, observer) => {
		observer.disconnect();
		const numbers = [];
		for (let i = 0; __program["ran" + i]; i++) if (__program["ran" + i].value) numbers.push(i);
		done(numbers);
	}).observe(document, { attributes: true, attributeFilter: ["data-live"], subtree: true });
	` + awaken + `;
})`

// keepProgram keeps the program's exports, and counts nothing as seen, so that a page waits to be asked.
const keepProgram = `(() => {
	window.IntersectionObserver = class { observe() {} unobserve() {} disconnect() {} };
	const original = WebAssembly.instantiate;
	WebAssembly.instantiate = async (...args) => {
		const made = await original(...args);
		window.__program = made.exports;
		return made;
	};
})()`

// split writes anew which functions no chapter needs for its first calculator.
func split(ctx context.Context) error {
	o, err := sources(ctx)
	if err != nil {
		return err
	}
	lean, names, err := build.Counted(ctx, "")
	if err != nil {
		return err
	}
	o.Lean, o.Secondary = lean, nil
	files, err := site.Render(o)
	if err != nil {
		return err
	}
	b, url, leave, err := visit(ctx, files)
	if err != nil {
		return err
	}
	defer leave()
	ran := make([]bool, len(names))
	for _, path := range simple(files) {
		for _, slower := range []float64{1, 20} { // on slow processors timers of Go run out meanwhile
			numbers, err := ranUntilFirst(b, url+path, slower)
			if err != nil {
				return fmt.Errorf("/%s: %w", path, err)
			}
			for _, i := range numbers {
				ran[i] = true
			}
			fmt.Printf("/%s: %d functions until the first calculator is alive, %gx slower\n", path, len(numbers), slower)
		}
	}
	var later []string
	for i, name := range names {
		if !ran[i] {
			later = append(later, name)
		}
	}
	fmt.Printf("%d of %d functions can come later: %s\n", len(later), len(names), secondaryList)
	return os.WriteFile(secondaryList, []byte(build.List(later)), 0o666)
}

// simple are the pages that load the program without planners, but for those that are one large calculator, which waits
// for both modules.
func simple(files site.Files) []string {
	var out []string
	for _, name := range files.Names() {
		path, isPage := strings.CutSuffix(name, "index.html")
		text := string(files[name])
		many := strings.Count(text, `<section class="sheet`) >= few || path == ""
		if isPage && many && strings.Contains(text, `/assets/scalebook.`) {
			out = append(out, path)
		}
	}
	return slices.Clip(out)
}

// few is how many calculators a page has at least that isn't about one of them; the first page has one.
const few = 3

func ranUntilFirst(b *browser.Browser, url string, slower float64) ([]int, error) {
	t, err := b.Tab(browser.Options{Slower: slower})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := t.Before(keepProgram); err != nil {
		return nil, err
	}
	if err := t.Go(url); err != nil {
		return nil, err
	}
	if _, err := t.Settle(); err != nil {
		return nil, err
	}
	time.Sleep(settled)
	return browser.Eval[[]int](t, ranScript)
}
