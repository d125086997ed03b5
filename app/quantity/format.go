package quantity

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// String is q for a reader, to three significant digits: "1.31 ms", "486 FLOP/byte", "17.4 B parameters", "16 GiB".
// Parse understands it. Counts below a million print exactly where they are whole.
func (q Quantity) String() string { return q.Format(3) }

// Format is q for a reader, to the given number of significant digits (1 to 17).
func (q Quantity) Format(digits int) string {
	return beside(q.PartsN(digits))
}

// Typed is Format as somebody would type it: "6.3e24 FLOP" and not "6.3×10²⁴ FLOP".
func (q Quantity) Typed(digits int) string { return beside(q.TypedParts(digits)) }

// Echo is q, read from a text by [ParseLike] with that like, as a message names it: a bare number with exponent as it
// was typed, "1e9 tokens" and not "1 B tokens", and any other as [Quantity.String] has it.
func (q Quantity) Echo(text string, like Quantity) string {
	text = strings.TrimSpace(text)
	if _, err := strconv.ParseFloat(text, 64); err != nil || !strings.ContainsAny(text, "eE") {
		return q.String()
	}
	like.Value *= 2 // for the plural of its unit
	_, unit := like.Parts()
	return beside(text, unit)
}

// beside puts a unit behind its number.
func beside(number, unit string) string {
	if unit == "" || unit[0] == '/' {
		return number + unit
	}
	return number + " " + unit
}

// Parts is String in two parts, for aligning: the number and its unit. A unit with a leading slash is written against
// the number: "$2.10" and "/hour".
func (q Quantity) Parts() (number, unit string) { return q.PartsN(3) }

// PartsN is Parts to the given number of significant digits.
func (q Quantity) PartsN(digits int) (number, unit string) {
	if !q.IsFinite() {
		return phrase.New("quantity.no-finite-value").String(), ""
	}
	number, unit = q.TypedParts(digits)
	return Shown(number), unit
}

// Shown sets a number that was printed as somebody types it: 3.1e-4 becomes 3.1×10⁻⁴, and 1e24 is 10²⁴.
func Shown(number string) string {
	mantissa, exp, large := strings.Cut(number, "e")
	mantissa = minus(mantissa)
	switch {
	case !large:
		return mantissa
	case strings.Trim(mantissa, "−") == "1":
		return strings.TrimSuffix(mantissa, "1") + "10" + Superscript(exp)
	}
	return mantissa + "×10" + Superscript(exp)
}

