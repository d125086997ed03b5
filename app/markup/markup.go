// Package markup is what everything that is drawn or printed is made of: a tree of nodes as plain data, its printer,
// and a pen for SVG. The same tree is printed at build time and mounted in the browser. It knows nothing of the book.
package markup

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Node is an element, a text, or a piece of trusted HTML.
type Node struct {
	Tag    string      // of an element; empty for a text
	Attrs  []Attribute // in the order they are printed
	Events []Event
	Kids   []*Node
	Text   string // of a text
	Raw    string // HTML that is printed as it is: one element, made by us and never by a reader
	Part   string // in a frame: the key of the part that belongs here, and nothing else
}

// Attribute is one attribute of an element. A Flag stands without a value, such as `hidden`.
type Attribute struct {
	Name, Value string
	Flag        bool
}

// Event says what happens in the browser when the named DOM event reaches the node.
type Event struct {
	Name string // "input"
	Act  Act
}

// Act is what a reader can do to a view, as data: what to do, and to which variable, row or key of the view.
type Act struct{ Do, On string }

// El is an element; what follows the tag is attributes, events, children, lists of children and texts, in any order.
// nil is left out.
func El(tag string, parts ...any) *Node {
	n := &Node{Tag: tag}
	n.Add(parts...)
	return n
}

// Add adds attributes, events and children to an element, as El takes them.
func (n *Node) Add(parts ...any) {
	for _, p := range parts {
		n.add(p)
	}
}

func (n *Node) add(part any) {
	switch p := part.(type) {
	case nil:
	case Attribute:
		n.Attrs = append(n.Attrs, p)
	case Event:
		n.Events = append(n.Events, p)
	case string:
		n.Kids = append(n.Kids, Text(p))
	case *Node:
		if p != nil {
			n.Kids = append(n.Kids, p)
		}
	case []*Node:
		for _, k := range p {
			if k != nil {
				n.Kids = append(n.Kids, k)
			}
		}
	default:
		panic("markup: El takes attributes, events, nodes and strings")
	}
}

// Text is a text.
func Text(s string) *Node { return &Node{Text: s} }

// Raw is trusted HTML.
func Raw(html string) *Node { return &Node{Raw: html} }

// Attr is an attribute for El. It, and those below it, return their part ready for El: boxing it here instead of where
// they are called makes the browser's program smaller.
func Attr(name, value string) any { return Attribute{Name: name, Value: value} }

// Class is the attribute class.
func Class(names string) any { return Attribute{Name: "class", Value: names} }

// Flag is an attribute without a value, there only if it holds.
func Flag(name string, holds bool) any {
	if !holds {
		return nil
	}
	return Attribute{Name: name, Flag: true}
}

// Optional is an attribute that is left out when its value is empty.
func Optional(name, value string) any {
	if value == "" {
		return nil
	}
	return Attribute{Name: name, Value: value}
}

// On is an event and what it does.
func On(event, do, what string) any { return Event{event, Act{do, what}} }

// Attr is the value of the named attribute, and whether the node has it.
func (n *Node) Attr(name string) (string, bool) {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

// Walk calls f for n and everything below it, in document order.
func (n *Node) Walk(f func(*Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, k := range n.Kids {
		k.Walk(f)
	}
}

// TextContent is the text of a node and everything below it; trusted HTML has none.
func (n *Node) TextContent() string {
	s := ""
	n.Walk(func(k *Node) { s += k.Text })
	return s
}

// Shape is nodes as a browser has them once it has read their HTML: what is nil or an empty text is not there, and
// neighbouring texts are one. So the nth node stands where the browser's nth does.
func Shape(nodes ...*Node) []*Node {
	out := make([]*Node, 0, len(nodes))
	for _, n := range nodes {
		switch last := len(out) - 1; {
		case n == nil, n.isText() && n.Text == "":
		case n.isText() && last >= 0 && out[last].isText():
			out[last] = Text(out[last].Text + n.Text)
		case n.Tag != "":
			c := *n
			c.Kids = Shape(n.Kids...)
			out = append(out, &c)
		default:
			out = append(out, n)
		}
	}
	return out
}

// isText says whether the node is a text.
func (n *Node) isText() bool { return n.Tag == "" && n.Raw == "" && n.Part == "" }

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

// Pen writes SVG. Coordinates have one decimal: finer than a pixel, and the same text from every machine. The zero
// value is ready to write.
type Pen struct{ b []byte }

// Put writes parts as they are.
func (p *Pen) Put(parts ...string) *Pen {
	for _, s := range parts {
		p.b = append(p.b, s...)
	}
	return p
}

// Escaped writes a text, for an element or an attribute.
func (p *Pen) Escaped(s string) *Pen { return p.Put(Escape(s)) }

// Tenths is v in tenths of a unit, as coordinates are written. What is no number is 0.
func Tenths(v float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return int(math.Round(math.Min(math.Max(v, -1e7), 1e7) * 10))
}

// Number writes a coordinate.
func (p *Pen) Number(v float64) *Pen { return p.Tenths(Tenths(v)) }

// Tenths writes a coordinate that is given in tenths.
func (p *Pen) Tenths(t int) *Pen {
	if t < 0 {
		p.b = append(p.b, '-')
		t = -t
	}
	if t >= 10 || t == 0 {
		p.b = strconv.AppendInt(p.b, int64(t/10), 10)
	}
	if t%10 != 0 {
		p.b = append(p.b, '.', byte('0'+t%10))
	}
	return p
}

// Attr writes an attribute that is a coordinate.
func (p *Pen) Attr(name string, v float64) *Pen { return p.Put(" ", name, `="`).Number(v).Put(`"`) }

// ViewBox writes the attribute of that name.
func (p *Pen) ViewBox(left, top, wide, high float64) *Pen {
	return p.Put(` viewBox="`).Number(left).Put(" ").Number(top).Put(" ").Number(wide).Put(" ").Number(high).Put(`"`)
}

// Move begins a piece of a path.
func (p *Pen) Move(x, y float64) *Pen { return p.Put("M").Number(x).Put(" ").Number(y) }

// Line draws a straight piece of a path.
func (p *Pen) Line(x, y float64) *Pen { return p.Put("L").Number(x).Put(" ").Number(y) }

// Box draws a rectangle as a piece of a path.
func (p *Pen) Box(x, y, wide, high float64) *Pen {
	return p.Move(x, y).Put("h").Number(wide).Put("v").Number(high).Put("h").Number(-wide).Put("z")
}

// Path writes a path of a class; d is its pieces.
func (p *Pen) Path(class, d string) *Pen { return p.Put(`<path class="`, class, `" d="`, d, `"/>`) }

// Rect writes a rectangle with attributes that are as they are: `class="frame"`.
func (p *Pen) Rect(attributes string, x, y, wide, high float64) *Pen {
	p.Put("<rect ", attributes).Attr("x", x).Attr("y", y)
	return p.Attr("width", wide).Attr("height", high).Put("/>")
}

// Label writes a text of a class.
func (p *Pen) Label(class string, x, y float64, text string) *Pen {
	return p.Put(`<text class="`, class, `"`).Attr("x", x).Attr("y", y).Put(">").Escaped(text).Put("</text>")
}

// Len is how much has been written.
func (p *Pen) Len() int { return len(p.b) }

// String is what has been written.
func (p *Pen) String() string { return string(p.b) }
