package book

import (
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// directive prints a directive by its name.
func (p *printer) directive(n *directive) {
	kind, ok := kindOf(n.name)
	switch {
	case !ok:
		p.children(n)
	case n.name == "figure":
		p.figure(n)
	case n.name == "table":
		p.tableFigure(n)
	case n.name == "problem":
		p.problem(n)
	case n.name == "answer", n.name == "hint":
		p.fold(n, kind.label)
	case n.name == "erratum":
		p.erratum(n)
	case n.name == "chapters", n.name == "instruments":
		p.listing(n)
	case n.name == "margin":
		class := "margin-note"
		if n.attr("for") == "gpu" {
			class += " on-gpu"
		}
		p.open("div", class, n)
		p.raw(` role="note">` + "\n")
		p.title(n, "p", "margin-title", "")
		p.children(n)
		p.raw("</div>\n")
	default:
		p.open("div", "callout callout-"+n.name, n)
		p.raw(` role="note">` + "\n")
		p.title(n, "p", "callout-title", kind.label)
		p.children(n)
		p.raw("</div>\n")
	}
}

// open writes a start tag with class and id, without its closing bracket.
func (p *printer) open(tag, class string, n *directive) {
	p.raw("<" + tag)
	p.attribute("class", class)
	if n.id != "" {
		p.attribute("id", n.id)
	}
}

// title prints the kind of a box and its title.
func (p *printer) title(n *directive, tag, class, label string) {
	t := n.title()
	if label == "" && t == nil {
		return
	}
	p.raw("<" + tag + ` class="` + class + `">`)
	if label != "" {
		p.raw(`<span class="box-kind">` + html.EscapeString(p.d.say(label)) + "</span>")
		if t != nil {
			p.raw(" ")
		}
	}
	if t != nil {
		p.titleText(t)
	}
	p.raw("</" + tag + ">\n")
}

func (p *printer) figure(n *directive) {
	p.open("figure", "figure", n)
	p.raw(`><div class="figure-art">` + n.svg + "</div>\n")
	p.caption(n, "book.figure")
	p.raw("</figure>\n")
}

// tableFigure prints a table below its caption.
func (p *printer) tableFigure(n *directive) {
	p.open("figure", "figure figure-table", n)
	p.raw("><figcaption>" + p.captionNumber("book.table-number", n.number))
	if t := n.title(); t != nil {
		p.titleText(t)
	}
	p.raw("</figcaption>\n")
	p.children(n)
	p.raw("</figure>\n")
}

func (p *printer) captionNumber(what, number string) string {
	return `<span class="caption-no">` + html.EscapeString(p.d.say(what, "number", number)) + ".</span> "
}

// caption prints the body of a figure below it.
func (p *printer) caption(n *directive, what string) {
	p.lead = p.captionNumber(what, n.number)
	p.raw("<figcaption>")
	p.children(n)
	p.raw(p.takeLead() + "</figcaption>\n")
}

func (p *printer) problem(n *directive) {
	p.open("div", "problem", n)
	h := "h" + strconv.Itoa(n.level)
	p.raw(
		`>` + "\n" + `<div class="heading"><` + h + ` class="problem-title"><span class="problem-no">` +
			html.EscapeString(p.d.say("book.problem", "number", n.number)) + "</span>",
	)
	if t := n.title(); t != nil {
		p.raw(" ")
		p.titleText(t)
	}
	p.raw("</" + h + ">")
	p.permalink(n.id, p.d.say("book.link-to-problem", "number", n.number))
	p.raw("</div>\n")
	p.children(n)
	p.raw("</div>\n")
}

// fold prints an answer or a hint, folded; its problem is said to those who meet the label out of context.
func (p *printer) fold(n *directive, label string) {
	p.open("details", n.name, n)
	p.raw("><summary>" + html.EscapeString(p.d.say(label)) + ordinal(n))
	if d, ok := n.Parent().(*directive); ok && d.name == "problem" {
		p.raw(`<span class="visually-hidden"> ` +
			html.EscapeString(p.d.say("book.to-problem", "number", d.number)) + "</span>")
	}
	if t := n.title(); t != nil {
		p.raw(": ")
		p.titleText(t)
	}
	p.raw("</summary>\n" + `<div class="` + n.name + `-body">` + "\n")
	p.children(n)
	p.raw("</div></details>\n")
}

// ordinal is which of several hints of a problem one is, so that each has a name of its own.
func ordinal(n *directive) string {
	if n.name != "hint" {
		return ""
	}
	at, all := 0, 0
	for x := n.Parent().FirstChild(); x != nil; x = x.NextSibling() {
		if d, ok := x.(*directive); ok && d.name == n.name {
			all++
			if d == n {
				at = all
			}
		}
	}
	if all < 2 {
		return ""
	}
	return " " + strconv.Itoa(at)
}

// inline prints one inline node.
func (p *printer) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		p.prose(n.Segment.Value(p.d.src)[p.eaten:])
		p.eaten = 0
		if n.HardLineBreak() {
			p.raw("<br>\n")
		} else if n.SoftLineBreak() {
			p.raw("\n")
		}
	case *ast.String:
		p.text(string(n.Value))
	case *ast.Emphasis:
		tag := "em"
		if n.Level == 2 {
			tag = "strong"
		}
		p.wrap("<"+tag+">", n, "</"+tag+">")
	case *ast.CodeSpan:
		p.codeSpan(n)
	case *ast.Link:
		p.link(n)
	case *ast.AutoLink:
		p.autoLink(n)
	case *ast.Image:
		if img := p.d.images[n]; img != nil {
			p.raw(img.html(p.d.plain(n)))
		}
	case *mathNode:
		if n.display {
			p.raw(`<span class="math">` + n.html + "</span>")
		} else {
			p.formula(n)
		}
	case *liveNode:
		if p.bare {
			p.text(string(unbroken([]byte(stripTags(n.html)))))
		} else {
			p.raw(n.html)
		}
	case *citeNode:
		p.citation(n)
	case *noteRef:
		p.noteRef(n)
	case *ast.RawHTML:
	default:
		p.children(n)
	}
}

