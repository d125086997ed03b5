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

// admit starts waiting sequences in their order, as long as there is room for the next, and a page for it to grow.
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
