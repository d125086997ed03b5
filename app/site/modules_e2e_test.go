package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// inModules skips a test where the program comes in one piece, since the release of Go that compiled it isn't known.
func inModules(t *testing.T) {
	t.Helper()
	if p, err := theProgram(); err == nil && len(p.Later) == 0 {
		t.Skip("the program comes in one piece")
	}
}

// late serves the real book; its first later module arrives once it is let go.
func late(t *testing.T) (url string, letGo func()) {
	t.Helper()
	inModules(t)
	s := &Server{}
	s.now.Store(ready(t, realBook))
	gate := make(chan bool)
	letGo = sync.OnceFunc(func() { close(gate) })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/module1.") {
			<-gate
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(letGo)
	return server.URL + base, letGo
}

// exportsScript keeps the exports of the page's program.
const exportsScript = `(() => {
	const original = WebAssembly.instantiate;
	WebAssembly.instantiate = async (...args) => {
		const made = await original(...args);
		window.__program ??= made.exports;
		return made;
	};
})()`

// noting is a tab that keeps the exports of its pages' programs.
func noting(t testing.TB, o browser.Options) *page {
	t.Helper()
	p := newTab(t, o)
	p.check(p.Before(exportsScript))
	return p
}

// missed is the name of the function that the page's program waits for, if it waits for one.
func (p *page) missed() string {
	p.t.Helper()
	slot, err := browser.Eval[int](p.Tab, `window.__program?.missing?.value ? __program.noted.value : -1`)
	p.check(err)
	program, err := theProgram()
	p.check(err)
	return program.Function(slot)
}

// wakesFirst asks for the first calculator of a page and waits for it, without the first later module.
func (p *page) wakesFirst() *page {
	p.t.Helper()
	p.run(`document.querySelector("section.sheet").dispatchEvent(new FocusEvent("focusin", {bubbles: true}))`)
	const awake = `document.querySelector("section.sheet[data-live]")`
	if err := p.Wait(startTimeout/5, awake+` || window.__program?.missing?.value`); err != nil {
		p.t.Fatal(err)
	}
	if name := p.missed(); !p.is(awake) {
		p.t.Fatalf("%s, which the first calculator needs, is in the first later module; what ran has to be "+
			"noted anew: "+
			"go run ./app/site/measure split", name)
	}
	return p
}

// The first calculator of a page needs the primary module alone.
func TestFirstCalculatorNeedsOneModule(t *testing.T) {
	t.Parallel()
	url, _ := late(t)
	for _, path := range []string{"", "rooflines/", "training/", "inference-problems/"} {
		p := noting(t, browser.Options{}).open(url + path).wakesFirst()
		if p.is(`performance.getEntriesByType("resource").some(e => e.name.includes("/module1.") && e.responseEnd > 0)`) {
			t.Errorf("/%s: the first later module is there already", path)
		}
	}
}

// lastModules are the last modules that pages fetch by themselves. All others do with the first later one, which has
// what chapters need, or with none.
var lastModules = map[string]int{
	"training-planner/": 2, "serving-planner/": 2, "startup-log/": 2, "sharding-lab/": 2, "chips/": 2, "mfu/": 2,
	"collectives/": 3, // where tables of nccl-tests are read
	"profiling/":   3, "profiling-problems/": 3, "measured/": 3, "model-card/": 3, "scratch/": 3,
	"your-file/": 3, // what it asks for is a file, of any kind
}

// fetchesNoMore checks that a page that has come to life fetched no modules but those that such pages need; each is
// fetched where one of its functions is called.
func (p *page) fetchesNoMore(path string) {
	p.t.Helper()
	const fetched = `performance.getEntriesByType("resource").map(e => +(/\/module(\d)/.exec(e.name)?.[1] ?? 0))
		.reduce((a, b) => Math.max(a, b), 0)`
	got, most := int(p.number(fetched)), max(1, lastModules[path])
	if program, err := theProgram(); got <= most || err == nil && len(program.Later) == 0 {
		return
	}
	again := noting(p.t, browser.Options{}).open(p.text(`location.href`))
	again.run(noteMissed)
	again.wake()
	p.t.Errorf("the last module that is fetched is %d, want %d at most; it was wanted for %v; what comes with which "+
		"has to be noted anew: go run ./app/site/measure split", got, most, again.allMissed())
}

