package browser

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// record is what happened in a tab.
type record struct {
	mu       sync.Mutex
	requests []string // addresses
	errors   []string // uncaught in scripts, and in programs of Go
}

// watcher runs in every page before its own scripts and notes what only the page can see.
const watcher = `
window.__seen = {violations: [], shift: 0, shifted: []};
addEventListener("securitypolicyviolation", e => __seen.violations.push(e.violatedDirective + " " + e.blockedURI
	+ " " + e.sourceFile + ":" + e.lineNumber));
try {
  new PerformanceObserver(list => { for (const e of list.getEntries()) {
    __seen.shift += e.value;
    for (const s of e.sources || []) __seen.shifted.push((s.node && (s.node.id || s.node.className || s.node.nodeName)
    	|| "?") + " " + JSON.stringify(s.previousRect) + " -> " + JSON.stringify(s.currentRect));
  } }).observe({type: "layout-shift", buffered: true});
} catch (e) {}
`

// prepare applies the options to a new tab and begins to listen.
func (t *Tab) prepare(o Options) error {
	if err := chromedp.Listen(t.ctx, t.log.note); err != nil {
		return err
	}
	if _, err := call(t, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	if _, err := call(t, css.Disable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := call(t, dom.Disable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := call(t, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: watcher}); err != nil {
		return err
	}
	if _, err := call(t, emulation.SetFocusEmulationEnabled, // as if its window were in front, also beside other tabs
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return err
	}
	return t.Become(o)
}

// Become applies all options in place of those before.
func (t *Tab) Become(o Options) error {
	if err := t.See(o); err != nil {
		return err
	}
	if _, err := call(t, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: o.NoScripts}); err != nil {
		return err
	}
	return t.Slow(max(o.Slower, 1))
}

// See changes the window's size, the kind of device and the scheme to those of the options, also of a page that is
// open.
func (t *Tab) See(o Options) error {
	if o.Width == 0 {
		o.Width, o.Height = 1280, 900
	}
	view := []chromedp.EmulateViewportOption{}
	if o.Touch {
		view = append(view, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	if err := chromedp.Do(t.ctx, chromedp.EmulateViewport(o.Width, o.Height, view...)); err != nil {
		return err
	}
	scheme := "light"
	if o.Dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}
	_, err := call(t, emulation.SetEmulatedMedia, media)
	return err
}

// Slow makes the processor slower by a factor; 1 is as it is.
func (t *Tab) Slow(factor float64) error {
	_, err := call(t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: factor})
	return err
}

// Paper makes the page look as it is printed.
func (t *Tab) Paper() error {
	_, err := call(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	return err
}

// note takes in one event of the browser.
func (r *record) note(event any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		r.requests = append(r.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		r.errors = append(r.errors, text)
	case *runtime.EventConsoleAPICalled: // where Go says why a program ends
		for _, a := range e.Args {
			if text := string(a.Value); strings.HasPrefix(text, `"fatal error: `) ||
				strings.HasPrefix(text, `"panic: `) {
				r.errors = append(r.errors, text)
			}
		}
	}
}

// Foreign are the requests so far that went anywhere but to addresses with this beginning.
func (t *Tab) Foreign(origin string) []string {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	var out []string
	for _, url := range t.log.requests {
		if !strings.HasPrefix(url, origin) && !strings.HasPrefix(url, "data:") && url != "about:blank" {
			out = append(out, url)
		}
	}
	return out
}

// Requests are the addresses asked for so far.
func (t *Tab) Requests() []string {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	return slices.Clone(t.log.requests)
}

// Errors are the exceptions that no script has caught so far, and why programs of Go have ended.
func (t *Tab) Errors() []string {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	return slices.Clone(t.log.errors)
}

// Violations are what the page's security policy has refused so far.
func (t *Tab) Violations() ([]string, error) { return Eval[[]string](t, "__seen.violations") }

// Shift is the layout shift of the page so far, all of it, with what moved.
func (t *Tab) Shift() (float64, []string, error) {
	// Entries are reported after a frame has been painted.
	score, err := Eval[float64](
		t,
		"new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(__seen.shift), "+
			"50))))",
	)
	if err != nil {
		return 0, nil, err
	}
	moved, err := Eval[[]string](t, "__seen.shifted")
	return score, moved, err
}

// Install is what keeps the page from being installed as an app: faults of its manifest, or of what belongs to it.
func (t *Tab) Install() ([]string, error) {
	var out []string
	manifest, err := call(t, page.GetAppManifest, page.GetAppManifestParams{})
	if err != nil {
		return nil, err
	}
	if manifest.URL == "" {
		out = append(out, "no manifest")
	}
	for _, e := range manifest.Errors {
		out = append(out, e.Message)
	}
	faults, err := call(t, page.GetInstallabilityErrors, cdp.Empty{})
	for _, e := range faults.InstallabilityErrors {
		if e.ErrorID != "in-incognito" { // the tab is one that forgets; not the page's fault
			out = append(out, e.ErrorID)
		}
	}
	return out, err
}

// TakeLayoutShift forgets the layout shift so far, which it returns: what comes after it is measured alone. (While a
// long page is being parsed the browser may paint a <details> before it has its <summary>; that is nothing that the
// page does.)
func (t *Tab) TakeLayoutShift() (float64, error) {
	score, _, err := t.Shift()
	if err != nil {
		return 0, err
	}
	_, err = Eval[float64](t, "__seen.shifted = [], __seen.shift = 0")
	return score, err
}

// Clear makes the tab as good as new, but for Become, in a fraction of the time that a new window takes: it is empty,
// and nothing is left of the pages it had, neither of what they have stored nor in the record. Scripts that Before has
// added stay.
func (t *Tab) Clear() error {
	visited := t.origins()
	if err := t.Go("about:blank"); err != nil {
		return err
	}
	for _, origin := range visited {
		if _, err := call(t, storage.ClearDataForOrigin,
			storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"}); err != nil {
			return err
		}
	}
	for _, forget := range []cdp.Command[cdp.Empty, cdp.Empty]{
		network.ClearBrowserCache, network.ClearBrowserCookies, page.ResetNavigationHistory,
	} {
		if _, err := call(t, forget, cdp.Empty{}); err != nil {
			return err
		}
	}
	t.log.clear()
	return nil
}

// origins are those that anything was asked of.
func (t *Tab) origins() []string {
	var out []string
	known := map[string]bool{}
	for _, address := range t.Requests() {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || known[u.Host] {
			continue
		}
		known[u.Host] = true
		out = append(out, u.Scheme+"://"+u.Host)
	}
	return out
}

func (r *record) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests, r.errors = nil, nil
}

// Quota lets an origin store so many bytes at most.
func (t *Tab) Quota(origin string, bytes float64) error {
	_, err := call(t, storage.OverrideQuotaForOrigin,
		storage.OverrideQuotaForOriginParams{Origin: origin, QuotaSize: &bytes})
	return err
}
