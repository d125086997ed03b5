package quantity

import (
	"math"
	"strconv"
	"strings"
)

// decimal is a number rounded to so many significant digits: d.ddd × 10^exp.
type decimal struct {
	neg    bool
	digits string // at least one
	exp    int
}

// rounded rounds x, which is finite, to n significant digits. Zeros at the end go where they say nothing: where x is
// no more exact than without them, they stay.
func rounded(x float64, n int) decimal {
	text := strconv.FormatFloat(math.Abs(x), 'e', n-1, 64)
	mantissa, exp, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exp)
	d := decimal{x < 0, strings.Replace(mantissa, ".", "", 1), e}
	if back, _ := strconv.ParseFloat(text, 64); math.Abs(back-math.Abs(x)) <= 1e-12*math.Abs(x) {
		d.digits = d.digits[:1] + strings.TrimRight(d.digits[1:], "0")
	}
	return d
}

// fixed writes d divided by 10^shift without exponent.
func (d decimal) fixed(shift int) string {
	point := d.exp - shift + 1 // digits before the point
	digits := d.digits
	if n := point - len(digits); n > 0 {
		digits += strings.Repeat("0", n)
	}
	if point <= 0 {
		digits = strings.Repeat("0", 1-point) + digits
		point = 1
	}
	text := digits[:point]
	if point < len(digits) {
		text += "." + digits[point:]
	}
	return d.sign() + text
}

// scientific writes d as 3.1e-4.
func (d decimal) scientific() string {
	text := d.sign() + d.digits[:1]
	if len(d.digits) > 1 {
		text += "." + d.digits[1:]
	}
	return text + "e" + strconv.Itoa(d.exp)
}

func (d decimal) sign() string {
	if d.neg {
		return "-"
	}
	return ""
}

// countText writes a plain number: 4096 and 131,072 exactly, 17.4 with the magnitude B, 0.25, 3.1e-4.
func countText(x float64, digits int) (text, magnitude string) {
	switch ax := math.Abs(x); {
	case ax >= 999_999.5:
		d := rounded(x, digits)
		if d.exp < 6 { // more digits were asked for than it takes to reach a million
			return commas(d.fixed(0)), ""
		}
		if d.exp >= 15 {
			return d.scientific(), ""
		}
		return d.fixed(d.exp / 3 * 3), string("MBT"[d.exp/3-2])
	case ax == math.Trunc(ax), ax >= 1000 && digits <= 4:
		return commas(strconv.FormatFloat(x+0, 'f', 0, 64)), ""
	}
	return plainText(x, digits), ""
}

// plainText writes a number without magnitude: fixed where that is short, with an exponent otherwise.
func plainText(x float64, digits int) string {
	if x == 0 {
		return "0"
	}
	if ax := math.Abs(x); ax < 999_999.5 && (ax == math.Trunc(ax) || ax >= 1000 && digits <= 4) {
		return commas(strconv.FormatFloat(x, 'f', 0, 64))
	}
	d := rounded(x, digits)
	if d.exp < -3 || d.exp >= 6 {
		return d.scientific()
	}
	return commas(d.fixed(0))
}

// commas groups the digits of numbers from 10,000 on; 4096 reads better without a comma.
func commas(text string) string {
	if whole, _, _ := strings.Cut(text, "."); len(strings.TrimPrefix(whole, "-")) <= 4 {
		return text
	}
	return Grouped(text)
}

// Grouped writes commas between the thousands of a decimal number: "-1234.5" becomes "-1,234.5".
func Grouped(text string) string {
	text, negative := strings.CutPrefix(text, "-")
	whole, decimals, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + decimals
	}
	if negative {
		return "-" + whole
	}
	return whole
}

// prefixText writes x with the decimal prefix that suits it, of those from 10^low to 10^18: 1.31 and "m". Past the
// last prefix it takes an exponent instead.
func prefixText(x float64, digits, low int) (text, prefix string) {
	if x == 0 {
		return "0", ""
	}
	d := rounded(x, digits)
	e := 3 * floorDiv(d.exp, 3)
	switch {
	case e > 18 || e < low && d.exp < low-3:
		return d.scientific(), ""
	case e < low:
		e = low
	}
	return d.fixed(e), prefixNames[e/3+4]
}

var prefixNames = [...]string{"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"}

// binaryText writes x bytes with a binary prefix: 16 and "Gi".
func binaryText(x float64, digits int) (text, prefix string) {
	names := [...]string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	i := 0
	for i < len(names)-1 && math.Abs(x) >= 1023.5 {
		x /= 1024
		i++
	}
	return plainText(x, max(digits, 3)), names[i]
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }
