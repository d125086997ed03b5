package quantity

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// scanner reads numbers and units. It sees typographic signs as their plain ones: × as *, − as -, µ as u.
type scanner struct {
	src   string
	pos   int
	field bool // a reader's field: magnitudes may stand apart ("17.4 B"), thousands have commas
	depth int

	unitless bool // numbers have no units: one stands behind the whole calculation

	billion int // 1 + offset of a B that could be meant as byte; 0 if there is none
}

// rune is the next character as a plain one, and its width; 0, 0 at the end.
func (s *scanner) rune() (rune, int) { return s.runeAt(s.pos) }

func (s *scanner) runeAt(pos int) (rune, int) {
	if pos >= len(s.src) {
		return 0, 0
	}
	if c := s.src[pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(s.src[pos:])
	switch r {
	case '×', '·', '⋅', '∙':
		r = '*'
	case '÷', '⁄', '∕':
		r = '/'
	case '−', '–', '‒':
		r = '-'
	case 'µ', 'μ':
		r = 'u'
	case '\u00a0', '\u2007', '\u2008', '\u2009', '\u200a', '\u202f', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006':
		r = ' '
	}
	return r, n
}

// take consumes the character if it is next.
func (s *scanner) take(want rune) bool {
	r, n := s.rune()
	if n == 0 || r != want {
		return false
	}
	s.pos += n
	return true
}

// space skips blanks, not line ends, and tells whether there were any.
func (s *scanner) space() bool {
	start := s.pos
	for s.take(' ') || s.take('\t') {
	}
	return s.pos > start
}

// word is the run of letters, digits and underscores ahead (or a $ alone) in plain spelling, and its end.
func (s *scanner) word() (string, int) {
	if word := s.asciiWord(); word != "" {
		return word, s.pos + len(word)
	}
	var b strings.Builder
	end := s.pos
	for {
		r, n := s.runeAt(end)
		if n == 0 || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		b.WriteRune(r)
		end += n
	}
	if end == s.pos && end < len(s.src) && s.src[end] == '$' {
		return "$", end + 1
	}
	return b.String(), end
}

// asciiWord is the word ahead where it has plain letters only, as most do: no copy of it is needed.
func (s *scanner) asciiWord() string {
	end := s.pos
	for end < len(s.src) {
		c := s.src[end]
		if c >= utf8.RuneSelf {
			return ""
		}
		if c != '_' && !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		end++
	}
	return s.src[s.pos:end]
}

// numeral is a number as written: digits with at most one point, times 10^exp.
type numeral struct {
	digits string
	exp    int
}

// numeral reads an unsigned number. Underscores may separate digits, commas too in a reader's field.
func (s *scanner) numeral() (numeral, error) {
	start := s.pos
	if err := s.digits(s.field); err != nil {
		return numeral{}, err
	}
	if s.pointAhead() {
		s.pos++
		if err := s.digits(false); err != nil {
			return numeral{}, err
		}
	}
	digits := s.src[start:s.pos]
	if digits == "" || digits == "." {
		return numeral{}, &Error{Offset: start, What: phrase.New("quantity.number-missing"),
			Remedy: phrase.New("quantity.write-digits")}
	}
	if strings.ContainsAny(digits, "_,") {
		digits = strings.NewReplacer("_", "", ",", "").Replace(digits)
	}
	exp := s.exponent()
	if power, ok := s.powerOfTen(digits == "10"); ok {
		if exp = power; digits == "10" {
			digits = "1"
		}
	}
	return numeral{digits, exp}, nil
}

// pointAhead tells whether a decimal point is next: not the two points of a range, and not a field's name.
func (s *scanner) pointAhead() bool {
	if !strings.HasPrefix(s.src[s.pos:], ".") {
		return false
	}
	r, _ := s.runeAt(s.pos + 1)
	return r != '.' && r != '_' && !unicode.IsLetter(r)
}

// digits skips a run of digits and what separates them.
func (s *scanner) digits(commas bool) error {
	first := s.pos
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch {
		case isDigit(c):
		case c == '_' && s.pos > first && isDigit(s.src[s.pos-1]) && s.digitAt(s.pos+1):
		case c == ',' && commas && s.digitAt(s.pos+1):
			if s.pos-first > 3 && !strings.Contains(s.src[first:s.pos], ",") || !s.groupAt(s.pos+1) || s.pos == first ||
				s.src[first] == '0' {
				return &Error{Offset: s.pos, What: phrase.New("quantity.comma-does-not-separate"),
					Remedy: phrase.New("quantity.write-3")}
			}
		default:
			return nil
		}
		s.pos++
	}
	return nil
}

