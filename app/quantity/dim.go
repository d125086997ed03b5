package quantity

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// baseNames are the base units as they are written.
var baseNames = [numBases]string{"FLOP", "byte", "s", "USD", "J"}

// IsZero tells whether d is the dimension of a plain number.
func (d Dim) IsZero() bool { return d == Dim{} }

// mostExponent bounds the exponents of a dimension, which no real quantity comes near.
const mostExponent = 127

// Mul is the dimension of a product. The error says that an exponent leaves -127 to 127.
func (d Dim) Mul(e Dim) (Dim, error) { return d.times(e, 1) }

// Div is the dimension of a quotient. The error says that an exponent leaves -127 to 127.
func (d Dim) Div(e Dim) (Dim, error) { return d.times(e, -1) }

// times is the dimension of d × e^n, for n that is 1 or -1.
func (d Dim) times(e Dim, n int) (Dim, error) {
	for i := range d {
		sum := int(d[i]) + n*int(e[i])
		if sum > mostExponent || sum < -mostExponent {
			return Dim{}, outOfReach(baseNames[i], sum)
		}
		d[i] = int8(sum)
	}
	return d, nil
}

// Pow is the dimension of the n-th power; n may be negative. The error says that an exponent leaves -127 to 127.
func (d Dim) Pow(n int) (Dim, error) {
	for i := range d {
		if d[i] == 0 {
			continue
		}
		if n > mostExponent || n < -mostExponent || int(d[i])*n > mostExponent || int(d[i])*n < -mostExponent {
			return Dim{}, outOfReach(baseNames[i], int(d[i])*n)
		}
		d[i] = int8(int(d[i]) * n)
	}
	return d, nil
}

// outOfReach is the error for a power of a base unit that no dimension can hold.
func outOfReach(base string, power int) error {
	return &Error{What: phrase.New("quantity.power-out-of-reach", "unit", base+"^"+strconv.Itoa(power)),
		Remedy: phrase.New("quantity.use-smaller-exponent", "most", mostExponent)}
}

// Root is the dimension of the n-th root, n > 0. It is false where an exponent does not divide: s has no square root.
func (d Dim) Root(n int) (Dim, bool) {
	if n <= 0 {
		return Dim{}, false
	}
	for i := range d {
		if int(d[i])%n != 0 {
			return Dim{}, false
		}
		d[i] = int8(int(d[i]) / n)
	}
	return d, true
}

// String is d in base units, as results carry it: "byte/s", "FLOP/(byte*s)", "1/s", "s^2", and "" for a plain number.
func (d Dim) String() string {
	over, under := d.over(), d.under()
	switch {
	case under == "":
		return over
	case over == "":
		return "1" + under
	}
	return over + under
}

// over is the product of the base units with a positive exponent: "FLOP*byte^2".
func (d Dim) over() string {
	text, _ := d.product(1)
	return text
}

// under is what is divided by, slash included: "", "/s", "/(byte*s)".
func (d Dim) under() string {
	text, n := d.product(-1)
	switch n {
	case 0:
		return ""
	case 1:
		return "/" + text
	}
	return "/(" + text + ")"
}

// product writes the base units whose exponent has the given sign, and says how many there are.
func (d Dim) product(sign int) (string, int) {
	var b strings.Builder
	n := 0
	for i, e := range d {
		k := int(e) * sign
		if k <= 0 {
			continue
		}
		if n > 0 {
			b.WriteByte('*')
		}
		b.WriteString(baseNames[i])
		if k > 1 {
			b.WriteByte('^')
			b.WriteString(strconv.Itoa(k))
		}
		n++
	}
	return b.String(), n
}
