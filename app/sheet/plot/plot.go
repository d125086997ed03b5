// Package plot samples curves over an input, closely where something happens: at corners and jumps, where two curves
// cross, and where a curve goes over from one operand of a min or max to another. It finds what the axes are, and the
// places worth marking.
//
// It knows neither sheets nor drawings. A [Plot] says what to sample, and its bands evaluate rows; package sheet makes
// it of a `plot` statement. The [Data] are numbers, which package chart draws.
package plot

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Plot says what to sample.
type Plot struct {
	Title   string
	Over    *input.Input    // along the x axis: a number, or a menu
	Label   string          // of the x axis
	Now     value.Value     // the input's present value
	Range   search.Interval // of a number: the stretch that is drawn
	Log     *bool           // the y axis is logarithmic; nil lets the data decide
	Y       []Row           // a curve each, in every band
	Marks   []Row           // whose values are marked on the x axis
	Bands   []Band
	Main    string       // the row of the result, which needs those of other curves
	Spent   func() error // why no more rows may be evaluated, nil while they may
	Phrases phrase.Phrases
}

// Row is a row of the sheet, and what readers call it.
type Row struct{ Name, Label string }

// Band evaluates the curves of one value of `for`; without `for` there is one band, and it has no word.
type Band struct {
	Word string // "D = 1,024"
	Main bool   // it is where the sheet stands
	// Sweep prepares to evaluate the rows of these names.
	Sweep func(names []string) Sweep
	// Extreme is the min or max that the row of that name is as a whole, nil if it is none.
	Extreme func(name string) *Extreme
}

// Sweep evaluates rows again and again while the input varies. The next call reuses the slice.
type Sweep interface {
	Num(x float64) []expr.Row    // where the input is the number x, in base units
	At(v value.Value) []expr.Row // where it is v
}

// Extreme is a min or max.
type Extreme struct {
	Least bool // min
	// Operands are its operands where the input is x, in the space of out; NaN where one has no value.
	Operands func(x float64, out []float64) []float64
}

// Bounds of a plot.
const (
	samples    = 121 // of the even grid
	maxCorners = 24  // corners and jumps made sharp, of each band
	maxMarks   = 12  // crossings and ridges of a plot, each
	logDecades = 1.5 // a y axis that spans more becomes logarithmic beside a logarithmic x axis

	// MaxPoints is how many points a curve has at most.
	MaxPoints = samples + 1 + 2*maxCorners + 2*maxMarks
)

// Sample samples p: some 120 points a curve, and more where a curve has a corner or meets another, so that both are
// drawn where they are. The curves of one band share their x.
func (p *Plot) Sample() *Data {
	s := &sampler{p: p, out: &Data{Title: p.Title, X: p.xAxis(), Current: math.NaN()}}
	for i := range p.Bands {
		if p.Spent() == nil {
			s.bands = append(s.bands, newBand(p, &p.Bands[i]))
		}
	}
	if p.Over.IsNumber() {
		s.out.Current = p.Now.Num.Value
		s.curves()
	} else {
		s.menu()
	}
	s.finish()
	return s.out
}

// Data is a plot, sampled: plain numbers in base units.
type Data struct {
	Title   string
	X       Axis
	Y       Axis
	Series  []Series
	Marks   []Mark
	Current float64 // the x input's present value; over a menu the index of its choice; NaN if it isn't there
	Err     error
}

// Axis describes an axis.
type Axis struct {
	Name, Label string
	Dim         quantity.Dim
	Unit        quantity.Quantity // Value 1 with the label and binary flag to print ticks with
	Log         bool
	Min, Max    float64
	Categories  []string // for a plot over a menu: names in order, x being the index
}

// Series is one curve. Undefined stretches are NaN.
type Series struct {
	Name, Label string // label already says the `for` value, if any
	X, Y        []float64
	Main        bool // it is the result, or where the sheet stands
}

// Mark is a place worth marking: where two curves cross, where a min or max changes over (a ridge point), or a `mark`.
type Mark struct {
	Kind   string  // "crossing", "ridge", "mark"
	X, Y   float64 // Y is NaN for a vertical mark
	Label  string
	Series int // index, -1 if none
}
