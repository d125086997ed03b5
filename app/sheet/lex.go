package sheet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/quantity"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokEnd           // the end of a statement
	tokName
	tokNumber
	tokString
	tokOp
	tokText // the rest of a title's line
	tokBad  // something already reported
)

// token is one word of a sheet.
type token struct {
	kind     tokenKind
	text     string // of a string, what stands between the quotes
	off, end int    // bytes
	pos      Pos
	num      int // of a number, its index in lexer.nums
}

// is tells whether t is the given operator or word.
func (t *token) is(text string) bool {
	return (t.kind == tokOp || t.kind == tokName) && t.text == text
}

// lexer cuts a sheet into tokens.
type lexer struct {
	src   string
	off   int
	line  int
	col   int // of src[at]
	at    int // offset up to which line and col are counted
	depth int // open parentheses
	toks  []token
	nums  []quantity.Quantity
	errs  *errorList
}

// lex cuts src into tokens, the last of which is tokEOF. Faults go to errs and leave a tokBad.
func lex(src string, errs *errorList) *lexer {
	lx := &lexer{src: src, line: 1, col: 1, errs: errs, toks: make([]token, 0, len(src)/4+4)}
	for lx.off < len(src) {
		lx.next()
	}
	lx.emit(tokEnd, len(src), len(src))
	lx.emit(tokEOF, len(src), len(src))
	return lx
}

// position is the place of src[from:to]; from never goes back.
func (lx *lexer) position(from, to int) Pos {
	lx.col += utf8.RuneCountInString(lx.src[lx.at:from])
	lx.at = from
	return Pos{Line: lx.line, Col: lx.col, Len: utf8.RuneCountInString(lx.src[from:to])}
}

// emit appends the token src[from:to] and moves behind it.
func (lx *lexer) emit(kind tokenKind, from, to int) *token {
	lx.toks = append(lx.toks, token{kind: kind, text: lx.src[from:to], off: from, end: to, pos: lx.position(from, to)})
	lx.off = max(lx.off, to)
	return &lx.toks[len(lx.toks)-1]
}

// bad reports src[from:to] and stands a tokBad in its place.
func (lx *lexer) bad(from, to int, what, remedy string) {
	t := lx.emit(tokBad, from, to)
	lx.errs.add(t.pos, what, remedy)
}

// next reads one token, or the space or comment before it.
func (lx *lexer) next() {
	r, size := utf8.DecodeRuneInString(lx.src[lx.off:])
	switch {
	case r == '\n':
		lx.newline()
	case r == ' ', r == '\t', r == '\r', r == '\u00a0', r == '\ufeff':
		lx.off += size
	case r == '#':
		lx.off = lx.lineEnd()
	case r == '"':
		lx.str()
	case lx.startsMember(r):
		lx.member()
	case lx.startsNumber(r):
		lx.number()
	case isLetter(r):
		lx.name()
	default:
		lx.operator(r, size)
	}
}

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) && r != utf8.RuneError }

// lineEnd is the offset of the next line break.
func (lx *lexer) lineEnd() int {
	if i := strings.IndexByte(lx.src[lx.off:], '\n'); i >= 0 {
		return lx.off + i
	}
	return len(lx.src)
}

// newline ends a statement, unless it goes on in the next line.
func (lx *lexer) newline() {
	from := lx.off
	if !lx.continued() {
		lx.emit(tokEnd, from, from+1)
		lx.depth = 0
	}
	lx.off = from + 1
	lx.line, lx.col, lx.at = lx.line+1, 1, lx.off
}

// continued tells whether the statement goes on after this line break: inside parentheses, and after an operator or
// a comma. A line that plainly begins a statement does not continue one that was left open by mistake.
func (lx *lexer) continued() bool {
	if len(lx.toks) == 0 || beginsStatement(lx.src[lx.off+1:]) {
		return false
	}
	last := &lx.toks[len(lx.toks)-1]
	switch last.kind {
	case tokOp:
		return lx.depth > 0 || last.text != ")"
	case tokName:
		return lx.depth > 0 || last.text == "and" || last.text == "or" || last.text == "not"
	}
	return lx.depth > 0
}

// beginsStatement tells whether text begins, unindented, with a word that only begins statements or with `name =`.
func beginsStatement(text string) bool {
	n := nameLength(text)
	if n == 0 {
		return false
	}
	rest := strings.TrimLeft(text[n:], " \t")
	if rest != "" && rest[0] == '=' && !strings.HasPrefix(rest, "==") {
		return true
	}
	return isStatementWord(text[:n]) && len(rest) < len(text)-n
}

