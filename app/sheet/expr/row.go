package expr

import (
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// RowDef says what stands in a line of the sheet.
type RowDef struct {
	Name, Label string
	Kind        string // "input", "step" or "solve"
	Hidden      bool   // worked out, but not shown unless asked for
	Type        value.Type
	Pos         syntax.Pos
}

// Row is the value of one line, or why it has none.
type Row struct {
	Def   *RowDef
	Value value.Value
	Err   error
	// Absent is set where the condition behind the line's `when` does not hold: the row is worked out for those that use
	// it, but not shown.
	Absent bool
	// Under is set while long work for the row goes on: the value is what is found so far.
	Under *Under

	// Others are, of a solve, the further values at which its sides meet, ascending, at most 15.
	Others []value.Value
}

// Text is the value as the page prints it: a switch is on or off, but the answer to a question is yes or no. It is
// empty for a row without a value.
func (r *Row) Text() string {
	switch {
	case r.Err != nil:
		return ""
	case r.Value.Kind == value.Text && r.Def != nil && r.Def.Kind == "input":
		return value.ShortText(r.Value.Text)
	case r.Value.Kind != value.Bool || r.Def != nil && r.Def.Kind == "input":
		return r.Value.String()
	case r.Value.Bool:
		return "yes"
	}
	return "no"
}

// Under says of a row how far its long work has come, and whether the reader stopped it.
type Under struct {
	Done    float64 // from 0 to 1
	Stopped bool
	Work    any // what is under way, as whoever began it knows it
}
