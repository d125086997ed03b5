package hlo

import (
	"slices"
	"strings"
)

// line is an operation, or what begins or ends a computation, with the line breaks within.
type line struct {
	text   string
	number int // of its first line, from 1
}

// maxLine is how long a line may grow by joining.
const maxLine = 1 << 20

// cutter cuts a text into such lines. What is wrapped over several is joined: a line that begins no operation of its
// own goes on with the one before, as long as that has not come to an end.
type cutter struct {
	text   string
	pos    int
	number int  // of the last line of the text that was read
	now    line // that may still go on
	begin  int  // where it began
	at     nest
}

// next is the next line; the last one is followed by an empty one.
func (c *cutter) next() line {
	for c.pos < len(c.text) {
		from, raw := c.pos, c.text[c.pos:]
		if end := strings.IndexByte(raw, '\n'); end >= 0 {
			raw = raw[:end]
		}
		c.number, c.pos = c.number+1, min(len(c.text), c.pos+len(raw)+1)
		if head := headed(raw); head > 0 {
			c.number, c.pos, raw = c.number-1, from+head, raw[:head]
		}
		s := strings.TrimSpace(raw)
		if s == "" || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "#") ||
			strings.HasPrefix(s, "/*") && strings.HasSuffix(s, "*/") {
			continue
		}
		if c.now.text != "" && len(c.now.text) < maxLine && c.at.unfinished && (c.within() || !begins(s)) {
			c.now.text = strings.TrimSpace(c.text[c.begin:c.pos])
			c.at.read(s, c.now.text)
			continue
		}
		whole := c.now
		c.now, c.begin, c.at = line{s, c.number}, from, nest{}
		if c.at.read(s, s); whole.text != "" {
			return whole
		}
	}
	last := c.now
	c.now = line{}
	return last
}

// within tells whether a line goes on over others that begin something: over the computations in quotes by which a
// module's first line says how values come back, or over a computation that stands in the line that runs it.
func (c *cutter) within() bool {
	return c.at.quoted && strings.HasPrefix(c.now.text, "HloModule ") || c.at.inline
}

// nest is how deep in brackets a line ends, and whether it has come to an end.
type nest struct {
	depth      int
	quoted     bool
	unfinished bool
	inline     bool // a computation begins in it: to_apply={
}

// read goes through one more line of a whole.
func (n *nest) read(s, whole string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && n.quoted:
			i++
		case c == '"':
			n.quoted = !n.quoted
		case n.quoted:
		case c == '(' || c == '{' || c == '[':
			n.depth++
		case c == ')' || c == '}' || c == ']':
			n.depth--
		}
	}
	last := s[len(s)-1]
	n.inline = n.inline || n.depth > 0 && holds(whole)
	n.unfinished = last == ',' || last == '=' || n.quoted || n.depth > 0 && !header(whole) && whole != "{" ||
		n.depth == 0 && typed(whole)
}

// holds tells whether a line ends where a computation begins that it runs.
func holds(s string) bool {
	if s[len(s)-1] != '{' {
		return false
	}
	s, ok := strings.CutSuffix(strings.TrimSpace(s[:len(s)-1]), "=")
	return ok && slices.Contains(bodies[:], s[strings.LastIndexAny(s, ", ")+1:])
}

// typed tells whether a line has the name and the shape of an operation, and nothing behind them.
func typed(s string) bool {
	_, s, ok := strings.Cut(s, "=")
	r := scan{src: s}
	r.space()
	if begin := r.pos; !ok || r.word() != "" && r.next() != '[' || r.pos == begin && r.next() != '(' {
		return false
	}
	for r.pos < len(s) {
		switch r.next() {
		case '(', '{', '[':
			if _, ok := r.group(); !ok {
				return false
			}
		case ' ':
			return false
		default:
			r.pos++
		}
	}
	return true
}

// begins tells whether a line begins something: an operation, a computation or a module.
func begins(s string) bool {
	if strings.HasPrefix(s, "HloModule ") || strings.HasPrefix(s, "ENTRY ") || strings.HasPrefix(s, "ROOT ") {
		return true
	}
	r := scan{src: s}
	r.take('%')
	name := r.word()
	return name != "" && (strings.HasPrefix(s[r.pos:], " = ") || s[0] == '%' && strings.HasSuffix(s, "{"))
}

// headed is how long the head of a computation is whose first operation stands in the same line; 0 if there is none.
func headed(line string) int {
	at := strings.Index(line, "{ ") + 1
	if at > 0 && strings.Contains(line[at:], " = ") && header(strings.TrimSpace(line[:at])) &&
		!strings.Contains(line[:at], "HloModule ") {
		return at
	}
	return 0
}

// header tells whether a line begins a computation.
func header(s string) bool {
	return strings.HasSuffix(s, "{") && !strings.Contains(s[:strings.IndexAny(s, "({")], "=")
}

// open tells whether a bracket of s is not closed.
func open(s string) bool {
	var n nest
	if s != "" {
		n.read(s, s)
	}
	return n.depth != 0 || n.quoted
}
