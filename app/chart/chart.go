// Package chart turns numbers into SVG: the same bytes at build time and in the browser.
//
// It works in these steps:
//
//  1. The axes get their ranges from what is given, or from the data (scale.go).
//  2. The frame is laid out: what stands above the plot area, the tick labels that fit, the margins (layout.go,
//     ticks.go; bars.go for a categorical axis).
//  3. The curves are projected, clipped to the plot area and thinned to what the eye can see (svg.go).
//  4. Labels are placed where they touch nothing (place.go); what finds no place goes into a legend.
//  5. All of it is written with coordinates of one decimal (svg.go). Colours, dashes and text sizes are the style
//     sheet's: web/chart.css.
//
// A drawing is 440 units wide and laid out for text of 15 units, which a phone shows at 11 to 12 px; where there is
// more space the style sheet makes the text smaller in units, so that one drawing serves all widths and text that
// fits on a phone fits everywhere.
//
// Beside the picture stand its words: [Drawing.Summary], [Drawing.AltTable] and [Drawing.Read]. A [Plot] has the same
// methods; who asks more than one question draws first.
package chart

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
)

// Plot is a chart to draw. It knows numbers and words only; units are the caller's, through Axis.Format.
// The zero value is a plot without values, which is drawn as a frame that says so.
type Plot struct {
	ID      string // unique in the page: prefixes the ids inside the SVG
	Title   string // the accessible name; not drawn, as the page has a heading or caption
	X, Y    Axis
	Series  []Series
	Marks   []Mark
	Current *Mark   // where the reader stands: a line at X, a dot on each curve; of a categorical axis, the row X
	Guess   *Mark   // the reader's estimate: a Vertical for one of X, a Point for one of Y; nil for none
	Sketch  *Series // the curve that the reader expects, from one end of the x axis to the other; its Guess lies on it
	Caption string  // the page's to print; not drawn
	Phrases phrase.Phrases
}

// Axis is one axis.
type Axis struct {
	Label      string               // "Tokens in the batch (B)"
	Log        bool                 // values that aren't positive have no place on it and are left out
	Min, Max   float64              // both 0: from the data; those of y are rounded outward to ticks
	Format     func(float64) string // a tick or a readout: "10 µs"; nil prints the number; finite numbers only
	Round      []float64            // rising: what a logarithmic axis labels first, where powers of ten have odd labels
	Categories []string             // a categorical x axis: the series' x are indexes; drawn as rows with bars or dots
}

// RoundTimes are seconds that read well: what an axis of time labels first if it goes beyond minutes.
func RoundTimes() []float64 {
	const minute, hour, day = 60, 3600, 86400
	return []float64{.001, .01, .1, 1, 10, minute, 10 * minute, hour, 10 * hour, 10 * day, 100 * day}
}

// RoundPrices are dollars a second that read well as dollars an hour.
func RoundPrices() (round []float64) {
	for cents := 1.0; cents < 1e9; cents *= 10 {
		round = append(round, cents/100/3600, 3*cents/100/3600)
	}
	return round
}

// Series is one curve; NaN breaks it. On a categorical axis X may be nil: Y is then parallel to the categories.
type Series struct {
	Name  string // stable; used where there is no Label
	Label string
	X, Y  []float64
	// Dots draws the values themselves, without a line between them: for measurements beside a curve.
	Dots bool
	// Main is the result that the others explain: its line is the broadest and lies below theirs, which may run along
	// it.
	Main bool
}

// MarkKind tells marks apart.
type MarkKind uint8

// The kinds of mark.
const (
	Point    MarkKind = iota
	Vertical          // a line over the whole height
)

// Mark is a labelled place.
type Mark struct {
	Kind  MarkKind
	X, Y  float64 // Y of a Vertical is unused
	Label string
	Of    int // of a Point that belongs to one curve, its number from 1 on: it takes its colour; 0 for none
}

// Reading is what the curves say at one x.
type Reading struct {
	X      float64
	XText  string
	Values []SeriesReading
}

// SeriesReading is one curve's value there.
type SeriesReading struct {
	Label string
	Y     float64 // NaN where the curve has no value
	Text  string  // what is true of it there
	// At is where that value stands in the viewBox: the y of the reading's dot, or its x on a categorical axis;
	// NaN if it is not in the plot area. Live code moves the dots of the cursor there.
	At float64
}

// Text is the series as a reader knows it.
func (s *Series) text() string {
	if s.Label != "" {
		return s.Label
	}
	return s.Name
}

// format prints a finite value of the axis.
func (a *Axis) format(v float64) string {
	if a.Format == nil {
		return plain(v)
	}
	return a.Format(v)
}

// categorical says whether the plot is drawn as rows.
func (p *Plot) categorical() bool { return len(p.X.Categories) > 0 }

// Drawing is a plot laid out: what several questions about one plot have in common, computed once. It does not follow
// later changes of the plot, and is safe for concurrent use.
type Drawing struct{ l *layout }

// Draw lays the plot out.
func (p *Plot) Draw() Drawing { return Drawing{p.layout()} }

// SVG is Drawing.SVG of a plot drawn for this only.
func (p *Plot) SVG() string { return p.Draw().SVG() }

// AltTable is Drawing.AltTable of a plot drawn for this only.
func (p *Plot) AltTable() (header []string, rows [][]string) { return p.Draw().AltTable() }

// Summary is Drawing.Summary of a plot drawn for this only.
func (p *Plot) Summary() string { return p.Draw().Summary() }

