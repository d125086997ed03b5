package figure

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/network/schedule"
)

// Where the boxes stand: rings in a circle, lines in rows there and back, slices as grids (planes of three axes side by
// side), devices on both sides of their switch, nodes one below the other.

const margin = 508 // the width for boxes

func (d *collective) place() {
	n := d.p.Schedule.Chips
	switch {
	case d.p.Kind == play.Node:
		d.placeNode(n)
	case d.p.Kind == play.Tree:
		d.placeTree(d.p.Sides[0], d.p.Sides[1])
	case d.p.Kind == play.Slice && n > 1:
		d.placeGrid()
	case d.p.Kind == play.Line || n < 2:
		d.placeLine(n)
	default:
		d.placeRing(n)
	}
}

func (d *collective) placeRing(n int) {
	chord := 2 * math.Sin(math.Pi/float64(n)) // of a circle of radius 1
	w := 88.0
	switch {
	case n > play.InFull:
		w = math.Min(40, 225*chord*0.62)
	case n > 8:
		w = 52
	case n > 4:
		w = 78
	}
	d.size(w)
	gap := 34.0
	switch {
	case n > play.InFull:
		gap = d.w * 0.6
	case n <= 4:
		gap = 60
	}
	r := (math.Hypot(d.w, d.h)*0.85 + gap) / chord
	for i := range n {
		a := 2*math.Pi*float64(i)/float64(n) - math.Pi/2
		if n == 4 || n == 2 { // square, or side by side
			a -= math.Pi / 4 * float64(n/2) * float64(3-n/2) / 2
		}
		d.places = append(d.places, point{r * math.Cos(a), r * math.Sin(a)})
	}
}

// perRow is how many boxes of a line stand in a row.
func perRow(n int) int {
	switch {
	case n <= 4:
		return max(1, n)
	case n <= play.InFull:
		return 4
	}
	return 8
}

func (d *collective) placeLine(n int) {
	cols := perRow(n)
	gap := 44.0
	if cols > 4 {
		gap = 22
	}
	d.size(math.Min(88, (margin-float64(cols-1)*gap)/float64(cols)))
	for i := range n {
		row, col := i/cols, i%cols
		if row%2 == 1 {
			col = cols - 1 - col
		}
		d.places = append(d.places, point{float64(col) * (d.w + gap), float64(row) * (d.h + 44)})
	}
}

// placeGrid has the first axis to the right, the second down, and of the third a plane for each step.
func (d *collective) placeGrid() {
	s := append(append([]int(nil), d.p.Sides...), 1, 1)
	planes := max(1, min(s[2], 8/max(1, s[0])))
	cols := planes * s[0]
	gap := 36.0
	if cols > 4 {
		gap = 17
	}
	between := 30.0
	d.size(math.Min(84, (margin-float64(cols+1)*gap-float64(planes-1)*between)/float64(cols)))
	down := d.h + math.Max(gap, 26)
	for i := range d.p.Schedule.Chips {
		x, y, z := i/(s[1]*s[2]), i/s[2]%s[1], i%s[2]
		px, py := z%planes, z/planes
		d.places = append(d.places, point{
			float64(px*s[0]+x)*(d.w+gap) + float64(px)*between,
			float64(py*s[1]+y)*down + float64(py)*between,
		})
	}
}

func (d *collective) placeNode(n int) {
	cols := max(1, (n+1)/2)
	pitch := math.Min(116, margin/float64(cols))
	d.size(math.Min(86, pitch-12))
	reach := 46.0
	middle := d.h + reach + 14
	for i := range n {
		y := d.h / 2
		if i >= cols {
			y = 2*middle - d.h/2
		}
		d.places = append(d.places, point{pitch * (float64(i%cols) + 0.5), y})
	}
	d.bars = []bar{{point{0, middle}, point{pitch * float64(cols), middle}, d.l.Say("figure.switch")}}
}

