package book

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

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
			suggest(id, to.ids(), "explain it in "+to.name+", or name one that is there: `["+d.plain(n)+"](?some-term)`"),
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
