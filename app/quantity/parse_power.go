package quantity

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// raised reads an atom and the power it is raised to. A unit may follow the power: 2^20 byte.
func (s *scanner) raised(bare bool) (Quantity, error) {
	q, err := s.atom(bare)
	if err != nil {
		return q, err
	}
	start := s.pos
	s.blank()
	at := s.pos
	if !s.take('^') && !s.doubleStar() {
		s.pos = start
		return q, nil
	}
	e, err := s.power()
	if err != nil {
		return q, err
	}
	if q, err = q.Pow(e); err == nil && math.IsNaN(q.Value) {
		err = &Error{What: phrase.New("quantity.power-no-real-number"), Remedy: phrase.New("quantity.raise-positive-number")}
	}
	if q, err = placed(q, err, at); err != nil {
		return q, err
	}
	return s.withUnit(q)
}

func (s *scanner) doubleStar() bool {
	if strings.HasPrefix(s.src[s.pos:], "**") {
		s.pos += 2
		return true
	}
	return false
}

// power reads an exponent: a signed number, or a calculation in parentheses.
func (s *scanner) power() (float64, error) {
	s.blank()
	minus := s.take('-')
	at := s.pos
	var q Quantity
	var err error
	if strings.HasPrefix(s.src[s.pos:], "(") {
		q, err = s.atom(false)
	} else {
		var num numeral
		if num, err = s.numeral(); err == nil {
			var key string
			if q.Value, key = num.value(&measure{}); key != "" {
				err = outOfRange(key, at, s.src[at:s.pos])
			}
		}
	}
	if err == nil && !q.Dim.IsZero() {
		err = &Error{Offset: at, What: phrase.New("quantity.exponent-plain-number", "describe", describe(q.Dim)),
			Remedy: phrase.New("quantity.write-2")}
	}
	if minus {
		return -q.Value, err
	}
	return q.Value, err
}
