package quantity

import (
	"math"
	rand1 "math/rand" // whose numbers never change, as the bits that are noted here ask for
	"math/rand/v2"
	"testing"
)

var (
	second = Quantity{Value: 1, Dim: Dim{Second: 1}}
	byte1  = Quantity{Value: 1, Dim: Dim{Byte: 1}}
	tokens = Quantity{Value: 256, Label: Label{Over: "token"}}
)

func TestDifferentDimensionsDoNotMix(t *testing.T) {
	_, add := byte1.Add(second)
	_, sub := second.Sub(Quantity{Value: 1})
	_, cmp := second.Cmp(byte1)
	_, plain := second.Cmp(Quantity{})
	for _, c := range []struct {
		err  error
		want string
	}{
		{add, "cannot add s (time) to byte (data); both sides need the same unit"},
		{sub, "cannot subtract a plain number from s (time); both sides need the same unit"},
		{cmp, "cannot compare s (time) with byte (data); both sides need the same unit"},
		{plain, "cannot compare s (time) with a plain number; both sides need the same unit"},
	} {
		if _, ok := c.err.(*Error); !ok || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

func TestArithmetic(t *testing.T) {
	two := second.Scale(2)
	if sum, err := second.Add(two); err != nil || sum.Value != 3 || sum.Dim != second.Dim {
		t.Errorf("1 s + 2 s = %v, %v", sum, err)
	}
	if d, err := second.Sub(two); err != nil || d != second.Neg() {
		t.Errorf("1 s - 2 s = %v, %v", d, err)
	}
	for _, c := range []struct {
		q, r Quantity
		want int
	}{{second, two, -1}, {two, second, 1}, {two, two, 0}} {
		if got, err := c.q.Cmp(c.r); err != nil || got != c.want {
			t.Errorf("%v against %v: %d, %v", c.q, c.r, got, err)
		}
	}
	rate := byte1.Scale(6).Div(two)
	if rate.Value != 3 || rate.Dim.String() != "byte/s" || rate.Mul(two) != byte1.Scale(6) {
		t.Errorf("6 byte / 2 s = %v", rate)
	}
	if byte1.Div(second.Scale(0)).IsFinite() || byte1.Scale(math.MaxFloat64).Mul(byte1.Scale(10)).IsFinite() {
		t.Error("division by zero and overflow are not finite")
	}
}

func TestLabels(t *testing.T) {
	perToken := Quantity{Value: 2, Dim: Dim{Byte: 1}, Label: Label{Under: "token"}}
	chips := Quantity{Value: 8, Label: Label{Over: "chip"}}
	for _, c := range []struct {
		what string
		got  Label
		want Label
	}{
		{"token * byte/token", tokens.Mul(perToken).Label, Label{}},
		{"byte/token * token", perToken.Mul(tokens).Label, Label{}},
		{"token * 2", tokens.Mul(Quantity{Value: 2}).Label, Label{Over: "token"}},
		{"token / chip", tokens.Div(chips).Label, Label{"token", "chip"}},
		{"token / token", tokens.Div(tokens).Label, Label{}},
		{"token * chip", tokens.Mul(chips).Label.shown(), Label{}},
		{"token * chip / token", tokens.Mul(chips).Div(tokens).Label, Label{Over: "chip"}},
		{"1 / token", Quantity{Value: 1}.Div(tokens).Label, Label{Under: "token"}},
		{"token/chip * chip", tokens.Div(chips).Mul(chips).Label, Label{Over: "token"}},
		{"-token", tokens.Neg().Label, Label{Over: "token"}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if q, err := tokens.Add(tokens); err != nil || q.Label.Over != "token" {
		t.Error("tokens and tokens are tokens")
	}
	if q, err := tokens.Add(chips); err != nil || q.Label != (Label{}) {
		t.Error("tokens and chips are neither")
	}
}

func TestBinaryLastsAsLongAsBytes(t *testing.T) {
	kib := Quantity{Value: 1024, Dim: Dim{Byte: 1}, Binary: true}
	if !kib.Div(second).Binary || !byte1.Mul(Quantity{Value: 2}).Mul(kib).Binary {
		t.Error("lost too early")
	}
	if kib.Div(kib).Binary || kib.Div(byte1).Binary {
		t.Error("a plain number has no KiB")
	}
	if sum, _ := byte1.Add(kib); !sum.Binary {
		t.Error("lost in a sum")
	}
}

func TestPow(t *testing.T) {
	area := Quantity{Value: 9, Dim: Dim{Byte: 2}}
	for _, c := range []struct {
		q    Quantity
		e    float64
		want Quantity
	}{
		{second.Scale(3), 2, Quantity{Value: 9, Dim: Dim{Second: 2}}},
		{second.Scale(4), -1, Quantity{Value: 0.25, Dim: Dim{Second: -1}}},
		{area, 0.5, Quantity{Value: 3, Dim: Dim{Byte: 1}}},
		{Quantity{Value: 8, Dim: Dim{Second: 3}}, 1.0 / 3, Quantity{Value: 2, Dim: Dim{Second: 1}}},
		{second.Scale(7), 0, Quantity{Value: 1}},
		{tokens, 1, tokens},
		{tokens, 2, Quantity{Value: 65536}},
		{Quantity{Value: 2}, 1.5, Quantity{Value: 2 * math.Sqrt2}},
	} {
		got, err := c.q.Pow(c.e)
		if err != nil || got.Dim != c.want.Dim || got.Label != c.want.Label ||
			math.Abs(got.Value-c.want.Value) > 1e-15*c.want.Value {
			t.Errorf("%v^%v = %+v, %v, want %+v", c.q, c.e, got, err, c.want)
		}
	}
	for _, e := range []float64{0.5, 1.5, 1e9, math.NaN(), math.Inf(1)} {
		if _, err := second.Pow(e); err == nil {
			t.Errorf("s^%v must be an error", e)
		}
	}
	if q, err := area.Root(2); err != nil || q.Value != 3 || q.Dim != (Dim{Byte: 1}) {
		t.Errorf("root of byte^2: %v, %v", q, err)
	}
	if q, err := (Quantity{Value: 32}).Root(5); err != nil || math.Abs(q.Value-2) > 1e-15 {
		t.Errorf("fifth root of 32: %v, %v", q, err)
	}
	if _, err := second.Root(2); err == nil {
		t.Error("s has no square root")
	}
}

// What Exact prints, ParseLike reads back to the same bits, whatever unit the author wrote.
func TestExactComesBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for _, literal := range []string{
		"80%", "5", "8k", "256 token", "4 Mtoken", "16 GiB", "45 GB/s", "87.2 us", "$2.95/hour", "250 /s", "3 hour",
		"700 W", "0.5 pJ/FLOP", "$3/Mtoken", "2 byte/token", "940 MHz", "1 /chip",
	} {
		like, err := UnitOf(literal)
		if err != nil {
			like, err = Parse(literal)
			like.Value = 1
		}
		if err != nil {
			t.Fatal(literal, err)
		}
		for range 2000 {
			q := like
			q.Value = math.Exp(rnd.Float64()*200 - 100)
			if rnd.IntN(2) == 0 {
				q.Value = math.Round(q.Value*100) / 100
			}
			back, err := ParseLike(q.Exact(), like)
			if err != nil || back.Value != q.Value || back.Dim != q.Dim || back.Label != q.Label {
				t.Fatalf("%v of %s prints as %q and comes back as %v, %v", q.Value, literal, q.Exact(), back.Value, err)
			}
		}
	}
}

func TestUnitsOfOne(t *testing.T) {
	for _, c := range []struct {
		text, like string
		want       float64
	}{
		{"0.8 1", "80%", 0.8}, {"0.8", "80%", 0.008}, {"80 %", "80%", 0.8}, {"4e6 1", "4 Mtoken", 4e6},
		{"4", "4 Mtoken", 4e6},
		{"250 1/s", "940 MHz", 250}, {"2.5e8 1/s", "940 MHz", 2.5e8}, {"1/3", "5", 1.0 / 3},
		{"250 1/s/chip", "940 MHz", 250},
	} {
		like, err := UnitOf(c.like)
		if err != nil {
			like, _ = Parse(c.like)
			like.Value = 1
		}
		if q, err := ParseLike(c.text, like); err != nil || q.Value != c.want {
			t.Errorf("%q in a field of %s is %v, %v; want %v", c.text, c.like, q.Value, err, c.want)
		}
	}
	for _, text := range []string{"5 1/3", "16 1", "5 1", "5 s 1/s", "1/s 1/s"} {
		if q, err := Parse(text); err == nil {
			t.Errorf("%s is %v", text, q)
		}
	}
}

// The standard library is the independent derivation here: both are within a few units in the last place of the truth.
func TestElementaryAgainstMath(t *testing.T) {
	r := rand1.New(rand1.NewSource(1))
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
	r := rand1.New(rand1.NewSource(6))
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
