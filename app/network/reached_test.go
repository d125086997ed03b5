package network

import (
	"math"
	"testing"
)

// TestReachedCounted: eight experts of a token in four of eight groups. Where a device holds a group, a token goes to
// as many devices as it uses groups; where a group has two devices, to those of the eight in which its experts are;
// where a device holds two groups, 3.6 of 8 leave both unused in a share of 4.4/8 x 3.4/7.
func TestReachedCounted(t *testing.T) {
	used := 4 * (1 - math.Pow(0.75, 8))
	for _, c := range []struct{ k, n, groups, chosen, want float64 }{
		{8, 8, 8, 4, used},
		{8, 16, 8, 4, 8 * (1 - math.Pow(7.0/8, 8))},
		{8, 4, 8, 4, 4 * (1 - (8-used)/8*(7-used)/7)},
		{8, 1, 8, 4, 1},
		{8, 8, 1, 1, 8 * (1 - math.Pow(7.0/8, 8))},
		{2, 2, 0, 0, 1.5},
	} {
		if got := Reached(c.k, c.n, c.groups, c.chosen); !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%v choices over %v devices, %v of %v groups: %v, want %v", c.k, c.n, c.chosen, c.groups, got,
				c.want)
		}
	}
}
