package chart

import "slices"

// The strip is what stands above the plot area: the title of the y axis, the legend, and the labels of vertical marks.

// entry is a line of the legend.
type entry struct {
	key
	series int    // -1 for a mark or a region
	sign   string // of a keyed point: its number
	s      string
	x, y   float64 // the middle of its left edge
}

// sampleWidth is the width of the piece of curve, or of hatching, before a name in the legend.
const sampleWidth = 26.0

// list decides what stands in the legend, and where: in lines of their own, or beside the y title if all fit there.
func (l *layout) list() {
	if l.names == listed {
		for i := range l.p.Series {
			if l.p.named(i) {
				l.legend = append(l.legend, entry{series: i, s: l.p.Series[i].text()})
			}
		}
	}
	number := 0
	for _, k := range l.keys {
		e := entry{key: k, series: -1}
		if k.region {
			e.s = l.p.Regions[k.index].Label
		} else {
			number++
			e.sign, e.s = itoa(number), l.p.Marks[k.index].Label
		}
		l.legend = append(l.legend, e)
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
		x += w + 2*gap + 2
	}
	return y + line
}

// sample is the width of what stands before an entry's words.
func (l *layout) sample(e *entry) float64 {
	if e.sign != "" {
		return float64(textWidth(e.sign) * em)
	}
	if e.series >= 0 && !l.lined(e.series) {
		return 10
	}
	return sampleWidth
}

// lined says whether a series is drawn with a line.
func (l *layout) lined(i int) bool { return !l.p.Series[i].Dots && l.rowH == 0 }

func (l *layout) entryWidth(e *entry) float64 {
	return l.sample(e) + gap + float64(textWidth(e.s)*em)
}

// header places the legend and returns where the plot area begins.
func (l *layout) header() float64 {
	y := line/2 + 1
	if l.over != "" {
		total := -2*gap - 2.0
		for i := range l.legend {
			total += l.entryWidth(&l.legend[i]) + 2*gap + 2
		}
		title := edge + float64(textWidth(l.over)*em)
		if x := width - edge - total; len(l.legend) > 0 && x > title+3*gap {
			l.flow(y)
			for i := range l.legend {
				l.legend[i].x += x - edge
			}
			return l.strip(y + line)
		}
		y += line
	}
	if len(l.legend) > 0 {
		first := y
		y = l.flow(y)
		if lines := (y - first) / line; lines > 3 { // very many curves: a taller drawing, the same plot area
			l.height += float64((lines - 3) * line)
		}
	}
	return l.strip(y)
}

// strip leaves room for the labels of vertical marks: a fixed number of lines for their number, so that nothing moves
// while the reader does. It takes the middle of its first line and returns where the plot area begins.
func (l *layout) strip(y float64) float64 {
	n := len(l.uprights)
	if l.p.Current != nil && l.rowH == 0 {
		n++
	}
	lines := min((n+1)/2, 3)
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

// placeUprights sets the labels of the current place and of vertical marks above the plot area, as low as they fit.
func (l *layout) placeUprights() {
	l.takeLegend()
	if x, ok := l.current(); ok {
		s := l.p.Current.Label
		if s == "" {
			s = l.p.X.format(x)
		}
		l.upright("now", s, l.x.pos(x), -1)
	}
	for _, i := range l.uprights {
		l.upright("vert", l.sign(key{index: i}, l.p.Marks[i].Label), l.x.pos(l.p.Marks[i].X), i)
	}
}

// sign is the label of k as it stands at its place: its number if the legend has its words.
func (l *layout) sign(k key, label string) string {
	for _, e := range l.legend {
		if e.series < 0 && e.key == k {
			return e.sign
		}
	}
	return label
}

// upright places one label above the plot area, and its stem.
func (l *layout) upright(class, s string, x float64, index int) {
	frame := box{edge, 0, width - edge, l.height}
	lowest := l.area.y0 - line/2 - 1
	if slices.Contains(l.dropped, key{index: index}) {
		l.stems = append(l.stems, stem{class, x, l.area.y0})
		return
	}
	for y := lowest; y > lowest-2.5*line && y > 0; y -= line {
		below := box{x - 3, y + line/2, x + 3, l.area.y0 - 1}
		if below.y1 > below.y0 && l.hit(below) {
			continue
		}
		for _, t := range []text{{class, s, x, y, middle}, {class, s, x - 4, y, start}, {class, s, x + 4, y, end}} {
			if b := t.box().grow(1); b.inside(frame) && !l.hit(b) {
				l.put(t)
				l.taken = append(l.taken, below)
				l.stems = append(l.stems, stem{class, x, y + line/2 - 1})
				return
			}
		}
	}
	l.stems = append(l.stems, stem{class, x, l.area.y0})
	if index >= 0 {
		l.failed = append(l.failed, key{index: index})
	}
}

// hit says whether b touches what is already there.
func (l *layout) hit(b box) bool {
	for _, t := range l.taken {
		if b.hits(t) {
			return true
		}
	}
	return false
}
