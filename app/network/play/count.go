package play

import (
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Clock is the time after so many steps, each of which takes its latency or its longest wire, whichever is longer.
func (p *Play) Clock(steps int) quantity.Seconds {
	sum := quantity.Seconds(0)
	for _, loads := range p.loads[:min(steps, len(p.loads))] {
		longest := p.Hop
		for w, bytes := range loads {
			longest = max(longest, quantity.Bytes(bytes).Over(p.rate(w)))
		}
		sum += longest
	}
	return sum
}

// sent are the bytes of all messages of the first steps.
func (p *Play) sent(steps int) float64 {
	sum := 0.0
	for _, step := range p.Schedule.Steps[:min(steps, len(p.Schedule.Steps))] {
		for _, t := range step.Transfers {
			sum += p.Schedule.Bytes(t)
		}
	}
	return sum
}

// busiest is the wire that was busy longest in the first steps, with its bytes; of several that are alike the first.
func (p *Play) busiest(steps int) (most schedule.Wire, bytes float64) {
	total := map[schedule.Wire]float64{}
	for _, loads := range p.loads[:min(steps, len(p.loads))] {
		for w, b := range loads {
			total[w] += b
		}
	}
	longest := -1.0
	for w, b := range total {
		t := b / float64(p.rate(w))
		if t > longest*(1+1e-9) || t > longest*(1-1e-9) && before(w, most) {
			most, bytes, longest = w, b, max(t, longest)
		}
	}
	return most, bytes
}

func before(a, b schedule.Wire) bool {
	if a.Level != b.Level {
		return a.Level < b.Level
	}
	if a.At != b.At {
		return a.At < b.At
	}
	return a.Dir > b.Dir
}

// wire names a wire for a reader.
func (p *Play) wire(w schedule.Wire) *phrase.Phrase {
	switch {
	case p.Units == nil:
		return phrase.New("play.wire", "from", w.At, "to", p.Next(w))
	case w.Level > 0 && w.Dir < 0:
		return phrase.New("play.into-node", "n", w.At)
	case w.Level > 0:
		return phrase.New("play.out-of-node", "n", w.At)
	case w.Dir < 0:
		return phrase.New("play.into-gpu", "n", w.At)
	}
	return phrase.New("play.out-of-gpu", "n", w.At)
}

// Next is the chip at the other end of a wire of a grid.
func (p *Play) Next(w schedule.Wire) int {
	stride := 1
	for _, n := range p.Grid.Sides[w.Level+1:] {
		stride *= n
	}
	n := p.Grid.Sides[w.Level]
	c := w.At / stride % n
	return w.At + ((c+w.Dir+n)%n-c)*stride
}

// Says is what happens in a step.
func (p *Play) Says(step int) *phrase.Phrase {
	if step >= len(p.Schedule.Steps) {
		return phrase.New("play.nothing-to-send")
	}
	st := p.Schedule.Steps[step]
	least, most := p.Schedule.Bytes(st.Transfers[0]), 0.0
	for _, t := range st.Transfers {
		b := p.Schedule.Bytes(t)
		least, most = min(least, b), max(most, b)
	}
	sends := phrase.Count(len(st.Transfers), "play.messages", "size", p.SizeText(most))
	if least < most*(1-1e-9) {
		sends = phrase.New("play.messages-range", "n", len(st.Transfers), "least", p.SizeText(least),
			"most", p.SizeText(most))
	}
	if stage := p.stage(step); stage != "" {
		return phrase.New("play.stage", "stage", phrase.New(stage), "sends", sends)
	}
	return sends
}

// stage is the key of the part of the collective that a step belongs to; empty if it has but one.
func (p *Play) stage(step int) string {
	half := 0
	switch {
	case p.Half > 0 && step < p.Half:
		half = 1
	case p.Half > 0:
		half = 2
	}
	place := 0
	if p.Kind == Tree && p.Sides[1] > 1 && p.Collective.Op != network.AllToAll && p.Collective.Op != network.Broadcast {
		place = 1
		if t := p.Schedule.Steps[step].Transfers[0]; t.From/p.Sides[0] != t.To/p.Sides[0] {
			place = 2
		}
	}
	return [3][3]string{
		{"", "play.inside", "play.between"},
		{"play.adding", "play.adding-inside", "play.adding-between"},
		{"play.handing", "play.handing-inside", "play.handing-between"},
	}[half][place]
}

// SoFar is the clock and the bytes after so many steps.
func (p *Play) SoFar(steps int) *phrase.Phrase {
	w, bytes := p.busiest(steps)
	return phrase.New("play.so-far", "time", p.Clock(steps).Quantity(), "sent", p.SizeText(p.sent(steps)),
		"most", p.SizeText(bytes), "link", p.wire(w))
}
