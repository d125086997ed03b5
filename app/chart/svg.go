package chart

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
// Drawing.Cursor, translate(px 0) or translate(0 px), and shown by removing visibility or by the class "reading" on the svg.
func (d Drawing) SVG() string {
	l := d.l
	w := &pen{b: make([]byte, 0, 8192)}
	l.open(w)
	switch {
	case l.why != "":
		l.drawEmpty(w)
	case l.rowH > 0:
		l.drawRows(w)
	default:
		l.drawPlot(w)
	}
	return string(w.s("</svg>").b)
}

// open writes the root element with its accessible name and description.
func (l *layout) open(w *pen) {
	p, id := l.p, ident(l.p.ID)
	axis := "x"
	if l.rowH > 0 {
		axis = "y"
	}
	w.s(`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 `).n(width).s(" ").n(l.height)
	w.s(`"`).attr("width", width).attr("height", l.height)
	w.s(` role="img" aria-labelledby="`, id, `-t `, id, `-d" data-plot="`).text(p.ID).s(`" data-axis="`, axis, `"`)
	w.attr("data-x0", l.area.x0).attr("data-x1", l.area.x1).attr("data-y0", l.area.y0).attr("data-y1", l.area.y1)
	w.s(` font-size="15" font-family="sans-serif" fill="currentColor">`, "\n")
	w.s(`<title id="`, id, `-t">`).text(p.title()).s("</title>\n")
	w.s(`<desc id="`, id, `-d">`).text(l.describe()).s("</desc>\n")
}

// drawEmpty says in the frame why there is nothing in it.
func (l *layout) drawEmpty(w *pen) {
	w.rect(`class="frame" fill="none"`, l.area).s("\n")
	lines := wrap(upper(l.why)+".", (l.area.x1-l.area.x0-16)/em)
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
	l.drawRegions(w)
	l.drawAxes(w)
	for _, st := range l.stems {
		w.s(`<path class="stem `, st.class, `" stroke="currentColor" d="`).move(pt{st.x, st.y0}).s("V").n(l.area.y1).s("\"/>\n")
	}
	for i := len(l.curves) - 1; i >= 0; i-- { // the first is drawn last: on top
		l.drawCurve(w, i)
	}
	l.drawPoints(w)
	l.drawLegend(w)
	for _, t := range l.texts {
		w.label(t)
	}
	l.drawCursor(w)
}

// drawRegions hatches the regions, each in its own way.
func (l *layout) drawRegions(w *pen) {
	id := ident(l.p.ID)
	if len(l.p.Regions) > 0 {
		w.s("<defs>")
		for i := range min(len(l.p.Regions), len(hatches)) {
			w.s(`<pattern id="`, id, `-h`, itoa(i+1), `" class="hatch" patternUnits="userSpaceOnUse" `, hatches[i], `</pattern>`)
		}
		w.s("</defs>\n")
	}
	for i, r := range l.p.Regions {
		if b := l.band(r); b.x1 > b.x0 {
			w.rect(hatched(id, i), b).s("\n")
		}
	}
}

// hatches are the fills of regions: lines rising, dots, lines falling, lines across.
var hatches = [4]string{
	`width="9" height="9" patternTransform="rotate(45)"><path d="M4.5 0v9" stroke="currentColor"/>`,
	`width="10" height="10"><circle cx="2.5" cy="2.5" r=".9"/><circle cx="7.5" cy="7.5" r=".9"/>`,
	`width="9" height="9" patternTransform="rotate(-45)"><path d="M4.5 0v9" stroke="currentColor"/>`,
	`width="9" height="9"><path d="M0 4.5h9" stroke="currentColor"/>`,
}

func hatched(id string, i int) string {
	n := itoa(i%len(hatches) + 1)
	return `class="region r` + n + `" fill="url(#` + id + `-h` + n + `)"`
}

