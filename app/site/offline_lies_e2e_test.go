package site

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// sentAs sends a file of a site as another type.
func sentAs(files Files, name, mime string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{mime}
		w.Write(files[name])
	}
}

// keptTypes are what is kept, by cache and address, and as what.
func (p *page) keptTypes() map[string]string {
	p.t.Helper()
	return value[map[string]string](p, `(async () => {
		const found = {};
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const request of await cache.keys())
				found[new URL(request.url).pathname] = (await cache.match(request)).headers.get("Content-Type");
		}
		return found;
	})()`)
}

// installs lets a page without scripts ask for the worker, and says what becomes of it.
func (p *page) installs() string {
	p.t.Helper()
	return p.text(fmt.Sprintf(`(async () => {
		const r = await navigator.serviceWorker.register("%[1]ssw.js", {scope: %[1]q, updateViaCache: "none"});
		const worker = r.installing || r.waiting || r.active;
		while (worker.state === "installing") await new Promise(done => setTimeout(done, 10));
		return worker.state;
	})()`, base))
}

// A file that is sent as something else than its name ends in is never kept, at the first visit neither, nor with a new
// edition out of what an earlier worker has kept. Once the host sends it as what it is, the book is kept.
func TestOtherTypesAreNotKept(t *testing.T) {
	t.Parallel()
	files := impatient(t, published(t), "30e3", "1")
	style, script, page := only(t, files, "book.*.css"), only(t, files, "scroll.*.js"), "plain/index.html"
	h := publish(t, files)
	p := newTab(t, browser.Options{})
	for name, mime := range map[string]string{
		style: "text/plain", script: "text/html; charset=utf-8", page: "text/html; charset=iso-8859-1",
		"one/index.md": "", manifestName: "application/octet-stream",
	} {
		h.lie(map[string]http.HandlerFunc{name: sentAs(files, name, mime)})
		if state := p.open(h.url("index.md")).installs(); state != "redundant" {
			t.Errorf("with %s as %q the worker is %s", name, mime, state)
		}
		if got, ok := p.keptTypes()[base+name]; ok {
			t.Errorf("%s is kept as %q", name, got)
		}
		p.text(`caches.keys().then(names => Promise.all(names.map(name => caches.delete(name)))).then(() => "")`)
	}
	h.lie(nil)
	p.open(h.url("one/")).keeps()
	p.isKept(files, nil)
	p.text(fmt.Sprintf(`caches.keys().then(async ([name]) => {
		const cache = await caches.open(name), r = await cache.match(%q);
		await cache.put(%[1]q, new Response(await r.blob(), {headers: {"Content-Type": "text/plain"}}));
		return "";
	})`, base+style))
	p.open(h.url("one/"))
	if p.is(`document.styleSheets.length === 0`) {
		t.Error("a style sheet that was kept as a text is served as one")
	}
	h.deploy(nextEdition(t))
	if state := p.renew(); state != "installed" {
		t.Fatalf("the new worker is %s", state)
	}
	for name, got := range p.keptTypes() {
		if name == base+style && got != "text/css; charset=utf-8" {
			t.Errorf("the new edition has the style as %s", got)
		}
	}
}

// Where there is too little storage for the book what is read is kept, no page view fetches the book again, the reader is
// told once, and nothing is left of what could not be kept. Once there is room all is kept.
func TestLittleRoom(t *testing.T) {
	t.Parallel()
	files := impatient(t, published(t), "30e3", "1")
	h := publish(t, files)
	p := newTab(t, browser.Options{})
	origin := strings.TrimSuffix(h.url(""), base)
	p.open(h.url("nope"))
	p.check(p.Quota(origin, 700e3))
	p.open(h.url("plain/")).keeps()
	p.check(p.Wait(alive, bar+`?.innerText.includes("too little storage")`))
	for range 3 {
		before := h.asked()
		p.open(h.url("search/"))
		p.check(p.Wait(alive, `performance.now() > 2000`))
		if n := h.asked() - before; n > 15 {
			t.Errorf("a page view asks for %d files", n)
		}
		if p.is(bar) {
			t.Error("it is said again")
		}
	}
	for name := range p.keptTypes() {
		if name == base || name == base+"index.html" { // what the worker has noted, and the page that it keeps first
			continue
		}
		if !slices.Contains(p.Requests(), origin+name) && !slices.Contains(p.Requests(), origin+strings.TrimSuffix(name, "index.html")) {
			t.Errorf("%s is kept, but nobody has read it", name)
		}
	}
	h.off()
	p.open(h.url("search/"))
	if got := p.text(`document.querySelector("h1").textContent`); got != "Search" {
		t.Errorf("what was read before is now %q", got)
	}
	h.on()
	p.check(p.Quota(origin, 1e9))
	p.open(h.url("plain/"))
	p.check(p.Wait(alive, fmt.Sprintf(`(caches.keys().then(async ([name]) => {
		window.kept = (await (await caches.open(name)).keys()).length }), window.kept === %d)`, len(keptOf(t, files)))))
	p.isKept(files, nil)
}

