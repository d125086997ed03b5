package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

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
