package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The drawing is as wide as the chapters' figures: what waits to the left, the square, and what leaves below.
const (
	arrayWide = 520
	waitWide  = 30 // of a number that waits
	arrayTop  = 30
	cellGap   = 4
)

// Systolic draws a systolic array after its last cycle.
func Systolic(l phrase.Phrases, a *machine.Array) *Drawing {
	now := l.Text(library.CycleText(a))
	d := &Drawing{
		Title:     l.Say("figure.array", "n", a.Cycle),
		About:     sentences(l, ended(l, now), l.Say("figure.array-about")),
		Now:       now,
		Note:      sentences(l, ended(l, now), checkText(l, a), l.Say("figure.array-note")),
		AltTables: []Table{sumsTable(l, a), cellsTable(l, a)},
	}
	s := newSystolic(l, a)
	s.draw()
	left, right := s.ends()
	return d.svg("fig", frame{float64(left), 0, float64(right), float64(arrayTop + a.N*s.pitch() + 66)}, &s.pen)
}

// checkText compares what has left with the product.
func checkText(l phrase.Phrases, a *machine.Array) string {
	left, equal := a.Checked()
	switch {
	case left == 0:
		return l.Say("figure.array-none-left")
	case !equal:
		return l.Say("figure.array-wrong")
	case left == a.Rows*a.N:
		return l.Say("figure.array-all-left", "n", left)
	}
	return l.Say("figure.array-some-left", "n", left)
}

// systolic is a drawing under way.
type systolic struct {
	*machine.Array
	l                 phrase.Phrases
	cell, left, queue int // side of a cell, where the square begins, how many numbers wait before a line
	pen               markup.Pen
}

func newSystolic(l phrase.Phrases, a *machine.Array) *systolic {
	s := &systolic{Array: a, l: l, cell: min(64, (arrayWide-120)/a.N-cellGap)}
	s.queue = min(4, (arrayWide-10-a.N*s.pitch())/(waitWide+cellGap))
	s.left = (arrayWide-a.N*s.pitch()-s.queue*(waitWide+cellGap))/2 + s.queue*(waitWide+cellGap) + 4
	return s
}

// ends are where the drawing begins and ends.
func (s *systolic) ends() (left, right int) {
	left = s.left - s.queue*(waitWide+cellGap) - 16
	return left, max(left+380, s.left+s.N*s.pitch()+6)
}

func (s *systolic) pitch() int { return s.cell + cellGap }

func (s *systolic) draw() {
	head := s.l.Say("figure.weights-stay")
	if s.Cycle <= s.Loading() {
		head = s.l.Say("figure.weights-come")
	}
	_, right := s.ends()
	s.text(min(s.left+s.N*s.pitch()/2, right-int(textWide("", head)/2)), 18, "mid small", head)
	for k := range s.N {
		for j := range s.N {
			s.one(k, j)
		}
		s.waiting(k)
	}
	s.leaving()
}

func (s *systolic) text(x, y int, class, text string) {
	s.pen.Label(class, float64(x), float64(y), text)
}

func (s *systolic) square(x, y, side int, class string) {
	s.pen.Rect(`class="`+class+`"`, float64(x), float64(y), float64(side), float64(side))
}

// arrow goes from x, y to the right or down.
func (s *systolic) arrow(x, y, length int, down bool) {
	to, head := "h", "m-5 -4l5 4l-5 4"
	if down {
		to, head = "v", "m-4 -5l4 5l4 -5"
	}
	s.pen.Put(`<path class="line" d="`).Move(float64(x), float64(y)).Put(to, strconv.Itoa(length), head, `"/>`)
}

// rowClass is the colour of a row of the batch, one of three in turn.
func rowClass(row int) string { return "b" + strconv.Itoa(row%3+1) }

// one draws a cell: what it does, or the weight that waits in it.
func (s *systolic) one(k, j int) {
	c := s.Cells[k][j]
	x, y := s.left+j*s.pitch(), arrayTop+k*s.pitch()
	mid := x + s.cell/2
	switch {
	case !c.Weighted:
		s.square(x, y, s.cell, "frame dash")
	case !c.Busy:
		s.square(x, y, s.cell, "frame dash")
		s.text(mid, y+s.cell/2+5, "mid small", signed(c.W))
	default:
		s.square(x, y, s.cell, rowClass(c.Row))
		up := y + s.cell/2
		if s.cell >= 58 {
			up -= 10
			s.text(mid, up+33, "mid small", s.l.Say("figure.row-n", "n", c.Row))
		}
		s.text(mid, up-3, "mid", strconv.Itoa(c.X)+"×"+signed(c.W))
		s.text(mid, up+15, "mid strong", signed(c.Out))
	}
}

