package trace

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// cursor reads JSON from a text, from left to right. It knows no more of values than where they end, so that what
// nobody asks for costs little.
type cursor struct {
	src string
	pos int
}

func (c *cursor) next() byte {
	for ; c.pos < len(c.src); c.pos++ {
		switch b := c.src[c.pos]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// take skips a sign if it is the next one.
func (c *cursor) take(b byte) bool {
	if c.next() != b {
		return false
	}
	c.pos++
	return true
}

// text reads a text in quotes; ok is false if there is none, or it has no end.
func (c *cursor) text() (s string, ok bool) {
	if !c.take('"') {
		return "", false
	}
	begin, escaped := c.pos, false
	for ; c.pos < len(c.src); c.pos++ {
		switch c.src[c.pos] {
		case '"':
			s = c.src[begin:c.pos]
			c.pos++
			if escaped {
				s = unescape(s)
			}
			return s, true
		case '\\':
			escaped = true
			c.pos++
		}
	}
	c.pos = len(c.src)
	return "", false
}

// value goes to the end of any value, and gives its text; of a text what is in its quotes.
func (c *cursor) value() (s string, ok bool) {
	switch c.next() {
	case '"':
		return c.text()
	case '{', '[':
		return c.group()
	}
	begin := c.pos
	for c.pos < len(c.src) && !strings.ContainsRune(",]} \t\r\n", rune(c.src[c.pos])) {
		c.pos++
	}
	return c.src[begin:c.pos], c.pos > begin
}

// group goes to the end of an object or a list.
func (c *cursor) group() (s string, ok bool) {
	begin, depth := c.pos, 0
	for c.pos < len(c.src) {
		switch c.src[c.pos] {
		case '"':
			if _, ok := c.text(); !ok {
				return "", false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.pos++
				return c.src[begin:c.pos], true
			}
		}
		c.pos++
	}
	return "", false
}

// fields calls do with the name of each field of an object; do must read or skip its value.
func (c *cursor) fields(do func(name string) bool) bool {
	if !c.take('{') {
		return false
	}
	if c.take('}') {
		return true
	}
	for {
		name, ok := c.text()
		if !ok || !c.take(':') || !do(name) {
			return false
		}
		if c.take('}') {
			return true
		}
		if !c.take(',') {
			return false
		}
	}
}

// unescape puts in what escapes stand for.
func unescape(s string) string {
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, `\`)
		out.WriteString(before)
		if !found || after == "" {
			return out.String()
		}
		s = after[1:]
		if i := strings.IndexByte(names, after[0]); i >= 0 {
			out.WriteByte(values[i])
		} else if after[0] == 'u' && len(s) >= 4 {
			code, _ := strconv.ParseUint(s[:4], 16, 16)
			if s = s[4:]; utf16.IsSurrogate(rune(code)) {
				code = 0xfffd
			}
			out.WriteRune(rune(code))
		}
	}
}
