package book

import (
	"bytes"
	"errors"
	"strings"

	"github.com/scalebook/scalebook/app/book/tex"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
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
