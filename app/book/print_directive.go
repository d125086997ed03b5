package book

import (
	"html"
	"strconv"
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
		p.open("div", "margin-note", n)
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
		p.raw(`<span class="box-kind">` + label + "</span>")
		if t != nil {
			p.raw(" ")
		}
	}
	if t != nil {
		p.children(t)
	}
	p.raw("</" + tag + ">\n")
}

func (p *printer) figure(n *directive) {
	p.open("figure", "figure", n)
	p.raw(`><div class="figure-art">` + n.svg + "</div>\n")
	p.caption(n, "Figure")
	p.raw("</figure>\n")
}

// tableFigure prints a table below its caption.
func (p *printer) tableFigure(n *directive) {
	p.open("figure", "figure figure-table", n)
	p.raw("><figcaption>" + captionNumber("Table", n.number))
	if t := n.title(); t != nil {
		p.children(t)
	}
	p.raw("</figcaption>\n")
	p.children(n)
	p.raw("</figure>\n")
}

func captionNumber(what, number string) string {
	return `<span class="caption-no">` + what + " " + html.EscapeString(number) + ".</span> "
}

// caption prints the body of a figure below it.
func (p *printer) caption(n *directive, what string) {
	p.lead = captionNumber(what, n.number)
	p.raw("<figcaption>")
	p.children(n)
	p.raw(p.takeLead() + "</figcaption>\n")
}

func (p *printer) problem(n *directive) {
	p.open("div", "problem", n)
	h := "h" + strconv.Itoa(n.level)
	p.raw(
		`>` + "\n" + `<div class="heading"><` + h + ` class="problem-title"><span class="problem-no">Problem ` +
			html.EscapeString(
				n.number,
			) + "</span>",
	)
	if t := n.title(); t != nil {
		p.raw(" ")
		p.children(t)
	}
	p.raw("</" + h + ">")
	p.permalink(n.id, "problem "+n.number)
	p.raw("</div>\n")
	p.children(n)
	p.raw("</div>\n")
}

// fold prints an answer or a hint, folded; its problem is said to those who meet the label out of context.
func (p *printer) fold(n *directive, label string) {
	p.open("details", n.name, n)
	p.raw("><summary>" + label)
	if d, ok := n.Parent().(*directive); ok && d.name == "problem" {
		p.raw(`<span class="visually-hidden"> to problem ` + html.EscapeString(d.number) + "</span>")
	}
	if t := n.title(); t != nil {
		p.raw(": ")
		p.children(t)
	}
	p.raw("</summary>\n" + `<div class="` + n.name + `-body">` + "\n")
	p.children(n)
	p.raw("</div></details>\n")
}
