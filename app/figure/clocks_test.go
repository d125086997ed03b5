package figure

import (
	"math"
	"testing"
)

// TestClocksTakeTheLongestOrTheSum: after the first weights have come, a layer takes the longest of its three times if
// all overlap, and their sum if they take turns.
func TestClocksTakeTheLongestOrTheSum(t *testing.T) {
	for _, times := range [][3]float64{{5, 1, 2}, {1, 5, 2}, {1, 2, 5}, {3, 3, 3}, {2, 0, 0}} {
		c := clocks{arithmetic: times[0], weights: times[1], activations: times[2]}
		c.overlapped()
		one := max(times[0], times[1], times[2])
		last := max(times[0], times[2]) // the last layer gathers nothing behind itself
		want := times[1] + (clocksLayers-1)*one + last
		if math.Abs(c.end-want) > 1e-9 {
			t.Errorf("%v overlapped: %v, want %v", times, c.end, want)
		}
		turns := clocks{arithmetic: times[0], weights: times[1], activations: times[2]}
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
			c := clocks{arithmetic: times[0] / clocksLayers, weights: times[1] / clocksLayers}
			if c.run(overlap); math.Abs(c.end-want) > 1e-9 {
				t.Errorf("%v, overlap %v: %v, want %v", times, overlap, c.end, want)
			}
		}
	}
}
