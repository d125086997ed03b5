package figure

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/network/play"
)

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
		wide := 24 + 8*letters
		if d.box.wide() > phoneWide { // on a phone its letters are larger
			wide += 1.6 * letters
		}
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
