package syntax

// Limits keep hostile text harmless; no honest sheet comes near them. Each has a message of its own.
const (
	MaxSource     = 64 << 10 // bytes of a sheet
	maxStatements = 400
	maxDepth      = 64   // parentheses, calls, signs and powers inside each other
	maxNodes      = 1000 // operands and operators of one statement
	maxName       = 64   // bytes of a name
	maxLabel      = 500  // bytes of a label, question, title or caption
	MaxCurves     = 12   // of a plot, and values of a `for`
	MaxColumns    = 16   // of a table
	MaxValues     = 200  // of a table's input, and choices of a menu
	MaxErrors     = 20   // reported at once
)
