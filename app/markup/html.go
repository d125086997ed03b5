package markup

import (
	"strings"
	"unicode/utf8"
)

// HTML prints nodes as HTML. Equal trees give equal bytes; texts and attribute values are escaped.
func HTML(nodes ...*Node) string {
	var b strings.Builder
	for _, n := range nodes {
		n.print(&b)
	}
	return b.String()
}

func (n *Node) print(b *strings.Builder) {
	switch {
	case n == nil:
	case n.Raw != "":
		b.WriteString(n.Raw)
	case n.Tag == "":
		escape(b, n.Text, false)
	default:
		n.printElement(b)
	}
}

func (n *Node) printElement(b *strings.Builder) {
	b.WriteString("<" + n.Tag)
	for _, a := range n.Attrs {
		b.WriteString(" " + a.Name)
		if !a.Flag {
			b.WriteString(`="`)
			escape(b, a.Value, true)
			b.WriteByte('"')
		}
	}
	b.WriteByte('>')
	if void(n.Tag) {
		return
	}
	for _, k := range n.Kids {
		k.print(b)
	}
	b.WriteString("</" + n.Tag + ">")
}

// void says whether the element has neither content nor an end tag.
func void(tag string) bool {
	switch tag {
	case "input", "br", "hr", "img", "wbr":
		return true
	}
	return false
}

// Escape makes s fit for text and for quoted attributes of HTML and XML.
func Escape(s string) string {
	var b strings.Builder
	escape(&b, s, true)
	return b.String()
}

// escape writes s so that it can neither end an attribute nor begin an element. What XML forbids becomes the
// replacement character.
func escape(b *strings.Builder, s string, attribute bool) {
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"' && attribute:
			b.WriteString("&quot;")
		case r < ' ' && r != '\n' && r != '\t', r == 0x7f, r == 0xfffe, r == 0xffff:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
}
