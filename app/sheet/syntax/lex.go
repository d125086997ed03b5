package syntax

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	TokEnd           // the end of a statement
	TokName
	TokNumber
	TokString
	tokOp
	TokText // the rest of a title's line
	TokBad  // something already reported
)

// Token is one word of a sheet.
type Token struct {
	Kind     tokenKind
	Text     string // of a string, what stands between the quotes
	Off, End int    // bytes
	pos      Pos
	num      int // of a number, its index in lexer.nums
}

// Is tells whether t is the given operator or word.
func (t *Token) Is(text string) bool {
	return (t.Kind == tokOp || t.Kind == TokName) && t.Text == text
}

// Lexer cuts a sheet into tokens.
type Lexer struct {
	Src   string
	off   int
	line  int
	col   int // of src[at]
	at    int // offset up to which line and col are counted
	depth int // open parentheses
	Toks  []Token
	nums  []quantity.Quantity
	errs  *Errors
}

// Lex cuts src into tokens, the last of which is tokEOF. Faults go to errs and leave a tokBad.
func Lex(src string, errs *Errors) *Lexer {
	lx := &Lexer{Src: src, line: 1, col: 1, errs: errs, Toks: make([]Token, 0, len(src)/4+4)}
	for lx.off < len(src) {
		lx.next()
	}
	lx.emit(TokEnd, len(src), len(src))
	lx.emit(tokEOF, len(src), len(src))
	return lx
}

// position is the place of src[from:to]; from never goes back.
func (lx *Lexer) position(from, to int) Pos {
	lx.col += utf8.RuneCountInString(lx.Src[lx.at:from])
	lx.at = from
	return Pos{Line: lx.line, Col: lx.col, Len: utf8.RuneCountInString(lx.Src[from:to])}
}

// emit appends the token src[from:to] and moves behind it.
func (lx *Lexer) emit(kind tokenKind, from, to int) *Token {
	lx.Toks = append(lx.Toks, Token{Kind: kind, Text: lx.Src[from:to], Off: from, End: to, pos: lx.position(from, to)})
	lx.off = max(lx.off, to)
	return &lx.Toks[len(lx.Toks)-1]
}

// bad reports src[from:to] and stands a tokBad in its place.
func (lx *Lexer) bad(from, to int, what, remedy *phrase.Phrase) {
	t := lx.emit(TokBad, from, to)
	lx.errs.Add(t.pos, what, remedy)
}

// next reads one token, or the space or comment before it.
func (lx *Lexer) next() {
	r, size := utf8.DecodeRuneInString(lx.Src[lx.off:])
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
	case IsLetter(r):
		lx.name()
	default:
		lx.operator(r, size)
	}
}

func IsLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) && r != utf8.RuneError }

// lineEnd is the offset of the next line break.
func (lx *Lexer) lineEnd() int {
	if i := strings.IndexByte(lx.Src[lx.off:], '\n'); i >= 0 {
		return lx.off + i
	}
	return len(lx.Src)
}

// newline ends a statement, unless it goes on in the next line.
func (lx *Lexer) newline() {
	from := lx.off
	if !lx.continued() {
		lx.emit(TokEnd, from, from+1)
		lx.depth = 0
	}
	lx.off = from + 1
	lx.line, lx.col, lx.at = lx.line+1, 1, lx.off
}

// continued tells whether the statement goes on after this line break: inside parentheses, and after an operator or
// a comma. A line that plainly begins a statement does not continue one that was left open by mistake.
func (lx *Lexer) continued() bool {
	if len(lx.Toks) == 0 || beginsStatement(lx.Src[lx.off+1:]) {
		return false
	}
	last := &lx.Toks[len(lx.Toks)-1]
	switch last.Kind {
	case tokOp:
		return lx.depth > 0 || last.Text != ")"
	case TokName:
		return lx.depth > 0 || last.Text == "and" || last.Text == "or" || last.Text == "not"
	}
	return lx.depth > 0
}

// beginsStatement tells whether text begins, unindented, with a word that only begins statements or with `name =`.
func beginsStatement(text string) bool {
	n := NameLength(text)
	if n == 0 {
		return false
	}
	rest := strings.TrimLeft(text[n:], " \t")
	if rest != "" && rest[0] == '=' && !strings.HasPrefix(rest, "==") {
		return true
	}
	return HasWord(StatementWords, text[:n]) && len(rest) < len(text)-n
}