// waiting draws the numbers that are to enter a line of cells, the next one nearest to it.
func (s *systolic) waiting(k int) {
	y := arrayTop + k*s.pitch() + s.cell/2
	for later := range s.queue {
		i := s.Entering(k, later)
		if i < 0 {
			continue
		}
		x := s.left - 10 - (later+1)*(waitWide+cellGap) + cellGap
		s.square(x, y-15, waitWide, rowClass(i)+" pale")
		s.text(x+waitWide/2, y+5, "mid", strconv.Itoa(s.X[i][k]))
	}
	if s.Entering(k, 0) >= 0 {
		s.arrow(s.left-8, y, 7, false)
	}
}

// leaving draws the sums that have just left.
func (s *systolic) leaving() {
	y := arrayTop + s.N*s.pitch()
	some := false
	for j, c := range s.Cells[s.N-1] {
		if !c.Busy {
			continue
		}
		some = true
		mid := s.left + j*s.pitch() + s.cell/2
		s.arrow(mid, y, 12, true)
		s.text(mid, y+30, "mid strong", signed(c.Out))
		s.text(mid, y+48, "mid small", s.l.Say("figure.row-n", "n", c.Row))
	}
	if !some {
		s.text(s.left+s.N*s.pitch()/2, y+30, "mid small", s.l.Say("figure.sums-leave"))
	}
}

// sumsTable is what has left.
func sumsTable(l phrase.Phrases, a *machine.Array) Table {
	t := Table{Caption: l.Say("figure.sums"), Heads: arrayColumns(l, l.Say("figure.row"), a.N)}
	for i, row := range a.Left {
		cells := []string{strconv.Itoa(i)}
		for _, sum := range row {
			text := l.Say("figure.not-yet")
			if sum.Out {
				text = signed(sum.Value)
			}
			cells = append(cells, text)
		}
		t.add(cells...)
	}
	return t
}

// cellsTable is what each cell does.
func cellsTable(l phrase.Phrases, a *machine.Array) Table {
	t := Table{Caption: l.Say("figure.cells", "n", a.Cycle), Heads: arrayColumns(l, l.Say("figure.line"), a.N)}
	for k, line := range a.Cells {
		cells := []string{strconv.Itoa(k)}
		for _, c := range line {
			cells = append(cells, cellText(l, c))
		}
		t.add(cells...)
	}
	return t
}

func arrayColumns(l phrase.Phrases, first string, n int) []string {
	heads := []string{first}
	for j := range n {
		heads = append(heads, l.Say("figure.column", "n", j))
	}
	return heads
}

func cellText(l phrase.Phrases, c machine.Cell) string {
	switch {
	case c.Busy:
		return l.Say("figure.cell-works", "given", signed(c.In), "x", c.X, "weight", signed(c.W), "sum", signed(c.Out),
			"row",
			c.Row)
	case c.Weighted:
		return l.Say("figure.cell-idle", "weight", signed(c.W))
	}
	return l.Say("figure.cell-empty")
}

// The drawing has two parts: above, what is where at the moment; below, the timeline, filled up to it.
const (
	streamWide  = 464
	shelfHigh   = 30 // between two buffers
	laneHigh    = 32 // between two lanes of the timeline
	streamStart = 70 // where the timeline begins
)

// stream is a drawing under way.
type stream struct {
	*machine.Run
	l        phrase.Phrases
	t, until float64 // the moment, and the end of its step
	pen      markup.Pen
}

