package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// writeRows prints a result for people: label, name, value and working, in columns, inputs first among themselves and
// the rest in the order of the text.
func writeRows(w io.Writer, r *sheet.Result) error {
	var out strings.Builder
	if r.Sheet.Title != "" {
		out.WriteString(r.Sheet.Title + "\n\n")
	}
	var lines [][4]string
	inputs := 0
	for _, wanted := range []bool{true, false} {
		for i := range r.Rows {
			if row := &r.Rows[i]; (row.Def.Kind == "input") == wanted && !row.Absent {
				lines = append(lines, rowLine(r, row))
			}
		}
		if wanted {
			inputs = len(lines)
		}
	}
	width := columnWidths(lines)
	for i, line := range lines {
		if i == inputs && inputs > 0 {
			out.WriteByte('\n')
		}
		text := pad(line[0], width[0]) + "  " + pad(line[1], width[1]) + "  "
		if line[3] == "" {
			text += line[2]
		} else {
			text += pad(line[2], width[2]) + "  " + line[3]
		}
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// rowLine is a row as four texts: label, name, value or the reason for none, working.
func rowLine(r *sheet.Result, row *expr.Row) [4]string {
	line := [4]string{1: row.Def.Name}
	if row.Def.Label != "" {
		line[0] = r.Sheet.Label(r.State, row.Def.Name)
	}
	if row.Err != nil {
		line[2] = "no value: " + oneLine(row.Err.Error())
		return line
	}
	line[2] = row.Text()
	switch row.Def.Kind {
	case "step":
		line[3] = working(r, row.Def.Name)
	case "solve":
		line[3] = r.Note(row.Def.Name)
	}
	return line
}

// working is a step's formula and the same with its numbers: "= 2 B D F = 2 × 256 × 4096". Long ones are left out: the
// columns are there to be read down.
func working(r *sheet.Result, name string) string {
	const long = 60
	text := "= " + oneLine(r.Sheet.Formula(name, explain.Plain))
	if numbers := oneLine(r.Working(name, explain.Plain)); numbers != "" && utf8.RuneCountInString(numbers) <= long {
		text += " = " + numbers
	}
	return text
}

// columnWidths are the widths of the first three columns. Reasons don't widen the third: nothing follows them.
func columnWidths(lines [][4]string) (width [3]int) {
	for _, line := range lines {
		for c := range width {
			if c == 2 && line[3] == "" {
				continue
			}
			width[c] = max(width[c], utf8.RuneCountInString(line[c]))
		}
	}
	return width
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// rowJSON is a row of eval -json.
type rowJSON struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Kind  string `json:"kind"`
	Type  string `json:"type"`
	Value any    `json:"value,omitempty"` // absent where there is an error; 0, "" and false are present
	Unit  string `json:"unit"`
	Text  string `json:"text"`
	// Hidden is set for rows that a page shows only to those who ask for all.
	Hidden bool   `json:"hidden,omitempty"`
	Error  string `json:"error,omitempty"`
}

// writeRowsJSON prints a result for programs: one object, a row a line.
func writeRowsJSON(w io.Writer, id string, r *sheet.Result) error {
	name, err := compactJSON(id)
	if err != nil {
		return err
	}
	out := bytes.NewBufferString(`{"sheet": ` + name + `, "rows": [`)
	sep := ""
	for i := range r.Rows {
		if r.Rows[i].Absent {
			continue
		}
		row, err := compactJSON(rowOf(r, &r.Rows[i]))
		if err != nil {
			return err
		}
		out.WriteString(sep + "\n  " + row)
		sep = ","
	}
	out.WriteString("\n]}\n")
	_, err = w.Write(out.Bytes())
	return err
}

func rowOf(r *sheet.Result, row *expr.Row) rowJSON {
	d := row.Def
	j := rowJSON{Name: d.Name, Kind: d.Kind, Type: d.Type.Kind.String(), Hidden: d.Hidden}
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
	if j.Value = plainValue(row.Value); j.Value == nil {
		j.Error = "the value is not finite"
		return j
	}
	j.Type, j.Text = row.Value.Kind.String(), row.Text()
	j.Unit = unitOf(row.Value)
	if in := r.Sheet.Input(d.Name); in != nil && j.Unit == "" && row.Value.Kind == value.Number && in.Unit.Value != 1 {
		j.Unit = "1" // a bare number would count in the unit that the author wrote
	}
	return j
}

// plainValue is a value as JSON carries it: a number in base units, a text, a switch as true or false, a dtype's name,
// a record's ID (its name if it has none). It is nil for a number that JSON has no way to write.
func plainValue(v value.Value) any {
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
			list[i] = plainValue(v.List[i])
		}
		return list
	}
	return v.Text
}

// unitOf is the base unit of a value as text: "byte/s", and "" for a plain number and for whatever is no number.
func unitOf(v value.Value) string {
	if v.Kind != value.Number {
		return ""
	}
	return v.Num.Dim.String()
}

// compactJSON is v as JSON on one line, with < and > as they are.
func compactJSON(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("json: %w", err)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}
