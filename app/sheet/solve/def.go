package solve

import "github.com/scalebook/scalebook/app/sheet/syntax"

// Def is a `solve` statement. Its sides are hidden steps of the sheet, called "NAME.left" and "NAME.right".
type Def struct {
	Name, Input string
	Left, Right syntax.Expr // Right is nil where Left is to be least or greatest
	Goal        syntax.Goal
}

// IsExtreme tells whether d looks for a least or greatest value.
func (d *Def) IsExtreme() bool { return d.Right == nil }

// Sides are the names of the hidden steps of a solve.
func (d *Def) Sides() []string {
	if d.IsExtreme() {
		return []string{d.Name + ".left"}
	}
	return []string{d.Name + ".left", d.Name + ".right"}
}
