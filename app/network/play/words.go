package play

import (
	"strconv"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
)

// Undrawn says why no steps are shown.
func (x *Setting) Undrawn() *phrase.Phrase {
	switch {
	case x.Adds:
		return phrase.New("play.undrawn-adds")
	case x.Kind == Slice:
		return phrase.New("play.undrawn-axes")
	}
	return phrase.New("play.undrawn-many")
}

// Caption says in sentences what is drawn where that is not plain.
func (p *Play) Caption(k int) phrase.List {
	var said []any
	if p.Stand > 0 {
		said = append(said, phrase.New(p.either("play.stand-gpus", "play.stand-chips"),
			"n", p.Schedule.Chips, "all", p.Stand))
	}
	if p.Kind == Slice && len(p.Sides) == 3 && p.Sides[2] > 1 {
		said = append(said, phrase.New("play.planes"))
	}
	switch {
	case p.Schedule.Chips > InFull && p.Owning(k):
		said = append(said, phrase.New(p.either("play.sum-of-gpu", "play.sum-of-chip")))
	case p.Schedule.Chips > InFull:
		said = append(said, phrase.New(p.either("play.fill-of-gpu", "play.fill-of-chip")))
	}
	t, law := p.Clock(len(p.Schedule.Steps)), p.Cost.Time
	if p.Stand == 0 && float64(t) > float64(law)*1.005 {
		said = append(said, phrase.New(p.slower(), "time", t.Quantity(), "law", law.Quantity(), "n", p.pieces()))
	}
	return phrase.Sentences(said...)
}

// slower is the key of why the steps drawn take longer than the law.
func (p *Play) slower() string {
	switch {
	case p.Kind == Tree && p.Units != nil && p.Half+len(p.Schedule.Steps) > 1:
		return "play.slower-levels"
	case p.Collective.Op == network.Broadcast, p.Adds:
		return "play.slower-pieces"
	case p.Collective.Op == network.AllToAll:
		return "play.slower-exchange"
	case len(p.Sides) > 1:
		return "play.slower-axes"
	}
	return "play.slower-steps"
}

// pieces is how many pieces of the array follow each other.
func (p *Play) pieces() int {
	if p.Adds {
		return sums
	}
	return len(p.Schedule.Sizes)
}

// Binding is what the time is spent on, in words.
func (x *Setting) Binding() phrase.Speaker {
	switch b := x.Cost.Binding; {
	case b.Kind == network.Latency:
		return phrase.Count(x.Cost.Hops, "play.latency")
	case x.Kind == Ring || x.Kind == Line:
		return phrase.New("play.links")
	case b.Kind == network.AxisLinks || b.Kind == network.AxesLinks:
		return phrase.New("play.links-of", "axes", b)
	case b.Kind == network.LevelEgress && b.Name == node:
		return phrase.New("play.egress")
	case b.Kind == network.LevelEgress:
		return phrase.New("play.node-egress")
	}
	return x.Cost.Binding
}

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
