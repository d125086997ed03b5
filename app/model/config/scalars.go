package config

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// words are the values that are written as words, and the number of their kind.
const words = "true=1 false=1 null=0 NaN=6 Infinity=6 True=1 False=1 None=0"

// word reads true, false, null and their like.
func (r *reader) word(v *value) bool {
	for _, w := range strings.Fields(words) {
		w, is, _ := strings.Cut(w, "=")
		if !strings.HasPrefix(r.src[r.pos:], w) {
			continue
		}
		v.kind, v.text = kind(is[0]-'0'), w
		if v.kind == boolean {
			v.text = strings.ToLower(w)
		}
		r.pos += len(w)
		return true
	}
	if r.pos == len(r.src) {
		return r.cut(r.pos, phrase.New("config.ends-value"))
	}
	if end := strings.IndexAny(r.src[r.pos:], ",}]\n"); end > 0 { // what Python prints of an object: torch.bfloat16
		w := strings.TrimSpace(r.src[r.pos : r.pos+end])
		module, _, is := strings.Cut(w, ".")
		if is = is && isName(w) && (module == "torch" || module == "jnp"); is || w == "inf" || w == "nan" {
			v.kind, v.text = text, w
			r.pos += len(w)
			return true
		}
	}
	r.fail(r.pos, r.unexpected(), phrase.New("config.write-value"))
	name, _, is := strings.Cut(r.src[r.pos:], "(")
	r.err.lines = is && isName(name) // a dict of calls in Python
	return false
}

// number reads a number as JSON writes it. Its text is kept: what it may be depends on the field.
func (r *reader) number(v *value) bool {
	const minusInfinity = "-Infinity"
	at := r.pos
	if strings.HasPrefix(r.src[at:], minusInfinity) {
		r.pos += len(minusInfinity)
		v.kind, v.text = strange, minusInfinity
		return true
	}
	if r.next() == '-' {
		r.pos++
	}
	whole := r.pos
	good := r.digits()
	if good && r.src[whole] == '0' && r.pos > whole+1 {
		return r.refuse(at, "config.zeros", "config.no-zeros")
	}
	if good && r.next() == '.' {
		r.pos++
		good = r.digits()
	}
	if good && r.next()|0x20 == 'e' {
		r.pos++
		if c := r.next(); c == '+' || c == '-' {
			r.pos++
		}
		good = r.digits()
	}
	if !good {
		return r.refuse(at, "config.half-number", "config.number-like")
	}
	if r.pos-at > maxNumber {
		return r.fail(at, phrase.New("config.long-number", "n", r.pos-at),
			phrase.New("config.at-most", "most", maxNumber))
	}
	v.text = r.src[at:r.pos]
	return true
}

// digits reads digits and tells whether there were any.
func (r *reader) digits() bool {
	start := r.pos
	for c := r.next(); '0' <= c && c <= '9'; c = r.next() {
		r.pos++
	}
	return r.pos > start
}

// quoted tells whether a text begins.
func (r *reader) quoted() bool { return r.next() == '"' || r.next() == '\'' }

// text reads a text in quotes. What has no escapes is not copied.
func (r *reader) text() (string, bool) {
	opened, quote := r.pos, r.next()
	r.pos++
	start := r.pos
	var out []byte
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == quote:
			piece := r.src[start:r.pos]
			r.pos++
			if out == nil {
				return piece, true
			}
			return string(append(out, piece...)), true
		case c == '\\':
			out = append(out, r.src[start:r.pos]...)
			c, good := r.escape()
			if !good {
				return "", false
			}
			out = utf8.AppendRune(out, c)
			start = r.pos
		case c < ' ' && strings.TrimSpace(r.src[r.pos:]) == "":
			return "", r.cut(opened, phrase.New("config.open-text"))
		case c < ' ':
			return "", r.refuse(r.pos, "config.line-break", "config.close-text")
		default:
			r.pos++
		}
	}
	return "", r.refuse(opened, "config.open-text", "config.write-quote")
}

// escape reads what a backslash begins. Halves of a pair that stand alone become U+FFFD.
func (r *reader) escape() (rune, bool) {
	const names, values = `'"\/bfnrt`, "'\"\\/\b\f\n\r\t"
	at := r.pos
	if at+1 == len(r.src) {
		return 0, r.cut(at, phrase.New("config.ends-escape"))
	}
	r.pos += 2
	c := r.src[at+1]
	if i := strings.IndexByte(names, c); i >= 0 {
		return rune(values[i]), true
	}
	if c != 'u' {
		return 0, r.fail(at, phrase.New("config.no-escape", "text", quote(r.src[at:r.pos])),
			phrase.New("config.escapes"))
	}
	first, good := r.hex()
	if !good {
		return 0, r.refuse(at, "config.half-escape", "config.escape-like")
	}
	if before := r.pos; utf16.IsSurrogate(first) && strings.HasPrefix(r.src[before:], `\u`) {
		r.pos += 2
		second, _ := r.hex()
		if c := utf16.DecodeRune(first, second); c != utf8.RuneError {
			return c, true
		}
		r.pos = before
	}
	return first, true // a half alone is written as U+FFFD by AppendRune
}

// hex reads four hexadecimal digits.
func (r *reader) hex() (rune, bool) {
	if r.pos+4 > len(r.src) {
		return 0, false
	}
	c, err := strconv.ParseUint(r.src[r.pos:r.pos+4], 16, 32)
	r.pos += 4
	return rune(c), err == nil
}

// scalar is what a word says: a number, true or false, nothing, or a text.
func scalar(s string, at int) *value {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return &value{kind: text, at: at, text: s[1 : len(s)-1]}
	}
	switch s {
	case "true", "True", "on", "yes":
		return &value{kind: boolean, at: at, text: "true"}
	case "false", "False", "off", "no":
		return &value{kind: boolean, at: at, text: "false"}
	case "", "null", "None", "~":
		return &value{kind: null, at: at}
	}
	if c := s[0]; c >= '0' && c <= '9' || c == '-' || c == '.' {
		plain := strings.ReplaceAll(s, "_", "")
		if i := len(s) - 4; i > 0 && i < 4 && s[i] == ',' {
			plain = s[:i] + s[i+1:]
		}
		if plain != s && strings.Trim(plain, "0123456789") == "" {
			s = plain // as YAML and Python group digits, and people
		}
		if _, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "xX_pP") && len(s) <= maxNumber {
			return &value{kind: number, at: at, text: s}
		}
	}
	return &value{kind: text, at: at, text: s}
}

// isName tells whether a word may name a field.
func isName(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && c != '.' && c != '-' || c == '-' && i == 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
