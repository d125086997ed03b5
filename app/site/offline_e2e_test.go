package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
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
			startTimeout,
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
					startTimeout,
					fmt.Sprintf(
						`document.readyState === "complete" && document.querySelector("h1").textContent === %q
							&& !navigator.serviceWorker.controller`,
						newTitle,
					),
				),
			)
			p.check(p.Wait(startTimeout, `performance.now() > 1500`)) // it comes to rest
			// Pages that ask for a worker once more get one that leaves again.
			p.check(
				p.Wait(
					startTimeout,
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

// After one visit of one chapter the real book is there without a server, in the language of that chapter: other
// chapters, and instruments that nobody has opened. What English does, the small book shows above.
func TestTheBookWithoutAServer(t *testing.T) {
	t.Parallel()
	o := options(t, realBook)
	o.Offline = true
	files, _, err := RenderIn(o, []string{"ru"})
	if err != nil {
		t.Fatal(err)
	}
	h := publish(t, files)
	p := newTab(t, browser.Options{}).open(h.url("ru/rooflines/")).keeps()
	h.off()
	p.open(h.url("ru/chips/?chips.dtype=int8")).wake()
	p.soon("the format of the address", `document.querySelector("#chips--dtype").value === "int8"`)
	p.open(h.url("ru/model-card/")).wake()
	p.puts("#modelcard [name=model]", "deepseek.v3", "change")
	p.soon("another model", `+document.querySelector("output[data-name=params]").dataset.value === 671026419200`)
	p.open(h.url("ru/collectives/")).wake()
	p.soon("a time", `+document.querySelector("#collectives output[data-name]").dataset.value > 0`)
	p.open(h.url("ru/sharding-lab/?lab.size_i=4096")).wake()
	p.soon("the size of the address", `document.querySelector("#lab [name=size_i]").value === "4096"`)
	p.open(h.url("ru/sharding/?ring.N=8#ring")).wake()
	p.waitOut("ring", "T", 7.0/8*100e6/90e9)
	if !p.is(`document.documentElement.lang === "ru" && /[а-яё]/.test(document.querySelector("h1").textContent)`) {
		t.Error("the chapter isn't in Russian")
	}
	p.nothingWrong(h.url(""))
	kept := p.keptTypes()
	for path := range kept {
		if !strings.HasPrefix(path, base+"ru/") {
			t.Errorf("%s is kept, which a reader of Russian doesn't need", path)
		}
	}
	for name := range files {
		if strings.HasPrefix(name, "ru/") && strings.HasSuffix(name, "/index.html") && kept[base+name] == "" {
			t.Errorf("%s is not kept", name)
		}
	}
}

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

// Where there is too little storage for the book what is read is kept, no page view fetches the book again, the reader
// is warned once, and nothing is left of what could not be kept. Once there is space, and the time is over in which the
// worker doesn't try again, all is kept.
func TestLittleStorage(t *testing.T) {
	t.Parallel()
	files := impatient(t, published(t), "30e3", "60e3") // longer than the test takes
	h := publish(t, files)
	p := newTab(t, browser.Options{})
	origin := strings.TrimSuffix(h.url(""), base)
	p.open(h.url("nope"))
	p.check(p.Quota(origin, 700e3))
	p.open(h.url("plain/")).keeps()
	p.check(p.Wait(startTimeout, bar+`?.innerText.includes("too little storage")`))
	for range 3 {
		before := h.asked()
		p.open(h.url("search/"))
		p.check(p.Wait(startTimeout, `performance.now() > 2000`))
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
		if !slices.Contains(p.Requests(), origin+name) &&
			!slices.Contains(p.Requests(), origin+strings.TrimSuffix(name, "index.html")) {
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
	p.text(fmt.Sprintf(`caches.delete(%q).then(() => "")`, "scalebook:"+base+":tries"))
	p.open(h.url("plain/"))
	p.check(p.Wait(startTimeout, fmt.Sprintf(`(caches.keys().then(async ([name]) => {
		window.kept = (await (await caches.open(name)).keys()).length }), window.kept === %d)`, len(keptOf(t, files)))))
	p.isKept(files, nil)
}

// Requests that are left hanging, before or in the middle of an answer, are made anew, and the installation goes on.
func TestHangingRequestsAreMadeAnew(t *testing.T) {
	t.Parallel()
	files := impatient(t, published(t), "1500", "1") // a busy machine answers within it
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
	h.spoil("plain/index.html", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "broken", http.StatusInternalServerError)
	})
	p := newTab(t, browser.Options{}).open(h.url("index.md"))
	if state := p.installs(); state != "redundant" {
		t.Fatalf("the worker is %s", state)
	}
	once := maps.Clone(p.caches())
	if len(once) < 3 {
		t.Errorf("only %d files are kept of an installation that broke off", len(once))
	}
	others := p.neighbour()
	p.text(fmt.Sprintf(`caches.open(%q).then(c => c.put("plain/", new Response("left"))).then(() => "")`,
		"scalebook:"+base+":0123"))
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
