package training

// The stages, microbatches and passes of a plan that are shown at most.
const (
	mostPlayedStages = 16
	mostPlayedMicros = 24
	mostPlayedPasses = 2500
)

// Played is the timetable of a plan as it is priced, in times of a forward pass, as far as it is shown: of its first
// microbatches and of no more stages than fit a page. whole tells whether it is all of the plan.
func (p *Price) Played() (stages [][]Run, whole bool) {
	q := newPipe(p.Plan.Schedule, min(p.Plan.PP, mostPlayedStages), p.Plan.Virtual, int(p.Time.MicroBatches))
	if q.ranks == 1 {
		q.Schedule, q.chunks = OneFOneB, 1
	}
	q.micros = q.shown(mostPlayedMicros)
	for q.chunks*q.ranks*q.micros*2 > mostPlayedPasses && q.ranks > 2 {
		q.ranks /= 2
		q.micros = q.shown(mostPlayedMicros)
	}
	f, b, w := 1.0, 2.0, 0.0
	if t := p.Time.Passes; t[Forward] > 0 {
		b, w = t[Backward]/t[Forward], t[Weights]/t[Forward]
	}
	stages, _ = Timetable(q.Schedule, q.ranks, q.chunks, q.micros, f, b, w)
	return stages, q.ranks == p.Plan.PP && q.micros == int(p.Time.MicroBatches)
}

// shown is how many of a pipeline's microbatches are shown: about so many, and a number that its schedule takes.
func (q *pipe) shown(most int) int {
	m := max(1, min(q.micros, most))
	switch q.Schedule {
	case Interleaved:
		return max(1, m/q.ranks) * q.ranks
	case DualPipe:
		return max(m/2*2, 2*q.ranks)
	}
	return m
}

// Slots is how many forward passes Played takes.
func (p *Price) Slots() int {
	stages, _ := p.Played()
	end := 0.0
	for _, runs := range stages {
		end = max(end, runs[len(runs)-1].Until)
	}
	return int(ceil(end - 1e-9))
}
