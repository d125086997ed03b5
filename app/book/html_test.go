package book

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// wellFormed fails if a fragment is not balanced, has two equal ids, or holds what a strict page must not.
func wellFormed(t testing.TB, fragment string) {
	t.Helper()
	if err := checkHTML(fragment); err != nil {
		t.Error(err)
	}
}

var voidElements = []string{"br", "hr", "img", "input", "wbr"}

// blocks can't stand within a paragraph or a span.
var blocks = []string{
	"p",
	"div",
	"ul",
	"ol",
	"dl",
	"table",
	"pre",
	"section",
	"details",
	"figure",
	"blockquote",
	"h2",
	"h3",
	"h4",
}

func checkHTML(fragment string) error {
	z := html.NewTokenizer(strings.NewReader(fragment))
	var open []string
	ids := map[string]bool{}
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if len(open) > 0 {
				return fmt.Errorf("never closed: %v", open)
			}
			return nil
		case html.DoctypeToken, html.CommentToken:
			return fmt.Errorf("a comment or a doctype: %s", z.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			if err := checkTag(tok, ids); err != nil {
				return err
			}
			if slices.Contains(blocks, tok.Data) && (slices.Contains(open, "p") || slices.Contains(open, "span")) {
				return fmt.Errorf("<%s> within %v", tok.Data, open)
			}
			if tok.Data == "a" && slices.Contains(open, "a") {
				return fmt.Errorf("a link within a link: %s", tok)
			}
			if !slices.Contains(voidElements, tok.Data) && kind != html.SelfClosingTagToken { // which drawings have
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			tok := z.Token()
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				return fmt.Errorf("</%s> closes %v", tok.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
}

func checkTag(tok html.Token, ids map[string]bool) error {
	switch tok.Data {
	case "script", "style", "iframe", "object", "embed", "form", "link", "meta", "base":
		return fmt.Errorf("<%s>", tok.Data)
	}
	for _, a := range tok.Attr {
		switch {
		case a.Key == "id" && ids[a.Val]:
			return fmt.Errorf("two ids %q", a.Val)
		case a.Key == "id":
			ids[a.Val] = true
		case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			return fmt.Errorf("attribute %s of <%s>", a.Key, tok.Data)
		case a.Key == "href" || a.Key == "src":
			v := strings.ToLower(strings.TrimSpace(a.Val))
			if !external(v) && !strings.HasPrefix(v, "#") && !strings.HasPrefix(v, "/") {
				return fmt.Errorf("address %q", a.Val)
			}
		}
	}
	return nil
}

// TestCheckHTML makes sure that the check itself can fail.
func TestCheckHTML(t *testing.T) {
	for _, bad := range []string{
		"<p>", "</p>", "<p><div></div></p>", "<span><p></p></span>", "<script></script>", `<p onclick="x"></p>`,
		`<p style="x"></p>`,
		`<a href="javascript:x"></a>`, `<i id="a"></i><i id="a"></i>`, "<!-- x -->", "<b><i></b></i>",
		`<a href="#x"><a href="#y"></a></a>`,
	} {
		if checkHTML(bad) == nil {
			t.Errorf("%s passes", bad)
		}
	}
	if err := checkHTML(`<p>x<br><a href="/y">z</a></p><div><p></p></div>`); err != nil {
		t.Error(err)
	}
}

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
