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
		return Quantity{}, &Error{What: phrase.New("quantity.cannot-add", "added", describe(r.Dim), "to", describe(q.Dim)),
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
		What:   phrase.New("quantity.power-has-no-unit", "power", strconv.FormatFloat(e, 'g', 6, 64), "dim", describe(d)),
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
