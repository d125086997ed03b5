package chart

import (
	"strings"
)

// The measures of a drawing, in units of the viewBox.
const (
	width  = 440.0
	height = 320.0 // of a plot over numbers; constant, so that the page does not move when the data do
	em     = 15.0  // the largest text the style sheet sets
	line   = 18.0  // from one line of text to the next
	gap    = 6.0   // between texts that stand side by side
	edge   = 2.0   // kept free along the viewBox
)

// pt is a place in the viewBox.
type pt struct{ x, y float64 }

// box is a part of the viewBox.
type box struct{ x0, y0, x1, y1 float64 }

// hits says whether two boxes overlap.
func (b box) hits(c box) bool { return b.x0 < c.x1 && c.x0 < b.x1 && b.y0 < c.y1 && c.y0 < b.y1 }

// inside says whether b lies in c.
func (b box) inside(c box) bool { return b.x0 >= c.x0 && b.x1 <= c.x1 && b.y0 >= c.y0 && b.y1 <= c.y1 }

// grow is b with a border of d.
func (b box) grow(d float64) box { return box{b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d} }

func (b box) has(p pt) bool { return p.x >= b.x0 && p.x <= b.x1 && p.y >= b.y0 && p.y <= b.y1 }

// clip is the part of the line p..q that lies in b (Liang and Barsky), if any does.
func (b box) clip(p, q pt) (pt, pt, bool) {
	dx, dy := q.x-p.x, q.y-p.y
	t0, t1 := 0.0, 1.0
	for _, side := range [4][2]float64{{-dx, p.x - b.x0}, {dx, b.x1 - p.x}, {-dy, p.y - b.y0}, {dy, b.y1 - p.y}} {
		d, room := side[0], side[1]
		switch {
		case d == 0 && room < 0:
			return p, q, false
		case d < 0:
			t0 = max(t0, room/d)
		case d > 0:
			t1 = min(t1, room/d)
		}
	}
	if t0 > t1 {
		return p, q, false
	}
	a, c := p, q
	if t0 > 0 {
		a = pt{p.x + float64(t0*dx), p.y + float64(t0*dy)}
	}
	if t1 < 1 {
		c = pt{p.x + float64(t1*dx), p.y + float64(t1*dy)}
	}
	return a, c, true
}

// anchor says which part of a text stands at its x.
type anchor int8

const (
	start anchor = iota
	middle
	end
)

// bold is how much wider bold letters are: the style sheet sets the current place and its values in bold.
const bold = 1.13

// text is a line of text; y is the middle of its letters.
type text struct {
	class string
	s     string
	x, y  float64
	at    anchor
}

// box is the room that the text needs at its largest.
func (t text) box() box {
	w := float64(textWidth(t.s) * em)
	if strings.HasPrefix(t.class, "now") || strings.HasPrefix(t.class, "value") {
		w = float64(w * bold)
	}
	x := t.x - float64(w*[...]float64{0, 0.5, 1}[t.at])
	return box{x, t.y - 0.55*em, x + w, t.y + 0.55*em}
}
