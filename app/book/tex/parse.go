// Package tex translates the mathematics of a book, written in a subset of LaTeX, into MathML Core.
//
// The subset is what its two tables name (symbols.txt, functions.txt) and the commands of commands.go and
// environments.go. Everything else is an error with its place: nothing is skipped and nothing is guessed, since a wrong
// formula in a textbook is worse than none. The output has no style attributes; what MathML Core leaves to CSS
// (alignment and rules of tables, bold words, boxes) is said by classes beginning with `m-`.
//
// The text goes through three steps: tokens (lex.go), a tree (parse*.go), and its printing (node.go), where the spaces
// around function names are settled.
package tex

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on what is translated, so that hostile input takes bounded time and stack.
const (
	maxLength = 8000
	maxDepth  = 60
)

// MathML translates TeX into a <math> element. The error is an *Error.
func MathML(src string, display bool) (out string, err error) {
	defer func() {
		if e, ok := recover().(*Error); ok { // how the parser leaves; any other panic passes
			out, err = "", e
		}
	}()
	if len(src) > maxLength {
		fail(0, "split it", "a formula of more than %d bytes", maxLength)
	}
	checkText(src)
	p := &parser{src: src, tokens: lex(src)}
	math := parent("math", p.row()...)
	switch t := p.peek(); t.text {
	case "":
	case `\\`, "&":
		fail(t.offset, "use \\begin{aligned} or another environment", "a `%s` outside of an environment", t.text)
	default:
		fail(t.offset, "take it out, or open what it closes", "a `%s` that closes nothing", t.text)
	}
	if len(math.kids) == 0 {
		fail(0, "", "an empty formula")
	}
	if display {
		math.with("display", "block")
	}
	var b strings.Builder
	math.print(&b)
	return b.String(), nil
}

// checkText refuses what can't stand in a page.
func checkText(src string) {
	for i, r := range src {
		if r == utf8.RuneError || r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r&0xfffe == 0xfffe {
			fail(i, "take it out", "a character that can't be shown")
		}
	}
}

// parser turns tokens into nodes. It leaves by panic(*Error).
type parser struct {
	src    string
	tokens []token
	at     int
	depth  int
}

// peek returns the next token; its text is empty at the end.
func (p *parser) peek() token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return token{offset: len(p.src)}
}

func (p *parser) next() token {
	t := p.peek()
	p.at++
	return t
}

func (p *parser) accept(text string) bool {
	if p.peek().text == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text, where string) {
	if t := p.peek(); !p.accept(text) {
		fail(t.offset, "write it", "no `%s` %s", text, where)
	}
}

// enter counts how deep things are nested; call what it returns when leaving.
func (p *parser) enter() func() {
	if p.depth++; p.depth > maxDepth {
		fail(p.peek().offset, "simplify it", "a formula nested more than %d deep", maxDepth)
	}
	return func() { p.depth-- }
}

// ends are the tokens that close a row; whoever opened it takes them.
var ends = []string{"", "}", "&", `\\`, `\right`, `\middle`, `\end`, `\hline`}

// row reads atoms with their scripts up to something that closes it.
func (p *parser) row() []*node {
	defer p.enter()()
	var out []*node
	for !slices.Contains(ends, p.peek().text) {
		if t := p.peek(); t.text == `\displaystyle` || t.text == `\textstyle` { // the rest of the row
			p.next()
			return append(out, parent("mstyle", p.row()...).with("displaystyle", truth(t.text == `\displaystyle`)))
		}
		if n := p.scripted(); n != nil {
			out = append(out, n)
		}
	}
	return out
}

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// scripted reads an atom with its primes, indices and exponents.
func (p *parser) scripted() *node {
	t := p.peek()
	var base *node
	if t.text != "^" && t.text != "_" && t.text != "'" {
		base = p.atom()
	}
	var sub, sup *node
	limits := base != nil && base.limits
	for {
		t := p.peek()
		switch t.text {
		case `\limits`, `\nolimits`:
			p.next()
			limits = t.text == `\limits`
		case "'":
			if sup != nil {
				fail(t.offset, "put it into the braces of the exponent", "a prime after an exponent")
			}
			sup = p.primes()
		case "^":
			p.next()
			if sup != nil && sup.tag != "mo" {
				fail(t.offset, "use braces: `{x^a}^b`", "a second exponent")
			}
			sup = join(sup, p.argument("an exponent"))
		case "_":
			p.next()
			if sub != nil {
				fail(t.offset, "use braces: `{x_a}_b`", "a second index")
			}
			sub = p.argument("an index")
		default:
			return attach(base, sub, sup, limits)
		}
	}
}

// join puts an exponent behind primes.
func join(primes, sup *node) *node {
	if primes == nil {
		return sup
	}
	return parent("mrow", primes, sup)
}

func (p *parser) primes() *node {
	n := 0
	for p.accept("'") {
		n++
	}
	return op([]string{"′", "″", "‴"}[min(n, 3)-1])
}

// attach makes the element for a base with scripts.
func attach(base, sub, sup *node, limits bool) *node {
	if sub == nil && sup == nil {
		return base
	}
	if base == nil {
		base = parent("mrow")
	}
	kids := []*node{base}
	tag := "m"
	for _, s := range []struct {
		n            *node
		script, over string
	}{{sub, "sub", "under"}, {sup, "sup", "over"}} {
		switch {
		case s.n == nil:
			continue
		case limits:
			tag += s.over
		default:
			tag += s.script
		}
		kids = append(kids, s.n)
	}
	return &node{tag: tag, kids: kids, class: base.class}
}

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
