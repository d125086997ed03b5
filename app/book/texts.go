package book

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

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
