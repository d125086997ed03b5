package play

import (
	"strconv"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Slot is a piece of the array in a chip's memory: what there is of it after a step.
type Slot struct {
	Name  string  // the number of the piece, or of whom it is for or from
	Share float64 // of the piece, or of the parts of its sum
	Came  bool    // something of it arrives in this step
	Gone  bool    // the chip had it and has passed it on
	Sum   bool    // it is made of parts that are added
}

// Whole says whether nothing is missing.
func (s Slot) Whole() bool { return s.Share > 1-1e-9 }

// Held is what a chip holds: its slots, and of an all-to-all how many pieces are passing through. The first half of the
// slots of an all-to-all are its pieces to each, the second half its pieces from each.
type Held struct {
	Slots   []Slot
	Passing int
}

// HeldAfter is what everyone holds after step k (counted from 0), the switch that adds last.
func (p *Play) HeldAfter(k int) []Held {
	n := len(p.Schedule.Sizes)
	h := holding{p: p, came: make([]bool, p.Schedule.Nodes*n), left: make([]bool, p.Schedule.Nodes*n),
		full: make([]float64, n)}
	for _, chunks := range p.Schedule.Begin {
		for _, c := range chunks {
			h.full[c]++
		}
	}
	exchange := p.Collective.Op == network.AllToAll
	for i, step := range p.Schedule.Steps[:min(k+1, len(p.Schedule.Steps))] {
		for _, t := range step.Transfers {
			for _, c := range t.Chunks {
				h.left[t.From*n+c] = h.left[t.From*n+c] || t.Add || exchange
			}
		}
		for _, t := range step.Transfers {
			for _, c := range t.Chunks {
				h.left[t.To*n+c] = false
				h.came[t.To*n+c] = h.came[t.To*n+c] || i == k
			}
		}
	}
	var all []Held
	_ = p.Schedule.Play(func(step int, state *schedule.State) bool {
		if step < min(k+1, len(p.Schedule.Steps)) {
			return true
		}
		h.state = state
		for chip := range p.Schedule.Nodes {
			all = append(all, h.held(chip, exchange))
		}
		return false
	})
	return all
}

// holding is what is known while it is worked out.
type holding struct {
	p          *Play
	state      *schedule.State
	came, left []bool    // by chip and chunk
	full       []float64 // of each chunk, the parts of its sum
}

func (h *holding) held(chip int, exchange bool) Held {
	if exchange {
		return h.exchanged(chip)
	}
	n := len(h.p.Schedule.Sizes)
	slots := n
	if h.p.Collective.Op != network.Broadcast && !h.p.Adds {
		slots = h.p.Schedule.Chips
	}
	var all Held
	for i := range slots {
		chunks := make([]int, 0, n/slots)
		for c := i * n / slots; c < (i+1)*n/slots; c++ {
			chunks = append(chunks, c)
		}
		all.Slots = append(all.Slots, h.slot(strconv.Itoa(i), chip, chunks))
	}
	return all
}

// slot is some chunks of a chip together.
func (h *holding) slot(name string, chip int, chunks []int) Slot {
	s := Slot{Name: name}
	got, size := 0.0, 0.0
	for _, c := range chunks {
		at := chip*len(h.p.Schedule.Sizes) + c
		size += h.p.Schedule.Sizes[c]
		s.Sum = s.Sum || h.full[c] > 1
		s.Came = s.Came || h.came[at]
		if h.left[at] {
			s.Gone = true
			continue
		}
		got += h.p.Schedule.Sizes[c] * float64(h.state.Holds(chip, c)) / h.full[c]
	}
	if size > 0 {
		s.Share = got / size
	}
	if s.Share > 0 {
		s.Gone = false
	}
	return s
}

// exchanged is what a chip has of an all-to-all: first its row, a piece for each, then its column, a piece from each.
// Its piece for itself is in both.
func (h *holding) exchanged(chip int) Held {
	n := h.p.Schedule.Chips
	var all Held
	for to := range n {
		all.Slots = append(all.Slots, h.slot(strconv.Itoa(to), chip, []int{2 * (chip*n + to), 2*(chip*n+to) + 1}))
	}
	for from := range n {
		all.Slots = append(all.Slots, h.slot(strconv.Itoa(from), chip,
			[]int{2 * (from*n + chip), 2*(from*n+chip) + 1}))
	}
	for from := range n {
		for to := range n {
			for half := range 2 {
				if c := 2*(from*n+to) + half; from != chip && to != chip && !h.left[chip*len(h.p.Schedule.Sizes)+c] &&
					h.state.Holds(chip, c) > 0 {
					all.Passing++
				}
			}
		}
	}
	return all
}

// words say what a chip holds: "0, 1, 2 (50 %)".
func (h Held) words(exchange bool) phrase.Speaker {
	if exchange {
		n := len(h.Slots) / 2
		return phrase.New("play.to-and-from", "to", listed(h.Slots[:n]), "from", listed(h.Slots[n:]))
	}
	return listed(h.Slots)
}

// listed are pieces, those that are whole first; a star is on what has just arrived.
func listed(slots []Slot) phrase.Speaker {
	var whole, part []any
	for _, s := range slots {
		name := s.Name
		if s.Came {
			name += "*"
		}
		switch {
		case s.Whole():
			whole = append(whole, name)
		case s.Share > 0:
			part = append(part, phrase.New("play.part", "piece", name, "share", quantity.Percent(s.Share, 0)))
		}
	}
	if len(whole)+len(part) == 0 {
		return phrase.New("play.nothing")
	}
	return phrase.Commas(append(whole, part...))
}
