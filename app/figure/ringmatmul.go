package figure

import (
	"errors"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
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
func RingMatmul(n int, math, hop float64, step int) (*Drawing, error) {
	if n < 2 || n > mostOnRing || step < 0 || step >= n {
		return nil, errors.New("a ring of " + strconv.Itoa(n) + " chips at step " + strconv.Itoa(step) +
			" isn't drawn; give 2 to 8 chips, and a step below that")
	}
	r := &ring{n: n, math: math, hop: hop, step: step}
	done, serial := float64(n-1)*max(math, hop)+math, float64(n)*math+float64(n-1)*hop
	d := &Drawing{
		Title: "Step " + strconv.Itoa(step+1) + " of " + strconv.Itoa(n) + ": " + r.does(),
		Note: "Above: each chip has one cell for each piece. Pale: used already; full colour: being multiplied; thick " +
			"edge: arriving from the right-hand neighbour. Below: time runs to the right; hatched, the arithmetic waits.",
		Twin: []Table{r.table()},
	}
	d.About = d.Title + ". In pieces it takes " + seconds(done) + ", one after the other " + seconds(serial) + "."
	d.Now = r.does()
	r.pen.Label("head", 0, 17, "Step "+strconv.Itoa(step+1)+" of "+strconv.Itoa(n))
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
		return "each chip multiplies by the last piece, and nothing is sent"
	}
	return "each chip multiplies by one piece while the next one arrives"
}

// chip draws the cells of a chip.
func (r *ring) chip(c int) {
	wide := float64(ringWide)/float64(r.n) - 12
	left, cell := float64(c)*float64(ringWide)/float64(r.n), wide/float64(r.n)
	r.pen.Label("mid small", left+wide/2, ringTop-8, "chip "+strconv.Itoa(c))
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
	r.pen.Label("mid small", left+wide/2, ringTop+ringHigh+18, "× piece "+strconv.Itoa(r.piece(c, r.step)))
}

// overlapped draws the timetable of the collective matmul.
func (r *ring) overlapped() {
	slot := max(r.math, r.hop)
	r.lanes(ringLanes, "In pieces", float64(r.n-1)*slot+r.math)
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
	r.lanes(top, "Gather, then multiply", gathered+float64(r.n)*r.math)
	r.wait(top, 0, gathered)
	for s := range r.n {
		if s < r.n-1 {
			r.bar(0, top, float64(s)*r.hop, r.hop, -1)
		}
		r.bar(1, top, gathered+float64(s)*r.math, r.math, -1)
	}
}

// lanes writes what a timetable is of, its lanes and how long it takes.
func (r *ring) lanes(top float64, name string, takes float64) {
	r.pen.Label("head", 0, top+14, name+": "+seconds(takes))
	r.pen.Label("small", 0, top+38, "links").Label("small", 0, top+38+ringLane, "arithmetic")
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
	t := Table{Caption: "Which piece each chip multiplies", Heads: []string{"Step"}}
	for c := range r.n {
		t.Heads = append(t.Heads, "Chip "+strconv.Itoa(c))
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
