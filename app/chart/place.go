package chart

import (
	"slices"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// fits says whether a label could stand at b: in the plot area or a little beyond it at the top and the right, touching
// neither another label nor a curve.
func (l *layout) fits(b box) bool {
	if !b.inside(box{l.area.x0, l.area.y0 - 0.7*em, width - edge, l.area.y1}) || l.overlaps(b) ||
		slices.ContainsFunc(l.lines, b.intersects) {
		return false
	}
	for i := range l.curves {
		if l.curves[i].meets(b) {
			return false
		}
	}
	return true
}

// place sets the first of the candidates that is free.
func (l *layout) place(candidates []text) bool {
	for _, t := range candidates {
		if l.fits(t.box().grow(1.5)) {
			l.put(t)
			return true
		}
	}
	return false
}

// around lists places for a label near p, the best first.
func around(class, s string, p pt) []text {
	var c []text
	for _, d := range []float64{1, 1.7, 2.6} {
		x, y := float64(9*d), float64(11*d)
		c = append(c,
			text{class, s, p.x + x, p.y - y, start}, text{class, s, p.x - x, p.y - y, end},
			text{class, s, p.x + x, p.y + y, start}, text{class, s, p.x - x, p.y + y, end},
			text{class, s, p.x, p.y - y - 5, middle}, text{class, s, p.x, p.y + y + 5, middle},
			text{class, s, p.x + x + 2, p.y, start}, text{class, s, p.x - x - 2, p.y, end})
	}
	return c
}

// leaning lists places over and under p for a label that is too long to stand there without leaning on a side of the
// plot area.
func (l *layout) leaning(class, s string, p pt) []text {
	half := float64(textWidth(s)*em)/2 + gap/2
	x := clamp(p.x, l.area.x0+half, max(l.area.x1-half, l.area.x0+half))
	var c []text
	for _, d := range []float64{15, 20, 26} {
		c = append(c, text{class, s, x, p.y - d, middle}, text{class, s, x, p.y + d, middle})
	}
	return c
}

// placePoints labels the points. Their dots, and those at the current place, are taken first, so that no label and no
// line to one covers them.
func (l *layout) placePoints() {
	if x, ok := l.current(); ok {
		for _, v := range l.read(x).Values {
			if finite(v.At) {
				l.taken = append(l.taken, box{l.x.pos(x), v.At, l.x.pos(x), v.At}.grow(5))
			}
		}
	}
	for _, i := range l.points {
		p := l.point(i)
		l.taken = append(l.taken, box{p.x, p.y, p.x, p.y}.grow(5))
	}
	for _, st := range l.stems {
		l.lines = append(l.lines, box{st.x - 1, l.area.y0, st.x + 1, l.area.y1})
	}
	for _, i := range l.points {
		s, class := l.p.Marks[i].Label, l.pointClass("point", i)
		if s == "" || l.spoken(i) || l.placePoint(class, s, l.point(i)) {
			continue
		}
		lines := l.lines // for want of others, a place over a stem, and then with a line over that to another label
		l.lines = nil
		if !l.placePoint(class, s, l.point(i)) {
			l.tangled = true
			if !l.placePoint(class, s, l.point(i)) {
				l.mute = append(l.mute, i)
			}
			l.tangled = false
		}
		l.lines = lines
	}
}

// placePoint sets the label of a point beside it, or further off with a line that leads to it.
func (l *layout) placePoint(class, s string, p pt) bool {
	return l.place(around(class, s, p)) || l.place(l.leaning(class, s, p)) || l.leadPoint(class, s, p)
}

// pointClass is a class for mark i, with that of the curve whose point it is.
func (l *layout) pointClass(class string, i int) string {
	if of := l.p.Marks[i].Of; of > 0 && of <= len(l.p.Series) {
		class += " " + series(of-1)
	}
	return class
}

// spoken says whether a vertical stands at mark i, which names the place already.
func (l *layout) spoken(i int) bool {
	x := l.x.pos(l.p.Marks[i].X)
	return slices.ContainsFunc(l.uprights, func(j int) bool { return near2(l.x.pos(l.p.Marks[j].X), x) })
}

// placeLeader sets a label further off, with a line of length r that leads to p, begins that far from it and belongs to
// curve own, -1 for a point; it crosses no more than so many other curves.
func (l *layout) placeLeader(t text, p pt, off, r float64, own, crossings int) bool {
	t.x, t.y, t.at = 0, 0, start
	wide := t.box()
	for _, d := range directions {
		t.x, t.y, t.at = p.x+float64(d.x*r), p.y+float64(d.y*r), start
		b := box{t.x, t.y + wide.y0, t.x + wide.x1, t.y + wide.y1}
		if d.x < 0 {
			t.at, b.x0, b.x1 = end, b.x0-wide.x1, t.x
		}
		from := pt{p.x + float64(d.x*off), p.y + float64(d.y*off)}
		to := pt{t.x - float64(d.x*3), t.y - float64(d.y*3)}
		if l.fits(b.grow(1.5)) && l.clear(from, to, p, own, crossings) {
			l.put(t)
			l.leaders = append(l.leaders, leader{t.class, from, to})
			l.taken = append(l.taken, boxesAlong(from, to)...)
			return true
		}
	}
	return false
}

// leadPoint is lead for a point, as near as there is a place.
func (l *layout) leadPoint(class, s string, p pt) bool {
	for r := 26.0; r <= 134; r += 12 {
		if l.placeLeader(text{class: class, s: s}, p, 6, r, -1, 1) {
			return true
		}
	}
	return false
}

// directions are those of a line to a label: steep ones last, as the label stands beside its end.
var directions = [...]pt{{.8, -.6}, {.8, .6}, {-.8, -.6}, {-.8, .6}, {.96, -.28}, {.96, .28}, {-.96, -.28}, {-.96, .28},
	{.6, -.8}, {.6, .8}, {-.6, -.8}, {-.6, .8}, {.28, -.96}, {.28, .96}, {-.28, -.96}, {-.28, .96}}

// clear says whether a line from p touches no label and no mark but its own, and crosses neither a line to another label
// nor more than so many curves other than its own.
func (l *layout) clear(from, to, p pt, own, crossings int) bool {
	for _, b := range l.taken {
		if _, _, ok := b.clip(from, to); ok && !b.grow(1).contains(p) {
			return false
		}
	}
	if !l.tangled && slices.ContainsFunc(l.leaders, func(x leader) bool { return meet(from, to, x.from, x.to) }) {
		return false
	}
	crossed := 0
	for i := range l.curves {
		if i != own && l.curves[i].crosses(from, to) {
			crossed++
		}
	}
	return crossed <= crossings
}

// boxesAlong are small boxes along a line.
func boxesAlong(from, to pt) (all []box) {
	const pieces = 6
	for k := range pieces {
		f, g := (float64(k)+0.2)/pieces, (float64(k)+0.8)/pieces
		a := pt{from.x + float64(f*(to.x-from.x)), from.y + float64(f*(to.y-from.y))}
		b := pt{from.x + float64(g*(to.x-from.x)), from.y + float64(g*(to.y-from.y))}
		all = append(all, box{min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)})
	}
	return all
}

