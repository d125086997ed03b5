package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// host is where a site is published: what it serves can be replaced and spoiled, and it can be switched off.
type host struct {
	t      testing.TB
	addr   string
	age    string // how long browsers may keep what they get, in seconds
	site   Server
	server *http.Server

	mu      sync.Mutex
	spoiled map[string]http.HandlerFunc // by path below the base
	seen    map[string]int              // requests by method and path
}

// publish serves files the way a host of static files does, which lets browsers keep them for ten minutes.
func publish(t testing.TB, files Files) *host {
	h := &host{t: t, addr: "127.0.0.1:0", age: "600", seen: map[string]int{}}
	h.site.Show(base, files)
	h.on()
	t.Cleanup(func() { h.server.Close() })
	return h
}

func (h *host) url(path string) string { return "http://" + h.addr + base + path }

// on switches the host on, at the address that it had.
func (h *host) on() {
	h.t.Helper()
	l, err := net.Listen("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.addr = l.Addr().String()
	h.server = &http.Server{Handler: h}
	go h.server.Serve(l)
}

// off switches it off: nobody listens, and all connections are gone.
func (h *host) off() {
	h.t.Helper()
	h.server.Close()
	if c, err := net.DialTimeout("tcp", h.addr, time.Second); err == nil {
		c.Close()
		h.t.Fatal("the server still answers")
	}
}

// deploy replaces the site and forgets what was spoiled.
func (h *host) deploy(files Files) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoiled = nil
	h.site.Show(base, files)
}

// spoil makes one file of the site go wrong.
func (h *host) spoil(path string, wrong http.HandlerFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoiled = map[string]http.HandlerFunc{path: wrong}
}

// times is how often a path has been asked for.
func (h *host) times(request string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen[request]
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.seen[r.Method+" "+r.URL.Path]++
	wrong := h.spoiled[strings.TrimPrefix(r.URL.Path, base)]
	h.mu.Unlock()
	if wrong != nil {
		wrong(w, r)
		return
	}
	h.site.ServeHTTP(aged{w, h.age}, r)
}

// aged says how long a response may be kept.
type aged struct {
	http.ResponseWriter
	age string
}

func (a aged) WriteHeader(status int) {
	a.Header().Set("Cache-Control", "max-age="+a.age)
	a.ResponseWriter.WriteHeader(status)
}

