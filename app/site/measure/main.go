// Command measure builds the book, drives it in a real browser, and prints what was promised beside what was measured.
//
//	go run ./app/site/measure             everything
//	go run ./app/site/measure boot waits  only these; also sheets, plans, traces and lighthouse
//	go run ./app/site/measure boot rooflines/ sharding/   only on these pages
//	go run ./app/site/measure split       no table: what comes with which module of the program, in wasm/build
//	go run ./app/site/measure split / /training/   the same, but only these pages are visited
package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/wasm/build"
)

func main() {
	if err := measure(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const base = "/scalebook/"

// wants says whether a part of the table or a page is asked for.
type wants func(what string) bool

// wanting is all of them, unless some parts, or some pages, are named.
func wanting(names []string) wants {
	isPage := func(name string) bool { return strings.Contains(name, "/") }
	return func(what string) bool {
		alike := func(name string) bool { return isPage(name) == isPage(what) }
		return !slices.ContainsFunc(names, alike) || slices.Contains(names, what)
	}
}

// measure prints the parts of the table, all of them if none is named.
func measure(ctx context.Context, only []string) error {
	if len(only) > 0 && only[0] == "split" {
		return split(ctx, only[1:])
	}
	wanted := wanting(only)
	o, err := sources(ctx, "")
	if err != nil {
		return err
	}
	before, began := debug.SetGCPercent(site.GCPercent), time.Now()
	files, err := site.Render(o)
	if err != nil {
		return err
	}
	took := time.Since(began)
	debug.SetGCPercent(before)
	fmt.Printf("%-66s %14s %14s\n", "what", "measured", "at most")
	heaviest := weigh(files)
	line(
		"building the whole site, without compiling WASM",
		fmt.Sprintf("%.2f s", took.Seconds()),
		"3 s",
		took.Seconds() <= 3,
	)
	if wanted("sheets") {
		evaluate(o)
	}
	return drive(ctx, files, heaviest, wanted)
}

// line prints one row of the table.
func line(what, measured, atMost string, kept bool) {
	verdict := ""
	if !kept {
		verdict = "  over"
	}
	fmt.Printf("%-66s %14s %14s%s\n", what, measured, atMost, verdict)
}

// sources compiles the program and names the folders.
func sources(ctx context.Context, goroot string) (site.Options, error) {
	o := site.Options{Content: os.DirFS("content"), Web: os.DirFS("web"), Dir: "content", Base: base}
	made, err := build.Program(ctx, goroot)
	if err != nil {
		return o, err
	}
	o.Program, o.Later = made.First, made.Later
	support, err := build.Support(ctx, goroot)
	if err != nil {
		return o, err
	}
	o.Exec, err = os.ReadFile(support)
	return o, err
}

// weigh measures bytes: of the heaviest page's HTML, of the style and the scripts that a page loads at once, most of
// which all pages share, and of the program.
func weigh(files site.Files) (heaviest string) {
	modules := map[string]int{}
	most, shared := 0, 0
	for _, name := range files.Names() {
		switch {
		case strings.HasSuffix(name, ".wasm"):
			module, _, _ := strings.Cut(path.Base(name), ".")
			modules[module] = site.Packed(files[name])
		case strings.HasSuffix(name, ".html"):
			html, assets := files.Weigh(base, name)
			if html > most {
				heaviest, most = name, html
			}
			shared = max(shared, assets)
		}
	}
	line("the heaviest page, "+heaviest+": HTML, gzip -9", kilo(most), "56 KB", most <= 56_000)
	line("style and scripts that a page loads, cached, gzip -9", kilo(shared), "26.5 KB", shared <= 26_500)
	sum := 0
	for _, m := range []struct {
		name, what string
		most       int
	}{
		{"scalebook", "the program's first module, gzip -9", 735_000},
		{"module1", "with what chapters need", 1_705_000},
		{"module2", "with planners", 2_150_000},
		{"module3", "with what single pages read", 2_411_000},
	} {
		sum += modules[m.name]
		line(m.what, kilo(sum), fmt.Sprintf("%d KB", m.most/1000), sum <= m.most)
	}
	return heaviest
}

func kilo(n int) string { return fmt.Sprintf("%.1f KB", float64(n)/1000) }

// evaluate measures the slowest sheet of the book, natively.
func evaluate(o site.Options) {
	env := widget.Env()
	slowest, most, total := "", 0.0, 0
	for _, name := range chapters() {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for _, src := range book.Sheets(name, data) {
			s, errs := sheet.Compile(src.Text, env)
			if len(errs) > 0 || s.Long() {
				continue // shown as wrong, or done between frames
			}
			total++
			if per := perEval(s); per > most {
				slowest, most = src.ID, per
			}
		}
	}
	line(
		fmt.Sprintf("evaluating the slowest of %d sheets, %s, natively", total, slowest),
		fmt.Sprintf("%.3f ms", most),
		"1 ms",
		most <= 1,
	)
}

// perEval is how many milliseconds a sheet takes to evaluate: the best of a few short runs, since others use the
// machine too.
func perEval(s *sheet.Sheet) float64 {
	best := math.Inf(1)
	for range 5 {
		began, n := time.Now(), 0
		for ; n == 0 || time.Since(began) < 4*time.Millisecond; n++ {
			s.Eval(nil)
		}
		best = min(best, float64(time.Since(began).Nanoseconds())/1e6/float64(n))
	}
	return best
}

func chapters() []string {
	names, _ := filepath.Glob("content/*.md") // the pattern is valid
	return names
}

// serve serves the files on a free port of this machine.
func serve(files site.Files) (url string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &site.Server{}
	s.Show(base, files)
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go server.Serve(l)
	return "http://" + l.Addr().String() + base, func() { server.Close() }, nil
}

// visit serves the site and starts a browser for it; leave ends both.
func visit(ctx context.Context, files site.Files) (b *browser.Browser, url string, leave func(), err error) {
	url, stop, err := serve(files)
	if err != nil {
		return nil, "", nil, err
	}
	if b, err = browser.Start(ctx); err != nil {
		stop()
		return nil, "", nil, err
	}
	return b, url, func() { b.Close(); stop() }, nil
}
