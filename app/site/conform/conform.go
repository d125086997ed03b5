// Package conform holds pages to the HTML standard without help from outside, in these steps:
//
//  1. The text is read token by token: every element is closed where it must be, no attribute stands twice or where it has
//     no meaning (tokens.go).
//  2. The text is read as browsers read it, and the tree must be the one that was written: no element has been moved,
//     closed or added by the parser (tree.go).
//  3. In the tree, elements stand where they may; ids are unique, and what refers to one finds it; what needs a name has
//     one; headings leave no level out (tree.go, names.go).
//
// It knows the part of the standard that the book uses (tables.go). The standard's own checker knows the rest, and the
// tests ask it too where there is one.
package conform

import (
	"fmt"

	"golang.org/x/net/html"
)

// Check lists what is wrong with a page.
func Check(page []byte) []string {
	c := &checker{tables: standard(), ids: map[string]bool{}}
	written := c.tokens(page)
	c.tree(page, written)
	return c.faults
}

type checker struct {
	*tables
	faults   []string
	ids      map[string]bool
	referred []reference
	level    int // of the last heading
	tops     int // headings of the first level
	seen     []string
}

// reference is an attribute that names an id.
type reference struct{ element, attribute, id string }

func (c *checker) fault(format string, args ...any) {
	if len(c.faults) < 50 {
		c.faults = append(c.faults, fmt.Sprintf(format, args...))
	}
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// describe names an element for a message: its name with id and class.
func describe(n *html.Node) string {
	text := "<" + n.Data
	for _, name := range []string{"id", "class", "name"} {
		if v, ok := attr(n, name); ok {
			text += fmt.Sprintf(" %s=%q", name, v)
		}
	}
	return text + ">"
}
