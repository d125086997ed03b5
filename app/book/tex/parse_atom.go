package tex

import (
	"slices"
	"strings"
)

// argument reads `{...}` or a single token.
func (p *parser) argument(what string) *node {
	defer p.enter()()
	t := p.peek()
	switch {
	case t.text == "{":
		return row(p.group())
	case slices.Contains(ends, t.text) || t.text == "^" || t.text == "_":
		fail(t.offset, "write it in braces", "nothing where %s should be", what)
	case isDigit(t.text[0]):
		p.next()
		return leaf("mn", t.text)
	}
	if n := p.atom(); n != nil {
		return n
	}
	return parent("mrow")
}

// group reads `{...}`.
func (p *parser) group() []*node {
	open := p.next()
	kids := p.row()
	if !p.accept("}") {
		fail(open.offset, "close it with `}`", "a `{` that is never closed")
	}
	return kids
}

// raw reads `{...}` as text, for \text and names.
func (p *parser) raw(command token) (string, int) {
	open := p.peek()
	if open.text != "{" {
		fail(command.offset, "write `"+command.text+"{...}`", "`%s` without braces", command.text)
	}
	depth := 0
	for ; p.at < len(p.tokens); p.at++ {
		switch t := p.tokens[p.at]; t.text {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				p.at++
				return p.src[open.end:t.offset], open.end
			}
		}
	}
	fail(open.offset, "close it with `}`", "a `{` that is never closed")
	return "", 0
}

// atom reads one thing without scripts; nil if it leaves no mark.
func (p *parser) atom() *node {
	defer p.enter()()
	t := p.peek()
	switch c := t.text[0]; {
	case t.command():
		p.next()
		return p.command(t)
	case c == '{':
		kids := p.group()
		if len(kids) == 1 && kids[0].tag != "mo" {
			return kids[0]
		}
		return parent("mrow", kids...)
	case isDigit(c) || c == '.' && p.digitBehind():
		return p.number()
	case isLetter(c):
		p.next()
		return leaf("mi", t.text)
	}
	p.next()
	return p.character(t)
}

func (p *parser) digitBehind() bool {
	t, at := p.peek(), p.at+1
	return at < len(p.tokens) && isDigit(p.tokens[at].text[0]) && p.tokens[at].offset == t.end
}

// number reads digits with a decimal point, and with `{,}` between thousands.
func (p *parser) number() *node {
	var b strings.Builder
	for {
		t := p.peek()
		switch {
		case t.text == "":
			return leaf("mn", b.String())
		case isDigit(t.text[0]) || t.text == "." && p.digitBehind():
			b.WriteString(t.text)
			p.next()
		case strings.HasPrefix(p.src[t.offset:], "{,}") && len(p.src) > t.offset+3 && isDigit(p.src[t.offset+3]):
			b.WriteByte(',')
			p.at += 3
		default:
			return leaf("mn", b.String())
		}
	}
}

// character translates a sign that stands for itself.
func (p *parser) character(t token) *node {
	switch t.text {
	case "(", "[":
		n := op(t.text, "stretchy", "false")
		n.class = opening
		return n
	case ")", "]":
		n := op(t.text, "stretchy", "false")
		n.class = closing
		return n
	case "|":
		n := op("|", "stretchy", "false", "lspace", "0", "rspace", "0")
		n.class = closing
		return n
	case "/":
		return op("/", "stretchy", "false", "lspace", "0", "rspace", "0")
	case "-":
		return &node{tag: "mo", text: "−", class: signed}
	case "*":
		return op("∗")
	case "~":
		return &node{tag: "mspace", attrs: []string{"width", "0.25em"}, class: space}
	case "+":
		return &node{tag: "mo", text: "+", class: signed}
	case "=", "<", ">", ",", ";", ":":
		return op(t.text)
	case ".", "!", "?", "@", "\"", "`":
		n := op(t.text, "lspace", "0", "rspace", "0")
		n.class = closing
		return n
	}
	if n := unicodeAtom(t.text); n != nil {
		return n
	}
	if t.text == "$" {
		fail(t.offset, "write `\\$` for a dollar sign, here and outside of formulas", "a `$` within a formula")
	}
	fail(t.offset, "write it in `\\text{}`", "the character `%s`", t.text)
	return nil
}
