package site

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

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