// placeTree has a row for each node: its switch, its devices, and below them the way to the network, whose switch is at
// the right.
func (d *collective) placeTree(devices, nodes int) {
	pitch := (margin - 28) / float64(devices)
	pitch = math.Min(110, pitch)
	d.size(math.Min(86, pitch-10))
	down := d.h + 110
	if d.cols == 0 {
		down = d.h + 72
	}
	wide := pitch * float64(devices)
	reach := (down - d.h - 30) / 2
	for j := range nodes {
		top := float64(j) * down
		for i := range devices {
			d.places = append(d.places, point{pitch * (float64(i) + 0.5), top + reach + d.h/2})
		}
		d.bars = append(d.bars, bar{point{0, top}, point{wide, top}, d.l.Say("figure.node", "n", j)})
	}
	for j := range nodes {
		y := float64(j)*down + d.h + 2*reach
		d.bars = append(d.bars, bar{point{0, y}, point{wide + 14, y}, ""})
	}
	low := float64(nodes-1)*down + d.h + 2*reach
	d.bars = append(d.bars, bar{point{wide + 14, d.h + 2*reach}, point{wide + 14, low}, ""})
}

// switches draws the bars.
func (d *collective) switches() {
	for _, b := range d.bars {
		d.stroke("wires bar", b.from, b.to)
		if b.name != "" && d.cols > 0 {
			d.write("small end", b.from.x-6, b.from.y+5, b.name)
		}
	}
}

// wires are the links between neighbours, and from devices to their switches.
func (d *collective) wires() {
	if d.p.Units != nil {
		for i, at := range d.places {
			d.stroke("wires", at, point{at.x, d.barOf(i, false).from.y})
			if d.p.Kind == play.Tree {
				d.stroke("wires", at, point{at.x, d.barOf(i, true).from.y})
			}
		}
		return
	}
	for axis, n := range d.p.Grid.Sides {
		for chip := range d.places {
			w := schedule.Link{Level: axis, At: chip, Dir: 1}
			next := d.p.Next(w)
			if n > 1 && d.near(chip, next, axis) {
				d.stroke("wires", d.places[chip], d.places[next])
			}
		}
	}
}

// near says whether a link along an axis can be drawn as a line between the boxes: not the way back of a grid's ring,
// and no third axis.
func (d *collective) near(from, to, axis int) bool {
	if d.p.Kind == play.Ring {
		return true
	}
	if axis == 2 {
		return false
	}
	return to > from && (d.p.Kind != play.Line || d.p.Grid.Sides[0] > 1)
}

// barOf is the switch of a device: of its node, or of the network.
func (d *collective) barOf(chip int, out bool) bar {
	if d.p.Kind == play.Node {
		return d.bars[0]
	}
	j := chip / d.p.Sides[0]
	if out {
		j += d.p.Sides[1]
	}
	return d.bars[j]
}

// adder is what the switch that adds holds.
func (d *collective) adder() {
	h := d.hold[d.p.Schedule.Chips]
	b := d.bars[0]
	size := math.Min(20, d.cell)
	was := d.cell
	wide := size * float64(len(h.Slots))
	x, y := (b.from.x+b.to.x-wide)/2, b.from.y-size/2
	d.rect("boxes", x-2, y-2, wide+4, size+4)
	d.cell = size
	cols := d.cols
	d.cols = len(h.Slots)
	d.cells(x, y, h.Slots)
	d.cell, d.cols = was, cols
}

// chip is a box and what is in it.
func (d *collective) chip(chip int) {
	at := d.places[chip]
	left, top := at.x-d.w/2, at.y-d.h/2
	d.rect("boxes", left, top, d.w, d.h)
	if d.cols == 0 {
		d.level(left, top, chip)
		return
	}
	d.name(chip, left, top)
	d.cells(left+2, top+2, d.hold[chip].Slots)
}

// name writes the number of a chip where no message passes: in a ring on the outside, else over its left corner.
func (d *collective) name(chip int, left, top float64) {
	at, text := d.places[chip], strconv.Itoa(chip)
	if d.p.Kind != play.Ring || len(d.places) < 2 {
		d.write("small head", left+1, top-4, text)
		return
	}
	switch {
	case math.Abs(at.x) > math.Abs(at.y)*1.3 && at.x > 0:
		d.write("small head", at.x+d.w/2+6, at.y+5, text)
	case math.Abs(at.x) > math.Abs(at.y)*1.3:
		d.write("small head end", at.x-d.w/2-6, at.y+5, text)
	case at.y > 0:
		d.write("small head mid", at.x, at.y+d.h/2+15, text)
	default:
		d.write("small head mid", at.x, top-5, text)
	}
}

