package chart

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/markup"
)

// SVG draws the plot. The root has the classes and attributes that live code relies on:
//
//	<svg class="chart" role="img" data-plot="ID" data-axis="x" data-x0 data-x1 data-y0 data-y1 viewBox="0 0 440 320">
//	  ...
//	  <g class="cursor" visibility="hidden" transform="translate(0)">
//	    <path/>                      the readout's line
//	    <circle class="dot s1"/>...  one for each series, in order; its cy (cx, if data-axis is "y") is SeriesReading.At
//
// data-x0..data-y1 are the plot area in units of the viewBox; data-axis is the direction along which a reader moves
// through x: "y" for a categorical axis, whose rows lie under each other. The cursor is moved by its transform to
// Drawing.Cursor, translate(px 0) or translate(0 px), and shown by removing visibility or by the class "reading" on the
// svg.
func (d Drawing) SVG() string {
	l := d.l
	w := &pen{}
	l.open(w)
	switch {
	case l.why != nil:
		l.drawEmpty(w)
	case l.rowH > 0:
		l.drawRows(w)
	default:
		l.drawPlot(w)
	}
	return w.Put("</svg>").String()
}

// open writes the root element with its accessible name and description.
func (l *layout) open(w *pen) {
	p, id := l.p, ident(l.p.ID)
	axis := "x"
	if l.rowH > 0 {
		axis = "y"
	}
	w.Put(`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 `).Number(width).Put(" ").Number(l.height)
	w.Put(`"`).Attr("width", width).Attr("height", l.height)
	w.Put(` role="img" aria-labelledby="`, id, `-t `, id, `-d" data-plot="`).Escaped(p.ID).Put(`" data-axis="`, axis,
		`"`)
	w.Attr("data-x0", l.area.x0).Attr("data-x1", l.area.x1).Attr("data-y0", l.area.y0).Attr("data-y1", l.area.y1)
	w.Put(` font-size="15" font-family="sans-serif" fill="currentColor">`, "\n")
	w.Put(`<title id="`, id, `-t">`).Escaped(p.title()).Put("</title>\n")
	w.Put(`<desc id="`, id, `-d">`).Escaped(l.describe()).Put("</desc>\n")
}

// drawEmpty says in the frame why there is nothing in it.
func (l *layout) drawEmpty(w *pen) {
	w.rect(`class="frame" fill="none"`, l.area).Put("\n")
	lines := wrap(upper(l.say("chart.summary", "said", l.why)), (l.area.x1-l.area.x0-16)/em)
	mid := pt{(l.area.x0 + l.area.x1) / 2, (l.area.y0 + l.area.y1) / 2}
	for i, s := range lines {
		y := mid.y + float64((float64(i)-float64(len(lines)-1)/2)*line)
		w.label(text{"empty", s, mid.x, y, middle})
	}
	for _, t := range l.texts {
		w.label(t)
	}
}

func (l *layout) drawPlot(w *pen) {
	l.drawAxes(w)
	for _, st := range l.stems {
		w.Put(`<path class="stem `, st.class, `" stroke="currentColor" d="`).
			Move(st.x, st.y0).
			Put("V").
			Number(l.area.y1).
			Put("\"/>\n")
	}
	for _, main := range [...]bool{true, false} {
		for i := len(l.curves) - 1; i >= 0; i-- { // the first is drawn last: on top
			if l.p.Series[i].Main == main {
				l.drawCurve(w, i)
			}
		}
	}
	for _, x := range l.leaders {
		w.Put(`<path class="leader `, x.class, `" fill="none" stroke="currentColor" d="`)
		w.poly([]pt{x.from, x.to}).Put("\"/>\n")
	}
	l.drawPoints(w)
	l.drawGuess(w)
	l.drawLegend(w)
	for _, t := range l.texts {
		w.label(t)
	}
	l.drawCursor(w)
}