// noteMissed keeps which functions the page's program waited for: it starts once the page is asked.
const noteMissed = `(() => {
	window.__missed = new Set();
	const look = () => {
		if (window.__program?.missing?.value) __missed.add(__program.noted.value);
		setTimeout(look);
	};
	look();
})()`

// allMissed are the names of these functions.
func (p *page) allMissed() (names []string) {
	p.t.Helper()
	slots, err := browser.Eval[[]int](p.Tab, `[...__missed]`)
	p.check(err)
	program, err := theProgram()
	p.check(err)
	for _, slot := range slots {
		names = append(names, program.Function(slot))
	}
	return names
}

// What a reader changes before the first later module is there is marked, and happens once it has arrived.
func TestEditWaitsForLaterModule(t *testing.T) {
	t.Parallel()
	url, letGo := late(t)
	p := noting(t, browser.Options{}).open(url + "rooflines/").wakesFirst()
	const sheet = `document.querySelector("section.sheet[data-live]")`
	const outputs = `[...` + sheet + `.querySelectorAll("output[data-value]")].map(o => o.dataset.value).join()`
	before := p.text(outputs)
	field := sheet + `.querySelector("input[name]:not([type=range], [type=checkbox])")`
	for _, typed := range []string{"7", "77"} { // the second one while the program is paused
		p.run(`const i = ` + field + `; i.focus(); i.value = ` + quoted(typed) + `;
			i.dispatchEvent(new Event("input", {bubbles: true}))`)
	}
	p.check(p.Wait(5*time.Second, sheet+`.hasAttribute("data-awaiting")`))
	if now := p.text(outputs); now != before {
		t.Fatalf("the edit needed no first later module: %s", now)
	}
	letGo()
	p.check(p.Wait(startTimeout, `!`+sheet+`.hasAttribute("data-awaiting")`))
	p.check(p.Wait(5*time.Second, outputs+` !== `+quoted(before)))
	if got := p.text(field + `.value`); got != "77" {
		t.Errorf("the field has %q", got)
	}
	p.check(p.Wait(startTimeout,
		`[...document.querySelectorAll("section.sheet")].every(s => s.hasAttribute("data-live"))`))
	if errs := p.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}

// A press of a button that is replaced before the program comes to it does nothing, and the calculator goes on: while
// the program waits for a module, a page may be written anew.
func TestPressOfReplacedButtonDoesNothing(t *testing.T) {
	t.Parallel()
	url, letGo := late(t)
	p := noting(t, browser.Options{}).open(url + "rooflines/").wakesFirst()
	const sheet = `document.querySelector("section.sheet")`
	const field = sheet + `.querySelector("input[name]:not([type=range], [type=checkbox])")`
	types := func(text string) {
		p.run(`const i = ` + field + `;
			i.focus(); i.value = ` + quoted(text) + `; i.dispatchEvent(new Event("input", {bubbles: true}))`)
	}
	types("7")
	p.check(p.Wait(5*time.Second, sheet+`.hasAttribute("data-awaiting")`))
	p.run(`for (const button of ` + sheet + `.querySelectorAll("button")) { // one of them opens every row
		button.click();
		button.replaceWith(button.cloneNode(true));
	}`)
	letGo()
	p.soon("all calculators live, and none stopped", field+` != null &&
		[...document.querySelectorAll("section.sheet")].every(s => s.matches("[data-live]:not([data-awaiting])"))`)
	types("77")
	p.soon("the first one answers", sheet+`.querySelector("output[data-name=ops]").textContent.includes("10.3")`)
	if p.is(sheet + `.querySelector("details.row[open]")`) {
		t.Error("a row was opened")
	}
	if errs := p.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}

