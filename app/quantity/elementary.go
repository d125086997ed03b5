package quantity

import "math"

// The functions below give the same bits on every machine. Those of package math are assembly on some and Go on
// others, and a page computed at build time must agree with the reader's browser to the last digit.

// ln 2 in two parts: the first has 20 zero bits at its end, so that a whole number times it is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Exp is e^x, to within two units in the last place.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.Round(x / math.Ln2)
	high := x - float64(k*ln2High) // exact
	r := high - float64(k*ln2Low)
	sum := 1.0 // 1 + r/1 (1 + r/2 (1 + r/3 ...)), |r| <= 0.347
	for n := 16; n >= 2; n-- {
		sum = 1 + float64(sum*r)/float64(n)
	}
	return math.Ldexp(1+float64(sum*r), int(k))
}

// Log is the natural logarithm of x, to within two units in the last place.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	f, k := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, k = f*2, k-1
	}
	s := (f - 1) / (f + 1) // ln f = 2 artanh s, |s| <= 0.172
	z := float64(s * s)
	sum := 0.0
	for n := 25; n >= 3; n -= 2 {
		sum = float64(sum+1/float64(n)) * z
	}
	low := float64(2*s)*sum + float64(float64(k)*ln2Low)
	return float64(float64(k)*ln2High) + (float64(2*s) + low)
}

// Log2 is the binary logarithm of x, exact for powers of two.
func Log2(x float64) float64 {
	f, k := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, k = f*2, k-1 // near 1, so that nothing cancels
	}
	return float64(k) + Log(f)/math.Ln2
}

// Log10 is the decimal logarithm of x, exact for powers of ten.
func Log10(x float64) float64 {
	y := Log(x) / math.Ln10
	if n := math.Round(y); math.Abs(y-n) < 1e-9 && math.Abs(n) <= 22 && powInt(10, int(n)) == x {
		return n
	}
	return y
}

// Power is x^e. Whole powers go by repeated multiplication, halves and thirds by roots.
func Power(x, e float64) float64 {
	switch {
	case e == math.Trunc(e) && math.Abs(e) <= 1024:
		return powInt(x, int(e))
	case e == 0.5:
		return math.Sqrt(x)
	case e == 1.0/3:
		return math.Cbrt(x)
	case !(x > 0) || math.IsInf(x, 0) || math.IsNaN(e) || math.IsInf(e, 0):
		return math.Pow(x, e) // the special cases, which need no digits
	}
	whole := math.Trunc(e)
	if math.Abs(whole) > 1024 {
		return Exp(e * Log(x))
	}
	return powInt(x, int(whole)) * Exp((e-whole)*Log(x))
}

func powInt(x float64, n int) float64 {
	if n < 0 {
		return 1 / powInt(x, -n)
	}
	out := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}
