// Package solve finds the values of one input at which rows of a sheet meet, are least or greatest, or reach a target,
// and says in words why there are none. Package search does the finding, among numbers; whoever evaluates the rows is
// handed in.
package solve

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Search looks through the range of an input.
type Search struct {
	In    *input.Input               // a number
	Rows  func(x float64) []expr.Row // the rows that it is about where the input is x; the next call reuses the slice
	Words func(e syntax.Expr) any    // what readers call an expression
}
