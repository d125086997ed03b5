package chart

import (
	"math"
	"slices"
	"strings"
)

// Summary says in one sentence what the plot shows: what rises and falls, and where curves cross.
func (d Drawing) Summary() string { return d.l.summary() }

func (l *layout) summary() string {
	switch {
	case l.why != "":
		return upper(l.why) + "."
	case l.rowH > 0:
		return l.summarizeRows()
	}
	var drawn []int
	for i := range l.p.Series {
		if l.curves[i].data > 0 {
			drawn = append(drawn, i)
		}
	}
	if len(drawn) > 3 {
		return upper(l.rank(drawn)) + "."
	}
	var phrases []string
	for n, i := range drawn {
		if n == 0 && len(drawn) > 1 {
			if c, ok := l.crossing(drawn[0], drawn[1]); ok && len(drawn) == 2 {
				return upper(l.subject(i)+" "+l.course(i)+"; it "+c) + "."
			}
		}
		phrases = append(phrases, l.subject(i)+" "+l.course(i))
	}
	s := enumerate(phrases)
	if c := l.firstCrossing(drawn); c != "" {
		s += "; " + c
	}
	return upper(s) + "."
}

// subject names a curve within a sentence.
func (l *layout) subject(i int) string {
	s := l.p.Series[i].text()
	if s == "" {
		s = l.p.Y.Label
	}
	if s == "" {
		return "the curve"
	}
	if strings.Contains(s, ", ") {
		s += ","
	}
	return lower(s)
}

// enumerate joins phrases: a, b and c. Phrases that contain commas are joined by semicolons.
func enumerate(phrases []string) string {
	comma, and := ", ", " and "
	if slices.ContainsFunc(phrases, func(s string) bool { return strings.Contains(s, ", ") }) {
		comma, and = "; ", "; "
	}
	n := len(phrases)
	if n < 2 {
		return strings.Join(phrases, "")
	}
	return strings.Join(phrases[:n-1], comma) + and + phrases[n-1]
}

