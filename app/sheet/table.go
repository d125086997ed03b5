package sheet

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// TableData evaluates a table in state st, one row for each value of its input.
func (s *Sheet) TableData(st input.State, t *Table) *TableData {
	return s.tableOn(s.share(maxFuel), st, t)
}

// tableOn is TableData with the given fuel.
func (s *Sheet) tableOn(fuel *int, st input.State, t *Table) *TableData {
	data := &TableData{Table: t}
	in := s.InputIn(st, t.Over.Name)
	if in == nil {
		return data
	}
	data.Header = append(data.Header, in.Name)
	data.Units = append(data.Units, in.Default.Type().Unit())
	for _, name := range t.Columns {
		unit := ""
		if def := s.Row(name); def != nil {
			unit = def.Type.Unit()
		}
		data.Header, data.Units = append(data.Header, name), append(data.Units, unit)
	}
	values := s.turns(fuel, st, &t.Over)
	if t.Over.Values == nil {
		values = in.Members()
	}
	sw := s.sweepOn(fuel, st, in.Name, t.Columns)
	for _, v := range values {
		row := TableRow{Input: v, Cells: append([]expr.Row(nil), sw.At(v)...)}
		if fault := in.Refuses(v); in.Dependent && fault != nil {
			for i := range row.Cells {
				row.Cells[i].Value, row.Cells[i].Err = value.Value{}, fault.Fault()
			}
		}
		data.Rows = append(data.Rows, row)
	}
	return data
}
