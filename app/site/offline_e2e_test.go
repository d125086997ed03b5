package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// After the first visit of one page the whole book is there without a server, and works.
func TestOfflineAfterTheFirstVisit(t *testing.T) {
	t.Parallel()
	files, err := Render(wholeOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	h := publish(t, files)
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
	p.isKept(files, nil)
	if p.is(bar) || p.number(`performance.getEntriesByType("navigation").filter(n => n.type === "reload").length`) != 0 {
		t.Error("the first visit asks for something or loads the page again")
	}
	faults, err := p.Install()
	if err != nil || len(faults) > 0 {
		t.Errorf("can't be installed: %v %v", faults, err)
	}
	h.off()
	p.works(oldTitle) // the page of the first visit has fetched no program before
	p.run(`location.reload()`)
	p.check(
		p.Wait(
			alive,
			`performance.getEntriesByType("navigation")[0].type === "reload" && document.readyState === "complete"`,
		),
	)
	p.wake().waitOut("alpha", "ops", 2*1000*4096.0*4096)
	p.works(oldTitle)
	p.leave(fmt.Sprintf(`document.querySelector('a[href=%q]')`, base))
	if got := p.text(`document.querySelector("h1").textContent`); got != "A test book" {
		t.Errorf("the link to the front page leads to %q", got)
	}
	p.wake().waitOut("front", "b", 6)
	p.open(h.url("plain/"))
	if got := p.text(`document.querySelector("h1").textContent`); got != "Words only" {
		t.Errorf("another page offline: %q", got)
	}
	p.open(h.url("embed/gamma/?gamma.rate=1638+GB%2Fs")).wake()
	p.waitOut("gamma", "wait", 16*float64(1<<30)/1638e9)
	p.open(h.url("one?beta.x=7#beta")).wake() // without its slash, as people type it
	p.waitOut("beta", "y", 50)
	if got := p.text(`location.pathname + location.search + location.hash`); got != base+"one/?beta.x=7#beta" {
		t.Errorf("led to %s", got)
	}
	p.open(h.url("search/?q=squar"))
	p.check(p.Wait(5*time.Second, `document.querySelector("#search-status").textContent === "1 place."`))
	p.open(h.url("nope/"))
	if got := p.text(`document.querySelector("h1").textContent`); got != "No such page" {
		t.Errorf("a page that isn't there: %q", got)
	}
	p.nothingWrong(h.url(""))
}

// neighbour leaves what other sites of the same origin might, and returns what caches finds of it.
func (p *page) neighbour() map[string]string {
	p.t.Helper()
	p.run(`localStorage.setItem("neighbour", "mine"); localStorage.setItem("scalebook:/other/:theme", "dark")`)
	others := map[string]string{}
	for _, name := range []string{"neighbour", "scalebook:/other/:1", "scalebook:/:1", "scalebook:/scalebook/sub/:1"} {
		p.text(fmt.Sprintf(`caches.open(%q).then(c => c.put("/there", new Response("theirs"))).then(() => "")`, name))
		others[name+" /there"] = fmt.Sprintf("%x", sha256.Sum256([]byte("theirs")))
	}
	return others
}

// spared checks that local storage is as the neighbours have left it.
func (p *page) spared() {
	p.t.Helper()
	if got := p.text(`localStorage.getItem("neighbour") + " "
		+ localStorage.getItem("scalebook:/other/:theme")`); got != "mine dark" {
		p.t.Errorf("local storage of others: %q", got)
	}
}

// The worker minds its own business: what isn't a GET for a file of the book goes to the network.
func TestWorkerMindsItsOwn(t *testing.T) {
	t.Parallel()
	h := publish(t, published(t))
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps().open(h.url("one/"))
	inside, outside := h.times("GET "+base+"plain/"), h.times("GET /elsewhere/")
	status := func(path, method string) float64 {
		return p.number(fmt.Sprintf(`fetch(%q, {method: %q}).then(r => r.status)`, path, method))
	}
	if got := status(base+"plain/", "GET"); got != 200 || h.times("GET "+base+"plain/") != inside {
		t.Errorf("a page of the book: %v, asked of the server %d times more", got, h.times("GET "+base+"plain/")-inside)
	}
	if got := status(base+"plain/", "POST"); got != 405 || h.times("POST "+base+"plain/") != 1 {
		t.Errorf("POST: %v", got)
	}
	if got := status("/elsewhere/", "GET"); got != 404 || h.times("GET /elsewhere/") != outside+1 {
		t.Errorf("outside: %v", got)
	}
	if got := status(base+"new.txt", "GET"); got != 404 || h.times("GET "+base+"new.txt") != 1 {
		t.Errorf("a file that is not in the list: %v", got)
	}
	if got := status(base+"%zz/", "GET"); got < 400 {
		t.Errorf("a malformed address: %v", got)
	}
}

// The switch takes the book back from browsers that have it, whichever way it is thrown, and spares the neighbours.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	kill, err := os.ReadFile("../../web/kill-sw.js")
	if err != nil {
		t.Fatal(err)
	}
	o := appOptions(t)
	o.Offline = false
	o.Content = func() fstest.MapFS {
		book := copied(t, testBook)
		book["one.md"] = &fstest.MapFile{
			Data: bytes.Replace(book["one.md"].Data, []byte("title: One chapter"), []byte("title: "+newTitle), 1),
		}
		return book
	}()
	built, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	put := maps.Clone(nextEdition(t))
	put[workerName] = kill // its pages go on asking for a worker
	for name, files := range map[string]Files{"built with -kill": built, "copied over sw.js": put} {
		t.Run(name, func(t *testing.T) {
			h := publish(t, published(t))
			h.age = "0"
			p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
			others := p.neighbour()
			h.deploy(files)
			p.open(h.url("one/")) // the old page once more; the browser finds the new worker by itself
			p.check(
				p.Wait(
					alive,
					fmt.Sprintf(
						`document.readyState === "complete" && document.querySelector("h1").textContent === %q
							&& !navigator.serviceWorker.controller`,
						newTitle,
					),
				),
			)
			p.check(p.Wait(alive, `performance.now() > 1500`)) // it comes to rest
			// Pages that ask for a worker once more get one that leaves again.
			p.check(
				p.Wait(
					alive,
					`(navigator.serviceWorker.getRegistrations().then(all => { window.registered = all.length }),
						window.registered === 0)`,
				),
			)
			if got := p.caches(); !maps.Equal(got, others) {
				t.Errorf("kept: %v", slices.Sorted(maps.Keys(got)))
			}
			p.spared()
			p.works(newTitle)
			h.off()
			if err := p.Go(h.url("one/")); err == nil {
				t.Error("a page without a server: something is left of the worker")
			}
		})
	}
}
