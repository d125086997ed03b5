package chart

import (
	"math"
	"slices"
)

// visible lists the values of a curve within the axes' ranges, the interpolated ends included.
func (l *layout) visible(i int) (xs, ys []float64) {
	s := &l.p.Series[i]
	add := func(x, y float64) {
		if l.x.has(x) && l.y.ok(y) {
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

// course says how a curve runs: what it rises or falls from and to, and where it turns or levels off.
func (l *layout) course(i int) string {
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
		return l.oneWay(curve, up, xs, ys)
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

// oneWay describes a curve that only rises or only falls; a level stretch at one end is told of if it is long.
func (l *layout) oneWay(curve string, up bool, xs, ys []float64) string {
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
