package sheet

import (
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Plot is a `plot` statement:
//
//	plot y1, y2 over x [in 1..4096] [for z = a, b] [log|linear] [mark m1, m2] ["caption"]
//
// x may be a number input or a menu; `in` narrows or widens the sweep; log/linear set the y axis (x follows its input's
// scale); marks are steps or inputs of x's dimension, drawn as labelled verticals.
type Plot struct {
	Pos     Pos
	Y       []string
	Over    string
	Sweep   *[2]float64
	Log     *bool // nil: decided by the data
	For     *Vary
	Marks   []string
	Caption string
	when    int // the slot of its condition, 0 for none
}

// Table is a `table` statement: table y1, y2 over x [= a, b, c] ["caption"], or one of a list, which has List instead
// of Over: table xs [show field, field] [by field [desc]] [top 20] ["caption"].
type Table struct {
	Pos     Pos
	Columns []string // rows of the sheet; of a list, fields of its entries, none for entries that are no records
	Over    Vary
	List    string // the row whose list is shown
	By      string // the field that its author ranks by
	Desc    bool   // the largest first
	Top     int    // how many entries are shown at first; 0 for all
	Chooses string // the input that the reader sets by choosing an entry, or empty
	Caption string
	when    int // the slot of its condition, 0 for none
}

// FigureDef is a `figure` statement: figure torus(s, step) ["caption"]. What it draws is not this package's business.
type FigureDef struct {
	Pos     Pos
	Figure  *value.Figure
	Caption string
	args    []int // the slots of its arguments
	when    int   // the slot of its condition, 0 for none
}

// Vary is an input and the values it takes in turn. No values means all members of a menu.
type Vary struct {
	Name   string
	Values []value.Value
	from   []int // parallel to Values: the slot of a value that follows other lines, 0 for a constant
}

// Expect is an `expect` statement.
type Expect struct {
	Pos    Pos
	Name   string
	Op     string // how Name should compare with Want: = < <= > >=
	Want   value.Value
	Within float64 // relative; 1e-9 if the author gave none, 0 of a bound
	At     input.State
	Fact   string
}
