package site

import (
	"bytes"
	"regexp"
	"strings"
)

// tight drops what only the authors of a style sheet need: comments, and spaces that mean nothing. Texts in quotes
// stay.
func tight(css []byte) []byte {
	t := &tightener{}
	for i := 0; i < len(css); {
		switch c := css[i]; {
		case c == '"' || c == '\'':
			n := inQuotes(css[i:])
			t.add(css[i : i+n]...)
			i += n
		case bytes.HasPrefix(css[i:], []byte("/*")):
			end := bytes.Index(css[i+2:], []byte("*/"))
			if end < 0 {
				return t.out
			}
			i += 2 + end + 2
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			t.space = true
			i++
		default:
			t.add(c)
			i++
		}
	}
	return t.out
}

// tightener writes a style sheet, with a space only where it separates.
type tightener struct {
	out   []byte
	space bool // there was some since the last byte
	value bool // within the value of a declaration, or the condition of a rule
}

// add writes bytes of which the first decides whether a space before them means anything. Before a colon it does: in a
// selector it stands for any descendant.
func (t *tightener) add(b ...byte) {
	last := byte('{')
	if n := len(t.out); n > 0 {
		last = t.out[n-1]
	}
	after := strings.IndexByte("{};,", last) >= 0 || last == ':' && t.value
	if t.space && !after && strings.IndexByte("{};,", b[0]) < 0 {
		t.out = append(t.out, ' ')
	}
	if b[0] == '}' && last == ';' {
		t.out = t.out[:len(t.out)-1]
	}
	t.space = false
	switch b[0] {
	case '{', '}', ';':
		t.value = false
	case ':':
		t.value = true // or a selector's, behind which there is no space
	}
	t.out = append(t.out, b...)
}

// inQuotes is the length of the text in quotes that css begins with.
func inQuotes(css []byte) int {
	for i := 1; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case css[0]:
			return i + 1
		}
	}
	return len(css)
}

// endRemark is a comment behind a statement. One with a quote in it stays, because it may stand in a text.
var endRemark = regexp.MustCompile("(?m)([;{},]) // [^\"'`\n]*$")

// withoutRemarks drops the comments of a script that have lines of their own or end one, and indentation. No text of a
// script in web goes over lines.
func withoutRemarks(js []byte) []byte {
	var out []byte
	for line := range bytes.Lines(js) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			out = append(out, line...)
		}
	}
	return blankLines(endRemark.ReplaceAll(out, []byte("$1")))
}

// blankLines drops empty lines and the spaces that begin and end the others.
func blankLines(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}
