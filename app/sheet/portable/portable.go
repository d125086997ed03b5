// Package portable has the elementary functions of the sheet language, which give the same bits on every machine, so
// that a page as it was built agrees with the reader's browser to the last digit: they avoid math.Exp, math.Log and
// math.Pow, which have versions of their own, with other roundings, on some machines.
package portable

import "math"

// Exp is e^x.
func Exp(x float64) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	const ln2Hi, ln2Lo = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	k := math.Round(float64(x / math.Ln2))
	r := float64(float64(x-float64(k*ln2Hi)) - float64(k*ln2Lo))
	return math.Ldexp(1+math.Expm1(r), int(k))
}

// Ln is the natural logarithm of x > 0.
func Ln(x float64) float64 {
	m, k := split(x)
	return float64(k*math.Ln2) + math.Log1p(m-1)
}

// split is x = m 2^k with m from 0.707 to 1.414.
func split(x float64) (m, k float64) {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	return m, float64(e)
}

// Log2 is exact for the powers of 2.
func Log2(x float64) float64 {
	m, k := split(x)
	return k + float64(math.Log1p(m-1)/math.Ln2)
}

// Log10 is exact for the powers of 10.
func Log10(x float64) float64 {
	y := float64(Ln(x) / math.Ln10)
	if n := math.Round(y); math.Abs(y-n) < 1e-9 && math.Abs(n) < 300 && wholePower(10, n) == x {
		return n
	}
	return y
}

// Power is x^y. Where it is not real it is NaN.
func Power(x, y float64) float64 {
	switch {
	case y == math.Trunc(y) && math.Abs(y) <= 1024:
		return wholePower(x, y)
	case y == 0.5:
		return math.Sqrt(x)
	case x == 0:
		return 0 // y > 0: others are refused before
	case x < 0 && y != math.Trunc(y):
		return math.NaN()
	case math.Abs(y) >= 1<<53:
		return hugePower(math.Abs(x), y)
	}
	whole, part := math.Modf(y)
	sign := 1.0
	if x < 0 && math.Mod(whole, 2) != 0 {
		sign = -1
	}
	x = math.Abs(x)
	if math.Abs(part) == 0.5 {
		return float64(math.Pow(x, part) * wholePower(x, whole)) // a square root, which every machine rounds alike
	}
	return float64(sign * float64(wholePower(x, whole)*Exp(float64(part*Ln(x)))))
}

// hugePower is x^y for x >= 0 and a y that is even because it is huge.
func hugePower(x, y float64) float64 {
	switch {
	case x == 1:
		return 1
	case (x < 1) == (y > 0):
		return 0
	}
	return math.Inf(1)
}

// wholePower is x^y for a whole y, by repeated squaring.
func wholePower(x, y float64) float64 {
	if y < 0 {
		if p := wholePower(x, -y); !math.IsInf(p, 0) {
			return 1 / p
		}
		x, y = 1/x, -y
	}
	out := 1.0
	for n := int64(y); n > 0; n >>= 1 {
		if n&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}
