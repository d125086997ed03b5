package site

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/site/webdriver"
	"github.com/scalebook/scalebook/app/widget"
)

var (
	otherBrowsers = flag.Bool("browsers", false, "open every page in WebKit and Firefox too; see `make browsers`")
	onlyBrowser   = flag.String("browser", "", "open them in this one only: WebKit or Firefox")
	lang          = flag.String("lang", "en", "the language of the pages that are opened and weighed")
)

// inLanguage is the book in the language of the flag, below base; its pages stand below at.
func inLanguage(t *testing.T) (files Files, at string) {
	t.Helper()
	if *lang == sourceCode {
		return render(t, realBook), ""
	}
	files, _, err := RenderIn(options(t, realBook), []string{*lang})
	if err != nil {
		t.Fatal(err)
	}
	return files, *lang + "/"
}

// listener is what each page runs first: it keeps what a browser would say in its console.
const listener = `window.__said = [];
for (const level of ["warn", "error"]) {
  const own = console[level];
  console[level] = (...what) => { __said.push(level + ": " + what.join(" ")); own.apply(console, what) };
}
addEventListener("error", (e) =>
	__said.push("uncaught: " + (e.message || (e.target && (e.target.src || e.target.href)))), true);
addEventListener("unhandledrejection", (e) => __said.push("rejected: " + e.reason));
addEventListener("securitypolicyviolation", (e) => __said.push("refused: " + e.violatedDirective + " " + e.blockedURI));
`

// listening is a site whose pages run the listener.
func listening(files Files) Files {
	out := maps.Clone(files)
	out["listener.js"] = []byte(listener)
	for name, data := range files {
		if strings.HasSuffix(name, ".html") {
			out[name] = bytes.Replace(data, []byte("<head>"),
				[]byte(`<head><script src="`+base+`listener.js"></script>`), 1)
		}
	}
	return out
}

// Every page loads in WebKit and in Firefox, comes to life with the numbers that were printed, takes what is typed and
// computes from it what the build would, fits a phone, and says nothing in the console.
func TestOtherBrowsers(t *testing.T) {
	if !*otherBrowsers {
		t.Skip("opens every page in WebKit and Firefox: make browsers")
	}
	files, at := inLanguage(t)
	home := servingFiles(t, listening(files)) + at
	sheets := sheetsOf(t)
	var pages []string
	for _, path := range paths(files) {
		if path, ok := strings.CutPrefix(path, at); ok {
			pages = append(pages, path)
		}
	}
	pages = append(some(pages), "404.html")
	for name, start := range map[string]func(context.Context) (*webdriver.Session, error){
		"WebKit": webdriver.WebKit, "Firefox": webdriver.Firefox,
	} {
		if *onlyBrowser != "" && name != *onlyBrowser {
			continue
		}
		t.Run(name, func(t *testing.T) {
			v := &visitor{ctx: t.Context(), start: start, home: home, sheets: sheets}
			defer v.end()
			t.Run("arrives", v.arrives)
			for _, path := range pages {
				t.Run("/"+path, func(t *testing.T) { v.visit(t, path) })
			}
		})
	}
}

// sheetsOf are the sheets of the book by their ids.
func sheetsOf(t *testing.T) map[string]*sheet.Sheet {
	t.Helper()
	env, out := widget.Env(), map[string]*sheet.Sheet{}
	names, err := os.ReadDir(realBook)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(realBook + "/" + name.Name())
		if err != nil || !strings.HasSuffix(name.Name(), ".md") {
			continue
		}
		for _, source := range book.Sheets(name.Name(), data) {
			if s, errs := sheet.Compile(source.Text, env); len(errs) == 0 {
				out[source.ID] = s
			}
		}
	}
	return out
}

// visitor visits pages in one window after the other: one whose browser has crashed is replaced.
type visitor struct {
	ctx    context.Context // of all visits
	start  func(context.Context) (*webdriver.Session, error)
	home   string
	sheets map[string]*sheet.Sheet
	now    *webdriver.Session
}

func (v *visitor) end() {
	if v.now != nil {
		v.now.Close()
	}
	v.now = nil
}

// ready opens a window if there is none.
func (v *visitor) ready(t *testing.T) {
	t.Helper()
	if v.now == nil {
		s, err := v.start(v.ctx)
		if err != nil {
			t.Fatal(err)
		}
		v.now = s
		t.Log(s.Browser)
	}
}

// restless changes the address of its page again and again, as a calculator does while it is used.
const restless = `(setInterval(() => history.replaceState(null, "", "?x=" + Date.now()), 20), 0)`

// arrives holds that a page is there once it has been opened, even if the one before it changes its own address while
// it waits for the network.
func (v *visitor) arrives(t *testing.T) {
	v.ready(t)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		fmt.Fprintf(w, "<!doctype html><title>%s</title>", r.URL.Path)
	}))
	defer slow.Close()
	for _, path := range []string{"/one", "/two", "/three"} {
		if err := v.now.Open(slow.URL + path); err != nil {
			t.Fatal(err)
		}
		title := ""
		if err := v.now.Eval(`(`+restless+`, document.title)`, &title); err != nil || title != path {
			t.Errorf("opened %s and stand at %s: %v", path, title, err)
		}
	}
}

// visit looks at one page.
func (v *visitor) visit(t *testing.T, path string) {
	t.Helper()
	v.ready(t)
	if err := v.look(t, path); err != nil {
		t.Error(err)
		v.end()
	}
}

// woken wakes a page and gives what differs between the numbers that live and those that the server sent.
const woken = `document.querySelector("section.sheet")?.dispatchEvent(new FocusEvent("focusin", {bubbles: true}))`

const allAwake = `[...document.querySelectorAll("section.sheet")].every(s => s.hasAttribute("data-live"))`

