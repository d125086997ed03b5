package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
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
	now := l.Text(CycleText(a))
	d := &Drawing{
		Title: l.Say("figure.array", "n", a.Cycle),
		About: sentences(l, ended(l, now), l.Say("figure.array-about")),
		Now:   now,
		Note:  sentences(l, ended(l, now), checkText(l, a), l.Say("figure.array-note")),
		Twin:  []Table{sumsTable(l, a), cellsTable(l, a)},
	}
	s := newSystolic(l, a)
	s.draw()
	left := s.left - s.queue*(waitWide+cellGap) - 16
	wide := max(380, s.left+a.N*s.pitch()+6-left)
	return d.svg("fig", frame{float64(left), 0, float64(left + wide), float64(arrayTop + a.N*s.pitch() + 66)}, &s.pen)
}

// CycleText says what happens in the last cycle.
func CycleText(a *machine.Array) *phrase.Phrase {
	if a.Cycle <= a.Loading() {
		return phrase.New("figure.array-loading")
	}
	left, _ := a.Checked()
	return phrase.New("figure.array-works", "busy", a.Busy(), "cells", a.N*a.N, "left", left, "sums", a.Rows*a.N)
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

func (s *systolic) pitch() int { return s.cell + cellGap }

func (s *systolic) draw() {
	head := s.l.Say("figure.weights-stay")
	if s.Cycle <= s.Loading() {
		head = s.l.Say("figure.weights-come")
	}
	s.text(s.left+s.N*s.pitch()/2, 18, "mid small", head)
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
		return l.Say("figure.cell-works", "given", signed(c.In), "x", c.X, "weight", signed(c.W), "sum", signed(c.Out), "row",
			c.Row)
	case c.Weighted:
		return l.Say("figure.cell-idle", "weight", signed(c.W))
	}
	return l.Say("figure.cell-empty")
}