// Stream draws a matmul on its way through a fast memory, at a step: between two times at which something begins or
// ends.
func Stream(l phrase.Phrases, r *machine.Run, step int) *Drawing {
	s := &stream{Run: r, l: l}
	s.t, s.until = r.Step(step)
	now := streamText(l, r, step)
	moment := l.Say("figure.stream-now", "doing", now)
	d := &Drawing{
		Title:     l.Say("figure.stream"),
		About:     sentences(l, moment, l.Say("figure.stream-about")),
		Now:       now,
		Note:      sentences(l, moment, l.Say("figure.stream-note")),
		AltTables: []Table{streamTable(l, r)},
	}
	shelf := max(r.Buffers*shelfHigh, 2*shelfHigh)
	s.places(float64(shelf))
	s.timeline(float64(shelf + 48))
	return d.svg("fig", frame{0, 0, streamWide, float64(shelf + 34 + 3*laneHigh + 44)}, &s.pen)
}

// streamText says what happens in a step.
func streamText(l phrase.Phrases, r *machine.Run, step int) string {
	t, _ := r.Step(step)
	var doing []string
	add := func(key string, block int) {
		if block >= 0 {
			doing = append(doing, l.Say(key, "n", block+1))
		}
	}
	if t < r.First {
		doing = append(doing, l.Say("figure.stream-first"))
	}
	add("figure.stream-in", machine.Current(r.Load, t))
	if n := machine.Current(r.Math, t); n >= 0 {
		add("figure.stream-multiply", n)
	} else {
		doing = append(doing, l.Say("figure.stream-waits"))
	}
	add("figure.stream-out", machine.Current(r.Store, t))
	return commas(l, doing...)
}

func (s *stream) text(x, y float64, class, text string) { s.pen.Label(class, x, y, text) }

func (s *stream) rect(x, y, w, h float64, class string) {
	s.pen.Rect(`class="`+class+`"`, x, y, w, h)
}

// places draws HBM, the buffers, the MXU and the buffers on the way out.
func (s *stream) places(high float64) {
	mid := 22 + high/2
	s.text(144, 16, "mid small", s.l.Say("figure.vmem-in"))
	s.text(354, 16, "mid small", s.l.Say("figure.vmem-out"))
	s.rect(2, mid-22, 46, 44, "frame")
	s.text(25, mid+5, "mid small", "HBM")
	y := mid - float64(s.Buffers*shelfHigh)/2
	for i := range s.Buffers {
		class, text := s.inBuffer(i)
		s.rect(74, y, 140, shelfHigh-4, class)
		s.text(144, y+18, "mid small", text)
		class, text = s.outBuffer(i)
		s.rect(302, y, 104, shelfHigh-4, class)
		s.text(354, y+18, "mid small", text)
		y += shelfHigh
	}
	s.unit(mid)
	s.text(440, mid-9, "mid small", "HBM")
	s.flow(51, mid, 19, s.t < s.First || machine.Current(s.Load, s.t) >= 0)
	s.flow(410, mid, 46, machine.Current(s.Store, s.t) >= 0)
}

// unit draws the MXU, and what flows into and out of it.
func (s *stream) unit(mid float64) {
	n := machine.Current(s.Math, s.t)
	class, look, text := "frame dash", "mid small", s.l.Say("figure.waits")
	if n >= 0 {
		class, look, text = "b2", "mid strong", strconv.Itoa(n+1)
	}
	s.rect(236, mid-22, 44, 44, class)
	s.text(258, mid-4, "mid small", "MXU")
	s.text(258, mid+14, look, text)
	s.flow(217, mid, 16, n >= 0)
	s.flow(283, mid, 16, n >= 0)
}

// flow is an arrow to the right, if something flows.
func (s *stream) flow(x, y, length float64, on bool) {
	if on {
		s.pen.Put(`<path class="line" d="`).Move(x, y).Put("h").Number(length).Put(`m-6 -5l6 5l-6 5"/>`)
	}
}

// inBuffer is what buffer i on the way in holds.
func (s *stream) inBuffer(i int) (class, text string) {
	if s.t < s.First && i == 0 {
		return "frame dash", s.l.Say("figure.activations-first")
	}
	return s.buffer(i, s.Load, s.Math, [3]bufferLook{{"b1 pale", "figure.block-comes"}, {"b1", "figure.block-waits"},
		{"b2", "figure.block-used"}})
}

// outBuffer is what buffer i on the way out holds.
func (s *stream) outBuffer(i int) (class, text string) {
	return s.buffer(i, s.Math, s.Store, [3]bufferLook{{"b2 pale", "figure.out-fills"}, {"b3", "figure.out-waits"},
		{"b3 pale", "figure.out-goes"}})
}

