package figure

import (
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
)

// TestRingMatmulUsesEveryPieceOnce: over all steps each chip multiplies by every piece once, and what it multiplies by
// at a step is what its right-hand neighbour had at the step before.
func TestRingMatmulUsesEveryPieceOnce(t *testing.T) {
	for n := 2; n <= mostOnRing; n++ {
		r := &ring{n: n}
		for c := range n {
			seen := map[int]bool{}
			for s := range n {
				seen[r.piece(c, s)] = true
				if s > 0 && r.piece(c, s) != r.piece((c+1)%n, s-1) {
					t.Errorf("%d chips: chip %d has piece %d at step %d, which its neighbour did not have", n, c, r.piece(c, s), s)
				}
			}
			if len(seen) != n || r.piece(c, 0) != c {
				t.Errorf("%d chips: chip %d begins with piece %d and sees %d", n, c, r.piece(c, 0), len(seen))
			}
		}
	}
}

// TestRingMatmulRefuses what can't be drawn.
func TestRingMatmulRefuses(t *testing.T) {
	for _, at := range [][2]int{{1, 0}, {9, 0}, {4, 4}, {4, -1}} {
		if _, err := RingMatmul(phrase.Phrases{}, at[0], 1, 1, at[1]); err == nil {
			t.Errorf("%d chips at step %d are drawn", at[0], at[1])
		}
	}
}
