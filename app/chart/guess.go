package chart

// drawGuess draws the reader's estimate: a line across the plot area, or a curve with a handle at each of its points.
// It takes no room from anything, so that the plot stays where it is while the reader moves it.
func (l *layout) drawGuess(w *pen) {
	g := l.p.Guess
	if g == nil || l.p.Sketch == nil && !(g.Kind == Vertical && l.x.has(g.X) || g.Kind == Point && l.y.has(g.Y)) {
		return
	}
	across, t := l.guess(g)
	w.Put(`<path class="guess" fill="none" stroke="currentColor" d="`)
	w.poly(across).Put("\"/>\n")
	if l.p.Sketch != nil {
		w.Put(`<g class="guess">`)
		for _, p := range across {
			w.Put(`<circle r="5"`).Attr("cx", p.x).Attr("cy", p.y).Put("/>")
		}
		w.Put("</g>\n")
	}
	w.label(t)
}

// guess is the line of an estimate, with its words on the side where it doesn't run.
func (l *layout) guess(g *Mark) ([]pt, text) {
	a := l.area
	if l.p.Sketch == nil && g.Kind == Vertical {
		t := text{"guess", g.Label, l.x.pos(g.X) + gap, a.y0 + line, start}
		if t.box().x1 > a.x1 {
			t.x, t.at = t.x-2*gap, end
		}
		return []pt{{l.x.pos(g.X), a.y0}, {l.x.pos(g.X), a.y1}}, t
	}
	points := []pt{{a.x0, l.y.pos(g.Y)}, {a.x1, l.y.pos(g.Y)}}
	if s := l.p.Sketch; s != nil {
		points = points[:0]
		for i, x := range s.X {
			points = append(points, l.inside(x, s.Y[i]))
		}
	}
	last, before := points[len(points)-1], points[len(points)-2]
	t := text{"guess", g.Label, last.x, last.y - line, end}
	if before.y < last.y && last.y+line < a.y1 || t.box().y0 < a.y0 {
		t.y = last.y + line
	}
	return points, t
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
