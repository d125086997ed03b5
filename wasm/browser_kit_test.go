//go:build !js

package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	const { instance } = await WebAssembly.instantiateStreaming(fetch("/scalebook.wasm"), go.importObject);
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

// head begins a page, with a gap for its policy.
const head = `<!doctype html><html lang="en" class="js"><head><meta charset="utf-8"><title>t</title>
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<meta http-equiv="Content-Security-Policy" content="%s"><link rel="stylesheet" href="/all.css">
	<script src="/wasm_exec.js"></script><script src="/start.js" data-base="/t/"></script></head>
	<body><main>`

// pageOf is a page with these sheets, each after a paragraph, and a number of the first in the prose.
func pageOf(t testing.TB, ids ...string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, head, policy)
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

// program is the files of the browser's program, compiled once for all tests, by the names under which a page asks for
// them.
var program = sync.OnceValues(func() (map[string][]byte, error) {
	made, err := build.Program(context.Background(), "")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"/scalebook.wasm": made.First}
	for i, module := range made.Later {
		files[fmt.Sprintf("/module%d.wasm", i+1)] = module
	}
	support, err := build.Support(context.Background(), "")
	if err != nil {
		return nil, err
	}
	script, err := os.ReadFile(support)
	if err != nil {
		return nil, err
	}
	ours, err := os.ReadFile("../web/modules.js")
	files["/wasm_exec.js"] = slices.Concat(script, ours)
	return files, err
})

// style is the style sheets of a chapter in one.
func style(t *testing.T) string {
	t.Helper()
	var css strings.Builder
	for _, name := range []string{"tokens", "book", "sheet", "chart"} {
		data, err := os.ReadFile("../web/" + name + ".css")
		if err != nil {
			t.Fatal(err)
		}
		css.Write(data)
	}
	return css.String()
}

// serve serves a page with the style sheets and the program.
func serve(t *testing.T, html string) string {
	t.Helper()
	files, err := program()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	give := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		})
	}
	give("/{$}", "text/html", html)
	give("/start.js", "text/javascript", starter)
	give("/all.css", "text/css", style(t))
	for path, data := range files {
		kind := "application/wasm"
		if strings.HasSuffix(path, ".js") {
			kind = "text/javascript"
		}
		give(path, kind, string(data))
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

var started atomic.Bool

// theBrowser is one for all tests; each has a tab of its own, without storage or cache shared with others.
var theBrowser = sync.OnceValues(func() (*browser.Browser, error) {
	started.Store(true)
	return browser.StartForTests(context.Background())
})

func TestMain(m *testing.M) {
	status := m.Run()
	if started.Load() {
		if b, err := theBrowser(); err == nil {
			b.Close()
		}
	}
	os.Exit(status)
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
	b, err := theBrowser()
	if err == browser.ErrMissing {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
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

// waitUntilDrawn waits until what was done has been drawn.
func (p tab) waitUntilDrawn() {
	p.t.Helper()
	_, err := browser.Eval[bool](
		p.Tab,
		`new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 100))`,
	)
	p.check(err)
}