// Requests that are left hanging, before or in the middle of an answer, are made anew, and the installation goes on.
func TestHangingRequestsAreMadeAnew(t *testing.T) {
	t.Parallel()
	files := impatient(t, published(t), "400", "1")
	h := publish(t, files)
	wrong := map[string]http.HandlerFunc{}
	var hung atomic.Int32
	for i, name := range []string{
		"plain/index.html", "feed.xml", only(t, files, "pad.*.js"), only(t, files, "icon-512.*.png"),
	} {
		var times atomic.Int32
		wrong[name] = func(w http.ResponseWriter, r *http.Request) {
			if times.Add(1) > 2 {
				h.site.ServeHTTP(w, r)
				return
			}
			hung.Add(1)
			if i%2 == 1 {
				w.Header().Set("Content-Type", mimeOf(name))
				w.Header().Set("Content-Length", "1000")
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
		}
	}
	h.lie(wrong)
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
	p.isKept(files, nil)
	if n := hung.Load(); n != 8 {
		t.Errorf("%d requests were left hanging, want 8", n)
	}
}

// An installation that broke off in the middle goes on where it was, and what editions have left that were never
// installed goes.
func TestInstallationGoesOn(t *testing.T) {
	t.Parallel()
	files := impatient(t, published(t), "30e3", "1")
	h := publish(t, files)
	h.spoil("plain/index.html", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) })
	p := newTab(t, browser.Options{}).open(h.url("index.md"))
	if state := p.installs(); state != "redundant" {
		t.Fatalf("the worker is %s", state)
	}
	once := maps.Clone(p.caches())
	if len(once) < 3 {
		t.Errorf("only %d files are kept of an installation that broke off", len(once))
	}
	others := p.neighbour()
	p.text(fmt.Sprintf(`caches.open(%q).then(c => c.put("plain/", new Response("left"))).then(() => "")`, "scalebook:"+base+":0123"))
	h.lie(nil)
	asked := h.times("GET " + base + only(t, files, "mark.*.svg"))
	p.open(h.url("one/")).keeps()
	p.isKept(files, others)
	for name := range once {
		if strings.HasSuffix(name, ".svg") && h.times("GET "+base+only(t, files, "mark.*.svg")) > asked {
			t.Error("what was kept is fetched again")
		}
	}
}

// The feed is there without a network, and from the network where there is one.
func TestFeedOffline(t *testing.T) {
	t.Parallel()
	files := published(t)
	h := publish(t, files)
	h.age = "0"
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
	feed := fmt.Sprintf(`fetch(%q).then(r => r.text())`, base+feedName)
	if got := p.text(feed); got != string(files[feedName]) {
		t.Errorf("with a network: %.80s", got)
	}
	h.spoil(feedName, sentAs(Files{feedName: []byte("<feed>of today</feed>")}, feedName, "application/xml"))
	if got := p.text(feed); got != "<feed>of today</feed>" {
		t.Errorf("the feed of today: %.80s", got)
	}
	time.Sleep(300 * time.Millisecond)
	h.off()
	if got := p.text(feed); got != "<feed>of today</feed>" {
		t.Errorf("without a network: %.80s", got)
	}
}
