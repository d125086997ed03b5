package book

import (
	"html"
	"io/fs"
	"strings"
)

// card is a page in a list of the book's own pages. What it says of itself stands in its front matter.
type card struct {
	*Page
	beside []*Page // of a chapter: the pages that belong to it
	art    string  // of an instrument: its picture, an <svg>
}

// listing finds the pages of `:::chapters` and `:::instruments`, and loads their pictures.
func (s *survey) listing(n *directive) {
	for _, d := range s.b.drafts {
		switch p := d.page; {
		case n.name == "chapters" && p.Kind == Chapter:
			n.listed = append(n.listed, card{Page: p})
		case n.name == "chapters" && p.Kind == Plain && p.Number != "" && len(n.listed) > 0:
			if last := &n.listed[len(n.listed)-1]; last.Number == p.Number {
				last.beside = append(last.beside, p)
			}
		case n.name == "instruments" && p.Kind == Tool:
			n.listed = append(n.listed, card{Page: p, art: s.art(n, p)})
		}
	}
}

// art is the picture of a page; "" if it has none.
func (s *survey) art(n *directive, p *Page) string {
	if p.Picture == "" {
		return ""
	}
	data, err := fs.ReadFile(s.b.fsys, p.Picture)
	if err != nil {
		s.problem(n, "no file `"+p.Picture+"`, the picture of "+p.File, "paths are relative to the content folder")
		return ""
	}
	svg, err := cleanSVG(data, "art-"+p.Slug+"--")
	if err != nil {
		s.problem(n, "`"+p.Picture+"`: "+err.Error(), "")
	}
	return svg
}

// holds says what a chapter and the pages beside it have to work with.
func (l card) holds(d *draft) string {
	sheets, problems := len(l.Sheets), len(l.Exercises)
	for _, p := range l.beside {
		sheets, problems = sheets+len(p.Sheets), problems+len(p.Exercises)
	}
	if problems == 0 {
		return d.phrases().Count(sheets, "book.calculators")
	}
	return d.phrases().Count(sheets, "book.calculators") + ", " + d.phrases().Count(problems, "book.problems")
}

// listing prints chapters with their numbers, or instruments with their pictures.
func (p *printer) listing(n *directive) {
	class := "home-chapters"
	if n.name == "instruments" {
		class = "home-tools"
	}
	p.raw(`<ol class="` + class + `">` + "\n")
	for _, l := range n.listed {
		p.raw(`<li><a href="` + html.EscapeString(l.URL) + `">`)
		if n.name == "chapters" {
			p.raw(`<span class="contents-no">` + html.EscapeString(l.Number) + `</span>`)
		} else {
			p.raw(`<span class="tool-art" aria-hidden="true">` + l.art + `</span>`)
		}
		p.raw("<strong>")
		p.text(l.Title)
		p.raw("</strong> <span>")
		p.text(l.Subtitle)
		if n.name == "chapters" {
			p.raw(` <small>`)
			p.text(l.holds(p.d))
			p.raw("</small>")
		}
		p.raw("</span></a></li>\n")
	}
	p.raw("</ol>\n")
}

// listing is the same in Markdown.
func (t *twin) listing(n *directive) string {
	var lines []string
	for _, l := range n.listed {
		lines = append(lines, "- ["+escape(l.FullTitle())+"]("+t.origin+l.URL+"): "+escape(l.Subtitle))
	}
	return strings.Join(lines, "\n")
}
