package hlo

import (
	"strconv"
	"strings"
)

// scan reads a text from its start to its end.
type scan struct {
	src string
	pos int
}

func (s *scan) next() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// space skips blanks and remarks like /*index=5*/.
func (s *scan) space() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.pos++
		case strings.HasPrefix(s.src[s.pos:], "/*"):
			end := strings.Index(s.src[s.pos:], "*/")
			if end < 0 {
				s.pos = len(s.src)
				return
			}
			s.pos += end + 2
		default:
			return
		}
	}
}

// take skips a byte if it is the next one.
func (s *scan) take(c byte) bool {
	if s.next() != c || s.pos == len(s.src) {
		return false
	}
	s.pos++
	return true
}

// word reads letters, digits and the signs that names have.
func (s *scan) word() string {
	begin := s.pos
	for s.pos < len(s.src) && named(s.src[s.pos]) {
		s.pos++
	}
	return s.src[begin:s.pos]
}

func named(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' ||
		c == '#' || c >= 0x80
}

// group reads what stands between a bracket and its partner; texts in quotes are passed over. It is false if the
// bracket is never closed.
func (s *scan) group() (inside string, ok bool) {
	begin, depth := s.pos+1, 0
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				s.pos++
				return s.src[begin : s.pos-1], true
			}
		case '"':
			s.quoted()
		}
	}
	return "", false
}

// quoted goes to the closing quote.
func (s *scan) quoted() {
	for s.pos++; s.pos < len(s.src) && s.src[s.pos] != '"'; s.pos++ {
		if s.src[s.pos] == '\\' {
			s.pos++
		}
	}
}

// list calls do with each part of a text between commas that stand in no bracket, until it says false.
func list(text string, do func(part string) bool) {
	s, begin := scan{src: text}, 0
	for s.pos < len(text) {
		switch text[s.pos] {
		case '(', '{', '[':
			if _, ok := s.group(); !ok {
				s.pos = len(text)
			}
			continue
		case '"':
			s.quoted()
		case ',':
			if !do(strings.TrimSpace(text[begin:s.pos])) {
				return
			}
			begin = s.pos + 1
		}
		s.pos++
	}
	if last := strings.TrimSpace(text[min(begin, len(text)):]); last != "" {
		do(last)
	}
}

// numbers reads whole numbers between commas; ok is false if something else stands there.
func numbers(text string) (all []float64, ok bool) {
	ok = true
	list(text, func(part string) bool {
		n, err := strconv.ParseUint(part, 10, 60)
		ok = err == nil && len(all) < maxDims
		all = append(all, float64(n))
		return ok
	})
	return all, ok
}
