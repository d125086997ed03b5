package training

import "testing"

// end is when the last stage of a timetable is done.
func end(stages [][]Run) int {
	last := 0
	for _, runs := range stages {
		last = max(last, runs[len(runs)-1].Until)
	}
	return last
}

// TestTimetablesTakeAsLongAsTheirLaws: what is played slot by slot ends when the closed form of the bubble says.
func TestTimetablesTakeAsLongAsTheirLaws(t *testing.T) {
	for _, s := range []Schedule{GPipe, OneFOneB, ZBH1} {
		for p := 1; p <= 8; p++ {
			for m := p; m <= 4*p; m++ { // ZB-H1 needs as many microbatches as stages
				stages, _ := Timetable(s, p, m)
				if got, want := float64(end(stages)), 3*float64(m)+s.bubble(float64(p), 1, 1, 2, 1); got != want {
					t.Errorf("%s of %d stages, %d microbatches: %v slots, the law says %v", s, p, m, got, want)
				}
			}
		}
	}
}

// TestTimetablesKeepTheOrder: each pass begins when what it needs is done, and no stage does two things at once.
func TestTimetablesKeepTheOrder(t *testing.T) {
	for _, s := range []Schedule{GPipe, OneFOneB, ZBH1} {
		stages, _ := Timetable(s, 5, 7)
		done := map[[3]int]int{}
		for i, runs := range stages {
			for _, r := range runs {
				done[[3]int{i, int(r.Pass), r.Micro}] = r.Until
			}
		}
		for i, runs := range stages {
			free := 0
			for _, r := range runs {
				needs := [3]int{i - 1, int(Forward), r.Micro}
				if r.Pass == Backward {
					needs = [3]int{i + 1, int(Backward), r.Micro}
				} else if r.Pass == Weights {
					needs = [3]int{i, int(Backward), r.Micro}
				}
				if r.From < free || r.From < done[needs] {
					t.Errorf("%s: stage %d begins %v too early", s, i, r)
				}
				free = r.Until
			}
		}
	}
}

// TestTimetablesKeepSoManyMicrobatches: 1F1B and ZB-H1 keep no more microbatches at once than there are stages.
func TestTimetablesKeepSoManyMicrobatches(t *testing.T) {
	for s, last := range map[Schedule]Pass{GPipe: Backward, OneFOneB: Backward, ZBH1: Weights} {
		stages, _ := Timetable(s, 4, 12)
		kept, most := 0, 0
		for _, r := range stages[0] {
			switch r.Pass {
			case Forward:
				kept++
			case last:
				kept--
			}
			most = max(most, kept)
		}
		if want := s.inFlight(4, 1, 12); float64(most) != want {
			t.Errorf("%s: the first stage keeps %d microbatches, the law says %v", s, most, want)
		}
	}
}

func TestTimetableOfAnUnplayedSchedule(t *testing.T) {
	if _, ok := Timetable(DualPipe, 4, 8); ok {
		t.Error("DualPipe is played")
	}
}
