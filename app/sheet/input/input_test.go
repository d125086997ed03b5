package input

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// TestParse reads what readers type, in the unit of the input, and holds it to range and grid.
func TestParse(t *testing.T) {
	token, _, err := quantity.Literal("1 token")
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Name: "B", Default: value.Value{Num: token}, Unit: token, Ranged: true, Min: 1, Max: 1 << 20, Step: 1}
	for text, want := range map[string]float64{"512": 512, "8k": 8000, "4*256": 1024, "2^20": 1 << 20, " 3 tokens": 3} {
		v, err := in.Parse(text)
		if err != nil || v.Num.Value != want {
			t.Errorf("%q: %v, %v", text, v, err)
			continue
		}
		if back, err := in.Parse(in.Typed(v)); err != nil || !back.Equal(v) {
			t.Errorf("%q is typed %q, which is %v, %v", text, in.Typed(v), back, err)
		}
	}
	for _, text := range []string{"", "0", "1.5", "2M", "3 s", "many"} {
		if v, err := in.Parse(text); err == nil {
			t.Errorf("%q passes as %v", text, v)
		}
	}
}

// A number from 0 to 1 without a sign is a share as programs write it, where the input takes such a share.
func TestShareWithoutSign(t *testing.T) {
	percents := func(x float64) *Input {
		q, _, err := quantity.Literal("1%")
		if err != nil {
			t.Fatal(err)
		}
		unit := q
		q.Value = x / 100
		return &Input{Name: "u", Default: value.Value{Num: q}, Unit: unit, Ranged: true, Min: 0.05, Max: 1}
	}
	for text, want := range map[string]float64{"0.9": 0.9, ".45": 0.45, "1": 1, "90": 0.9, "90%": 0.9, "7": 0.07,
		"1/2": 0.5} {
		if v, err := percents(90).Parse(text); err != nil || v.Num.Value != want {
			t.Errorf("%q: %v, %v; want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"0.9 %", "0.01", "101", "1.5"} {
		if v, err := percents(90).Parse(text); err == nil {
			t.Errorf("%q passes as %v", text, v)
		}
	}
	small, rate := percents(0.5), percents(0)
	small.Min, rate.Min, rate.Max = 0, 0, 0.01
	for _, in := range []*Input{small, rate} { // where shares are that small, 0.2 is one of them
		if v, err := in.Parse("0.2"); err != nil || v.Num.Value != 0.002 {
			t.Errorf("%v, %v", v, err)
		}
	}
}

// TestStateStays: a state is never changed, only copied.
func TestStateStays(t *testing.T) {
	on := value.Value{Kind: value.Bool, Bool: true}
	one := State(nil).With("a", on)
	two := one.With("b", on)
	if len(one) != 1 || len(two) != 2 || len(two.Without("a")) != 1 || len(two) != 2 {
		t.Error(one, two)
	}
}

// A long document is looked at to the first rune that begins before the end of the first MiB.
func TestIsText(t *testing.T) {
	const looked = 1 << 20
	for text, want := range map[string]bool{"": true, "é": true, "\x00": false, "é"[:1]: false,
		strings.Repeat("x", looked-1) + "é": true, "x" + strings.Repeat("é", looked): true,
		"\x00" + strings.Repeat("x", looked): false, strings.Repeat("x", looked-1) + "\xff" + "x": false} {
		if got := isText(text); got != want {
			t.Errorf("%.10q, %d bytes: %v", text, len(text), got)
		}
	}
}
