package quantity

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// atom is a number with its unit, a parenthesis, or where it makes sense a unit alone.
func (s *scanner) atom(bare bool) (Quantity, error) {
	r, n := s.rune()
	switch {
	case n == 0:
		return Quantity{}, &Error{Offset: s.pos, What: phrase.New("quantity.ends-where-number-should"),
			Remedy: phrase.New("quantity.complete-or-remove-sign")}
	case r == '(':
		return s.parenthesis(bare)
	case r == '$' && s.dollarAmount(), r == '.', '0' <= r && r <= '9':
		q, m, err := s.literal()
		if m == (measure{}) {
			s.oneOver()
		}
		return q, err
	}
	word, end := s.word()
	u, ok, err := s.known(word)
	if err != nil {
		return Quantity{}, err
	}
	if !ok || !bare {
		return Quantity{}, s.unexpected()
	}
	s.pos = end
	m := measure{}
	if err := s.factor(&m, u, 1); err != nil {
		return Quantity{}, err
	}
	return s.scaled(Quantity{Value: 1}, m) // what follows is the caller's: 1 / s / chip
}

// oneOver skips the 1 of a unit such as 1/s, behind a number.
func (s *scanner) oneOver() {
	if !s.field || !strings.HasPrefix(s.src[s.pos:], " 1/") {
		return
	}
	ahead := scanner{src: s.src, pos: s.pos + len(" 1/")}
	if word, _ := ahead.word(); word != "" && !isDigit(word[0]) {
		s.pos += len(" 1")
	}
}

// dollarAmount tells whether a number follows the dollar sign that is next.
func (s *scanner) dollarAmount() bool {
	ahead := scanner{src: s.src, pos: s.pos + 1}
	ahead.space()
	return ahead.digitAt(ahead.pos) || ahead.pointAhead()
}

func (s *scanner) parenthesis(bare bool) (Quantity, error) {
	at := s.pos
	s.pos++
	q, err := s.sum(bare)
	if err != nil {
		return q, err
	}
	if s.blank(); !s.take(')') {
		if s.pos < len(s.src) {
			return q, s.unexpected()
		}
		return q, &Error{Offset: at, What: phrase.New("quantity.parenthesis-not-closed"),
			Remedy: phrase.New("quantity.add-parenthesis")}
	}
	return s.withUnit(q)
}

// withUnit multiplies q by the unit that follows it, if one does.
func (s *scanner) withUnit(q Quantity) (Quantity, error) {
	start := s.pos
	s.space()
	word, end := s.word()
	u, ok, err := s.known(word)
	if err != nil || !ok {
		s.pos = start
		return q, err
	}
	s.pos = end
	m := measure{}
	if err := s.factor(&m, u, 1); err != nil {
		return q, err
	}
	return s.chain(q, m)
}

// scaled is q units m.
func (s *scanner) scaled(q Quantity, m measure) (Quantity, error) {
	q, err := q.times(Quantity{Value: m.scale(), Dim: m.dim, Label: m.label, Binary: m.binary})
	return placed(q, err, s.pos)
}
