package collectives

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
)

// chip is a box and what is in it.
func (d *sketch) chip(chip int) {
	at := d.at[chip]
	left, top := at.x-d.w/2, at.y-d.h/2
	d.rect("boxes", left, top, d.w, d.h)
	if d.cols == 0 {
		d.level(left, top, chip)
		return
	}
	d.name(chip, left, top)
	d.cells(left+2, top+2, d.hold[chip].slots)
}

// name writes the number of a chip where no message passes: in a ring on the outside, else over its left corner.
func (d *sketch) name(chip int, left, top float64) {
	at, text := d.at[chip], strconv.Itoa(chip)
	if d.p.x.net != ring || len(d.at) < 2 {
		d.say("small head", left+1, top-4, text)
		return
	}
	switch {
	case math.Abs(at.x) > math.Abs(at.y)*1.3 && at.x > 0:
		d.say("small head", at.x+d.w/2+6, at.y+5, text)
	case math.Abs(at.x) > math.Abs(at.y)*1.3:
		d.say("small head end", at.x-d.w/2-6, at.y+5, text)
	case at.y > 0:
		d.say("small head mid", at.x, at.y+d.h/2+15, text)
	default:
		d.say("small head mid", at.x, top-5, text)
	}
}

// level is the bar of a chip whose pieces are too many.
func (d *sketch) level(left, top float64, chip int) {
	have, came := 0.0, false
	slots := d.hold[chip].slots
	switch {
	case d.exchange():
		slots = slots[len(slots)/2:]
	case d.p.owning(d.k) && len(slots) == d.p.s.Chips:
		slots = slots[chip : chip+1]
	}
	for _, s := range slots {
		have += s.share / float64(len(slots))
		came = came || s.came
	}
	class := "have"
	if came {
		class = "came"
	}
	d.seen[class] = true
	d.rect(class, left, top+d.h*(1-have), d.w, d.h*have)
}

func (d *sketch) cells(left, top float64, slots []slot) {
	for i, s := range slots {
		x, y := left+float64(i%d.cols)*d.cell, top+float64(i/d.cols)*d.cell
		d.one(x+1, y+1, d.cell-2, s)
		if d.cell >= 24 || d.cell >= 15 && len(slots) <= 10 {
			d.say("piece mid", x+d.cell/2, y+d.cell/2+4.5, number(s.name))
		}
	}
}

// number is the name of a piece without its direction.
func number(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// one is a cell.
func (d *sketch) one(x, y, size float64, s slot) {
	fill, edge := "have", "edge"
	if s.came {
		fill, edge = "came", "new"
	}
	switch {
	case s.gone:
		d.rect("lack", x, y, size, size)
		d.stroke("gone", point{x, y + size}, point{x + size, y})
		d.seen["gone"] = true
		return
	case s.share == 0:
		d.rect("lack", x, y, size, size)
		d.seen["lack"] = true
		return
	}
	high := size * math.Max(0.15, s.share)
	d.rect(fill, x, y+size-high, size, high)
	d.rect(edge, x, y, size, size)
	d.seen[fill] = true
	if !s.whole() {
		d.seen["part"] = true
	} else if s.sum {
		d.path("sum").WriteString("M" + num(x+size-3) + " " + num(y+3) + "h0")
		d.seen["sum"] = true
	}
}

// legend says what the cells mean, as far as they occur.
func (d *sketch) legend() {
	whole, part := "held", "a part of it"
	if d.cols == 0 {
		whole = "as far as it has got"
	}
	if d.p.owning(d.k) || d.p.x.adds {
		part = "some parts added"
	}
	x, y := d.box[0], d.box[3]+16
	right := x
	for _, item := range []struct{ key, word string }{{"have", whole}, {"came", "arrives now"}, {"part", part}, {"sum", "complete sum"}, {"gone", "passed on"}, {"lack", "lacking"}} {
		if !d.seen[item.key] || item.key == "have" && d.p.summing() && d.cols > 0 {
			continue
		}
		wide := 24 + 8*float64(len(item.word))
		if large := d.box[2]-d.box[0] > small; large { // on a phone its letters are larger
			wide += 1.6 * float64(len(item.word))
		}
		if x+wide > math.Max(d.box[0]+280, d.box[2]+20) {
			x, y = d.box[0], y+20
		}
		d.key(item.key, x, y)
		d.text.WriteString(`<text class="small" x="` + num(x+18) + `" y="` + num(y+11) + `">` + item.word + `</text>`)
		x += wide
		right = math.Max(right, x-8)
	}
	d.grow(right, y+16)
}

// key is a cell of the legend.
func (d *sketch) key(key string, x, y float64) {
	if d.cols == 0 {
		d.rect(key, x, y, 13, 13)
		return
	}
	s := slot{share: 1, came: key == "came", sum: key == "sum", gone: key == "gone"}
	switch key {
	case "part":
		s.share = 0.4
	case "lack":
		s.share = 0
	}
	d.one(x, y, 13, s)
}

// owning says whether in a step each chip waits for the sum of its own piece.
func (p *play) owning(k int) bool {
	return p.x.c.Op == network.ReduceScatter || p.x.c.Op == network.AllReduce && k < p.half
}

// summing says whether parts are added up.
func (p *play) summing() bool {
	return p.x.c.Op == network.ReduceScatter || p.x.c.Op == network.AllReduce
}
