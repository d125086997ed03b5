package hlo

import "strings"

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
		s := strings.TrimSpace(raw)
		if s == "" || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "#") {
			continue
		}
		if c.now.text != "" && len(c.now.text) < maxLine && c.at.unfinished && !begins(s) {
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

// nest is how deep in brackets a line ends, and whether it has come to an end.
type nest struct {
	depth      int
	quoted     bool
	unfinished bool
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
	n.unfinished = last == ',' || last == '=' || n.quoted || n.depth > 0 && !header(whole) && whole != "{"
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
