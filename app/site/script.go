package site

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/scalebook/scalebook/app/phrase"
)

// scriptIn is a script as browsers get it, with the sentences of a language.
func scriptIn(web fs.FS, name string, l phrase.Phrases) ([]byte, error) {
	data, err := fs.ReadFile(web, name)
	if err != nil {
		return nil, err
	}
	if data, err = spoken(data, l); err != nil {
		return nil, fmt.Errorf("web/%s: %w", name, err)
	}
	return tightScript(data), nil
}

// tightScript drops what only the authors of a script need: comments, indentation, and spaces that separate nothing.
// Texts, templates and regular expressions stay. The end of a line stays too where a statement could end at it.
func tightScript(js []byte) []byte {
	t := &scriptTightener{}
	for i := 0; i < len(js); {
		n, rest := 1, js[i:]
		switch c := js[i]; {
		case c == '\n':
			t.line = true
		case c == ' ' || c == '\t' || c == '\r':
			t.space = true
		case bytes.HasPrefix(rest, []byte("//")):
			n = len(bytes.SplitN(rest, []byte("\n"), 2)[0])
		case bytes.HasPrefix(rest, []byte("/*")):
			n = len(bytes.SplitAfterN(rest, []byte("*/"), 2)[0])
			t.space = true
		case c == '"' || c == '\'':
			n = inQuotes(rest)
			t.add(rest[:n])
		case c == '`':
			n = inTemplate(rest)
			t.add(rest[:n])
		case c == '/' && t.wantsValue():
			n = inPattern(rest)
			t.add(rest[:n])
		default:
			t.add(rest[:n])
		}
		i += n
	}
	return append(bytes.TrimRight(t.out, "\n"), '\n')
}

// scriptTightener writes a script.
type scriptTightener struct {
	out         []byte
	space, line bool // there was some, or the end of a line, since the last byte
}

// last is the last byte written; before the first it is one behind which nothing separates.
func (t *scriptTightener) last() byte {
	if len(t.out) == 0 {
		return ';'
	}
	return t.out[len(t.out)-1]
}

// wantsValue is whether a value may come next: then a slash begins a regular expression, and is no division.
func (t *scriptTightener) wantsValue() bool {
	return bytes.HasSuffix(t.out, []byte("return")) ||
		!inWord(t.last()) && bytes.IndexByte([]byte(")]}\"'`"), t.last()) < 0
}

// add writes a piece, and before it what must separate it from the last.
func (t *scriptTightener) add(piece []byte) {
	last, first := t.last(), piece[0]
	switch {
	case t.line && bytes.IndexByte([]byte("{;,"), last) < 0:
		t.out = append(t.out, '\n')
	case (t.space || t.line) && (inWord(last) && inWord(first) || last == first && (first == '+' || first == '-')):
		t.out = append(t.out, ' ')
	}
	t.space, t.line = false, false
	t.out = append(t.out, piece...)
}

// inWord is whether a byte may be of a name or a number. A slash counts, so that none comes to stand beside another, or
// beside letters, which would be the flags of a regular expression.
func inWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c == '#' || c == '/' ||
		c >= 0x80
}

// inTemplate is the length of the template that js begins with.
func inTemplate(js []byte) int {
	for i := 1; i < len(js); i++ {
		switch {
		case js[i] == '\\':
			i++
		case js[i] == '`':
			return i + 1
		case bytes.HasPrefix(js[i:], []byte("${")):
			i += inBraces(js[i+1:])
		}
	}
	return len(js)
}

// inBraces is the length of the expression in braces that js begins with.
func inBraces(js []byte) int {
	for i := 1; i < len(js); i++ {
		switch js[i] {
		case '}':
			return i + 1
		case '{':
			i += inBraces(js[i:]) - 1
		case '"', '\'':
			i += inQuotes(js[i:]) - 1
		case '`':
			i += inTemplate(js[i:]) - 1
		}
	}
	return len(js)
}

// inPattern is the length of the regular expression that js begins with, up to its flags.
func inPattern(js []byte) int {
	class := false
	for i := 1; i < len(js); i++ {
		switch c := js[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return len(js)
}
