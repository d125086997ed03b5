package site

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// The ways in which a script doesn't come: an error, and the page of a portal in its place.
var lost = map[string]http.HandlerFunc{
	"an error": func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "broken",
			http.StatusInternalServerError)
	},
	"a portal": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
		w.Write([]byte("<!doctype html><title>Log in</title><p>Log in to use this network."))
	},
}

// stays checks that what a reader types changes no input, and that results can be seen.
func (p *page) stays() {
	p.t.Helper()
	p.retype("alpha", "B", "512")
	p.run(`document.querySelector("#alpha [name=chip]").focus()`)
	p.check(p.Keys("t"))
	if got := p.text(`document.querySelector("#alpha [name=B]").value
		+ " " + document.querySelector("#alpha [name=chip]").value`); got != "256 tpu.v5e" {
		p.t.Errorf("the inputs are %q, beside results of 256 tpu.v5e", got)
	}
	p.check(p.Wait(time.Second, `document.querySelector("#beta output[data-name=y]").checkVisibility({visibilityProperty: true})`))
}

const noticed = `document.getElementById("notice").checkVisibility() && document.getElementById("notice").innerText.length > 20`

// Where the script of the pages doesn't come, no input can be changed, since nothing would follow; the page says so,
// and shows all that it has.
func TestScriptsLost(t *testing.T) {
	t.Parallel()
	files := render(t, testBook) // without a worker, which would have the scripts
	book, pad := only(t, files, "book.*.js"), only(t, files, "pad.*.js")
	for name, wrong := range lost {
		t.Run(name, func(t *testing.T) {
			h := publish(t, files)
			h.age = "0"
			p := newTab(t, browser.Options{})
			h.lie(map[string]http.HandlerFunc{book: wrong})
			p.open(h.url("one/"))
			p.check(p.Wait(startTimeout, noticed))
			p.stays()
			if !p.is(`getComputedStyle(document.querySelector("#alpha .inputs"), "::after").content.includes("as printed")`) {
				t.Error("nothing says that the numbers are as printed")
			}
			h.lie(nil)
			p.open(h.url("one/")).wake()
			p.retype("alpha", "B", "512")
			p.waitOut("alpha", "ops", 2*512*4096.0*4096)
			h.lie(map[string]http.HandlerFunc{pad: wrong})
			p.open(h.url("scratch/"))
			p.check(p.Wait(startTimeout, noticed+` && document.getElementById("pad-without").checkVisibility()`))
			if !p.is(`document.getElementById("pad-text").readOnly`) {
				t.Error("a text can be written that nobody reads")
			}
		})
	}
}

// Every control that a page prints waits for a script to answer for it.
func TestPrintedControlsWait(t *testing.T) {
	p := tab(t, browser.Options{NoScripts: true}).open(serving(t, testBook, 0) + "one/")
	const open = `[...document.querySelectorAll(".sheet :is(input, select, textarea), .in-text > input")]
		.filter(e => !e.matches(":disabled")).length`
	if n := p.number(open); n != 0 {
		t.Errorf("%v controls can be changed without scripts", n)
	}
	p.Become(browser.Options{})
	p.open(serving(t, testBook, 0) + "one/")
	if n := p.number(`document.querySelectorAll(".sheet :disabled:not(button), .in-text > :disabled").length`); n != 0 {
		t.Errorf("%v controls stay disabled", n)
	}
}

// readable waits until the page has been painted with text, and returns after how many milliseconds it was.
func (p *page) readable(url string) float64 {
	p.t.Helper()
	go p.Go(url) // it may not end: something hangs
	const painted = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`
	p.check(p.Wait(2*time.Second, `location.href === `+quoted(url)+` && `+painted))
	return p.number(painted)
}

// Style and scripts that are left hanging, one alone or all, keep nobody from reading.
func TestTextBeforeStyle(t *testing.T) {
	t.Parallel()
	files := published(t)
	all := map[string]http.HandlerFunc{}
	for _, name := range files.Names() {
		if strings.HasPrefix(name, "assets/") {
			all[name] = func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		}
	}
	style := only(t, files, "book.*.css")
	for name, wrong := range map[string]map[string]http.HandlerFunc{"the style": {style: all[style]},
		"everything": all} {
		h := publish(t, files)
		h.lie(wrong)
		p := newTab(t, browser.Options{})
		t.Logf("%s hangs: text after %.0f ms", name, p.readable(h.url("one/")))
		p.check(p.Wait(2*time.Second, `document.querySelector("h1").checkVisibility({visibilityProperty: true})`))
	}
}

// slowNetwork is a network that carries so many bytes a second, all requests together.
type slowNetwork struct {
	http.ResponseWriter
	network *sync.Mutex
	rate    int
}

func (w slowNetwork) Write(data []byte) (n int, err error) {
	for piece := w.rate / 10; n < len(data); {
		w.network.Lock()
		time.Sleep(100 * time.Millisecond)
		part := data[n:min(n+piece, len(data))]
		m, err := w.ResponseWriter.Write(part)
		w.ResponseWriter.(http.Flusher).Flush()
		w.network.Unlock()
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

// At 2 kB a second text can be read as it comes, long before style and scripts are there.
func TestTextOnSlowNetwork(t *testing.T) {
	t.Parallel()
	files := published(t)
	h := publish(t, files)
	var network sync.Mutex
	wrong := map[string]http.HandlerFunc{}
	for name := range files {
		wrong[strings.TrimSuffix(name, "index.html")] = func(w http.ResponseWriter, r *http.Request) {
			h.site.ServeHTTP(slowNetwork{w, &network, 2000}, r)
		}
	}
	h.lie(wrong)
	p := newTab(t, browser.Options{})
	go p.Go(h.url("plain/"))
	p.check(p.Wait(30*time.Second, `location.pathname.endsWith("/plain/") && document.getElementById("notice")`))
	p.check(p.Wait(400*time.Millisecond, `performance.getEntriesByName("first-contentful-paint").length`))
	if p.is(`[...document.querySelectorAll("link[rel=stylesheet]")].every(link => link.sheet)`) {
		t.Error("the style was there first: nothing was shown")
	}
	t.Log(p.text(fmt.Sprintf(`"text after " + %s + " ms"`,
		`performance.getEntriesByName("first-contentful-paint")[0].startTime`)))
}