// Read is Drawing.Read of a plot drawn for this only.
func (p *Plot) Read(x float64) Reading { return p.Draw().Read(x) }

// XAt is Drawing.XAt of a plot drawn for this only.
func (p *Plot) XAt(fraction float64) float64 { return p.Draw().XAt(fraction) }

// Cursor is Drawing.Cursor of a plot drawn for this only.
func (p *Plot) Cursor(x float64) float64 { return p.Draw().Cursor(x) }

// valueAt is the series' value at x: interpolated between its neighbours along the straight line that the plot draws,
// NaN in a gap and beyond the ends.
func (s *Series) valueAt(x float64, logX, logY bool) float64 {
	n := min(len(s.X), len(s.Y))
	for i := range n {
		if isNear(s.X[i], x) && !math.IsNaN(s.Y[i]) {
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

// isNear says whether a and b are the same but for rounding.
func isNear(a, b float64) bool {
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
		v := SeriesReading{Label: s.text(), Y: s.valueAt(x, p.X.Log, p.Y.Log), At: math.NaN()}
		if finite(v.Y) {
			v.Text = l.worth(v.Y)
			if l.x.contains(x) && l.y.contains(v.Y) && l.why == nil {
				v.At = l.y.pos(v.Y)
			}
		} else {
			v.Y, v.Text = math.NaN(), l.without(s, x)
		}
		r.Values = append(r.Values, v)
	}
	return r
}

// without says what is true of a curve where it has no value: it begins or ends elsewhere, or is points of which none
// is here.
func (l *layout) without(s *Series, x float64) string {
	first, last := math.NaN(), math.NaN()
	for i, y := range s.Y {
		if finite(y) {
			if math.IsNaN(first) {
				first = s.X[i]
			}
			last = s.X[i]
		}
	}
	switch {
	case s.Dots:
		return l.say("chart.no-point")
	case x < first:
		return l.say("chart.begins", "x", l.p.X.format(first))
	case x > last:
		return l.say("chart.ends", "x", l.p.X.format(last))
	}
	return l.say("chart.no-value")
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

// drawGuess draws the reader's estimate: a line across the plot area, or a curve with a handle at each of its points.
// It takes no space from anything, so that the plot stays where it is while the reader moves it.
func (l *layout) drawGuess(w *pen) {
	g := l.p.Guess
	seen := g != nil && (g.Kind == Vertical && l.x.contains(g.X) || g.Kind == Point && l.y.contains(g.Y))
	if g == nil || l.p.Sketch == nil && !seen {
		return
	}
	across, t := l.guess(g)
	w.Put(`<path class="guess" fill="none" stroke="currentColor" d="`)
	w.poly(across).Put("\"/>\n")
	if l.p.Sketch != nil {
		w.Put(`<g class="guess">`)
		for _, p := range across {
			w.Put(`<circle r="5"`).Attr("cx", p.x).Attr("cy", p.y).Put("/>")
		}
		w.Put("</g>\n")
	}
	w.label(t)
}

// guess is the line of an estimate, with its words on the side where it doesn't run.
func (l *layout) guess(g *Mark) ([]pt, text) {
	a := l.area
	if l.p.Sketch == nil && g.Kind == Vertical {
		t := text{"guess", g.Label, l.x.pos(g.X) + gap, a.y0 + line, start}
		if t.box().x1 > a.x1 {
			t.x, t.at = t.x-2*gap, end
		}
		return []pt{{l.x.pos(g.X), a.y0}, {l.x.pos(g.X), a.y1}}, t
	}
	points := []pt{{a.x0, l.y.pos(g.Y)}, {a.x1, l.y.pos(g.Y)}}
	if s := l.p.Sketch; s != nil {
		points = points[:0]
		for i, x := range s.X {
			points = append(points, l.inside(x, s.Y[i]))
		}
	}
	last, before := points[len(points)-1], points[len(points)-2]
	t := text{"guess", g.Label, last.x, last.y - line, end}
	if before.y < last.y && last.y+line < a.y1 || t.box().y0 < a.y0 {
		t.y = last.y + line
	}
	return points, t
}

// sketched is what the reader expects at x, in words.
func (l *layout) sketched(x float64) string {
	if y := l.p.Sketch.valueAt(x, l.x.log, l.y.log); finite(y) {
		return l.p.Y.format(y)
	}
	return l.say("chart.no-point")
}

// inside is where a place stands, or the nearest of the plot area.
func (l *layout) inside(x, y float64) pt {
	return pt{clamp(l.x.pos(x), l.area.x0, l.area.x1), clamp(l.y.pos(y), l.area.y0, l.area.y1)}
}

// On is the value of a curve at x as it would be drawn in this plot: straight on its axes between two points.
func (d Drawing) On(s *Series, x float64) float64 { return s.valueAt(x, d.l.x.log, d.l.y.log) }

// At are the values of both axes at a place in the viewBox, or the nearest of the plot area.
func (d Drawing) At(x, y float64) (float64, float64) {
	a := d.l.area
	return d.l.x.valueAt((x - a.x0) / (a.x1 - a.x0)), d.l.y.valueAt((a.y1 - y) / (a.y1 - a.y0))
}

// Share is how far up the y axis a value stands: 0 at its foot, 1 at its head.
func (d Drawing) Share(y float64) float64 {
	if !d.l.y.ok(y) {
		return 0
	}
	return clamp(d.l.y.fraction(y), 0, 1)
}

// YAt is the value at a fraction of the y axis.
func (d Drawing) YAt(fraction float64) float64 { return d.l.y.valueAt(fraction) }
