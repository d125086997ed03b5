package book

import (
	"bytes"
	"errors"
	"strings"

	"github.com/scalebook/scalebook/app/book/tex"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// liveParser reads `{{name}}`.
type liveParser struct{}

func (liveParser) Trigger() []byte { return []byte{'{'} }

func (liveParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("{{")) {
		return nil
	}
	end := bytes.Index(line, []byte("}}"))
	if end < 0 {
		return nil
	}
	n := &liveNode{text: strings.TrimSpace(string(line[2:end]))}
	n.SetPos(segment.Start)
	block.Advance(end + 2)
	return n
}

// inputParser reads `[[name]]` and `[[name = 240]]`.
type inputParser struct{}

func (inputParser) Trigger() []byte { return []byte{'['} }

func (inputParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	end := bytes.Index(line, []byte("]]"))
	if !bytes.HasPrefix(line, []byte("[[")) || end < 0 || bytes.HasPrefix(line[end+2:], []byte("(")) {
		return nil
	}
	name, given, _ := strings.Cut(string(line[2:end]), "=")
	n := &liveNode{text: strings.TrimSpace(name), given: strings.TrimSpace(given), input: true}
	if !isRowName(n.text) {
		return nil
	}
	n.SetPos(segment.Start)
	block.Advance(end + 2)
	return n
}

// bracketParser reads `[^label]` and `[@key; @other, p. 3]`.
type bracketParser struct{}

func (bracketParser) Trigger() []byte { return []byte{'['} }

func (bracketParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) < 3 || line[1] != '^' && line[1] != '@' {
		return nil
	}
	end := bytes.IndexByte(line, ']')
	if end < 3 {
		return nil
	}
	inside := string(line[2:end])
	if line[1] == '^' {
		n := &noteRef{label: inside}
		n.SetPos(segment.Start)
		block.Advance(end + 1)
		return n
	}
	n := &citeNode{items: splitCite(string(line[1:end]), segment.Start+1)}
	n.SetPos(segment.Start)
	block.Advance(end + 1)
	return n
}

// splitCite reads `@a; @b, p. 3`. A part that does not begin with @ gets an empty key, which is reported later.
func splitCite(s string, offset int) []citeItem {
	var items []citeItem
	for part := range strings.SplitSeq(s, ";") {
		lead := len(part) - len(strings.TrimLeft(part, " "))
		item := citeItem{offset: offset + lead}
		body := strings.TrimSpace(part)
		if rest, ok := strings.CutPrefix(body, "@"); ok {
			key, locator, _ := strings.Cut(rest, ",")
			item.key, item.locator = strings.TrimSpace(key), strings.TrimSpace(locator)
		}
		items = append(items, item)
		offset += len(part) + 1
	}
	return items
}

// mathParser reads `$...$` and, within a paragraph, `$$...$$`. As in Pandoc, the opening $ has no space after it, and
// the closing one no space before it and no digit after it; `\$` is always a dollar sign.
type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$'} }

func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := &mathNode{display: bytes.HasPrefix(line, []byte("$$"))}
	n.SetPos(segment.Start)
	mark := 1
	if n.display {
		mark = 2
	}
	if len(line) <= mark || !n.display && util.IsSpace(line[mark]) {
		return nil
	}
	block.Advance(mark)
	for {
		line, segment = block.PeekLine()
		if line == nil {
			return nil
		}
		end := closingDollar(line, n.display)
		if end < 0 {
			n.tex.Append(segment)
			block.AdvanceLine()
			continue
		}
		n.tex.Append(segment.WithStop(segment.Start + end))
		block.Advance(end + mark)
		return n
	}
}

// closingDollar finds where the mathematics ends in line, or -1.
func closingDollar(line []byte, display bool) int {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] != '$':
		case display && i+1 < len(line) && line[i+1] == '$':
			return i
		case display:
		case i > 0 && util.IsSpace(line[i-1]):
		case i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9':
		default:
			return i
		}
	}
	return -1
}

// mathBlockParser reads `$$` in block position, so that a line of mathematics may begin with `-`, `=` or `#`.
type mathBlockParser struct{}

func (mathBlockParser) Trigger() []byte { return []byte{'$'} }

