package quantity

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// Limits on what a reader's field takes, so that hostile text ends soon.
const (
	maxText  = 200 // bytes
	maxDepth = 32  // parentheses and signs inside each other
)

// Parse reads what a person writes into a field: a number with a unit, or a small calculation with such numbers.
//
//	16 GiB   9.2e14 FLOP/s   1.5 TB/s   240 token   $2.1/hour   8k   4*8192   2^20   (1+2)*4 KiB   16,384
//	17.4 B parameters   1/3   25%   -5   3.2 Tbit/s   100 GB / 5 s   16 × 16   1.3 µs
//
// The error is an *Error with the place and the remedy. The result is finite.
func Parse(text string) (Quantity, error) {
	q, _, err := parse(text)
	return q, err
}

// parse also says where a lone B stood (1 + offset, 0 if nowhere).
func parse(text string) (Quantity, int, error) {
	if len(text) > maxText {
		return Quantity{}, 0, &Error{Offset: maxText, What: phrase.New("quantity.too-long-number"),
			Remedy: phrase.New("quantity.write-at-most-characters")}
	}
	if !utf8.ValidString(text) {
		return Quantity{}, 0, &Error{What: phrase.New("quantity.not-text"), Remedy: phrase.New("quantity.write-number-gib")}
	}
	s := scanner{src: text, field: true}
	s.blank()
	if s.pos == len(text) {
		return Quantity{}, 0, &Error{What: phrase.New("quantity.nothing-written"),
			Remedy: phrase.New("quantity.write-number-gib-2")}
	}
	q, err := s.sum(false)
	if err != nil {
		return Quantity{}, 0, err
	}
	if s.pos < len(text) {
		return Quantity{}, 0, s.unexpected()
	}
	return q, s.billion, nil
}

// blank skips blanks and line ends: a reader's field has one line.
func (s *scanner) blank() {
	for s.space() || s.take('\n') || s.take('\r') {
	}
}

// sum reads terms; in a unit's place (after / or *), a unit may stand without a number.
func (s *scanner) sum(bare bool) (Quantity, error) {
	q, err := s.product(bare)
	for err == nil {
		s.blank()
		at := s.pos
		minus := s.take('-')
		if !minus && !s.take('+') {
			return q, nil
		}
		var r Quantity
		if r, err = s.product(false); err != nil {
			break
		}
		if minus {
			q, err = q.Sub(r)
		} else {
			q, err = q.Add(r)
		}
		q, err = placed(q, err, at)
	}
	return Quantity{}, err
}

func (s *scanner) product(bare bool) (Quantity, error) {
	q, err := s.signed(bare)
	for err == nil {
		s.blank()
		at := s.pos
		op := s.timesOrDivide()
		if op == 0 {
			return q, nil
		}
		var r Quantity
		if r, err = s.signed(true); err != nil {
			break
		}
		switch {
		case op == '*':
			q, err = q.times(r)
		case r.Value == 0:
			return q, &Error{Offset: at, What: phrase.New("quantity.divides-by-zero"),
				Remedy: phrase.New("quantity.divide-by-number-other")}
		default:
			q, err = q.over(r)
		}
		q, err = placed(q, err, at)
	}
	return Quantity{}, err
}

// timesOrDivide reads * / x or per; 0 if none is next.
func (s *scanner) timesOrDivide() byte {
	switch {
	case s.take('*'):
		return '*'
	case s.take('/'):
		return '/'
	}
	word, end := s.word()
	switch {
	case word == "per":
		s.pos = end
		return '/'
	case s.timesSign(word), word == "x" || word == "X":
		s.pos++
		return '*'
	}
	return 0
}

// placed gives an operation's error its place, and refuses a result that is not finite.
func placed(q Quantity, err error, at int) (Quantity, error) {
	if e, ok := err.(*Error); ok {
		e.Offset = at
		return q, e
	}
	if err == nil && !q.IsFinite() {
		return q, &Error{Offset: at, What: phrase.New("quantity.result-too-large-number"),
			Remedy: phrase.New("quantity.largest")}
	}
	return q, err
}

func (s *scanner) signed(bare bool) (Quantity, error) {
	if s.depth++; s.depth > maxDepth {
		return Quantity{}, &Error{Offset: s.pos, What: phrase.New("quantity.nested-too-deeply"),
			Remedy: phrase.New("quantity.write-simpler-calculation")}
	}
	defer func() { s.depth-- }()
	s.blank()
	if s.take('+') {
		return s.signed(false)
	}
	if s.take('-') {
		q, err := s.signed(false)
		return q.Neg(), err
	}
	return s.raised(bare)
}

// chain reads the rest of a unit and multiplies q by it.
func (s *scanner) chain(q Quantity, m measure) (Quantity, error) {
	for {
		more, err := s.more(&m)
		if err != nil {
			return q, err
		}
		if !more {
			break
		}
	}
	return s.scaled(q, m)
}

// unexpected says what is wrong with the text that is next.
func (s *scanner) unexpected() error {
	word, _ := s.word()
	switch strings.ToLower(word) {
	case "":
	case "nan", "inf", "infinity":
		return &Error{Offset: s.pos, What: phrase.New("quantity.not-number-with-value", "word", clip(word, 24)),
			Remedy: phrase.New("quantity.write-finite-number")}
	default:
		if _, ok := lookup(word); ok {
			return &Error{Offset: s.pos, What: phrase.New("quantity.number-missing-before", "word", clip(word, 24)),
				Remedy: phrase.New("quantity.write-one", "word", clip(word, 24))}
		}
		if isDigit(word[0]) {
			return &Error{Offset: s.pos, What: phrase.New("quantity.two-numbers-follow-each"),
				Remedy: phrase.New("quantity.write-operator-between-them")}
		}
		return &Error{Offset: s.pos, What: phrase.New("quantity.unknown-unit", "word", clip(word, 24)), Remedy: Suggest(word)}
	}
	_, n := s.runeAt(s.pos)
	return &Error{Offset: s.pos, What: phrase.New("quantity.unexpected", "text", s.src[s.pos:s.pos+n]),
		Remedy: phrase.New("quantity.write-number-with-unit")}
}