// NameLength is how many bytes of text are a name.
func NameLength(text string) int {
	for i, r := range text {
		if !IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(text)
}

// name reads a name or a word of the language; the rest of a title's line is one token.
func (lx *Lexer) name() {
	begins := len(lx.Toks) == 0 || lx.Toks[len(lx.Toks)-1].Kind == TokEnd
	from := lx.off
	end := from + NameLength(lx.Src[from:])
	if end-from > maxName {
		lx.bad(from, end, phrase.New("syntax.name-too-long"), phrase.New("syntax.name-limit"))
		return
	}
	t := lx.emit(TokName, from, end)
	if begins && t.Text == "title" {
		lx.titleText()
	}
}

// startsMember tells whether r, which is next, begins the name of a field with a digit: the 70b of llama3.70b, right
// behind a point that stands right behind a name. There no number can stand.
func (lx *Lexer) startsMember(r rune) bool {
	n := len(lx.Toks)
	if r < '0' || r > '9' || n < 2 {
		return false
	}
	name, point := &lx.Toks[n-2], &lx.Toks[n-1]
	return point.Is(".") && point.End == lx.off && name.Kind == TokName && name.End == point.Off &&
		memberLength(lx.Src[lx.off:]) > 0
}

// memberLength is how many bytes of text are a name that may begin with digits; digits alone are none.
func memberLength(text string) int {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if letters := NameLength(text[digits:]); letters > 0 {
		return digits + letters
	}
	return 0
}

// member reads a field's name that begins with a digit.
func (lx *Lexer) member() {
	from, end := lx.off, lx.off+memberLength(lx.Src[lx.off:])
	if end-from > maxName {
		lx.bad(from, end, phrase.New("syntax.name-too-long"), phrase.New("syntax.name-limit"))
		return
	}
	lx.emit(TokName, from, end)
}

// titleText reads the rest of the line, up to a comment that stands after a space.
func (lx *Lexer) titleText() {
	end := lx.lineEnd()
	text := lx.Src[lx.off:end]
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	from := lx.off + len(text) - len(strings.TrimLeft(text, " \t"))
	lx.emit(TokText, from, max(from, lx.off+len(strings.TrimRight(text, " \t\r"))))
	lx.off = end
}

// str reads a text in double quotes, in which \" and \\ stand for " and \.
func (lx *Lexer) str() {
	from, end := lx.off, lx.lineEnd()
	var text strings.Builder
	for i := from + 1; i < end; i++ {
		switch c := lx.Src[i]; {
		case c == '"':
			lx.emit(TokString, from, i+1).Text = text.String()
			return
		case c == '\\' && i+1 < end && (lx.Src[i+1] == '"' || lx.Src[i+1] == '\\'):
			i++
			text.WriteByte(lx.Src[i])
		default:
			text.WriteByte(c)
		}
	}
	lx.bad(from, end, phrase.New("syntax.text-open"), phrase.New("syntax.close-text"))
}

// twoByteOps are the operators of two bytes.
var twoByteOps = [...]string{"<=", ">=", "==", "!=", ".."}

// mathSigns are signs that a keyboard lacks, and what the language has for them.
const mathSigns = ` ²:^2 ³:^3 ½:0.5 ×:* ·:* ⋅:* ÷:/ −:- –:- ≤:<= ≥:>= ≠:!= “:" ”:" „:" &:and |:or ` +
	`!:not ':" ` + "`:\" …:.. "

// WordFor is what stands for a word in a table such as " mu:μ nu:ν "; "" if nothing does.
func WordFor(table, word string) string {
	_, rest, _ := strings.Cut(table, " "+word+":")
	rest, _, _ = strings.Cut(rest, " ")
	return rest
}

func (lx *Lexer) operator(r rune, size int) {
	from := lx.off
	for _, op := range twoByteOps {
		if strings.HasPrefix(lx.Src[from:], op) {
			lx.emit(tokOp, from, from+2)
			return
		}
	}
	switch {
	case strings.ContainsRune("+-*/^<>=(),.:", r):
		lx.emit(tokOp, from, from+1)
	case WordFor(mathSigns, string(r)) != "":
		lx.bad(from, from+size, phrase.New("syntax.no-sign", "sign", string(r)), phrase.New("syntax.write-sign", "sign",
			WordFor(mathSigns, string(r))))
	case r == '∞':
		lx.bad(from, from+size, phrase.New("syntax.no-sign", "sign", string(r)),
			phrase.New("syntax.write-large-number"))
	case r == '%':
		lx.bad(from, from+size, phrase.New("syntax.percent-apart"), phrase.New("syntax.write-percent"))
	case digit(r) != "":
		lx.bad(from, from+size, phrase.New("syntax.no-sign", "sign", string(r)), phrase.New("syntax.write-sign", "sign",
			digit(r)))
	case r == ';':
		lx.bad(from, from+size, phrase.New("syntax.unexpected-character", "sign", ";"), phrase.New("syntax.line-end"))
	default:
		lx.bad(from, from+size, phrase.New("syntax.unexpected-character", "sign", printable(r)),
			phrase.New("syntax.leave-out"))
	}
	switch r {
	case '(':
		lx.depth++
	case ')':
		lx.depth = max(0, lx.depth-1)
	}
}

// digit is a digit of another script as the language has it: full-width, Arabic, Persian, Devanagari, Bengali, Thai.
func digit(r rune) string {
	for _, zero := range []rune{0xFF10, 0x660, 0x6F0, 0x966, 0x9E6, 0xE50} {
		if r >= zero && r < zero+10 {
			return string('0' + r - zero)
		}
	}
	return ""
}

// printable is r, or its code if it can't be shown.
func printable(r rune) string {
	if strconv.IsPrint(r) && r != utf8.RuneError {
		return string(r)
	}
	return number(r)
}

// number is the number of a character: U+202E, U+1D400.
func number(r rune) string {
	text := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "U+" + strings.Repeat("0", max(0, 4-len(text))) + text
}

// startsNumber tells whether r, which is next, begins a number literal: a digit, $5, or .5 where no field is meant.
func (lx *Lexer) startsNumber(r rune) bool {
	next := byte(0)
	if lx.off+1 < len(lx.Src) {
		next = lx.Src[lx.off+1]
	}
	digit := '0' <= next && next <= '9'
	switch {
	case '0' <= r && r <= '9':
		return true
	case r == '$':
		return digit || next == '.'
	case r == '.' && digit && len(lx.Toks) > 0:
		last := &lx.Toks[len(lx.Toks)-1]
		return last.End < lx.off || last.Kind == tokOp && last.Text != ")"
	}
	return false
}

// number reads a number literal with its unit.
func (lx *Lexer) number() {
	from := lx.off
	rest := lx.Src[from:lx.lineEnd()]
	if lx.errs.Full() {
		lx.emit(TokBad, from, from+max(wordLength(rest), 1))
		return
	}
	q, n, err := quantity.Literal(rest)
	if err == nil {
		lx.emit(TokNumber, from, from+n).num = len(lx.nums)
		lx.nums = append(lx.nums, q)
		return
	}
	var fault *quantity.Error
	if !errors.As(err, &fault) {
		fault = &quantity.Error{What: phrase.New("syntax.number-fault")}
	}
	at := min(max(fault.Offset, 0), len(rest))
	end := max(at+wordLength(rest[at:]), wordLength(rest), 1)
	if at < len(rest) && end <= at { // a sign, such as the ^ of a unit's power
		end = at + 1
		end += wordLength(rest[end:])
	}
	at = min(at, end-1)
	lx.Toks = append(
		lx.Toks,
		Token{Kind: TokBad, Text: rest[:end], Off: from, End: from + end, pos: lx.position(from, from+end)},
	)
	lx.errs.Add(lx.position(from+at, from+end), fault.What, fault.Remedy)
	lx.off = from + end
}

// wordLength is how many bytes of text are letters, digits, points and underscores.
func wordLength(text string) int {
	for i, r := range text {
		if r != '.' && r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(text)
}

// StatementWords begin a statement; ReservedWords may not be names, but for nameWords: where those have a meaning, no
// name could stand. Others (hidden, log, step, mark, ...) are words of the language in their place only.
const (
	StatementWords = " title group let hidden solve ask plot table figure expect "
	ReservedWords  = " title let solve ask plot table expect and or not on off true false in of over for where " +
		"within at as when pi "
	nameWords = " over at "
)

// IsReserved tells whether a word can stand for no value.
func IsReserved(word string) bool { return word != "pi" && isTaken(word) }

// isTaken tells whether no row can have that name.
func isTaken(word string) bool { return HasWord(ReservedWords, word) && !HasWord(nameWords, word) }

// HasWord tells whether word is one of words, which have a space before and behind each.
func HasWord(words, word string) bool { return strings.Contains(words, " "+word+" ") }

// OnOff is a switch as a sheet writes it.
func OnOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// alike are letters of other alphabets, each before the letter that it looks the same as in most typefaces.
const alike = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwѵvАAВBЕEЗ3КKМMНHОOРPСCТTУYХXІIЈJЅSҮYԌGԚQԜW" + // Cyrillic
	"οoνvΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + // Greek
	"ПΠГΓФΦфφкκ" + // Cyrillic and Greek
	"օoսuհhոnՕOԱUՍU" + // Armenian
	"ıiɑaɡgſf\u212aK\u212bÅ\u2126Ω\u00b5μ" // Latin, and signs that are letters

// unseenLetters are letters that take no place, or look like a space.
const unseenLetters = "\u115f\u1160\u3164\uffa0"

// Look is a name as it looks: two names that look the same have the same Look. It is the name itself if all its letters
// are of the basic alphabet.
func Look(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return strings.Map(look, name)
		}
	}
	return name
}

// look is the letter that r looks the same as; -1 for one that can't be seen.
func look(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case '\uff10' <= r && r <= '\uff5a': // full width
		return r - '\uff10' + '0'
	case 0x1d400 <= r && r < 0x1d6a4: // bold, italic and so on, for mathematics
		return rune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[(r-0x1d400)%52])
	case 0x1d7ce <= r && r <= 0x1d7ff:
		return '0' + (r-0x1d7ce)%10
	case strings.ContainsRune(unseenLetters, r):
		return -1
	}
	for rest := alike; rest != ""; {
		other, n := utf8.DecodeRuneInString(rest)
		latin, m := utf8.DecodeRuneInString(rest[n:])
		if other == r {
			return latin
		}
		rest = rest[n+m:]
	}
	return r
}

// Foreign is the first letter of names that looks the same as another, by its number, such as U+0430; "" if there is
// none.
func Foreign(names ...string) string {
	for _, name := range names {
		for _, r := range name {
			if look(r) != r {
				return number(r)
			}
		}
	}
	return ""
}
