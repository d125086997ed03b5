package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Summary says in one sentence what the plot shows: what rises and falls, and where curves cross.
func (d Drawing) Summary() string { return d.l.summary() }

func (l *layout) summary() string {
	switch {
	case l.why != nil:
		return upper(l.say("chart.summary", "said", l.why))
	case l.rowH > 0:
		return l.summarizeRows()
	}
	var drawn []int
	for i := range l.p.Series {
		if l.curves[i].data > 0 {
			drawn = append(drawn, i)
		}
	}
	return upper(l.say("chart.summary", "said", l.describeCurves(drawn)))
}

// describeCurves says how the drawn curves run and where two of them cross; of many, how they rank.
func (l *layout) describeCurves(drawn []int) string {
	if len(drawn) > 3 {
		return l.rank(drawn)
	}
	var courses []string
	for _, i := range drawn {
		courses = append(courses, l.trend(i))
	}
	if len(drawn) == 2 {
		if c, ok := l.crossing(drawn[0], drawn[1]); ok {
			return l.say(c.key("chart.it-overtakes", "chart.it-falls-below"),
				"course", courses[0], "other", l.subject(c.other), "x", l.spot(c.x))
		}
	}
	return l.firstCrossing(drawn, l.enumerate(courses))
}

func (l *layout) say(key string, gaps ...any) string { return l.p.Phrases.Say(key, gaps...) }

// clauses are parts of a sentence that could stand alone.
func (l *layout) clauses(said ...string) string { return l.p.Phrases.Text(phrase.Clauses(said)) }

// subject names a curve within a sentence.
func (l *layout) subject(i int) string {
	s := l.p.Series[i].text()
	if s == "" {
		s = l.p.Y.Label
	}
	if s == "" {
		return l.say("chart.the-curve")
	}
	if strings.Contains(s, ", ") {
		s += ","
	}
	return Lower(s)
}

// enumerate joins what is said of curves: a, b and c; with semicolons if one of them has commas.
func (l *layout) enumerate(said []string) string {
	if slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, ", ") }) {
		return l.clauses(said...)
	}
	return l.p.Phrases.Text(phrase.And(said))
}

// summarizeRows names the extremes of a plot over categories.
func (l *layout) summarizeRows() string {
	var parts []string
	for i := range l.p.Series {
		s := &l.p.Series[i]
		lo, hi, n := -1, -1, 0
		for row := range l.p.X.Categories {
			v := s.row(row)
			if !l.y.ok(v) {
				continue
			}
			n++
			if lo < 0 || v < s.row(lo) {
				lo = row
			}
			if hi < 0 || v > s.row(hi) {
				hi = row
			}
		}
		if n == 0 || len(parts) == 3 {
			continue
		}
		switch {
		case s.row(lo) == s.row(hi):
			parts = append(parts, l.say("chart.rows-same", "curve", l.subject(i), "y", l.p.Y.format(s.row(lo)), "n", n))
		default:
			parts = append(parts, l.say("chart.rows", "curve", l.subject(i), "n", n,
				"high", l.p.X.Categories[hi], "highest", l.p.Y.format(s.row(hi)),
				"low", l.p.X.Categories[lo], "lowest", l.p.Y.format(s.row(lo))))
		}
	}
	return upper(l.say("chart.summary", "said", l.clauses(parts...)))
}

