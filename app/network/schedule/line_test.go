package schedule

import (
	"math"
	"testing"
)

// sumAlongLine is an all-reduce on a line: pieces are summed up towards the last chip, and the sums run back while the
// next pieces come.
func sumAlongLine(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := whole(chips, bytes, pieces)
	for t := range pieces + 2*chips - 3 {
		var all []Transfer
		for chip := range chips - 1 {
			if piece := t - chip; piece >= 0 && piece < pieces {
				all = append(
					all,
					Transfer{From: chip, To: chip + 1, Dir: +1, Chunks: []int{piece}, Add: true},
				)
			}
			if piece := t - (chips - 1) - chip; piece >= 0 && piece < pieces {
				all = append(
					all,
					Transfer{From: chips - 1 - chip, To: chips - 2 - chip, Dir: -1, Chunks: []int{piece}},
				)
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// TestLineAllReduce: the law all_reduce_time_line, (pieces + 2N - 3)/pieces V/W, is what sums that run along a line
// take while the next pieces come; for many pieces it beats a reduce-scatter and an all-gather, 2 (N-1)/N V/W, from N =
// 3 on.
func TestLineAllReduce(t *testing.T) {
	for n := 2; n <= 12; n++ {
		for pieces := 1; pieces <= 40; pieces += 3 {
			s, err := sumAlongLine(n, 1, pieces)
			s = must(t, s, err)
			if got, want := s.InTurn(Line(n)), float64(pieces+2*n-3)/float64(pieces); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%d chips, %d pieces: played %v, the law says %v", n, pieces, got, want)
			}
		}
	}
}
