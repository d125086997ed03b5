package sheet

// solveDef is a `solve` statement, compiled. Its two sides are hidden steps of the program, called "NAME.left" and
// "NAME.right", which sweep knows by these names.
type solveDef struct {
	Name, Input string
	Left, Right Expr
	Label       string
}

// def is the parsed expression of a step; nil for anything else.
func (s *Sheet) def(name string) Expr {
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
