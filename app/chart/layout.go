package chart

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// layout is a plot with everything in its place.
type layout struct {
	p        *Plot
	why      *phrase.Phrase // why there is nothing to draw
	x, y     scale
	area     box // the plot area
	height   float64
	over     string  // the title above the plot area: of the y axis, or of the rows
	under    string  // the title below it
	rowH     float64 // of a categorical axis; 0 otherwise
	bars     bool    // rows are drawn as bars, not as dots
	xt, yt   ticks
	curves   []curve
	points   []int  // indexes of the marks drawn as points
	uprights []int  // indexes of the marks drawn as lines over the whole height
	stems    []stem // the lines of uprights and the current place
	leaders  []leader
	legend   []entry
	texts    []text
	taken    []box // what labels must not touch
	lines    []box // the stems, which names may cross where there is no other place
	plan
	unnamed []int // curves whose name found no place
	mute    []int // points whose label found no place: they aren't drawn, and the text twin has their words
	tangled bool  // the line to a label may cross that to another
}

// stem is the line of a vertical mark, up to its label.
type stem struct {
	class string
	x, y0 float64
}

// leader is a thin line from a label to the place that it names, in the label's colour.
type leader struct {
	class    string
	from, to pt
}

// plan is one way to arrange a plot.
type plan struct {
	names naming
	far   []int // curves whose name found no place and stands in the legend
}

// naming says where the names of the curves stand.
type naming uint8

const (
	beside naming = iota // right of the plot area, at the curves' ends
	along                // in the plot area, at the curves
	listed               // in the legend
)

// layout finds the best arrangement: names beside the curves' ends if all fit there, else along the curves, and in a
// legend those that find no place. It comes to an end, as the plan only ever moves on.
func (p *Plot) layout() *layout {
	if p.categorical() {
		return p.rows()
	}
	var now plan
	if w := p.widestName(); w == 0 || w > most {
		now.names = along
	}
	for {
		l, named := p.arrange(now)
		switch {
		case l.why != nil:
			return l
		case !named && now.names == beside:
			now.names = along
		case !named:
			now.far = append(now.far[:len(now.far):len(now.far)], l.unnamed...)
		default:
			return l
		}
	}
}

// arrange lays the plot out in one way, and says whether the curves' names found their place.
func (p *Plot) arrange(how plan) (l *layout, named bool) {
	l = &layout{p: p, over: p.Y.Label, under: p.X.Label, plan: how}
	var xOK, yOK bool
	l.x, xOK = p.xScale()
	l.y, yOK = p.yScale(l.x)
	l.x, l.y = l.x.ready(), l.y.ready()
	l.sortMarks()
	l.list()
	l.height = height + float64(float64(p.legendLines()+max(l.stripLines(), 1)-2)*line)
	l.frame()
	if !xOK || !yOK {
		l.why = p.why()
		l.legend = nil
		return l, true
	}
	for i := range p.Series {
		l.curves = append(l.curves, l.project(&p.Series[i]))
	}
	l.placeUprights()
	l.placePoints()
	named = l.placeNames()
	l.placeValues()
	return l, named
}

// sortMarks tells points from verticals and drops what the axes have no place for. A point without a y is a vertical.
func (l *layout) sortMarks() {
	for i, m := range l.p.Marks {
		switch {
		case !l.x.contains(m.X):
		case m.Kind == Vertical || !finite(m.Y):
			l.uprights = append(l.uprights, i)
		case l.y.contains(m.Y):
			l.points = append(l.points, i)
		}
	}
}

// current is where the reader stands, if the axis has a place for it.
func (l *layout) current() (float64, bool) {
	if l.p.Current == nil || !l.x.contains(l.p.Current.X) {
		return 0, false
	}
	return l.p.Current.X, true
}

// frame finds the plot area and the ticks around it.
func (l *layout) frame() {
	l.area.y1 = l.height - 26
	if l.under != "" {
		l.area.y1 -= line
	}
	l.vertical()
	left := 0.0
	for i := range l.yt.major {
		t := &l.yt.major[i]
		t.text = shorten(t.text, 9)
		left = max(left, float64(textWidth(t.text)*em))
	}
	l.horizontal(max(left+10, 24))
	for _, t := range l.yt.major {
		l.taken = append(l.taken, l.yLabel(t).box())
	}
	l.over, l.under = withUnit(l.p.Phrases, l.over, l.yt.unit), withUnit(l.p.Phrases, l.under, l.xt.unit)
	l.titles()
}

