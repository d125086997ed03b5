package trace

import (
	"cmp"
	"slices"
)

// Trace is what was recorded.
type Trace struct {
	Devices []Device
	Ops     []Spent   // operations by time, of all devices, the longest first
	Steps   []float64 // seconds of each step that the profiler marked
	Hosts   bool      // there was no device: the busiest process is shown
	Events  int
	Pairs   int // events that only begin or end, which are not read
	Unread  int
	Faults  []Fault
	ops     []spent
}

// Device is where the time of one went, in seconds.
type Device struct {
	Name    string
	Tracks  int
	Span    float64 // from its first event to the end of its last
	Compute float64 // when something computes
	Comms   float64 // when something is sent or received
	Exposed float64 // of that when nothing computes
	Copies  float64 // when only copies run
	Idle    float64 // when nothing runs
	tracks  []*track
}

// Spent is an operation with its time, without that of operations within it.
type Spent struct {
	Name, Kind   string
	Class        Class
	Times        float64
	Time         float64 // seconds, all times and devices together
	Text         string  // its line of HLO, if the trace has that
	FLOPs, Bytes float64 // of one time, if the trace has them
}

type spent struct{ times, time float64 }

// Trace is what was read. It is whole once Step has nothing left to do.
func (r *Reader) Trace() *Trace { return &r.trace }

// add adds one device up, and says whether there are more.
func (r *Reader) add() bool {
	if len(r.left) == 0 {
		return false
	}
	r.device(&r.trace.Devices[r.left[0]])
	if r.left = r.left[1:]; len(r.left) > 0 {
		return true
	}
	r.trace.rank(r.ops)
	return false
}

// device adds up the tracks of a device.
func (r *Reader) device(d *Device) {
	var by [4][]span
	first, last := 0.0, 0.0
	for i, t := range d.tracks {
		slices.SortStableFunc(t.events, func(a, b event) int {
			return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.took, a.took))
		})
		from, to := r.innermost(t.events, &by)
		if i == 0 || from < first {
			first = from
		}
		if i == 0 || to > last {
			last = to
		}
		t.events = nil
	}
	compute, comms := union(by[Compute]), union(by[Comms])
	busy := union(slices.Concat(compute, comms))
	all := union(slices.Concat(busy, by[Copy]))
	const micro = 1e-6
	d.Tracks, d.Span = len(d.tracks), micro*(last-first)
	d.Compute, d.Comms = micro*length(compute), micro*length(comms)
	d.Exposed = d.Comms - micro*common(compute, comms)
	d.Copies = micro * (length(all) - length(busy))
	d.Idle = max(0, d.Span-micro*length(all))
	d.tracks = nil
}

// innermost gives each moment of a track to the innermost operation that runs then, and says from when to when it
// reaches.
func (r *Reader) innermost(events []event, by *[4][]span) (first, last float64) {
	var open []event
	now := 0.0
	until := func(at float64) {
		for len(open) > 0 {
			e := open[len(open)-1]
			end := min(at, e.start+e.took)
			r.give(e.op, now, end, by)
			now = max(now, end)
			if e.start+e.took > at {
				return
			}
			open = open[:len(open)-1]
		}
		now = at
	}
	for i, e := range events {
		if i == 0 {
			first, now = e.start, e.start
		}
		until(e.start)
		r.trace.ops[e.op].times++
		open = append(open, e)
		last = max(last, e.start+e.took)
	}
	until(last)
	return first, last
}

// give gives a stretch of time to an operation.
func (r *Reader) give(op int32, from, to float64, by *[4][]span) {
	if to <= from {
		return
	}
	r.trace.ops[op].time += to - from
	class := r.ops[op].class
	by[class] = append(by[class], span{from, to})
}

// rank lists the operations that took time, the longest first.
func (t *Trace) rank(ops []op) {
	for i, s := range t.ops {
		if o := &ops[i]; s.time > 0 {
			t.Ops = append(t.Ops, Spent{o.name, o.kind, o.class, s.times, s.time / 1e6, o.about.text, o.about.flops,
				o.about.bytes})
		}
	}
	slices.SortStableFunc(t.Ops, func(a, b Spent) int { return cmp.Compare(b.Time, a.Time) })
	t.ops = nil
}
