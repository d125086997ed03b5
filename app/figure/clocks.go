package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of the clocks of a layer, and how many layers, or blocks of a program, are drawn.
const (
	clocksWide   = 480
	clocksNames  = 152
	clocksRow    = 32
	clocksTop    = 30
	clocksLayers = 4
)

// StepTimes draws when the arithmetic of some layers runs, when their weights are gathered and when their activations
// are sent, from the times of one layer. Overlapped, the next layer's weights come while this one computes; if not, all
// take turns.
func StepTimes(l phrase.Phrases, arithmetic, weights, activations float64, overlap bool) *Drawing {
	c := &stepTimes{l: l, arithmetic: arithmetic, weights: weights, activations: activations}
	c.run(overlap)
	return c.drawing("figure.clocks", cells(l, "figure.clocks-heads"), l.Say("figure.clocks-note"))
}

// Blocks draws when the blocks of a program are read and computed, from the times of all. Overlapped, the next block
// comes while this one is computed; if not, both take turns.
func Blocks(l phrase.Phrases, compute, move float64, overlap bool) *Drawing {
	const n = clocksLayers
	c := &stepTimes{l: l, arithmetic: compute / n, weights: move / n}
	c.run(overlap)
	c.lanes[1] = nil
	return c.drawing("figure.blocks", cells(l, "figure.blocks-heads"), l.Say("figure.blocks-note"))
}

// drawing is the picture with its words; a lane without anything in it is left out.
func (c *stepTimes) drawing(title string, heads []string, note string) *Drawing {
	busy := shareText(clocksLayers*c.arithmetic, c.end)
	d := &Drawing{
		Title:     c.l.Say(title, "n", clocksLayers, "time", seconds(c.end), "busy", busy),
		Now:       c.l.Say("figure.clocks-busy", "busy", busy),
		Note:      note,
		AltTables: []Table{c.table(heads)},
	}
	d.About = ended(c.l, d.Title)
	d.head(&c.pen, 17)
	rows := c.draw(heads[1:])
	return d.svg("fig", frame{0, 0, clocksWide, float64(clocksTop + rows*clocksRow + 4)}, &c.pen)
}

// stepTimes is a drawing of one under way.
type stepTimes struct {
	l                                phrase.Phrases
	arithmetic, weights, activations float64
	lanes                            [3][]stretchOfTime // weights, activations, arithmetic
	end                              float64
	pen                              markup.Pen
}

// stretchOfTime is when something is at work.
type stretchOfTime struct{ from, until float64 }

func (c *stepTimes) run(overlap bool) {
	if overlap {
		c.overlapped()
	} else {
		c.inTurn()
	}
}

