package play

import (
	"strconv"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
)

// Holds is what stands in the table: the pieces, or of many chips how many.
func (p *Play) Holds(h Held) phrase.Speaker {
	said := p.held(h)
	if h.Passing > 0 {
		return phrase.Count(h.Passing, "play.passing", "held", said)
	}
	return said
}

func (p *Play) held(h Held) phrase.Speaker {
	if p.Schedule.Chips <= InFull {
		return h.words(p.Collective.Op == network.AllToAll)
	}
	whole, part := 0, 0
	for _, s := range h.Slots {
		if s.Whole() {
			whole++
		} else if s.Share > 0 {
			part++
		}
	}
	if part > 0 {
		return phrase.New("play.whole-and-part", "n", whole, "all", len(h.Slots), "part", part)
	}
	return phrase.New("play.whole", "n", whole, "all", len(h.Slots))
}

// Sends is what a chip sends in a step: "0, 3 to 1".
func (p *Play) Sends(chip, k int) phrase.Speaker {
	if k >= len(p.Schedule.Steps) {
		return phrase.New("play.nothing")
	}
	var all []any
	bytes := 0.0
	for _, t := range p.Schedule.Steps[k].Transfers {
		if t.From == chip {
			bytes = p.Schedule.Bytes(t)
			all = append(all, p.sends(t))
		}
	}
	switch {
	case len(all) == 0:
		return phrase.New("play.nothing")
	case len(all) > 6:
		return phrase.Count(len(all), "play.messages", "size", p.SizeText(bytes))
	}
	return phrase.Clauses(all)
}

// sends is a message and whom it goes to.
func (p *Play) sends(t schedule.Transfer) *phrase.Phrase {
	if t.To == p.Schedule.Chips {
		return phrase.New("play.to-switch", "pieces", p.Label(t))
	}
	return phrase.New("play.to-chip", "pieces", p.Label(t), "chip", t.To)
}

// Label is what a message carries: the pieces that its chunks are of, at most four, or how many.
func (p *Play) Label(t schedule.Transfer) phrase.Speaker {
	var names []string
	last := ""
	for _, c := range t.Chunks {
		name := p.pieceOf(c)
		if name != last {
			names = append(names, name)
		}
		last = name
	}
	if len(names) > 4 {
		return phrase.New("play.pieces", "n", len(names))
	}
	if t.Add && len(names) > 0 {
		names[0] = "+" + names[0]
	}
	return phrase.Commas(names)
}

// pieceOf is the name of the piece that a chunk is of.
func (p *Play) pieceOf(chunk int) string {
	switch n := p.Schedule.Chips; {
	case p.Collective.Op == network.AllToAll:
		return strconv.Itoa(chunk/2/n) + "→" + strconv.Itoa(chunk/2%n)
	case p.Collective.Op == network.Broadcast || p.Adds:
		return strconv.Itoa(chunk)
	default:
		return strconv.Itoa(chunk / max(1, len(p.Schedule.Sizes)/n))
	}
}

// Owning says whether in a step each chip waits for the sum of its own piece.
func (p *Play) Owning(k int) bool {
	return p.Collective.Op == network.ReduceScatter || p.Collective.Op == network.AllReduce && k < p.Half
}

// Summing says whether parts are added up.
func (p *Play) Summing() bool {
	return p.Collective.Op == network.ReduceScatter || p.Collective.Op == network.AllReduce
}
