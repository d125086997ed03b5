package chart

import "slices"

// The strip is what stands above the plot area: the title of the y axis, the legend, and the labels of vertical marks.

// entry is a line of the legend: a curve.
type entry struct {
	series int
	s      string
	x, y   float64 // the middle of its left edge
}

// sampleWidth is the width of the piece of curve before a name in the legend.
const sampleWidth = 26.0

// spacing is the distance between entries of the legend.
const spacing = 2*gap + 2

// list decides what stands in the legend, and where: in lines of their own, or beside the y title if all fit there.
func (l *layout) list() {
	if l.names == listed || len(l.far) > 0 {
		for i := range l.p.Series {
			if l.p.named(i) && (l.names == listed || slices.Contains(l.far, i)) {
				l.legend = append(l.legend, entry{series: i, s: l.p.Series[i].text()})
			}
		}
	}
}

// named says whether the name of a curve is to be shown: a curve that is alone need not repeat the title of the axis.
func (p *Plot) named(i int) bool {
	s := p.Series[i].text()
	return s != "" && !(len(p.Series) == 1 && (p.Series[i].Label == "" || s == p.Y.Label))
}

// flow sets the entries in lines from x0 on, the first at height y, and returns the height of the line after the last.
func (l *layout) flow(y float64) float64 {
	x := edge
	for i := range l.legend {
		e := &l.legend[i]
		e.s = shorten(e.s, (width-2*edge-sampleWidth-gap)/em)
		w := l.entryWidth(e)
		if x > edge && x+w > width-edge {
			x, y = edge, y+line
		}
		e.x, e.y = x, y
		x += w + spacing
	}
	return y + line
}

// sample is the width of what stands before an entry's name.
func (l *layout) sample(e *entry) float64 {
	if !l.lined(e.series) {
		return 10
	}
	return sampleWidth
}

// lined says whether a series is drawn with a line.
func (l *layout) lined(i int) bool { return !l.p.Series[i].Dots && l.rowH == 0 }

func (l *layout) entryWidth(e *entry) float64 {
	return l.sample(e) + gap + float64(textWidth(e.s)*em)
}

// header places the legend and returns where the plot area begins. title is what stands at the top left.
func (l *layout) header(title string) float64 {
	y := line/2 + 1
	if title != "" {
		total := -spacing
		for i := range l.legend {
			total += l.entryWidth(&l.legend[i]) + spacing
		}
		if x := width - edge - total; len(l.legend) > 0 && x > edge+float64(textWidth(title)*em)+3*gap {
			l.flow(y)
			for i := range l.legend {
				l.legend[i].x += x - edge
			}
			return l.belowStrip(y + line)
		}
		y += line
	}
	if len(l.legend) > 0 {
		y = l.flow(y)
	}
	return l.belowStrip(y)
}

// legendLines is how many lines a legend of all the names takes. The drawing is as much taller as they are more than
// one, wherever the names stand in the end, so that it does not change its height while the reader moves an input.
func (p *Plot) legendLines() int {
	l := &layout{p: p, plan: plan{names: listed}}
	l.list()
	if len(l.legend) == 0 {
		return 1
	}
	return int(l.flow(0) / line)
}

// stripLines is how many lines there are for the labels of vertical marks: it depends on their number only. Two that
// stand close have each a line of its own.
func (l *layout) stripLines() int {
	n := 0
	for _, i := range l.uprights {
		if l.p.Marks[i].Label != "" {
			n++
		}
	}
	if l.p.Current != nil && l.rowH == 0 {
		n++
	}
	return min(n, 3)
}

// belowStrip leaves room for the labels of vertical marks. It takes the middle of its first line and returns where the
// plot area begins.
func (l *layout) belowStrip(y float64) float64 {
	lines := l.stripLines()
	if lines == 0 {
		return y - line/2 + 8
	}
	return y - line/2 + float64(float64(lines)*line) + 3
}

// takeLegend keeps other labels off the legend.
func (l *layout) takeLegend() {
	for i := range l.legend {
		e := &l.legend[i]
		l.taken = append(l.taken, box{e.x, e.y - line/2, e.x + l.entryWidth(e), e.y + line/2})
	}
}
