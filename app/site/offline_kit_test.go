package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
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
	h.site.now.Store(ready(t, testBook)) // its programs needn't be compressed again
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
	nextEdition(h.t)
	next := &Server{}
	next.now.Store(second.shown) // its programs needn't be compressed again
	next.Show(base, files)
	h.spoiled = nil
	h.site.now.Store(next.now.Load())
}

// spoil makes one file of the site go wrong.
func (h *host) spoil(path string, wrong http.HandlerFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoiled = map[string]http.HandlerFunc{path: wrong}
}

// lie makes several files go wrong, by path.
func (h *host) lie(wrong map[string]http.HandlerFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoiled = wrong
}

// asked is how many requests there have been.
func (h *host) asked() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, times := range h.seen {
		n += times
	}
	return n
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

// second is the next edition, as files and as a server has it, compressed once for all tests.
var second struct {
	once  sync.Once
	files Files
	shown *edition
}

// nextEdition is the test book with another title of its chapter and another program, which does the same.
func nextEdition(t testing.TB) Files {
	t.Helper()
	second.once.Do(func() {
		o := appOptions(t)
		book := copied(t, testBook)
		text := bytes.Replace(book["one.md"].Data, []byte("title: One chapter"), []byte("title: "+newTitle), 1)
		book["one.md"] = &fstest.MapFile{Data: text}
		o.Content = book
		o.Program = append(slices.Clone(o.Program), 0, 2, 1, 'x') // a section of its own, which nobody reads
		files, err := Render(o)
		if err != nil {
			t.Fatal(err)
		}
		s := &Server{}
		s.Show(base, files)
		second.files, second.shown = files, s.now.Load()
	})
	if second.files == nil {
		t.Fatal("there is no next edition")
	}
	return second.files
}

// The titles of the two editions' chapter.
const (
	oldTitle = "One chapter"
	newTitle = "One chapter, revised"
)

// keeps waits until the first visit is over: the worker serves the page.
func (p *page) keeps() *page {
	p.t.Helper()
	p.check(p.Wait(startTimeout, `navigator.serviceWorker.controller?.state === "activated"`))
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
				found[name + " " + new URL(request.url).pathname] = [...new Uint8Array(sum)]
					.map(b => b.toString(16).padStart(2, "0")).join("");
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

// impatient is a site whose worker waits for other milliseconds: for the next byte, and after a first failure.
func impatient(t testing.TB, files Files, patience, failure string) Files {
	t.Helper()
	worker := string(files[workerName])
	for before, after := range map[string]string{"patience = 30e3": "patience = " + patience, "2500 * 4": failure +
		" * 4"} {
		if strings.Count(worker, before) != 1 {
			t.Fatalf("the worker has no %s", before)
		}
		worker = strings.Replace(worker, before, after, 1)
	}
	other := maps.Clone(files)
	other[workerName] = []byte(worker)
	return other
}

const bar = `document.querySelector(".renew")`
