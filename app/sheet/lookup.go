package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Input is the input of that name, or nil.
func (s *Sheet) Input(name string) *Input {
	for _, in := range s.Inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

// Row is the definition of the line of that name, or nil.
func (s *Sheet) Row(name string) *RowDef {
	for i := range s.Rows {
		if s.Rows[i].Name == name {
			return &s.Rows[i]
		}
	}
	return nil
}

// Value is the value of the row of that name, or why it has none.
func (r *Result) Value(name string) (Value, error) {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return r.Rows[i].Value, r.Rows[i].Err
		}
	}
	return Value{}, phrase.New("sheet.no-row", "name", name)
}

// Option is the choice of that id or name, or nil. Case matters only where two differ in nothing else.
func (in *Input) Option(id string) *Option {
	for i := range in.Menu {
		if in.Menu[i].ID == id {
			return &in.Menu[i]
		}
	}
	for i := range in.Menu {
		if strings.EqualFold(in.Menu[i].ID, id) || strings.EqualFold(in.Menu[i].Name, id) {
			return &in.Menu[i]
		}
	}
	return in.beyond(id)
}
