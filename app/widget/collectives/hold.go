package collectives

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
)

// slot is a piece of the array in a chip's memory: what there is of it after a step.
type slot struct {
	name  string
	share float64 // of the piece, or of the parts of its sum
	came  bool    // something of it arrives in this step
	gone  bool    // the chip had it and has passed it on
	sum   bool    // it is made of parts that are added
}

// Whole says whether nothing is missing.
func (s slot) whole() bool { return s.share > 1-1e-9 }

// held is what a chip holds: its slots, and of an all-to-all how many pieces are passing through.
type held struct {
	slots   []slot
	passing int
}

// hold is what everyone holds after step k (counted from 0), the switch that adds last.
func (p *play) hold(k int) []held {
	n := len(p.s.Sizes)
	h := holding{p: p, came: make([]bool, p.s.Nodes*n), left: make([]bool, p.s.Nodes*n), full: make([]float64, n)}
	for _, chunks := range p.s.Begin {
		for _, c := range chunks {
			h.full[c]++
		}
	}
	exchange := p.x.c.Op == network.AllToAll
	for i, step := range p.s.Steps[:min(k+1, len(p.s.Steps))] {
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
	var all []held
	_ = p.s.Play(func(step int, state *schedule.State) bool {
		if step < min(k+1, len(p.s.Steps)) {
			return true
		}
		h.state = state
		for chip := range p.s.Nodes {
			all = append(all, h.of(chip, exchange))
		}
		return false
	})
	return all
}

// holding is what is known while it is worked out.
type holding struct {
	p          *play
	state      *schedule.State
	came, left []bool    // by chip and chunk
	full       []float64 // of each chunk, the parts of its sum
}

func (h *holding) of(chip int, exchange bool) held {
	if exchange {
		return h.exchanged(chip)
	}
	n := len(h.p.s.Sizes)
	slots := n
	if h.p.x.c.Op != network.Broadcast && !h.p.x.adds {
		slots = h.p.s.Chips
	}
	var all held
	for i := range slots {
		chunks := make([]int, 0, n/slots)
		for c := i * n / slots; c < (i+1)*n/slots; c++ {
			chunks = append(chunks, c)
		}
		all.slots = append(all.slots, h.slot(strconv.Itoa(i), chip, chunks))
	}
	return all
}

// slot is some chunks of a chip together.
func (h *holding) slot(name string, chip int, chunks []int) slot {
	s := slot{name: name}
	got, size := 0.0, 0.0
	for _, c := range chunks {
		at := chip*len(h.p.s.Sizes) + c
		size += h.p.s.Sizes[c]
		s.sum = s.sum || h.full[c] > 1
		s.came = s.came || h.came[at]
		if h.left[at] {
			s.gone = true
			continue
		}
		got += h.p.s.Sizes[c] * float64(h.state.Holds(chip, c)) / h.full[c]
	}
	if size > 0 {
		s.share = got / size
	}
	if s.share > 0 {
		s.gone = false
	}
	return s
}

// exchanged is what a chip has of an all-to-all: first its row, a piece for each, then its column, a piece from each. Its piece
// for itself is in both.
func (h *holding) exchanged(chip int) held {
	n := h.p.s.Chips
	var all held
	for to := range n {
		all.slots = append(all.slots, h.slot("to "+strconv.Itoa(to), chip, []int{2 * (chip*n + to), 2*(chip*n+to) + 1}))
	}
	for from := range n {
		all.slots = append(all.slots, h.slot("from "+strconv.Itoa(from), chip, []int{2 * (from*n + chip), 2*(from*n+chip) + 1}))
	}
	for from := range n {
		for to := range n {
			for half := range 2 {
				if c := 2*(from*n+to) + half; from != chip && to != chip && !h.left[chip*len(h.p.s.Sizes)+c] && h.state.Holds(chip, c) > 0 {
					all.passing++
				}
			}
		}
	}
	return all
}

// words say what a chip holds: "0, 1 and the half of 2".
func (h held) words(exchange bool) string {
	if exchange {
		n := len(h.slots) / 2
		return listed(h.slots[:n], "to ") + listed(h.slots[n:], "from ")
	}
	return listed(h.slots, "")
}

func listed(slots []slot, cut string) string {
	var whole, part []string
	for _, s := range slots {
		name := strings.TrimPrefix(s.name, cut)
		if s.came {
			name += "*"
		}
		switch {
		case s.whole():
			whole = append(whole, name)
		case s.share > 0:
			part = append(part, name+" ("+percent(s.share)+")")
		}
	}
	text := strings.Join(append(whole, part...), ", ")
	if text == "" {
		text = "nothing"
	}
	if cut != "" {
		text = cut + text
		if cut == "to " {
			text += "; "
		}
	}
	return text
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }
