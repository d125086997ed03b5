package value

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

// TestListValues holds lists to one type, to Equal entry by entry, and to a text of bounded length.
func TestListValues(t *testing.T) {
	counts := func(values ...float64) Value {
		v := Value{Kind: List}
		for _, x := range values {
			v.List = append(v.List, Value{Num: quantity.Quantity{Value: x, Dim: quantity.Dim{quantity.Byte: 1}}})
		}
		return v
	}
	if got := counts(1, 2).Type().String(); got != "a list of numbers, each data (byte)" {
		t.Error(got)
	}
	if got := counts(1, 2, 3, 4, 5, 6, 7, 8).String(); !strings.HasSuffix(got, "6 bytes and 2 more") {
		t.Error(got)
	}
	if got := counts().String(); got != "none" {
		t.Error(got)
	}
	if !counts(1, 2).Equal(counts(1, 2)) || counts(1, 2).Equal(counts(2, 1)) || counts(1).Equal(counts()) {
		t.Error("Equal doesn't compare entries in their order")
	}
	if !SameType(counts().Type(), counts(1).Type()) || SameType(counts(1).Type(), ListOf(Type{Kind: Number})) {
		t.Error("SameType: an empty list fits any list, bytes do not fit plain numbers")
	}
}

// TestCompare holds numbers that differ by rounding to be equal: of <, = and > exactly one is true, in both orders.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		x, y, size float64
		want       int
	}{
		{0.30000000000000004, 0.3, 0, 0}, {5.6e-17, 0, 0.3, 0}, {5.6e-17, 0, 0, 1},
		{1, 1 + 1e-9, 0, -1}, {70e9, 70e9 + 1, 0, -1}, {-1, 1, 0, -1}, {0, 0, 0, 0},
	} {
		if got, back := Compare(c.x, c.y, c.size), Compare(c.y, c.x, c.size); got != c.want || back != -c.want {
			t.Errorf("%v and %v: %d and %d, want %d", c.x, c.y, got, back, c.want)
		}
		count := 0
		for _, op := range []string{"<", "=", ">"} {
			if Holds(op, Compare(c.x, c.y, c.size)) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%v and %v: %d of <, = and > hold", c.x, c.y, count)
		}
	}
}
