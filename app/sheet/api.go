package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// This file is the face of the package: what the rooms above use. The work is done in the others.

// Pos is a place in a sheet's text, Error a fault there.
type (
	Pos   = syntax.Pos
	Error = syntax.Error
)

// The sizes in which a page shows a sheet, beside that of a worked answer: across the page's whole width, and within a
// sentence, with the working folded away below it.
const (
	Hero   = "hero"
	Inline = "inline"
)

// Sheet is a compiled sheet. It is immutable and safe for concurrent use.
type Sheet struct {
	ID, Title string
	Size      string // how large a page shows it: Hero, Inline, or empty for a worked answer
	Source    string
	Inputs    []*input.Input // in the order of the text
	Rows      []expr.RowDef  // inputs, steps and solves in the order of the text
	Asks      []Ask
	Plots     []*Plot
	Tables    []*Table
	Figures   []*FigureDef
	Expects   []*Expect

	env   *value.Env
	prog  *program
	tasks *Tasks // of a view, nil for all
}

// Phrases is the language in which the sheet speaks to its reader.
func (s *Sheet) Phrases() phrase.Phrases {
	if s.env == nil {
		return phrase.Phrases{}
	}
	return s.env.Phrases
}

// Ask invites the reader to estimate Name before seeing it.
type Ask struct{ Name, Question string }

// Result is a sheet evaluated in one state.
type Result struct {
	Sheet  *Sheet
	State  input.State
	Rows   []expr.Row              // parallel to Sheet.Rows
	extra  []expr.Row              // of all slots of the program: the rows, then conditions and what figures draw
	inputs map[string]*input.Input // those that follow other lines
}

// Elasticity says by what percentage Output moves when Input moves by one percent (d ln output / d ln input).
type Elasticity struct {
	Input string
	Value float64
	// Kink is set where the slope differs to the left and to the right (a max or min changes over here): Value is then the
	// mean.
	Kink bool
}

// TableData is a table, evaluated.
type TableData struct {
	Table  *Table
	Header []string // first the input, then the columns
	Units  []string
	Rows   []TableRow
}

// TableRow is one line of it; Cells has a value or an error each.
type TableRow struct {
	Input value.Value
	Cells []expr.Row
}

// ExpectResult is the outcome of one `expect`.
type ExpectResult struct {
	Expect *Expect
	Got    value.Value
	Err    error // why there was no value to compare
	OK     bool
}