// visible lists the values of a curve within the axes' ranges, the interpolated ends included.
func (l *layout) visible(i int) (xs, ys []float64) {
	s := &l.p.Series[i]
	add := func(x, y float64) {
		if l.x.contains(x) && l.y.ok(y) {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	inner := func(x float64) bool { return x > l.x.lo && x < l.x.hi }
	add(l.x.lo, s.valueAt(l.x.lo, l.x.log, l.y.log))
	s.each(func(x, y float64) {
		if inner(x) {
			add(x, y)
		}
	})
	add(l.x.hi, s.valueAt(l.x.hi, l.x.log, l.y.log))
	return xs, ys
}

// trend says how a curve runs: what it rises or falls from and to, and where it turns or levels off.
func (l *layout) trend(i int) string {
	xs, ys := l.visible(i)
	curve := l.subject(i)
	if len(ys) == 0 {
		return l.say("chart.no-value-here", "curve", curve)
	}
	y := l.worth
	first, last := y(ys[0]), y(ys[len(ys)-1])
	lo, hi := slices.Index(ys, slices.Min(ys)), slices.Index(ys, slices.Max(ys))
	switch {
	case len(ys) == 1:
		return l.say("chart.is", "curve", curve, "y", first, "x", l.p.X.format(xs[0]))
	case y(ys[lo]) == y(ys[hi]):
		return l.say("chart.stays", "curve", curve, "y", first)
	}
	up, down := turns(ys)
	at := func(k int) string { return l.p.X.format(xs[k]) }
	switch {
	case !down, !up:
		return l.monotonic(curve, up, xs, ys)
	case single(ys, hi, 1):
		return l.say("chart.rises-falls", "curve", curve, "from", first, "top", y(ys[hi]), "x", at(hi), "to", last)
	case single(ys, lo, -1):
		return l.say("chart.falls-rises", "curve", curve, "from", first, "low", y(ys[lo]), "x", at(lo), "to", last)
	}
	return l.say("chart.varies", "curve", curve, "low", y(ys[lo]), "high", y(ys[hi]))
}

// slack is the relative change that counts as none.
const slack = 1e-9

// worth prints a value for the words. What is nothing on the axis's own scale is what rounding left of a zero.
func (l *layout) worth(y float64) string {
	if (!l.y.log || y < l.y.lo) && math.Abs(y) < float64(slack*(l.y.hi-l.y.lo)) {
		y = 0
	}
	return l.p.Y.format(y)
}

// turns says whether values rise, and whether they fall, anywhere.
func turns(ys []float64) (up, down bool) {
	for k := 1; k < len(ys); k++ {
		d := ys[k] - ys[k-1]
		small := float64(slack * math.Max(math.Abs(ys[k]), math.Abs(ys[k-1])))
		up, down = up || d > small, down || d < -small
	}
	return up, down
}

// single says whether values only move by sign up to k, and only against it from there.
func single(ys []float64, k int, sign float64) bool {
	upBefore, downBefore := turns(ys[:k+1])
	upAfter, downAfter := turns(ys[k:])
	if sign < 0 {
		upBefore, downBefore, upAfter, downAfter = downBefore, upBefore, downAfter, upAfter
	}
	return upBefore && !downBefore && downAfter && !upAfter
}

// monotonic describes a curve that only rises or only falls; a level stretch at one end is mentioned if it is long.
func (l *layout) monotonic(curve string, up bool, xs, ys []float64) string {
	y, n := l.worth, len(ys)
	same := func(a, b float64) bool { return math.Abs(a-b) <= float64(slack*math.Max(math.Abs(a), math.Abs(b))) }
	from, to := 0, n-1
	for from+1 < n && same(ys[from+1], ys[0]) {
		from++
	}
	for to > 0 && same(ys[to-1], ys[n-1]) {
		to--
	}
	long := func(a, b float64) bool { return math.Abs(l.x.fraction(a)-l.x.fraction(b)) > 0.1 }
	key := [...]string{"chart.falls", "chart.falls-stays", "chart.stays-falls"}
	if up {
		key = [...]string{"chart.rises", "chart.rises-stays", "chart.stays-rises"}
	}
	first, last := y(ys[0]), y(ys[n-1])
	switch {
	case long(xs[to], xs[n-1]):
		return l.say(key[1], "curve", curve, "from", first, "to", last, "x", l.spot(xs[to]))
	case long(xs[0], xs[from]):
		return l.say(key[2], "curve", curve, "from", first, "to", last, "x", l.spot(xs[from]))
	}
	return l.say(key[0], "curve", curve, "from", first, "to", last)
}

// spot prints an x, or that of a marked point next to it, which is more exact than the samples.
func (l *layout) spot(x float64) string { return l.p.X.format(l.snap(x)) }

// snap moves x to a marked point if one is very near.
func (l *layout) snap(x float64) float64 {
	best, at := 0.02, x
	for _, i := range l.points {
		m := l.p.Marks[i].X
		if d := math.Abs(l.x.fraction(m) - l.x.fraction(x)); d < best {
			best, at = d, m
		}
	}
	return at
}

// crossing is where a curve crosses another one.
type crossing struct {
	other int
	x     float64
	down  bool // it falls below the other one
}

// key is the one that says whether the curve gets above the other one.
func (c crossing) key(above, below string) string {
	if c.down {
		return below
	}
	return above
}

// crossing is where curve i first crosses curve j.
func (l *layout) crossing(i, j int) (crossing, bool) {
	a, b := &l.p.Series[i], &l.p.Series[j]
	if a.Dots || b.Dots {
		return crossing{}, false
	}
	xs, ys := l.visible(i)
	var d0, x0 float64 // the last difference that wasn't zero, and where
	for k, x := range xs {
		other := b.valueAt(x, l.x.log, l.y.log)
		if !l.y.ok(other) {
			d0 = 0
			continue
		}
		d := l.y.fraction(ys[k]) - l.y.fraction(other)
		if math.Abs(d) < slack {
			continue
		}
		if d0 != 0 && d0 < 0 != (d < 0) {
			f0, f1 := l.x.fraction(x0), l.x.fraction(x)
			return crossing{j, l.x.valueAt(f0 + float64((f1-f0)*(d0/(d0-d)))), d < 0}, true
		}
		d0, x0 = d, x
	}
	return crossing{}, false
}

// firstCrossing adds to what is said of the curves where two of them first cross.
func (l *layout) firstCrossing(drawn []int, said string) string {
	for n, i := range drawn {
		for _, j := range drawn[n+1:] {
			if c, ok := l.crossing(i, j); ok {
				return l.clauses(said, l.say(c.key("chart.overtakes", "chart.falls-below"),
					"curve", l.subject(i), "other", l.subject(j), "x", l.spot(c.x)))
			}
		}
	}
	return said
}

// rank compares many curves at both ends.
func (l *layout) rank(drawn []int) string {
	var parts []string
	for n, x := range []float64{l.x.lo, l.x.hi} {
		who, many, y := l.extreme(drawn, x, func(a, b float64) bool { return a > b })
		other, others, low := l.extreme(drawn, x, func(a, b float64) bool { return a < b })
		if many == 0 || who == other && many == others {
			continue
		}
		highest, lowest := l.say("chart.highest-is", "curve", who, "y", y), l.say("chart.lowest-is", "curve", other,
			"y", low)
		if many > 1 {
			highest = l.say("chart.highest-are", "n", many, "y", y)
		}
		if others > 1 {
			lowest = l.say("chart.lowest-are", "n", others, "y", low)
		}
		side := [...]string{"chart.on-the-left", "chart.on-the-right"}[n]
		parts = append(parts, l.say(side, "x", l.p.X.format(x), "highest", highest, "lowest", lowest))
	}
	if len(parts) == 0 {
		return l.say("chart.curves-drawn", "n", len(drawn))
	}
	return l.say("chart.curves", "n", len(drawn), "ends", l.clauses(parts...))
}

// extreme is the curve that comes first at x, how many of them do, and the value; none if there is no value.
func (l *layout) extreme(drawn []int, x float64, before func(a, b float64) bool) (curve string, count int, y string) {
	first := 0.0
	for _, i := range drawn {
		v := l.p.Series[i].valueAt(x, l.x.log, l.y.log)
		if !l.y.ok(v) {
			continue
		}
		switch s := l.worth(v); {
		case count > 0 && s == y:
			count++
		case count == 0 || before(v, first):
			first, curve, count, y = v, l.subject(i), 1, s
		}
	}
	return curve, count, y
}

// title is the accessible name.
func (p *Plot) title() string {
	switch {
	case p.Title != "":
		return p.Title
	case p.Y.Label != "" && p.X.Label != "":
		return p.Phrases.Say("chart.over", "y", p.Y.Label, "x", Lower(p.X.Label))
	case len(p.Series) > 0 && p.Series[0].text() != "":
		return p.Series[0].text()
	}
	return p.Phrases.Say("chart.plot")
}

// describe is the accessible description: the summary, and what the axes are.
func (l *layout) describe() string {
	s := l.summary()
	if l.why != nil {
		return s
	}
	if l.rowH > 0 {
		return s + " " + l.say("chart.values", "axis", l.axis(l.p.Y, l.y))
	}
	return s + " " + l.say("chart.axis-across", "axis", l.axis(l.p.X, l.x)) + " " +
		l.say("chart.axis-up", "axis", l.axis(l.p.Y, l.y))
}

// axis says what is on an axis, and from where to where.
func (l *layout) axis(a Axis, s scale) string {
	reach := l.say("chart.range", "low", a.format(s.lo), "high", a.format(s.hi))
	if s.log {
		reach = l.say("chart.range-log", "low", a.format(s.lo), "high", a.format(s.hi))
	}
	if a.Label == "" {
		return reach
	}
	return l.say("chart.range-named", "label", a.Label, "range", reach)
}

// wrap breaks s into lines of at most em.
func wrap(s string, em float64) []string {
	var lines []string
	now := ""
	for _, word := range strings.Fields(s) {
		switch {
		case now == "":
			now = word
		case textWidth(now+" "+word) <= em:
			now += " " + word
		default:
			lines = append(lines, now)
			now = word
		}
	}
	return append(lines, now)
}

// twinRows is how many rows a text twin has at most, unless more than that are marked.
const twinRows = 12

// twinRow is a place that the text twin tells of.
type twinRow struct {
	x     float64
	notes []string
}

// AltTable is the plot as a table: the ends, the current place, marks, and ticks between them, a dozen telling rows in
// the order of x. The last column, "Note", says what is there; it is missing if there is nothing to say. A plot over
// categories has all of them.
func (d Drawing) AltTable() (header []string, rows [][]string) {
	l, p := d.l, d.l.p
	header = []string{p.X.Label}
	if header[0] == "" {
		header[0] = "x"
	}
	for i := range p.Series {
		header = append(header, p.Series[i].text())
	}
	if p.Sketch != nil {
		header = append(header, p.Sketch.text())
	}
	noted := false
	for _, t := range l.telling() {
		r := l.read(t.x)
		if !p.categorical() && len(t.notes) == 0 &&
			!slices.ContainsFunc(r.Values, func(v SeriesReading) bool { return finite(v.Y) }) {
			continue
		}
		row := []string{r.XText}
		for _, v := range r.Values {
			row = append(row, v.Text)
		}
		if p.Sketch != nil {
			row = append(row, l.sketched(t.x))
		}
		noted = noted || len(t.notes) > 0
		rows = append(rows, append(row, strings.Join(t.notes, "; ")))
	}
	if noted {
		return append(header, l.say("chart.note")), rows
	}
	for i := range rows {
		rows[i] = rows[i][:len(header)]
	}
	return header, rows
}

// telling are the places of the twin's rows.
func (l *layout) telling() []twinRow {
	var rows []twinRow
	switch {
	case l.rowH > 0:
		for i := range l.p.X.Categories {
			rows = append(rows, twinRow{x: float64(i)})
		}
	case l.why != nil:
		return nil
	default:
		rows = []twinRow{{x: l.x.lo}, {x: l.x.hi}}
	}
	if l.p.Current != nil {
		rows = l.addNote(rows, l.p.Current.X, l.say("chart.current"))
	}
	for _, m := range l.p.Marks {
		rows = l.addNote(rows, m.X, m.Label)
	}
	for _, t := range l.pickTicks(twinRows - len(rows)) {
		rows = l.addNote(rows, t.v, "")
	}
	Ascending(rows, func(r twinRow) float64 { return r.x })
	return rows
}

// addNote adds a row for x, or the note to the row that is there.
func (l *layout) addNote(rows []twinRow, x float64, note string) []twinRow {
	for i := range rows {
		if isNear(rows[i].x, x) {
			rows[i].note(note)
			return rows
		}
	}
	if l.rowH > 0 || !l.x.contains(x) {
		return rows
	}
	rows = append(rows, twinRow{x: x})
	rows[len(rows)-1].note(note)
	return rows
}

func (r *twinRow) note(s string) {
	if s != "" && !slices.Contains(r.notes, s) {
		r.notes = append(r.notes, s)
	}
}

// pickTicks picks at most n of the ticks, evenly.
func (l *layout) pickTicks(n int) []tick {
	t := l.xt.major
	if n <= 0 || l.rowH > 0 {
		return nil
	}
	if len(t) <= n {
		return t
	}
	var some []tick
	for i := range n {
		some = append(some, t[i*len(t)/n])
	}
	return some
}
