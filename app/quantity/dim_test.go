package quantity

import (
	"math/rand"
	"testing"
)

func TestDimString(t *testing.T) {
	for _, c := range []struct {
		dim  Dim
		want string
	}{
		{Dim{}, ""},
		{Dim{Byte: 1, Second: -1}, "byte/s"},
		{Dim{FLOP: 1, Byte: -1}, "FLOP/byte"},
		{Dim{Second: -1}, "1/s"},
		{Dim{FLOP: 1, Byte: -1, Second: -1}, "FLOP/(byte*s)"},
		{Dim{Second: 2}, "s^2"},
		{Dim{Second: -2}, "1/s^2"},
		{Dim{FLOP: 2, Dollar: 1, Joule: -3, Byte: -1}, "FLOP^2*USD/(byte*J^3)"},
		{Dim{Byte: -1, Second: -1}, "1/(byte*s)"},
	} {
		if got := c.dim.String(); got != c.want {
			t.Errorf("%v = %q, want %q", [numBases]int8(c.dim), got, c.want)
		}
	}
}

// randomDim has exponents from -n to n.
func randomDim(r *rand.Rand, n int) Dim {
	var d Dim
	for i := range d {
		if r.Intn(2) == 0 {
			d[i] = int8(r.Intn(2*n+1) - n)
		}
	}
	return d
}

func TestDimLaws(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	dim := func(d Dim, err error) Dim {
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for range 2000 {
		d, e, n := randomDim(r, 9), randomDim(r, 9), 1+r.Intn(4)
		de, ed := dim(d.Mul(e)), dim(e.Mul(d))
		if de != ed || dim(de.Div(e)) != d || !dim(d.Div(d)).IsZero() {
			t.Fatalf("%v and %v: products and quotients are no group", d, e)
		}
		p, err := d.Pow(n)
		if err != nil {
			t.Fatal(err)
		}
		product := Dim{}
		for range n {
			product = dim(product.Mul(d))
		}
		if p != product {
			t.Fatalf("(%v)^%d = %v, want %v", d, n, p, product)
		}
		if back, ok := p.Root(n); !ok || back != d {
			t.Fatalf("root %d of %v = %v, %v, want %v", n, p, back, ok, d)
		}
	}
}

func TestDimOutOfReach(t *testing.T) {
	d := Dim{Second: 100}
	if _, err := d.Pow(2); err == nil {
		t.Error("s^200 must be an error")
	}
	if _, err := (Dim{Byte: 1}).Pow(1 << 40); err == nil {
		t.Error("byte^(2^40) must be an error")
	}
	if got, err := (Dim{}).Pow(1 << 40); err != nil || !got.IsZero() {
		t.Error("a plain number takes any power")
	}
	if got, err := d.Mul(d); err == nil {
		t.Errorf("s^100 * s^100 must be an error, got %v", got)
	}
	if got, err := d.Div(Dim{Second: -28}); err == nil {
		t.Errorf("s^100 / s^-28 must be an error, got %v", got)
	}
	if got, err := d.Mul(Dim{Second: 27}); err != nil || got != (Dim{Second: 127}) {
		t.Errorf("s^100 * s^27 = %v, %v", got, err)
	}
	q := Quantity{Value: 1, Dim: d}
	if q.Mul(q).IsFinite() || q.Div(Quantity{Value: 1, Dim: Dim{Second: -28}}).IsFinite() {
		t.Error("what no dimension can hold the unit of is no number")
	}
	if _, ok := (Dim{Second: 3}).Root(2); ok {
		t.Error("s^3 has no square root")
	}
	if _, ok := (Dim{Second: 3}).Root(0); ok {
		t.Error("nothing has a zeroth root")
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		dim  Dim
		want string
	}{
		{Dim{}, "plain number"},
		{Dim{Byte: 1, Second: -1}, "data per second"},
		{Dim{Joule: 1, Second: -1}, "power"},
		{Dim{Byte: 1, Dollar: -1}, "data per dollar"},
		{Dim{Byte: -1, Second: -1}, "rate per byte and second"},
		{Dim{Second: 2}, "time times time"},
	} {
		if got := c.dim.Words(); got.String() != c.want {
			t.Errorf("%v: %q, want %q", c.dim, got, c.want)
		}
	}
}