// point is the place of mark i.
func (l *layout) point(i int) pt { return pt{l.x.pos(l.p.Marks[i].X), l.y.pos(l.p.Marks[i].Y)} }

// widestName is the width of the longest name of a curve.
func (p *Plot) widestName() float64 {
	w := 0.0
	for i := range p.Series {
		if p.named(i) {
			w = max(w, float64(textWidth(p.Series[i].text())*em))
		}
	}
	return w
}

// most is the most space that the names may take beside the plot area.
const most = 88.0

// placeNames sets the names of the curves, all of them or none.
func (l *layout) placeNames() bool {
	switch l.names {
	case beside:
		return l.nameBeside()
	case along:
		return l.nameAlong()
	}
	return true
}

// nameBeside sets the names right of the plot area, at the ends of the curves, and moves them apart a little if needed.
func (l *layout) nameBeside() bool {
	var names []text
	var wanted []float64
	for i := range l.curves {
		if !l.p.named(i) {
			continue
		}
		p, ok := l.curves[i].lastPoint()
		if !ok || p.x < l.area.x1-1 {
			return false
		}
		names = append(names, text{"name " + series(i), l.p.Series[i].text(), l.area.x1 + 8, p.y, start})
	}
	Ascending(names, func(t text) float64 { return t.y })
	for i := range names {
		wanted = append(wanted, names[i].y)
		names[i].y = max(names[i].y, l.area.y0)
		if i > 0 {
			names[i].y = max(names[i].y, names[i-1].y+line)
		}
	}
	for i := len(names) - 1; i >= 0; i-- {
		limit := l.area.y1 // below it stand the labels of the x axis
		if i+1 < len(names) {
			limit = names[i+1].y - line
		}
		names[i].y = min(names[i].y, limit)
		if d := names[i].y - wanted[i]; d > line*0.7 || d < -line*0.7 || l.overlaps(names[i].box()) {
			return false
		}
	}
	for _, t := range names {
		l.put(t)
	}
	return true
}