// bufferLook is how a buffer is drawn, and the key of what it says of its block.
type bufferLook struct{ class, key string }

// buffer is how buffer i looks while one of its blocks fills it, waits in it, or is taken out of it.
func (s *stream) buffer(i int, fill, take []machine.Span, looks [3]bufferLook) (class, text string) {
	for n := i; n < s.Blocks(); n += s.Buffers {
		if s.t < fill[n].From || s.t >= take[n].To {
			continue
		}
		look := looks[2]
		switch {
		case s.t < fill[n].To:
			look = looks[0]
		case s.t < take[n].From:
			look = looks[1]
		}
		return look.class, s.l.Say(look.key, "n", n+1)
	}
	return "frame dash", s.l.Say("figure.empty")
}

// timeline draws all work, and the bubbles of the MXU.
func (s *stream) timeline(top float64) {
	scale := 0.0
	if total := s.Total(); total > 0 {
		scale = (streamWide - streamStart - 8) / total
	}
	for i, name := range []string{s.l.Say("figure.copy-in"), "MXU", s.l.Say("figure.copy-out")} {
		s.text(streamStart-8, top+float64(i*laneHigh)+17, "end small", name)
	}
	s.work([]machine.Span{{To: s.First}}, top, scale, "b1 pale", "X")
	s.work(s.Load, top, scale, "b1", "")
	s.bubbles(top+laneHigh, scale)
	s.work(s.Math, top+laneHigh, scale, "b2", "")
	s.work(s.Store, top+2*laneHigh, scale, "b3", "")
	s.pen.Put(`<path class="axis" d="`).Move(streamStart+s.until*scale, top-6).Put("v").Number(3*laneHigh +
		4).Put(`"/>`)
	s.text(streamWide-8, top+3*laneHigh+16, "end small", s.l.Say("figure.time-axis"))
}

// work is a lane: filled once it has started. A name stands in for the numbers of blocks.
func (s *stream) work(spans []machine.Span, y, scale float64, class, name string) {
	for i, span := range spans {
		x, w := streamStart+span.From*scale, (span.To-span.From)*scale
		if w <= 0 {
			continue
		}
		look := class
		if span.From > s.t {
			look += " ghost"
		}
		s.rect(x+0.6, y, max(w-1.2, 0.6), 24, look)
		text := name
		if name == "" {
			text = strconv.Itoa(i + 1)
		}
		if w >= float64(9*len(text)+3) {
			s.text(x+w/2, y+17, "mid small", text)
		}
	}
}

// bubbles crosses out the times in which the MXU has nothing to do, one path for all.
func (s *stream) bubbles(y, scale float64) {
	var path markup.Pen
	for _, span := range s.Gaps() {
		x, w := streamStart+span.From*scale, (span.To-span.From)*scale
		if w >= 2 {
			path.Move(x+w, y+2).Put("l").Number(-w).Put(" 20")
		}
		if w >= 12 {
			path.Put("m0 -20l").Number(w).Put(" 20")
		}
	}
	if path.Len() > 0 {
		s.pen.Path("thin", path.String())
	}
}

// streamTable says when each block is where.
func streamTable(l phrase.Phrases, r *machine.Run) Table {
	name, size := timeUnit(r.Total())
	span := func(s machine.Span) string {
		return quantity.Quantity{Value: s.From / size}.String() + "–" + quantity.Quantity{Value: s.To / size}.String()
	}
	t := Table{Caption: l.Say("figure.stream-table", "unit", name), Heads: cells(l, "figure.stream-heads")}
	if r.First > 0 {
		t.add(l.Say("figure.activations"), span(machine.Span{To: r.First}), "–", "–")
	}
	for i := range r.Math {
		t.add(strconv.Itoa(i+1), span(r.Load[i]), span(r.Math[i]), span(r.Store[i]))
	}
	return t
}

// timeUnit is the unit that the times of such a run are given in.
func timeUnit(total float64) (name string, size float64) {
	switch {
	case total < 1e-6:
		return "ns", 1e-9
	case total < 1e-3:
		return "µs", 1e-6
	case total < 1:
		return "ms", 1e-3
	}
	return "s", 1
}
