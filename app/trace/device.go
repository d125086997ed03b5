package trace

import (
	"cmp"
	"math"
)

// Trace is what was recorded.
type Trace struct {
	Devices []Device
	Ops     []Spent   // operations by time, of all devices, the longest first; at most MaxOps
	Named   int       // how many operations there are in all, by their names
	Time    float64   // seconds of all of them together
	Steps   []float64 // seconds of each step that the profiler marked
	Kinds   []Kind    // what the time was for, the longest first
	Card    string    // the devices, as their driver names them
	Hosts   bool      // there was no device: the busiest process is shown
	Sums    bool      // it is a table of sums of kernels, which does not say when they ran
	Events  int
	Alone   int // events that begin and never end, or end and never began
	Async   int // that run beside all threads, as nobody knows on what
	Crowded int // streams on which kernels run at the same time for most of it, which one device does not do
	Unread  int
	Faults  []Fault
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
	Unknown float64 // when only something runs of which nobody knows what it does
	Idle    float64 // when nothing runs
	tracks  []*track
}

// Spent is an operation with its time, without that of operations within it.
type Spent struct {
	Name, Kind   string
	Does         string // "matmul", "attention"; empty if nobody knows
	Library      string // whose it is
	Class        Class
	Times        float64
	Time         float64 // seconds, all times and devices together
	Text         string  // its line of HLO, if the trace has that
	FLOPs, Bytes float64 // of one time, if the trace has them
}

// Kind is what operations do, with the time of all that do it.
type Kind struct {
	Does  string // empty: nobody knows
	Class Class
	Time  float64 // seconds, all devices together
}

// Trace is what was read. It is whole once Step has nothing left to do.
func (r *Reader) Trace() *Trace { return &r.trace }

// adding is a device while it is added up: its first and its last moment, and what runs when, by class.
type adding struct {
	*Device
	ops         []*op
	first, last float64
	runs        [Holds][]span
}

// addUp are the jobs that add a device up.
func (r *Reader) addUp(d *Device) {
	a := &adding{Device: d, ops: r.ops}
	for i, t := range d.tracks {
		var events []event
		var order *sorter
		r.jobs = append(r.jobs, func() bool {
			events = r.onDevice(t)
			order = sorting(len(events), func(i, j int32) int { return sooner(&events[i], &events[j]) })
			return false
		}, func() bool { return order.step() }, func() bool {
			events = inOrder(events, order)
			if t.kernels && crowded(events) {
				r.trace.Crowded++
			}
			a.enter(t, events, i == 0)
			return false
		}, func() bool { return t.walk.step() })
	}
	for class := range a.runs {
		var order *sorter
		r.jobs = append(r.jobs, func() bool {
			runs := a.runs[class]
			order = sorting(len(runs), func(i, j int32) int { return earlier(runs[i], runs[j]) })
			return false
		}, func() bool { return order.step() }, func() bool {
			a.runs[class] = union(inOrder(a.runs[class], order))
			return false
		})
	}
	r.jobs = append(r.jobs, a.sum)
}

// crowded tells whether the kernels of a stream take half as much again as the time in which any of them runs. A stream
// runs one after the other, but for the ends of those that start the next one early: these are of several devices.
func crowded(events []event) bool {
	const few, most = 8, 1.5
	took, covered, until := 0.0, 0.0, math.Inf(-1)
	for _, e := range events {
		end := e.start + e.took
		took += e.took
		covered += max(0, end-max(until, e.start))
		until = max(until, end)
	}
	return len(events) >= few && took > most*covered
}

// sooner puts events in the order in which they begin, and those first that hold others.
func sooner(a, b *event) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.took, a.took))
}

// enter begins to go through a track.
func (a *adding) enter(t *track, events []event, isFirst bool) {
	t.events = nil
	t.walk = walk{adding: a, events: events}
	t.walk.now, t.walk.last = events[0].start, events[0].start // which may lie before the trace's origin
	for _, e := range events {
		t.walk.last = max(t.walk.last, e.start+e.took)
	}
	if isFirst || t.walk.now < a.first {
		a.first = t.walk.now
	}
	if isFirst || t.walk.last > a.last {
		a.last = t.walk.last
	}
}

// sum turns what runs when into times.
func (a *adding) sum() (more bool) {
	const micro = 1e-6
	d, compute, comms := a.Device, a.runs[Compute], a.runs[Comms]
	known := either(compute, comms)
	busy := either(known, a.runs[Unknown])
	all := length(busy) + length(a.runs[Copy]) - common(busy, a.runs[Copy])
	d.Tracks, d.Span = len(d.tracks), micro*(a.last-a.first)
	d.Compute, d.Comms = micro*length(compute), micro*length(comms)
	d.Exposed = max(0, d.Comms-micro*common(compute, comms))
	d.Copies = max(0, micro*(all-length(busy)))
	d.Unknown = max(0, micro*(length(busy)-length(known)))
	d.Idle = max(0, d.Span-micro*all)
	d.tracks = nil
	return false
}

// walk goes through the events of a track in order, and gives each moment to the innermost operation that runs then.
type walk struct {
	*adding
	events    []event
	next      int
	open      []event
	now, last float64
}

// step goes on, and says whether there is more.
func (w *walk) step() (more bool) {
	for range moves {
		until := w.last
		if w.next < len(w.events) {
			until = w.events[w.next].start
		}
		switch {
		case w.leave(until):
		case w.next == len(w.events):
			w.events, w.open = nil, nil
			return false
		default:
			w.enter(w.events[w.next])
			w.next++
		}
	}
	return true
}

