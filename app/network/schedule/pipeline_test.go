package schedule

import "testing"

// TestPipelineRing: everyone gets everything, each direction of a link carries half, and the pieces follow each other.
func TestPipelineRing(t *testing.T) {
	for chips := 2; chips <= 17; chips++ {
		for pieces := 2; pieces <= 12; pieces += 2 {
			s, err := PipelineRing(chips, 1, pieces)
			s = must(t, s, err)
			if got := s.Busiest(Ring(chips), 0); !near(got, 0.5) {
				t.Errorf("%d chips, %d pieces: %v over a link, want a half", chips, pieces, got)
			}
			if want := pieces/2 + chips - 2; len(s.Steps) != want {
				t.Errorf("%d chips, %d pieces: %d steps, want %d", chips, pieces, len(s.Steps), want)
			}
		}
	}
	for _, bad := range [][2]int{{0, 2}, {MaxChips + 1, 2}, {4, 0}} {
		if _, err := PipelineRing(bad[0], 1, bad[1]); err == nil {
			t.Error(bad, "is played")
		}
	}
	one, err := PipelineRing(1, 1, 3)
	if one = must(t, one, err); len(one.Steps) != 0 {
		t.Error("one chip sends to itself")
	}
	odd, err := PipelineRing(5, 1, 3)
	must(t, odd, err)
}