// vertical finds the top of the plot area and the ticks of the y axis. The title above says the unit of the ticks, and
// the legend may stand beside it if both fit: that takes a second look.
func (l *layout) vertical() {
	unit := ""
	for range 3 {
		l.area.y0 = l.header(withUnit(l.p.Phrases, l.over, unit))
		l.y.a, l.y.b = l.area.y1, l.area.y0
		l.yt = chooseTicks(l.y, &l.p.Y, l.yLabelsFit)
		if l.yt.unit == unit {
			return
		}
		unit = l.yt.unit
	}
	l.area.y0 = l.header(strings.Repeat("m", 40)) // it never settles: the legend goes into lines of its own
	l.y.b = l.area.y0
}

// horizontal finds the sides of the plot area and the ticks of the x axis.
func (l *layout) horizontal(left float64) {
	right := width - 8
	if l.names == beside {
		right = width - edge - 8 - l.p.widestName()
	}
	for range 3 { // until the last tick label is inside
		l.x.a, l.x.b = left, right
		l.area.x0, l.area.x1 = left, right
		l.xt = chooseTicks(l.x, &l.p.X, l.xLabelsFit)
		n := len(l.xt.major)
		if n == 0 || l.names == beside {
			break
		}
		over := l.xLabel(l.xt.major[n-1]).box().x1 - (width - edge)
		if over <= 0 || over >= 40 {
			break
		}
		right -= over
	}
	l.xt.major = l.within(l.xt.major)
}

// titles places the names of the axes: the vertical one reads horizontally as well, above its axis.
func (l *layout) titles() {
	mid := (l.area.x0 + l.area.x1) / 2
	if s := l.under; s != "" {
		s = shorten(s, (width-2*edge)/em)
		half := float64(textWidth(s)*em) / 2
		l.put(text{"title", s, clamp(mid, edge+half, width-edge-half), l.height - line/2, middle})
	}
	if s := l.over; s != "" {
		l.put(text{"title", shorten(s, (width-2*edge)/em), edge, line/2 + 1, start})
	}
}

// put sets a text, whatever is there.
func (l *layout) put(t text) {
	l.texts = append(l.texts, t)
	l.taken = append(l.taken, t.box())
}

func (l *layout) xLabel(t tick) text {
	return text{"tick", t.text, l.x.pos(t.v), l.area.y1 + 17, middle}
}

func (l *layout) yLabel(t tick) text { return text{"tick", t.text, l.area.x0 - 7, l.y.pos(t.v), end} }

// yLabelsFit says whether the labels of the y axis keep their distance.
func (l *layout) yLabelsFit(major []tick) bool {
	for i := 1; i < len(major); i++ {
		if l.y.pos(major[i-1].v)-l.y.pos(major[i].v) < 1.6*em {
			return false
		}
	}
	return true
}

// xLabelsFit says whether the labels of the x axis keep their distance.
func (l *layout) xLabelsFit(major []tick) bool {
	for i := 1; i < len(major); i++ {
		if l.xLabel(major[i-1]).box().x1+1.5*gap > l.xLabel(major[i]).box().x0 {
			return false
		}
	}
	return true
}

// within drops the labels of the x axis that would leave the viewBox.
func (l *layout) within(major []tick) []tick {
	kept := major[:0]
	for _, t := range major {
		if b := l.xLabel(t).box(); b.x0 >= edge && b.x1 <= width-edge {
			kept = append(kept, t)
		}
	}
	return kept
}

// why says why there is nothing to draw.
func (p *Plot) why() *phrase.Phrase {
	values, positive := false, false
	for i := range p.Series {
		p.Series[i].each(func(x, y float64) {
			if finite(x) && finite(y) {
				values = true
				positive = positive || (!p.X.Log || x > 0) && (!p.Y.Log || y > 0)
			}
		})
	}
	switch {
	case !values:
		return phrase.New("chart.no-values")
	case !positive:
		return phrase.New("chart.none-positive")
	}
	return phrase.New("chart.none-in-range")
}

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

// belowStrip leaves space for the labels of vertical marks. It takes the middle of its first line and returns where the
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
