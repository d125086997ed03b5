package training

import "testing"

// TestRanksCounted: of four stages with a layer each the first keeps four micro-batches, the last one, and the one
// behind the first three; only the ends have tables, and the last makes the logits.
func TestRanksCounted(t *testing.T) {
	p, c, _ := laidOut(t, roundDense(4, 8), Plan{PP: 4})
	got, n := p.ranks(&c)
	want := [3]rank{{1, handTable, 4, false}, {1, handTable, 1, true}, {1, 0, 3, false}}
	if n != 3 || got != want {
		t.Errorf("%d ranks, %+v; want %+v", n, got, want)
	}
}
