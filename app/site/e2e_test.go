package site

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/wasm/build"
)

// The browser tests run beside each other, since half of their time is waiting. They drive two books: the real one, of
// which every page must keep the general promises, and a small one of testdata, whose numbers are worked out here.
const base = "/scalebook/"

// startTimeout is how long the calculators may take to start on a busy machine.
const startTimeout = 30 * time.Second

// compiled is the browser's program and its support.
type compiled struct {
	build.Binary
	exec []byte
}

var theProgram = sync.OnceValues(func() (p compiled, err error) {
	ctx := context.Background()
	if p.Binary, err = build.Program(ctx, ""); err != nil {
		return p, err
	}
	support, err := build.Support(ctx, "")
	if err != nil {
		return p, err
	}
	p.exec, err = os.ReadFile(support)
	return p, err
})

// options are those of a book in a folder.
func options(t testing.TB, content string) Options {
	t.Helper()
	p, err := theProgram()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Content: os.DirFS(content),
		Web:     os.DirFS("../../web"),
		Base:    base,
		Dir:     content,
		Program: p.First,
		Later:   p.Later,
		Exec:    p.exec,
	}
}

const (
	realBook = "../../content"
	testBook = "testdata/book"
)

var rendered sync.Map // folder -> func() (Files, error)

// render is the site of a folder, built once.
func render(t testing.TB, content string) Files {
	t.Helper()
	o := options(t, content)
	once, _ := rendered.LoadOrStore(content, sync.OnceValues(func() (Files, error) { return Render(o) }))
	files, err := once.(func() (Files, error))()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var editions sync.Map // folder -> func() *edition

// ready is the site of a folder as a server has it. What the sites of several folders have in common, as the programs,
// is compressed once for all of them.
func ready(t testing.TB, content string) *edition {
	t.Helper()
	files := render(t, content)
	once, _ := editions.LoadOrStore(content, sync.OnceValue(func() *edition {
		s := &Server{}
		if content != testBook {
			s.now.Store(ready(t, testBook))
		}
		s.Show(base, files)
		return s.now.Load()
	}))
	return once.(func() *edition)()
}

// serving serves the site of a folder; its program arrives late by delay. It returns the address of the base path.
func serving(t testing.TB, content string, delay time.Duration) string {
	t.Helper()
	s := &Server{}
	s.now.Store(ready(t, content))
	late := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			time.Sleep(delay)
		}
		s.ServeHTTP(w, r)
	})
	server := httptest.NewServer(late)
	t.Cleanup(server.Close)
	return server.URL + base
}