// nameLength is how many bytes of text are a name.
func nameLength(text string) int {
	for i, r := range text {
		if !isLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(text)
}

// name reads a name or a word of the language; the rest of a title's line is one token.
func (lx *lexer) name() {
	begins := len(lx.toks) == 0 || lx.toks[len(lx.toks)-1].kind == tokEnd
	from := lx.off
	end := from + nameLength(lx.src[from:])
	if end-from > maxName {
		lx.bad(from, end, "this name is too long", "names have at most 64 bytes")
		return
	}
	t := lx.emit(tokName, from, end)
	if begins && t.text == "title" {
		lx.titleText()
	}
}

// startsMember tells whether r, which is next, begins the name of a field with a digit: the 70b of llama3.70b, right
// behind a point that stands right behind a name. There no number can stand.
func (lx *lexer) startsMember(r rune) bool {
	n := len(lx.toks)
	if r < '0' || r > '9' || n < 2 {
		return false
	}
	name, point := &lx.toks[n-2], &lx.toks[n-1]
	return point.is(".") && point.end == lx.off && name.kind == tokName && name.end == point.off && memberLength(lx.src[lx.off:]) > 0
}

// memberLength is how many bytes of text are a name that may begin with digits; digits alone are none.
func memberLength(text string) int {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if letters := nameLength(text[digits:]); letters > 0 {
		return digits + letters
	}
	return 0
}

// member reads a field's name that begins with a digit.
func (lx *lexer) member() {
	from, end := lx.off, lx.off+memberLength(lx.src[lx.off:])
	if end-from > maxName {
		lx.bad(from, end, "this name is too long", "names have at most 64 bytes")
		return
	}
	lx.emit(tokName, from, end)
}

// titleText reads the rest of the line, up to a comment that stands after a space.
func (lx *lexer) titleText() {
	end := lx.lineEnd()
	text := lx.src[lx.off:end]
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	from := lx.off + len(text) - len(strings.TrimLeft(text, " \t"))
	lx.emit(tokText, from, max(from, lx.off+len(strings.TrimRight(text, " \t\r"))))
	lx.off = end
}

// str reads a text in double quotes, in which \" and \\ stand for " and \.
func (lx *lexer) str() {
	from, end := lx.off, lx.lineEnd()
	var text strings.Builder
	for i := from + 1; i < end; i++ {
		switch c := lx.src[i]; {
		case c == '"':
			lx.emit(tokString, from, i+1).text = text.String()
			return
		case c == '\\' && i+1 < end && (lx.src[i+1] == '"' || lx.src[i+1] == '\\'):
			i++
			text.WriteByte(lx.src[i])
		default:
			text.WriteByte(c)
		}
	}
	lx.bad(from, end, "this text has no end", `close it with " on the same line`)
}

// twoByteOps are the operators of two bytes.
var twoByteOps = [...]string{"<=", ">=", "==", "!=", ".."}

// mathSigns are signs that a keyboard lacks, and what the language has for them.
var mathSigns = map[rune]string{
	'×': "*", '·': "*", '⋅': "*", '÷': "/", '−': "-", '–': "-", '≤': "<=", '≥': ">=", '≠': "!=", '“': `"`, '”': `"`, '„': `"`,
	'&': "and", '|': "or", '!': "not", '\'': `"`, '`': `"`, '…': "..", '∞': "a large number",
}

func (lx *lexer) operator(r rune, size int) {
	from := lx.off
	for _, op := range twoByteOps {
		if strings.HasPrefix(lx.src[from:], op) {
			lx.emit(tokOp, from, from+2)
			return
		}
	}
	switch {
	case strings.ContainsRune("+-*/^<>=(),.:", r):
		lx.emit(tokOp, from, from+1)
	case mathSigns[r] != "":
		lx.bad(from, from+size, "`"+string(r)+"` is not a sign of the language", "write `"+mathSigns[r]+"`")
	case r == '%':
		lx.bad(from, from+size, "`%` stands apart", "write it against its number: 25%")
	default:
		lx.bad(from, from+size, "unexpected character `"+printable(r)+"`", "leave it out")
	}
	switch r {
	case '(':
		lx.depth++
	case ')':
		lx.depth = max(0, lx.depth-1)
	}
}

// printable is r, or its code if it can't be shown.
func printable(r rune) string {
	if unicode.IsPrint(r) && r != utf8.RuneError {
		return string(r)
	}
	const hex = "0123456789ABCDEF"
	return "U+" + string([]byte{hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15]})
}
