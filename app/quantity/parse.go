package quantity

import (
	"math"
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
	q, _, err := parse(text, nil)
	return q, err
}

// parse also says where a lone B stood (1 + offset, 0 if nowhere). What the number should be, if that is known, tells
// units apart whose case is wrong.
func parse(text string, like *Dim) (Quantity, int, error) {
	if len(text) > maxText {
		return Quantity{}, 0, &Error{Offset: maxText, What: phrase.New("quantity.too-long-number"),
			Remedy: phrase.New("quantity.write-at-most-characters")}
	}
	if !utf8.ValidString(text) {
		return Quantity{}, 0, &Error{What: phrase.New("quantity.not-text"),
			Remedy: phrase.New("quantity.write-number-gib")}
	}
	q, billion, err := calculated(text)
	if err != nil {
		q, billion, err = asTyped(text, like, q, err)
	}
	if fault := ranged(text); fault != nil {
		return Quantity{}, 0, fault
	}
	return q, billion, err
}

// asTyped reads a text again that the grammar refused, in the grammar's own words, if they differ.
func asTyped(text string, like *Dim, q Quantity, err error) (Quantity, int, error) {
	own, from, fault := plain(text, like)
	if fault != nil {
		return Quantity{}, 0, fault
	}
	if own == text || own == "" {
		return q, 0, err
	}
	q, billion, err := calculated(own)
	if fault := ranged(own); fault != nil {
		return Quantity{}, 0, fault
	}
	if e, ok := err.(*Error); ok {
		e.Offset = from[min(max(e.Offset, 0), len(from)-1)]
	}
	if billion > 0 {
		billion = from[billion-1] + 1
	}
	return q, billion, err
}

// ranged refuses what could be a range where a difference was read; nil if it is none.
func ranged(text string) error {
	if !strings.ContainsAny(text, "-−–‒") || !isRange(text) {
		return nil
	}
	return &Error{What: phrase.New("quantity.a-range"), Remedy: phrase.New("quantity.write-one-number")}
}

// calculated reads text by the grammar.
func calculated(text string) (Quantity, int, error) {
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

// Plainly tells whether text is a number in the grammar of Parse as it stands, so that nobody need be informed how it
// was read. A comma may be meant as a point.
func Plainly(text string) bool {
	_, _, err := calculated(text)
	return err == nil && !strings.Contains(text, ",")
}

// wholly reads a calculation with bare numbers and one unit behind it, which stands for all of it: 90/4 GB/s.
func wholly(text string, dim Dim) (Quantity, bool) {
	if own, _, fault := plain(text, &dim); fault == nil {
		text = own
	}
	if isRange(text) {
		return Quantity{}, false
	}
	s := scanner{src: text, field: true, unitless: true}
	s.blank()
	q, err := s.sum(false)
	if err != nil || q.Dim != (Dim{}) {
		return q, false
	}
	s.unitless = false
	q, err = s.withUnit(q)
	s.blank()
	return q, err == nil && s.pos == len(text) && q.Dim == dim
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
		return &Error{Offset: s.pos, What: phrase.New("quantity.unknown-unit", "word", clip(word, 24)),
			Remedy: Suggest(word)}
	}
	_, n := s.runeAt(s.pos)
	return &Error{Offset: s.pos, What: phrase.New("quantity.unexpected", "text", s.src[s.pos:s.pos+n]),
		Remedy: phrase.New("quantity.write-number-with-unit")}
}

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
	if s.unitless {
		return q, nil
	}
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
		err = &Error{What: phrase.New("quantity.power-no-real-number"),
			Remedy: phrase.New("quantity.raise-positive-number")}
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
