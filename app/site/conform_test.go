package site

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/site/conform"
)

// Every page keeps to what the public checkers do not report.
func TestPagesConform(t *testing.T) {
	t.Parallel()
	files := render(t, realBook)
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".html") {
			for _, fault := range conform.Check(files[name]) {
				t.Errorf("/%s: %s", name, fault)
			}
		}
	}
}

// Every page conforms to the HTML standard, as the standard's own checker sees it. It is under the MIT licence, and
// runs where there are Java and npm.
func TestCheckerOfTheStandardFindsNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a while")
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("skipped, there is no java to run the checker of the HTML standard with; TestPagesConform has run")
	}
	checker, err := npmFile(
		"vnu-jar",
		"26.9.27",
		"package/build/dist/vnu.jar",
		"22f15dd39a33bed929d2a5c0cddf5946849a647eca9272bf4d5d00bc7e7a4d47",
	)
	if err != nil {
		t.Skipf("skipped, there is no checker of the HTML standard: %v; TestPagesConform has run", err)
	}
	out := filepath.Join(t.TempDir(), "dist")
	if err := render(t, realBook).Write(out); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(java, "-Xss8m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", // a short run: half the work
		"-jar", checker, "--format", "json", "--skip-non-html", out)
	var report bytes.Buffer
	run.Stderr = &report // that is where it writes; it fails when it finds something
	failed := run.Run()
	var said struct {
		Messages []struct {
			Type, URL, Message, Extract string
			LastLine                    int
		}
	}
	if err := json.Unmarshal(report.Bytes(), &said); err != nil {
		t.Fatalf("the checker: %v: %.300s", failed, report.String())
	}
	for _, m := range said.Messages {
		if m.Type == "error" {
			_, page, _ := strings.Cut(m.URL, "/dist/")
			t.Errorf("/%s:%d: %s: %.200s", page, m.LastLine, m.Message, m.Extract)
		}
	}
	if failed != nil && len(said.Messages) == 0 {
		t.Fatalf("the checker: %v: %.300s", failed, report.String())
	}
}

// checked remembers how the pieces of calculators are built that axe has judged on this page or another. The thousands
// of rows of the book are built in a few hundred ways: tags, classes, names of attributes, of a piece, of all in it and
// of all around it. axe would find the same in each of them.
type checked struct {
	lock  sync.Mutex
	known map[string]bool
}

// marking gives pieces of calculators that are built like one before the attribute data-judged, and returns the new
// ways.
const marking = `known => {
	const fresh = new Set(), signs = new Map()
	const own = e => e.tagName + "." + (e.className.baseVal ?? e.className) + "[" + e.getAttributeNames().sort().join()
		+ "]"
	const sign = e => {
		const inside = e.namespaceURI.endsWith("svg") || e.namespaceURI.endsWith("MathML") ? [] : [...e.children].map(sign)
		const s = own(e) + "(" + [...new Set(inside)].sort().join(" ") + (e.textContent ? "" : "empty") + ")"
		signs.set(e, s)
		return s
	}
	const around = e => e ? around(e.parentElement) + ">" + own(e) : ""
	const short = text => { let a = 7, b = 11
		for (const c of text) { const n = c.charCodeAt(); a = Math.imul(a ^ n, 2654435761); b = Math.imul(b ^ n, 1597334677) }
		return (a >>> 0).toString(36) + (b >>> 0).toString(36) }
	const mark = e => {
		const s = short(around(e.parentElement) + signs.get(e))
		if (known.has(s) || fresh.has(s)) { e.setAttribute("data-judged", ""); return }
		fresh.add(s)
		if (e.matches("section.sheet, section.sheet *") && !e.closest("svg, math")) for (const c of e.children) mark(c)
	}
	for (const e of document.querySelectorAll("section.sheet")) { sign(e); mark(e) }
	return [...fresh]
}`

// mark leaves to axe what is built in a new way.
func (p *page) mark(j *checked) {
	p.t.Helper()
	j.lock.Lock()
	defer j.lock.Unlock()
	known := make([]string, 0, len(j.known))
	for sign := range j.known {
		known = append(known, sign)
	}
	list, err := json.Marshal(known)
	p.check(err)
	if j.known == nil {
		j.known = map[string]bool{}
	}
	for _, sign := range value[[]string](p, "("+marking+")(new Set("+string(list)+"))") {
		j.known[sign] = true
	}
}

// strip takes out of the page what is marked, and leaves of each formula its text: axe looks at every element of a page
// in each run, also at those that it is asked to leave alone. What names something that stays is left too. Nothing that
// needs the whole page can follow.
func (p *page) strip() {
	p.t.Helper()
	p.run(`const named = e => e.closest("summary, label, legend, caption")
		|| e.parentElement.closest("button, a, th, select")
	const names = (e, l) => l.control && !e.contains(l.control)
	const kept = new Set([...document.querySelectorAll("input[aria-labelledby]")]
		.filter(r => !r.closest("[data-judged]")).flatMap(r => r.getAttribute("aria-labelledby").split(" ")))
	for (const e of document.querySelectorAll("[data-judged]"))
		if (!named(e) && ![e, ...e.querySelectorAll("label")].some(l => names(e, l)) && !kept.has(e.id)) e.remove()
	for (const m of document.querySelectorAll("math")) {
		const text = document.createElementNS(m.namespaceURI, "mtext")
		text.textContent = m.textContent
		m.replaceChildren(text)
	}`)
}
