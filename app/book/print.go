package book

import (
	"html"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

// printer writes the HTML of one page.
type printer struct {
	d     *draft
	b     strings.Builder
	lead  string     // HTML that the next paragraph begins with: a caption's number
	bare  bool       // without links, ids and notes: for labels and the table of contents
	after []*noteRef // notes to print after the present block
	eaten int        // bytes of the next text that are printed already
	below bool       // a section has started
	later string     // the working of an inline sheet, to print below the sentence
}

func (p *printer) raw(s string)  { p.b.WriteString(s) }
func (p *printer) text(s string) { p.b.WriteString(html.EscapeString(s)) }

// attribute writes ` name="value"`.
func (p *printer) attribute(name, value string) {
	p.b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
}

// prose writes a piece of Markdown text, resolving its backslashes and entities.
func (p *printer) prose(s []byte) {
	ghtml.DefaultWriter.Write(sink{&p.b}, unbroken(s))
}

// sink makes a strings.Builder what goldmark wants to write to.
type sink struct{ *strings.Builder }

func (sink) Available() int { return 1 }
func (sink) Buffered() int  { return 0 }
func (sink) Flush() error   { return nil }

// children prints what is inside n.
func (p *printer) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.node(c)
	}
}

// wrap prints n's children between two pieces of HTML.
func (p *printer) wrap(before string, n ast.Node, behind string) {
	p.raw(before)
	p.children(n)
	p.raw(behind)
}

// node prints one node: a block here, an inline one in print_parts.go.
func (p *printer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		p.heading(n)
	case *ast.Paragraph:
		p.paragraph(n)
	case *ast.Blockquote:
		p.wrap("<blockquote>\n", n, "</blockquote>\n")
	case *ast.List:
		p.list(n)
	case *ast.ListItem:
		p.wrap("<li>", n, "</li>\n")
	case *ast.ThematicBreak:
		p.raw("<hr>\n")
	case *ast.FencedCodeBlock:
		p.fence(n)
	case *ast.CodeBlock:
		p.code("", p.d.fenceText(n))
	case *ast.HTMLBlock, *ast.LinkReferenceDefinition, *titleNode:
	case *directive:
		p.directive(n)
	case *mathBlock:
		p.raw(`<div class="math">` + n.html + "</div>\n")
	case *east.DefinitionList:
		p.wrap("<dl>\n", n, "</dl>\n")
	case *east.DefinitionTerm:
		p.definitionTerm(n)
	case *east.DefinitionDescription:
		p.wrap("<dd>", n, "</dd>\n")
	case *east.Table:
		p.table(n)
	case *ast.TextBlock:
		p.raw(p.takeLead())
		if p.d.inEnglish(n) {
			p.wrap(`<span lang="en">`, n, "</span>")
		} else {
			p.children(n)
		}
		if n.NextSibling() != nil {
			p.raw("\n")
		}
	default:
		p.inline(n)
	}
}

func (p *printer) takeLead() string {
	lead := p.lead
	p.lead = ""
	return lead
}

func (p *printer) paragraph(n *ast.Paragraph) {
	if m, ok := n.FirstChild().(*mathNode); ok && m.display && m.NextSibling() == nil && p.lead == "" {
		p.raw(`<div class="math">` + m.html + "</div>\n")
		return
	}
	p.raw("<p")
	p.tongue(n)
	p.wrap(">"+p.takeLead(), n, "</p>\n")
	p.notesAfter()
	p.raw(p.later)
	p.later = ""
}

// heading prints a heading with the link to itself beside it: inside, the link would become part of the heading's name.
func (p *printer) heading(n *ast.Heading) {
	h := p.d.heads[n]
	tag := "h" + strconv.Itoa(n.Level)
	p.below = p.below || n.Level == 2
	p.raw(`<div class="heading heading-` + tag[1:] + `"><` + tag)
	p.attribute("id", h.id)
	p.tongue(n)
	p.raw(">")
	if h.number != "" {
		p.raw(`<span class="secno">` + h.number + "</span> ")
	}
	p.children(n)
	p.raw("</" + tag + ">")
	p.permalink(h.id, p.d.say("book.link-to-section", "heading", p.d.plain(n)))
	p.raw("</div>\n")
}

// permalink prints the sign of a place that can be linked to. It is no stop of the Tab key, as some twenty on a page
// would stand between the calculators: the contents and the search lead there too, and then the address says the place.
func (p *printer) permalink(id, what string) {
	p.raw(` <a class="permalink" tabindex="-1"`)
	p.attribute("href", "#"+id)
	p.attribute("aria-label", what)
	p.raw(">#</a>")
}

func (p *printer) list(n *ast.List) {
	if !n.IsOrdered() {
		p.wrap("<ul>\n", n, "</ul>\n")
		return
	}
	p.raw("<ol")
	if n.Start != 1 {
		p.attribute("start", strconv.Itoa(n.Start))
	}
	p.wrap(">\n", n, "</ol>\n")
}