// drawAxes draws the grid, the frame's two sides, the ticks and their labels.
func (l *layout) drawAxes(w *pen) {
	a := l.area
	w.Put(`<path class="net" fill="none" stroke="currentColor" stroke-opacity=".2" d="`)
	for _, t := range l.xt.major {
		if x := l.x.pos(t.v); x > a.x0+0.5 {
			w.Move(x, a.y1).Put("V").Number(a.y0)
		}
	}
	for _, t := range l.yt.major {
		if y := l.y.pos(t.v); y < a.y1-0.5 {
			w.Move(a.x0, y).Put("H").Number(a.x1)
		}
	}
	w.Put("\"/>\n", `<path class="axis" fill="none" stroke="currentColor" d="`)
	w.Move(a.x0, a.y0).Put("V").Number(a.y1).Put("H").Number(a.x1)
	var majorX, minorX, majorY, minorY []pt
	for _, t := range l.xt.major {
		majorX = append(majorX, pt{l.x.pos(t.v), a.y1})
	}
	for _, v := range l.xt.minor {
		minorX = append(minorX, pt{l.x.pos(v), a.y1})
	}
	for _, t := range l.yt.major {
		majorY = append(majorY, pt{a.x0, l.y.pos(t.v)})
	}
	for _, v := range l.yt.minor {
		minorY = append(minorY, pt{a.x0, l.y.pos(v)})
	}
	w.strokes(majorX, 0, 40).strokes(minorX, 0, 25).strokes(majorY, -40, 0).strokes(minorY, -25, 0).Put("\"/>\n")
	l.drawTickLabels(w)
}

// drawTickLabels writes the labels of both axes, in groups that carry what they have in common.
func (l *layout) drawTickLabels(w *pen) {
	w.Put(`<g class="ticks" text-anchor="middle">`)
	for _, t := range l.xt.major {
		w.tickLabel(l.xLabel(t))
	}
	w.Put("</g>\n", `<g class="ticks" text-anchor="end">`)
	for _, t := range l.yt.major {
		w.tickLabel(l.yLabel(t))
	}
	w.Put("</g>\n")
}

func (w *pen) tickLabel(t text) {
	w.Put("<text").Attr("x", t.x).Attr("y", t.y).Put(` dy=".35em">`).Escaped(t.s).Put("</text>")
}

func (l *layout) drawCurve(w *pen, i int) {
	c := &l.curves[i]
	if len(c.runs) > 0 {
		w.Put(`<path class="line `, l.series(i), `" fill="none" stroke="currentColor" stroke-width="2" d="`)
		for _, run := range c.runs {
			w.poly(run)
		}
		w.Put("\"/>\n")
	}
	w.markers(i, l.markers(i))
}

// drawPoints draws the marked points, and the dots where the current place meets the curves.
func (l *layout) drawPoints(w *pen) {
	if x, ok := l.current(); ok {
		for i, v := range l.read(x).Values {
			if finite(v.At) {
				w.Put(`<circle class="dot `, series(i), `"`).Attr("cx", l.x.pos(x)).Attr("cy", v.At).Put(` r="4.5"/>`,
					"\n")
			}
		}
	}
	for _, i := range l.points {
		if slices.Contains(l.mute, i) {
			continue
		}
		p := l.point(i)
		w.Put(`<circle class="`, l.pointClass("ring", i), `" fill="none" stroke="currentColor"`).
			Attr("cx", p.x).Attr("cy", p.y).Put(` r="5"/>`, "\n")
	}
}

// drawLegend draws a piece of each curve before its name.
func (l *layout) drawLegend(w *pen) {
	for _, e := range l.legend {
		wide := l.sample(&e)
		if l.lined(e.series) {
			w.Put(`<path class="line `, l.series(e.series), `" fill="none" stroke="currentColor" stroke-width="2" d="`)
			w.Move(e.x, e.y).Put("h").Number(wide).Put("\"/>")
		} else {
			w.markers(e.series, []pt{{e.x + wide/2, e.y}})
		}
		w.label(text{"name " + series(e.series), e.s, e.x + wide + gap, e.y, start})
	}
}