// Superscript writes a whole number in raised digits.
func Superscript(digits string) string {
	var b strings.Builder
	for _, c := range digits {
		switch {
		case c == '-' || c == '−':
			c = '⁻'
		case c == '1':
			c = '¹'
		case c == '2' || c == '3':
			c += '²' - '2'
		default:
			c += '⁰' - '0'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// minus gives a number that was printed with hyphens true minus signs.
func minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

// TypedParts is PartsN as somebody would type it: with hyphens for minus signs, and 6e24 for a large number.
func (q Quantity) TypedParts(digits int) (number, unit string) {
	if !q.IsFinite() {
		return q.PartsN(digits)
	}
	digits = min(max(digits, 1), 17)
	if q.Value == 0 {
		q.Value = 0 // no minus before zero
	}
	q.Label = q.Label.shown()
	tail := strings.Replace(q.Dim.under(), "USD", "$", 1)
	if q.Label.Under != "" {
		tail += "/" + q.Label.Under
	}
	lead, power := q.Dim.lead()
	switch {
	case power == 0:
		return q.count(digits, tail)
	case q.Dim == dimSeconds && tail == "":
		return timeParts(q.Value, digits)
	case lead == Dollar && power == 1:
		return q.money(digits, tail)
	case q.Dim == Dim{Joule: 1, Second: -1}:
		number, prefix := prefixText(q.Value, digits, -12)
		return number, prefix + "W" + strings.TrimPrefix(tail, "/s")
	case power > 1:
		return plainText(q.Value, digits), q.Dim.over() + tail
	}
	return q.prefixed(digits, lead, tail)
}

// lead is the first base unit above the line, and its power; 0 if there is none.
func (d Dim) lead() (Base, int8) {
	for b, e := range d {
		if e > 0 {
			return Base(b), e
		}
	}
	return 0, 0
}

// count writes what has no base unit above the line: a plain number, "263 tokens", "240 tokens/s", "250/s", "940 MHz".
func (q Quantity) count(digits int, tail string) (number, unit string) {
	over := q.Label.Over
	if x := q.Value * 100; over == percent && tail == "" && !math.IsInf(x, 0) {
		return plainText(x, digits), percent
	}
	if over == percent {
		over = ""
	}
	if over == "" && tail != "" {
		if (q.Dim == Dim{Second: -1}) && q.Label.Under == "" && math.Abs(q.Value) >= 1e6 {
			number, prefix := prefixText(q.Value, digits, 0)
			return number, prefix + "Hz"
		}
		return plainText(q.Value, digits), tail
	}
	number, unit = countText(q.Value, digits)
	switch {
	case over == "":
		return number, unit
	case unit != "":
		unit += " "
	}
	if number != "1" || unit != "" {
		over = plural(over)
	}
	return number, unit + over + tail
}

// timeParts writes seconds: from ps to s as far as two minutes, then min, hours, days and years.
func timeParts(x float64, digits int) (number, unit string) {
	ax := math.Abs(x)
	if ax < 120 {
		number, prefix := prefixText(x, digits, -12)
		if prefix == "" {
			number = plainText(x, digits)
		}
		return number, prefix + "s"
	}
	scale, name := 60.0, "min"
	switch {
	case ax >= 730*86400:
		scale, name = 31557600, "year"
	case ax >= 48*3600:
		scale, name = 86400, "day"
	case ax >= 7200:
		scale, name = 3600, "hour"
	}
	number, unit = countText(x/scale, digits)
	if unit != "" {
		unit += " "
	}
	if name != "min" && number != "1" {
		name += "s"
	}
	return number, unit + name
}

// money writes dollars, and a price per time by the hour.
func (q Quantity) money(digits int, tail string) (number, unit string) {
	x := q.Value
	if perHour := x * 3600; q.Dim == (Dim{Dollar: 1, Second: -1}) && !math.IsInf(perHour, 0) {
		x, tail = perHour, "/hour"+strings.TrimPrefix(tail, "/s")
	}
	if q.Label == (Label{Under: "token"}) && q.Dim == (Dim{Dollar: 1}) && math.Abs(x) < 0.01 && x != 0 {
		x, tail = x*1e6, "/Mtoken"
	}
	sign := ""
	if x < 0 {
		sign, x = "-", -x
	}
	over := strings.TrimPrefix(strings.Replace(q.Dim.over(), "USD", "", 1), "*")
	if over != "" {
		return sign + plainText(x, digits), "USD*" + over + tail
	}
	number, unit = dollars(x, digits)
	return sign + "$" + number, unit + tail
}

// dollars writes an amount: cents up to $100, whole dollars up to a million, three digits of what is less than a cent.
func dollars(x float64, digits int) (number, magnitude string) {
	if x == 0 || x >= 100 {
		return countText(x, digits)
	}
	if x < 0.1 {
		return plainText(x, digits), ""
	}
	before := 0 // digits before the point that count
	for y := 1.0; y <= x; y *= 10 {
		before++
	}
	number = strconv.FormatFloat(x, 'f', max(2, digits-before), 64)
	for cents := strings.Index(number, ".") + 3; len(number) > cents && number[len(number)-1] == '0'; {
		number = number[:len(number)-1]
	}
	return number, ""
}

// prefixed writes what has one base unit above the line, with a prefix on it: "810 GB/s", "34.4 GFLOP", "0.7 pJ/FLOP".
func (q Quantity) prefixed(digits int, lead Base, tail string) (number, unit string) {
	name := baseNames[lead]
	rest := strings.TrimPrefix(q.Dim.over(), name) // "" or "*s"
	tail = rest + tail
	switch {
	case lead == FLOP && (q.Dim[Byte] < 0 && math.Abs(q.Value) < 999_999.5 || tail == "" && math.Abs(q.Value) < 9999.5):
		return plainText(q.Value, digits), name + tail
	case lead == Byte && q.Binary:
		return byteParts(q.Value, digits, tail, binaryText)
	case lead == Byte:
		return byteParts(
			q.Value,
			digits,
			tail,
			func(x float64, digits int) (string, string) { return prefixText(x, digits, 0) },
		)
	case lead == Joule || lead == Second:
		number, prefix := prefixText(q.Value, digits, -12)
		if lead == Second && math.Abs(q.Value) >= 1 {
			return plainText(q.Value, digits), name + tail
		}
		return number, prefix + name + tail
	}
	number, prefix := prefixText(q.Value, digits, 0)
	return number, prefix + name + tail
}

func byteParts(x float64, digits int, tail string, text func(float64, int) (string, string)) (number, unit string) {
	number, prefix := text(x, digits)
	switch {
	case prefix != "":
		return number, prefix + "B" + tail
	case tail == "" && number != "1":
		return number, "bytes"
	}
	return number, "byte" + tail
}

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
	e := 3 * int(math.Floor(float64(d.exp)/3))
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
