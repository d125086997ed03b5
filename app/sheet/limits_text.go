package sheet

// Limits keep hostile text harmless; no honest sheet comes near them. Each has a message of its own.
const (
	maxSource     = 64 << 10 // bytes of a sheet
	maxStatements = 400
	maxDepth      = 64   // parentheses, calls, signs and powers inside each other
	maxNodes      = 1000 // operands and operators of one statement
	maxName       = 64   // bytes of a name
	maxLabel      = 500  // bytes of a label, question, title or caption
	maxCurves     = 12   // of a plot, and values of a `for`
	maxColumns    = 16   // of a table
	maxValues     = 200  // of a table's input, and choices of a menu
	maxErrors     = 20   // reported at once
)