// overlapped lets the weights of a layer come while the layer before computes, into a second buffer, and activations
// move while their own layer computes.
func (c *stepTimes) overlapped() {
	// when the weights are there; when the last layer but one, and the last, ended
	gathered, before, now := 0.0, 0.0, 0.0
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
func (c *stepTimes) inTurn() {
	for range clocksLayers {
		gathered := c.end + c.weights
		moved := gathered + c.activations
		c.layer(stretchOfTime{c.end, gathered}, stretchOfTime{gathered, moved},
			stretchOfTime{moved, moved + c.arithmetic})
		c.end = moved + c.arithmetic
	}
}

func (c *stepTimes) layer(all ...stretchOfTime) {
	for i, s := range all {
		c.lanes[i] = append(c.lanes[i], s)
	}
}

// x is where a time stands.
func (c *stepTimes) x(t float64) float64 {
	return clocksNames + t*(clocksWide-clocksNames)/max(c.end, 1e-12)
}

// draw draws the lanes, and says how many there are.
func (c *stepTimes) draw(names []string) int {
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
func (c *stepTimes) bar(lane, n int, s stretchOfTime, top float64) {
	left, wide := c.x(s.from), c.x(s.until)-c.x(s.from)
	c.pen.Rect(`class="l`+strconv.Itoa(lane+1)+`"`, left, top, wide, clocksRow-6)
	if wide >= 12 {
		c.pen.Label("mid small", left+wide/2, top+18, strconv.Itoa(n+1))
	}
}

// table is the same in words.
func (c *stepTimes) table(heads []string) Table {
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

// The measures of a collective matmul: a row of chips with a cell for each piece, and below it two timetables.
const (
	ringWide   = 480
	ringNames  = 92
	ringTop    = 46
	ringHigh   = 22
	ringLanes  = 112
	ringLane   = 26
	ringGroup  = 92
	mostOnRing = 8
)

// RingMatmul draws a step of a collective matmul: each of n chips multiplies the piece that it has while the next one
// arrives, and below it the time of that beside gathering first and multiplying then. math is the time to multiply by
// one piece, hop the time to pass one on.
func RingMatmul(l phrase.Phrases, n int, math, hop float64, step int) (*Drawing, error) {
	if n < 2 || n > mostOnRing || step < 0 || step >= n {
		return nil, phrase.New("figure.ring-size", "n", n, "step", step)
	}
	r := &ring{l: l, n: n, math: math, hop: hop, step: step}
	done, serial := float64(n-1)*max(math, hop)+math, float64(n)*math+float64(n-1)*hop
	d := &Drawing{
		Title:     l.Say("figure.ring", "n", step+1, "all", n, "does", r.does()),
		Now:       r.does(),
		Note:      l.Say("figure.ring-note"),
		AltTables: []Table{r.table()},
	}
	times := l.Say("figure.ring-times", "pieces", seconds(done), "turns", seconds(serial))
	d.About = sentences(l, ended(l, d.Title), times)
	r.pen.Label("head", 0, 17, l.Say("figure.step-of", "n", step+1, "all", n))
	for c := range n {
		r.chip(c)
	}
	r.end = max(done, serial)
	r.overlapped()
	r.inTurn()
	return d.svg("fig", frame{0, 0, ringWide, ringLanes + 2*ringGroup}, &r.pen), nil
}

// ring is a drawing of one under way.
type ring struct {
	l              phrase.Phrases
	n, step        int
	math, hop, end float64
	pen            markup.Pen
}

func seconds(t float64) string { return quantity.Seconds(t).Quantity().String() }

// piece is which piece a chip multiplies at a step: its own, then those of the neighbours to its right.
func (r *ring) piece(chip, step int) int { return (chip + step) % r.n }

// does says what happens at the step.
func (r *ring) does() string {
	if r.step == r.n-1 {
		return r.l.Say("figure.ring-last")
	}
	return r.l.Say("figure.ring-does")
}

// chip draws the cells of a chip.
func (r *ring) chip(c int) {
	wide := float64(ringWide)/float64(r.n) - 12
	left, cell := float64(c)*float64(ringWide)/float64(r.n), wide/float64(r.n)
	r.pen.Label("mid small", left+wide/2, ringTop-8, r.l.Say("figure.chip-n", "n", c))
	for s := range r.n {
		class := "whole"
		switch {
		case s < r.step:
			class = "used"
		case s == r.step:
			class = "now"
		case s == r.step+1:
			class = "came"
		}
		r.pen.Rect(`class="`+class+`"`, left+float64(r.piece(c, s))*cell, ringTop, cell, ringHigh)
	}
	class, mid := "mid small", left+wide/2
	if r.n > 6 {
		class, mid = "mid micro", mid+5 // the first is wider than its chip
	}
	r.pen.Label(class, mid, ringTop+ringHigh+18, r.l.Say("figure.ring-piece", "n", r.piece(c, r.step)))
}

// overlapped draws the timetable of the collective matmul.
func (r *ring) overlapped() {
	slot := max(r.math, r.hop)
	r.lanes(ringLanes, r.l.Say("figure.ring-pieces", "time", seconds(float64(r.n-1)*slot+r.math)))
	for s := range r.n {
		from := float64(s) * slot
		r.bar(1, ringLanes, from, r.math, s)
		if s < r.n-1 {
			r.bar(0, ringLanes, from, r.hop, s+1)
			r.wait(ringLanes, from+r.math, from+slot)
		}
	}
}

// inTurn draws the timetable of gathering first.
func (r *ring) inTurn() {
	top := float64(ringLanes + ringGroup)
	gathered := float64(r.n-1) * r.hop
	r.lanes(top, r.l.Say("figure.ring-turns", "time", seconds(gathered+float64(r.n)*r.math)))
	r.wait(top, 0, gathered)
	for s := range r.n {
		if s < r.n-1 {
			r.bar(0, top, float64(s)*r.hop, r.hop, -1)
		}
		r.bar(1, top, gathered+float64(s)*r.math, r.math, -1)
	}
}

// lanes writes what a timetable is of, its lanes and how long it takes.
func (r *ring) lanes(top float64, name string) {
	r.pen.Label("head", 0, top+14, name)
	r.pen.Label("small", 0, top+38, r.l.Say("figure.ring-links"))
	r.pen.Label("small", 0, top+38+ringLane, r.l.Say("figure.arithmetic"))
}

func (r *ring) x(t float64) float64 { return ringNames + t*(ringWide-ringNames)/max(r.end, 1e-12) }

// bar draws work in a lane, 0 for the links and 1 for the arithmetic; the step that is looked at stands out.
func (r *ring) bar(lane int, top, from, long float64, step int) {
	class := [...]string{"l2", "l1"}[lane]
	if step >= 0 && step-(1-lane) == r.step {
		class += " strong"
	}
	r.pen.Rect(`class="`+class+`"`, r.x(from), top+22+float64(lane*ringLane), r.x(from+long)-r.x(from), ringLane-6)
}

// wait hatches the time in which the compute units wait.
func (r *ring) wait(top, from, until float64) {
	if r.x(until)-r.x(from) > 0.5 {
		hatched(&r.pen, r.x(from), top+22+ringLane, r.x(until)-r.x(from), ringLane-6)
	}
}

// table is which piece each chip multiplies at each step.
func (r *ring) table() Table {
	t := Table{Caption: r.l.Say("figure.ring-table"), Heads: []string{r.l.Say("figure.step")}}
	for c := range r.n {
		t.Heads = append(t.Heads, r.l.Say("figure.ring-chip", "n", c))
	}
	for s := range r.n {
		row := []string{strconv.Itoa(s + 1)}
		for c := range r.n {
			row = append(row, strconv.Itoa(r.piece(c, s)))
		}
		t.add(row...)
	}
	return t
}

// The measures of a decode step.
const (
	stepWide = 430
	stepLeft = 92
	stepTop  = 28
	stepHigh = 40
	stepNext = 54
)

// DecodeStep draws what memory and arithmetic do in a decode step: caches are read, a cell for each sequence, then
// weights, while the products with them are computed. All arguments but sequences are seconds.
func DecodeStep(l phrase.Phrases, weights, caches, work float64, sequences int) *Drawing {
	step := caches + math.Max(weights, work)
	s := decode{scale: stepWide / fullScale(step), step: step}
	d := &Drawing{Title: l.Count(sequences, "figure.decode", "time", seconds(step)), Note: l.Say("figure.decode-note")}
	s.twin = Table{Caption: d.Title, Heads: cells(l, "figure.decode-heads")}
	bound := l.Say("figure.decode-memory")
	if work > weights {
		bound = l.Say("figure.decode-both")
	}
	d.About, d.Now = sentences(l, ended(l, d.Title), bound), d.Title
	d.head(&s.pen, 17)
	s.lane(0, l.Say("figure.memory"))
	s.bar(0, 0, caches, "b2", min(max(sequences, 1), mostCells), l.Say("figure.caches"))
	s.bar(0, caches, weights, "b1", 1, l.Say("figure.weights"))
	s.lane(1, l.Say("figure.arithmetic"))
	s.bar(1, caches, work, "b3", 1, l.Say("figure.matmuls"))
	d.AltTables = []Table{s.twin}
	return d.svg("fig", frame{0, 0, stepLeft + stepWide + 4, stepTop + 2*stepNext}, &s.pen)
}

// fullScale is the time that the width of the drawing stands for: the next power of two of milliseconds, so that a bar
// that grows is seen to grow.
func fullScale(step float64) float64 {
	return math.Exp2(math.Ceil(math.Log2(math.Max(step, 1e-6)*1000))) / 1000
}

// decode is a drawing under way.
type decode struct {
	scale, step float64
	pen         markup.Pen
	twin        Table
}

func (s *decode) lane(i int, name string) {
	y := float64(stepTop + i*stepNext)
	s.pen.Label("small", 0, y+25, name)
	s.pen.Rect(`class="frame"`, stepLeft, y, stepWide, stepHigh)
}

// bar draws a time in a lane, in so many cells, with its name if it fits.
func (s *decode) bar(lane int, from, time float64, class string, cells int, name string) {
	y, wide := float64(stepTop+lane*stepNext), time*s.scale
	s.pen.Put(`<path class="`, class, `" d="`)
	for i := range cells {
		w := wide / float64(cells)
		s.pen.Box(stepLeft+from*s.scale+float64(i)*w, y, w, stepHigh)
	}
	s.pen.Put(`"/>`)
	if text := name + " " + seconds(time); wide > 8*float64(len(text)) {
		s.pen.Label("mid small", stepLeft+from*s.scale+wide/2, y+25, text)
	}
	s.twin.add(phrase.Capital(name), seconds(time), shareText(time, s.step))
}