func order(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// nameAlong sets each name at its curve: the result's first, as it matters most.
func (l *layout) nameAlong() bool {
	for _, main := range [...]bool{true, false} {
		for i := range l.curves {
			if l.p.Series[i].Main == main && l.p.named(i) && !slices.Contains(l.far, i) && !l.nameAt(i) {
				l.unnamed = append(l.unnamed, i)
			}
		}
	}
	return len(l.unnamed) == 0
}

// nameAt looks for a free place at one curve, or near it with a line that leads to it, a short one also over another
// curve; for want of others, over a stem.
func (l *layout) nameAt(i int) bool {
	class, s := "name "+series(i), l.p.Series[i].text()
	if l.nameOn(i, class, s) || l.nameLed(i, class, s, 134, 0) || l.nameLed(i, class, s, 74, 1) {
		return true
	}
	lines := l.lines
	l.lines = nil
	ok := l.nameOn(i, class, s) || l.nameLed(i, class, s, 134, 0) || l.nameLed(i, class, s, 134, 1)
	l.lines = lines
	return ok
}

// nameOn looks for a free place at one curve, from right to left, where no other curve is nearer.
func (l *layout) nameOn(i int, class, s string) bool {
	for k := range 40 {
		x := l.area.x1 - 4 - float64(float64(k)*(l.area.x1-l.area.x0)/42)
		y, ok := l.curves[i].yAt(x)
		if !ok || !l.awayFromCurves(i, box{x, y, x, y}) {
			continue
		}
		for _, d := range []float64{11, 15, 20} {
			above, below := y-d, y+d
			if l.awayFromCurves(i, box{x, above, x, y}) &&
				l.place([]text{{class, s, x, above, end}, {class, s, x, above, start}}) ||
				l.awayFromCurves(i, box{x, y, x, below}) &&
					l.place([]text{{class, s, x, below, end}, {class, s, x, below, start}}) {
				return true
			}
		}
		if l.awayFromCurves(i, box{x - 10, y, x, y}) && l.place([]text{{class, s, x - 10, y, end}}) ||
			l.awayFromCurves(i, box{x, y, x + 10, y}) && l.place([]text{{class, s, x + 10, y, start}}) {
			return true
		}
	}
	return false
}

// nameLed sets the name of a curve further off, with a line that leads to it, is no longer than most and crosses no
// more than so many other curves.
func (l *layout) nameLed(i int, class, s string, most float64, crossings int) bool {
	var at []pt
	for k := range 40 {
		x := l.area.x1 - 12 - float64(float64(k)*(l.area.x1-l.area.x0)/41.6)
		if y, ok := l.curves[i].yAt(x); ok && l.awayFromCurves(i, box{x, y, x, y}.grow(3)) {
			at = append(at, pt{x, y})
		}
	}
	for r := 26.0; r <= most; r += 16 {
		for _, p := range at {
			if l.placeLeader(text{class: class, s: s}, p, 1.5, r, i, crossings) {
				return true
			}
		}
	}
	return false
}

// awayFromCurves says whether no curve but the i-th comes near b. What a result is made of may run along it.
func (l *layout) awayFromCurves(i int, b box) bool {
	for j := range l.curves {
		if j != i && !l.p.Series[i].Main && !l.p.Series[j].Main && l.curves[j].meets(b.grow(2.5)) {
			return false
		}
	}
	return true
}

// placeValues writes the value of each curve at the current place beside its dot, where there is space.
func (l *layout) placeValues() {
	x, ok := l.current()
	if !ok {
		return
	}
	for i, v := range l.read(x).Values {
		if finite(v.At) {
			p := pt{l.x.pos(x), v.At}
			l.place(slices.DeleteFunc(around("value "+series(i), v.Text, p)[:16], func(t text) bool {
				return !l.awayFromCurves(i, box{min(p.x, t.x), min(p.y, t.y), max(p.x, t.x), max(p.y, t.y)})
			}))
		}
	}
}

// series is the class of the i-th series: one of six colours with its dash and marker; from the seventh on a second
// class varies the dash.
func series(i int) string {
	c := "s" + itoa(i%6+1)
	if i >= 6 {
		c += " k" + itoa((i/6-1)%3+1)
	}
	return c
}

// series is the class of the i-th curve, and whether it is the result.
func (l *layout) series(i int) string {
	if l.p.Series[i].Main {
		return series(i) + " main"
	}
	return series(i)
}

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
		l.upright("vert", l.p.Marks[i].Label, l.x.pos(l.p.Marks[i].X))
	}
}

