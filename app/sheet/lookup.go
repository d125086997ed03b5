package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
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

// Text is the value as the page prints it: a switch is on or off, but the answer to a question is yes or no. It is
// empty for a row without a value.
func (r *Row) Text() string {
	switch {
	case r.Err != nil:
		return ""
	case r.Value.Kind == Text && r.Def != nil && r.Def.Kind == "input":
		return value.ShortText(r.Value.Text)
	case r.Value.Kind != Bool || r.Def != nil && r.Def.Kind == "input":
		return r.Value.String()
	case r.Value.Bool:
		return "yes"
	}
	return "no"
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
