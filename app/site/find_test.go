package site

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
	"golang.org/x/net/html"
)

// onHost is the site of a folder as a host publishes it: with origin, repository and day.
func onHost(t *testing.T, content string) Files {
	t.Helper()
	o := options(t, content)
	o.Origin, o.Repository, o.Day = "https://example.org", "https://github.com/owner/name/tree/trunk", "2026-11-21"
	files, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// links are the addresses of all elements of a name whose attribute rel (or property) is as given.
func links(doc *html.Node, key, rel, value string) []string {
	var out []string
	for n := range doc.Descendants() {
		if got, _ := attr(n, key); got == rel && n.Type == html.ElementNode {
			v, _ := attr(n, value)
			out = append(out, v)
		}
	}
	return out
}

// Pages name their whole address where it is known, and only there; their twins and the feed are linked from each.
func TestPagesNameTheirAddress(t *testing.T) {
	for origin, files := range map[string]Files{"": render(t, testBook), "https://example.org": onHost(t, testBook)} {
		doc := pagesOf(t, files)["one/index.html"]
		var want []string
		if origin != "" {
			want = []string{origin + base + "one/"}
		}
		if got := links(doc, "rel", "canonical", "href"); !slices.Equal(got, want) {
			t.Errorf("origin %q: canonical %q", origin, got)
		}
		if got := links(doc, "property", "og:url", "content"); !slices.Equal(got, want) {
			t.Errorf("origin %q: og:url %q", origin, got)
		}
		if got := links(doc, "property", "og:title", "content"); len(got) != 1 || !strings.HasPrefix(got[0], "One chapter") {
			t.Errorf("og:title %q", got)
		}
		if got := links(doc, "type", "text/markdown", "href"); !slices.Equal(got, []string{base + "one/index.md"}) {
			t.Errorf("twin %q", got)
		}
		if got := links(doc, "type", "application/atom+xml", "href"); !slices.Equal(got, []string{base + "feed.xml"}) {
			t.Errorf("feed %q", got)
		}
		suggest := bytes.Contains(
			files["one/index.html"],
			[]byte(`href="https://github.com/owner/name/edit/trunk/content/one.md"`),
		)
		if suggest != (origin != "") {
			t.Errorf("origin %q: the link to suggest a change: %v", origin, suggest)
		}
	}
	if bytes.Contains(render(t, realBook)["rooflines/index.html"], []byte("Suggest a change")) {
		t.Error("a repository is named that nobody has given")
	}
}

// What the sitemap and the guide list is there.
func TestFeedsLeadSomewhere(t *testing.T) {
	files := onHost(t, realBook)
	var m struct {
		Loc []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal(files["sitemap.xml"], &m); err != nil {
		t.Fatal(err)
	}
	addresses := m.Loc
	for _, found := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllSubmatch(files["llms.txt"], -1) {
		addresses = append(addresses, string(found[1]))
	}
	if len(addresses) < 8 || !slices.Contains(addresses, "https://example.org/scalebook/rooflines/index.md") {
		t.Errorf("only %q", addresses)
	}
	for _, a := range addresses {
		name, ok := strings.CutPrefix(a, "https://example.org"+base)
		if strings.HasSuffix(name, "/") || name == "" {
			name += "index.html"
		}
		if !ok || files[name] == nil {
			t.Errorf("%s leads nowhere", a)
		}
	}
	if !bytes.Contains(files["robots.txt"], []byte("Sitemap: https://example.org/scalebook/sitemap.xml")) {
		t.Errorf("robots.txt: %s", files["robots.txt"])
	}
	if !bytes.Contains(files["feed.xml"], []byte("2026-11-21T00:00:00Z")) {
		t.Error("the feed has another day")
	}
}

func TestPublishingIsChecked(t *testing.T) {
	o := options(t, testBook)
	for _, wrong := range []Options{
		{Origin: "example.org"}, {Origin: "https://example.org/book/"}, {Origin: "https://example.org/"},
		{Origin: "javascript://x"},
		{Repository: "owner/name"}, {Repository: "javascript:alert(1)"}, {Day: "yesterday"}, {Day: "2026-02-30"},
	} {
		o.Origin, o.Repository, o.Day = wrong.Origin, wrong.Repository, wrong.Day
		if _, err := Render(o); err == nil || !strings.Contains(err.Error(), "write ") {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// A chapter can't take an address that the site needs.
func TestOwnAddressesAreTaken(t *testing.T) {
	o := options(t, testBook)
	o.Content = fstest.MapFS{"errata.md": {Data: []byte("---\ntitle: One\nkind: page\n---\n\nText.\n")}}
	if _, err := Render(o); err == nil || !strings.Contains(err.Error(), "slug") {
		t.Errorf("got %v", err)
	}
}

// The page of errata has all of them, each with what was printed and a link to its place.
func TestErrata(t *testing.T) {
	files := render(t, realBook)
	page := string(files["errata/index.html"])
	n := 0
	for name, data := range files {
		if strings.HasSuffix(name, ".html") && name != "errata/index.html" {
			n += strings.Count(string(data), `class="callout callout-erratum"`)
			n += strings.Count(string(data), `class="erratum-mark"`)
		}
	}
	if got := strings.Count(page, `class="callout callout-erratum"`); got != n || n == 0 {
		t.Errorf("%d errata, the chapters have %d", got, n)
	}
	for _, want := range []string{"v6e: 9.1e14 FLOP/s in one place, 9.20e14 in another", "One chip, three peak rates",
		base + "rooflines/#erratum-", "918\u00a0TFLOP/s", "1.09 ms"} {
		if !strings.Contains(page, want) {
			t.Errorf("it doesn't say %q", want)
		}
	}
	for name, data := range files {
		if strings.HasSuffix(name, "/index.html") && strings.Contains(string(data), `class="contents"`) &&
			!strings.Contains(string(data), `href="/scalebook/errata/"`) {
			t.Errorf("%s: the contents don't list it", name)
		}
	}
	if empty := string(render(t, testBook)["errata/index.html"]); !strings.Contains(empty, "None so far.") {
		t.Error("a book without errata doesn't say so")
	}
}

// Scripts lose their comments, and nothing else as long as no text of theirs goes over lines.
func TestScriptsHaveNoTextsOfSeveralLines(t *testing.T) {
	const script, kept = "// a\n  b(\"; // c\");\n\n\t// d\ne // f\ng; // h\n", "b(\"; // c\");\ne // f\ng;\n"
	if got := string(withoutRemarks([]byte(script))); got != kept {
		t.Errorf("got %q", got)
	}
	names, err := filepath.Glob("../../web/*.js")
	if err != nil || len(names) < 4 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.Count(line, "`")%2 != 0 || strings.HasSuffix(line, `\`) {
				t.Errorf("%s:%d: a text goes over the end of this line", name, i+1)
			}
		}
	}
}

// found are the results shown: heading, then where.
const found = `[...document.querySelectorAll(".results li")].map(li => li.querySelector("a").textContent + " | " + (li.querySelector("small")?.textContent || ""))`

func (p *page) search(query string) []string {
	p.t.Helper()
	p.run(
		`const i = document.querySelector("#search input, dialog[open] input"); i.focus(); i.select(); document.querySelector("[role=status]:not(#notice)").textContent = "?"`,
	)
	if query == "" {
		p.check(p.Keys("\b"))
	} else {
		p.check(p.Keys(query))
	}
	p.check(
		p.Wait(5*time.Second, `document.querySelector("dialog[open] [role=status], #search-status").textContent !== "?"`),
	)
	return value[[]string](p, found)
}

// The page of the search finds words by their beginnings, all of them, headings before calculators before prose; it keeps
// the query in the address, says how much it found, and takes whatever is typed.
func TestSearchPage(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "search/?q=squar")
	p.check(p.Wait(10*time.Second, `document.querySelectorAll(".results li").length > 0`))
	p.check(p.Wait(5*time.Second, `document.querySelector("#search-status").textContent === "1 place."`))
	if got := value[[]string](p, found); len(got) != 1 || got[0] != "The second sheet | 1. One chapter · Calculator" {
		t.Errorf("squar: %q", got)
	}
	got := p.search("second")
	want := []string{"Second section | 1. One chapter", "The second sheet | 1. One chapter · Calculator"}
	if len(got) < 2 || !slices.Equal(got[:2], want) {
		t.Errorf("second: %q", got)
	}
	if at := p.text(`location.search`); at != "?q=second" {
		t.Errorf("the address says %q", at)
	}
	if href := p.text(`document.querySelector(".results a").getAttribute("href")`); href != base+"one/#second-section" {
		t.Errorf("the first result leads to %q", href)
	}
	if marks := value[[]string](p, `[...document.querySelectorAll(".results li:first-child a mark")].map(m => m.textContent)`); !slices.Equal(
		marks,
		[]string{"Second"},
	) {
		t.Errorf("marked: %q", marks)
	}
	if got := p.search("MODEL wid"); len(got) != 1 || got[0] != "The first sheet | 1. One chapter · Calculator" {
		t.Errorf("two words, other case: %q", got)
	}
	if got := p.search("second zebra"); len(got) != 0 {
		t.Errorf("a word that isn't there: %q", got)
	}
	if said := p.text(`document.querySelector("#search-status").textContent`); !strings.Contains(
		said,
		"Nothing in the book",
	) {
		t.Errorf("nothing found, and it says %q", said)
	}
	for _, hostile := range []string{`<img src=x onerror=alert(1)>`, `"'\(*+?[{^$|`, `%00 ../..`, strings.Repeat("a", 300),
		"İ ß ﬁ 𝐀 \u0301"} {
		p.search(hostile)
	}
	if got := p.search("<b>sheet</b>"); p.is(`document.querySelector(".results b, .results img")`) {
		t.Errorf("markup in the results: %q", got)
	}
	if got := p.search("..."); len(got) != 0 {
		t.Errorf("no word at all: %q", got)
	}
	if p.search(""); p.is(`location.search`) || p.is(`document.querySelector(".results li")`) {
		t.Error("an empty query leaves something behind")
	}
	p.search("second")
	p.check(p.Keys("\r"))
	p.check(p.Wait(3*time.Second, `document.activeElement.getAttribute("href") === "`+base+`one/#second-section"`))
	p.check(p.Keys("\r"))
	p.check(
		p.Wait(
			5*time.Second,
			`location.hash === "#second-section" && document.querySelector("h1").textContent === "One chapter"`,
		),
	)
	p.nothingWrong(home)
}

// Elsewhere the search opens over the page by Control+K or its link, is fetched only then,
// and closes by Escape.
func TestSearchDialog(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "one/").wake()
	asked := func() bool {
		return slices.ContainsFunc(p.Requests(), func(url string) bool { return strings.Contains(url, "/assets/search.") })
	}
	p.retype("beta", "x", "6/2")
	p.waitOut("beta", "y", 10)
	if asked() || p.is(`document.querySelector("dialog")`) {
		t.Error("the search was fetched before it was wanted")
	}
	p.run(`document.activeElement.blur()`)
	p.run(controlK)
	p.check(
		p.Wait(10*time.Second, `document.activeElement.closest("dialog[open]") && document.activeElement.name === "q"`),
	)
	if got := p.text(`document.activeElement.value`); got != "" {
		t.Errorf("the field begins with %q", got)
	}
	if got := p.search("third section"); len(got) == 0 || !strings.HasPrefix(got[0], "Third section |") {
		t.Errorf("third section: %q", got)
	}
	p.check(p.Keys("\x1b"))
	p.check(p.Wait(3*time.Second, `!document.querySelector("dialog[open]")`))
	p.run(`document.querySelector(".page-search").click()`)
	p.check(p.Wait(3*time.Second, `document.querySelector("dialog[open]")`))
	p.check(p.Keys("\r"))
	p.check(p.Wait(3*time.Second, `document.activeElement.closest(".results")`))
	p.check(p.Keys("\r"))
	p.check(p.Wait(3*time.Second, `location.hash === "#third-section" && !document.querySelector("dialog[open]")`))
	p.waitOut("beta", "y", 10) // the reader's numbers are still there
	p.nothingWrong(home)
}

// Without scripts the page of the search says so, and leads to the contents.
func TestSearchWithoutScripts(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{NoScripts: true}).open(serving(t, testBook, 0) + "search/")
	if p.is(`document.querySelector("#search").checkVisibility()`) ||
		!p.is(`document.querySelector("#search-without").checkVisibility()`) {
		t.Error("a form that can't work is shown, or nothing said about it")
	}
	if p.text(`document.querySelector("#search-without a").getAttribute("href")`) != base {
		t.Error("no way to the contents")
	}
}

// On a phone the search fits.
func TestSearchOnAPhone(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{Width: 320, Height: 640, Touch: true}).open(serving(t, testBook, 0) + "search/?q=section")
	p.check(p.Wait(10*time.Second, `document.querySelectorAll(".results li").length > 0`))
	if p.number(`document.documentElement.scrollWidth`) > 320 {
		t.Error("the page is wider than the screen")
	}
}

// Every action of the workflows is named by the commit it stands at, and no workflow has more rights than its jobs ask for.
func TestWorkflowsArePinned(t *testing.T) {
	names, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	uses := regexp.MustCompile(`(?m)^\s*-?\s*uses:\s*(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, name := range names {
		text := read(t, name)
		if !strings.Contains(text, "\npermissions: {}\n") {
			t.Errorf("%s: a workflow must begin without rights", name)
		}
		for _, u := range uses.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(u[1]) {
				t.Errorf("%s: %q is not pinned to a commit with its version beside it", name, u[1])
			}
		}
	}
}

// controlK is the shortcut of the search. One without a modifier would be hit by whoever speaks to the browser.
const controlK = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true, cancelable: true}))`

// With the server gone the search still searches, from its page and from another.
func TestSearchOffline(t *testing.T) {
	t.Parallel()
	h := publish(t, published(t))
	p := tab(t, browser.Options{}).open(h.url("one/")).keeps()
	h.off()
	p.run(controlK)
	p.check(p.Wait(10*time.Second, `document.querySelector("dialog[open]")`))
	if got := p.search("second sec"); len(got) == 0 || !strings.HasPrefix(got[0], "Second section") {
		t.Errorf("in the dialog: %q", got)
	}
	p.open(h.url("search/?q=squar"))
	p.check(p.Wait(10*time.Second, `document.querySelector(".results li")`))
	if got := value[[]string](p, found); len(got) != 1 || !strings.HasPrefix(got[0], "The second sheet |") {
		t.Errorf("on its page: %q", got)
	}
	p.nothingWrong(h.url(""))
}
