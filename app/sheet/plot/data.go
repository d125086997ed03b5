package plot

import (
	"github.com/scalebook/scalebook/app/quantity"
)

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
}

// Mark is a place worth marking: where two curves cross, where a min or max changes over (a ridge point), or a `mark`.
type Mark struct {
	Kind   string  // "crossing", "ridge", "mark"
	X, Y   float64 // Y is NaN for a vertical mark
	Label  string
	Series int // index, -1 if none
}
