// Package answer is what the command answers, as JSON: the rows of a sheet, a counted model, a plan of training. The
// command prints it (-json), its server for assistants (MCP) returns it, published data and the npm package carry it.
// All numbers are plain and in base units (FLOP, byte, s, USD, J and their quotients), unless a name says otherwise.
package answer

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Row is a row of a sheet.
type Row struct {
	Name  string `json:"name" jsonschema:"the variable"`
	Label string `json:"label" jsonschema:"what the page calls it, may be empty"`
	Kind  string `json:"kind" jsonschema:"input, step or solve"`
	Type  string `json:"type" jsonschema:"number, text, bool, dtype, record or list"`
	Value any    `json:"value,omitempty" jsonschema:"in base units; absent where there is an error"`
	Unit  string `json:"unit" jsonschema:"the base unit, such as byte/s; empty for a count"`
	Text  string `json:"text" jsonschema:"the value as the page prints it"`
	// Hidden is set for rows that a page shows only to those who ask for all.
	Hidden bool   `json:"hidden,omitempty" jsonschema:"whether the page shows the row only to those who ask for all"`
	Error  string `json:"error,omitempty" jsonschema:"why there is no value"`
}

// Rows are the rows of a sheet in one state.
type Rows struct {
	Sheet string `json:"sheet" jsonschema:"the id of the sheet, empty if it has none"`
	Rows  []Row  `json:"rows" jsonschema:"its inputs and results, in the order of its text"`
}

// RowsOf are the rows of a result that are there.
func RowsOf(id string, r *sheet.Result) Rows {
	all := Rows{Sheet: id, Rows: []Row{}}
	for i := range r.Rows {
		if !r.Rows[i].Absent {
			all.Rows = append(all.Rows, RowOf(r, &r.Rows[i]))
		}
	}
	return all
}

// Write prints rows as one object, a row a line.
func (r Rows) Write(w io.Writer) error {
	id, err := Line(r.Sheet)
	if err != nil {
		return err
	}
	out := `{"sheet": ` + id + `, "rows": [`
	sep := ""
	for i := range r.Rows {
		row, err := Line(r.Rows[i])
		if err != nil {
			return err
		}
		out += sep + "\n  " + row
		sep = ","
	}
	_, err = io.WriteString(w, out+"\n]}\n")
	return err
}

// RowOf is a row of a result.
func RowOf(r *sheet.Result, row *expr.Row) Row {
	d := row.Def
	j := Row{Name: d.Name, Kind: d.Kind, Type: d.Type.Kind.String(), Hidden: d.Hidden}
	if d.Label != "" {
		j.Label = r.Sheet.Label(r.State, d.Name)
	}
	if d.Type.Kind == value.Number {
		j.Unit = d.Type.Dim.String()
	}
	if row.Err != nil {
		j.Error = row.Err.Error()
		return j
	}
	if j.Value = Plain(row.Value); j.Value == nil {
		j.Error = "the value is not finite"
		return j
	}
	j.Type, j.Text = row.Value.Kind.String(), row.Text()
	j.Unit = Unit(row.Value)
	if in := r.Sheet.Input(d.Name); in != nil && j.Unit == "" && row.Value.Kind == value.Number && in.Unit.Value != 1 {
		j.Unit = "1" // a bare number would count in the unit that the author wrote
	}
	return j
}

// Units are the base units of the numbers of a sheet, by name.
func Units(sh *sheet.Sheet) map[string]string {
	units := map[string]string{}
	for _, row := range sh.Rows {
		if row.Type.Kind == value.Number {
			units[row.Name] = row.Type.Dim.String()
		}
	}
	return units
}

// Plain is a value as JSON carries it: a number in base units, a text, a switch as true or false, a dtype's name,
// a record's ID (its name if it has none). It is nil for a number that JSON has no way to write.
func Plain(v value.Value) any {
	switch v.Kind {
	case value.Number:
		if math.IsNaN(v.Num.Value) || math.IsInf(v.Num.Value, 0) {
			return nil
		}
		return v.Num.Value
	case value.Bool:
		return v.Bool
	case value.Rec:
		if v.Record == nil {
			return nil
		}
		if v.Record.ID != "" {
			return v.Record.ID
		}
		return v.Record.Name
	case value.List:
		list := make([]any, len(v.List))
		for i := range v.List {
			list[i] = Plain(v.List[i])
		}
		return list
	}
	return v.Text
}

// Unit is the base unit of a value as text: "byte/s", and "" for a plain number and for whatever is no number.
func Unit(v value.Value) string {
	if v.Kind != value.Number {
		return ""
	}
	return v.Num.Dim.String()
}

// Line is v as JSON on one line, with < and > as they are.
func Line(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("json: %w", err)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}