// formula prints inline mathematics together with the punctuation behind it: a line may break after mathematics, but
// not before a comma.
func (p *printer) formula(n *mathNode) {
	if t, ok := n.NextSibling().(*ast.Text); ok {
		s := t.Segment.Value(p.d.src)
		for p.eaten < len(s) && strings.IndexByte(".,;:!?)", s[p.eaten]) >= 0 {
			p.eaten++
		}
		if p.eaten > 0 {
			p.raw(`<span class="nobr">` + n.html + string(s[:p.eaten]) + "</span>")
			return
		}
	}
	p.raw(n.html)
}

func (p *printer) codeSpan(n *ast.CodeSpan) {
	p.raw("<code>")
	for i, word := range strings.Split(strings.ReplaceAll(codeText(n, p.d.src), "\n", " "), " ") {
		if i > 0 {
			p.raw(" ")
		}
		p.codeWord(word)
	}
	p.raw("</code>")
}

// codeWord prints code without a blank. A long word may go on in the next line, behind a sign that joins its parts, so
// that narrow columns cut no name within one of them.
func (p *printer) codeWord(word string) {
	for len(word) > longCode {
		part := 1 + strings.IndexAny(word[:len(word)-1], "_(.,=")
		if part == 0 {
			break
		}
		if word[part] == ')' {
			part++ // nothing stands between the brackets
		}
		p.text(word[:part])
		p.raw("<wbr>")
		word = word[part:]
	}
	p.text(word)
}

// longCode is how many letters of code stay together.
const longCode = 16

func (p *printer) link(n *ast.Link) {
	anchor := !p.bare && len(n.Destination) > 0
	if anchor {
		p.raw("<a")
		p.attribute("href", string(n.Destination))
		if len(n.Title) > 0 {
			p.attribute("title", string(unescape(n.Title)))
		}
		p.raw(">")
	}
	if n.FirstChild() == nil {
		p.raw(p.d.labels[n])
	}
	p.children(n)
	if anchor {
		p.raw("</a>")
	}
}

func (p *printer) autoLink(n *ast.AutoLink) {
	url, label := string(n.URL(p.d.src)), string(n.Label(p.d.src))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(url, "mailto:") {
		url = "mailto:" + url
	}
	if p.bare || !external(url) {
		p.text(label)
		return
	}
	p.raw("<a")
	p.attribute("href", url)
	p.raw(">")
	p.text(label)
	p.raw("</a>")
}

// noteRef prints the mark of a note and, at its first mention, the note: in the line itself, from where the style
// moves it into the margin, or unfolds it below the line on narrow screens when its mark is followed.
func (p *printer) noteRef(n *noteRef) {
	if p.bare || n.number == 0 {
		return
	}
	no := strconv.Itoa(n.number)
	back := "fnref:" + no
	if n.nth > 0 {
		back += ":" + strconv.Itoa(n.nth+1)
	}
	p.raw(
		`<sup class="note-ref"><a id="` + back + `" href="#fn:` + no + `" role="doc-noteref" aria-label="` +
			html.EscapeString(p.d.say("book.note-number", "number", no)) + `">` + no + `</a></sup>`,
	)
	if n.nth > 0 {
		return
	}
	if n.after {
		p.after = append(p.after, n)
		return
	}
	p.note(n)
}

// note prints the text of a note as a span, since it stands within a paragraph.
func (p *printer) note(n *noteRef) {
	no := strconv.Itoa(n.number)
	p.raw(
		`<span class="sidenote" id="fn:` + no + `" role="note" aria-label="` +
			html.EscapeString(p.d.say("book.note-number", "number", no)) + `"><span class="sidenote-no">` + no +
			"</span> ",
	)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.raw(`<span class="sidenote-par"`)
		p.tongue(c)
		p.wrap(">", c, "</span> ")
	}
	p.raw(
		`<a class="note-back" href="#fnref:` + no + `" role="doc-backlink" aria-label="` +
			html.EscapeString(p.d.say("book.note-back", "number", no)) + `">↩</a></span>`,
	)
}

// notesAfter prints the notes that could not stand where they were referred to, such as those of a table.
func (p *printer) notesAfter() {
	notes := p.after
	p.after = nil
	for _, n := range notes {
		p.raw(`<div class="note-after">`)
		p.note(n)
		p.raw("</div>\n")
	}
}
