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
	case *citeNode:
		p := &printer{d: d, bare: true}
		p.citation(n)
		b.WriteString(stripTags(p.b.String()))
		return
	case *noteRef, *ast.RawHTML, *ast.HTMLBlock:
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

// plainTeX keeps the letters of a formula: T_math for T_\text{math}. Tables of formulas say nothing in a line.
func plainTeX(tex string) string {
	if strings.Contains(tex, `\begin`) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(tex); i++ {
		switch c := tex[i]; {
		case c == '\\' && i+1 < len(tex):
			name := leadingName([]byte(tex[i+1:]))
			if i += max(len(name), 1); !strings.HasPrefix(name, "text") && !strings.HasPrefix(name, "math") {
				b.WriteByte(' ')
			}
		case c != '{' && c != '}':
			b.WriteByte(c)
		}
	}
	return b.String()
}
