package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of the clocks of a layer, and how many layers are drawn.
const (
	clocksWide   = 480
	clocksNames  = 136
	clocksRow    = 32
	clocksTop    = 30
	clocksLayers = 4
)

// Clocks draws when the arithmetic of some layers runs, when their weights are gathered and when their activations are
// sent, from the times of one layer. Overlapped, the next layer's weights come while this one computes; if not, all
// take turns.
func Clocks(l phrase.Phrases, arithmetic, weights, activations float64, overlap bool) *Drawing {
	c := &clocks{l: l, arithmetic: arithmetic, weights: weights, activations: activations}
	if overlap {
		c.overlapped()
	} else {
		c.inTurn()
	}
	busy := shareText(clocksLayers*arithmetic, c.end)
	d := &Drawing{
		Title: l.Say("figure.clocks", "n", clocksLayers, "time", seconds(c.end), "busy", busy),
		Now:   l.Say("figure.clocks-busy", "busy", busy),
		Note:  l.Say("figure.clocks-note"),
		Twin:  []Table{c.table()},
	}
	d.About = ended(l, d.Title)
	c.draw(d.Title)
	return d.svg("fig", frame{0, 0, clocksWide, clocksTop + 3*clocksRow + 4}, &c.pen)
}

// clocks is a drawing of one under way.
type clocks struct {
	l                                phrase.Phrases
	arithmetic, weights, activations float64
	lanes                            [3][]stretchOfTime // weights, activations, arithmetic
	end                              float64
	pen                              markup.Pen
}

// stretchOfTime is when something is at work.
type stretchOfTime struct{ from, until float64 }

// overlapped lets the weights of a layer come while the layer before computes, into a second buffer, and activations
// move while their own layer computes.
func (c *clocks) overlapped() {
	gathered, before, now := 0.0, 0.0, 0.0 // when the weights are there; when the last layer but one, and the last, ended
	for range clocksLayers {
		start := max(gathered, before)
		gathered = start + c.weights
		begin := max(gathered, now)
		before, now = now, begin+max(c.arithmetic, c.activations)
		c.layer(stretchOfTime{start, gathered}, stretchOfTime{begin, begin + c.activations},
			stretchOfTime{begin, begin + c.arithmetic})
	}
	c.end = now
}

// inTurn lets the messages and the arithmetic of a layer follow each other.
func (c *clocks) inTurn() {
	for range clocksLayers {
		gathered := c.end + c.weights
		moved := gathered + c.activations
		c.layer(stretchOfTime{c.end, gathered}, stretchOfTime{gathered, moved}, stretchOfTime{moved, moved + c.arithmetic})
		c.end = moved + c.arithmetic
	}
}

func (c *clocks) layer(all ...stretchOfTime) {
	for i, s := range all {
		c.lanes[i] = append(c.lanes[i], s)
	}
}

// x is where a time stands.
func (c *clocks) x(t float64) float64 {
	return clocksNames + t*(clocksWide-clocksNames)/max(c.end, 1e-12)
}

// draw draws the lanes.
func (c *clocks) draw(title string) {
	c.pen.Label("head", 0, 17, title)
	names := cells(c.l, "figure.clocks-heads")[1:]
	for i, lane := range c.lanes {
		top := float64(clocksTop + i*clocksRow)
		c.pen.Label("small", 0, top+18, names[i])
		free := 0.0
		for n, s := range lane {
			if i == 2 && c.x(s.from)-c.x(free) > 0.5 {
				hatched(&c.pen, c.x(free), top, c.x(s.from)-c.x(free), clocksRow-6)
			}
			free = s.until
			c.bar(i, n, s, top)
		}
		if i == 2 && c.x(c.end)-c.x(free) > 0.5 {
			hatched(&c.pen, c.x(free), top, c.x(c.end)-c.x(free), clocksRow-6)
		}
	}
}

// bar draws the work on a layer, with its number if there is room.
func (c *clocks) bar(lane, n int, s stretchOfTime, top float64) {
	left, wide := c.x(s.from), c.x(s.until)-c.x(s.from)
	c.pen.Rect(`class="l`+strconv.Itoa(lane+1)+`"`, left, top, wide, clocksRow-6)
	if wide >= 12 {
		c.pen.Label("mid small", left+wide/2, top+18, strconv.Itoa(n+1))
	}
}

// table is the same in words.
func (c *clocks) table() Table {
	t := Table{Caption: c.l.Say("figure.clocks-table"), Heads: cells(c.l, "figure.clocks-heads")}
	text := func(s stretchOfTime) string {
		return c.l.Say("figure.from-until", "from", seconds(s.from), "until", seconds(s.until))
	}
	for n := range clocksLayers {
		t.add(strconv.Itoa(n+1), text(c.lanes[0][n]), text(c.lanes[1][n]), text(c.lanes[2][n]))
	}
	return t
}
