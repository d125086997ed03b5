package chart

import "github.com/scalebook/scalebook/app/markup"

// drawGuess draws the reader's estimate as a line across the plot area. It takes no room from anything, so that the
// plot stays where it is while the reader moves it.
func (l *layout) drawGuess(w *pen) {
	g, a := l.p.Guess, l.area
	switch {
	case g == nil:
	case l.p.Sketch != nil:
		l.drawSketch(w)
	case g.Kind == Vertical && l.x.has(g.X):
		t := text{"guess", g.Label, l.x.pos(g.X) + gap, a.y0 + line, start}
		if t.box().x1 > a.x1 {
			t.x, t.at = t.x-2*gap, end
		}
		w.guessLine(l.x.pos(g.X), a.y0).Put("V").Number(a.y1).Put("\"/>\n")
		w.label(t)
	case g.Kind == Point && l.y.has(g.Y):
		t := text{"guess", g.Label, a.x0 + gap, l.y.pos(g.Y) - line/2, start}
		if t.box().y0 < a.y0 {
			t.y += line
		}
		w.guessLine(a.x0, l.y.pos(g.Y)).Put("H").Number(a.x1).Put("\"/>\n")
		w.label(t)
	}
}

// drawSketch draws the curve that the reader expects, with a handle at each of its points and the words at its end, on
// the side where it doesn't run.
func (l *layout) drawSketch(w *pen) {
	s := l.p.Sketch
	points := make([]pt, len(s.X))
	for i, x := range s.X {
		points[i] = l.inside(x, s.Y[i])
	}
	w.Put(`<path class="guess" fill="none" stroke="currentColor" d="`)
	w.poly(points).Put("\"/>\n")
	w.Put(`<g class="guess">`)
	for _, p := range points {
		w.Put(`<circle r="5"`).Attr("cx", p.x).Attr("cy", p.y).Put("/>")
	}
	w.Put("</g>\n")
	last, before := points[len(points)-1], points[len(points)-2]
	t := text{"guess", l.p.Guess.Label, last.x, last.y - line, end}
	if before.y < last.y && last.y+line < l.area.y1 || t.box().y0 < l.area.y0 {
		t.y = last.y + line
	}
	w.label(t)
}

// sketched is what the reader expects at x, in words.
func (l *layout) sketched(x float64) string {
	if y := l.p.Sketch.valueAt(x, l.x.log, l.y.log); finite(y) {
		return l.p.Y.format(y)
	}
	return l.say("chart.no-value")
}

// inside is where a place stands, or the nearest of the plot area.
func (l *layout) inside(x, y float64) pt {
	return pt{clamp(l.x.pos(x), l.area.x0, l.area.x1), clamp(l.y.pos(y), l.area.y0, l.area.y1)}
}

func (w *pen) guessLine(x, y float64) *markup.Pen {
	return w.Put(`<path class="guess" fill="none" stroke="currentColor" d="`).Move(x, y)
}

// On is the value of a curve at x as it would be drawn in this plot: straight on its axes between two points.
func (d Drawing) On(s *Series, x float64) float64 { return s.valueAt(x, d.l.x.log, d.l.y.log) }

// At are the values of both axes at a place in the viewBox, or the nearest of the plot area.
func (d Drawing) At(x, y float64) (float64, float64) {
	a := d.l.area
	return d.l.x.valueAt((x - a.x0) / (a.x1 - a.x0)), d.l.y.valueAt((a.y1 - y) / (a.y1 - a.y0))
}

// Share is how far up the y axis a value stands: 0 at its foot, 1 at its head.
func (d Drawing) Share(y float64) float64 {
	if !d.l.y.ok(y) {
		return 0
	}
	return clamp(d.l.y.fraction(y), 0, 1)
}

// YAt is the value at a fraction of the y axis.
func (d Drawing) YAt(fraction float64) float64 { return d.l.y.valueAt(fraction) }
