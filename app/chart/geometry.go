package chart

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a drawing, in units of the viewBox.
const (
	width  = 440.0
	height = 320.0 // of a plot over numbers; constant, so that the page does not move when the data do
	em     = 15.0  // the largest text the style sheet sets
	line   = 18.0  // from one line of text to the next
	gap    = 6.0   // between texts that stand side by side
	edge   = 2.0   // kept free along the viewBox
)

// pt is a place in the viewBox.
type pt struct{ x, y float64 }

// box is a part of the viewBox.
type box struct{ x0, y0, x1, y1 float64 }

// intersects says whether two boxes overlap.
func (b box) intersects(c box) bool { return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1 }

// inside says whether b lies in c.
func (b box) inside(c box) bool { return b.x0 >= c.x0 && b.x1 <= c.x1 && b.y0 >= c.y0 && b.y1 <= c.y1 }

// grow is b with a border of d.
func (b box) grow(d float64) box { return box{b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d} }

func (b box) contains(p pt) bool { return p.x >= b.x0 && p.x <= b.x1 && p.y >= b.y0 && p.y <= b.y1 }

// clip is the part of the line p..q that lies in b (Liang and Barsky), if any does.
func (b box) clip(p, q pt) (pt, pt, bool) {
	dx, dy := q.x-p.x, q.y-p.y
	t0, t1 := 0.0, 1.0
	for _, side := range [4][2]float64{{-dx, p.x - b.x0}, {dx, b.x1 - p.x}, {-dy, p.y - b.y0}, {dy, b.y1 - p.y}} {
		d, space := side[0], side[1]
		switch {
		case d == 0 && space < 0:
			return p, q, false
		case d < 0:
			t0 = max(t0, space/d)
		case d > 0:
			t1 = min(t1, space/d)
		}
	}
	if t0 > t1 {
		return p, q, false
	}
	a, c := p, q
	if t0 > 0 {
		a = pt{p.x + float64(t0*dx), p.y + float64(t0*dy)}
	}
	if t1 < 1 {
		c = pt{p.x + float64(t1*dx), p.y + float64(t1*dy)}
	}
	return a, c, true
}

// anchor says which part of a text stands at its x.
type anchor int8

const (
	start anchor = iota
	middle
	end
)

// bold is how much wider bold letters are: the style sheet sets the current place and its values in bold.
const bold = 1.13

// text is a line of text; y is the middle of its letters.
type text struct {
	class string
	s     string
	x, y  float64
	at    anchor
}

// box is the space that the text needs at its largest.
func (t text) box() box {
	w := float64(textWidth(t.s) * em)
	if strings.HasPrefix(t.class, "now") || strings.HasPrefix(t.class, "value") {
		w = float64(w * bold)
	}
	x := t.x - float64(w*[...]float64{0, 0.5, 1}[t.at])
	return box{x, t.y - 0.55*em, x + w, t.y + 0.55*em}
}

// The functions of this file are exact to the bit on every platform: math.Log and math.Exp have assembly versions that
// differ in the last place, and a product that is added to something may be fused unless it is converted first.

const (
	ln2  = 0.693147180559945309417232121458176568
	ln10 = 2.30258509299404568401799145468436421
)

// log10 is the decimal logarithm of x > 0.
func log10(x float64) float64 {
	frac, exp := math.Frexp(x)
	if frac < math.Sqrt2/2 {
		frac, exp = frac*2, exp-1
	}
	s := (frac - 1) / (frac + 1) // ln(frac) = 2 (s + s³/3 + s⁵/5 + ...), |s| < 0.172
	z := float64(s * s)
	sum := 0.0
	for k := 27; k >= 1; k -= 2 {
		sum = float64(sum*z) + 1/float64(k)
	}
	return (float64(2*s*sum) + float64(float64(exp)*ln2)) / ln10
}

// exp10 is 10^v, 0 or infinite where that is out of range.
func exp10(v float64) float64 {
	if v > 309 {
		return math.Inf(1)
	}
	if v < -330 {
		return 0
	}
	whole := math.Floor(v)
	y := float64((v-whole)*ln10) / 8
	sum := 1.0
	for k := 16; k >= 1; k-- {
		sum = float64(sum*y)/float64(k) + 1
	}
	for range 3 {
		sum = float64(sum * sum)
	}
	if whole > -300 {
		return sum * power10(int(whole))
	}
	// In two steps, as 10^-320 alone has few digits left.
	half := math.Floor(whole / 2)
	return float64(sum*power10(int(half))) * power10(int(whole-half))
}

// power10 is 10^e, correctly rounded.
func power10(e int) float64 { return decimal(1, e) }

