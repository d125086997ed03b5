package quantity

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// IsFinite tells whether q has a value that can be shown: neither infinite nor not-a-number.
func (q Quantity) IsFinite() bool { return !math.IsInf(q.Value, 0) && !math.IsNaN(q.Value) }

// Add is q + r. Different dimensions are an *Error that names both. A label stays if both have it.
func (q Quantity) Add(r Quantity) (Quantity, error) {
	if q.Dim != r.Dim {
		return Quantity{}, &Error{What: phrase.New("quantity.cannot-add", "added", describe(r.Dim), "to",
			describe(q.Dim)),
			Remedy: phrase.New("quantity.same-unit")}
	}
	return q.sum(r, q.Value+r.Value), nil
}

// Sub is q - r. Different dimensions are an *Error that names both.
func (q Quantity) Sub(r Quantity) (Quantity, error) {
	if q.Dim != r.Dim {
		return Quantity{}, &Error{What: phrase.New("quantity.cannot-subtract", "taken", describe(r.Dim), "from",
			describe(q.Dim)), Remedy: phrase.New("quantity.same-unit")}
	}
	return q.sum(r, q.Value-r.Value), nil
}

func (q Quantity) sum(r Quantity, value float64) Quantity {
	out := Quantity{Value: value, Dim: q.Dim, Binary: q.Binary || r.Binary}
	if q.Label == r.Label {
		out.Label = q.Label
	}
	return out
}

// Cmp is -1, 0 or 1 as q is less than, equal to or greater than r. Different dimensions are an *Error that names both.
func (q Quantity) Cmp(r Quantity) (int, error) {
	if q.Dim != r.Dim {
		return 0, &Error{What: phrase.New("quantity.cannot-compare", "one", describe(q.Dim), "other", describe(r.Dim)),
			Remedy: phrase.New("quantity.same-unit")}
	}
	switch {
	case q.Value < r.Value:
		return -1, nil
	case q.Value > r.Value:
		return 1, nil
	}
	return 0, nil
}

// Mul is q × r. It may leave the finite numbers, and does where no dimension can hold its unit: see IsFinite.
func (q Quantity) Mul(r Quantity) Quantity {
	out, _ := q.times(r)
	return out
}

// times is Mul; the error says why there is no such number.
func (q Quantity) times(r Quantity) (Quantity, error) {
	dim, err := q.Dim.Mul(r.Dim)
	if err != nil {
		return Quantity{Value: math.NaN()}, err
	}
	return Quantity{
		Value: q.Value * r.Value, Dim: dim, Label: q.Label.asShare(r).mul(r.Label.asShare(q)).forDim(dim),
		Binary: dim[Byte] != 0 && (q.Binary || r.Binary),
	}, tooSmall(q.Value*r.Value, q.Value != 0 && r.Value != 0)
}

// Div is q ÷ r. Division by zero is not finite, nor is what no dimension can hold the unit of: see IsFinite.
func (q Quantity) Div(r Quantity) Quantity {
	out, _ := q.over(r)
	return out
}

// over is Div; the error says why there is no such number, but for a division by zero.
func (q Quantity) over(r Quantity) (Quantity, error) {
	dim, err := q.Dim.Div(r.Dim)
	if err != nil {
		return Quantity{Value: math.NaN()}, err
	}
	return Quantity{
		Value: q.Value / r.Value, Dim: dim, Label: q.Label.mul(r.Label.inverse()).forDim(dim),
		Binary: dim[Byte] != 0 && (q.Binary || r.Binary),
	}, tooSmall(q.Value/r.Value, q.Value != 0)
}

// Smallest is the smallest number above 0 that has all its digits.
const Smallest = 0x1p-1022

// tooSmall is the error for a result that is nearer to 0 than numbers go, where it isn't 0.
func tooSmall(x float64, notZero bool) error {
	if notZero && math.Abs(x) < Smallest {
		return &Error{What: phrase.New("quantity.result-too-small-number"), Remedy: phrase.New("quantity.smallest")}
	}
	return nil
}

// Neg is -q.
func (q Quantity) Neg() Quantity {
	q.Value = -q.Value
	return q
}

// Scale is q × f, for a plain factor.
func (q Quantity) Scale(f float64) Quantity {
	q.Value *= f
	return q
}

// Pow is q to the power e. A quantity with a dimension takes whole exponents, and 1/2 or 1/3 where its dimension has
// that root; a plain number takes any. A label stays for e = 1 only.
func (q Quantity) Pow(e float64) (Quantity, error) {
	dim, err := q.Dim.pow(e)
	if err != nil {
		return Quantity{}, err
	}
	out := Quantity{Value: Power(q.Value, e), Dim: dim, Binary: q.Binary && dim[Byte] != 0}
	if e == 1 {
		out.Label = q.Label
	}
	return out, nil
}

// Root is the n-th root of q, n > 0, where its dimension has one.
func (q Quantity) Root(n int) (Quantity, error) {
	dim, ok := q.Dim.Root(n)
	if !ok {
		return Quantity{}, noRoot(q.Dim)
	}
	return Quantity{Value: root(q.Value, n), Dim: dim, Binary: q.Binary && dim[Byte] != 0}, nil
}

func (d Dim) pow(e float64) (Dim, error) {
	switch {
	case d.IsZero():
		return d, nil
	case e == math.Trunc(e) && math.Abs(e) <= 127:
		return d.Pow(int(e))
	}
	for n := 2; n <= 3; n++ {
		if e == 1/float64(n) {
			if dim, ok := d.Root(n); ok {
				return dim, nil
			}
		}
	}
	return Dim{}, &Error{
		What: phrase.New("quantity.power-has-no-unit", "power", strconv.FormatFloat(e, 'g', 6, 64), "dim",
			describe(d)),
		Remedy: phrase.New("quantity.use-whole-exponent"),
	}
}

func noRoot(d Dim) error {
	return &Error{What: phrase.New("quantity.no-such-root", "dim", describe(d)),
		Remedy: phrase.New("quantity.divide-by-unit-first")}
}

// root is the n-th root of x.
func root(x float64, n int) float64 {
	switch n {
	case 1:
		return x
	case 2:
		return math.Sqrt(x)
	case 3:
		return math.Cbrt(x)
	}
	return Power(x, 1/float64(n))
}

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
