package book

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What a browser makes of a printed sheet is, node by node, what its view says was printed: the program that brings the
// sheet to life finds each part, and whatever the reader does, by counting children.
func TestPrintedSheetsHaveTheShapeOfTheirViews(t *testing.T) {
	sheets(t, func(s *sheet.Sheet) {
		v := widget.New(s)
		want := markup.Shape(widget.Fill(v.Frame(), v.Printed)...)
		if got := unlike(printedBody(t, s).FirstChild, want); got != "" {
			t.Errorf("%s: %s", s.ID, got)
		}
	})
}

// printedBody is the body of a sheet as a browser reads it.
func printedBody(t *testing.T, s *sheet.Sheet) *html.Node {
	t.Helper()
	within := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	top, err := html.ParseFragment(strings.NewReader(widget.Static(s)), within)
	if err != nil || len(top) != 1 {
		t.Fatal(s.ID, top, err)
	}
	return top[0].LastChild
}

// unlike says where the siblings from n on differ from nodes, empty if they don't.
func unlike(n *html.Node, nodes []*markup.Node) string {
	for _, want := range nodes {
		switch text := want.Tag == "" && want.Raw == ""; {
		case n == nil:
			return "nothing stands where there should be " + markup.HTML(want)
		case text != (n.Type == html.TextNode), text && n.Data != want.Text, want.Tag != "" && n.Data != want.Tag:
			return n.Data + " stands where there should be " + markup.HTML(want)
		case want.Tag != "":
			if got := unlike(n.FirstChild, want.Kids); got != "" {
				return got
			}
		}
		n = n.NextSibling
	}
	if n != nil {
		return n.Data + " stands where there should be nothing"
	}
	return ""
}
