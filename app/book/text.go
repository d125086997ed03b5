package book

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
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

// unmarked are the characters of Markdown that would be read as marks, each with what stands for itself.
var unmarked = strings.NewReplacer(
	`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;", "$", `\$`, "~", `\~`,
)

// escape keeps a text from being read as marks.
func escape(s string) string { return unmarked.Replace(s) }

// guard keeps a paragraph from being read as a heading, a list or a quotation because of how it begins.
func guard(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("#>+-=|:", rune(s[0])) {
		return `\` + s
	}
	digits := strings.TrimLeft(s, "0123456789")
	if len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') &&
		(len(digits) == 1 || digits[1] == ' ') {
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}

// codeSpan is a piece of code; its fence is longer than any in it.
func codeSpan(text string) string {
	fence := fenceFor(text, "`")
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// codeBlock is a fenced block; its fence is longer than any in it.
func codeBlock(language, text string) string {
	fence := fenceFor(text, "```")
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// fenceFor is a fence that is longer than any in a text.
func fenceFor(text, fence string) string {
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// quote sets a mark before every line.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n> "), "> \n", ">\n")
}

// indent moves every line but the first to the right.
func indent(text string, by int) string {
	return strings.ReplaceAll(
		strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", by)),
		strings.Repeat(" ", by)+"\n",
		"\n",
	)
}

// around sets marks around a text, leaving outer spaces outside.
func around(mark, text string) string {
	inner := strings.TrimSpace(text)
	if inner == "" {
		return text
	}
	at := strings.Index(text, inner)
	return text[:at] + mark + inner + mark + text[at+len(inner):]
}

// nbsp is a space at which no line breaks.
const nbsp = "\u00a0"

// unbroken keeps a number and its unit on one line, "40 %", "1.3 ms", the sides of a slice, "16 × 20", the name of a
// model, "Llama 3 70B", and what is numbered with its number.
func unbroken(s []byte) []byte {
	var out []byte
	from := 0
	for i := 1; i < len(s); i++ {
		if s[i] != ' ' || !joins(s[:i], s[i+1:]) {
			continue
		}
		out = append(append(out, s[from:i]...), nbsp...)
		from = i + 1
	}
	return append(out, s[from:]...)
}

// joins says whether a space keeps what stands before and after it together.
func joins(before, after []byte) bool {
	number := len(after) > 0 && isDigit(after[0])
	if isDigit(before[len(before)-1]) {
		return bytes.HasPrefix(after, []byte("× ")) || isUnit(wordOf(after)) ||
			number && bytes.HasPrefix(bytes.TrimLeft(after, "0123456789."), []byte("B"))
	}
	word := before[bytes.LastIndexByte(before, ' ')+1:]
	name := len(word) > 1 && 'A' <= word[0] && word[0] <= 'Z' && isLetter(before[len(before)-1]) ||
		string(word) == "chapter"
	return number && (name || bytes.HasSuffix(before, []byte("×")))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordOf is the word that s begins with, without the punctuation behind it.
func wordOf(s []byte) string {
	word, _, _ := bytes.Cut(s, []byte(" "))
	return string(bytes.TrimRight(word, ".,;:!?)”’\"'"))
}

// isUnit says whether a word is a unit of a dimension or a percent sign; "tokens" may stand on the next line.
func isUnit(word string) bool {
	if word == "%" {
		return true
	}
	if word == "" || len(word) > 10 {
		return false
	}
	one, err := quantity.UnitOf("1 " + word)
	return err == nil && one.Dim != quantity.Dim{}
}

// Role is what a text is in its chapter.
type Role string

// The roles of texts.
const (
	InFront   Role = "front matter"
	InProse   Role = "text" // a paragraph, an item of a list, a note
	InHeading Role = "heading"
	InTitle   Role = "title of a directive"
	InCell    Role = "cell of a table"
	InTerm    Role = "term"
	InAttr    Role = "attribute" // of a directive: alt="...", printed="..."
	InFence   Role = "fence"     // lines of a sheet or of code, which hold texts in turn
)

// Text is a piece of a chapter that a reader sees.
type Text struct {
	Role     Role
	From, To int    // bytes of the file
	Line     int    // 1-based
	Text     string // in Markdown, its lines joined by spaces; of a fence its lines as they are
	Under    string // the heading above it
	Info     string // of a fence what stands behind its mark; of the front matter and attributes their key
	Starts   []int  // of a fence: where each of its lines begins in the file
}

// Texts are the pieces of a chapter that a reader sees, in their order.
func Texts(name string, src []byte) []Text {
	d := (&builder{}).newDraft(name, src)
	t := &texts{draft: d}
	t.front(Normalise(src))
	walk(d.doc, t.visit)
	slices.SortStableFunc(t.all, func(a, b Text) int { return a.From - b.From })
	return t.all
}

type texts struct {
	*draft
	under string
	all   []Text
}

// front adds the texts of the front matter.
func (t *texts) front(src []byte) {
	offset := 0
	for i, line := range bytes.SplitAfter(src, []byte("\n")) {
		if i > 0 && strings.TrimSpace(string(line)) == "---" {
			return
		}
		key, value, ok := strings.Cut(strings.TrimRight(string(line), "\n \t"), ":")
		if body := strings.TrimSpace(value); ok && body != "" && slices.Contains(frontTexts, key) {
			from := offset + strings.Index(string(line), body)
			if len(body) >= 2 && (body[0] == '"' || body[0] == '\'') && body[len(body)-1] == body[0] {
				from, body = from+1, body[1:len(body)-1]
			}
			t.add(Text{Role: InFront, From: from, To: from + len(body), Text: body, Info: key})
		}
		offset += len(line)
	}
}

func (t *texts) add(x Text) {
	x.Line, _ = t.place(x.From)
	x.Under = t.under
	t.all = append(t.all, x)
}

func (t *texts) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Heading:
		t.under = t.plain(n)
		t.block(InHeading, n)
	case *ast.Paragraph, *ast.TextBlock:
		t.block(InProse, n)
	case *titleNode:
		if d, ok := n.Parent().(*directive); !ok || d.name != "figure" {
			t.block(InTitle, n)
		}
	case *east.DefinitionTerm:
		t.block(InTerm, n)
	case *east.TableCell:
		t.block(InCell, n)
	case *directive:
		t.attributes(n)
	case *ast.FencedCodeBlock:
		t.fence(n)
		return false
	case *ast.HTMLBlock, *ast.CodeBlock, *mathBlock, *ast.LinkReferenceDefinition:
		return false
	}
	return true
}

// block adds a block of one text.
func (t *texts) block(role Role, n ast.Node) {
	lines := n.Lines()
	if lines == nil || lines.Len() == 0 {
		return
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	var parts []string
	for i := range lines.Len() {
		seg := lines.At(i)
		if part := strings.TrimSpace(string(seg.Value(t.src))); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return
	}
	lead := t.src[first.Start:first.Stop]
	from := first.Start + len(lead) - len(bytes.TrimLeft(lead, " \t"))
	to := last.Start + len(bytes.TrimRight(t.src[last.Start:last.Stop], " \t\n"))
	t.add(Text{Role: role, From: from, To: to, Text: strings.Join(parts, " ")})
}

// seen are the attributes of directives that readers see.
var seen = []string{"alt", "where", "printed", "edition"}

// attributes adds those of a directive that readers see.
func (t *texts) attributes(n *directive) {
	for _, a := range n.attrs {
		if !slices.Contains(seen, a.name) || a.value == "" {
			continue
		}
		from := a.offset + len(a.name) + 1
		if t.src[from] == '"' {
			from++
		}
		t.add(Text{Role: InAttr, From: from, To: from + len(a.value), Text: a.value, Info: a.name})
	}
}

func (t *texts) fence(n *ast.FencedCodeBlock) {
	x := Text{Role: InFence, Text: t.fenceText(n)}
	if n.Info != nil {
		x.Info = string(n.Info.Segment.Value(t.src))
	}
	for i := range n.Lines().Len() {
		x.Starts = append(x.Starts, n.Lines().At(i).Start)
	}
	if len(x.Starts) == 0 {
		return
	}
	x.From, x.To = x.Starts[0], n.Lines().At(n.Lines().Len()-1).Stop
	t.add(x)
}

// Inline is what a text in Markdown holds that no translation may change, sorted: formulas, code, live numbers, the
// destinations of links, citations, notes and numbers. What a term of the glossary is called by, `[overlap](?)`, counts
// as the term, which a translation names: `[перекрытие](?overlap)`. Blocks is what blocks the text makes if it stands
// alone: "Paragraph" for one that can take a paragraph's place.
func Inline(markdown string) (keep []string, blocks string) {
	d := readInline(markdown)
	var kinds []string
	walk(d.doc, func(n ast.Node) bool {
		if n.Type() == ast.TypeBlock {
			kinds = append(kinds, n.Kind().String())
		}
		one, more := d.kept(n)
		keep = append(keep, one...)
		return more
	})
	keep = append(keep, numerals.FindAllString(d.words(), -1)...)
	slices.Sort(keep)
	return keep, strings.Join(kinds, " ")
}

// numerals are the numbers of a sentence.
var numerals = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*`)

// Numerals are the numbers of a plain text.
func Numerals(s string) []string { return numerals.FindAllString(s, -1) }

// kept is what a node holds that no translation may change, and whether to look at its children.
func (d *draft) kept(n ast.Node) (keep []string, more bool) {
	switch n := n.(type) {
	case *mathNode:
		return []string{"$" + strings.TrimSpace(spaces(string(n.tex.Value(d.src)))) + "$"}, false
	case *mathBlock:
		return []string{"$" + strings.TrimSpace(spaces(string(n.Lines().Value(d.src)))) + "$"}, false
	case *liveNode:
		switch {
		case n.input && n.given != "":
			return []string{"[[" + n.text + " = " + n.given + "]]"}, false
		case n.input:
			return []string{"[[" + n.text + "]]"}, false
		}
		return []string{"{{" + n.text + "}}"}, false
	case *ast.CodeSpan:
		return []string{"`" + d.plain(n) + "`"}, false
	case *citeNode:
		for _, item := range n.items {
			keep = append(keep, "[@"+item.key+"]")
		}
		return keep, false
	case *noteRef:
		return []string{"[^" + n.label + "]"}, false
	case *ast.AutoLink:
		return []string{"<" + string(n.Label(d.src)) + ">"}, false
	case *ast.Image:
		return []string{"![](" + string(n.Destination) + ")"}, true
	case *ast.Link:
		to := string(n.Destination)
		if to == "?" {
			to += slugOf(d.plain(n))
		}
		return []string{"[](" + to + ")"}, true
	}
	return nil, true
}

// spaces makes one space of each run of them.
func spaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// Words are the words of a text in Markdown: without what [Inline] keeps, numbers apart, and without its marks.
func Words(markdown string) string { return readInline(markdown).words() }

// readInline parses a text that stands alone.
func readInline(markdown string) *draft {
	d := &draft{b: &builder{}, src: []byte(markdown), labels: map[*ast.Link]string{}}
	d.starts = lineStarts(d.src)
	d.doc = newParser().Parse(text.NewReader(d.src))
	return d
}

// words are the words of a page. A number may lie in several nodes of text, which the parser parts at signs.
func (d *draft) words() string {
	var b strings.Builder
	walk(d.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(unescape(n.Segment.Value(d.src)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *mathNode, *mathBlock, *liveNode, *ast.CodeSpan, *citeNode, *noteRef, *ast.AutoLink:
			b.WriteByte(' ')
			return false
		default:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return true
	})
	return b.String()
}
