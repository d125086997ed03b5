package training

import (
	"math/rand/v2"
	"testing"
)

// TestTimelineFitsTheStep: no rank of the timetable that is shown works for longer than the step takes, whatever
// learns. Where no schedule splits the backward pass, the whole timetable fits the step; a step of those that do
// follows the one before as soon as each rank is free (assumption 10), so that theirs may end later.
func TestTimelineFitsTheStep(t *testing.T) {
	r, checked, later := rand.New(rand.NewPCG(seed(t), 78)), 0, 0
	for range 60 {
		j := randomJob(t, r)
		if r.IntN(2) == 0 {
			j.Learn.Layers = 1 + r.IntN(j.Model.Layers)
		}
		p := NewEstimator(j)
		s := p.Whole()
		s.Micro = s.Micro[:min(2, len(s.Micro))]
		for _, e := range p.Find(Search{Space: s, Top: 2}).Best {
			stages, whole := e.Played()
			if e.Plan.PP == 1 || !whole {
				continue
			}
			checked++
			end, step := 0.0, e.Time.Step()*(1+1e-9)/e.Time.Passes[Forward]
			for i, runs := range stages {
				last := runs[len(runs)-1].Until
				if end = max(end, last); last-runs[0].From > step {
					t.Errorf("%s, learning %d layers, %v: rank %d takes %g passes of a step of %g", j.Model.ID,
						j.Learn.Layers,
						e.Plan, i, last-runs[0].From, step)
				}
			}
			if end > step {
				if later++; !e.Plan.Schedule.split() {
					t.Errorf("%s, learning %d layers, %v: ends after %g passes of a step of %g", j.Model.ID,
						j.Learn.Layers,
						e.Plan, end, step)
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d timetables", checked)
	}
	t.Logf("%d timetables, %d of which end after the step", checked, later)
}
