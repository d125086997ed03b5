package chart

import "math"

// pen writes SVG. Coordinates have one decimal: finer than a pixel, and the same text from every machine.
type pen struct{ b []byte }

// s writes parts as they are.
func (w *pen) s(parts ...string) *pen {
	for _, s := range parts {
		w.b = append(w.b, s...)
	}
	return w
}

// text writes s escaped.
func (w *pen) text(s string) *pen { return w.s(escape(s)) }

// tenths is v in tenths of a unit.
func tenths(v float64) int { return int(math.Round(clamp(v, -1e7, 1e7) * 10)) }

// n writes a coordinate.
func (w *pen) n(v float64) *pen { return w.tenths(tenths(v)) }

func (w *pen) tenths(t int) *pen {
	if t < 0 {
		w.b = append(w.b, '-')
		t = -t
	}
	if t >= 10 || t == 0 {
		w.s(itoa(t / 10))
	}
	if t%10 != 0 {
		w.b = append(w.b, '.', byte('0'+t%10))
	}
	return w
}

// attr writes an attribute that is a coordinate.
func (w *pen) attr(name string, v float64) *pen { return w.s(" ", name, `="`).n(v).s(`"`) }

// move writes the beginning of a path.
func (w *pen) move(p pt) *pen { return w.s("M").n(p.x).s(" ").n(p.y) }

// poly writes a broken line, each point relative to the last in whole tenths, so that no error adds up.
func (w *pen) poly(run []pt) *pen {
	w.move(run[0])
	x, y := tenths(run[0].x), tenths(run[0].y)
	command := "l"
	for _, p := range run[1:] {
		nx, ny := tenths(p.x), tenths(p.y)
		if nx == x && ny == y {
			continue
		}
		if command == "" && nx >= x {
			w.s(" ")
		}
		w.s(command).tenths(nx - x)
		if ny >= y {
			w.s(" ")
		}
		w.tenths(ny - y)
		x, y, command = nx, ny, ""
	}
	if command != "" { // all in one place: a line of no length, which a round cap still shows
		w.s("h0")
	}
	return w
}

// strokes writes short lines, all by dx or dy tenths, one from each place. They begin relative to where the last ended:
// the steps between ticks repeat themselves, and what repeats itself compresses.
func (w *pen) strokes(places []pt, dx, dy int) *pen {
	x, y := 0, 0
	for i, p := range places {
		nx, ny := tenths(p.x), tenths(p.y)
		if i == 0 {
			w.move(p)
		} else {
			w.s("m").tenths(nx - x)
			if ny >= y {
				w.s(" ")
			}
			w.tenths(ny - y)
		}
		if dx != 0 {
			w.s("h").tenths(dx)
		} else {
			w.s("v").tenths(dy)
		}
		x, y = nx+dx, ny+dy
	}
	return w
}

// rect writes a rectangle of a class, or of other attributes.
func (w *pen) rect(attrs string, b box) *pen {
	w.s("<rect ", attrs).attr("x", b.x0).attr("y", b.y0)
	return w.attr("width", b.x1-b.x0).attr("height", b.y1-b.y0).s("/>")
}

// label writes a text element.
func (w *pen) label(t text) *pen {
	w.s(`<text class="`, t.class, `"`).attr("x", t.x).attr("y", t.y).s(` dy=".35em"`)
	w.s([...]string{"", ` text-anchor="middle"`, ` text-anchor="end"`}[t.at], ">")
	return w.text(t.s).s("</text>\n")
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
func (w *pen) markers(i int, at []pt) *pen {
	if len(at) == 0 {
		return w
	}
	w.s(`<path class="marker `, series(i), `" d="`)
	for _, p := range at {
		w.move(p).s(shapes[i%6])
	}
	return w.s("\"/>\n")
}
