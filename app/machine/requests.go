package machine

import "slices"

// Sequence is a text that an engine keeps the cache of: when it comes, and the pages it has then and at its end.
type Sequence struct{ Comes, First, Last int }

// Page is a piece of a memory for caches. Owner counts from 1, 0 is free; a page may be reserved and not yet used.
type Page struct {
	Owner int
	Used  bool
}

// Pages is a memory for caches, at a step.
type Pages struct {
	Memory  []Page
	Running []int // sequences, counted from 1
	Waiting []int
	Done    []int
}

// growth is the steps that it takes to fill a page.
const growth = 2

// Fill lets sequences come, grow and end in a memory of so many pages, up to a step. If memory is reserved, each gets
// the longest possible stretch of it, in one piece; if not, a page whenever it needs one.
func Fill(pages, longest, step int, reserve bool, all []Sequence) *Pages {
	m := &Pages{Memory: make([]Page, pages)}
	has := make([]int, len(all)+1)
	for t := range step + 1 {
		for i, s := range all {
			if s.Comes == t {
				m.Waiting = append(m.Waiting, i+1)
			}
		}
		if t%growth == growth-1 {
			m.grow(has, all, reserve)
		}
		m.admit(has, all, longest, reserve)
	}
	return m
}

// grow gives every running sequence its next page; those at their end leave. Where no page is left the youngest one
// gives its own back, and begins anew later.
func (m *Pages) grow(has []int, all []Sequence, reserve bool) {
	for i := 0; i < len(m.Running); i++ {
		q := m.Running[i]
		if has[q] == all[q-1].Last {
			m.release(q)
			m.Done = append(m.Done, q)
			m.Running = slices.Delete(m.Running, i, i+1)
			i--
			continue
		}
		if !reserve && m.Free() == 0 && i < len(m.Running)-1 {
			m.evict()
		}
		has[q] += m.take(q, 1, reserve)
	}
}

// evict sends the youngest sequence back to the queue.
func (m *Pages) evict() {
	last := len(m.Running) - 1
	q := m.Running[last]
	m.release(q)
	m.Running, m.Waiting = m.Running[:last], slices.Insert(m.Waiting, 0, q)
}

// admit starts waiting sequences in their order, as long as the next one fits, with a page to grow.
func (m *Pages) admit(has []int, all []Sequence, longest int, reserve bool) {
	for len(m.Waiting) > 0 {
		q := m.Waiting[0]
		switch {
		case reserve && !m.reserve(q, longest):
			return
		case !reserve && m.Free() <= all[q-1].First:
			return
		}
		has[q] = m.take(q, all[q-1].First, reserve)
		m.Waiting, m.Running = m.Waiting[1:], append(m.Running, q)
	}
}

// reserve gives a sequence a stretch of free pages, if there is one.
func (m *Pages) reserve(q, longest int) bool {
	run := 0
	for i, p := range m.Memory {
		if p.Owner != 0 {
			run = 0
			continue
		}
		if run++; run == longest {
			for j := range longest {
				m.Memory[i-j].Owner = q
			}
			return true
		}
	}
	return false
}

// take uses so many pages for a sequence: of those that it has reserved, or of the free ones.
func (m *Pages) take(q, n int, reserved bool) (took int) {
	owner := 0
	if reserved {
		owner = q
	}
	for i := range m.Memory {
		if p := &m.Memory[i]; took < n && p.Owner == owner && !p.Used {
			*p, took = Page{q, true}, took+1
		}
	}
	return took
}

func (m *Pages) release(q int) {
	for i := range m.Memory {
		if m.Memory[i].Owner == q {
			m.Memory[i] = Page{}
		}
	}
}

// Free is how many pages nobody has.
func (m *Pages) Free() int { return m.count(func(p Page) bool { return p.Owner == 0 }) }

// Used is how many pages hold something.
func (m *Pages) Used() int { return m.count(func(p Page) bool { return p.Used }) }

func (m *Pages) count(is func(Page) bool) (n int) {
	for _, p := range m.Memory {
		if is(p) {
			n++
		}
	}
	return n
}

// Policy says when waiting requests join a batch, and how their prompts are read.
type Policy string