var theBrowser = sync.OnceValues(func() (*browser.Browser, error) {
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

var started atomic.Bool

// spare are tabs that no test uses at present.
var spare = make(chan *browser.Tab, 16)

// tab lends a tab, as good as a new one, for as long as the test lasts. One whose test has failed isn't lent again.
func tab(t testing.TB, o browser.Options) *page {
	t.Helper()
	var x *browser.Tab
	select {
	case x = <-spare:
		if err := x.Become(o); err != nil {
			t.Fatal(err)
		}
	default:
		x = opened(t, o)
	}
	t.Cleanup(func() {
		if t.Failed() || x.Clear() != nil || !keep(x) {
			x.Close()
		}
	})
	return &page{t, x}
}

// keep puts a tab with those that no test uses, unless there are enough.
func keep(x *browser.Tab) bool {
	select {
	case spare <- x:
		return true
	default:
		return false
	}
}

// newTab opens a tab that nobody has used before, for a test of workers or of scripts that come before the page's; it
// is closed with the test.
func newTab(t testing.TB, o browser.Options) *page {
	t.Helper()
	x := opened(t, o)
	t.Cleanup(x.Close)
	return &page{t, x}
}

func opened(t testing.TB, o browser.Options) *browser.Tab {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	started.Store(true)
	b, err := theBrowser()
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.Tab(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// page is a tab whose failures end the test.
type page struct {
	t testing.TB
	*browser.Tab
}

// open opens an address and waits until it has loaded; a busy browser may still tell of the empty page before it.
func (p *page) open(url string) *page {
	p.t.Helper()
	p.check(p.Go(url))
	p.check(p.Wait(startTimeout, `document.readyState === "complete" && location.href !== "about:blank"`))
	return p
}

func (p *page) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// wake starts the calculators and waits until all are live.
func (p *page) wake() *page {
	p.t.Helper()
	p.run(`document.querySelector("section.sheet")?.dispatchEvent(new FocusEvent("focusin", {bubbles: true}))`)
	p.check(p.Wait(startTimeout,
		`[...document.querySelectorAll("section.sheet")].every(s => s.hasAttribute("data-live"))`))
	return p
}

// leave clicks a link to another page, which an expression finds, and waits until that page is there: a script that
// comes while the old one leaves goes down with it.
func (p *page) leave(link string) {
	p.t.Helper()
	p.run(`window.leaving = true; (` + link + `).click()`)
	p.check(p.Wait(startTimeout, `!window.leaving && document.readyState === "complete"`))
}

func (p *page) run(script string) {
	p.t.Helper()
	p.text("(() => {" + script + "; return '' })()")
}

func (p *page) text(script string) string    { p.t.Helper(); return value[string](p, script) }
func (p *page) number(script string) float64 { p.t.Helper(); return value[float64](p, script) }
func (p *page) is(script string) bool        { p.t.Helper(); return value[bool](p, "!!("+script+")") }

func value[T any](p *page, script string) T {
	p.t.Helper()
	v, err := browser.Eval[T](p.Tab, script)
	p.check(err)
	return v
}

// out is the value in base units that a sheet shows for a row.
func (p *page) out(sheet, name string) float64 {
	p.t.Helper()
	return p.number(fmt.Sprintf("+document.querySelector('#%s output[data-name=%q]').dataset.value", sheet, name))
}

// waitOut waits until a row has a value, to a relative 1e-9.
func (p *page) waitOut(sheet, name string, want float64) {
	p.t.Helper()
	p.check(p.Wait(5*time.Second, fmt.Sprintf(
		"Math.abs(document.querySelector('#%s output[data-name=%q]').dataset.value / %v - 1) < 1e-9", sheet, name,
		want)))
}

// retype puts the focus into an input, selects what is there and types.
func (p *page) retype(sheet, name, keys string) {
	p.t.Helper()
	p.run(fmt.Sprintf("const i = document.querySelector('#%s [name=%q]'); i.focus(); i.select()", sheet, name))
	p.check(p.Keys(keys))
}

// paths are the addresses of all pages below the base path, chapters and embed pages.
func paths(files Files) []string {
	var out []string
	for _, name := range files.Names() {
		if path, ok := strings.CutSuffix(name, "index.html"); ok {
			out = append(out, path)
		}
	}
	return out
}

// nothingWrong checks what must hold on every page at any time.
func (p *page) nothingWrong(origin string) {
	p.t.Helper()
	violations, err := p.Violations()
	p.check(err)
	for _, v := range violations {
		p.t.Errorf("refused by the security policy: %s", v)
	}
	for _, url := range p.Foreign(origin) {
		p.t.Errorf("a request left the site: %s", url)
	}
	for _, e := range p.Errors() {
		p.t.Errorf("uncaught: %s", e)
	}
}

// One calculator that breaks says so in its place, and the others go on.
func TestPanicStaysInItsPlace(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.run(`const i = document.querySelector("#alpha [name=D]");
		Object.defineProperty(i, "value", {get() { throw new Error("broken on purpose") }});
		i.dispatchEvent(new Event("input", {bubbles: true}))`)
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha [role=alert]")?.innerText`))
	p.retype("beta", "x", "4")
	p.waitOut("beta", "y", 17)
	p.retype("gamma", "rate", "1638 GB/s")
	p.waitOut("gamma", "wait", 16*float64(1<<30)/1638e9)
	if got := p.text(`document.documentElement.dataset.program`); got != "running" {
		t.Errorf("the program is %s", got)
	}
}

// withoutProgram is the test's book with no program to fetch.
func withoutProgram(t *testing.T) Files {
	t.Helper()
	files := maps.Clone(render(t, testBook))
	maps.DeleteFunc(files, func(name string, _ []byte) bool { return strings.HasSuffix(name, ".wasm") })
	return files
}

// If the program can't be had, the page says so politely and shows all that it has.
func TestProgramMissing(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(servingFiles(t, withoutProgram(t)) + "one/")
	if !p.is(`document.documentElement.classList.contains("js")`) {
		t.Error("no class js at the beginning")
	}
	p.run(`document.querySelector("#beta [name=x]").focus()`)
	p.check(p.Wait(startTimeout, `document.documentElement.dataset.program === "failed"`))
	if p.is(`document.documentElement.classList.contains("js")`) {
		t.Error("the class js is still there")
	}
	if !p.is(
		`document.getElementById("notice").checkVisibility() && document.getElementById("notice").innerText.length > 20`,
	) {
		t.Error("nothing is said about it")
	}
	p.visible("beta", "y")
}

// Between an edit and the program's arrival the results are marked as not belonging to the inputs, in the sheet and in
// the prose, and the page says why. Once they belong together again the marks are gone.
func TestResultsOfOtherInputsAreMarked(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 4*time.Second) + "one/")
	marks := func() string {
		return p.text(`[...document.querySelectorAll("[data-awaiting]")].map(e => e.id || e.dataset.name).join()`)
	}
	p.retype("alpha", "B", "512")
	if got := marks(); got != "alpha,B,chip,T" {
		t.Errorf("marked: %q", got)
	}
	if p.is(`document.querySelector("[data-live]")`) {
		t.Fatal("alive before the program could have arrived")
	}
	if p.is(`getComputedStyle(document.querySelector("#beta output")).textDecorationLine !== "none"`) ||
		!p.is(`getComputedStyle(document.querySelector("#alpha output")).textDecorationLine === "underline"`) {
		t.Error("the marks can't be told from what belongs together")
	}
	p.check(p.Wait(3*time.Second, `document.getElementById("notice").checkVisibility()`))
	const dashed = `getComputedStyle(document.querySelector("#beta")).borderBlockStartStyle === "dashed"`
	p.check(p.Wait(time.Second, dashed))
	p.check(p.Wait(startTimeout, `document.querySelectorAll("section.sheet[data-live]").length === 3`))
	if p.is(dashed) || p.is(`document.documentElement.classList.contains("waiting")`) {
		t.Error("the program is there, and the page still waits for it")
	}
	p.waitOut("alpha", "ops", 2*512*4096.0*4096)
	p.check(p.Wait(time.Second, `document.querySelectorAll("[data-awaiting]").length === 0
		&& document.getElementById("notice").hidden`))
}

// If the program can't be had, what was edited is as it was printed again, so that inputs and results belong together;
// what the reader wrote stands beside it. So it does with what they write later.
func TestEditsGoBackWithoutProgram(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(servingFiles(t, withoutProgram(t)) + "one/")
	for _, typed := range []string{"7 TFLOP", "512"} {
		p.run(`const i = document.querySelector("#alpha [name=B]"); i.focus(); i.value = ` + quoted(typed) + `;
			i.dispatchEvent(new Event("input", {bubbles: true}))`)
		p.check(p.Wait(startTimeout, `document.documentElement.dataset.program === "failed"`))
		if got := p.text(`document.querySelector("#alpha [name=B]").value`); got != "256" {
			t.Errorf("the field has %q beside the results of 256", got)
		}
		note := `document.getElementById("alpha--B--note")`
		if !p.is(note+`.checkVisibility()`) || !strings.Contains(p.text(note+`.innerText`), "“"+typed+"”") {
			t.Errorf("what the reader wrote is lost: %q", p.text(note+`.innerText`))
		}
	}
	if p.is(`document.querySelector("[data-awaiting]")`) {
		t.Error("something is still marked")
	}
	p.run(`const m = document.querySelector("#alpha [name=chip]"); m.focus()`)
	if got := p.text(`document.querySelector("#alpha [name=chip]").value`); got != "tpu.v5e" {
		t.Errorf("the menu has %q", got)
	}
}

// visible checks that a reader sees a result.
func (p *page) visible(sheet, name string) {
	p.t.Helper()
	if !p.is(
		fmt.Sprintf(
			`(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
				&& e.innerText.trim())(document.querySelector('#%s output[data-name=%q]'))`,
			sheet,
			name,
		),
	) {
		p.t.Errorf("%s.%s can't be seen", sheet, name)
	}
}

// A page without sheets doesn't fetch the program, and a sheet far away doesn't either.
func TestProgramIsFetchedOnlyWhenWanted(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "plain/")
	time.Sleep(300 * time.Millisecond)
	for _, url := range p.Requests() {
		if strings.HasSuffix(url, ".wasm") {
			t.Errorf("fetched for a page without sheets: %s", url)
		}
	}
	if !p.is(`document.querySelector(".code-box button")`) {
		t.Error("the block of code has no button to copy it")
	}
}
