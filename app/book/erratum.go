package book

import (
	"html"

	"github.com/yuin/goldmark/ast"
)

// Erratum says where the original book is wrong.
type Erratum struct {
	Page           *Page
	Anchor         string // its id in the page
	Title          string // plain text; may be empty
	Where, Printed string // in the original; plain text
	Edition        string // of the original, and when it was mended, if it was
	HTML           string // what is right, as a block
}

// ID is the erratum's id on the page that collects them.
func (e Erratum) ID() string { return listed(e.Page, e.Anchor) }

// listed is the id that an erratum of a page has where all are listed.
func listed(p *Page, anchor string) string { return p.Slug + "-" + anchor }

// marked says whether only a mark stands in the text, which leads to the list of errata.
func (n *directive) marked() bool { return n.name == "erratum" && n.attr("as") == "mark" }

// erratum checks an erratum and names it.
func (s *survey) erratum(n *directive) {
	s.nameDirective(n, "erratum "+n.attr("where"))
	s.targets[n.id] = &target{label: s.say("book.erratum")}
	if n.attr("where") == "" || n.attr("printed") == "" {
		s.problem(n, "an erratum that does not say what it corrects", "add `{where=\"Section 2\" printed=\"16 B\"}`")
	}
	if n.attr("as") != "" && !n.marked() {
		s.problem(n, "an erratum can't stand as `"+n.attr("as")+"`", "write `as=\"mark\"`, or leave it out")
	}
	if n.marked() && n.title() == nil {
		s.problem(n, "a mark of an erratum needs a title", "write `:::erratum Rounding too early {as=\"mark\" ...}`")
	}
	if inner := onlyInPage(n); n.marked() && inner != nil {
		s.problem(inner, "the body of this erratum stands on the page of errata, which has no calculators or notes",
			"move it out of the erratum, or take away `as=\"mark\"`")
	}
}

// onlyInPage finds a node that can't be shown outside of its page.
func onlyInPage(n ast.Node) (found ast.Node) {
	walk(n, func(c ast.Node) bool {
		switch c.(type) {
		case *ast.FencedCodeBlock, *noteRef:
			found = c
		}
		return found == nil
	})
	return found
}

// inErratum says whether a node stands in an erratum.
func inErratum(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if around, ok := n.(*directive); ok && around.name == "erratum" {
			return true
		}
	}
	return false
}

// erratum prints what the original says and what is right, or a mark of it, and hands it to the book's list.
func (p *printer) erratum(n *directive) {
	if n.marked() {
		p.erratumMark(n)
	} else {
		p.erratumBox(n)
	}
	body := &printer{d: p.d, bare: true}
	body.children(n)
	p.d.page.Errata = append(p.d.page.Errata, Erratum{
		Page: p.d.page, Anchor: n.id, Title: p.d.titleText(n), Where: n.attr("where"),
		Printed: string(unbroken([]byte(n.attr("printed")))), Edition: p.d.edition(n), HTML: body.b.String(),
	})
}

// edition is the edition of the original that an erratum speaks of.
func (d *draft) edition(n *directive) string {
	if e := n.attr("edition"); e != "" {
		return e
	}
	return d.say("book.edition-read")
}

// erratumBox prints an erratum in full.
func (p *printer) erratumBox(n *directive) {
	p.open("div", "callout callout-erratum", n)
	p.raw(` role="note">` + "\n")
	p.title(n, "p", "callout-title", "book.erratum")
	p.raw(`<p class="erratum-printed">`)
	p.text(p.d.say("site.original-prints", "text", string(unbroken([]byte(n.attr("printed"))))))
	p.raw(` <span class="erratum-where">(`)
	p.text(n.attr("where") + ", " + p.d.edition(n))
	p.raw(")</span></p>\n")
	p.children(n)
	p.raw("</div>\n")
}

// erratumMark prints a line beside the text that leads to the erratum in the list.
func (p *printer) erratumMark(n *directive) {
	p.open("p", "erratum-mark", n)
	href := p.d.b.cfg.Base + "errata/#" + listed(p.d.page, n.id)
	p.raw(` role="note"><a href="` + html.EscapeString(href) + `"><span class="box-kind">`)
	p.text(p.d.say("book.erratum"))
	p.raw(`</span> `)
	if t := n.title(); t != nil {
		p.children(t)
	}
	p.raw("</a></p>\n")
}