// table prints a table in a box that scrolls by itself when the page is narrower.
func (p *printer) table(n *east.Table) {
	p.raw(`<div class="table-box" role="group"`)
	p.attribute("aria-label", p.d.say("book.table"))
	p.raw(` tabindex="0"><table`)
	if coded(n) {
		p.attribute("class", "coded")
	}
	p.raw(">\n")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if _, head := c.(*east.TableHeader); head {
			p.raw("<thead>\n")
			p.cells(c, "th")
			p.raw("</thead>\n")
			if c.NextSibling() != nil {
				p.raw("<tbody>\n")
			}
			continue
		}
		p.cells(c, "td")
	}
	if n.ChildCount() > 1 {
		p.raw("</tbody>\n")
	}
	p.raw("</table></div>\n")
	p.notesAfter()
}

// coded tells whether a table lists what is written in code, as names of functions: its rows begin with it.
func coded(n *east.Table) bool {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		if _, head := row.(*east.TableHeader); head || row.FirstChild() == nil {
			continue
		}
		if _, is := row.FirstChild().FirstChild().(*ast.CodeSpan); is {
			return true
		}
	}
	return false
}

// cells prints a row; the alignment becomes a class.
func (p *printer) cells(row ast.Node, tag string) {
	p.raw("<tr>")
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cell, ok := c.(*east.TableCell)
		if !ok {
			continue
		}
		tag := tag
		if c.ChildCount() == 0 {
			tag = "td" // an empty cell is the head of nothing
		}
		p.raw("<" + tag)
		if tag == "th" {
			p.attribute("scope", "col")
		}
		switch cell.Alignment {
		case east.AlignRight:
			p.attribute("class", "num")
		case east.AlignCenter:
			p.attribute("class", "mid")
		}
		p.tongue(c)
		p.wrap(">", c, "</"+tag+">")
	}
	p.raw("</tr>\n")
}

// code prints a block of code. Its box can be reached by the keyboard, since it may scroll; book.js adds a copy button.
func (p *printer) code(language, code string) {
	name := strings.TrimSpace(language + " code")
	p.raw(`<div class="code" data-copy><pre role="group" tabindex="0"`)
	p.attribute("aria-label", strings.ToUpper(name[:1])+name[1:])
	p.raw("><code")
	if language != "" {
		p.attribute("class", "language-"+language)
	}
	p.raw(">" + highlight(language, code) + "</code></pre></div>\n")
}

// fence prints a sheet, an example, a sheet that must not compile, or code.
func (p *printer) fence(n *ast.FencedCodeBlock) {
	s := p.d.sheets[n]
	if s == nil {
		p.code(p.d.language(n), p.d.fenceText(n))
		return
	}
	switch s.mode {
	case "sheet-error":
		p.raw(`<div class="sheet-error">` + "\n")
		p.code("sheet", s.src.Text)
		p.raw(`<ul class="sheet-errors">`)
		for _, e := range s.errs {
			p.raw("<li>")
			p.coded(e.In(p.d.phrases()))
			p.raw("</li>")
		}
		p.raw("</ul></div>\n")
	case "sheet-example":
		p.raw(`<div class="sheet-example">` + "\n")
		p.code("sheet", s.src.Text)
		p.sheet(s)
		p.raw("</div>\n")
	default:
		if _, ok := n.NextSibling().(*ast.Paragraph); ok && s.Sheet != nil && s.Size == sheet.Inline {
			p.later += p.calculator(s)
			return
		}
		p.sheet(s)
	}
}

// coded prints a message; what stands between backticks is code.
func (p *printer) coded(message string) {
	for i, part := range strings.Split(message, "`") {
		if i%2 == 1 {
			p.raw("<code>")
			p.text(part)
			p.raw("</code>")
		} else {
			p.text(part)
		}
	}
}

func (p *printer) sheet(s *sheetBlock) {
	if s.Sheet != nil {
		p.raw(p.calculator(s))
	}
}

// calculator is a calculator's HTML. Its title is a heading of the third level, and one higher before the first
// section.
func (p *printer) calculator(s *sheetBlock) string {
	text := p.d.b.cfg.RenderSheet(s.Sheet)
	if state := s.state(); state != "" {
		text = strings.Replace(text, "<section ", `<section data-gpu="`+html.EscapeString(state)+`" `, 1)
	}
	if !p.below {
		text = strings.NewReplacer("<h3 ", "<h2 ", "</h3>", "</h2>", "<h4>", "<h3>", "</h4>", "</h3>").Replace(text)
	}
	return text + "\n"
}

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
	p.d.targets[id] = &target{label: p.d.say("book.references")}
	p.raw(`<section class="references" role="doc-bibliography"`)
	p.attribute("aria-labelledby", id)
	p.raw(`><div class="heading heading-2"><h2`)
	p.attribute("id", id)
	p.raw(">" + html.EscapeString(p.d.say("book.references")) + "</h2>")
	p.permalink(id, p.d.say("book.link-to-references"))
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
		title := d.say("book.references")
		toc = append(toc, &Entry{ID: d.refsID, Text: title, HTML: html.EscapeString(title)})
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
