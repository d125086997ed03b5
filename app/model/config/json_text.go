package config

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// words are the values that are written as words, and what to write instead of those that JSON doesn't know.
var words = [...]struct {
	text   string
	kind   kind
	remedy string
}{
	{"true", boolean, ""}, {"false", boolean, ""}, {"null", null, ""},
	{"NaN", strange, ""}, {"Infinity", strange, ""},
	{"True", boolean, "this is Python, not JSON; write true"},
	{"False", boolean, "this is Python, not JSON; write false"},
	{"None", null, "this is Python, not JSON; write null"},
}

// word reads true, false, null and their like.
func (r *reader) word() (value, *Error) {
	for _, w := range words {
		if !strings.HasPrefix(r.src[r.pos:], w.text) {
			continue
		}
		if w.remedy != "" {
			return value{}, r.fail(r.pos, "unexpected "+w.text, w.remedy)
		}
		at := r.pos
		r.pos += len(w.text)
		return value{kind: w.kind, at: at, text: w.text}, nil
	}
	switch r.next() {
	case 0:
		if r.pos == len(r.src) {
			return value{}, r.fail(r.pos, "the text ends where a value should stand", "it is cut off: give the whole file")
		}
	case '\'':
		return value{}, r.fail(r.pos, "a text in single quotes", `this is Python, not JSON; write "text"`)
	}
	return value{}, r.fail(r.pos, "unexpected "+r.shown(), "write a number, a text in double quotes, true, false, null, a list or an object here")
}

// number reads a number as JSON writes it. Its text is kept: what it may be depends on the field.
func (r *reader) number() (value, *Error) {
	at := r.pos
	if strings.HasPrefix(r.src[at:], "-Infinity") {
		r.pos += len("-Infinity")
		return value{kind: strange, at: at, text: "-Infinity"}, nil
	}
	if r.next() == '-' {
		r.pos++
	}
	whole := r.pos
	good := r.digits()
	if good && r.src[whole] == '0' && r.pos > whole+1 {
		return value{}, r.fail(at, "a number that begins with 0", "leave the zeros out")
	}
	if good && r.next() == '.' {
		r.pos++
		good = r.digits()
	}
	if c := r.next(); good && (c == 'e' || c == 'E') {
		r.pos++
		if c := r.next(); c == '+' || c == '-' {
			r.pos++
		}
		good = r.digits()
	}
	if !good {
		return value{}, r.fail(at, "a number that is not complete", "write it like 4096, 1e-05 or -1.5")
	}
	if r.pos-at > maxNumber {
		return value{}, r.fail(at, "a number of "+strconv.Itoa(r.pos-at)+" characters", "write at most "+strconv.Itoa(maxNumber))
	}
	return value{kind: number, at: at, text: r.src[at:r.pos]}, nil
}

// digits reads digits and tells whether there were any.
func (r *reader) digits() bool {
	start := r.pos
	for c := r.next(); '0' <= c && c <= '9'; c = r.next() {
		r.pos++
	}
	return r.pos > start
}

// text reads a text in double quotes. What has no escapes is not copied.
func (r *reader) text() (string, *Error) {
	opened := r.pos
	r.pos++
	start := r.pos
	var out []byte
	for {
		if r.pos == len(r.src) {
			return "", r.fail(opened, "a text without its closing quote", `write " at its end`)
		}
		switch c := r.src[r.pos]; {
		case c == '"':
			piece := r.src[start:r.pos]
			r.pos++
			if out == nil {
				return piece, nil
			}
			return string(append(out, piece...)), nil
		case c == '\\':
			out = append(out, r.src[start:r.pos]...)
			c, err := r.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, c)
			start = r.pos
		case c < ' ':
			return "", r.fail(r.pos, "a line break or control character within a text", `close the text with ", or write \n`)
		default:
			r.pos++
		}
	}
}

// escape reads what a backslash begins. Halves of a pair that stand alone become U+FFFD.
func (r *reader) escape() (rune, *Error) {
	at := r.pos
	r.pos += 2
	if r.pos > len(r.src) {
		r.pos = len(r.src)
		return 0, r.fail(at, "the text ends within an escape", "it is cut off: give the whole file")
	}
	c := r.src[r.pos-1]
	if c == 'u' {
		first, ok := r.hex()
		if !ok {
			return 0, r.fail(at, `an escape \u without four hexadecimal digits`, `write it like \u00e9`)
		}
		if utf16.IsSurrogate(first) && strings.HasPrefix(r.src[r.pos:], `\u`) {
			before := r.pos
			r.pos += 2
			if second, ok := r.hex(); ok {
				if c := utf16.DecodeRune(first, second); c != utf8.RuneError {
					return c, nil
				}
			}
			r.pos = before
		}
		return first, nil // a half alone is written as U+FFFD by AppendRune
	}
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	return 0, r.fail(at, "unknown escape "+quote(r.src[at:r.pos]), `the escapes are \" \\ \/ \b \f \n \r \t \u`)
}

// hex reads four hexadecimal digits.
func (r *reader) hex() (rune, bool) {
	if r.pos+4 > len(r.src) {
		return 0, false
	}
	var c rune
	for _, d := range []byte(r.src[r.pos : r.pos+4]) {
		i := strings.IndexByte("0123456789abcdef", d|0x20)
		if i < 0 || d < '0' {
			return 0, false
		}
		c = c<<4 | rune(i)
	}
	r.pos += 4
	return c, true
}

// shown is the character to be read next, for a message.
func (r *reader) shown() string {
	c, _ := utf8.DecodeRuneInString(r.src[r.pos:])
	if r.pos == len(r.src) {
		return "end of the text"
	}
	return quote(string(c))
}