func (mathBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], []byte("$$")) {
		return nil, parser.NoChildren
	}
	start := at + 2
	n := &mathBlock{}
	end := closingDollar(line[start:], true)
	switch {
	case end >= 0 && !util.IsBlank(line[start+end+2:]):
		return nil, parser.NoChildren // a paragraph that begins with display mathematics
	case end >= 0:
		n.closed = true
		n.Lines().Append(text.NewSegment(segment.Start-segment.Padding+start, segment.Start-segment.Padding+start+end))
	default:
		n.Lines().Append(text.NewSegment(segment.Start-segment.Padding+start, segment.Stop))
	}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*mathBlock)
	if n.closed {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	end := closingDollar(line, true)
	if end < 0 {
		n.Lines().Append(segment)
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	n.Lines().Append(segment.WithStop(segment.Start + max(end-segment.Padding, 0)))
	if !util.IsBlank(line[end+2:]) {
		n.closed = false
		reader.AdvanceToEOL()
		return parser.Close
	}
	n.closed = true
	reader.AdvanceToEOL()
	return parser.Close
}

func (mathBlockParser) Close(ast.Node, text.Reader, parser.Context) {}
func (mathBlockParser) CanInterruptParagraph() bool                 { return true }
func (mathBlockParser) CanAcceptIndentedLine() bool                 { return false }

// mathematics translates a formula and reports what can't be, at its place in the file.
func (d *draft) mathematics(n ast.Node, lines *text.Segments, display bool) string {
	html, err := tex.MathML(string(lines.Value(d.src)), display)
	if err == nil {
		return html
	}
	offset := posOf(n)
	var fault *tex.Error
	if errors.As(err, &fault) {
		offset = offsetIn(lines, fault.Offset)
		d.problemAt(offset, "mathematics: "+fault.What, fault.Remedy)
		return ""
	}
	d.problemAt(offset, "mathematics: "+err.Error(), "")
	return ""
}

// offsetIn turns an offset in the text of some lines into one in the file.
func offsetIn(lines *text.Segments, at int) int {
	for i := range lines.Len() {
		seg := lines.At(i)
		n := seg.Len() + seg.Padding
		if at < n || i == lines.Len()-1 {
			return min(seg.Start+max(at-seg.Padding, 0), seg.Stop)
		}
		at -= n
	}
	return 0
}

// newParser puts goldmark's parsers and ours in one order. It keeps no state between pages.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(append(parser.DefaultBlockParsers(),
			util.Prioritized(extension.NewDefinitionListParser(), 101),
			util.Prioritized(extension.NewDefinitionDescriptionParser(), 102),
			util.Prioritized(mathBlockParser{}, 690),
			util.Prioritized(directiveParser{}, 695),
			util.Prioritized(extension.NewFootnoteBlockParser(), 999),
		)...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(mathParser{}, 90),
			util.Prioritized(liveParser{}, 95),
			util.Prioritized(inputParser{}, 96),
			util.Prioritized(bracketParser{}, 98),
			util.Prioritized(newTypographer(), 9999),
		)...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		)...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
		parser.WithHeadingAttribute(),
	)
}

// newTypographer writes the characters themselves, where goldmark would write entities.
func newTypographer() parser.InlineParser {
	return extension.NewTypographerParser(extension.WithTypographicSubstitutions(extension.TypographicSubstitutions{
		extension.LeftSingleQuote:  []byte("‘"),
		extension.RightSingleQuote: []byte("’"),
		extension.LeftDoubleQuote:  []byte("“"),
		extension.RightDoubleQuote: []byte("”"),
		extension.EnDash:           []byte("–"),
		extension.EmDash:           []byte("—"),
		extension.Ellipsis:         []byte("…"),
		extension.LeftAngleQuote:   nil, // `<<` and `>>` stay as they are: they are seldom quotes here
		extension.RightAngleQuote:  nil,
		extension.Apostrophe:       []byte("’"),
	}))
}

// The nodes that our own parsers make. What the survey and the resolution find out is kept in them.
var (
	kindDirective = ast.NewNodeKind("Directive")
	kindTitle     = ast.NewNodeKind("DirectiveTitle")
	kindMathBlock = ast.NewNodeKind("MathBlock")
	kindMath      = ast.NewNodeKind("Math")
	kindLive      = ast.NewNodeKind("Live")
	kindCite      = ast.NewNodeKind("Cite")
	kindNoteRef   = ast.NewNodeKind("NoteRef")
)

// directive is `:::name Title {#id key="value"}` with what stands up to the closing colons.
type directive struct {
	ast.BaseBlock
	name   string
	attrs  []attr
	colons int
	closed bool
	number string // of a figure, table or problem: "1.2"
	id     string
	level  int // of the heading that a problem's title is
	svg    string
	listed []card // of chapters and instruments
}

// attr is one attribute; the id is named "#" and a class ".".
type attr struct {
	name, value string
	offset      int
}

func (n *directive) Kind() ast.NodeKind         { return kindDirective }
func (n *directive) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }
func (n *directive) attr(name string) string {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// title returns the directive's title, or nil.
func (n *directive) title() *titleNode {
	t, _ := n.FirstChild().(*titleNode)
	return t
}

// titleNode holds the inline text of a directive's first line; it is always the first child.
type titleNode struct{ ast.BaseBlock }

func (n *titleNode) Kind() ast.NodeKind         { return kindTitle }
func (n *titleNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// mathBlock is `$$ ... $$` in block position; its lines are the TeX between the marks.
type mathBlock struct {
	ast.BaseBlock
	closed bool
	html   string
}

func (n *mathBlock) Kind() ast.NodeKind         { return kindMathBlock }
func (n *mathBlock) IsRaw() bool                { return true }
func (n *mathBlock) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// mathNode is `$...$`, or `$$...$$` within a paragraph.
type mathNode struct {
	ast.BaseInline
	tex     text.Segments
	display bool
	html    string
}

func (n *mathNode) Kind() ast.NodeKind         { return kindMath }
func (n *mathNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// liveNode is `{{name}}` or `{{sheet.name}}`, and `[[name]]` or `[[sheet.name = 240]]` for a number that readers
// change.
type liveNode struct {
	ast.BaseInline
	text   string       // between the braces, up to an =
	input  bool         // it can be changed
	given  string       // what stands behind the =
	above  *sheet.Sheet // the nearest sheet above, if any
	broken bool         // that sheet does not compile
	html   string
}

func (n *liveNode) Kind() ast.NodeKind         { return kindLive }
func (n *liveNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// citeNode is `[@key; @other, p. 3]`.
type citeNode struct {
	ast.BaseInline
	items []citeItem
}

// citeItem is one work of a citation, and where in it.
type citeItem struct {
	key, locator string
	offset       int
}

func (n *citeNode) Kind() ast.NodeKind         { return kindCite }
func (n *citeNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// noteRef is `[^label]`. The first reference to a note takes the note's paragraphs as its children.
type noteRef struct {
	ast.BaseInline
	label  string
	number int
	nth    int  // 0 for the first reference, which carries the note
	after  bool // the note is printed after the block that holds the reference, not within it
}

func (n *noteRef) Kind() ast.NodeKind         { return kindNoteRef }
func (n *noteRef) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// attachNotes moves the text of every note to its first reference and numbers the references.
func (d *draft) attachNotes() {
	notes, labels := d.takeNotes()
	used := map[string]int{} // number of each note in use
	times := map[string]int{}
	walk(d.doc, func(n ast.Node) bool {
		ref, ok := n.(*noteRef)
		if !ok {
			return true
		}
		note := notes[ref.label]
		if note == nil {
			d.problem(ref, "no note `[^"+ref.label+"]`", suggest(ref.label, labels, "define it: `[^"+ref.label+"]: ...`"))
			return false
		}
		if used[ref.label] == 0 {
			used[ref.label] = len(used) + 1
			for c := note.FirstChild(); c != nil; c = note.FirstChild() {
				ref.AppendChild(ref, c)
			}
		}
		ref.number, ref.nth = used[ref.label], times[ref.label]
		times[ref.label]++
		return true
	})
	for _, label := range labels {
		if used[label] == 0 && notes[label].FirstChild() != nil {
			d.problem(notes[label], "the note `[^"+label+"]` is never used", "refer to it, or take it out")
		}
	}
}

// takeNotes removes the notes from where they were written.
func (d *draft) takeNotes() (notes map[string]*east.Footnote, labels []string) {
	notes = map[string]*east.Footnote{}
	var lists []ast.Node
	walk(d.doc, func(n ast.Node) bool {
		if n.Kind() == east.KindFootnoteList {
			lists = append(lists, n)
			return false
		}
		return true
	})
	for _, list := range lists {
		for c := list.FirstChild(); c != nil; c = c.NextSibling() {
			note := c.(*east.Footnote)
			label := string(note.Ref)
			if notes[label] != nil {
				d.problem(note, "a second note `[^"+label+"]`", "give it another label")
				continue
			}
			d.checkNote(note)
			notes[label] = note
			labels = append(labels, label)
		}
		list.Parent().RemoveChild(list.Parent(), list)
	}
	return notes, labels
}

// checkNote allows what can stand within a line: paragraphs.
func (d *draft) checkNote(note *east.Footnote) {
	if note.FirstChild() == nil {
		d.problem(note, "an empty note", "write its text behind the colon")
	}
	for c := note.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() != ast.KindParagraph && c.Kind() != ast.KindTextBlock {
			d.problem(c, "a note holds paragraphs only", "use a `:::margin` for more")
			note.RemoveChild(note, c)
			return
		}
	}
}
