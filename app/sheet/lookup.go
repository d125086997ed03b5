package sheet

import (
	"errors"
	"strings"
)

// ParseHeader reads what stands after the marks of a code fence: "sheet int8-matmul" is the sheet int8-matmul, "sheet"
// one without id. An id consists of small letters, digits and hyphens and begins with a letter; anything else is ok
// false.
func ParseHeader(fence string) (id string, ok bool) {
	words := strings.Fields(fence)
	switch {
	case len(words) == 0 || len(words) > 2 || words[0] != "sheet":
		return "", false
	case len(words) == 1:
		return "", true
	}
	return words[1], isID(words[1])
}

func isID(id string) bool {
	for i, r := range id {
		small := 'a' <= r && r <= 'z'
		if !small && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return len(id) <= maxName
}

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
	return Value{}, errors.New("the sheet has no row `" + name + "`")
}

// Text is the value as the page prints it: a switch is on or off, but the answer to a question is yes or no. It is empty
// for a row without a value.
func (r *Row) Text() string {
	switch {
	case r.Err != nil:
		return ""
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
