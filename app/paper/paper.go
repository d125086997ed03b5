// Package paper makes of the book what readers carry with them: one page of HTML that a browser prints, and a book for
// e-readers.
//
// Both have the same parts, and each part is made of the HTML of a page (paper.go): its calculators as they stand at
// their default values, without what only a screen has a use for (still.go), its problems without their answers, which
// stand at the end of the chapter (problems.go), and its links leading to parts (links.go). print.go sets all parts
// behind a cover and a table of contents, and epub.go packs them. pdf.go reads from a printed book on which page each
// part begins, for the table of contents of the next printing, and writes down what the file is.
//
// A note stands below the paragraph that refers to it (notes.go). It can't stand at the foot of the page: Chromium has
// no float: footnote, and tells where its pages end only once they are printed.
package paper

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/site"
	"golang.org/x/net/html"
)

// Book is a volume made ready.
type Book struct {
	site.Volume
	Parts []*Part // in reading order

	parts map[string]*Part // by the address of their page below the base: "rooflines/"
	ids   map[string]*Part // where each id stands
}

// Part is a page of the book, or the answers of a chapter.
type Part struct {
	ID    string // of its heading
	Level int    // 1 for a chapter, 2 for what belongs to one
	Kicker,
	Number, Title, Lede string // plain texts
	Body     *html.Node
	Headings []*Heading

	page *book.Page // nil for answers
}

// Heading is an entry of the contents below a part.
type Heading struct{ ID, Number, Text string }

// Bind makes the parts of a volume.
func Bind(v site.Volume) (*Book, error) {
	b := &Book{Volume: v, parts: map[string]*Part{}, ids: map[string]*Part{}}
	for _, c := range v.Chapters {
		whole := &chapter{book: b, title: c.FullTitle(), slug: c.Slug}
		for i, p := range append([]*book.Page{c.Page}, c.Beside...) {
			part, err := b.part(p, 1+min(i, 1))
			if err != nil {
				return nil, err
			}
			if i == 0 {
				part.Kicker = v.Phrases.Say("site.chapter", "number", p.Number)
			}
			whole.solve(part)
		}
		whole.end()
	}
	if err := b.others(v); err != nil {
		return nil, err
	}
	for _, p := range b.Parts {
		b.note(p)
		for _, n := range all(p.Body, func(n *html.Node) bool { return get(n, "id") != "" }) {
			b.ids[get(n, "id")] = p
		}
		b.ids[p.ID] = p
	}
	for _, p := range b.Parts {
		b.link(p)
		p.heads()
	}
	return b, nil
}

// others adds what is no chapter: the instruments together, and what the book says of words and of itself.
func (b *Book) others(v site.Volume) error {
	if len(v.Instruments) > 0 {
		b.Parts = append(b.Parts, &Part{
			ID: "instruments", Level: 1, Title: v.Phrases.Say("site.instruments"), Body: el("div"),
		})
	}
	for _, p := range append(v.Instruments[:len(v.Instruments):len(v.Instruments)], v.Glossary, v.About) {
		if p == nil {
			continue
		}
		level := 1
		if p.Kind == book.Tool {
			level = 2
		}
		if _, err := b.part(p, level); err != nil {
			return err
		}
	}
	return nil
}

// part makes the part of a page.
func (b *Book) part(p *book.Page, level int) (*Part, error) {
	body, err := parse(p.HTML)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	at, _ := b.Under(p.URL)
	part := &Part{ID: cmp.Or(p.Slug, "home"), Level: level, Title: p.Title, Lede: p.Subtitle, Body: body, page: p}
	if level == 1 {
		part.Number = p.Number
	}
	still(body)
	own(body, part.ID)
	b.addressed(part)
	b.Parts, b.parts[at] = append(b.Parts, part), part
	return part, nil
}

// FullTitle is the title of a part behind its number.
func (p *Part) FullTitle() string {
	if p.Number == "" {
		return p.Title
	}
	return p.Number + ". " + p.Title
}

// heads finds the headings of a part for the contents.
func (p *Part) heads() {
	for _, n := range all(p.Body, tag("h2")) {
		if id := get(n, "id"); id != "" && !has(n, "problem-title") {
			h := &Heading{ID: id, Text: plain(n)}
			if no := first(n, class("secno")); no != nil {
				h.Number = plain(no)
				h.Text = strings.TrimSpace(strings.TrimPrefix(h.Text, h.Number))
			}
			p.Headings = append(p.Headings, h)
		}
	}
}
