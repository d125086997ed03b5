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