// drawAxes draws the grid, the frame's two sides, the ticks and their labels.
func (l *layout) drawAxes(w *pen) {
	a := l.area
	w.s(`<path class="net" fill="none" stroke="currentColor" stroke-opacity=".2" d="`)
	for _, t := range l.xt.major {
		if x := l.x.pos(t.v); x > a.x0+0.5 {
			w.move(pt{x, a.y1}).s("V").n(a.y0)
		}
	}
	for _, t := range l.yt.major {
		if y := l.y.pos(t.v); y < a.y1-0.5 {
			w.move(pt{a.x0, y}).s("H").n(a.x1)
		}
	}
	w.s("\"/>\n", `<path class="axis" fill="none" stroke="currentColor" d="`)
	w.move(pt{a.x0, a.y0}).s("V").n(a.y1).s("H").n(a.x1)
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
	w.strokes(majorX, 0, 40).strokes(minorX, 0, 25).strokes(majorY, -40, 0).strokes(minorY, -25, 0).s("\"/>\n")
	l.drawTickLabels(w)
}

// drawTickLabels writes the labels of both axes, in groups that carry what they have in common.
func (l *layout) drawTickLabels(w *pen) {
	w.s(`<g class="ticks" text-anchor="middle">`)
	for _, t := range l.xt.major {
		w.tickLabel(l.xLabel(t))
	}
	w.s("</g>\n", `<g class="ticks" text-anchor="end">`)
	for _, t := range l.yt.major {
		w.tickLabel(l.yLabel(t))
	}
	w.s("</g>\n")
}

func (w *pen) tickLabel(t text) {
	w.s("<text").attr("x", t.x).attr("y", t.y).s(` dy=".35em">`).text(t.s).s("</text>")
}

func (l *layout) drawCurve(w *pen, i int) {
	c := &l.curves[i]
	if len(c.runs) > 0 {
		w.s(`<path class="line `, series(i), `" fill="none" stroke="currentColor" stroke-width="2" d="`)
		for _, run := range c.runs {
			w.poly(run)
		}
		w.s("\"/>\n")
	}
	w.markers(i, l.markers(i))
}

// drawPoints draws the marked points, and the dots where the current place meets the curves.
func (l *layout) drawPoints(w *pen) {
	if x, ok := l.current(); ok {
		for i, v := range l.read(x).Values {
			if finite(v.At) {
				w.s(`<circle class="dot `, series(i), `"`).attr("cx", l.x.pos(x)).attr("cy", v.At).s(` r="4.5"/>`, "\n")
			}
		}
	}
	for _, i := range l.points {
		p := l.point(i)
		w.s(`<circle class="ring" fill="none" stroke="currentColor"`).attr("cx", p.x).attr("cy", p.y).s(` r="5"/>`, "\n")
	}
}

// drawLegend draws a piece of each curve, or of each hatching, before its name.
func (l *layout) drawLegend(w *pen) {
	for _, e := range l.legend {
		wide := l.sample(&e)
		mid := pt{e.x + wide/2, e.y}
		class := "entry"
		switch {
		case e.series >= 0:
			class = "name " + series(e.series)
			if l.lined(e.series) {
				w.s(`<path class="line `, series(e.series), `" fill="none" stroke="currentColor" stroke-width="2" d="`)
				w.move(pt{e.x, e.y}).s("h").n(wide).s("\"/>")
			}
			w.markers(e.series, []pt{mid})
		case e.region:
			w.rect(hatched(ident(l.p.ID), e.index), box{e.x, e.y - 6, e.x + wide, e.y + 6})
			w.rect(`class="frame" fill="none"`, box{e.x, e.y - 6, e.x + wide, e.y + 6}).s("\n")
		default:
			w.label(text{"entry", e.sign, mid.x, e.y, middle})
		}
		w.label(text{class, e.s, e.x + wide + gap, e.y, start})
	}
}

// drawCursor leaves a cursor for live code to move.
func (l *layout) drawCursor(w *pen) {
	w.s(`<g class="cursor" visibility="hidden" transform="translate(0)"><path stroke="currentColor" d="`)
	along, fixed := ` cx="0" cy="`, l.area.y1
	if l.rowH > 0 {
		along, fixed = ` cy="0" cx="`, l.area.x0
		w.move(pt{l.area.x0, 0}).s("H").n(l.area.x1)
	} else {
		w.move(pt{0, l.area.y0}).s("V").n(l.area.y1)
	}
	w.s(`"/>`)
	for i := range l.p.Series {
		w.s(`<circle class="dot `, series(i), `"`, along).n(fixed).s(`" r="4.5"/>`)
	}
	w.s("</g>\n")
}
