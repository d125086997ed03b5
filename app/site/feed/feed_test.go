package feed

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/book"
)

func site(origin, day string) Site {
	return Site{
		Origin: origin, Day: day, Base: "/b/", Name: "A & B <book>", Others: []string{"/b/errata/"},
		Pages: []*book.Page{
			{Kind: book.Home, URL: "/b/", Title: "A & B <book>", Description: "What it is."},
			{
				Kind:        book.Chapter,
				URL:         "/b/one/",
				Title:       "One [1]",
				Number:      "1",
				Description: "First & best.",
				Authors:     []string{"Ann", "Bob"},
			},
			{Kind: book.Plain, URL: "/b/about/", Title: "About"},
		},
	}
}

func TestSitemapListsEveryPage(t *testing.T) {
	data, err := site("https://example.org", "2026-11-21").Sitemap()
	if err != nil {
		t.Fatal(err)
	}
	var got sitemap
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var locs []string
	for _, u := range got.URLs {
		locs = append(locs, u.Loc)
		if u.Lastmod != "2026-11-21" {
			t.Errorf("%s: lastmod %q", u.Loc, u.Lastmod)
		}
	}
	want := []string{
		"https://example.org/b/",
		"https://example.org/b/one/",
		"https://example.org/b/about/",
		"https://example.org/b/errata/",
	}
	if !slices.Equal(locs, want) {
		t.Errorf("got %q, want %q", locs, want)
	}
	if data, _ = site("", "").Sitemap(); strings.Contains(string(data), "lastmod") ||
		!strings.Contains(string(data), "<loc>/b/one/</loc>") {
		t.Errorf("without origin and day: %s", data)
	}
}

func TestAtomHasAnEntryForEachChapter(t *testing.T) {
	for _, s := range []Site{site("https://example.org", "2026-11-21"), site("", "")} {
		data, err := s.Atom()
		if err != nil {
			t.Fatal(err)
		}
		var got atom
		if err := xml.Unmarshal(data, &got); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if got.Title != "A & B <book>" || got.About != "What it is." || len(got.Entries) != 1 {
			t.Fatalf("got %+v", got)
		}
		e := got.Entries[0]
		if e.Title != "1. One [1]" || e.Summary != "First & best." || len(e.Authors) != 2 ||
			e.Link.Href != s.Origin+"/b/one/" {
			t.Errorf("got %+v", e)
		}
		if e.ID == got.ID || !strings.HasPrefix(e.ID, "https://") && !strings.HasPrefix(e.ID, "urn:uuid:") {
			t.Errorf("the ids are %q and %q", got.ID, e.ID)
		}
		if want := moment(s.Day); e.Updated != want || got.Updated != want || !strings.HasSuffix(want, "T00:00:00Z") {
			t.Errorf("updated %q and %q", got.Updated, e.Updated)
		}
	}
}

// A page that names its day keeps it from edition to edition.
func TestPagesKeepTheirDays(t *testing.T) {
	for edition, want := range map[string][3]string{
		"2026-11-21": {"2026-11-21", "2026-03-04", "2026-11-21"}, // the feed, the chapter, another page
		"2026-01-01": {"2026-03-04", "2026-03-04", "2026-01-01"},
		"":           {"2026-03-04", "2026-03-04", ""},
	} {
		s := site("https://example.org", edition)
		s.Pages[1].Day = "2026-03-04"
		data, err := s.Atom()
		if err != nil {
			t.Fatal(err)
		}
		var a atom
		if err := xml.Unmarshal(data, &a); err != nil {
			t.Fatal(err)
		}
		if a.Updated != want[0]+"T00:00:00Z" || a.Entries[0].Updated != want[1]+"T00:00:00Z" {
			t.Errorf("edition %q: the feed is of %s, its entry of %s", edition, a.Updated, a.Entries[0].Updated)
		}
		if data, err = s.Sitemap(); err != nil {
			t.Fatal(err)
		}
		var m sitemap
		if err := xml.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		if m.URLs[1].Lastmod != want[1] || m.URLs[2].Lastmod != want[2] {
			t.Errorf("edition %q: got %+v", edition, m.URLs)
		}
	}
}

func TestIDsWithoutAnOriginAreUUIDs(t *testing.T) {
	id := site("", "").id("/b/one/")
	hex := strings.ReplaceAll(strings.TrimPrefix(id, "urn:uuid:"), "-", "")
	if len(id) != len("urn:uuid:")+36 || len(hex) != 32 || hex[12] != '8' ||
		!strings.ContainsRune("89ab", rune(hex[16])) {
		t.Errorf("%q is no UUID of version 8", id)
	}
}

func TestGuide(t *testing.T) {
	want := `# A & B <book>

> What it is.

Each page is also plain Markdown, with every calculator worked at its default values.

## Chapters

- [1. One \[1\]](https://example.org/b/one/index.md): First & best.

## Other pages

- [A & B <book>](https://example.org/b/index.md): What it is.
- [About](https://example.org/b/about/index.md)
`
	if got := string(site("https://example.org", "").Guide()); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestRobots(t *testing.T) {
	if got := string(site("", "").Robots()); strings.Contains(got, "Sitemap") || !strings.Contains(got, "Allow: /") {
		t.Errorf("got %q", got)
	}
	if got := string(site("https://example.org", "").Robots()); !strings.Contains(
		got,
		"Sitemap: https://example.org/b/sitemap.xml\n",
	) {
		t.Errorf("got %q", got)
	}
}
