package book

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
)

// line is what stands within n, as one line.
func (t *twin) line(n ast.Node) string { return strings.TrimSpace(t.inlines(n)) }

func (t *twin) inlines(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(t.inline(c))
	}
	return b.String()
}

// inline is one inline node.
func (t *twin) inline(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		return t.text(n)
	case *ast.String:
		return escape(string(n.Value))
	case *ast.Emphasis:
		return around(strings.Repeat("*", n.Level), t.inlines(n))
	case *ast.CodeSpan:
		return codeSpan(strings.ReplaceAll(codeText(n, t.d.src), "\n", " "))
	case *ast.Link:
		return t.link(n)
	case *ast.AutoLink:
		return "[" + escape(string(n.Label(t.d.src))) + "](" + string(n.URL(t.d.src)) + ")"
	case *ast.Image:
		if img := t.d.images[n]; img != nil {
			return "![" + escape(t.d.plain(n)) + "](" + t.address(img.url) + ")"
		}
		return ""
	case *mathNode:
		mark := "$"
		if n.display {
			mark = "$$"
		}
		return mark + strings.TrimSpace(string(n.tex.Value(t.d.src))) + mark
	case *liveNode:
		return escape(html.UnescapeString(stripTags(n.html)))
	case *citeNode:
		return t.citation(n)
	case *noteRef:
		return t.noteRef(n)
	case *ast.RawHTML:
		return ""
	}
	return t.inlines(n)
}

func (t *twin) text(n *ast.Text) string {
	s := escape(string(unescape(n.Segment.Value(t.d.src))))
	if n.HardLineBreak() {
		return s + "  \n"
	} else if n.SoftLineBreak() {
		return s + " "
	}
	return s
}

// codeText is the text of a code span.
func codeText(n *ast.CodeSpan, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(src))
		case *ast.String:
			b.Write(c.Value)
		}
	}
	return b.String()
}

func (t *twin) link(n *ast.Link) string {
	text := t.line(n)
	if n.FirstChild() == nil {
		text = escape(html.UnescapeString(stripTags(t.d.labels[n])))
	}
	if len(n.Destination) == 0 || text == "" {
		return text
	}
	return "[" + text + "](" + t.address(string(n.Destination)) + ")"
}

// address is where an address of the page leads from elsewhere.
func (t *twin) address(href string) string {
	switch {
	case strings.HasPrefix(href, "#"):
		href = t.origin + t.d.page.URL + href
	case strings.HasPrefix(href, "/"):
		href = t.origin + href
	}
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E").Replace(href)
}

// citation is `([Austin et al., 2025](...); ...)`.
func (t *twin) citation(n *citeNode) string {
	var parts []string
	for _, item := range n.items {
		e := t.d.b.bib.entries[item.key]
		if e == nil {
			continue
		}
		text := escape(e.short() + ", " + t.d.b.bib.year[item.key])
		text = "[" + text + "](" + t.address("#ref:"+item.key) + ")"
		if item.locator != "" {
			text += ", " + escape(item.locator)
		}
		parts = append(parts, text)
	}
	return "(" + strings.Join(parts, "; ") + ")"
}

// references are the works that the page cites.
func (t *twin) references(refs []Reference) string {
	var items []string
	for _, r := range refs {
		text, _, _ := strings.Cut(r.HTML, " <a ")
		item := "- " + escape(html.UnescapeString(stripTags(text)))
		if href := attributeOf(r.HTML, "href"); href != "" {
			item += " <" + href + ">"
		}
		items = append(items, item)
	}
	return strings.Join(items, "\n")
}

// noteRef is the mark of a note. The note itself is kept for the end of the page.
func (t *twin) noteRef(n *noteRef) string {
	if n.number == 0 {
		return ""
	}
	mark := "[^" + strconv.Itoa(n.number) + "]"
	if n.nth == 0 {
		t.notes = append(t.notes, mark+": "+indent(t.blocks(n), 4))
	}
	return mark
}

// pictureText is a picture in words: of a drawing its title and its description, of an image its alternative text.
func pictureText(svg string) string {
	if alt := attributeOf(svg, "alt"); alt != "" {
		return escape(alt)
	}
	var parts []string
	for _, tag := range []string{"title", "desc"} {
		_, rest, found := strings.Cut(svg, "<"+tag)
		text, _, closed := strings.Cut(rest, "</"+tag+">")
		if _, text, _ = strings.Cut(text, ">"); !found || !closed {
			continue
		}
		text = strings.Join(strings.Fields(html.UnescapeString(text)), " ")
		if text != "" && !strings.HasSuffix(text, ".") {
			text += "."
		}
		parts = append(parts, escape(text))
	}
	return strings.Join(parts, " ")
}

// attributeOf is the first attribute of that name in a piece of HTML; "" if there is none.
func attributeOf(fragment, name string) string {
	z := html.NewTokenizer(strings.NewReader(fragment))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range z.Token().Attr {
				if a.Key == name {
					return a.Val
				}
			}
		}
	}
}
