package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// A new edition waits for the reader's word; then all tabs have it, at once and once, and nothing is left of the old
// one.
func TestUpdateWaitsForConsent(t *testing.T) {
	t.Parallel()
	before, after := published(t), nextEdition(t)
	h := publish(t, before)
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
	others := p.neighbour()
	beside, err := p.Beside(browser.Options{})
	p.check(err)
	defer beside.Close()
	q := (&page{t, beside}).open(h.url("one/"))

	h.deploy(after)
	wasm := "GET " + base + only(t, before, "scalebook.*.wasm")
	fetched, script := h.times(wasm), h.times("GET "+base+only(t, before, "book.*.js"))
	_, err = p.TakeLayoutShift() // what loading has moved is not the bar's
	p.check(err)
	if state := p.renew(); state != "installed" {
		t.Fatalf("the new worker is %s", state)
	}
	for _, x := range []*page{p, q} {
		x.check(x.Wait(startTimeout, bar+`?.checkVisibility()`))
		if got := x.text(`document.querySelector("h1").textContent`); got != oldTitle {
			t.Errorf("the page became %q without consent", got)
		}
	}
	if score, moved, err := p.Shift(); err != nil || score != 0 {
		t.Errorf("the bar moves the page: %v %v %v", score, moved, err)
	}
	if h.times(wasm) != fetched || h.times("GET "+base+only(t, before, "book.*.js")) != script {
		t.Error("the update has fetched what it had, or what is no more")
	}
	p.open(h.url("one/"))
	p.check(p.Wait(startTimeout, bar+`?.checkVisibility()`))
	p.checkShift("one/")
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
		x.check(
			x.Wait(
				startTimeout,
				fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === %q`,
					newTitle),
			),
		)
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

// A deploy that is broken in one file changes nothing for those who have the book, nor does one after the other, and a
// mended one reaches them.
func TestBrokenDeployKeepsTheOldEdition(t *testing.T) {
	t.Parallel()
	before, after := published(t), nextEdition(t)
	program, partial := only(t, after, "scalebook.*.wasm"), "scalebook:"+base+":"+listIn(t, after).Version
	h := publish(t, before)
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
	forget := func() { p.text(fmt.Sprintf(`caches.delete(%q).then(() => "")`, "scalebook:"+base+":tries")) }
	for _, c := range []struct {
		name, file string
		wrong      http.HandlerFunc
	}{
		{"missing", "plain/index.html", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }},
		{"cut off", program, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(after[program])))
			w.Write(after[program][:len(after[program])/2])
			panic(http.ErrAbortHandler)
		}},
		{"short", program, func(w http.ResponseWriter,
			r *http.Request) {
			w.Write(after[program][:len(after[program])/2])
		}},
		{"as text", only(t, after, "scalebook.*.wasm"), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Write(after[only(t, after, "scalebook.*.wasm")])
		}},
		{"old page", "one/index.html", func(w http.ResponseWriter,
			r *http.Request) {
			w.Write(before["one/index.html"])
		}},
		{"elsewhere", "one/index.html", func(w http.ResponseWriter,
			r *http.Request) {
			http.Redirect(w, r, base, http.StatusFound)
		}},
	} {
		// of the one before: what was whole would be taken
		p.text(fmt.Sprintf(`caches.delete(%q).then(() => "")`, partial))
		forget()
		h.deploy(after)
		h.spoil(c.file, c.wrong)
		asked := h.times("GET " + base + c.file)
		if state := p.renew(); state != "redundant" {
			t.Fatalf("%s: the worker of a broken deploy is %s", c.name, state)
		}
		if h.times("GET "+base+c.file) == asked {
			t.Fatalf("%s: nobody has asked for what is broken", c.name)
		}
		if p.is(bar) {
			t.Errorf("%s: a broken deploy is offered", c.name)
		}
		kept := p.caches()
		for name, sum := range keptOf(t, before) {
			if got := kept[name]; got != sum {
				t.Fatalf("%s: %s of the old edition is %q", c.name, name, got)
			}
		}
		h.off()
		p.open(h.url("one/")).works(oldTitle)
		h.on()
	}
	h.deploy(after)
	asked := h.asked()
	if state := p.renew(); state != "redundant" || h.asked() > asked+1 {
		t.Errorf("right after a failure the worker is %s, and has asked for %d files", state, h.asked()-asked)
	}
	forget()
	if state := p.renew(); state != "installed" {
		t.Fatalf("the worker of the mended deploy is %s", state)
	}
	p.check(p.Wait(startTimeout, bar+`?.checkVisibility()`))
	p.run(bar + `.querySelector("button").click()`)
	p.check(
		p.Wait(
			startTimeout,
			fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").textContent === %q`,
				newTitle),
		),
	)
	p.isKept(after, nil)
}