// visible lists the values of a curve within the axes' ranges, the interpolated ends included.
func (l *layout) visible(i int) (xs, ys []float64) {
	s := &l.p.Series[i]
	add := func(x, y float64) {
		if l.x.has(x) && l.y.ok(y) {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	inner := func(x float64) bool { return x > l.x.lo && x < l.x.hi }
	add(l.x.lo, s.at(l.x.lo, l.x.log, l.y.log))
	s.each(func(x, y float64) {
		if inner(x) {
			add(x, y)
		}
	})
	add(l.x.hi, s.at(l.x.hi, l.x.log, l.y.log))
	return xs, ys
}

// course says how a curve runs: what it rises or falls from and to, and where it turns or levels off.
func (l *layout) course(i int) string {
	xs, ys := l.visible(i)
	if len(ys) == 0 {
		return "has no value in this range"
	}
	y := l.p.Y.format
	first, last := ys[0], ys[len(ys)-1]
	lo, hi := slices.Index(ys, slices.Min(ys)), slices.Index(ys, slices.Max(ys))
	switch {
	case len(ys) == 1:
		return "is " + y(first) + " at " + l.p.X.format(xs[0])
	case y(ys[lo]) == y(ys[hi]):
		return "stays at " + y(first)
	}
	up, down := turns(ys)
	at := func(k int) string { return l.p.X.format(xs[k]) }
	switch {
	case !down:
		return l.oneWay("rises", xs, ys)
	case !up:
		return l.oneWay("falls", xs, ys)
	case single(ys, hi, 1):
		return "rises from " + y(first) + " to " + y(ys[hi]) + " at " + at(hi) + ", then falls to " + y(last)
	case single(ys, lo, -1):
		return "falls from " + y(first) + " to " + y(ys[lo]) + " at " + at(lo) + ", then rises to " + y(last)
	}
	return "varies between " + y(ys[lo]) + " and " + y(ys[hi])
}

// slack is the relative change that counts as none.
const slack = 1e-9

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

// oneWay describes a curve that only rises or only falls; a level stretch at one end is told of if it is long.
func (l *layout) oneWay(verb string, xs, ys []float64) string {
	y, n := l.p.Y.format, len(ys)
	same := func(a, b float64) bool { return math.Abs(a-b) <= float64(slack*math.Max(math.Abs(a), math.Abs(b))) }
	from, to := 0, n-1
	for from+1 < n && same(ys[from+1], ys[0]) {
		from++
	}
	for to > 0 && same(ys[to-1], ys[n-1]) {
		to--
	}
	long := func(a, b float64) bool { return math.Abs(l.x.fraction(a)-l.x.fraction(b)) > 0.1 }
	course := verb + " from " + y(ys[0]) + " to " + y(ys[n-1])
	switch {
	case long(xs[to], xs[n-1]):
		return course + " at " + l.spot(xs[to]) + ", then stays there"
	case long(xs[0], xs[from]):
		return "stays at " + y(ys[0]) + " up to " + l.spot(xs[from]) + ", then " + verb + " to " + y(ys[n-1])
	}
	return course
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

// crossing says where curve i first crosses curve j: "overtakes b at 263".
func (l *layout) crossing(i, j int) (string, bool) {
	a, b := &l.p.Series[i], &l.p.Series[j]
	if a.Dots || b.Dots {
		return "", false
	}
	xs, ys := l.visible(i)
	var d0, x0 float64 // the last difference that wasn't zero, and where
	for k, x := range xs {
		other := b.at(x, l.x.log, l.y.log)
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
			cross := l.x.at(f0 + float64((f1-f0)*(d0/(d0-d))))
			verb := "overtakes "
			if d < 0 {
				verb = "falls below "
			}
			return verb + l.subject(j) + " at " + l.spot(cross), true
		}
		d0, x0 = d, x
	}
	return "", false
}

// firstCrossing is the first crossing of any two of the curves.
func (l *layout) firstCrossing(drawn []int) string {
	for n, i := range drawn {
		for _, j := range drawn[n+1:] {
			if c, ok := l.crossing(i, j); ok {
				return l.subject(i) + " " + c
			}
		}
	}
	return ""
}

// rank compares many curves at both ends.
func (l *layout) rank(drawn []int) string {
	var parts []string
	for n, x := range []float64{l.x.lo, l.x.hi} {
		side := [...]string{"on the left, at ", "on the right, at "}[n] + l.p.X.format(x) + ", "
		highest := l.extreme(drawn, x, func(a, b float64) bool { return a > b })
		lowest := l.extreme(drawn, x, func(a, b float64) bool { return a < b })
		if highest != "" && highest != lowest {
			parts = append(parts, side+"the highest "+highest+" and the lowest "+lowest)
		}
	}
	if len(parts) == 0 {
		return itoa(len(drawn)) + " curves are drawn"
	}
	return "of " + itoa(len(drawn)) + " curves, " + strings.Join(parts, "; ")
}

// extreme says which curve comes first at x, or how many of them, and its value: "is A (5 ms)"; "" if none is there.
func (l *layout) extreme(drawn []int, x float64, before func(a, b float64) bool) string {
	first, who, count, best := 0.0, -1, 0, ""
	for _, i := range drawn {
		v := l.p.Series[i].at(x, l.x.log, l.y.log)
		if !l.y.ok(v) {
			continue
		}
		switch s := l.p.Y.format(v); {
		case who >= 0 && s == best:
			count++
		case who < 0 || before(v, first):
			first, who, count, best = v, i, 1, s
		}
	}
	switch {
	case who < 0:
		return ""
	case count > 1:
		return "are " + itoa(count) + " of them (" + best + ")"
	}
	return "is " + l.subject(who) + " (" + best + ")"
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
		name := func(row int) string { return l.p.X.Categories[row] + " (" + l.p.Y.format(s.row(row)) + ")" }
		switch {
		case s.row(lo) == s.row(hi):
			parts = append(parts, l.subject(i)+" is "+l.p.Y.format(s.row(lo))+" for all "+itoa(n))
		default:
			parts = append(parts, l.subject(i)+" is highest for "+name(hi)+" and lowest for "+name(lo)+" of "+itoa(n))
		}
	}
	return upper(strings.Join(parts, "; ")) + "."
}
