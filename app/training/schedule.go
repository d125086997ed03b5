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

// bubble is how long a rank stands still in a step, besides its micro-batches: f and b are the forward and the
// backward pass of a micro-batch through one rank, w the part of b that makes gradients of weights. The closed forms
// are those of the papers: 1F1B (p-1)(f+b); interleaved that over v; ZB-H1 (p-1)(f+b-2w); ZB-H2 and ZBV none; V-Half
// and V-Min 1/2 and 2/3 of 1F1B's; DualPipe (p/2-1)(f&b + b - 3w), where f&b, the two overlapped, is taken for f+b.
func (s Schedule) bubble(p, v, f, b, w float64) float64 {
	whole := (p - 1) * (f + b)
	switch s {
	case Interleaved:
		return whole / v
	case ZBH1:
		return max(0, (p-1)*(f+b-2*w))
	case ZBH2, ZBV:
		return 0
	case VHalf:
		return whole / 2
	case VMin:
		return whole * 2 / 3
	case DualPipe:
		return max(0, (p/2-1)*(f+2*b-3*w))
	}
	return whole
}

// inFlight is how many micro-batches' activations of its stage the fullest rank keeps at once, of m.
func (s Schedule) inFlight(p, v, m float64) float64 {
	switch s {
	case GPipe:
		return m
	case Interleaved:
		if v > 1 {
			return min(p*(1+(p-1)/(p*v)), m)
		}
	case ZBH2:
		return min(2*p-1, m)
	case VHalf:
		return min(p/2+1, m)
	case VMin:
		return min(p/3+1, m)
	case DualPipe:
		return min(p+1, m)
	}
	return min(p, m)
}

// level tells whether every rank keeps as many micro-batches as the fullest: each has an early and a late chunk.
func (s Schedule) level() bool { return s >= ZBV }

// copies is how often a rank holds its weights and their gradients.
func (s Schedule) copies() float64 {
	if s == DualPipe {
		return 2
	}
	return 1
}

// split tells whether s runs the two halves of the backward pass apart.
func (s Schedule) split() bool { return s >= ZBH1 }

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
