package chart

import (
	"slices"
	"strings"
)

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
		rows = l.tell(rows, l.p.Current.X, l.say("chart.current"))
	}
	for _, m := range l.p.Marks {
		rows = l.tell(rows, m.X, m.Label)
	}
	for _, t := range l.fill(twinRows - len(rows)) {
		rows = l.tell(rows, t.v, "")
	}
	Ascending(rows, func(r twinRow) float64 { return r.x })
	return rows
}

// tell adds a row for x, or the note to the row that is there.
func (l *layout) tell(rows []twinRow, x float64, note string) []twinRow {
	for i := range rows {
		if near(rows[i].x, x) {
			rows[i].note(note)
			return rows
		}
	}
	if l.rowH > 0 || !l.x.has(x) {
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

// fill picks at most n of the ticks, evenly.
func (l *layout) fill(n int) []tick {
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
