package widget

// Node is one node of a view: an element, a text, or a piece of trusted HTML. It is plain data, so that the same tree
// can be printed at build time and mounted in the browser.
type Node struct {
	Tag    string // of an element; empty for a text
	Attrs  []Attr // in the order they are printed
	Events []Event
	Kids   []*Node
	Text   string // of a text
	Raw    string // HTML that is printed as it is: one element, made by us and never by a reader
	Part   string // in a frame: the key of the part that belongs here, and nothing else
}

// Attr is one attribute. A Flag stands without a value, such as `hidden`.
type Attr struct {
	Name, Value string
	Flag        bool
}

// Event says what happens in the browser when the named DOM event reaches the node.
type Event struct {
	Name string // "input"
	Act  Act
}

// Act is what a reader can do to a view, as data. What it applies to is a variable, a row, or a key of the view.
type Act struct {
	Do string // one of the Do constants
	On string
}

// el is an element; what follows the tag is attributes, events and children, in any order. nil nodes are left out.
func el(tag string, parts ...any) *Node {
	n := &Node{Tag: tag}
	for _, p := range parts {
		switch p := p.(type) {
		case Attr:
			n.Attrs = append(n.Attrs, p)
		case Event:
			n.Events = append(n.Events, p)
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
		case string:
			n.Kids = append(n.Kids, text(p))
		case nil:
		default:
			panic("widget: el takes attributes, events, nodes and strings")
		}
	}
	return n
}

func text(s string) *Node { return &Node{Text: s} }

func raw(html string) *Node { return &Node{Raw: html} }

// attr, and those below it, return their part ready for el: boxing it here instead of where they are called makes the
// browser's program smaller.
func attr(name, value string) any { return Attr{Name: name, Value: value} }

func class(c string) any { return Attr{Name: "class", Value: c} }

// bare is an attribute without a value, there only if on holds.
func bare(name string, on bool) any {
	if !on {
		return nil
	}
	return Attr{Name: name, Flag: true}
}

// maybe is an attribute that is left out when its value is empty.
func maybe(name, value string) any {
	if value == "" {
		return nil
	}
	return Attr{Name: name, Value: value}
}

func on(event, do, what string) any { return Event{event, Act{do, what}} }

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
