package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Input is the input of that name, or nil.
func (s *Sheet) Input(name string) *input.Input {
	for _, in := range s.Inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

// Row is the definition of the line of that name, or nil.
func (s *Sheet) Row(name string) *expr.RowDef {
	for i := range s.Rows {
		if s.Rows[i].Name == name {
			return &s.Rows[i]
		}
	}
	return nil
}

// Value is the value of the row of that name, or why it has none.
func (r *Result) Value(name string) (value.Value, error) {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return r.Rows[i].Value, r.Rows[i].Err
		}
	}
	return value.Value{}, phrase.New("sheet.no-row", "name", name)
}

// def is the parsed expression of a step; nil for anything else.
func (s *Sheet) def(name string) syntax.Expr {
	if i, ok := s.prog.byName[name]; ok {
		return s.prog.slots[i].expr
	}
	return nil
}

// solveDef is the solve of that name, or nil.
func (s *Sheet) solveDef(name string) *solve.Def {
	if i, ok := s.prog.byName[name]; ok {
		return s.prog.slots[i].solve
	}
	return nil
}
