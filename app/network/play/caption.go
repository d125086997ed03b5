package play

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
)

// Undrawn says why no steps are shown.
func (x *Setting) Undrawn() string {
	switch {
	case x.Adds:
		return "the steps of a tree whose switches add are not drawn, only those of a single node; the law and its curve " +
			"hold for it"
	case x.Kind == Slice:
		return "the steps of a broadcast over several axes are not drawn, only those on a ring or a line: the law counts " +
			"on trees that share no link, " +
			"as fast as the narrowest cut lets the array in"
	}
	return "the steps of so many are not drawn; the law and its curve hold"
}

// Caption says what is drawn where that is not plain.
func (p *Play) Caption(k int) string {
	text := ""
	if p.Stand != "" {
		text = "Drawn are " + p.Stand + " " + p.Who() + "s, of the same kind, with messages as large. "
	}
	if p.Kind == Slice && len(p.Sides) == 3 && p.Sides[2] > 1 {
		text += "Each block is a plane of the third axis; slanted arrows go to the next plane or come from the one before. "
	}
	switch {
	case p.Schedule.Chips > InFull && p.Owning(k):
		text += "Each box is filled as far as the sum of its " + p.Who() + "'s own piece is complete. "
	case p.Schedule.Chips > InFull:
		text += "Each box is filled as far as its " + p.Who() + " has what it will hold. "
	}
	return text + p.apart()
}

// apart says why the steps drawn take longer than the law, where they do.
func (p *Play) apart() string {
	t, law := p.Clock(len(p.Schedule.Steps)), p.Cost.Time
	if p.Stand != "" || float64(t) <= float64(law)*1.005 {
		return ""
	}
	why := "each step waits for the one before"
	switch {
	case p.Kind == Tree && p.Units != nil && p.Half+len(p.Schedule.Steps) > 1:
		why = "one level waits for the other; the law has them work at the same time, in small pieces"
	case p.Collective.Op == network.Broadcast:
		why = "here are " + strconv.Itoa(len(p.Schedule.Sizes)) + " pieces, and the law is that of very many"
	case p.Adds:
		why = "here are " + strconv.Itoa(sums) + " pieces, and the law is that of very many"
	case p.Collective.Op == network.AllToAll:
		why = "links wait for the busiest one in each step; the law has all work at the same time, in small pieces"
	case len(p.Sides) > 1:
		why = "the axes get equal shares here, and the law has the best mixture"
	}
	return "Drawn so, it takes " + t.Quantity().String() + ", the law's " + law.Quantity().String() + " being a bound: " +
		why + "."
}

// Binding is what the time is spent on, in words.
func (x *Setting) Binding() string {
	switch b := x.Cost.Binding; {
	case b == "latency":
		return "the latency of " + Steps(x.Cost.Hops)
	case x.Kind == Ring || x.Kind == Line:
		return "its links"
	case strings.HasPrefix(b, "ax"):
		return "the links of " + b
	case b == "level node":
		return "the egress of a device"
	case b == "level network":
		return "the way out of a node"
	}
	return x.Cost.Binding
}

// Steps is a number of steps in words.
func Steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return strconv.Itoa(n) + " steps"
}
