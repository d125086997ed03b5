// Package feed tells machines what the book holds: a sitemap, an Atom feed, robots.txt and llms.txt.
//
// The origin of the site is known only where it is published. Without it addresses are paths below the host, which a
// reader of the files can still follow, but which the formats of sitemap and feed want to be whole.
package feed

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/book"
)

// Site is what the files speak of.
type Site struct {
	Origin string // "https://example.org", or "" where it isn't known
	Day    string // of the edition: "2026-11-21", or ""
	Base   string // the path of the home page
	Name   string // of the book
	Pages  []*book.Page
	Others []string // addresses of pages that the site makes itself, with the base path

	Programs []File // what programs read, for the guide
}

// File is a file below the home page.
type File struct{ Name, About string }

// unknown is the day of an edition that has no day set. A feed must name one, and the clock would make every
// build another.
const unknown = "1970-01-01"

// day is the day of a page's last change: the edition's, unless the page names one.
func (s Site) day(p *book.Page) string { return cmp.Or(p.Day, s.Day) }

// moment is a day as feeds write it.
func moment(day string) string { return cmp.Or(day, unknown) + "T00:00:00Z" }

// latest is the day on which something of the feed changed last.
func (s Site) latest() string {
	last := s.Day
	for _, p := range s.Pages {
		if p.Kind == book.Chapter {
			last = max(last, p.Day)
		}
	}
	return last
}

// about is the description of the book.
func (s Site) about() string {
	for _, p := range s.Pages {
		if p.Kind == book.Home {
			return p.Description
		}
	}
	return ""
}

// document prints a tree of XML.
func document(tree any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", " ")
	if err := e.Encode(tree); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

type sitemap struct {
	XMLName xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []location `xml:"url"`
}

type location struct {
	Loc     string `xml:"loc"`
	Lastmod string `xml:"lastmod,omitempty"`
}

// Sitemap lists the pages for crawlers.
func (s Site) Sitemap() ([]byte, error) {
	m := sitemap{}
	for _, p := range s.Pages {
		m.URLs = append(m.URLs, location{s.Origin + p.URL, s.day(p)})
	}
	for _, url := range s.Others {
		m.URLs = append(m.URLs, location{s.Origin + url, s.Day})
	}
	return document(m)
}

type atom struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string   `xml:"title"`
	About   string   `xml:"subtitle,omitempty"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Author  author   `xml:"author"`
	Links   []link   `xml:"link"`
	Entries []entry  `xml:"entry"`
}

type author struct {
	Name string `xml:"name"`
}

type link struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type entry struct {
	Title   string   `xml:"title"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Authors []author `xml:"author"`
	Link    link     `xml:"link"`
	Summary string   `xml:"summary"`
}

// Atom is a feed with an entry for each chapter.
func (s Site) Atom() ([]byte, error) {
	f := atom{
		Title: s.Name, About: s.about(), ID: s.id(s.Base), Updated: moment(s.latest()),
		Author: author{"The authors of " + s.Name},
		Links: []link{
			{"self", "application/atom+xml", s.Origin + s.Base + "feed.xml"},
			{"alternate", "text/html", s.Origin + s.Base},
		},
	}
	for _, p := range s.Pages {
		if p.Kind != book.Chapter {
			continue
		}
		e := entry{
			Title: p.FullTitle(), ID: s.id(p.URL), Updated: moment(s.day(p)), Summary: p.Description,
			Link: link{"alternate", "text/html", s.Origin + p.URL},
		}
		for _, name := range p.Authors {
			e.Authors = append(e.Authors, author{name})
		}
		f.Entries = append(f.Entries, e)
	}
	return document(f)
}

// id is a name for a page that no other page in the world has: its address, or as long as that isn't known, a UUID made
// of its path (RFC 9562, version 8).
func (s Site) id(url string) string {
	if s.Origin != "" {
		return s.Origin + url
	}
	h := sha256.Sum256([]byte("scalebook " + url))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// Robots is robots.txt: everything may be read. Crawlers look for it at the top of a host only.
func (s Site) Robots() []byte {
	text := "User-agent: *\nAllow: /\n"
	if s.Origin != "" {
		text += "\nSitemap: " + s.Origin + s.Base + "sitemap.xml\n"
	}
	return []byte(text)
}

// Guide is llms.txt: what the book is and where its pages are as plain Markdown.
func (s Site) Guide() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", s.Name)
	if about := s.about(); about != "" {
		fmt.Fprintf(&b, "> %s\n\n", about)
	}
	b.WriteString("Each page is also plain Markdown, with every calculator worked at its default values.\n")
	if len(s.Programs) > 0 {
		b.WriteString("\n## For programs\n\n")
	}
	for _, f := range s.Programs {
		fmt.Fprintf(&b, "- [%s](%s): %s\n", f.Name, s.Origin+s.Base+f.Name, f.About)
	}
	for _, part := range []struct {
		title string
		kinds [2]book.Kind
	}{{"Chapters", [2]book.Kind{book.Chapter}}, {"Instruments", [2]book.Kind{book.Tool}}, {"Other pages",
		[2]book.Kind{book.Home, book.Plain}}} {
		title := "\n## " + part.title + "\n\n"
		for _, p := range s.Pages {
			if p.Kind != part.kinds[0] && p.Kind != part.kinds[1] {
				continue
			}
			fmt.Fprintf(&b, "%s- [%s](%sindex.md)", title, bracketed(p.FullTitle()), s.Origin+p.URL)
			if p.Description != "" {
				b.WriteString(": " + p.Description)
			}
			b.WriteByte('\n')
			title = ""
		}
	}
	return []byte(b.String())
}

// bracketed is a text within the brackets of a link.
func bracketed(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
}