// enter opens an event. One that began before and ends within it doesn't hold it: where a kernel begins while the one
// before it ends (programmatic dependent launch), both run until then. By the rounding of its end an event that is held
// may last longer, but then most of it lies within.
func (w *walk) enter(e event) {
	for n, from := len(w.open)-1, e.start; n >= 0; n-- {
		before := w.open[n]
		end := before.start + before.took
		if before.start == e.start || 2*(end-e.start) >= e.took {
			break
		}
		w.addTime(w.ops[before.op], from, end) // of what holds others only what is behind them
		w.open, from = w.open[:n], max(from, end)
	}
	w.ops[e.op].times++
	w.open, w.now = append(w.open, e), e.start
}

// leave gives the time until a moment to the innermost operation, and says whether that has ended by then.
func (w *walk) leave(until float64) (ended bool) {
	if len(w.open) == 0 {
		return false
	}
	e := w.open[len(w.open)-1]
	end := min(until, e.start+e.took)
	w.addTime(w.ops[e.op], w.now, end)
	w.now = max(w.now, end)
	if e.start+e.took > until {
		return false
	}
	w.open = w.open[:len(w.open)-1]
	return true
}

// addTime gives a stretch of time to an operation.
func (a *adding) addTime(o *op, from, to float64) {
	if to <= from {
		return
	}
	if o.time += to - from; o.class == Holds {
		return
	}
	runs := a.runs[o.class]
	if n := len(runs); n > 0 && runs[n-1].to == from {
		runs[n-1].to = to
	} else {
		a.runs[o.class] = append(runs, span{from, to})
	}
}

// span is a stretch of time, in microseconds.
type span struct{ from, to float64 }

func earlier(a, b span) int { return cmp.Compare(a.from, b.from) }

// union joins spans that touch, in their place. They are in order.
func union(all []span) []span {
	out := all[:0]
	for _, s := range all {
		out = join(out, s)
	}
	return out
}

// join puts a span behind others, or lengthens the last of them where it touches that.
func join(all []span, s span) []span {
	if n := len(all); n > 0 && s.from <= all[n-1].to {
		all[n-1].to = max(all[n-1].to, s.to)
		return all
	}
	return append(all, s)
}

// either is the union of two unions.
func either(a, b []span) []span {
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].from <= b[0].from {
			out, a = join(out, a[0]), a[1:]
		} else {
			out, b = join(out, b[0]), b[1:]
		}
	}
	return out
}

// length is how long spans are together; none may touch another.
func length(all []span) float64 {
	sum := 0.0
	for _, s := range all {
		sum += s.to - s.from
	}
	return sum
}

// common is how long two unions run at the same time.
func common(a, b []span) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if both := min(a[i].to, b[j].to) - max(a[i].from, b[j].from); both > 0 {
			sum += both
		}
		if a[i].to < b[j].to {
			i++
		} else {
			j++
		}
	}
	return sum
}

// moves is how many entries a step moves at the most.
const moves = 1 << 14

// sorter finds the order of a list step by step, and leaves entries that are equal in theirs: it merges each two runs
// into one, until there is one run. It knows places only, so that one is enough for all kinds of entries.
type sorter struct {
	order, spare []int32
	compare      func(i, j int32) int
	width        int // of the runs; 0 before it begins
	at           int // how far this pass has come
	left, right  int // the next entries of the two runs that are merged
}

func sorting(n int, compare func(i, j int32) int) *sorter {
	s := &sorter{order: make([]int32, n), compare: compare}
	for i := range s.order {
		s.order[i] = int32(i)
	}
	return s
}

// inOrder is a list in the order that was found.
func inOrder[T any](list []T, s *sorter) []T {
	if s.width == 0 { // as it was
		return list
	}
	sorted := make([]T, len(list))
	for i, from := range s.order {
		sorted[i] = list[from]
	}
	return sorted
}

// step sorts on, and says whether there is more to do. What is in order already is left at once.
func (s *sorter) step() (more bool) {
	switch n := len(s.order); {
	case s.width == 0 && s.sorted(), s.width >= n:
		s.spare = nil
		return false
	case s.width == 0:
		s.width, s.spare = 1, make([]int32, n)
	default:
		s.merge()
	}
	return true
}

// sorted tells whether the list is in order.
func (s *sorter) sorted() bool {
	for i := 1; i < len(s.order); i++ {
		if s.compare(s.order[i-1], s.order[i]) > 0 {
			return false
		}
	}
	return true
}

// merge moves entries in order from the two runs around here to the spare list, which is the list of the next pass.
func (s *sorter) merge() {
	n := len(s.order)
	for range moves {
		if s.at == n {
			s.order, s.spare = s.spare, s.order
			s.width, s.at = 2*s.width, 0
			return
		}
		begin := s.at - s.at%(2*s.width)
		middle, end := min(begin+s.width, n), min(begin+2*s.width, n)
		if s.at == begin {
			s.left, s.right = begin, middle
		}
		next := &s.right
		if s.right == end || s.left < middle && s.compare(s.order[s.left], s.order[s.right]) <= 0 {
			next = &s.left
		}
		s.spare[s.at] = s.order[*next]
		*next++
		s.at++
	}
}
