package book

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// print makes everything that a page says out of its resolved draft.
func (d *draft) print() {
	p := &printer{d: d}
	p.children(d.doc)
	d.page.References = d.references()
	p.references(d.page.References)
	d.page.HTML = p.b.String()
	d.page.draft = d
	d.page.TOC = d.contents()
	d.page.Sections = d.sections()
	for _, s := range d.page.Sections {
		d.page.Words += len(strings.Fields(s.Text))
	}
	d.page.Minutes = readingTime(d.page.Words, len(d.page.Sheets))
}

// inlineHTML prints a heading or a title for use elsewhere: without links, ids and notes.
func (d *draft) inlineHTML(n ast.Node) string {
	p := &printer{d: d, bare: true}
	p.children(n)
	return strings.TrimSpace(p.b.String())
}

// references prints the list of references.
func (p *printer) references(refs []Reference) {
	if len(refs) == 0 {
		return
	}
	id := p.d.freeID("references", "")
	p.d.targets[id] = &target{label: "References"}
	p.raw(`<section class="references" role="doc-bibliography"`)
	p.attribute("aria-labelledby", id)
	p.raw(`><div class="heading heading-2"><h2`)
	p.attribute("id", id)
	p.raw(">References</h2>")
	p.permalink(id, "the references")
	p.raw("</div>\n<ul>\n")
	for _, r := range refs {
		p.raw("<li")
		p.attribute("id", r.ID)
		p.raw(">" + r.HTML + "</li>\n")
	}
	p.raw("</ul></section>\n")
	p.d.refsID = id
}

// contents is the tree of the headings of level 2 and 3.
func (d *draft) contents() []*Entry {
	var toc []*Entry
	for _, n := range d.order {
		h := d.heads[n]
		e := &Entry{ID: h.id, Number: h.number, Text: d.plain(n), HTML: d.inlineHTML(n)}
		switch {
		case n.Level == 2 || n.Level == 3 && len(toc) == 0:
			toc = append(toc, e)
		case n.Level == 3:
			last := toc[len(toc)-1]
			last.Sub = append(last.Sub, e)
		}
	}
	if d.refsID != "" {
		toc = append(toc, &Entry{ID: d.refsID, Text: "References", HTML: "References"})
	}
	return toc
}

// sections splits the text of a page at its headings.
func (d *draft) sections() []Section {
	sections := []Section{{}}
	var text strings.Builder
	flush := func() {
		sections[len(sections)-1].Text = strings.Join(strings.Fields(text.String()), " ")
		text.Reset()
	}
	walk(d.doc, func(n ast.Node) bool {
		h, ok := n.(*ast.Heading)
		if !ok {
			return d.sectionText(&text, n)
		}
		flush()
		sections = append(sections, Section{ID: d.heads[h].id, Heading: d.plain(h)})
		return false
	})
	flush()
	if sections[0].Text == "" {
		sections = sections[1:]
	}
	return sections
}

// sectionText adds what a node says to the text of a section; true asks for its children.
func (d *draft) sectionText(text *strings.Builder, n ast.Node) bool {
	switch n := n.(type) {
	case *titleNode:
		if parent, ok := n.Parent().(*directive); ok && parent.name != "figure" { // a figure's title is a path
			d.writePlain(text, n)
			text.WriteString(" — ")
		}
		return false
	case *directive:
		if n.marked() { // its body stands on another page
			text.WriteString(d.titleText(n) + " ")
			return false
		}
	case *ast.FencedCodeBlock:
		if s := d.sheets[n]; s != nil && s.Sheet != nil {
			text.WriteString(s.Title + ". ")
		}
	case *ast.Paragraph, *ast.TextBlock, *east.TableCell, *east.DefinitionTerm:
		d.writePlain(text, n)
		text.WriteByte(' ')
		return false
	}
	return true
}
