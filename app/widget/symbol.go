package widget

import (
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// symbolML is a variable as mathematics, set as the sheet sets it in its formulas.
func symbolML(name string) string { return explain.Symbol(name, explain.MathML) }
