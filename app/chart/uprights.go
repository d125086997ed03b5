package chart

import "slices"

// placeUprights sets the labels of the current place and of vertical marks above the plot area, as low as they fit.
func (l *layout) placeUprights() {
	l.takeLegend()
	if x, ok := l.current(); ok {
		s := l.p.Current.Label
		if s == "" {
			s = l.p.X.format(x)
		}
		l.upright("now", s, l.x.pos(x))
	}
	for _, i := range l.uprights {
		k, x := key{index: i}, l.x.pos(l.p.Marks[i].X)
		s := l.sign(k, l.p.Marks[i].Label)
		if slices.Contains(l.dropped, k) {
			s = ""
		}
		if !l.upright("vert", s, x) {
			l.failed = append(l.failed, k)
		}
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

// upright places one label above the plot area, and its stem; an empty one needs no place. Rather than cover the lines
// of other marks, it stands higher.
func (l *layout) upright(class, s string, x float64) bool {
	if s == "" {
		l.stems = append(l.stems, stem{class, x, l.area.y0})
		return true
	}
	return l.uprightOver(class, s, x, false) || l.uprightOver(class, s, x, true)
}

// uprightOver places a label and its stem, as low as it fits, if need be over the lines of other marks.
func (l *layout) uprightOver(class, s string, x float64, others bool) bool {
	lowest := l.area.y0 - line/2 - 1
	for y := lowest; y > lowest-2.5*line && y > 0; y -= line {
		below := box{x - 3, y + line/2, x + 3, l.area.y0 - 1}
		top := y + line/2 - 1
		if l.onCurrent(x) { // one line serves both, and the labels stand over each other
			below, top = box{}, l.area.y0
		}
		if below.y1 > below.y0 && l.hit(below) {
			continue
		}
		for _, t := range [...]text{{class, s, x, y, middle}, {class, s, x, y, start}, {class, s, x, y, end}} {
			b := t.box().grow(1)
			if (others || !l.covers(t)) && b.inside(box{edge, 0, width - edge, l.height}) &&
				!l.hit(box{b.x0 - gap, b.y0, b.x1 + gap, b.y1}) {
				l.put(t)
				if below.y1 > below.y0 {
					l.taken = append(l.taken, below)
				}
				l.stems = append(l.stems, stem{class, x, top})
				return true
			}
		}
	}
	if others {
		l.stems = append(l.stems, stem{class, x, l.area.y0})
	}
	return false
}

// onCurrent says whether x is where the current place's line already stands.
func (l *layout) onCurrent(x float64) bool {
	return len(l.stems) > 0 && l.stems[0].class == "now" && near2(l.stems[0].x, x)
}

// near2 says whether two lines cannot be told apart.
func near2(a, b float64) bool { return a-b < 2.5 && b-a < 2.5 }

// covers says whether a label stands over the line of another mark than its own.
func (l *layout) covers(t text) bool {
	b := t.box().grow(2)
	for _, i := range l.uprights {
		if other := l.x.pos(l.p.Marks[i].X); !near2(other, t.x) && other > b.x0 && other < b.x1 {
			return true
		}
	}
	return false
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
