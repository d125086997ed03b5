// Package markup is what everything that is drawn or printed is made of: a tree of nodes as plain data, its printer,
// and a pen for SVG. The same tree is printed at build time and mounted in the browser. It knows nothing of the book.
package markup

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
