package play

import (
	"strconv"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
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
func (p *Play) wire(w schedule.Wire) string {
	at := strconv.Itoa(w.At)
	if p.Units == nil {
		return p.Who() + " " + at + " to " + strconv.Itoa(p.Next(w))
	}
	unit := p.Who()
	if w.Level > 0 {
		unit = "node"
	}
	if w.Dir < 0 {
		return "into " + unit + " " + at
	}
	return "out of " + unit + " " + at
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
func (p *Play) Says(step int) string {
	if step >= len(p.Schedule.Steps) {
		return "nothing to send"
	}
	st := p.Schedule.Steps[step]
	least, most := p.Schedule.Bytes(st.Transfers[0]), 0.0
	for _, t := range st.Transfers {
		b := p.Schedule.Bytes(t)
		least, most = min(least, b), max(most, b)
	}
	text := strconv.Itoa(len(st.Transfers)) + " messages"
	if len(st.Transfers) == 1 {
		text = "1 message"
	}
	size := " of " + p.SizeText(most)
	if least < most*(1-1e-9) {
		size = " of " + p.SizeText(least) + " to " + p.SizeText(most)
	}
	return p.stage(step) + text + size
}

// stage is the part of the collective that a step belongs to: "adding up: ".
func (p *Play) stage(step int) string {
	text := ""
	switch {
	case p.Half > 0 && step < p.Half:
		text = "adding up"
	case p.Half > 0:
		text = "handing out"
	}
	if p.Kind == Tree && p.Sides[1] > 1 && p.Collective.Op != network.AllToAll && p.Collective.Op != network.Broadcast {
		where := "inside the nodes"
		t := p.Schedule.Steps[step].Transfers[0]
		if t.From/p.Sides[0] != t.To/p.Sides[0] {
			where = "between the nodes"
		}
		if text != "" {
			text += " "
		}
		text += where
	}
	if text != "" {
		text += ": "
	}
	return text
}

// SoFar is the clock and the bytes after so many steps.
func (p *Play) SoFar(steps int) string {
	w, bytes := p.busiest(steps)
	return p.Clock(steps).Quantity().String() + " on the clock, " + p.SizeText(p.sent(steps)) + " sent in all, " +
		p.SizeText(bytes) + " over the busiest link (" + p.wire(w) + ")"
}
