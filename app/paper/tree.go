package paper

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parse is a piece of HTML as a tree, within a <div>.
func parse(text string) (*html.Node, error) {
	top := el("div")
	nodes, err := html.ParseFragment(strings.NewReader(text), &html.Node{
		Type: html.ElementNode, Data: "div", DataAtom: atom.Div,
	})
	for _, n := range nodes {
		top.AppendChild(n)
	}
	return top, err
}

// el is an element with attributes: name, value, name, value...
func el(tag string, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
	for i := 0; i+1 < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return n
}

// with adds nodes to n and gives it back. Those that are nil are left out.
func with(n *html.Node, kids ...*html.Node) *html.Node {
	for _, kid := range kids {
		if kid == nil {
			continue
		}
		if kid.Parent != nil {
			kid.Parent.RemoveChild(kid)
		}
		n.AppendChild(kid)
	}
	return n
}

// words is a text as a node.
func words(text string) *html.Node { return &html.Node{Type: html.TextNode, Data: text} }

// all are the elements within n that want takes, in their order; what lies within one of them too.
func all(n *html.Node, want func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && want(d) {
			found = append(found, d)
		}
	}
	return found
}

// first is the first of them, nil if there is none.
func first(n *html.Node, want func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && want(d) {
			return d
		}
	}
	return nil
}

// class wants elements of one of these classes.
func class(names ...string) func(*html.Node) bool {
	return func(n *html.Node) bool { return has(n, names...) }
}

// tag wants elements of these names.
func tag(names ...string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(names, n.Data) }
}

// has says whether an element has one of these classes.
func has(n *html.Node, names ...string) bool {
	own := strings.Fields(get(n, "class"))
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(own, name) })
}

// get is the value of an attribute, "" if there is none.
func get(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// bears says whether an element has an attribute.
func bears(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// set gives an attribute a value; "" takes it away.
func set(n *html.Node, name, value string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	if value != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
	}
}

// rename makes another element of n.
func rename(n *html.Node, tag string) { n.Data, n.DataAtom = tag, atom.Lookup([]byte(tag)) }

// remove takes n out of its tree.
func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// replace puts another node in the place of n.
func replace(n, by *html.Node) {
	if by.Parent != nil {
		by.Parent.RemoveChild(by)
	}
	n.Parent.InsertBefore(by, n)
	n.Parent.RemoveChild(n)
}

// unwrap puts what is within n in its place.
func unwrap(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
}

// move puts all that is within from at the end of n.
func move(n, from *html.Node) *html.Node {
	if from == nil {
		return n
	}
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		n.AppendChild(c)
	}
	return n
}

// copied is a copy of n and of all within it.
func copied(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		c.AppendChild(copied(kid))
	}
	return c
}

// plain is the text within n, with single spaces.
func plain(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// above is the nearest element around n that want takes, nil if there is none.
func above(n *html.Node, want func(*html.Node) bool) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Type == html.ElementNode && want(p) {
			return p
		}
	}
	return nil
}
