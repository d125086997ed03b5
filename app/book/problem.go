package book

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// Problem is a fault in a chapter or in the bibliography: where it is, what it is, and what would be valid.
type Problem struct {
	File      string
	Line, Col int // 1-based; Col counts characters. Line 0 means the file as a whole.
	What      string
	Remedy    string
}

// String prints the problem as `file:line:col: what; remedy`.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d:%d", p.Line, max(p.Col, 1))
	}
	s += ": " + p.What
	if p.Remedy != "" {
		s += "; " + p.Remedy
	}
	return s
}

// Error makes a Problem an error.
func (p Problem) Error() string { return p.String() }

// sortProblems orders problems by place and drops repetitions, so that two runs report alike.
func sortProblems(ps []Problem) []Problem {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(ps)
}

// suggest returns a remedy naming the candidate that name was probably meant to be, or fallback when none is near.
func suggest(name string, candidates []string, fallback string) string {
	if near := spell.Meant(name, candidates); near != "" {
		return phrase.Phrases{}.Say("sheet.did-you-mean", "name", near)
	}
	return fallback
}

// Foreign says why bytes are not a text in UTF-8, and what to do: in which encoding they are, or where the first NUL
// stands, which no text has. What is empty if nothing speaks against them.
func Foreign(src []byte) (line, col int, what, remedy string) {
	if name := Encoding(src); name != "" {
		return 1, 1, "this text is in " + name, "save it as UTF-8"
	}
	at := bytes.IndexByte(src, 0)
	if at < 0 {
		return 0, 0, "", ""
	}
	before := src[:at]
	line, col = 1+bytes.Count(before, []byte("\n")), 1+len(bytes.Runes(before[bytes.LastIndexByte(before, '\n')+1:]))
	return line, col, fmt.Sprintf("byte %d is NUL, which no text has", at+1), "take it out, or name a file that is text"
}

// Encoding is the name of the encoding that bytes are in, if it is one with a mark at its beginning or one whose every
// other byte is mostly NUL, as of English in UTF-16; else "".
func Encoding(src []byte) string {
	for _, e := range [...]struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(src, []byte(e.mark)) {
			return e.name
		}
	}
	const looked = 512
	src = src[:min(len(src), looked)]
	var nul [2]int
	for i, c := range src {
		if c == 0 {
			nul[i%2]++
		}
	}
	if few, many := min(nul[0], nul[1]), max(nul[0], nul[1]); len(src) >= 4 && few == 0 && many*3 >= len(src) {
		return "UTF-16"
	}
	return ""
}
