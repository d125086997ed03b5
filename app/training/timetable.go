package training

// Run is a pass of one microbatch through one chunk of a stage's layers.
type Run struct {
	Pass         Pass
	Micro, Chunk int
	From, Until  float64
}

// Timetable is when each of p stages, of v chunks each if they are interleaved, runs what of m microbatches, if a
// forward pass of a microbatch takes f, the gradients of its activations b and those of the weights w. ok is false if
// the schedule can't be run so.
func Timetable(s Schedule, p, v, m int, f, b, w float64) (stages [][]Run, ok bool) {
	q := newPipe(s, p, v, m)
	orders := q.orders()
	if orders == nil || !s.takes(p, m) {
		return nil, false
	}
	stages = make([][]Run, p)
	q.play(orders, f, b, w, func(rank int, a act, from, until float64) {
		stages[rank] = append(stages[rank], Run{a.pass, int(a.micro), int(a.chunk), from, until})
	})
	return stages, true
}

// takes tells whether a schedule can run m microbatches through p stages: Megatron-LM interleaves whole groups of them,
// DualPipe wants as many from both ends.
func (s Schedule) takes(p, m int) bool {
	switch s {
	case Interleaved:
		return m%p == 0
	case DualPipe:
		return p%2 == 0 && m%2 == 0 && m >= 2*p
	}
	return true
}