// What a reader types while the program takes over what they had typed before, and waits for the first later module to
// understand it, isn't lost either: in a field of a calculator and in one of the text.
func TestTypedTextOutlastsTakingOver(t *testing.T) {
	t.Parallel()
	for _, field := range []string{peakField, `document.querySelector("section.sheet input[name]:not([type=range])")`} {
		url, letGo := late(t)
		p := tab(t, browser.Options{}).open(url + "rooflines/")
		types := func(text string) {
			p.run(`const f = ` + field + `; f.focus(); f.value = ` + quoted(text) + `;
				f.dispatchEvent(new Event("input", {bubbles: true}))`)
		}
		types("500 parrots")
		p.check(p.Wait(startTimeout, `document.documentElement.dataset.program === "running"`))
		time.Sleep(300 * time.Millisecond) // more than it takes to come to the text
		types("500 parrots more")
		letGo()
		p.check(p.Wait(startTimeout, `document.querySelector("section.sheet[data-live]")`))
		p.check(p.Wait(5*time.Second, field+`.getAttribute("aria-invalid") === "true"`))
		if got := p.text(field + `.value`); got != "500 parrots more" {
			t.Errorf("%s has %q", field, got)
		}
	}
}

// What a reader types while the program is paused over something else isn't lost, whatever that writes.
func TestTypedTextOutlastsThePause(t *testing.T) {
	t.Parallel()
	url, letGo := late(t)
	p := noting(t, browser.Options{}).open(url + "rooflines/").wakesFirst()
	const sheet = `document.querySelector("section.sheet[data-live]")`
	p.run(`for (const fold of ` + sheet + `.querySelectorAll("details")) fold.querySelector("summary").click()`)
	time.Sleep(200 * time.Millisecond)
	p.run(`const i = ` + sheet + `.querySelector("input[name]:not([type=range], [type=checkbox])");
		i.value = "12 parrots"; i.dispatchEvent(new Event("input", {bubbles: true}))`)
	letGo()
	p.check(p.Wait(startTimeout, sheet+`.querySelector("[aria-invalid=true]")?.value === "12 parrots"`))
}

// Where Go calls a script that calls Go there is no way back to the browser, so that it waits for the module at once.
func TestNestedCallTakesLaterModuleAtOnce(t *testing.T) {
	t.Parallel()
	inModules(t)
	p := newTab(t, browser.Options{})
	p.check(p.Before(`(() => {
		const real = fetch;
		window.fetch = (url, o) => String(url).includes("/module1.") ? new Promise(() => {}) : real(url, o);
		const set = Element.prototype.setAttribute;
		Element.prototype.setAttribute = function (name, value) {
			set.call(this, name, value);
			if (name !== "data-live" || window.nested) return;
			window.nested = true;
			const field = this.querySelector("input[name]:not([type=range], [type=checkbox])");
			field.value = "77";
			field.dispatchEvent(new Event("input", {bubbles: true}));
		};
	})()`))
	p.open(serving(t, realBook, 0) + "rooflines/").wakesFirst()
	p.check(p.Wait(startTimeout,
		`[...document.querySelectorAll("section.sheet")].every(s => s.hasAttribute("data-live"))`))
	if !p.is(`window.nested`) {
		t.Error("nothing called Go while Go called a script")
	}
	if errs := p.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
}

// Without the first later module the page says that its calculators have stopped, and shows all that it has.
func TestLaterModuleMissing(t *testing.T) {
	t.Parallel()
	inModules(t)
	s := &Server{}
	s.now.Store(ready(t, realBook))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/module1.") {
			http.NotFound(w, r)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := noting(t, browser.Options{}).open(server.URL + base + "rooflines/").wakesFirst()
	p.check(p.Wait(startTimeout, `document.documentElement.dataset.program === "failed"`))
	if !p.is(`document.getElementById("notice").checkVisibility()`) {
		t.Error("nothing is said about it")
	}
}

