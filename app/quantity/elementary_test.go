package quantity

import (
	"math"
	"math/rand"
	"testing"
)

// The standard library is the independent derivation here: both are within a few units in the last place of the truth.
func TestElementaryAgainstMath(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20000 {
		x := (r.Float64()*2 - 1) * 700
		near(t, "Exp", x, Exp(x), math.Exp(x), 1e-15)
		p := math.Exp(x)
		near(t, "Log", p, Log(p), math.Log(p), 1e-15)
		near(t, "Log2", p, Log2(p), math.Log(p)/math.Ln2, 1e-15) // math.Log2 loses digits near 1
		near(t, "Log10", p, Log10(p), math.Log10(p), 1e-14)
		base, e := r.Float64()*100, (r.Float64()*2-1)*40
		near(t, "Power", base, Power(base, e), math.Pow(base, e), 1e-13)
	}
	for _, x := range []float64{1 + 1e-15, 1 - 1e-15, 1 + 1e-9, 0.9999, 1.4142, 0.7071, 3e-308, math.MaxFloat64} {
		near(t, "Log", x, Log(x), math.Log(x), 1e-15)
	}
}

func near(t *testing.T, what string, x, got, want, tol float64) {
	t.Helper()
	if got == want || math.Abs(got-want) <= tol*math.Abs(want) {
		return
	}
	t.Errorf("%s(%v) = %v, want %v", what, x, got, want)
}

func TestElementaryExactAndLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ got, want float64 }{
		{Exp(0), 1}, {Exp(inf), inf}, {Exp(-inf), 0}, {Exp(1000), inf}, {Exp(-1000), 0},
		{Log(1), 0}, {Log(0), -inf}, {Log(inf), inf},
		{Log2(8), 3}, {Log2(0.25), -2}, {Log10(1000), 3}, {Log10(1e15), 15}, {Log10(0.001), -3},
		{Power(2, 10), 1024}, {Power(2, -2), 0.25}, {Power(9, 0.5), 3}, {Power(27, 1.0/3), 3},
		{Power(0, 0.7), 0}, {Power(0, -0.7), inf}, {Power(0, 0), 1}, {Power(1, 1e300), 1}, {Power(2, 1e9), inf},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	near(t, "Log", 5e-324, Log(5e-324), -1074*math.Ln2, 1e-15) // the smallest number there is
	for _, x := range []float64{Exp(math.NaN()), Log(math.NaN()), Log(-1), Power(-2, 0.3)} {
		if !math.IsNaN(x) {
			t.Errorf("got %v, want no number", x)
		}
	}
}

// The hash is the same natively and in WebAssembly; it changes only with the algorithms or on a machine that rounds
// otherwise.
func TestElementarySameBitsEverywhere(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	var hash uint64 = 14695981039346656037
	add := func(x float64) { hash = (hash ^ math.Float64bits(x)) * 1099511628211 }
	for range 5000 {
		x := (r.Float64()*2 - 1) * 700
		p := Exp(x)
		add(p)
		add(Log(p))
		add(Log2(p))
		add(Log10(p))
		add(Power(r.Float64()*100, x/20))
		add(Power(1+r.Float64(), 1.0/3))
	}
	if want := uint64(0xeb80c259b6da60c8); hash != want {
		t.Errorf("%#x, want %#x", hash, want)
	}
}