const fetchPrinted = `void fetch(location.href).then(r => r.text()).then(text => {
	window.__printed = new DOMParser().parseFromString(text, "text/html") })`

// asleep is how far a page has come that doesn't wake.
const asleep = `[document.readyState, "printed " + !!window.__printed, "program " +
	(document.documentElement.dataset.program ?? "unasked"), document.querySelectorAll("section.sheet[data-live]").length +
	" of " + document.querySelectorAll("section.sheet").length + " live", "said " + JSON.stringify(window.__said),
	performance.getEntriesByType("resource").map(e => e.name.split("/").at(-1) + " " + Math.round(e.responseEnd)).join()]`

const otherNumbers = `(numbers => { const [printed, live] = [__printed, document].map(numbers);
	return live.filter((x, i) => x !== printed[i]).concat(live.length === printed.length ? [] : ["not as many numbers"])
		.slice(0, 5)
})(page => [...page.querySelectorAll("output[data-name], data.live")].map(e =>
	(e.closest("section.sheet")?.id ?? e.dataset.sheet) + "." + e.dataset.name + " = "
		+ (e.dataset.value ?? e.getAttribute("value") ?? "")))`

func (v *visitor) look(t *testing.T, path string) error {
	t.Helper()
	if err := v.now.Resize(1280, 900); err != nil {
		return err
	}
	if err := v.now.Open(v.home + path); err != nil {
		return err
	}
	for _, step := range []string{woken, fetchPrinted} {
		if err := v.now.Eval("("+step+", 0)", nil); err != nil {
			return err
		}
	}
	if err := v.now.Wait(3*time.Minute, allAwake+" && window.__printed"); err != nil {
		var state []string
		if v.now.Eval(asleep, &state) == nil {
			t.Log(strings.Join(state, "; "))
		}
		return err
	}
	if v.now.Wait(time.Minute, otherNumbers+".length === 0") != nil { // a planner may still be at work
		var wrong []string
		if err := v.now.Eval(otherNumbers, &wrong); err != nil {
			return err
		}
		for _, x := range wrong {
			t.Errorf("alive %s, printed otherwise", x)
		}
	}
	if err := v.types(t); err != nil {
		return err
	}
	return v.onPhone(t)
}

// firstNumber is the first number field of the page that a range belongs to: its sheet and its name.
const firstNumber = `(e => e ? [e.closest("section.sheet").dataset.sheet, e.name] : [])(
	[...document.querySelectorAll("section.sheet .input-ranged input.field[name]")]
		.find(e => e.checkVisibility?.() ?? true))`

// types types a number into a field and compares each result of its sheet with what the sheet computes here.
func (v *visitor) types(t *testing.T) error {
	t.Helper()
	var field []string
	if err := v.now.Eval(firstNumber, &field); err != nil || len(field) < 2 {
		return err
	}
	s := v.sheets[field[0]]
	if s == nil {
		return nil // of the scratch pad
	}
	view := widget.New(s)
	text, ok := another(view, field[1])
	if !ok {
		return nil
	}
	if err := v.now.Type(fmt.Sprintf(`[id=%q] [name=%q]`, field[0], field[1]), text); err != nil {
		return err
	}
	const unfold = `document.querySelectorAll('[id=%q] :is(.behind, .rest)').forEach(d => { d.open = true })`
	if err := v.now.Eval("("+fmt.Sprintf(unfold, field[0])+", 0)", nil); err != nil { // then hidden rows follow
		return err
	}
	want := map[string]string{}
	for i := range view.Result.Rows {
		x := view.Shown(view.Result.Rows[i].Def.Name)
		if *lang != sourceCode && len(strings.Fields(x.Data)) > 3 { // a sentence is put into the language in its sheet
			continue
		}
		want[x.Name] = x.Data
	}
	table, err := json.Marshal(want)
	if err != nil {
		return err
	}
	differ := `Object.entries(` + string(table) + `).filter(([name, value]) => {
		const e = document.querySelector('[id="` + field[0] + `"] output[data-name="' + name + '"]');
		return e && (e.dataset.value ?? "") !== value }).map(([name, value]) => name + " is not " + value)`
	if err := v.now.Wait(time.Minute, differ+`.length === 0`); err == nil {
		return nil
	}
	var wrong []string
	err = v.now.Eval(differ, &wrong)
	t.Errorf("%s.%s = %s: %s", field[0], field[1], text, strings.Join(wrong, "; "))
	return err
}

// another sets an input to a number that its author did not give it, and returns that number as it is typed.
func another(view *widget.View, name string) (string, bool) {
	in := view.Sheet.Input(name)
	if in == nil {
		return "", false
	}
	number, unit, _ := strings.Cut(strings.ReplaceAll(view.Text(in), ",", ""), " ")
	was, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return "", false
	}
	for _, x := range []float64{was + 1, was - 1, was * 1.5, was / 2} {
		text := strings.TrimSpace(strconv.FormatFloat(x, 'g', -1, 64) + " " + unit)
		if view.Set(name, text) == nil {
			return text, true
		}
	}
	return "", false
}

// onPhone makes the window as narrow as it goes, and then asks for all that the page has said since it was opened.
func (v *visitor) onPhone(t *testing.T) error {
	t.Helper()
	if err := v.now.Resize(430, 844); err != nil {
		return err
	}
	var wide bool
	if err := v.now.Eval(`document.documentElement.scrollWidth > innerWidth`, &wide); err != nil {
		return err
	}
	if wide {
		t.Error("scrolls sideways on a phone")
	}
	var said []string
	if err := v.now.Eval(`__said`, &said); err != nil {
		return err
	}
	for _, x := range said {
		t.Errorf("in the console: %s", x)
	}
	return nil
}