// upright places one label above the plot area, and its stem; an empty one needs no place. Rather than cover the lines
// of other marks, it stands higher. What finds no place at all isn't drawn.
func (l *layout) upright(class, s string, x float64) {
	if s == "" {
		l.stems = append(l.stems, stem{class, x, l.area.y0})
		return
	}
	how := apart
	if class == "now" && len(l.uprights) > 1 { // the others need the higher lines
		how = over
	}
	for how <= through && !l.uprightOver(class, s, x, how) {
		how++
	}
}

// crowding is what the label of a vertical mark and its line may cover for want of a better place.
type crowding uint8

const (
	apart   crowding = iota
	over             // the label stands over lines of others
	through          // and its own line runs below labels of others
)

// uprightOver places a label and its stem, as low as it fits.
func (l *layout) uprightOver(class, s string, x float64, how crowding) bool {
	half := text{class, s, 0, 0, end}.box().x0 / -2
	inside := clamp(x, edge+1+half, max(width-edge-1-half, edge+1+half))
	lowest := l.area.y0 - line/2 - 1
	for y := lowest; y > lowest-2.5*line && y > 0; y -= line {
		below := box{x - 3, y + line/2, x + 3, l.area.y0 - 1}
		top := y + line/2 - 1
		if l.onCurrent(x) { // one line serves both, and the labels stand over each other
			below, top = box{}, l.area.y0
		}
		if how < through && below.y1 > below.y0 && l.overlaps(below) {
			continue
		}
		for _, t := range [...]text{{class, s, x, y, middle}, {class, s, x, y, start}, {class, s, x, y, end},
			{class, s, inside, y, middle}} {
			b := t.box().grow(1)
			if (how >= over || !l.coversLine(t, x)) && b.inside(box{edge, 0, width - edge, l.height}) &&
				!l.overlaps(box{b.x0 - gap, b.y0, b.x1 + gap, b.y1}) {
				l.put(t)
				if how < through && below.y1 > below.y0 {
					l.taken = append(l.taken, below)
				}
				l.stems = append(l.stems, stem{class, x, top})
				return true
			}
		}
	}
	return false
}

// onCurrent says whether x is where the current place's line already stands.
func (l *layout) onCurrent(x float64) bool {
	return len(l.stems) > 0 && l.stems[0].class == "now" && near2(l.stems[0].x, x)
}

// near2 says whether two lines cannot be distinguished.
func near2(a, b float64) bool { return a-b < 2.5 && b-a < 2.5 }

// coversLine says whether the label of a mark at x stands over the line of another.
func (l *layout) coversLine(t text, x float64) bool {
	b := t.box().grow(2)
	for _, i := range l.uprights {
		if other := l.x.pos(l.p.Marks[i].X); !near2(other, x) && other > b.x0 && other < b.x1 {
			return true
		}
	}
	return false
}

// overlaps says whether b touches what is already there.
func (l *layout) overlaps(b box) bool {
	for _, t := range l.taken {
		if b.intersects(t) {
			return true
		}
	}
	return false
}

// Ascending puts a few things in the order of a number, those that are equal as they were. For each type, the sort of
// the library would be ten times as much code for the browser.
func Ascending[T any](all []T, of func(T) float64) {
	for i := range all {
		for j := i; j > 0 && of(all[j]) < of(all[j-1]); j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
}
