package play

import (
	"github.com/scalebook/scalebook/app/network"
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
