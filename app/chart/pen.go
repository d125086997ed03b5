package chart

import "github.com/scalebook/scalebook/app/markup"

// pen writes the SVG of plots.
type pen struct{ markup.Pen }

// poly writes a broken line, each point relative to the last in whole tenths, so that no error adds up.
func (w *pen) poly(run []pt) *pen {
	w.Move(run[0].x, run[0].y)
	x, y := markup.Tenths(run[0].x), markup.Tenths(run[0].y)
	command := "l"
	for _, p := range run[1:] {
		nx, ny := markup.Tenths(p.x), markup.Tenths(p.y)
		if nx == x && ny == y {
			continue
		}
		if command == "" && nx >= x {
			w.Put(" ")
		}
		w.Put(command).Tenths(nx - x)
		if ny >= y {
			w.Put(" ")
		}
		w.Tenths(ny - y)
		x, y, command = nx, ny, ""
	}
	if command != "" { // all in one place: a line of no length, which a round cap still shows
		w.Put("h0")
	}
	return w
}

// strokes writes short lines, all by dx or dy tenths, one from each place. They begin relative to where the last ended:
// the steps between ticks repeat themselves, and what repeats itself compresses.
func (w *pen) strokes(places []pt, dx, dy int) *pen {
	x, y := 0, 0
	for i, p := range places {
		nx, ny := markup.Tenths(p.x), markup.Tenths(p.y)
		if i == 0 {
			w.Move(p.x, p.y)
		} else {
			w.Put("m").Tenths(nx - x)
			if ny >= y {
				w.Put(" ")
			}
			w.Tenths(ny - y)
		}
		if dx != 0 {
			w.Put("h").Tenths(dx)
		} else {
			w.Put("v").Tenths(dy)
		}
		x, y = nx+dx, ny+dy
	}
	return w
}

// rect writes a rectangle with attributes that are as they are.
func (w *pen) rect(attributes string, b box) *markup.Pen {
	return w.Rect(attributes, b.x0, b.y0, b.x1-b.x0, b.y1-b.y0)
}

// label writes a text element.
func (w *pen) label(t text) {
	w.Put(`<text class="`, t.class, `"`).Attr("x", t.x).Attr("y", t.y).Put(` dy=".35em"`)
	w.Put([...]string{"", ` text-anchor="middle"`, ` text-anchor="end"`}[t.at], ">")
	w.Escaped(t.s).Put("</text>\n")
}

// shapes are the markers of the six series, as paths around their place: about 8 units wide and of the same weight.
var shapes = [6]string{
	"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",                // a disc
	"m-3.2-3.2h6.4v6.4h-6.4z",                                     // a square
	"m0-4.4l4.4 7.4h-8.8z",                                        // a triangle
	"m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z",                           // a diamond
	"m0 4.4l4.4-7.4h-8.8z",                                        // a triangle on its tip
	"m-1.3-4.2h2.6v2.9h2.9v2.6h-2.9v2.9h-2.6v-2.9h-2.9v-2.6h2.9z", // a cross
}

// markers writes the markers of the i-th series.
func (w *pen) markers(i int, at []pt) {
	if len(at) == 0 {
		return
	}
	w.Put(`<path class="marker `, series(i), `" d="`)
	for _, p := range at {
		w.Move(p.x, p.y).Put(shapes[i%6])
	}
	w.Put("\"/>\n")
}
