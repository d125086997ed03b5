package book

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// survey goes through a page once, in the order of its text.
type survey struct {
	*draft
	above    *sheetBlock
	level    int    // of the last heading
	sections [5]int // how many headings of level 2, 3 and 4 there were, at indices 2 to 4
	counts   map[string]int
	examples int
}

// survey numbers and names what the page holds and compiles its sheets.
func (d *draft) survey() {
	d.claimIDs()
	d.attachNotes()
	s := &survey{draft: d, level: 1, counts: d.b.countsOf(d.page.Number)}
	walk(d.doc, s.visit)
	d.nameTerms()
	d.checkPlacement()
}

// countsOf counts figures, tables and problems: from page to page of a chapter, and anew on every page of none.
func (b *builder) countsOf(chapter string) map[string]int {
	if chapter == "" {
		return map[string]int{}
	}
	if b.counts[chapter] == nil {
		b.counts[chapter] = map[string]int{}
	}
	return b.counts[chapter]
}

// claimIDs registers every id that the author or the shell has chosen, before any is made up.
func (d *draft) claimIDs() {
	for _, id := range d.b.cfg.Reserved {
		d.targets[id] = &target{}
	}
	walk(d.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Heading:
			if id, ok := n.AttributeString("id"); ok {
				text, _ := id.([]byte)
				d.claim(n, string(text), &target{heading: n})
			}
		case *directive:
			if id := n.attr("#"); id != "" && d.claim(n, id, &target{label: n.name, title: n.title()}) {
				n.id = id
			}
		case *ast.FencedCodeBlock:
			if src, ok := d.source(n); ok && src.ID != "" && src.Mode != "sheet-error" {
				d.claim(n, src.ID, &target{})
				d.targets[src.ID+"-title"] = &target{}
			}
		}
		return true
	})
}

// claim registers an id that an author wrote, or says why it can't.
func (d *draft) claim(n ast.Node, id string, t *target) bool {
	switch {
	case !validID(id):
		d.problem(n, "the id `"+id+"` is not one", "use letters, digits and single dashes, a letter first")
	case d.targets[id] != nil:
		by := d.targets[id].claimed
		if by == "" {
			by = "the page itself"
		}
		d.problem(n, "the id `"+id+"` is taken by "+by, "ids are unique within a page; choose another")
	default:
		t.claimed = d.at(n)
		d.targets[id] = t
		return true
	}
	return false
}

// freeID makes an id out of words, unlike all others of the page. A book in another language takes that of the English.
func (d *draft) freeID(words, fallback string) string {
	id := d.madeID(words, fallback)
	if n := len(d.made); n < len(d.english) {
		id = d.english[n]
	}
	d.made = append(d.made, id)
	return id
}

func (d *draft) madeID(words, fallback string) string {
	slug := slugOf(words)
	if slug == "" {
		slug = fallback
	}
	id := slug
	for i := 2; d.targets[id] != nil; i++ {
		id = slug + "-" + strconv.Itoa(i)
	}
	return id
}

// slugOf keeps letters and digits, in lower case, with single dashes between the words.
func slugOf(words string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(words) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '\'' || r == '’':
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > 60 {
			break
		}
	}
	slug := strings.Trim(b.String(), "-")
	if slug != "" && !isLetter(slug[0]) {
		slug = "s-" + slug
	}
	return slug
}

// visit surveys one node.
func (s *survey) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Heading:
		s.heading(n)
	case *ast.FencedCodeBlock:
		s.fence(n)
	case *directive:
		s.directive(n)
	case *liveNode:
		if s.above != nil {
			n.above, n.broken = s.above.Sheet, s.above.Sheet == nil
		}
	case *mathBlock:
		if !n.closed {
			s.problem(n, "mathematics without an end", "close it with `$$` at the end of a line")
		}
	case *ast.HTMLBlock:
		if !isComment(s.htmlBlock(n)) {
			s.problem(n, "raw HTML in a chapter", "use Markdown or a directive; `&lt;` writes a <")
		}
	case *ast.RawHTML:
		if !isComment(n.Segments.Value(s.src)) {
			s.problemAt(n.Segments.At(0).Start, "raw HTML in a chapter",
				"use Markdown or a directive; `&lt;` writes a <")
		}
	case *ast.Text:
		s.leftovers(n)
	case *citeNode:
		s.cite(n)
	case *ast.CodeSpan:
		return false
	}
	return true
}