// drawCursor leaves a cursor for live code to move.
func (l *layout) drawCursor(w *pen) {
	w.Put(`<g class="cursor" visibility="hidden" transform="translate(0)"><path stroke="currentColor" d="`)
	along, fixed := ` cx="0" cy="`, l.area.y1
	if l.rowH > 0 {
		along, fixed = ` cy="0" cx="`, l.area.x0
		w.Move(l.area.x0, 0).Put("H").Number(l.area.x1)
	} else {
		w.Move(0, l.area.y0).Put("V").Number(l.area.y1)
	}
	w.Put(`"/>`)
	for i := range l.p.Series {
		w.Put(`<circle class="dot `, series(i), `"`, along).Number(fixed).Put(`" r="4.5"/>`)
	}
	w.Put("</g>\n")
}

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

// curve is a series in the viewBox: what is visible of it.
type curve struct {
	runs    [][]pt // unbroken lines of at least two points
	dots    []pt   // values that stand alone
	data    int    // how many values were drawn
	forward bool   // its points never go back to the left, so that they can be searched
}

// project puts a series into the plot area.
func (l *layout) project(s *Series) curve {
	c := curve{forward: slices.IsSorted(s.X)}
	t := tracer{c: &c, area: l.area}
	for i := range min(len(s.X), len(s.Y)) {
		if !l.x.ok(s.X[i]) || !l.y.ok(s.Y[i]) {
			t.lift()
			continue
		}
		c.data++
		t.to(pt{l.x.pos(s.X[i]), l.y.pos(s.Y[i])})
		if s.Dots {
			t.lift()
		}
	}
	t.lift()
	return c
}

// tracer draws a curve's lines from value to value, within the plot area.
type tracer struct {
	c    *curve
	area box
	run  []pt // the visible line so far
	prev pt   // the last value
	n    int  // the values since the pen was last lifted
}

// to draws on to p.
func (t *tracer) to(p pt) {
	if t.n > 0 {
		a, b, ok := t.area.clip(t.prev, p)
		if !ok || len(t.run) > 0 && t.run[len(t.run)-1] != a {
			t.flush()
		}
		if ok && len(t.run) == 0 {
			t.run = append(t.run, a)
		}
		if ok {
			t.run = append(t.run, b)
		}
	}
	t.prev = p
	t.n++
}

// lift ends the line; a value without neighbours becomes a dot.
func (t *tracer) lift() {
	if t.n == 1 && t.area.contains(t.prev) {
		t.c.dots = append(t.c.dots, t.prev)
	}
	t.flush()
	t.n = 0
}

func (t *tracer) flush() {
	if len(t.run) > 1 {
		t.c.runs = append(t.c.runs, simplify(t.run))
	}
	t.run = nil
}

// tolerance is how far a drawn line may stray from the data: less than the eye can see.
const tolerance = 0.1

// simplify drops the points of a run that lie on the line between the others, in one pass: from the last point that was
// kept it looks along the cone that leads past every dropped point within the tolerance.
func simplify(run []pt) []pt {
	kept := []pt{run[0]}
	from := run[0]
	var left, right pt // the sides of the cone, as directions
	open, reach := false, 0.0
	for i := 1; i < len(run); i++ {
		d := pt{run[i].x - from.x, run[i].y - from.y}
		size := length(d)
		if open && (cross(right, d) < 0 || cross(left, d) > 0 || size < reach-tolerance) {
			from = run[i-1]
			kept = append(kept, from)
			d = pt{run[i].x - from.x, run[i].y - from.y}
			size = length(d)
			open, reach = false, 0
		}
		reach = max(reach, size)
		if size <= tolerance {
			continue
		}
		n := pt{-float64(d.y*tolerance) / size, float64(d.x*tolerance) / size}
		r, q := pt{d.x - n.x, d.y - n.y}, pt{d.x + n.x, d.y + n.y}
		if !open || cross(right, r) > 0 {
			right = r
		}
		if !open || cross(left, q) < 0 {
			left = q
		}
		open = true
	}
	return append(kept, run[len(run)-1])
}

