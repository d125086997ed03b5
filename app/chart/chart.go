// Package chart turns numbers into SVG: the same bytes at build time and in the browser.
//
// It works in these steps:
//
//  1. The axes get their ranges from what is given, or from the data (domain.go, scale.go).
//  2. The frame is laid out: what stands above the plot area, the tick labels that fit, the margins (layout.go,
//     ticks.go, strip.go; bars.go for a categorical axis).
//  3. The curves are projected, clipped to the plot area and thinned to what the eye can see (curve.go).
//  4. Labels are placed where they touch nothing (place.go); what finds no place goes into a legend.
//  5. All of it is written with coordinates of one decimal (svg.go). Colours, dashes and text sizes are the style
//     sheet's: web/chart.css.
//
// A drawing is 440 units wide and laid out for text of 15 units, which a phone shows at 11 to 12 px; where there is
// more room the style sheet makes the text smaller in units, so that one drawing serves all widths and text that
// fits on a phone fits everywhere.
//
// Beside the picture stand its words: [Drawing.Summary], [Drawing.Twin] and [Drawing.Read]. A [Plot] has the same
// methods; who asks more than one question draws first.
package chart

import "github.com/scalebook/scalebook/app/phrase"

// Plot is a chart to draw. It knows numbers and words only; units are the caller's, through Axis.Format.
// The zero value is a plot without values, which is drawn as a frame that says so.
type Plot struct {
	ID      string // unique in the page: prefixes the ids inside the SVG
	Title   string // the accessible name; not drawn, as the page has a heading or caption
	X, Y    Axis
	Series  []Series
	Marks   []Mark
	Regions []Region
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
	Categories []string             // a categorical x axis: the series' x are indexes; drawn as rows with bars or dots
}

// Series is one curve; NaN breaks it. On a categorical axis X may be nil: Y is then parallel to the categories.
type Series struct {
	Name  string // stable; used where there is no Label
	Label string
	X, Y  []float64
	// Dots draws the values themselves, without a line between them: for measurements beside a curve.
	Dots bool
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
}

// Region is a stretch of the x axis with a word: "memory-bound". An infinite end, or one beyond the axis, is the axis'
// end.
type Region struct {
	From, To float64
	Label    string
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
	Text  string  // "no value" there
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