// fakeGo stands in for Go's own script and for a program that pauses once: after it took the event a, or before.
const fakeGo = `
	window.job = { exec: "https://example.org/wasm_exec.js" };
	window.heard = [];
	window.fetch = () => new Promise((arrive) => { window.letGo = () => arrive(new Response("")); });
	WebAssembly.compileStreaming = async (response) => { await response; return {}; };
	WebAssembly.instantiate = async () => ({});
	window.Go = class {
		_pendingEvent = null;
		_scheduledTimeouts = new Map();
		async run(instance) { this.exports = instance.exports; this.exports.run(); await new Promise(() => {}); }
		_resume() { this.exports.resume(); }
		sends(id) { this._pendingEvent = { id, args: [] }; this._resume(); }
		expires(id) { // as scheduleTimeoutEvent does it
			this._resume();
			for (let tries = 0; this._scheduledTimeouts.has(id) && tries < 9; tries++) {
				heard.push("tried again");
				this._resume();
			}
		}
	};
	window.fake = (go, taken) => {
		const missing = { value: 0 };
		let pauses = 1;
		const take = () => {
			const event = go._pendingEvent;
			go._pendingEvent = null;
			if (event) heard.push(event.id);
			else if (go._scheduledTimeouts.delete("timeout")) heard.push("timeout");
		};
		const hear = () => {
			if (!taken && pauses) { missing.value = pauses--; return; }
			take();
			if (pauses) missing.value = pauses--;
		};
		return { missing, run() {}, resume: hear, again() { if (!taken) hear(); } };
	};`

// pausing is a page where a script runs beside the fake program and what lets the true one pause.
func pausing(t *testing.T, script string) *page {
	t.Helper()
	modules, err := os.ReadFile("../../web/modules.js")
	if err != nil {
		t.Fatal(err)
	}
	p := tab(t, browser.Options{})
	p.run(fakeGo + string(modules) + script)
	return p
}

// What happens to a paused program reaches it once and in order, whether it had taken the event over which it paused or
// not. A program like it that Firefox runs was given an event twice.
func TestPausedProgramHearsOnce(t *testing.T) {
	t.Parallel()
	for name, taken := range map[string]string{"taken before": "true", "taken after": "false"} {
		t.Run(name, func(t *testing.T) {
			p := pausing(t, `
				window.go = new Go();
				go.run({ exports: fake(go, `+taken+`) });
				go._scheduledTimeouts.set("timeout", 1);
				go.sends("a");
				go.sends("b");
				go.expires("timeout");
				go.sends("c")`)
			if got, want := p.text(`heard.join()`), map[string]string{"true": "a", "false": ""}[taken]; got != want {
				t.Errorf("while it is paused the program heard of %q, want %q", got, want)
			}
			p.check(p.Wait(startTimeout, `window.letGo`))
			p.run(`letGo()`)
			p.check(p.Wait(5*time.Second, `heard.includes("c")`))
			if got := p.text(`heard.join()`); strings.TrimSpace(got) != "a,b,timeout,c" {
				t.Errorf("the program heard of %s", got)
			}
		})
	}
}

// While go-app starts, the page's storage is hidden from it. No other script may see that, so that the program doesn't
// pause then but waits for its module.
func TestHiddenStorageStaysUnseen(t *testing.T) {
	t.Parallel()
	p := pausing(t, `
		window.XMLHttpRequest = class { open() {} overrideMimeType() {} send() { this.responseText = ""; } };
		WebAssembly.Module = WebAssembly.Instance = class {};
		Object.defineProperty(self, "localStorage", { value: { length: 0, hidden: true }, configurable: true });
		window.go = new Go();
		go.run({ exports: fake(go, false) });
		go.sends("a")`)
	if got := p.text(`heard.join()`); got != "a" {
		t.Errorf("with the storage hidden, the program had heard of %q when it gave way to others", got)
	}
}
