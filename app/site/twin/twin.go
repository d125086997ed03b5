// Package twin writes a page of the book as plain Markdown: for readers without a browser, for other programs, for quoting.
//
// It starts from the page's HTML, because there every number is filled in, every reference has its text and every problem
// its number. Calculators become the table of their rows at default values, plots what they say in words and as a table,
// mathematics becomes TeX again (tex.go).
package twin

import (
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/widget"
	"golang.org/x/net/html"
)

// Markdown is the page as plain Markdown, with addresses below the origin ("" leaves them as paths).
func Markdown(p *book.Page, origin string) (string, error) {
	doc, err := html.Parse(strings.NewReader(p.HTML))
	if err != nil {
		return "", err
	}
	w := &writer{page: p, origin: origin}
	var b strings.Builder
	b.WriteString("# " + escape(p.FullTitle()) + "\n\n")
	for _, line := range []string{p.Subtitle, p.Description} {
		if line != "" {
			b.WriteString("*" + escape(line) + "*\n\n")
		}
	}
	b.WriteString("From <" + origin + p.URL + ">, where every number can be changed.\n\n")
	b.WriteString(w.blocks(body(doc)))
	for _, note := range w.notes {
		b.WriteString("\n\n" + note)
	}
	b.WriteByte('\n')
	return b.String(), nil
}

func body(doc *html.Node) *html.Node {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "body" {
			return n
		}
	}
	return doc
}

// writer is a page under way.
type writer struct {
	page   *book.Page
	origin string
	notes  []string // the notes met so far, written at the end
}

// blocks are the blocks within n, with an empty line between two of them. Inline nodes between blocks make a paragraph.
func (w *writer) blocks(n *html.Node) string {
	var out []string
	var line strings.Builder
	flush := func() {
		if text := strings.TrimSpace(line.String()); text != "" {
			out = append(out, guard(text))
		}
		line.Reset()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !isBlock(c) {
			line.WriteString(w.inline(c))
			continue
		}
		flush()
		if text := w.block(c); text != "" {
			out = append(out, text)
		}
	}
	flush()
	return strings.Join(out, "\n\n")
}

func isBlock(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Data {
	case "p", "div", "section", "ul", "ol", "dl", "blockquote", "pre", "table", "figure", "figcaption", "details", "summary",
		"h1", "h2", "h3", "h4", "h5", "h6", "hr", "header", "article":
		return true
	}
	return false
}

// block is one block.
func (w *writer) block(n *html.Node) string {
	switch n.Data {
	case "p", "figcaption":
		text := guard(strings.TrimSpace(w.inlines(n)))
		if has(n, "callout-title") || has(n, "margin-title") {
			return "**" + text + "**"
		}
		return text
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return strings.Repeat("#", int(n.Data[1]-'0')) + " " + strings.TrimSpace(w.inlines(n))
	case "ul", "ol":
		return w.list(n)
	case "dl":
		return w.definitions(n)
	case "blockquote":
		return quote(w.blocks(n))
	case "hr":
		return "---"
	case "table":
		return w.table(n)
	case "pre":
		return code(n)
	case "summary":
		return "**" + strings.TrimSpace(plain(n)) + "**"
	case "section":
		if has(n, "sheet") {
			return w.sheet(n)
		}
	case "div":
		switch {
		case has(n, "math"):
			return strings.TrimSpace(w.inlines(n))
		case has(n, "callout"), has(n, "margin-note"):
			return quote(w.blocks(n))
		}
	}
	return w.blocks(n)
}

// quote sets a mark before every line.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n> "), "> \n", ">\n")
}

func (w *writer) list(n *html.Node) string {
	var items []string
	no := 1
	if start := attr(n, "start"); start != "" {
		fmt.Sscan(start, &no)
	}
	for c := range n.ChildNodes() {
		if c.Data != "li" {
			continue
		}
		mark := "- "
		if n.Data == "ol" {
			mark = fmt.Sprintf("%d. ", no)
			no++
		}
		text := strings.ReplaceAll(w.blocks(c), "\n", "\n"+strings.Repeat(" ", len(mark)))
		items = append(items, mark+text)
	}
	return strings.Join(items, "\n")
}

// definitions are terms in bold, each followed by what it means.
func (w *writer) definitions(n *html.Node) string {
	var out []string
	for c := range n.ChildNodes() {
		switch c.Data {
		case "dt":
			out = append(out, "**"+strings.TrimSpace(w.inlines(c))+"**")
		case "dd":
			out = append(out, w.blocks(c))
		}
	}
	return strings.Join(out, "\n\n")
}

// table has its caption above it, and a first line of heads, empty if there are none.
func (w *writer) table(n *html.Node) string {
	var rows [][]string
	caption, heads := "", false
	for c := range n.Descendants() {
		switch {
		case c.Type != html.ElementNode:
		case c.Data == "caption":
			caption = strings.TrimSpace(w.inlines(c))
		case c.Data == "thead":
			heads = true
		case c.Data == "tr":
			rows = append(rows, w.cells(c))
		}
	}
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r))
	}
	if wide == 0 {
		return caption
	}
	if !heads {
		rows = append([][]string{make([]string, wide)}, rows...)
	}
	var b strings.Builder
	if caption != "" {
		b.WriteString(caption + "\n\n")
	}
	for i, r := range rows {
		b.WriteString("|")
		for j := range wide {
			cell := ""
			if j < len(r) {
				cell = r[j]
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteByte('\n')
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", wide) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (w *writer) cells(tr *html.Node) []string {
	var out []string
	for c := range tr.ChildNodes() {
		if c.Data == "td" || c.Data == "th" {
			out = append(out, strings.ReplaceAll(strings.TrimSpace(w.inlines(c)), "|", `\|`))
		}
	}
	return out
}

// code is a fenced block; the fence is longer than any in it.
func code(n *html.Node) string {
	text, language := plain(n), ""
	for c := range n.Descendants() {
		if c.Data == "code" {
			language = strings.TrimPrefix(attr(c, "class"), "language-")
		}
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// sheet is a calculator at its default values: its rows, then its plots and tables.
func (w *writer) sheet(n *html.Node) string {
	id := attr(n, "id")
	for _, s := range w.page.Sheets {
		if s.ID != id {
			continue
		}
		parts := []string{strings.TrimSpace(widget.Markdown(s, s.Eval(nil)))}
		for _, a := range s.Asks {
			parts = append(parts, "*Estimate first:* "+escape(a.Question))
		}
		return strings.Join(append(parts, w.drawn(n)...), "\n\n")
	}
	for _, p := range w.page.Placed {
		if p.ID == id {
			return strings.TrimSpace(p.Markdown())
		}
	}
	return w.blocks(n) // no calculator of this page: whatever it shows
}

// drawn are the plots of a calculator in words, and its tables.
func (w *writer) drawn(n *html.Node) []string {
	var out []string
	for c := range n.Descendants() {
		if c.Type != html.ElementNode {
			continue
		}
		switch c.Data {
		case "svg":
			out = append(out, "*Plot:* "+w.inline(c))
		case "table":
			out = append(out, w.table(c))
		}
	}
	return out
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// has says whether n is of a class.
func has(n *html.Node, class string) bool {
	for c := range strings.FieldsSeq(attr(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

// plain is the text of n as it stands.
func plain(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
