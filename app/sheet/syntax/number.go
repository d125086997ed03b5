package syntax

import (
	"errors"
	"unicode"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

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
