package book

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
)

// plain is the text of a node without any marks: for ids, labels and searching.
func (d *draft) plain(n ast.Node) string {
	var b strings.Builder
	d.writePlain(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (d *draft) writePlain(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		b.Write(unescape(n.Segment.Value(d.src)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte(' ')
		}
		return
	case *ast.String:
		b.Write(n.Value)
		return
	case *ast.AutoLink:
		b.Write(n.Label(d.src))
		return
	case *liveNode:
		b.WriteString(stripTags(n.html))
		return
	case *mathNode:
		b.WriteString(plainTeX(string(n.tex.Value(d.src))))
		return
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				b.Write(t.Segment.Value(d.src))
			}
		}
		return
	case *noteRef, *citeNode, *ast.RawHTML, *ast.HTMLBlock:
		return
	case *ast.Link:
		if n.FirstChild() == nil {
			b.WriteString(stripTags(d.labels[n]))
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock, *mathBlock:
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.writePlain(b, c)
		if c.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
	}
}

// unescape resolves backslashes and entities as goldmark does when it prints text.
func unescape(b []byte) []byte {
	return util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(b)))
}

// stripTags is the text of an HTML fragment.
func stripTags(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
		}
	}
}

// plainTeX keeps the letters of a formula.
func plainTeX(tex string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\\', '{', '}', '$':
			return -1
		}
		return r
	}, tex)
}