// isComment says whether b is one HTML comment and nothing else.
func isComment(b []byte) bool {
	b = bytes.TrimSpace(b)
	return bytes.HasPrefix(b, []byte("<!--")) && bytes.Index(b, []byte("-->")) == len(b)-3
}

func (d *draft) htmlBlock(n *ast.HTMLBlock) []byte {
	out := n.Lines().Value(d.src)
	if n.HasClosure() {
		out = append(bytes.Clone(out), n.ClosureLine.Value(d.src)...)
	}
	return out
}

// heading numbers a heading and gives it its id.
func (s *survey) heading(n *ast.Heading) {
	if n.Level == 1 {
		s.problem(n, "a heading of level 1", "the title stands in the front matter; sections begin with `##`")
	}
	if n.Level > s.level+1 {
		s.problem(
			n,
			"a heading of level "+strconv.Itoa(n.Level)+" below one of level "+strconv.Itoa(s.level),
			"go down one level at a time",
		)
	}
	s.level = n.Level
	h := &head{}
	if n.Level >= 2 && n.Level <= 4 {
		s.sections[n.Level]++
		for l := n.Level + 1; l <= 4; l++ {
			s.sections[l] = 0
		}
	}
	class, _ := n.AttributeString("class")
	if c, _ := class.([]byte); s.page.Kind == Chapter && n.Level <= 3 && !strings.Contains(string(c), "unnumbered") {
		h.number = s.page.Number
		for l := 2; l <= n.Level; l++ {
			h.number += "." + strconv.Itoa(s.sections[l])
		}
	} else if n.Level >= 2 && n.Level <= 4 {
		s.sections[n.Level]-- // an unnumbered section takes no number away
	}
	if id, ok := n.AttributeString("id"); ok {
		text, _ := id.([]byte)
		h.id = string(text)
	}
	if t := s.targets[h.id]; t == nil || t.heading != n {
		h.id = s.freeID(s.plain(n), "section")
		s.targets[h.id] = &target{heading: n}
	}
	if n.FirstChild() == nil {
		s.problem(n, "a heading without a text", "write one, or take the line out")
	}
	s.heads[n] = h
	s.order = append(s.order, n)
}

// fence compiles a sheet; other fences are code.
func (s *survey) fence(n *ast.FencedCodeBlock) {
	src, ok := s.source(n)
	if !ok {
		if language := s.language(n); !knownLanguage(language) {
			s.problem(n, "code in an unknown language: "+language,
				"write go, python, bash, json, latex, sheet, or nothing")
		}
		return
	}
	switch {
	case src.Mode == "sheet-example" && src.ID == "":
		s.examples++
		src.ID = s.freeID(exampleID(s.page, s.examples), "")
	case src.Mode == "sheet" && !validID(src.ID):
		s.problem(n, "a sheet without an id", "write "+"```sheet some-name")
		return
	case !slices.Contains([]string{"", sheet.Hero, sheet.Inline, sheet.Opening}, src.Size):
		s.problem(n, "a sheet has no size `"+src.Size+"`",
			"write hero, inline or opening behind its id, or nothing for a worked answer")
		return
	}
	if block := s.surveySheet(n, src); src.Mode != "sheet-error" {
		s.above = block
		s.b.broken[src.ID] = block.Sheet == nil && s.b.sheets[src.ID] == nil
	}
}

// leftovers finds marks that were meant to be something and stayed text.
func (s *survey) leftovers(n *ast.Text) {
	text := n.Segment.Value(s.src)
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case text[i] == '\\':
			i++
		case text[i] == '$':
			s.problemAt(n.Segment.Start+i, "a `$` without its partner",
				"write `\\$` for a dollar sign, `$...$` for mathematics")
		case bytes.HasPrefix(rest, []byte("{{")):
			s.problemAt(n.Segment.Start+i, "a `{{` without `}}`",
				"write `{{name}}`, or `\\{{` for the braces themselves")
			i++
		case bytes.HasPrefix(rest, []byte(":::")):
			s.problemAt(
				n.Segment.Start+i,
				"colons that open or close nothing",
				"a directive begins `:::name`, and ends with as many colons as it began with",
			)
			i += len(rest)
		}
	}
}

