package conform

import (
	"strings"

	"golang.org/x/net/html"
)

// identify checks an element's id and notes what it refers to.
func (c *checker) identify(n *html.Node) {
	if id, ok := attr(n, "id"); ok {
		if id == "" || strings.ContainsAny(id, " \t\n\f\r") {
			c.fault("%s has an id that is empty or holds spaces", describe(n))
		}
		if c.ids[id] {
			c.fault("the id %q is given twice", id)
		}
		c.ids[id] = true
	}
	for _, a := range n.Attr {
		if !c.references[a.Key] {
			continue
		}
		if len(strings.Fields(a.Val)) == 0 {
			c.fault("%s has an empty %s", describe(n), a.Key)
		}
		for _, id := range strings.Fields(a.Val) {
			c.referred = append(c.referred, reference{describe(n), a.Key, id})
		}
	}
}

// named checks that what needs a name has one, and the order of headings.
func (c *checker) named(n *html.Node, above []*html.Node) {
	switch n.Data {
	case "html":
		if lang, _ := attr(n, "lang"); lang == "" {
			c.fault("the page does not say its language")
		}
	case "img":
		if _, ok := attr(n, "alt"); !ok {
			c.fault("%s has no alt", describe(n))
		}
	case "iframe":
		if title, _ := attr(n, "title"); title == "" {
			c.fault("%s has no title", describe(n))
		}
	case "title", "figcaption", "th", "legend", "caption", "dt":
		c.filled(n)
	case "a", "button", "summary":
		if !hasName(n) {
			c.filled(n)
		}
	case "input", "select", "textarea":
		c.labelled(n, above)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		c.heading(n)
	}
}

func (c *checker) heading(n *html.Node) {
	c.filled(n)
	level := int(n.Data[1] - '0')
	if level > c.level+1 {
		c.fault("%s %q follows a heading of level %d", describe(n), text(n), c.level)
	}
	if level == 1 {
		c.tops++
	}
	c.level = level
}

func hasName(n *html.Node) bool {
	for _, name := range []string{"aria-label", "aria-labelledby", "title"} {
		if v, _ := attr(n, name); strings.TrimSpace(v) != "" {
			return true
		}
	}
	return false
}

func (c *checker) filled(n *html.Node) {
	if strings.TrimSpace(text(n)) == "" {
		c.fault("%s is empty", describe(n))
	}
}

// labelled checks that a control has a label: around it, by its id, or of its own.
func (c *checker) labelled(n *html.Node, above []*html.Node) {
	if kind, _ := attr(n, "type"); kind == "hidden" || hasName(n) {
		return
	}
	for _, a := range above {
		if a.Data == "label" {
			return
		}
	}
	id, _ := attr(n, "id")
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	if id == "" || !labels(root, id) {
		c.fault("%s has no label", describe(n))
	}
}

// labels says whether some label below n is for id.
func labels(n *html.Node, id string) bool {
	if n.Data == "label" {
		if f, _ := attr(n, "for"); f == id {
			return true
		}
	}
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		if labels(kid, id) {
			return true
		}
	}
	return false
}

// text is what is written in an element, with the descriptions of pictures.
func text(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	alt, _ := attr(n, "alt")
	label, _ := attr(n, "aria-label")
	var b strings.Builder
	b.WriteString(alt + label)
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		b.WriteString(text(kid))
	}
	return b.String()
}
