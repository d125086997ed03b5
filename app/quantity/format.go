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

// count writes what has no base unit above the line: a plain number, "263 tokens", "240 token/s", "250/s", "940 MHz".
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
	if tail == "" && (number != "1" || unit != "") {
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
