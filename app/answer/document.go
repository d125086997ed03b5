package answer

import (
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Document is what a calculator makes of a file that another program printed: its rows and its tables.
type Document struct {
	Title  string  `json:"title" jsonschema:"of the calculator that reads such files"`
	Sheet  string  `json:"sheet" jsonschema:"its id"`
	Rows   []Row   `json:"rows" jsonschema:"its inputs and results, without the file"`
	Tables []Table `json:"tables" jsonschema:"its lists, such as the operations of a program, all of their entries"`
}

// Table is a list of a sheet, an entry a row.
type Table struct {
	List    string           `json:"list" jsonschema:"the variable"`
	Caption string           `json:"caption"`
	Columns []Column         `json:"columns"`
	Rows    []map[string]any `json:"rows" jsonschema:"by the names of columns, in base units; without what has no value"`
}

// Column is a field of the entries of a list.
type Column struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Unit  string `json:"unit" jsonschema:"the base unit, such as byte/s; empty for a count or a text"`
}

// DocumentOf is a result whose file is left out.
func DocumentOf(id string, r *sheet.Result) Document {
	d := Document{Title: r.Sheet.Title, Sheet: id, Rows: []Row{}, Tables: []Table{}}
	for _, row := range RowsOf(id, r).Rows {
		if in := r.Sheet.Input(row.Name); in == nil || in.Form() != input.DocumentForm {
			d.Rows = append(d.Rows, row)
		}
	}
	for i, t := range r.Sheet.Tables {
		if t.List != "" && r.ShowsTable(i) {
			d.Tables = append(d.Tables, tableOf(r, t))
		}
	}
	return d
}

// tableOf has all entries of a list, in the order in which its author ranks them.
func tableOf(r *sheet.Result, t *sheet.Table) Table {
	data := r.ListData(t, sheet.Order{By: t.By, Desc: t.Desc})
	out := Table{List: t.List, Caption: t.Caption, Columns: []Column{}, Rows: []map[string]any{}}
	for _, f := range data.Fields {
		unit := ""
		if f.Type.Kind == value.Number {
			unit = f.Type.Dim.String()
		}
		out.Columns = append(out.Columns, Column{Name: f.Name, Label: f.Label, Unit: unit})
	}
	for i := range data.Rows {
		row := map[string]any{}
		for c := range data.Rows[i].Cells {
			if cell := &data.Rows[i].Cells[c]; cell.Err == nil {
				if v := Plain(cell.Value); v != nil {
					row[data.Fields[c].Name] = v
				}
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