// checkPlacement reports what stands where it can't.
func (d *draft) checkPlacement() {
	walk(d.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *noteRef:
			for p := n.Parent(); p != nil; p = p.Parent() {
				switch p.Kind() {
				case ast.KindHeading, kindTitle:
					d.problem(n, "a note in a heading", "put it into the text below")
				case kindNoteRef:
					d.problem(n, "a note in a note", "join the two")
				case east.KindTableCell:
					n.after = true
				}
			}
		case *liveNode, *mathNode, *mathBlock:
		case *ast.Link:
			for p := n.Parent(); p != nil; p = p.Parent() {
				if p.Kind() == ast.KindHeading || p.Kind() == ast.KindLink {
					d.problem(n, "a link in a heading", "put it into the text below")
				}
			}
		}
		return true
	})
}

// glossary is the slug of the page whose definition lists explain the terms of the book.
const glossary = "glossary"

// nameTerms gives the terms of the glossary their ids, which other pages link to.
func (d *draft) nameTerms() {
	if d.page.Slug != glossary {
		return
	}
	walk(d.doc, func(n ast.Node) bool {
		t, ok := n.(*east.DefinitionTerm)
		if !ok {
			return true
		}
		words := d.plain(t)
		id := slugOf(words)
		if n := len(d.made); n < len(d.english) {
			id = d.english[n]
		}
		d.made = append(d.made, id)
		if d.targets[id] != nil {
			d.problem(
				n,
				"the term `"+words+"` is explained twice, or has the name of something else on this page",
				"join the two, or call one of them differently",
			)
			return false
		}
		d.targets[id] = &target{label: words}
		t.SetAttributeString("id", []byte(id))
		return false
	})
}

// term resolves `[ridge points](?)` and `[keep it busy](?ridge-point)`: a term at its first use on a page, which leads
// to what the glossary says of it.
func (d *draft) term(n *ast.Link, id string) {
	n.Destination = nil
	to := d.b.glossary()
	if to == nil {
		d.problem(n, "there is no glossary to look this up in", "write "+glossary+".md, with definition lists")
		return
	}
	if id == "" {
		id = slugOf(d.plain(n))
	}
	if one := strings.TrimSuffix(id, "s"); to.targets[id] == nil && to.targets[one] != nil {
		id = one
	}
	t := to.targets[id]
	switch {
	case t == nil || t.label == "":
		d.problem(
			n,
			"the glossary has no term `"+id+"`",
			suggest(id, to.ids(), "explain it in "+to.name+", or name one that is there: `["+d.plain(n)+
				"](?some-term)`"),
		)
		return
	case d.explained[id]:
		d.problem(n, "the term `"+id+"` has been explained above on this page", "mark its first use only")
	case n.FirstChild() == nil:
		d.problem(n, "a term without a text", "write `[some words](?"+id+")`")
	}
	d.explained[id] = true
	if to == d {
		n.Destination = []byte("#" + id)
		return
	}
	n.Destination = []byte(to.page.URL + "#" + id)
}

// glossary is the page that explains terms, or nil.
func (b *builder) glossary() *draft {
	for _, d := range b.drafts {
		if d.page.Slug == glossary {
			return d
		}
	}
	return nil
}

// Term is a term of the glossary.
type Term struct {
	ID   string // on the glossary's page
	Name string // plain text
	Text string // Markdown, as in the page's twin: a paragraph for each description
}

// Glossary is the page that explains terms, and these in its order; nil if there is none. Links lie below the origin.
func (b *Book) Glossary(origin string) (*Page, []Term) {
	p := b.Page(glossary)
	if p == nil {
		return nil, nil
	}
	var all []Term
	t := &twin{d: p.draft, origin: origin}
	walk(p.draft.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *east.DefinitionTerm:
			id, _ := n.AttributeString("id")
			text, _ := id.([]byte)
			all = append(all, Term{ID: string(text), Name: p.draft.plain(n)})
			return false
		case *east.DefinitionDescription:
			last := &all[len(all)-1]
			last.Text = strings.TrimPrefix(last.Text+"\n\n"+t.blocks(n), "\n\n")
			return false
		}
		return true
	})
	return p, all
}

// definitionTerm prints a term, with its id if other pages may lead to it.
func (p *printer) definitionTerm(n *east.DefinitionTerm) {
	p.raw("<dt")
	if id, ok := n.AttributeString("id"); ok {
		text, _ := id.([]byte)
		p.attribute("id", string(text))
	}
	p.tongue(n)
	p.raw(">")
	p.children(n)
	p.raw("</dt>\n")
}
