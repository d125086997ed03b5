package paper

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"rsc.io/qr"
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
	c := &html.Node{
		Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace, Attr: slices.Clone(n.Attr),
	}
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

// idOf is an id of a page within the whole book; none of XML has a colon.
func idOf(part, id string) string { return part + "--" + strings.ReplaceAll(id, ":", "-") }

// own makes the ids of a page those of its part, so that no two parts share one.
func own(top *html.Node, part string) {
	for _, n := range all(top, func(*html.Node) bool { return true }) {
		for i, a := range n.Attr {
			switch a.Key {
			case "id", "aria-labelledby", "headers":
				ids := strings.Fields(a.Val)
				for i, id := range ids {
					ids[i] = idOf(part, id)
				}
				n.Attr[i].Val = strings.Join(ids, " ")
			case "href":
				if id, ok := strings.CutPrefix(a.Val, "#"); ok {
					n.Attr[i].Val = "#" + idOf(part, id)
				}
			default: // a picture names one of its own parts
				n.Attr[i].Val = strings.ReplaceAll(a.Val, "url(#", "url(#"+part+"--")
			}
		}
	}
}

// link lets the links of a part lead to parts, to the site where that is known, or nowhere.
func (b *Book) link(p *Part) {
	for _, n := range all(p.Body, func(n *html.Node) bool { return n.Data == "a" && bears(n, "href") }) {
		to := b.target(get(n, "href"))
		if to == "" {
			rename(n, "span")
			n.Attr = nil
			continue
		}
		set(n, "href", to)
	}
}

// target is where an address of a page leads in the book: "#id", an address of the web, or "" if nowhere.
func (b *Book) target(href string) string {
	if id, ok := strings.CutPrefix(href, "#"); ok {
		if b.ids[id] == nil {
			return "" // it left with what a screen shows only
		}
		return href
	}
	rest, ok := b.Under(href)
	if !ok {
		if strings.HasPrefix(href, "/") {
			return b.Address(href)
		}
		return href
	}
	rest, id, _ := strings.Cut(rest, "#")
	rest, _, asked := strings.Cut(rest, "?")
	if asked && b.Origin != "" {
		return b.Origin + href
	}
	if rest == "" {
		return "#contents"
	}
	to := b.parts[rest]
	switch {
	case to == nil:
		return b.Address(href)
	case b.ids[idOf(to.ID, id)] != nil:
		return "#" + idOf(to.ID, id)
	}
	return "#" + to.ID
}

// note puts each note of a part behind the block that refers to it.
func (b *Book) note(p *Part) {
	for _, n := range all(p.Body, class("sidenote")) {
		foot := el("aside", "class", "footnote", "role", "doc-footnote", "id", get(n, "id"))
		if after := above(n, class("note-after")); after != nil {
			replace(after, foot)
		} else if block := above(n, tag("p", "table", "dl")); block != nil {
			block.Parent.InsertBefore(foot, block.NextSibling)
		} else {
			with(above(n, tag("li", "dd", "div")), foot)
		}
		remove(n)
		move(foot, n)
	}
}

// addressed says at each calculator of a part where readers can change its numbers: as a picture for a phone's camera
// where the site is known, else by its path in the book.
func (b *Book) addressed(p *Part) {
	for _, s := range all(p.Body, class("sheet")) {
		id := strings.TrimPrefix(get(s, "id"), p.ID+"--")
		url := p.page.URL + "#" + id
		path, _ := b.Under(url)
		link := with(el("p", "class", "sheet-link"), words(path))
		if address := b.Address(url); address != "" {
			a := el("a", "href", address, "aria-label", b.Phrases.Say("site.open-it"))
			if picture := picture(address); picture != nil {
				with(a, picture)
			}
			with(a, with(el("span", "class", "sheet-path"), words(path)))
			link = with(el("p", "class", "sheet-link"), a)
		}
		at := first(s, class("sheet-head"))
		if at == nil {
			at = s
		}
		at.InsertBefore(link, at.FirstChild)
	}
}

// picture is an address as a QR code, nil for one that is too long for a small one.
func picture(address string) *html.Node {
	code, err := qr.Encode(address, qr.L)
	if err != nil {
		return nil
	}
	var d strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&d, "M%d %dh%dv1h-%dz", from, y, x-from, x-from)
			}
		}
	}
	svg := el("svg", "class", "qr", "viewBox", fmt.Sprintf("0 0 %d %d", code.Size, code.Size), "aria-hidden", "true")
	svg.Namespace = "svg"
	path := el("path", "d", d.String())
	path.Namespace = "svg"
	return with(svg, path)
}

// Drawings is a script that gives, for each picture of the printable book in order, its text as XML, with the looks
// that the style sheets give it written into its elements: e-readers know less of style sheets than browsers do.
//
//go:embed drawings.js
var Drawings string

// Draw puts pictures that Drawings gave into the places of those of the book.
func (b *Book) Draw(drawn []string) error {
	var places []*html.Node
	for _, p := range b.Parts {
		places = append(places, all(p.Body, outermost)...)
	}
	if len(places) != len(drawn) {
		return fmt.Errorf("%d pictures were drawn for the %d of the book", len(drawn), len(places))
	}
	for i, n := range places {
		tree, err := parse(drawn[i])
		if err != nil {
			return err
		}
		svg := first(tree, outermost)
		if svg == nil {
			return fmt.Errorf("picture %d was drawn as %.40q", i+1, drawn[i])
		}
		replace(n, svg)
	}
	return nil
}

// outermost wants pictures that lie in no other.
func outermost(n *html.Node) bool { return n.Data == "svg" && above(n, tag("svg")) == nil }
