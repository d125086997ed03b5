package training

// Law is the time of a pipelined step as two numbers have it: Slot (m + (p-1)/v) + Constant, for m micro-batches on p
// stages of v chunks.
type Law struct {
	Slot, Constant float64 // s
	Bubble         float64 // (p-1)/v, in micro-batches
}

// Calibrate finds the law of a plan from two steps that were measured with different numbers of micro-batches.
func Calibrate(stages, chunks, m1, seconds1, m2, seconds2 float64) (Law, error) {
	switch {
	case stages < 1 || chunks < 1 || m1 < 1 || m2 < 1 || !(seconds1 > 0) || !(seconds2 > 0):
		return Law{}, fault("training.calibrate-least")
	case m1 == m2:
		return Law{}, fault("training.calibrate-same")
	}
	l := Law{Slot: (seconds2 - seconds1) / (m2 - m1), Bubble: (stages - 1) / chunks}
	l.Constant = seconds1 - l.Slot*(m1+l.Bubble)
	if l.Slot <= 0 {
		return l, fault("training.calibrate-shorter")
	}
	return l, nil
}

// Step is what the law says of a step of m micro-batches.
func (l Law) Step(m float64) float64 { return l.Slot*(m+l.Bubble) + l.Constant }
