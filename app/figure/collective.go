package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
)

// A chip is a box with a cell for each piece of the array; of many chips a box with one bar. What there is of a piece
// fills its cell from below; what arrives in this step has a thick outline, what was passed on a stroke through it, and
// a sum that is complete a dot.

type point struct{ x, y float64 }

// collective is a drawing under way.
type collective struct {
	l      phrase.Phrases
	p      *play.Play
	k      int // the step
	hold   []play.Held
	places []point // the middles of the boxes
	w, h   float64 // of a box
	cols   int     // of cells in a box; 0 for a bar
	cell   float64
	bars   []bar                  // the switches
	paths  map[string]*markup.Pen // by class
	text   markup.Pen
	box    frame
	labels bool // messages say what they carry
	seen   map[string]bool
}

// bar is a switch.
type bar struct {
	from, to point
	name     string
}

// layers are the classes of the paths, from the ground up.
func layers() [13]string {
	return [...]string{"wires", "wires bar", "boxes", "lack", "have", "came", "edge", "new", "gone", "sum", "send a0",
		"send a1", "send a2"}
}

// Collective draws the state after a step of a collective, with the messages of the step.
func Collective(l phrase.Phrases, p *play.Play, k int) *Drawing {
	k = max(0, min(k, len(p.Schedule.Steps)-1))
	d := &collective{l: l, p: p, k: k, hold: p.HeldAfter(k), paths: map[string]*markup.Pen{}, box: emptyFrame(),
		seen: map[string]bool{}}
	d.shape()
	d.place()
	d.wires()
	d.switches()
	for chip := range p.Schedule.Chips {
		d.chip(chip)
	}
	if p.Schedule.Nodes > p.Schedule.Chips {
		d.adder()
	}
	if k < len(p.Schedule.Steps) {
		for i := range p.Schedule.Steps[k].Transfers {
			d.send(&p.Schedule.Steps[k].Transfers[i])
		}
	}
	d.legend()
	return d.whole()
}

// shape is the size of the boxes' insides in cells.
func (d *collective) shape() {
	slots := 0
	for _, h := range d.hold {
		slots = max(slots, len(h.Slots))
	}
	if d.p.Schedule.Chips > play.InFull {
		return
	}
	d.cols = int(math.Ceil(math.Sqrt(float64(slots))))
	if d.exchange() {
		d.cols = min(slots/2, 8)
	}
	d.cols = max(1, d.cols)
	d.labels = d.p.Schedule.Chips <= 8 && !d.exchange() && (len(d.p.Sides) == 1 || d.p.Units != nil)
}

func (d *collective) exchange() bool { return d.p.Collective.Op == network.AllToAll }

// rows is the number of rows of cells.
func (d *collective) rows() int {
	n := len(d.hold[0].Slots)
	return (n + d.cols - 1) / d.cols
}

// size sets the size of the boxes by the room there is for their width.
func (d *collective) size(w float64) {
	d.w = math.Floor(w)
	if d.cols == 0 {
		d.h = math.Max(8, math.Floor(d.w*0.7))
		return
	}
	d.cell = math.Floor(math.Min(32, (d.w-4)/float64(d.cols)))
	d.w = d.cell*float64(d.cols) + 4
	d.h = d.cell*float64(d.rows()) + 4
}

func (d *collective) path(class string) *markup.Pen {
	if d.paths[class] == nil {
		d.paths[class] = &markup.Pen{}
	}
	return d.paths[class]
}

func (d *collective) rect(class string, x, y, w, h float64) {
	d.path(class).Box(x, y, w, h)
	d.box.grow(x, y)
	d.box.grow(x+w, y+h)
}

func (d *collective) stroke(class string, a, b point) {
	d.path(class).Move(a.x, a.y).Line(b.x, b.y)
	d.box.grow(a.x, a.y)
	d.box.grow(b.x, b.y)
}

func (d *collective) write(class string, x, y float64, text string) {
	d.text.Label(class, x, y, text)
	half := 4.6 * float64(len([]rune(text)))
	left, right := half, half
	if strings.Contains(class, "end") {
		left, right = 2*half, 0
	} else if !strings.Contains(class, "mid") {
		left, right = 0, 2*half
	}
	d.box.grow(x-left, y-11)
	d.box.grow(x+right, y+3)
}

// phoneWide is up to how wide a drawing is shown as large on a phone as anywhere.
const phoneWide = 340

// whole puts the drawing together.
func (d *collective) whole() *Drawing {
	drawing := &Drawing{
		Title: d.l.Say("figure.collective", "op", phrase.Capital(d.p.Collective.Op.String()), "n", d.k+1, "steps",
			max(1, len(d.p.Schedule.Steps))),
		About:     sentences(d.l, ended(d.l, d.l.Text(d.p.Says(d.k))), d.l.Say("figure.collective-about")),
		Now:       d.now(),
		Note:      d.note(),
		AltTables: []Table{d.table()},
	}
	var body markup.Pen
	for _, class := range layers() {
		if p := d.paths[class]; p != nil {
			body.Path(class, p.String())
		}
	}
	body.Put(d.text.String())
	f := d.box.margin(6, 290)
	class := "fig"
	if f.wide() > phoneWide {
		class = "fig large"
	}
	var size markup.Pen
	return drawing.svg(class, f, &body, size.Attr("width", 1.2*f.wide()).String())
}

// now is what happens in the step, and how far it has got.
func (d *collective) now() string {
	if len(d.p.Schedule.Steps) == 0 {
		return d.l.Text(d.p.Says(d.k))
	}
	return d.l.Say("figure.collective-now", "step", d.p.Says(d.k), "far", d.p.SoFar(d.k+1))
}

// note is what is drawn where that is not plain, and how far it has got.
func (d *collective) note() string {
	after := ""
	if len(d.p.Schedule.Steps) > 0 {
		after = d.l.Say("figure.collective-after", "far", d.p.SoFar(d.k+1))
	}
	return sentences(d.l, ended(d.l, d.l.Text(d.p.Says(d.k))), d.l.Text(d.p.Caption(d.k)), after)
}

// table says who sends what to whom in this step, and who holds what after it.
func (d *collective) table() Table {
	t := Table{Caption: d.l.Say("figure.collective-table", "n", d.k+1),
		Heads: append([]string{phrase.Capital(d.p.Who())}, cells(d.l, "figure.collective-heads")...)}
	for chip, h := range d.hold {
		name := strconv.Itoa(chip)
		if chip == d.p.Schedule.Chips {
			name = d.l.Say("figure.switch")
		}
		t.add(name, d.l.Text(d.p.Sends(chip, d.k)), d.l.Text(d.p.Holds(h)))
	}
	return t
}

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
