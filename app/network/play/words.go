package play

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
)

// Holds is what stands in the table: the pieces, or of many chips how many.
func (p *Play) Holds(h Held) string {
	text := ""
	if p.Schedule.Chips <= InFull {
		text = h.words(p.Collective.Op == network.AllToAll)
	} else {
		whole, part := 0, 0
		for _, s := range h.Slots {
			if s.Whole() {
				whole++
			} else if s.Share > 0 {
				part++
			}
		}
		text = strconv.Itoa(whole) + " of " + strconv.Itoa(len(h.Slots)) + " whole"
		if part > 0 {
			text += ", " + strconv.Itoa(part) + " in part"
		}
	}
	if h.Passing > 0 {
		text += "; " + strconv.Itoa(h.Passing) + " halves of pieces on their way through"
	}
	return text
}

// Sends is what a chip sends in a step: "0, 3 to 1".
func (p *Play) Sends(chip, k int) string {
	if k >= len(p.Schedule.Steps) {
		return "nothing"
	}
	var all []string
	bytes := 0.0
	for _, t := range p.Schedule.Steps[k].Transfers {
		if t.From == chip {
			bytes = p.Schedule.Bytes(t)
			all = append(all, p.Label(t)+" to "+p.name(t.To))
		}
	}
	switch {
	case len(all) == 0:
		return "nothing"
	case len(all) > 6:
		return strconv.Itoa(len(all)) + " messages of " + p.SizeText(bytes)
	}
	return strings.Join(all, "; ")
}

func (p *Play) name(chip int) string {
	if chip == p.Schedule.Chips {
		return "the switch"
	}
	return strconv.Itoa(chip)
}

// Label is what a message carries: the pieces that its chunks are of, at most three, or how many.
func (p *Play) Label(t schedule.Transfer) string {
	n, per := len(p.Schedule.Sizes), len(p.Schedule.Sizes)
	if p.Collective.Op == network.Broadcast || p.Adds {
		per = 1
	} else {
		per = max(1, n/p.Schedule.Chips)
	}
	var names []string
	last := ""
	for _, c := range t.Chunks {
		name := strconv.Itoa(c / per)
		if p.Collective.Op == network.AllToAll {
			name = strconv.Itoa(c/2/p.Schedule.Chips) + "→" + strconv.Itoa(c/2%p.Schedule.Chips)
		}
		if name != last {
			names = append(names, name)
		}
		last = name
	}
	if len(names) > 4 {
		return strconv.Itoa(len(names)) + " pieces"
	}
	text := strings.Join(names, ", ")
	if t.Add {
		return "+" + text
	}
	return text
}

// Owning says whether in a step each chip waits for the sum of its own piece.
func (p *Play) Owning(k int) bool {
	return p.Collective.Op == network.ReduceScatter || p.Collective.Op == network.AllReduce && k < p.Half
}

// Summing says whether parts are added up.
func (p *Play) Summing() bool {
	return p.Collective.Op == network.ReduceScatter || p.Collective.Op == network.AllReduce
}