// nextEdition is the test book with another title of its chapter and another program, which does the same.
func nextEdition(t testing.TB) Files {
	t.Helper()
	o := appOptions(t)
	book := copied(t, testBook)
	text := bytes.Replace(book["one.md"].Data, []byte("title: One chapter"), []byte("title: One chapter, revised"), 1)
	book["one.md"] = &fstest.MapFile{Data: text}
	o.Content = book
	o.Program = append(slices.Clone(o.Program), 0, 2, 1, 'x') // a section of its own, which nobody reads
	files, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The titles of the two editions' chapter.
const (
	oldTitle = "One chapter"
	newTitle = "One chapter, revised"
)

// keeps waits until the first visit is over: the worker serves the page.
func (p *page) keeps() *page {
	p.t.Helper()
	p.check(p.Wait(alive, `navigator.serviceWorker.controller?.state === "activated"`))
	return p
}

// caches are the hashes of everything that is kept, by cache and address.
func (p *page) caches() map[string]string {
	p.t.Helper()
	return value[map[string]string](p, `(async () => {
		const found = {};
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const request of await cache.keys()) {
				const sum = await crypto.subtle.digest("SHA-256", await (await cache.match(request)).arrayBuffer());
				found[name + " " + new URL(request.url).pathname] = [...new Uint8Array(sum)].map(b => b.toString(16).padStart(2, "0")).join("");
			}
		}
		return found;
	})()`)
}

// keptOf is what caches finds when exactly this site is kept.
func keptOf(t testing.TB, files Files) map[string]string {
	want := map[string]string{}
	for name, data := range files {
		if !slices.Contains(left, name) {
			sum := sha256.Sum256(data)
			want["scalebook:"+base+":"+listIn(t, files).Version+" "+base+name] = hex.EncodeToString(sum[:])
		}
	}
	return want
}

// isKept checks that a site is kept as a whole, and with it only what others have.
func (p *page) isKept(files Files, others map[string]string) {
	p.t.Helper()
	want := keptOf(p.t, files)
	maps.Copy(want, others)
	got := p.caches()
	if len(got) != len(want) {
		p.t.Errorf("%d responses are kept, want %d", len(got), len(want))
	}
	for name, sum := range want {
		if got[name] != sum {
			p.t.Errorf("%s: kept with the hash %.8q, want %.8q", name, got[name], sum)
		}
	}
}

// renew lets the browser look for a new worker, and says what became of it.
func (p *page) renew() string {
	p.t.Helper()
	return p.text(`(async () => {
		const r = await navigator.serviceWorker.getRegistration();
		await r.update();
		const worker = r.installing || r.waiting;
		if (!worker) return "nothing new";
		while (worker.state === "installing") await new Promise(done => setTimeout(done, 10));
		return worker.state;
	})()`)
}

// works checks that the chapter has this title and computes.
func (p *page) works(title string) {
	p.t.Helper()
	if got := p.text(`document.querySelector("h1").textContent`); got != title {
		p.t.Fatalf("the page is %q, want %q", got, title)
	}
	p.wake()
	p.retype("alpha", "B", "512")
	p.waitOut("alpha", "ops", 2*512*4096.0*4096)
	p.retype("alpha", "B", "1k")
	p.waitOut("alpha", "ops", 2*1000*4096.0*4096)
	p.check(p.Wait(5*time.Second, `/alpha\.B=1(k|000)(&|$)/.test(location.search)`))
}

// follow clicks on a link and waits for the page it leads to.
func (p *page) follow(link, title string) {
	p.t.Helper()
	p.run(fmt.Sprintf(`document.querySelector('a[href=%q]').click()`, link))
	p.check(p.Wait(alive, fmt.Sprintf(`document.readyState === "complete" && location.pathname === %q && document.querySelector("h1").textContent === %q`, link, title)))
}

const bar = `document.querySelector(".renew")`

// After the first visit of one page the whole book is there without a server, and works.
func TestOfflineAfterTheFirstVisit(t *testing.T) {
	files := published(t)
	h := publish(t, files)
	p := tab(t, browser.Options{}).open(h.url("one/")).keeps()
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
	p.check(p.Wait(alive, `performance.getEntriesByType("navigation")[0].type === "reload" && document.readyState === "complete"`))
	p.wake().waitOut("alpha", "ops", 2*1000*4096.0*4096)
	p.works(oldTitle)
	p.follow(base, "A test book")
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
	if got := p.text(`localStorage.getItem("neighbour") + " " + localStorage.getItem("scalebook:/other/:theme")`); got != "mine dark" {
		p.t.Errorf("local storage of others: %q", got)
	}
}

// A new edition waits for the reader's word; then all tabs have it, at once and once, and nothing is left of the old one.
func TestUpdateWaitsForConsent(t *testing.T) {
	before, after := published(t), nextEdition(t)
	h := publish(t, before)
	p := tab(t, browser.Options{}).open(h.url("one/")).keeps()
	others := p.neighbour()
	beside, err := p.Beside(browser.Options{})
	p.check(err)
	defer beside.Close()
	q := (&page{t, beside}).open(h.url("one/"))

	h.deploy(after)
	wasm := "GET " + base + only(t, before, ".wasm")
	fetched, script := h.times(wasm), h.times("GET "+base+only(t, before, "book.*.js"))
	if state := p.renew(); state != "installed" {
		t.Fatalf("the new worker is %s", state)
	}
	for _, x := range []*page{p, q} {
		x.check(x.Wait(alive, bar+`?.checkVisibility()`))
		if got := x.text(`document.querySelector("h1").textContent`); got != oldTitle {
			t.Errorf("the page became %q without consent", got)
		}
	}
	if h.times(wasm) != fetched || h.times("GET "+base+only(t, before, "book.*.js")) != script {
		t.Error("the update has fetched what it had, or what is no more")
	}
	p.open(h.url("one/"))
	p.check(p.Wait(alive, bar+`?.checkVisibility()`))
	if score, moved, err := p.Shift(); err != nil || score != 0 {
		t.Errorf("the bar moves the page: %v %v %v", score, moved, err)
	}
	p.works(oldTitle)                                     // the next page is still of the old edition
	p.run(bar + `.querySelectorAll("button")[1].click()`) // later
	if p.is(bar) {
		t.Error("the bar doesn't go away")
	}

	documents := func(x *page) (n int) {
		for _, url := range x.Requests() {
			if path, _, _ := strings.Cut(url, "?"); path == h.url("one/") {
				n++
			}
		}
		return n
	}
	loads := []int{documents(p), documents(q)}
	q.run(bar + `.querySelector("button").click()`)
	for i, x := range []*page{p, q} {
		x.check(x.Wait(alive, fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === %q`, newTitle)))
		time.Sleep(300 * time.Millisecond)
		if n := documents(x) - loads[i]; n != 1 {
			t.Errorf("tab %d was loaded %d times for the update", i, n)
		}
		if x.is(bar) {
			t.Errorf("tab %d still asks", i)
		}
	}
	p.wake().waitOut("alpha", "ops", 2*1000*4096.0*4096) // what the reader had typed before
	p.isKept(after, others)
	p.spared()
	h.off()
	p.open(h.url("one/")).works(newTitle)
	p.nothingWrong(h.url(""))
}

// only is the one file whose name has this beginning and ending, "book.*.js".
func only(t testing.TB, files Files, pattern string) string {
	t.Helper()
	start, end, _ := strings.Cut(pattern, "*")
	if end == "" {
		start, end = "", pattern
	}
	var found []string
	for name := range files {
		if strings.HasPrefix(name, "assets/"+start) && strings.HasSuffix(name, end) {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s: %v", pattern, found)
	}
	return found[0]
}

// A deploy that is broken in one file changes nothing for those who have the book, and a mended one reaches them.
func TestBrokenDeployKeepsTheOldEdition(t *testing.T) {
	before, after := published(t), nextEdition(t)
	program := only(t, after, ".wasm")
	for i, c := range []struct {
		name, file string
		wrong      http.HandlerFunc
	}{
		{"missing", "plain/index.html", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }},
		{"cut off", program, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(after[program])))
			w.Write(after[program][:len(after[program])/2])
			panic(http.ErrAbortHandler)
		}},
		{"short", program, func(w http.ResponseWriter, r *http.Request) { w.Write(after[program][:len(after[program])/2]) }},
		{"old page", "one/index.html", func(w http.ResponseWriter, r *http.Request) { w.Write(before["one/index.html"]) }},
		{"elsewhere", "one/index.html", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, base, http.StatusFound) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := publish(t, before)
			p := tab(t, browser.Options{}).open(h.url("one/")).keeps()
			h.deploy(after)
			h.spoil(c.file, c.wrong)
			asked := h.times("GET " + base + c.file)
			if state := p.renew(); state != "redundant" {
				t.Fatalf("the worker of a broken deploy is %s", state)
			}
			if h.times("GET "+base+c.file) == asked {
				t.Fatal("nobody has asked for what is broken")
			}
			if p.is(bar) {
				t.Error("a broken deploy is offered")
			}
			kept := p.caches()
			for name, sum := range keptOf(t, before) {
				if got := kept[name]; got != sum {
					t.Fatalf("%s of the old edition is %q", name, got)
				}
			}
			h.off()
			p.open(h.url("one/")).works(oldTitle)
			if i >= 2 { // what follows is the same for all
				return
			}
			h.on()
			h.deploy(after)
			if state := p.renew(); state != "installed" {
				t.Fatalf("the worker of the mended deploy is %s", state)
			}
			p.check(p.Wait(alive, bar+`?.checkVisibility()`))
			p.run(bar + `.querySelector("button").click()`)
			p.check(p.Wait(alive, fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === %q`, newTitle)))
			p.isKept(after, nil)
		})
	}
}

// The worker minds its own business: what isn't a GET for a file of the book goes to the network.
func TestWorkerMindsItsOwn(t *testing.T) {
	h := publish(t, published(t))
	p := tab(t, browser.Options{}).open(h.url("one/")).keeps().open(h.url("one/"))
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
	kill, err := os.ReadFile("../../web/kill-sw.js")
	if err != nil {
		t.Fatal(err)
	}
	o := appOptions(t)
	o.Offline = false
	o.Content = func() fstest.MapFS {
		book := copied(t, testBook)
		book["one.md"] = &fstest.MapFile{Data: bytes.Replace(book["one.md"].Data, []byte("title: One chapter"), []byte("title: "+newTitle), 1)}
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
			p := tab(t, browser.Options{}).open(h.url("one/")).keeps()
			others := p.neighbour()
			h.deploy(files)
			p.open(h.url("one/")) // the old page once more; the browser finds the new worker by itself
			p.check(p.Wait(alive, fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === %q && !navigator.serviceWorker.controller`, newTitle)))
			p.check(p.Wait(alive, `performance.now() > 1500`)) // it comes to rest
			if got := p.text(`navigator.serviceWorker.getRegistrations().then(all => all.map(r => r.scope).join())`); got != "" {
				t.Errorf("still registered: %s", got)
			}
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
