// Package chart turns numbers into SVG: the same bytes at build time and in the browser.
package chart

// Plot is a chart to draw. It knows numbers and words only; units are the caller's, through Axis.Format.
type Plot struct {
	ID      string // unique in the page: prefixes the ids inside the SVG
	Title   string
	X, Y    Axis
	Series  []Series
	Marks   []Mark
	Regions []Region
	Current *Mark // where the reader stands: a vertical line and a dot on each curve
	Caption string
}

// Axis is one axis.
type Axis struct {
	Label      string // "Tokens in the batch (B)"
	Log        bool
	Min, Max   float64              // both 0: from the data
	Format     func(float64) string // a tick or a readout: "10 µs"; nil prints the number
	Categories []string             // a categorical x axis: the series' x are indexes, drawn as grouped bars or dots
}

// Series is one curve; NaN breaks it.
type Series struct {
	Name  string // stable: the class of its colour and dash comes from its index
	Label string
	X, Y  []float64
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
	X, Y  float64
	Label string
}

// Region is a stretch of the x axis with a word: "memory-bound".
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
	Y     float64
	Text  string
}

/*
	func (p *Plot) SVG() string                    // <svg class="chart" role="img" aria-labelledby=...>: no style attribute, classes only
	func (p *Plot) Twin() (header []string, rows [][]string)   // the text twin: a dozen telling rows, marks included
	func (p *Plot) Summary() string                // one sentence: what rises, where it crosses
	func (p *Plot) Read(x float64) Reading         // nearest/interpolated values, for the readout
	func (p *Plot) XAt(fraction float64) float64   // 0..1 across the plot area -> x, for pointer and keyboard
	func (p *Plot) Cursor(x float64) (px float64)  // x -> position in the viewBox, for the readout's line
*/
var _ = 0