// level is the bar of a chip whose pieces are too many.
func (d *collective) level(left, top float64, chip int) {
	have, came := 0.0, false
	slots := d.hold[chip].Slots
	switch {
	case d.exchange():
		slots = slots[len(slots)/2:]
	case d.p.Owning(d.k) && len(slots) == d.p.Schedule.Chips:
		slots = slots[chip : chip+1]
	}
	for _, s := range slots {
		have += s.Share / float64(len(slots))
		came = came || s.Came
	}
	class := "have"
	if came {
		class = "came"
	}
	d.seen[class] = true
	d.rect(class, left, top+d.h*(1-have), d.w, d.h*have)
}

func (d *collective) cells(left, top float64, slots []play.Slot) {
	for i, s := range slots {
		x, y := left+float64(i%d.cols)*d.cell, top+float64(i/d.cols)*d.cell
		d.one(x+1, y+1, d.cell-2, s)
		if d.cell >= 24 || d.cell >= 15 && len(slots) <= 10 {
			d.write("piece mid", x+d.cell/2, y+d.cell/2+4.5, s.Name)
		}
	}
}

// one is a cell.
func (d *collective) one(x, y, size float64, s play.Slot) {
	fill, edge := "have", "edge"
	if s.Came {
		fill, edge = "came", "new"
	}
	switch {
	case s.Gone:
		d.rect("lack", x, y, size, size)
		d.stroke("gone", point{x, y + size}, point{x + size, y})
		d.seen["gone"] = true
		return
	case s.Share == 0:
		d.rect("lack", x, y, size, size)
		d.seen["lack"] = true
		return
	}
	high := size * math.Max(0.15, s.Share)
	d.rect(fill, x, y+size-high, size, high)
	d.rect(edge, x, y, size, size)
	d.seen[fill] = true
	if !s.Whole() {
		d.seen["part"] = true
	} else if s.Sum {
		d.path("sum").Move(x+size-3, y+3).Put("h0")
		d.seen["sum"] = true
	}
}

// legend says what the cells mean, as far as they occur.
func (d *collective) legend() {
	whole, part := d.l.Say("figure.cell-held"), d.l.Say("figure.cell-part")
	if d.cols == 0 {
		whole = d.l.Say("figure.cell-far")
	}
	if d.p.Owning(d.k) || d.p.Adds {
		part = d.l.Say("figure.cell-some")
	}
	x, y := d.box.left, d.box.bottom+16
	right := x
	for _, item := range []struct{ key, word string }{{"have", whole}, {"came", d.l.Say("figure.cell-now")},
		{"part", part}, {"sum", d.l.Say("figure.cell-sum")}, {"gone", d.l.Say("figure.cell-gone")},
		{"lack", d.l.Say("figure.cell-lack")}} {
		if !d.seen[item.key] || item.key == "have" && d.p.Summing() && d.cols > 0 {
			continue
		}
		letters := float64(utf8.RuneCountInString(item.word))
		wide := 24 + 9.6*letters // with the larger letters of a phone
		if x+wide > math.Max(d.box.left+280, d.box.right+20) {
			x, y = d.box.left, y+20
		}
		d.key(item.key, x, y)
		d.text.Label("small", x+18, y+11, item.word)
		x += wide
		right = math.Max(right, x-8)
	}
	d.box.grow(right, y+16)
}

// key is a cell of the legend.
func (d *collective) key(key string, x, y float64) {
	if d.cols == 0 {
		d.rect(key, x, y, 13, 13)
		return
	}
	s := play.Slot{Share: 1, Came: key == "came", Sum: key == "sum", Gone: key == "gone"}
	switch key {
	case "part":
		s.Share = 0.4
	case "lack":
		s.Share = 0
	}
	d.one(x, y, 13, s)
}
