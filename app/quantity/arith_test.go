package quantity

import (
	"math"
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
