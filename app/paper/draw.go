package paper

import (
	_ "embed"
	"fmt"

	"golang.org/x/net/html"
)

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
