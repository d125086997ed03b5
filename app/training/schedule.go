package training

// Schedule is the order in which a pipeline runs forward and backward passes.
type Schedule uint8

// The schedules.
const (
	OneFOneB    Schedule = iota // one forward, one backward
	GPipe                       // all forward, then all backward
	Interleaved                 // 1F1B over Virtual chunks a rank
	ZBH1                        // zero bubble: the weights' gradients fill the end
	ZBH2                        // the same with twice the memory
	ZBV                         // two chunks a rank, laid out as a V
	VHalf                       // half of 1F1B's memory
	VMin                        // a third of it
	DualPipe                    // both directions at once, weights twice
	schedules                   // how many there are
)

var scheduleNames = [schedules]string{"1f1b", "gpipe", "interleaved", "zb-h1", "zb-h2", "zbv", "v-half", "v-min",
	"dualpipe"}

// String is the name of s.
func (s Schedule) String() string { return nameOf(scheduleNames[:], s) }

// ParseSchedule finds a schedule by its name.
func ParseSchedule(name string) (Schedule, bool) { return named[Schedule](scheduleNames[:], name) }

// copies is how often a rank holds its weights and their gradients.
func (s Schedule) copies() float64 {
	if s == DualPipe {
		return 2
	}
	return 1
}

// split tells whether s runs the two halves of the backward pass apart.
func (s Schedule) split() bool { return s >= ZBH1 }

// vee tells whether the stages of s go down the ranks and back up again.
func (s Schedule) vee() bool { return s >= ZBV && s <= VMin }

// chunks is how many chunks of layers a rank holds, of a plan that asks for v.
func (s Schedule) chunks(v int) int {
	switch s {
	case Interleaved:
		return v
	case ZBV, VHalf, VMin, DualPipe:
		return 2
	}
	return 1
}

// closed is the bubble of those schedules that don't split the backward pass, in times of a microbatch on a rank: so
// long whatever the number of microbatches and however long the backward pass takes for the forward pass.
func (s Schedule) closed(p, v float64) (bubble float64, ok bool) {
	switch s {
	case OneFOneB, GPipe:
		return p - 1, true
	case Interleaved:
		return (p - 1) / v, true
	}
	return 0, false
}

// flight is how many microbatches' activations of its stage ranks keep at once: the first, the last, and at most one
// between them.
type flight struct{ first, last, middle float64 }

// flight is the same where it has a closed form, of m microbatches. Interleaved ranks keep whole groups of chunks.
func (s Schedule) flight(p, v, m float64) (n flight, ok bool) {
	switch s {
	case OneFOneB:
		return flight{min(p, m), 1, min(max(1, p-1), m)}, true
	case GPipe:
		return flight{m, m, m}, true
	case Interleaved:
		ahead := func(i float64) float64 { return min(m, (2*(p-1-i)+(v-1)*p+1)/v) }
		return flight{ahead(0), ahead(p - 1), ahead(min(1, p-1))}, true
	}
	return flight{}, false
}
