package tex

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Error says what can't be translated, where, and what would be valid.
type Error struct {
	Offset int // byte offset in the TeX
	What   string
	Remedy string
}

func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.What
	}
	return e.What + "; " + e.Remedy
}

func fail(offset int, remedy, format string, args ...any) {
	panic(&Error{offset, fmt.Sprintf(format, args...), remedy})
}

// token is a command (`\frac`, `\,`), or one character. Space is kept only where it means something, in \text.
type token struct {
	text   string // with the backslash, for a command
	offset int
	end    int
}

func (t token) command() bool { return len(t.text) > 1 && t.text[0] == '\\' }

// lex splits TeX into tokens. Spaces separate and vanish; a comment runs from % to the end of the line.
func lex(src string) []token {
	var out []token
	for i := 0; i < len(src); {
		start := i
		switch c := src[i]; {
		case c == '%':
			for i < len(src) && src[i] != '\n' {
				i++
			}
			continue
		case c == '\\':
			i = commandEnd(src, i+1)
		default:
			r, size := utf8.DecodeRuneInString(src[i:])
			i += size
			if unicode.IsSpace(r) {
				continue
			}
		}
		out = append(out, token{src[start:i], start, i})
	}
	return out
}

// commandEnd finds the end of a command's name: letters, or one other character.
func commandEnd(src string, i int) int {
	if i >= len(src) {
		fail(i-1, "", "a backslash at the end")
	}
	start := i
	for i < len(src) && isLetter(src[i]) {
		i++
	}
	if i == start {
		_, size := utf8.DecodeRuneInString(src[i:])
		i += size
	}
	return i
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
