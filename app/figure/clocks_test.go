package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// TestStepTimesTakeTheLongestOrTheSum: after the first weights have come, a layer takes the longest of its three times
// if all overlap, and their sum if they take turns.
func TestStepTimesTakeTheLongestOrTheSum(t *testing.T) {
	for _, times := range [][3]float64{{5, 1, 2}, {1, 5, 2}, {1, 2, 5}, {3, 3, 3}, {2, 0, 0}} {
		c := stepTimes{arithmetic: times[0], weights: times[1], activations: times[2]}
		c.overlapped()
		one := max(times[0], times[1], times[2])
		last := max(times[0], times[2]) // the last layer gathers nothing behind itself
		want := times[1] + (clocksLayers-1)*one + last
		if math.Abs(c.end-want) > 1e-9 {
			t.Errorf("%v overlapped: %v, want %v", times, c.end, want)
		}
		turns := stepTimes{arithmetic: times[0], weights: times[1], activations: times[2]}
		turns.inTurn()
		if want := clocksLayers * (times[0] + times[1] + times[2]); math.Abs(turns.end-want) > 1e-9 {
			t.Errorf("%v in turn: %v, want %v", times, turns.end, want)
		}
	}
}

// TestBlocks: in turn the blocks take both times, overlapped the longer one and a quarter of the other, which has
// nothing to hide behind.
func TestBlocks(t *testing.T) {
	for _, times := range [][2]float64{{3, 2}, {2, 3}, {1, 1}} {
		for overlap, want := range map[bool]float64{false: times[0] + times[1],
			true: max(times[0], times[1]) + min(times[0], times[1])/clocksLayers} {
			c := stepTimes{arithmetic: times[0] / clocksLayers, weights: times[1] / clocksLayers}
			if c.run(overlap); math.Abs(c.end-want) > 1e-9 {
				t.Errorf("%v, overlap %v: %v, want %v", times, overlap, c.end, want)
			}
		}
	}
}

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
					t.Errorf("%d chips: chip %d has piece %d at step %d, which its neighbour did not have", n, c,
						r.piece(c, s), s)
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

func TestMemory(t *testing.T) {
	d := Memory(phrase.Phrases{}, 100e9, 60e9, 10e9, 3)
	svg := markup.HTML(d.Root)
	if got := strings.Count(svg, `<rect class="b2"`); got != 4 { // three sequences, and the legend
		t.Errorf("%d cells of cache", got)
	}
	if !strings.Contains(d.About, "Free 10 GB") || d.Title != "90 GB of 100 GB" {
		t.Errorf("%q: %q", d.Title, d.About)
	}
	if over := Memory(phrase.Phrases{}, 100e9, 90e9, 10e9, 5); !strings.Contains(over.About, "Does not fit 40 GB") {
		t.Error(over.About)
	}
	many := Memory(phrase.Phrases{}, 1e12, 1e9, 1e6, 1e5)
	if strings.Count(markup.HTML(many.Root), "<rect") > mostCells+8 {
		t.Error("a cell for each of too many sequences")
	}
	for _, odd := range [][4]float64{{0, 0, 0, 0}, {0, 1, 1, 1}, {1, 0, 0, 0}} {
		if svg := markup.HTML(Memory(phrase.Phrases{}, odd[0], odd[1], odd[2], odd[3]).Root); strings.Contains(svg,
			"NaN") {
			t.Error(odd, svg)
		}
	}
}
