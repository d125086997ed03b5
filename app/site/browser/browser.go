// Package browser drives a real browser for tests and measurements: it starts Chromium with a fresh profile, opens tabs
// that keep a record of what went wrong in them, and speaks to pages in JavaScript. Nothing that readers get imports
// it.
package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// names are what Chromium is called, in the order of preference, and where macOS keeps it.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
}

// shells are what Chromium is called where it has no windows of its own: the same engine, which starts faster and takes
// a quarter less of the processor.
var shells = []string{"chromium-headless-shell", "chrome-headless-shell"}

// ErrMissing is returned by Find where there is no browser.
var ErrMissing = errors.New(
	"no Chromium found; install it (apt-get install chromium), set CHROME to the path of Chromium or Chrome, or run " +
		"make test-nobrowser",
)

// Find returns the path of the browser: the environment's CHROME, or one of the known names in PATH, with windows of
// its own if there is one.
func Find() (string, error) { return find(slices.Concat(names, shells)) }

func find(names []string) (string, error) {
	if path := os.Getenv("CHROME"); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Browser is a running Chromium. Close it.
type Browser struct {
	ctx    context.Context
	cancel []context.CancelFunc
	dir    string
}

// furniture is what Chromium starts with every window and no page can see: two processes for what drops from its
// address bar, and one that waits for the next page. A test opens windows by the dozen; a reader's page comes into one
// that is there.
const furniture = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"

// Start starts the browser with a profile of its own that goes away with it.
func Start(ctx context.Context) (*Browser, error) {
	return start(ctx, slices.Concat(names, shells), `{}`)
}

// StartForTests starts one that shows whether a page does what it should, but not how long that takes: it doesn't look
// for fields to be filled in with addresses and cards, which is half of its own work on a page of many fields, it
// optimizes WebAssembly later than others, since a test seldom stays long enough, and the sites that a tab visits one
// after another share a process, as on a phone: it need not start one for each test, which is a fifth of what a short
// one takes. Where there is a Chromium without windows, it is that one.
func StartForTests(ctx context.Context) (*Browser, error) {
	return start(ctx, slices.Concat(shells, names),
		`{"autofill": {"profile_enabled": false, "credit_card_enabled": false}}`,
		chromedp.Flag("js-flags", "--wasm-tiering-budget=100000000"),
		chromedp.Flag("disable-site-isolation-trials", true))
}

func start(ctx context.Context, names []string, preferences string, more ...chromedp.ExecAllocatorOption) (
	*Browser, error,
) {
	path, err := find(names)
	if err != nil {
		return nil, err
	}
	b := &Browser{}
	if b.dir, err = profile(preferences); err != nil {
		return nil, err
	}
	options := append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(b.dir),
		chromedp.Flag("headless", "new"),
		chromedp.Flag("no-sandbox", true),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-features", "Translate,"+furniture),
		chromedp.Flag("mute-audio", true),
	)
	alloc, stop := chromedp.NewExecAllocator(ctx, append(options, more...)...)
	main, quit := chromedp.NewContext(alloc)
	b.ctx, b.cancel = main, []context.CancelFunc{quit, stop}
	if err := chromedp.Do(main); err != nil {
		b.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// profile makes the folder of a new profile with these preferences.
func profile(preferences string) (string, error) {
	dir, err := os.MkdirTemp("", "scalebook-browser-")
	if err != nil {
		return "", err
	}
	first := filepath.Join(dir, "Default")
	if err = os.Mkdir(first, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(first, "Preferences"), []byte(preferences), 0o600)
	}
	if err != nil {
		os.RemoveAll(dir)
	}
	return dir, err
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() {
	for _, cancel := range b.cancel {
		cancel()
	}
	for range 20 { // its processes may still write for a moment
		if os.RemoveAll(b.dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Options say how a tab sees the page.
type Options struct {
	Width, Height int64   // 1280 by 900 if 0
	Touch         bool    // a phone
	Dark          bool    // the reader prefers dark
	NoScripts     bool    // scripts are off
	Slower        float64 // the processor is slower by this factor; 0 and 1 leave it
}

// Tab is a page in a window of its own, without storage or cache shared with others. It belongs to one goroutine. Close
// it.
type Tab struct {
	ctx    context.Context
	cancel context.CancelFunc
	log    *record
}

// Tab opens an empty tab.
func (b *Browser) Tab(o Options) (*Tab, error) {
	return open(b.ctx, o, chromedp.WithNewBrowserContext())
}

// Beside opens another empty tab, which shares storage and cache with t, and closes no later than t.
func (t *Tab) Beside(o Options) (*Tab, error) { return open(t.ctx, o) }

func open(parent context.Context, o Options, how ...chromedp.ContextOption) (*Tab, error) {
	ctx, cancel := chromedp.NewContext(parent, how...)
	t := &Tab{ctx: ctx, cancel: cancel, log: &record{}}
	err := chromedp.Do(ctx)
	if err == nil {
		err = t.prepare(o)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return t, nil
}

// Close closes the tab.
func (t *Tab) Close() { t.cancel() }

// Before runs a script in every page that is opened from now on, before the page's own.
func (t *Tab) Before(script string) error {
	_, err := call(t, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	return err
}

// Go opens an address and waits until it has loaded.
func (t *Tab) Go(url string) error { return chromedp.Do(t.ctx, chromedp.Navigate(url)) }

// Keys types into whatever has the focus; see package kb for keys without a letter.
func (t *Tab) Keys(keys string) error { return chromedp.Do(t.ctx, chromedp.KeyEvent(keys, asKeyboard)) }

// Repeat is what a keyboard sends while a key is held down.
func (t *Tab) Repeat(key string) error {
	again := true
	repeated := func(p *input.DispatchKeyEventParams) { p.AutoRepeat = &again }
	return chromedp.Do(t.ctx, chromedp.KeyEvent(key, asKeyboard, repeated))
}

// asKeyboard presses a key as a keyboard does: where a page prevents what the key does, no letter follows. Otherwise
// one would, to what has the focus by then.
func asKeyboard(p *input.DispatchKeyEventParams) {
	if p.Type == input.DispatchKeyEventTypeKeyDown {
		p.Type = input.DispatchKeyEventTypeRawKeyDown
	}
}

// Shot is a picture of what is seen.
func (t *Tab) Shot() ([]byte, error) {
	r, err := call(t, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	return r.Data, err
}

// Eval evaluates JavaScript in the page, waiting for a promise, and returns what it gives.
func Eval[T any](t *Tab, script string) (T, error) {
	v, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		return v, fmt.Errorf("%s: %w", shorten(script), err)
	}
	return v, nil
}

// patience is by how much longer than asked Wait waits before it gives up: what takes a moment on an idle machine takes
// several on one that runs other tests as well.
const patience = 5

// Wait waits until an expression is true, looking often.
func (t *Tab) Wait(within time.Duration, expression string) error {
	within *= patience
	end := time.Now().Add(within)
	for {
		ok, err := Eval[bool](t, "!!("+expression+")")
		if ok && err == nil {
			return nil
		}
		if time.Now().After(end) {
			return errors.Join(fmt.Errorf("not true within %v: %s", within, shorten(expression)), err)
		}
		time.Sleep(15 * time.Millisecond)
	}
}

func shorten(script string) string {
	if len(script) > 120 {
		return script[:117] + "..."
	}
	return script
}

// call speaks the browser's protocol.
func call[P, R any](t *Tab, c cdp.Command[P, R], params P) (R, error) {
	return cdp.Call(t.ctx, chromedp.FromContext(t.ctx).Target, c, params)
}

// Prefer tells the page what the reader's system prefers, in place of all that it was set to before: media features and
// their values, such as "prefers-color-scheme": "dark" and "forced-colors": "active".
func (t *Tab) Prefer(features map[string]string) error {
	var media emulation.SetEmulatedMediaParams
	for _, name := range slices.Sorted(maps.Keys(features)) {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: name, Value: features[name]})
	}
	_, err := call(t, emulation.SetEmulatedMedia, media)
	return err
}

// Shifted types with the Shift key held down.
func (t *Tab) Shifted(keys string) error {
	return chromedp.Do(t.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// Insert puts text into whatever has the focus at once, as pasting does.
func (t *Tab) Insert(text string) error {
	_, err := call(t, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

// Tap touches the page at a point, in its pixels from the upper left corner of what is seen.
func (t *Tab) Tap(x, y float64) error {
	if err := t.Touch(input.DispatchTouchEventTypeTouchStart, x, y); err != nil {
		return err
	}
	return t.LiftFinger()
}

// Touch puts a finger down at a point, or moves it there.
func (t *Tab) Touch(how input.DispatchTouchEventType, x, y float64) error {
	_, err := call(t, input.DispatchTouchEvent,
		input.DispatchTouchEventParams{Type: how, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}})
	return err
}

// Mouse does something with the left button of the mouse at a place of the window.
func (t *Tab) Mouse(how input.DispatchMouseEventType, x, y float64) error {
	_, err := call(t, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{Type: how, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
	return err
}

// LiftFinger ends a touch.
func (t *Tab) LiftFinger() error {
	_, err := call(t, input.DispatchTouchEvent, input.DispatchTouchEventParams{
		Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	return err
}

// Sheet is a size of paper, in inches.
type Sheet struct{ Width, Height float64 }

// The papers of the world's offices.
var (
	A4     = Sheet{8.27, 11.69}
	Letter = Sheet{8.5, 11}
)

// PDF is the page as it is printed on such paper, with its colours and pictures of the background left out as printers
// do.
func (t *Tab) PDF(on Sheet) ([]byte, error) {
	r, err := call(t, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: on.Width, PaperHeight: on.Height})
	return r.Data, err
}

// Bound is the page as a book: on the paper that its style names, with colours, with the tree of its headings as
// bookmarks, and tagged for those who have it read to them.
func (t *Tab) Bound() ([]byte, error) {
	yes := true
	r, err := call(t, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground: &yes, PreferCSSPageSize: &yes, GenerateTaggedPDF: &yes, GenerateDocumentOutline: &yes,
	})
	return r.Data, err
}
