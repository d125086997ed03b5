package chart

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// A categorical axis is drawn as rows under each other, names left, so that dozens of names fit and can be read. One
// series on a linear axis becomes bars, which begin at zero; anything else becomes dots, since the length of a bar
// means nothing on a logarithmic axis.

const (
	rowHeight = 20.0
	barHeight = 11.0
	maxName   = 0.46 * width // longer names lose what explains them; the text twin has them whole
)

// rows lays out a plot over categories.
func (p *Plot) rows() *layout {
	l := &layout{p: p, rowH: rowHeight, over: p.X.Label, under: p.Y.Label}
	l.bars = len(p.Series) == 1 && !p.Y.Log && !p.Series[0].Dots
	ok := l.valueScale()
	if len(p.Series) > 1 {
		l.names = listed
		l.list()
	}
	top := l.header(l.over)
	bottom := top + float64(float64(len(p.X.Categories))*l.rowH)
	l.height = bottom + 26
	if l.under != "" {
		l.height += line
	}
	left := 0.0
	for _, name := range p.X.Categories {
		left = max(left, float64(textWidth(rowName(name))*em))
	}
	right := width - 14 - l.widestValue()
	l.area = box{left + 12, top, right, bottom}
	l.y.a, l.y.b = l.area.x0, l.area.x1
	l.yt = chooseTicks(l.y, &p.Y, l.valueLabelsFit)
	kept := l.yt.major[:0]
	for _, t := range l.yt.major {
		if b := l.valueLabel(t).box(); b.x0 >= edge && b.x1 <= width-edge {
			kept = append(kept, t)
		}
	}
	l.yt.major = kept
	if !ok {
		l.why = p.whyRows()
	}
	l.under = withUnit(l.p.Phrases, l.under, l.yt.unit)
	l.titles()
	return l
}

// rowName is a name as it stands before its row. What is too long loses what stands in parentheses, then what stands
// behind a comma, and is cut only then.
func rowName(name string) string {
	for _, mark := range []string{" (", ", "} {
		if textWidth(name) > maxName/em {
			name, _, _ = strings.Cut(name, mark)
		}
	}
	return shorten(name, maxName/em)
}

// valueScale is the range of the values; it includes zero if they are drawn as bars.
func (l *layout) valueScale() bool {
	l.y.log = l.p.Y.Log
	var d span
	for i := range l.p.Series {
		for row := range l.p.X.Categories {
			if v := l.p.Series[i].row(row); l.y.ok(v) {
				d.add(v)
			}
		}
	}
	any := d.any
	if lo, hi, ok := l.p.Y.given(); ok {
		l.y.lo, l.y.hi = lo, hi
		return any
	}
	if !any {
		l.y.lo, l.y.hi = 1, 10
		return false
	}
	if !l.y.log {
		d.add(0)
	}
	l.y.lo, l.y.hi = nice(d, l.y.log)
	if l.bars && d.hi > 0 { // the longest bar fills the plot area: its value stands beside it
		l.y.hi = d.hi
	}
	return true
}

// whyRows says why there is nothing to draw.
func (p *Plot) whyRows() *phrase.Phrase {
	for i := range p.Series {
		for row := range p.X.Categories {
			if finite(p.Series[i].row(row)) {
				return phrase.New("chart.none-positive")
			}
		}
	}
	return phrase.New("chart.no-values")
}

// row is the series' value of a category, NaN if it has none.
func (s *Series) row(row int) float64 {
	if s.X == nil {
		if row < len(s.Y) {
			return s.Y[row]
		}
		return math.NaN()
	}
	if row < len(s.X) && row < len(s.Y) && s.X[row] == float64(row) { // the usual order
		return s.Y[row]
	}
	v := math.NaN()
	s.each(func(x, y float64) {
		if x == float64(row) {
			v = y
		}
	})
	return v
}

// widestValue is the space for the values written after bars and dots; those of several series aren't written.
func (l *layout) widestValue() float64 {
	w := 0.0
	if len(l.p.Series) != 1 {
		return w
	}
	for row := range l.p.X.Categories {
		w = max(w, float64(textWidth(l.valueText(l.p.Series[0].row(row)))*em))
	}
	return w
}

// valueText is a value as it stands beside its bar.
func (l *layout) valueText(v float64) string {
	if !l.y.ok(v) {
		return l.say("chart.no-value")
	}
	return shorten(l.p.Y.format(v), 8)
}

// row is the category that x means.
func (l *layout) row(x float64) int {
	if math.IsNaN(x) {
		return 0
	}
	return int(clamp(math.Round(x), 0, float64(len(l.p.X.Categories)-1)))
}

// rowAt is the middle of a row.
func (l *layout) rowAt(row int) float64 {
	return l.area.y0 + float64((float64(row)+0.5)*l.rowH)
}