// The policies. With static batches all slots are filled together, when all are empty. With continuous batching a free
// slot is filled at once, and its prompt is read while the others stand still. With chunks it is read beside them.
const (
	StaticBatches Policy = "static"
	Continuous    Policy = "continuous"
	Chunked       Policy = "chunked"
)

// Request is what an engine is asked for: steps that its prompt takes, and steps that its reply takes.
type Request struct{ Prompt, Reply int }

// Doing is what a slot does in a step.
type Doing uint8

// What a slot does: nothing, read a prompt, write a token, stand still.
const (
	Idle Doing = iota
	Reading
	Writing
	Stalled
)

// Turn is a slot in a step. Request counts from 0; it says nothing of an idle slot.
type Turn struct {
	Request int
	Doing   Doing
}

// Engine is an engine that has served requests, step by step.
type Engine struct {
	Slots [][]Turn // of each slot, its steps
	First []int    // of each request, the step in which its first token comes; -1 if it hasn't
	Done  []int    // ... its last
}

// Serve runs an engine of so many slots for so many steps. All requests are there from the beginning, in this order.
func Serve(policy Policy, slots, steps int, requests []Request) *Engine {
	e := &Engine{Slots: make([][]Turn, slots), First: make([]int, len(requests)), Done: make([]int, len(requests))}
	for i := range requests {
		e.First[i], e.Done[i] = -1, -1
	}
	s := serving{Engine: e, policy: policy, requests: requests, at: make([]slot, slots)}
	for t := range steps {
		s.admit()
		s.step(t)
	}
	return e
}

// slot is a place in the batch: the request in it, counted from 1, and what is left of it.
type slot struct{ request, prompt, reply int }

// serving is an engine under way.
type serving struct {
	*Engine
	policy   Policy
	requests []Request
	next     int
	at       []slot
}

// admit fills slots as the policy says.
func (s *serving) admit() {
	if s.policy == StaticBatches {
		for _, x := range s.at {
			if x.request > 0 {
				return
			}
		}
	}
	for i := range s.at {
		if s.at[i].request == 0 && s.next < len(s.requests) {
			r := s.requests[s.next]
			s.next++
			s.at[i] = slot{s.next, r.Prompt, r.Reply}
		}
	}
}

// step lets every slot do what it can.
func (s *serving) step(t int) {
	reading := false
	for _, x := range s.at {
		reading = reading || x.request > 0 && x.prompt > 0
	}
	for i := range s.at {
		x := &s.at[i]
		did := s.advance(x, reading && s.policy != Chunked, t)
		s.Slots[i] = append(s.Slots[i], Turn{x.request - 1, did})
		if x.request > 0 && x.reply == 0 {
			s.Done[x.request-1] = t
			*x = slot{}
		}
	}
}

// advance is what a slot does in a step, in which the others may have to stand still for those who read.
func (s *serving) advance(x *slot, stalled bool, t int) Doing {
	switch {
	case x.request == 0:
		return Idle
	case x.prompt > 0:
		x.prompt--
		return Reading
	case stalled:
		return Stalled
	}
	if s.First[x.request-1] < 0 {
		s.First[x.request-1] = t
	}
	x.reply--
	return Writing
}

// Moment is how many requests are served and how many wait, at the end of a slice of time.
type Moment struct{ Served, Waiting int }

// Crowd lets requests arrive at random, at so many for each slice of time, at a machine of some slots that completes at
// most so many a slice, when all slots are taken, and in proportion fewer when not. The same seed gives the same crowd.
func Crowd(rate, capacity float64, slots, slices int, seed uint64) []Moment {
	d := dice{seed}
	there := 0
	moments := make([]Moment, slices)
	for i := range moments {
		const parts = 16 // of a slice: in each at most one comes and one leaves
		for range parts {
			if d.roll() < rate/parts {
				there++
			}
			if d.roll() < capacity/parts*float64(min(there, slots))/float64(slots) {
				there--
			}
		}
		moments[i] = Moment{min(there, slots), max(there-slots, 0)}
	}
	return moments
}

// dice is a generator of random numbers, small and the same everywhere (splitmix64).
type dice struct{ state uint64 }

// roll is a number from 0 up to 1.
func (d *dice) roll() float64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}