// decimal is m·10^e, correctly rounded, so that ticks print as what they are. It is infinite if that is too large.
func decimal(m int64, e int) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatInt(m, 10)+"e"+strconv.Itoa(e), 64)
	return v
}

// scientific splits x > 0 into its leading digits 1 <= m < 10 and its power of ten.
func scientific(x float64) (m float64, e int) {
	digits, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	m, _ = strconv.ParseFloat(digits, 64)
	e, _ = strconv.Atoi(exp)
	return m, e
}

// plain prints a number that has no Format: four digits, with thousands commas, or a power of ten if that is shorter.
func plain(v float64) string {
	if v == 0 {
		return "0"
	}
	if a := math.Abs(v); a >= 1e-4 && a < 1e7 {
		_, e := scientific(a)
		s := strconv.FormatFloat(v, 'f', max(0, 3-e), 64)
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return commas(s)
	}
	return quantity.Quantity{Value: v}.Format(4)
}

// commas groups the whole part of a printed number by thousands, and gives it a real minus sign.
func commas(s string) string { return strings.Replace(quantity.Grouped(s), "-", "−", 1) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// clamp keeps v between lo and hi.
func clamp(v, lo, hi float64) float64 { return max(lo, min(hi, v)) }

// Text is measured with the advances of DejaVu Sans, the widest of the fonts that a reader may meet (the others are 5
// to 15 percent narrower): what is kept apart here stays apart in every one of them.

// narrow holds the advances, in thousandths of an em, of characters that differ much from their class.
var narrow = [128]int16{
	' ': 318, '!': 401, '"': 460, '#': 838, '$': 636, '%': 950, '&': 780, '\'': 275, '(': 390, ')': 390, '*': 500,
	'+': 838, ',': 318, '-': 361, '.': 318, '/': 337, ':': 337, ';': 337, '<': 838, '=': 838, '>': 838, '?': 531,
	'@': 1000, '[': 390, '\\': 337, ']': 390, '^': 838, '_': 500, '`': 500, '{': 636, '|': 337, '}': 636, '~': 838,
	'I': 295, 'J': 295, 'L': 557, 'M': 863, 'W': 989, 'O': 787, 'Q': 787, 'G': 775, 'N': 748, 'H': 752, 'D': 770,
	'F': 575, 'c': 550, 'f': 352, 'i': 278, 'j': 278, 'k': 579, 'l': 278, 'm': 974, 'r': 411, 's': 521, 't': 392,
	'v': 592, 'w': 818, 'x': 592, 'y': 592, 'z': 525,
}

// runeWidth is the advance of r in em.
func runeWidth(r rune) float64 {
	if r < 128 && narrow[r] != 0 {
		return float64(narrow[r]) / 1000
	}
	switch {
	case r < ' ' || r == 0x7f: // shown as the replacement character
		return 1.05
	case r >= '■' && r <= '★':
		return 0.95
	case r == '×' || r == '−' || r == '≈' || r == '≤' || r == '≥':
		return 0.838
	case r >= '⁰' && r <= '⁻' || r == '¹' || r == '²' || r == '³':
		return 0.45 // of a raised minus sign 0.53, which digits of 0.40 follow
	case unicode.IsUpper(r):
		return 0.7
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x2e80:
		return 1.05
	case r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '·':
		return 0.32
	}
	return 0.64
}

// textWidth estimates the width of s in em.
func textWidth(s string) float64 {
	thousandths := 0 // integers add up the same in every order
	for _, r := range s {
		thousandths += int(runeWidth(r)*1000 + 0.5)
	}
	return float64(thousandths) / 1000
}

// shorten cuts s with an ellipsis so that it is at most em wide.
func shorten(s string, em float64) string {
	if textWidth(s) <= em {
		return s
	}
	em -= textWidth("…")
	for i, r := range s {
		if em -= runeWidth(r); em < 0 {
			return strings.TrimRight(s[:i], " ,;(") + "…"
		}
	}
	return s
}

// ident makes s fit for an id and for a reference to it.
func ident(s string) string {
	if s == "" {
		return "chart"
	}
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, s)
}

// Lower makes a label fit for the middle of a sentence: "Time to compute" becomes "time to compute", but "FLOPs",
// "T_math", "HBM bandwidth" and "B = 128" stay.
func Lower(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	rest := s[size:]
	word, _, _ := strings.Cut(rest, " ")
	if word == "" && rest != "" && first == 'A' { // the article
		return "a" + rest
	}
	for _, r := range word {
		if !unicode.IsLower(r) && r != '-' && r != ',' {
			return s
		}
	}
	if word == "" {
		return s
	}
	return string(unicode.ToLower(first)) + rest
}

// upper makes s fit for the beginning of a sentence.
func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(word, "_0123456789") || utf8.RuneCountInString(word) < 2 && !strings.HasPrefix(s, "a ") {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
