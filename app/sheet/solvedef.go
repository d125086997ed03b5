package sheet

import "github.com/scalebook/scalebook/app/sheet/syntax"

// goalWords are the words after `is`.
var goalWords = map[syntax.Goal]string{syntax.GoalLeast: "least", syntax.GoalGreatest: "greatest"}

// solveDef is a `solve` statement, compiled. Its sides are hidden steps of the program, called "NAME.left" and
// "NAME.right", which sweep knows by these names.
type solveDef struct {
	Name, Input string
	Left, Right syntax.Expr // Right is nil where Left is to be least or greatest
	Goal        syntax.Goal
	Label       string
}

// isExtreme tells whether d looks for a least or greatest value.
func (d *solveDef) isExtreme() bool { return d.Right == nil }

// sides are the names of the hidden steps of a solve.
func (d *solveDef) sides() []string {
	if d.isExtreme() {
		return []string{d.Name + ".left"}
	}
	return []string{d.Name + ".left", d.Name + ".right"}
}

// def is the parsed expression of a step; nil for anything else.
func (s *Sheet) def(name string) syntax.Expr {
	if i, ok := s.prog.byName[name]; ok {
		return s.prog.slots[i].expr
	}
	return nil
}

// solveDef is the solve of that name, or nil.
func (s *Sheet) solveDef(name string) *solveDef {
	if i, ok := s.prog.byName[name]; ok {
		return s.prog.slots[i].solve
	}
	return nil
}
