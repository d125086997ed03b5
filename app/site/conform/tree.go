package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// tree reads the text as browsers do and walks through the elements.
func (c *checker) tree(page []byte, written []string) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		c.fault("%v", err)
		return
	}
	c.walk(root, nil, -1)
	for i := range max(len(written), len(c.seen)) {
		if i >= len(written) || i >= len(c.seen) || written[i] != c.seen[i] {
			at := func(list []string) string {
				return strings.Join(list[min(max(0, i-3), len(list)):min(i+2, len(list))], ", ")
			}
			c.fault("browsers read another tree than was written: … %s, not … %s (depth and name)", at(c.seen), at(written))
			break
		}
	}
	for _, r := range c.referred {
		if !c.ids[r.id] {
			c.fault("%s has %s=%q, and there is no such id", r.element, r.attribute, r.id)
		}
	}
	if c.tops != 1 {
		c.fault("%d headings of the first level; a page has one", c.tops)
	}
}

func (c *checker) walk(n *html.Node, above []*html.Node, depth int) {
	if n.Type == html.ElementNode {
		c.seen = append(c.seen, fmt.Sprint(depth, " ", strings.ToLower(n.Data)))
		c.element(n, above)
		above = append(slices.Clip(above), n)
	}
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		c.walk(kid, above, depth+1)
	}
}

// element checks one element, given those around it from outside inwards.
func (c *checker) element(n *html.Node, above []*html.Node) {
	c.identify(n)
	if n.Namespace != "" || slices.ContainsFunc(above, func(a *html.Node) bool { return a.Namespace != "" }) {
		return // within a drawing or a formula
	}
	if len(above) > 0 {
		c.place(n, above[len(above)-1], above)
	}
	switch n.Data {
	case "details":
		if first := firstElement(n); first == nil || first.Data != "summary" {
			c.fault("%s does not begin with its summary", describe(n))
		}
	case "figcaption":
		if n.Parent.Data != "figure" {
			c.fault("%s is not in a figure", describe(n))
		}
	case "summary":
		if n.Parent.Data != "details" || firstElement(n.Parent) != n {
			c.fault("%s does not begin a details", describe(n))
		}
	}
	c.named(n, above)
}

// place checks that n may stand where it does.
func (c *checker) place(n, parent *html.Node, above []*html.Node) {
	if only, ok := c.children[parent.Data]; ok && !only[n.Data] {
		c.fault("%s stands directly in %s", describe(n), describe(parent))
	}
	if n.Data == "li" && !c.children[parent.Data]["li"] || (n.Data == "dt" || n.Data == "dd") && parent.Data != "dl" && parent.Data != "div" {
		c.fault("%s stands in %s, outside a list", describe(n), describe(parent))
	}
	for _, a := range above {
		if c.phrasing[a.Data] && c.block[n.Data] {
			c.fault("%s stands in %s, which holds only words", describe(n), describe(a))
		}
		if (a.Data == "a" || a.Data == "button") && c.interactive[n.Data] || a.Data == "label" && (n.Data == "label" || n.Data == "a" || n.Data == "button") {
			c.fault("%s stands in %s, which is a control itself", describe(n), describe(a))
		}
		if a.Data == n.Data && (n.Data == "form" || n.Data == "main" || n.Data == "header" && a.Parent.Data == "body") {
			c.fault("%s stands in %s", describe(n), describe(a))
		}
	}
}

func firstElement(n *html.Node) *html.Node {
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		if kid.Type == html.ElementNode {
			return kid
		}
	}
	return nil
}
