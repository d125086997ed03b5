package widget

import "github.com/scalebook/scalebook/app/sheet"

// symbolML is a variable as mathematics, set as the sheet sets it in its formulas.
func symbolML(name string) string { return sheet.Symbol(name, sheet.MathML) }
