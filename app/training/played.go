package training

// The stages and microbatches of a plan that are played at most.
const (
	mostPlayedStages = 16
	mostPlayedMicros = 24
)

// Played is the timetable of a plan as far as it is shown: of its first microbatches and of no more stages than fit a
// page. Schedules that aren't played run as one forward, one backward; whole tells whether it is all of the plan.
func (p *Price) Played() (stages [][]Run, whole bool) {
	n, m := min(p.Plan.PP, mostPlayedStages), min(int(p.Time.MicroBatches), mostPlayedMicros)
	stages, ok := Timetable(p.Plan.Schedule, n, max(1, m))
	if !ok {
		stages, _ = Timetable(OneFOneB, n, max(1, m))
	}
	return stages, ok && n == p.Plan.PP && m == int(p.Time.MicroBatches)
}

// Slots is how many slots Played takes.
func (p *Price) Slots() int {
	stages, _ := p.Played()
	end := 0
	for _, runs := range stages {
		end = max(end, runs[len(runs)-1].Until)
	}
	return end
}
