package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/network/schedule"
)

// send draws a message.
func (d *collective) send(t *schedule.Transfer) {
	class := "send a" + strconv.Itoa(max(0, t.Axis))
	switch {
	case d.p.Kind == play.Node || d.p.Kind == play.Tree:
		d.through(t)
	case t.Axis == 2:
		d.slanted(class, t)
	case d.near(t.From, t.To, t.Axis) || d.near(t.To, t.From, t.Axis) && !d.around(t):
		d.straight(class, t)
	default:
		d.stubs(class, t)
	}
}

// around says whether a message goes the way back of a ring that is drawn as a row.
func (d *collective) around(t *schedule.Transfer) bool {
	return d.p.Kind != play.Ring && (t.To > t.From) != (t.Dir > 0)
}

// arrow is a line with a head.
func (d *collective) arrow(class string, a, b point) {
	d.stroke(class, a, b)
	long := math.Hypot(b.x-a.x, b.y-a.y)
	if long == 0 {
		return
	}
	size := math.Min(5, long/2)
	ux, uy := (b.x-a.x)/long*size, (b.y-a.y)/long*size
	d.stroke(class, point{b.x - ux - uy*0.7, b.y - uy + ux*0.7}, b)
	d.stroke(class, point{b.x - ux + uy*0.7, b.y - uy - ux*0.7}, b)
}

// straight is a message to a neighbour, a little to the right of the link as seen by the sender.
func (d *collective) straight(class string, t *schedule.Transfer) {
	if t.From == t.To {
		return
	}
	a, b := d.places[t.From], d.places[t.To]
	if d.around(t) {
		d.stubs(class, t)
		return
	}
	long := math.Hypot(b.x-a.x, b.y-a.y)
	ux, uy := (b.x-a.x)/long, (b.y-a.y)/long
	cut := math.Min(d.w/2/math.Max(math.Abs(ux), 1e-9), d.h/2/math.Max(math.Abs(uy), 1e-9)) + 2
	off := math.Min(5, d.w/6)
	if d.p.Kind == play.Ring && d.p.Schedule.Chips == 2 && t.Dir < 0 {
		off *= 3
	}
	side := point{-uy * off, ux * off}
	from := point{a.x + ux*cut + side.x, a.y + uy*cut + side.y}
	to := point{b.x - ux*cut + side.x, b.y - uy*cut + side.y}
	d.arrow(class, from, to)
	if d.labels {
		x, y := (from.x+to.x)/2-uy*11, (from.y+to.y)/2+ux*11
		d.write("small mid", x, y+4.5, d.l.Text(d.p.Label(*t)))
	}
}

// stubs are a message around the back: out at one end, in at the other.
func (d *collective) stubs(class string, t *schedule.Transfer) {
	a, b := d.places[t.From], d.places[t.To]
	u := point{1, 0}
	if t.Axis == 1 {
		u = point{0, 1}
	}
	u.x, u.y = u.x*float64(t.Dir), u.y*float64(t.Dir)
	off := math.Min(5, d.w/6)
	reach := 15.0
	half := d.w / 2
	if t.Axis == 1 {
		half = d.h / 2
	}
	half += 2
	side := point{-u.y * off, u.x * off}
	d.arrow(class, point{a.x + u.x*half + side.x, a.y + u.y*half + side.y},
		point{a.x + u.x*(half+reach) + side.x, a.y + u.y*(half+reach) + side.y})
	d.arrow(class, point{b.x - u.x*(half+reach) + side.x, b.y - u.y*(half+reach) + side.y},
		point{b.x - u.x*half + side.x, b.y - u.y*half + side.y})
}

// slanted is a message along the third axis: an arrow away from the corner of the sender's box.
func (d *collective) slanted(class string, t *schedule.Transfer) {
	a := d.places[t.From]
	dir := float64(t.Dir)
	from := point{a.x + dir*d.w/2, a.y - dir*d.h/2}
	d.arrow(class, from, point{from.x + dir*9, from.y - dir*9})
}

// through is a message through switches: out of the sender to the left of its wire, into the receiver to the right.
func (d *collective) through(t *schedule.Transfer) {
	out := d.p.Kind == play.Tree && t.From/d.p.Sides[0] != t.To/d.p.Sides[0]
	class := "send a0"
	if out {
		class = "send a1"
	}
	off := math.Min(7, d.w/5)
	if t.From < len(d.places) {
		d.leg(class, t.From, out, off, true)
	}
	if t.To < len(d.places) {
		d.leg(class, t.To, out, off, false)
	}
	if d.labels && t.From < len(d.places) {
		d.tag(t, out)
	}
}

// leg is the part of a message's way between a device and a switch.
func (d *collective) leg(class string, chip int, out bool, off float64, away bool) {
	at, y := d.places[chip], d.barOf(chip, out).from.y
	edge := at.y + d.h/2 + 2
	if y < at.y {
		edge = at.y - d.h/2 - 2
		y += 3
	} else {
		y -= 3
	}
	if away {
		d.arrow(class, point{at.x - off, edge}, point{at.x - off, y})
		return
	}
	d.arrow(class, point{at.x + off, y}, point{at.x + off, edge})
}

// tag says beside its first leg what a message carries and to whom, unless a device sends to many.
func (d *collective) tag(t *schedule.Transfer, out bool) {
	many := 0
	for _, o := range d.p.Schedule.Steps[d.k].Transfers {
		if o.From == t.From {
			many++
		}
	}
	if many > 1 || d.p.Schedule.Nodes > d.p.Schedule.Chips {
		return
	}
	at, y := d.places[t.From], d.barOf(t.From, out).from.y
	down := (y+at.y+d.h/2)/2 + 4
	if y < at.y { // above the number of the device
		down = y + 16
		if d.p.Kind == play.Node {
			down = y + 22
		}
	}
	d.write("small end", at.x-11, down, d.l.Text(d.p.Label(*t))+"→"+strconv.Itoa(t.To))
}
