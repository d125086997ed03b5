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
	src     string
	pos     int
	field   bool // a reader's field: magnitudes may stand apart ("17.4 B"), thousands have commas
	depth   int
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
			if s.pos-first > 3 && !strings.Contains(s.src[first:s.pos], ",") || !s.groupAt(s.pos+1) || s.pos == first {
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
