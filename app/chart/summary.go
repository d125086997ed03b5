package chart

import (
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
	return upper(l.say("chart.summary", "said", l.told(drawn)))
}

// told says how the drawn curves run and where two of them cross; of many, how they rank.
func (l *layout) told(drawn []int) string {
	if len(drawn) > 3 {
		return l.rank(drawn)
	}
	var courses []string
	for _, i := range drawn {
		courses = append(courses, l.course(i))
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