func length(d pt) float64 { return math.Sqrt(float64(d.x*d.x) + float64(d.y*d.y)) }

// cross is positive if b points to the left of a (with y upward).
func cross(a, b pt) float64 { return float64(a.x*b.y) - float64(a.y*b.x) }

// meet says whether the lines p..q and a..b have a point in common.
func meet(p, q, a, b pt) bool {
	d, e := pt{q.x - p.x, q.y - p.y}, pt{b.x - a.x, b.y - a.y}
	return cross(d, pt{a.x - p.x, a.y - p.y})*cross(d, pt{b.x - p.x, b.y - p.y}) <= 0 &&
		cross(e, pt{p.x - a.x, p.y - a.y})*cross(e, pt{q.x - a.x, q.y - a.y}) <= 0 &&
		max(a.x, b.x) >= min(p.x, q.x) && min(a.x, b.x) <= max(p.x, q.x)
}

// from is the index of the end of the first piece of a run that may reach x or lie right of it.
func (c *curve) from(run []pt, x float64) int {
	if !c.forward {
		return 1
	}
	i, _ := slices.BinarySearchFunc(run, x, func(p pt, x float64) int { return order(p.x, x) })
	return max(i, 1)
}

// yAt is the curve's y where it passes x.
func (c *curve) yAt(x float64) (float64, bool) {
	for _, run := range c.runs {
		for i := c.from(run, x); i < len(run); i++ {
			p, q := run[i-1], run[i]
			if x >= min(p.x, q.x) && x <= max(p.x, q.x) && p.x != q.x {
				return p.y + float64((x-p.x)/(q.x-p.x)*(q.y-p.y)), true
			}
		}
	}
	return 0, false
}

// lastPoint is the last point of the curve, from left to right as given.
func (c *curve) lastPoint() (pt, bool) {
	if len(c.runs) == 0 {
		return pt{}, false
	}
	run := c.runs[len(c.runs)-1]
	return run[len(run)-1], true
}

// meets says whether the curve touches b.
func (c *curve) meets(b box) bool {
	for _, run := range c.runs {
		for i := c.from(run, b.x0); i < len(run); i++ {
			p, q := run[i-1], run[i]
			if c.forward && p.x > b.x1 {
				break
			}
			if max(p.x, q.x) < b.x0 || min(p.x, q.x) > b.x1 || max(p.y, q.y) < b.y0 || min(p.y, q.y) > b.y1 {
				continue
			}
			if _, _, ok := b.clip(p, q); ok {
				return true
			}
		}
	}
	for _, p := range c.dots {
		if b.grow(3).contains(p) {
			return true
		}
	}
	return false
}

// crosses says whether the curve crosses the line p..q.
func (c *curve) crosses(p, q pt) bool {
	if q.x < p.x {
		p, q = q, p
	}
	for _, run := range c.runs {
		for i := c.from(run, p.x); i < len(run); i++ {
			a, b := run[i-1], run[i]
			if c.forward && a.x > q.x {
				break
			}
			if meet(p, q, a, b) {
				return true
			}
		}
	}
	return false
}

// fewValues is up to how many values a curve shows each of them with a marker.
const fewValues = 12

// markers are the places of the curve's markers: its values if they are few. A curve of many has none, as a mark on a
// smooth line looks like a measurement: dashes and names tell curves apart.
func (l *layout) markers(i int) []pt {
	c := &l.curves[i]
	at := append([]pt(nil), c.dots...)
	s := &l.p.Series[i]
	if !s.Dots && c.data > 3 && c.data <= fewValues {
		s.each(func(x, y float64) {
			if l.x.ok(x) && l.y.ok(y) {
				if p := (pt{l.x.pos(x), l.y.pos(y)}); l.area.contains(p) && len(c.runs) > 0 {
					at = append(at, p)
				}
			}
		})
	}
	return at
}
