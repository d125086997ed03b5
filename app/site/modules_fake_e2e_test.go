package site

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

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
			p.check(p.Wait(alive, `window.letGo`))
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
