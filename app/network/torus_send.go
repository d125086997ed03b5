package network

import (
	"math"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// exchangeStage is an all-to-all: every chip has V/N^2 for every other, which goes along the axes one after the other
// on shortest ways. Along an axis of X chips a chunk makes floor(X^2/4)/X hops in the mean if it wraps around, and on a
// line the middle link has floor(X^2/4) of the X^2 pairs across it; so either way an axis needs floor(X^2/4)/X V/(N W).
func exchangeStage(c Collective, axes []Axis, size int) Stage {
	exact, rough := c.ragged(size)
	s := Stage{Op: AllToAll, Why: phrase.New("network.shortest-ways")}
	for _, a := range axes {
		s.Terms = append(s.Terms, a.exchange(c, float64(size), exact, rough))
	}
	return s
}

// exchange is the part of an all-to-all along a.
func (a Axis) exchange(c Collective, n, exact, rough float64) Term {
	x, w := float64(a.Size), a.intake(c.OneWay)
	time, formula, roughly := AxisExchange(c.Bytes, n, x, w), axisExchange, x/4
	if c.OneWay {
		time, formula, roughly = q.Seconds((x-1)/2*float64(c.Bytes)/(n*float64(w))), "(X - 1)/2 * V/(N*W)", x/2
	}
	t := a.axisTerm(q.Seconds(exact)*time, "", q.Seconds(rough*roughly*float64(c.Bytes)/(n*float64(w))))
	t.Formula, t.Values = c.raggedly(formula, []law.Value{c.array(), count("X", x, "network.axis-chips"),
		count("N", n, "network.the-chips"), rate("W", w, a.intakeKey(c.OneWay))})
	return t
}

// axisTerm is a time along an axis, with the bytes over each of its links.
func (a Axis) axisTerm(time q.Seconds, formula string, shortcut q.Seconds) Term {
	return Term{
		Resource: a.links(), Bytes: q.Bytes(float64(time) * float64(a.OneWay)), Bandwidth: a.OneWay,
		Time: time, Formula: formula, Shortcut: shortcut,
	}
}

// broadcastStage is a broadcast in small pieces along as many disjoint trees as the links allow (Edmonds, 1973): as
// fast as the narrowest cut lets the array in, which is around a corner chip or across an axis.
func broadcastStage(c Collective, axes []Axis, size int) Stage {
	corner, cut, link, narrow := q.Bandwidth(0), q.Bandwidth(math.Inf(1)), q.Bandwidth(0), axes[0]
	for _, a := range axes {
		corner, link = corner+a.intake(c.OneWay), max(link, a.OneWay)
		if across := q.Bandwidth(size/a.Size) * a.intake(c.OneWay); across < cut {
			cut, narrow = across, a
		}
	}
	t := Term{Resource: Resource{Kind: CornerLinks}, Time: c.Bytes.Over(corner), Formula: "V/W_all", Bandwidth: link,
		Values: []law.Value{c.array(), rate("W_all", corner, "network.all-intake")}}
	if cut <= corner {
		t = Term{Resource: narrow.links(), Time: c.Bytes.Over(cut), Formula: "V/W_cut", Bandwidth: narrow.OneWay,
			Values: []law.Value{c.array(), rate("W_cut", cut, "network.cut-intake")}}
	}
	t.Bytes, t.Shortcut = q.Bytes(float64(t.Time)*float64(t.Bandwidth)), t.Time
	return Stage{Op: c.Op, Why: phrase.New("network.from-root"), Terms: []Term{t}}
}

// permuteWay sends from every chip to the one Shift places on along the axis, the shorter way around: each link carries
// the arrays of as many chips as the way has hops.
func permuteWay(c Collective, a Axis) way {
	d := c.shift(a.Size)
	load, hops := min(d, a.Size-d), min(d, a.Size-d)
	switch {
	case d == 0:
		load, hops = 0, 0
	case c.OneWay:
		load, hops = d, d
	case !a.Wrap:
		hops = max(d, a.Size-d)
	}
	time := q.Seconds(float64(load) * float64(c.Bytes) / float64(a.Neighbour()))
	w := way{algorithm: phrase.New("network.shorter-way", "axis", a.Name)}
	w.addHops(hops, a.Latency)
	t := a.axisTerm(time, "hops * V/W_oneway", time)
	t.Values = []law.Value{c.array(), count("hops", float64(load), "network.passing-chips"),
		rate("W_oneway", a.Neighbour(), "network.side-intake")}
	w.stages = []Stage{{Op: Permute, Why: phrase.New("network.carries-passing"), Terms: []Term{t}}}
	return w
}