// groupAt tells whether exactly three digits stand at pos.
func (s *scanner) groupAt(pos int) bool {
	return s.digitAt(pos) && s.digitAt(pos+1) && s.digitAt(pos+2) && !s.digitAt(pos+3)
}

func (s *scanner) digitAt(pos int) bool { return pos < len(s.src) && isDigit(s.src[pos]) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// lowered is a raised digit or minus sign on the line; 0 for all else.
func lowered(c rune) rune {
	const plain = "-0123456789"
	if i := strings.IndexRune(Superscript(plain), c); i >= 0 {
		return rune(plain[utf8.RuneCountInString(Superscript(plain)[:i])])
	}
	return 0
}

// Lowered is the raised digits that text begins with, on the line, and how many bytes they take: 12 of ¹².
func Lowered(text string) (digits string, n int) {
	n = strings.IndexFunc(text+" ", func(c rune) bool { return c < utf8.RuneSelf || lowered(c) == 0 })
	return strings.Map(lowered, text[:n]), n
}

// exponent reads e12, E-3. What only looks like one, as the E of EB does, is left alone.
func (s *scanner) exponent() int {
	if s.pos >= len(s.src) || s.src[s.pos]|0x20 != 'e' {
		return 0
	}
	pos, sign := s.pos+1, 1
	if r, n := s.runeAt(pos); r == '+' || r == '-' {
		pos += n
		if r == '-' {
			sign = -1
		}
	}
	if !s.digitAt(pos) {
		return 0
	}
	exp := 0
	for ; s.digitAt(pos); pos++ {
		exp = min(exp*10+int(s.src[pos]-'0'), 1_000_000)
	}
	s.pos = pos
	return sign * exp
}

// powerOfTen reads what pages print for e24: ×10²⁴, or ²⁴ behind a ten that is read already.
func (s *scanner) powerOfTen(ten bool) (exp int, ok bool) {
	raised := s.src[s.pos:]
	if !s.field {
		return 0, false
	}
	if !ten {
		if raised, ok = strings.CutPrefix(raised, "×10"); !ok {
			return 0, false
		}
	}
	end := strings.IndexFunc(raised+" ", func(c rune) bool { return lowered(c) == 0 })
	text := strings.Map(lowered, raised[:end])
	exp, err := strconv.Atoi(text)
	if err != nil || len(text) > 4 {
		return 0, false
	}
	s.pos = len(s.src) - len(raised) + end
	return exp, true
}

// value is the number in units of m: the nearest float64, or the sentence that says why it is none.
func (n numeral) value(m *measure) (v float64, key string) {
	text := n.digits
	if exp := n.exp + m.exp; exp != 0 {
		text += "e" + strconv.Itoa(exp)
	}
	v, err := strconv.ParseFloat(text, 64)
	v = float64(v*orOne(m.num)) / orOne(m.den)
	switch {
	case err != nil || math.IsInf(v, 0) || math.IsNaN(v):
		return 0, "quantity.too-large"
	case v < Smallest && strings.Trim(n.digits, "0.") != "":
		return 0, "quantity.too-small"
	}
	return v, ""
}

// Literal reads the number literal at the start of src, with its unit if it has one, and says how many bytes it took.
// src begins with a digit, a point or a dollar sign.
//
//	4096   1_000_000   8.1e11 byte/s   16GiB   256 token   70B   8k   25%   $2.1/hour   1 byte/token
//
// A unit follows attached or after spaces; / and * continue it only without spaces around them, and only before
// another unit. A magnitude (k, M, B, T) is attached. A word that stands apart and is no unit is left to the caller;
// one that is attached is an error. Two points end a number: "1..16384" takes one byte.
func Literal(src string) (q Quantity, n int, err error) {
	s := scanner{src: src}
	q, _, err = s.literal()
	if err != nil {
		return Quantity{}, 0, err
	}
	return q, s.pos, nil
}

// UnitOf is the unit that a number literal was written in, as the quantity 1 unit: 1 GiB for "16 GiB", the plain 1
// for "4096" and for "8k". It is what a bare number means to ParseLike.
func UnitOf(literal string) (Quantity, error) {
	s := scanner{src: literal, field: true}
	_, m, err := s.literal()
	if err != nil {
		return Quantity{}, err
	}
	one := Quantity{Value: m.scale(), Dim: m.dim, Label: m.label, Binary: m.binary}
	if one.IsPercent() {
		one.Value = 0.01
	}
	return one, nil
}

// literal reads a number and its unit; the measure is the unit alone.
func (s *scanner) literal() (Quantity, measure, error) {
	var m measure
	start := s.pos
	dollar := s.take('$')
	if dollar {
		m.dim = Dim{Dollar: 1}
		if s.field {
			s.space()
		}
	}
	num, err := s.numeral()
	if err != nil {
		return Quantity{}, m, err
	}
	done, err := s.suffix(&num, dollar)
	if done {
		m.label.Over = percent
	}
	if err == nil && !done && !s.unitless {
		err = s.unit(&m, dollar)
	}
	if err != nil {
		return Quantity{}, m, err
	}
	v, key := num.value(&m)
	if key != "" {
		return Quantity{}, m, outOfRange(key, start, s.src[start:s.pos])
	}
	return Quantity{Value: v, Dim: m.dim, Label: m.label, Binary: m.binary && m.dim[Byte] != 0}, m, nil
}

// outOfRange is the error for a text that is too large a number, or too small a one.
func outOfRange(key string, offset int, text string) error {
	remedy := phrase.New("quantity.largest")
	if key == "quantity.too-small" {
		remedy = phrase.New("quantity.smallest")
	}
	return &Error{Offset: offset, What: phrase.New(key, "text", clip(text, 24)), Remedy: remedy}
}

// suffix reads a percent sign or a magnitude; it is done if no unit can follow.
func (s *scanner) suffix(num *numeral, dollar bool) (done bool, err error) {
	start := s.pos
	apart := s.space()
	if (!apart || s.field) && s.take('%') {
		num.exp -= 2
		return true, nil
	}
	word, end := s.word()
	if len(word) != 1 || magnitude(word[0]) == 0 {
		s.pos = start
		return false, nil
	}
	if apart && !s.field {
		return false, s.apart(word)
	}
	if word == "B" && !dollar {
		if err := s.byteOrBillion(end); err != nil {
			return false, err
		}
	}
	num.exp += magnitude(word[0])
	s.pos = end
	return false, nil
}

// apart is the error for a magnitude that stands apart from its number in a sheet.
func (s *scanner) apart(word string) error {
	if word == "B" {
		return &Error{Offset: s.pos, What: phrase.New("quantity.b-after-number-could"),
			Remedy: phrase.New("quantity.write-byte-gb-2")}
	}
	return &Error{Offset: s.pos, What: phrase.New("quantity.magnitude-apart", "word", word),
		Remedy: phrase.New("quantity.attach", "word", word)}
}

// byteOrBillion looks at what follows a B that ends at end. Before a slash and a unit it could be meant as either;
// where no unit follows at all, it is noted for ParseLike.
func (s *scanner) byteOrBillion(end int) error {
	ahead := scanner{src: s.src, pos: end}
	if ahead.take('/') {
		if word, _ := ahead.word(); word != "" {
			if m, ok := lookup(word); ok && (s.field || m.dim != Dim{}) {
				return &Error{Offset: s.pos, What: phrase.New("quantity.b-could-byte-2", "word", clip(word, 12)),
					Remedy: phrase.New("quantity.write-byte-gb-3", "word", clip(word, 12))}
			}
		}
		return nil
	}
	ahead.space()
	if word, _ := ahead.word(); word == "" {
		s.billion = s.pos + 1
	}
	return nil
}

// unit reads a unit if one follows. After dollars, only what they are divided by.
func (s *scanner) unit(m *measure, dollar bool) error {
	start := s.pos
	if !dollar {
		apart := s.space()
		word, end := s.word()
		u, ok, err := s.known(word)
		switch {
		case err != nil:
			return err
		case !ok && word != "" && !apart && !s.timesSign(word):
			return &Error{Offset: s.pos, What: phrase.New("quantity.unknown-unit", "word", clip(word, 24)),
				Remedy: Suggest(word)}
		case !ok, apart && !s.field && s.stepClause(word, end):
			s.pos = start
			return nil
		}
		s.pos = end
		if err := s.factor(m, u, 1); err != nil {
			return err
		}
	}
	for {
		more, err := s.more(m)
		if err != nil || !more {
			return err
		}
	}
}

// known looks a word up; the error is for one that could be meant in two ways.
func (s *scanner) known(word string) (measure, bool, error) {
	if u, ok := lookup(word); ok {
		return u, true, nil
	}
	return measure{}, false, ambiguous(word, s.pos)
}

// ambiguous is an error for b, Gb and the like, which people write for bits and for bytes.
func ambiguous(word string, offset int) error {
	prefix, ok := strings.CutSuffix(word, "b")
	if !ok || len(prefix) > 1 || strings.Trim(prefix, "kKMGTP") != "" {
		return nil
	}
	prefix = strings.ToUpper(prefix)
	bits, bytes := strings.Replace(prefix, "K", "k", 1)+"bit", prefix+"B"
	if prefix == "" {
		bytes = "byte"
	}
	return &Error{Offset: offset, What: phrase.New("quantity.could-bit-or-byte", "word", word),
		Remedy: phrase.New("quantity.write", "bits", bits, "bytes", bytes)}
}

// timesSign tells whether a word is the x and the number of "4x8192"; "0x10" is no product.
func (s *scanner) timesSign(word string) bool {
	before := strings.TrimRight(s.src[:s.pos], " ")
	hex := strings.HasSuffix(before, "0") &&
		(len(before) == 1 || !isDigit(before[len(before)-2]) && before[len(before)-2] != '.')
	return s.field && !hex && len(word) > 1 && word[0]|0x20 == 'x' && isDigit(word[1])
}

// stepClause tells whether the word step is the sheet's keyword: "in 1..64 step 1".
func (s *scanner) stepClause(word string, end int) bool {
	ahead := scanner{src: s.src, pos: end}
	return word == "step" && ahead.space() && ahead.digitAt(ahead.pos)
}

// factor multiplies m by u, to the power that follows it, if any.
func (s *scanner) factor(m *measure, u measure, sign int) error {
	n, at := 1, s.pos
	if s.take('^') {
		digitsAt, neg := s.pos, s.take('-')
		n = 0
		for s.digitAt(s.pos) && n < 1000 {
			n = n*10 + int(s.src[s.pos]-'0')
			s.pos++
		}
		if s.pos == digitsAt || n == 0 {
			return &Error{Offset: at, What: phrase.New("quantity.unit-power-missing"),
				Remedy: phrase.New("quantity.write-whole-number")}
		}
		if neg {
			n = -n
		}
	}
	if err := m.times(u, sign*n); err != nil {
		err.(*Error).Offset = at
		return err
	}
	return nil
}

// more reads one continuation: "/s", "*byte", "/(byte*s)". It leaves anything else alone.
func (s *scanner) more(m *measure) (bool, error) {
	start := s.pos
	sign := 1
	if s.take('/') {
		sign = -1
	} else if !s.take('*') {
		return false, nil
	}
	if sign < 0 && s.take('(') {
		return s.group(m, start)
	}
	word, end := s.word()
	u, ok := lookup(word)
	if !ok {
		s.pos = start
		return false, nil
	}
	s.pos = end
	return true, s.factor(m, u, sign)
}

// group reads the rest of "/(byte*s)". If that is not all units, it is an expression of the caller's.
func (s *scanner) group(m *measure, start int) (bool, error) {
	inside := *m
	for {
		word, end := s.word()
		u, ok := lookup(word)
		if !ok {
			break
		}
		s.pos = end
		if err := s.factor(&inside, u, -1); err != nil {
			return false, err
		}
		if s.take(')') {
			*m = inside
			return true, nil
		}
		if !s.take('*') {
			break
		}
	}
	s.pos = start
	return false, nil
}
