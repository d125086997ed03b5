package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of the clocks of a layer, and how many layers, or blocks of a program, are drawn.
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
	c.run(overlap)
	return c.drawing("figure.clocks", cells(l, "figure.clocks-heads"), l.Say("figure.clocks-note"))
}

// Blocks draws when the blocks of a program are read and computed, from the times of all. Overlapped, the next block
// comes while this one is computed; if not, both take turns.
func Blocks(l phrase.Phrases, compute, move float64, overlap bool) *Drawing {
	const n = clocksLayers
	c := &clocks{l: l, arithmetic: compute / n, weights: move / n}
	c.run(overlap)
	c.lanes[1] = nil
	return c.drawing("figure.blocks", cells(l, "figure.blocks-heads"), l.Say("figure.blocks-note"))
}

// drawing is the picture with its words; a lane without anything in it is left out.
func (c *clocks) drawing(title string, heads []string, note string) *Drawing {
	busy := shareText(clocksLayers*c.arithmetic, c.end)
	d := &Drawing{
		Title: c.l.Say(title, "n", clocksLayers, "time", seconds(c.end), "busy", busy),
		Now:   c.l.Say("figure.clocks-busy", "busy", busy),
		Note:  note,
		Twin:  []Table{c.table(heads)},
	}
	d.About = ended(c.l, d.Title)
	d.head(&c.pen, 17)
	rows := c.draw(heads[1:])
	return d.svg("fig", frame{0, 0, clocksWide, float64(clocksTop + rows*clocksRow + 4)}, &c.pen)
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

func (c *clocks) run(overlap bool) {
	if overlap {
		c.overlapped()
	} else {
		c.inTurn()
	}
}

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

// draw draws the lanes, and says how many there are.
func (c *clocks) draw(names []string) int {
	row := 0
	for i, lane := range c.lanes {
		if lane == nil {
			continue
		}
		top := float64(clocksTop + row*clocksRow)
		c.pen.Label("small", 0, top+18, names[row])
		row++
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
	return row
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
func (c *clocks) table(heads []string) Table {
	t := Table{Caption: c.l.Say("figure.clocks-table"), Heads: heads}
	text := func(s stretchOfTime) string {
		return c.l.Say("figure.from-until", "from", seconds(s.from), "until", seconds(s.until))
	}
	for n := range clocksLayers {
		row := []string{strconv.Itoa(n + 1)}
		for _, lane := range c.lanes {
			if lane != nil {
				row = append(row, text(lane[n]))
			}
		}
		t.add(row...)
	}
	return t
}
