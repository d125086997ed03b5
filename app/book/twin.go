package book

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"
)

// Markdown is the page as plain Markdown, its twin: for readers without a browser, for other programs, for quoting.
// Every number is filled in, every reference has its text, every problem its number; formulas are the TeX that the
// author wrote, and calculators are what Config.TwinSheet says. Addresses lie below the origin; "" leaves them as
// paths.
func (p *Page) Markdown(origin string) string {
	t := &twin{d: p.draft, origin: origin}
	parts := []string{"# " + escape(p.FullTitle())}
	for _, line := range []string{p.Subtitle, p.Description} {
		if line != "" {
			parts = append(parts, "*"+escape(line)+"*")
		}
	}
	parts = append(parts, "From <"+origin+p.URL+">, where every number can be changed.", t.blocks(t.d.doc))
	if len(p.References) > 0 {
		parts = append(parts, "## "+t.d.say("book.references"), t.references(p.References))
	}
	return strings.Join(append(parts, t.notes...), "\n\n") + "\n"
}

// twin is a page's Markdown under way.
type twin struct {
	d      *draft
	origin string
	notes  []string // the notes met so far, written at the end
}

// blocks are the blocks within n, with an empty line between two of them.
func (t *twin) blocks(n ast.Node) string {
	var out []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if text := t.block(c); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// block is one block.
func (t *twin) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Heading:
		return t.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		return guard(t.line(n))
	case *ast.Blockquote:
		return quote(t.blocks(n))
	case *ast.List:
		return t.list(n)
	case *ast.ThematicBreak:
		return "---"
	case *ast.FencedCodeBlock:
		return t.fence(n)
	case *ast.CodeBlock:
		return codeBlock("", t.d.fenceText(n))
	case *mathBlock:
		return "$$" + strings.TrimSpace(string(n.Lines().Value(t.d.src))) + "$$"
	case *east.Table:
		return t.table(n)
	case *east.DefinitionTerm:
		return "**" + t.line(n) + "**"
	case *directive:
		return t.directive(n)
	case *titleNode, *ast.HTMLBlock, *ast.LinkReferenceDefinition:
		return ""
	}
	return t.blocks(n)
}

func (t *twin) heading(n *ast.Heading) string {
	text := strings.Repeat("#", n.Level) + " "
	if number := t.d.heads[n].number; number != "" {
		text += number + " "
	}
	return text + t.line(n)
}

func (t *twin) list(n *ast.List) string {
	var items []string
	for c, no := n.FirstChild(), n.Start; c != nil; c, no = c.NextSibling(), no+1 {
		mark := "- "
		if n.IsOrdered() {
			mark = strconv.Itoa(no) + ". "
		}
		items = append(items, mark+indent(t.blocks(c), len(mark)))
	}
	return strings.Join(items, "\n")
}

// fence is a calculator, or code.
func (t *twin) fence(n *ast.FencedCodeBlock) string {
	s := t.d.sheets[n]
	if s == nil {
		return codeBlock(t.d.language(n), t.d.fenceText(n))
	}
	var parts []string
	if s.mode != "sheet" {
		parts = append(parts, codeBlock("sheet", s.src.Text))
	}
	if s.mode == "sheet-error" {
		for _, e := range s.errs {
			parts = append(parts, "- "+codeSpan(e.Error()))
		}
	} else if s.Sheet != nil && t.d.b.cfg.TwinSheet != nil {
		parts = append(parts, strings.TrimSpace(t.d.b.cfg.TwinSheet(s.Sheet)))
	}
	return strings.Join(parts, "\n\n")
}

func (t *twin) table(n *east.Table) string {
	var b strings.Builder
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		b.WriteString("|")
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			b.WriteString(" " + strings.ReplaceAll(t.line(cell), "|", `\|`) + " |")
		}
		b.WriteByte('\n')
		if _, head := row.(*east.TableHeader); head {
			b.WriteString("|" + strings.Repeat(" --- |", row.ChildCount()) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// directive is a directive by its name.
func (t *twin) directive(n *directive) string {
	kind, ok := kindOf(n.name)
	switch {
	case !ok:
		return t.blocks(n)
	case n.name == "chapters", n.name == "instruments":
		return t.listing(n)
	case n.name == "figure":
		return join(pictureText(n.svg), t.d.say("book.figure", "number", n.number)+". "+t.blocks(n))
	case n.name == "table":
		return join(t.d.say("book.table-number", "number", n.number)+". "+t.title(n), t.blocks(n))
	case n.name == "problem":
		return join(strings.Repeat("#", n.level)+" "+t.d.say("book.problem", "number", n.number)+". "+t.title(n),
			t.blocks(n))
	case n.name == "answer", n.name == "hint":
		return join("**"+t.foldTitle(t.d.say(kind.label), n)+"**", t.blocks(n))
	case n.name == "erratum":
		printed := t.d.say("site.original-prints", "text", escape(n.attr("printed"))) + " (" +
			escape(n.attr("where")+", "+t.d.edition(n)) + ")"
		return quote(join(t.boxTitle(t.d.say(kind.label), n), printed, t.blocks(n)))
	}
	return quote(join(t.boxTitle(t.d.say(kind.label), n), t.blocks(n)))
}

func (t *twin) foldTitle(text string, n *directive) string {
	if d, ok := n.Parent().(*directive); ok && d.name == "problem" {
		text += " " + t.d.say("book.to-problem", "number", d.number)
	}
	if title := t.title(n); title != "" {
		text += ": " + title
	}
	return text
}

// boxTitle is the kind of a box and its title.
func (t *twin) boxTitle(label string, n *directive) string {
	title := t.title(n)
	if label != "" && title != "" {
		label += ": "
	}
	if label+title == "" {
		return ""
	}
	return "**" + label + title + "**"
}

func (t *twin) title(n *directive) string {
	if title := n.title(); title != nil {
		return t.line(title)
	}
	return ""
}

// join sets an empty line between the texts that there are.
func join(texts ...string) string {
	var out []string
	for _, text := range texts {
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

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
	return inAddresses.Replace(href)
}

// inAddresses are the characters that would end an address.
var inAddresses = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E")

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
