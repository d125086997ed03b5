package chart

import "math"

// valueAt is the series' value at x: interpolated between its neighbours along the straight line that the plot draws,
// NaN in a gap and beyond the ends.
func (s *Series) valueAt(x float64, logX, logY bool) float64 {
	n := min(len(s.X), len(s.Y))
	for i := range n {
		if near(s.X[i], x) && !math.IsNaN(s.Y[i]) {
			return s.Y[i]
		}
		if i+1 < n && !s.Dots {
			if y := between(s.X[i], s.X[i+1], s.Y[i], s.Y[i+1], x, logX, logY); !math.IsNaN(y) {
				return y
			}
		}
	}
	return math.NaN()
}

// near says whether a and b are the same but for rounding.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= float64(1e-12*math.Max(math.Abs(a), math.Abs(b)))
}

// between interpolates x0,y0 .. x1,y1 at x; NaN outside, and where a logarithm has no place for an end.
func between(x0, x1, y0, y1, x float64, logX, logY bool) float64 {
	if !(math.Min(x0, x1) < x && x < math.Max(x0, x1)) || !finite(y0) || !finite(y1) {
		return math.NaN()
	}
	if y0 == y1 {
		return y0
	}
	across := scale{log: logX, lo: x0, hi: x1}
	if !across.ok(x0) || !across.ok(x1) {
		return math.NaN()
	}
	f := across.fraction(x)
	if logY && (y0 <= 0 || y1 <= 0) {
		return math.NaN()
	}
	if logY {
		lo := log10(y0)
		return clamp(exp10(lo+float64(f*(log10(y1)-lo))), math.Min(y0, y1), math.Max(y0, y1))
	}
	return float64(y0*(1-f)) + float64(y1*f)
}

// Read says what the curves are at x, for a readout. Of a categorical axis x is an index and is rounded to one.
func (d Drawing) Read(x float64) Reading { return d.l.read(x) }

func (l *layout) read(x float64) Reading {
	p := l.p
	if p.categorical() {
		return l.readRow(x)
	}
	if !finite(x) {
		x = l.x.lo
	}
	r := Reading{X: x, XText: p.X.format(x)}
	for i := range p.Series {
		s := &p.Series[i]
		v := SeriesReading{Label: s.text(), Y: s.valueAt(x, p.X.Log, p.Y.Log), Text: l.say("chart.no-value"), At: math.NaN()}
		if finite(v.Y) {
			v.Text = l.worth(v.Y)
			if l.x.has(x) && l.y.has(v.Y) && l.why == nil {
				v.At = l.y.pos(v.Y)
			}
		} else {
			v.Y = math.NaN()
		}
		r.Values = append(r.Values, v)
	}
	return r
}

// XAt is the x at a fraction 0..1 of the way across the plot area (from left to right; of a categorical axis from top
// to bottom), for pointer and keyboard. It is the inverse of Cursor.
func (d Drawing) XAt(fraction float64) float64 {
	if p := d.l.p; p.categorical() {
		n := float64(len(p.X.Categories))
		if !(fraction > 0) {
			return 0
		}
		return clamp(math.Floor(float64(clamp(fraction, 0, 1)*n)), 0, n-1)
	}
	return d.l.x.valueAt(fraction)
}

// Cursor is the place of x in the viewBox, for the readout's line: its x, or the y of the row of a categorical axis.
// It keeps to the plot area.
func (d Drawing) Cursor(x float64) float64 {
	l := d.l
	if l.p.categorical() {
		return l.rowAt(l.row(x))
	}
	if !l.x.ok(x) {
		return l.x.a
	}
	return clamp(l.x.pos(x), l.area.x0, l.area.x1)
}
