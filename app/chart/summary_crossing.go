package chart

import "math"

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
		highest, lowest := l.say("chart.highest-is", "curve", who, "y", y), l.say("chart.lowest-is", "curve", other, "y", low)
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