func (l *layout) valueLabel(t tick) text {
	return text{"tick", t.text, l.y.pos(t.v), l.area.y1 + 17, middle}
}

// valueLabelsFit says whether the labels of the value axis keep their distance.
func (l *layout) valueLabelsFit(major []tick) bool {
	for i := 1; i < len(major); i++ {
		if l.valueLabel(major[i-1]).box().x1+1.5*gap > l.valueLabel(major[i]).box().x0 {
			return false
		}
	}
	return true
}

// readRow is the reading of a category.
func (l *layout) readRow(x float64) Reading {
	row := l.row(x)
	r := Reading{X: float64(row), XText: l.p.X.Categories[row]}
	for i := range l.p.Series {
		s := &l.p.Series[i]
		v := SeriesReading{Label: s.text(), Y: s.row(row), Text: l.say("chart.no-value"), At: math.NaN()}
		if finite(v.Y) {
			v.Text = l.p.Y.format(v.Y)
			if l.why == nil && l.y.contains(v.Y) {
				v.At = l.y.pos(v.Y)
			}
		} else {
			v.Y = math.NaN()
		}
		r.Values = append(r.Values, v)
	}
	return r
}

func (l *layout) drawRows(w *pen) {
	a := l.area
	current := -1
	if c := l.p.Current; c != nil && finite(c.X) && c.X >= 0 && c.X < float64(len(l.p.X.Categories)) {
		current = l.row(c.X)
		mid := l.rowAt(current)
		w.rect(`class="here" fill-opacity=".1"`, box{0, mid - l.rowH/2, width, mid + l.rowH/2}).Put("\n")
	}
	l.drawValueAxis(w)
	w.Put(`<g class="cats" text-anchor="end">`)
	for row, name := range l.p.X.Categories {
		class := ""
		if row == current {
			class = ` class="here"`
		}
		w.Put("<text", class).Attr("x", a.x0-7).Attr("y", l.rowAt(row)).Put(` dy=".35em">`)
		w.Escaped(rowName(name)).Put("</text>")
	}
	w.Put("</g>\n")
	for i := len(l.p.Series) - 1; i >= 0; i-- {
		l.drawValues(w, i)
	}
	l.drawLegend(w)
	for _, t := range l.texts {
		w.label(t)
	}
	l.drawCursor(w)
}

// drawValueAxis draws the grid, the axis at the foot, and the line that bars begin at.
func (l *layout) drawValueAxis(w *pen) {
	a := l.area
	w.Put(`<path class="net" fill="none" stroke="currentColor" stroke-opacity=".2" d="`)
	for _, t := range l.yt.major {
		w.Move(l.y.pos(t.v), a.y0).Put("V").Number(a.y1)
	}
	if !l.bars {
		for row := range l.p.X.Categories {
			w.Move(a.x0, l.rowAt(row)).Put("H").Number(a.x1)
		}
	}
	w.Put("\"/>\n", `<path class="axis" fill="none" stroke="currentColor" d="`)
	w.Move(a.x0, a.y1).Put("H").Number(a.x1)
	for _, t := range l.yt.major {
		w.Move(l.y.pos(t.v), a.y1).Put("v4")
	}
	for _, v := range l.yt.minor {
		w.Move(l.y.pos(v), a.y1).Put("v2.5")
	}
	w.Move(l.zero(), a.y0).Put("V").Number(a.y1).Put("\"/>\n", `<g class="ticks" text-anchor="middle">`)
	for _, t := range l.yt.major {
		w.tickLabel(l.valueLabel(t))
	}
	w.Put("</g>\n")
}

// zero is where bars begin.
func (l *layout) zero() float64 {
	if l.y.log || !l.y.contains(0) {
		return l.area.x0
	}
	return l.y.pos(0)
}

// drawValues draws one series' bars or dots, and the values if it is the only one.
func (l *layout) drawValues(w *pen, i int) {
	s := &l.p.Series[i]
	var dots []pt
	var bars []box
	w.Put(`<g class="values">`)
	for row := range l.p.X.Categories {
		v, y, x := s.row(row), l.rowAt(row), 0.0
		if l.y.ok(v) {
			x = clamp(l.y.pos(v), l.area.x0, l.area.x1)
		}
		switch {
		case !l.y.ok(v):
			x = l.zero()
		case l.bars:
			bars = append(bars, box{min(x, l.zero()), y - barHeight/2, max(x, l.zero()), y + barHeight/2})
			x = max(x, l.zero())
		case l.y.contains(v):
			dots = append(dots, pt{x, y})
			x += 4
		}
		if len(l.p.Series) == 1 {
			w.tickLabel(text{s: l.valueText(v), x: x + 5, y: y})
		}
	}
	w.Put("</g>\n")
	for _, b := range bars {
		w.rect(`class="bar `+series(i)+`"`, b)
	}
	w.markers(i, dots)
}
