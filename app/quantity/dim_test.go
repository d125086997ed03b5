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
	for range 2000 {
		d, e, n := randomDim(r, 9), randomDim(r, 9), 1+r.Intn(4)
		if d.Mul(e) != e.Mul(d) || d.Mul(e).Div(e) != d || !d.Div(d).IsZero() {
			t.Fatalf("%v and %v: products and quotients are no group", d, e)
		}
		p, err := d.Pow(n)
		if err != nil {
			t.Fatal(err)
		}
		product := Dim{}
		for range n {
			product = product.Mul(d)
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
	if got := d.Mul(d); got != (Dim{Second: 127}) {
		t.Errorf("a product stops at 127, got %v", got)
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
