package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

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
		Title: l.Say("figure.ring", "n", step+1, "all", n, "does", r.does()),
		Now:   r.does(),
		Note:  l.Say("figure.ring-note"),
		Twin:  []Table{r.table()},
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
	r.pen.Label("mid small", left+wide/2, ringTop+ringHigh+18, r.l.Say("figure.ring-piece", "n", r.piece(c, r.step)))
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

// wait hatches where the arithmetic waits.
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
