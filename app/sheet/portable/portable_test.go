package portable

import (
	"math"
	"math/rand"
	"testing"
)

// The portable functions agree with those of package math to a few units in the last place, over their whole range.
func TestPortable(t *testing.T) {
	g := rand.New(rand.NewSource(4))
	close := func(name string, x, got, want, within float64) {
		t.Helper()
		if got != want && !(math.Abs(got-want) <= within*math.Abs(want)) {
			t.Errorf("%s(%v) = %v, not %v", name, x, got, want)
		}
	}
	for range 20000 {
		x := (g.Float64() - 0.5) * 1400
		close("exp", x, Exp(x), math.Exp(x), 1e-15)
		y := math.Exp(x)
		if x > -700 && x < 700 {
			close("ln", y, Ln(y), math.Log(y), 1e-15)
			close("log2", y, Log2(y)+2000, math.Log2(y)+2000, 1e-15)
			close("log10", y, Log10(y), math.Log10(y), 1e-15)
		}
		base, e := math.Exp(g.NormFloat64()*3), g.NormFloat64()*20
		close("power", base, Power(base, e), math.Pow(base, e), 2e-14)
	}
}

func TestPortableExact(t *testing.T) {
	for n := -300; n <= 300; n++ {
		if got := Log2(math.Ldexp(1, n)); got != float64(n) {
			t.Errorf("log2(2^%d) = %v", n, got)
		}
		if got := Power(2, float64(n)); got != math.Ldexp(1, n) {
			t.Errorf("2^%d = %v", n, got)
		}
	}
	for n := 0; n <= 22; n++ {
		if got := Log10(math.Pow10(n)); got != float64(n) {
			t.Errorf("log10(1e%d) = %v", n, got)
		}
		if got := Power(10, float64(n)); got != math.Pow10(n) {
			t.Errorf("10^%d = %v", n, got)
		}
	}
	for _, c := range [][3]float64{
		{0, 0, 1}, {0, 2, 0}, {5, 0, 1}, {-2, 3, -8}, {-2, 2, 4}, {4, 0.5, 2}, {1, 1e300, 1}, {2, 1e300, math.Inf(1)},
		{0.5, 1e300, 0},
		{2, -1e300, 0}, {-1, 1e300, 1}, {0, 0.3, 0}, {1.5, 2000, math.Inf(1)}, {2, -1074, 5e-324}, {4, 1.5, 8},
		{4, -1.5, 0.125},
		{-3, 1025, math.Inf(-1)}, {2, 1024, math.Inf(1)},
	} {
		if got := Power(c[0], c[1]); got != c[2] {
			t.Errorf("%v^%v = %v, not %v", c[0], c[1], got, c[2])
		}
	}
	if !math.IsNaN(Power(-8, 1.0/3)) || Exp(0) != 1 || math.Abs(Exp(1)-math.E) > 5e-16 || Ln(1) != 0 ||
		Exp(800) != math.Inf(1) ||
		Exp(-800) != 0 ||
		Exp(709.7) > math.MaxFloat64 {
		t.Error("a special value is wrong")
	}
}

// The same bits on every machine: the hash was written down once. (Run under js/wasm too.)
func TestPortableBits(t *testing.T) {
	g := rand.New(rand.NewSource(5))
	hash := uint64(14695981039346656037)
	add := func(x float64) { hash = (hash ^ math.Float64bits(x)) * 1099511628211 }
	for range 20000 {
		x, y := g.NormFloat64()*40, math.Abs(g.NormFloat64())*50+1e-9
		add(Exp(x))
		add(Ln(y))
		add(Log2(y))
		add(Log10(y))
		add(Power(y, x/20))
		add(Power(y, math.Trunc(x)))
	}
	if hash != 0x1cc3f983854668ee {
		t.Errorf("hash %#x", hash)
	}
}
