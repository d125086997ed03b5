package collectives

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// table says what the drawing shows: who sends what to whom in this step, and who holds what after it.
func (p *play) table(s *instrument.State, k int) *instrument.Node {
	hold := p.hold(k)
	exchange := p.x.c.Op == network.AllToAll
	t := instrument.Table{Key: "twin", Caption: "Step " + strconv.Itoa(k+1) + ", chip by chip", Heads: []instrument.Head{
		{Text: instrument.Capital(p.x.who())}, {Text: "Sends in this step"}, {Text: "Holds after it (* arrived now)"}}}
	for chip, h := range hold {
		name := strconv.Itoa(chip)
		if chip == p.s.Chips {
			name = "switch"
		}
		t.Rows = append(t.Rows, []instrument.Cell{instrument.Say(name), instrument.Say(p.sends(chip, k)), instrument.Say(p.holds(h, exchange))})
	}
	return s.Table(t)
}

// holds is what stands in the table: the pieces, or of many chips how many.
func (p *play) holds(h held, exchange bool) string {
	text := ""
	if p.s.Chips <= inFull {
		text = h.words(exchange)
	} else {
		whole, part := 0, 0
		for _, s := range h.slots {
			if s.whole() {
				whole++
			} else if s.share > 0 {
				part++
			}
		}
		text = strconv.Itoa(whole) + " of " + strconv.Itoa(len(h.slots)) + " whole"
		if part > 0 {
			text += ", " + strconv.Itoa(part) + " in part"
		}
	}
	if h.passing > 0 {
		text += "; " + strconv.Itoa(h.passing) + " halves of pieces on their way through"
	}
	return text
}

// sends is what a chip sends in a step: "0, 3 to 1".
func (p *play) sends(chip, k int) string {
	if k >= len(p.s.Steps) {
		return "nothing"
	}
	var all []string
	bytes := 0.0
	for _, t := range p.s.Steps[k].Transfers {
		if t.From == chip {
			bytes = p.s.Bytes(t)
			all = append(all, p.label(t)+" to "+p.name(t.To))
		}
	}
	switch {
	case len(all) == 0:
		return "nothing"
	case len(all) > 6:
		return strconv.Itoa(len(all)) + " messages of " + p.x.bytes(bytes)
	}
	return strings.Join(all, "; ")
}

func (p *play) name(chip int) string {
	if chip == p.s.Chips {
		return "the switch"
	}
	return strconv.Itoa(chip)
}

// label is what a message carries: the pieces that its chunks are of, at most three, or how many.
func (p *play) label(t schedule.Transfer) string {
	n, per := len(p.s.Sizes), len(p.s.Sizes)
	if p.x.c.Op == network.Broadcast || p.x.adds {
		per = 1
	} else {
		per = max(1, n/p.s.Chips)
	}
	var names []string
	last := ""
	for _, c := range t.Chunks {
		name := strconv.Itoa(c / per)
		if p.x.c.Op == network.AllToAll {
			name = strconv.Itoa(c/2/p.s.Chips) + "→" + strconv.Itoa(c/2%p.s.Chips)
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
