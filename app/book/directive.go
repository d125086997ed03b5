package book

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// directiveParser reads `:::name Title {#id key="value"}` up to a line of as many colons.
type directiveParser struct{}

func (directiveParser) Trigger() []byte { return []byte{':'} }

func (directiveParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	colons := countColons(line[at:])
	rest := line[at+colons:]
	name := leadingName(rest)
	if colons < 3 || name == "" {
		return nil, parser.NoChildren
	}
	n := &directive{name: name, colons: colons}
	base := segment.Start - segment.Padding + at + colons + len(name) // where the title begins in the source
	title := bytes.TrimRight(rest[len(name):], " \t\n")
	title, n.attrs = cutAttrs(title, base)
	trimmed := bytes.TrimLeft(title, " \t")
	if len(trimmed) > 0 {
		t := &titleNode{}
		start := base + len(title) - len(trimmed)
		t.Lines().Append(text.NewSegment(start, start+len(bytes.TrimRight(trimmed, " \t"))))
		t.SetPos(start)
		n.AppendChild(n, t)
	}
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

func (directiveParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	w, at := util.IndentWidth(line, reader.LineOffset())
	if w > 3 || at >= len(line) || line[at] != ':' {
		return parser.Continue | parser.HasChildren
	}
	colons := countColons(line[at:])
	if !util.IsBlank(line[at+colons:]) || !closes(node.(*directive), colons, pc.OpenedBlocks()) {
		return parser.Continue | parser.HasChildren
	}
	node.(*directive).closed = true
	reader.AdvanceToEOL()
	return parser.Close
}

// closes says whether a line of that many colons ends d: it must match, and nothing inside may claim it first.
func closes(d *directive, colons int, open []parser.Block) bool {
	if d.colons != colons {
		return false
	}
	inside := false
	for _, b := range open {
		if b.Node == d {
			inside = true
			continue
		}
		if !inside {
			continue
		}
		switch n := b.Node.(type) {
		case *directive:
			if n.colons == colons {
				return false
			}
		case *ast.FencedCodeBlock, *mathBlock:
			return false
		}
	}
	return true
}

func (directiveParser) Close(ast.Node, text.Reader, parser.Context) {}
func (directiveParser) CanInterruptParagraph() bool                 { return true }
func (directiveParser) CanAcceptIndentedLine() bool                 { return false }

func countColons(b []byte) int {
	n := 0
	for n < len(b) && b[n] == ':' {
		n++
	}
	return n
}

// leadingName returns the letters at the start of b.
func leadingName(b []byte) string {
	i := 0
	for i < len(b) && (isLetter(b[i]) || i > 0 && b[i] == '-') {
		i++
	}
	return string(b[:i])
}

// cutAttrs splits a trailing `{...}` off line; what isn't well-formed stays in the line.
// base is the offset of line in the source.
func cutAttrs(line []byte, base int) ([]byte, []attr) {
	if !bytes.HasSuffix(line, []byte("}")) || bytes.HasSuffix(line, []byte("}}")) {
		return line, nil
	}
	open := bytes.LastIndexByte(line, '{')
	if open < 0 || open > 0 && line[open-1] == '{' {
		return line, nil
	}
	attrs, ok := parseAttrs(string(line[open+1:len(line)-1]), base+open+1)
	if !ok {
		return line, nil
	}
	return line[:open], attrs
}

// parseAttrs reads `#id .class key=value key="some words"`.
func parseAttrs(s string, offset int) ([]attr, bool) {
	var out []attr
	for i := 0; ; {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i == len(s) {
			return out, len(out) > 0
		}
		a := attr{offset: offset + i}
		if s[i] == '#' || s[i] == '.' {
			a.name = s[i : i+1]
			i++
		} else {
			a.name = leadingName([]byte(s[i:]))
			i += len(a.name)
			if a.name == "" || i == len(s) || s[i] != '=' {
				return nil, false
			}
			i++
		}
		if i < len(s) && s[i] == '"' {
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				return nil, false
			}
			a.value, i = s[i+1:i+1+end], i+end+2
		} else {
			end := strings.IndexByte(s[i:]+" ", ' ')
			a.value, i = s[i:i+end], i+end
		}
		out = append(out, a)
	}
}
