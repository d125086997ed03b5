package summary

import (
	"math"
	"strconv"
	"testing"
)

// Three digits count, in as few letters as they take.
func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{1234: "1230", 0.03764: "0.0376", 12.06: "12.1", 7: "7", 1.23e6: "1230000",
		1.234e9: "1.23e+09", 0.0000123: "1.23e-05", 0: "0"} {
		if got := Digits(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
		if back, err := strconv.ParseFloat(Digits(x), 64); err != nil || math.Abs(back-x) > 0.005*x {
			t.Errorf("%v comes back as %v, %v", x, back, err)
		}
	}
}
