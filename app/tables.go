package main

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// Tables for people are printed as sheets show them: the fields of a list of records, whose labels and units stand in
// app/library/fields.tsv, by the columns of app/widget. Those for programs, -json and -csv, have formats of their own.

// column is a column that no sheet has, beside those of the records.
type column struct {
	value.Field
	of func(i int) (v value.Value, known bool) // of the i-th record
}

// numberColumn is a column of numbers of a dimension; one that is 0 isn't known.
func numberColumn(name, label string, dim quantity.Dim, of func(i int) float64) column {
	return column{value.Field{Name: name, Label: label, Type: value.Type{Kind: value.Number, Dim: dim}},
		func(i int) (value.Value, bool) {
			x := of(i)
			return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: x, Dim: dim}}, x != 0
		}}
}

// textColumn is a column of texts.
func textColumn(name, label string, of func(i int) string) column {
	return column{value.Field{Name: name, Label: label, Type: value.Type{Kind: value.Text}},
		func(i int) (value.Value, bool) { return value.Value{Kind: value.Text, Text: of(i)}, true }}
}

// writeList prints these fields of a list, a line an entry, the columns own among them. An empty list has no table.
func writeList(w io.Writer, list value.Value, show []string, own ...column) error {
	if len(list.List) == 0 {
		return nil
	}
	_, err := io.WriteString(w, widget.ListText(phrase.Phrases{}, sheet.ListOf(withColumns(list, own), show...)))
	return err
}

// withColumns is a list whose records have more fields.
func withColumns(list value.Value, own []column) value.Value {
	kind := *list.List[0].Record.Type
	kind.Fields = slices.Clone(kind.Fields)
	for _, c := range own {
		kind.Fields = append(kind.Fields, c.Field)
	}
	wider := value.Value{Kind: value.List}
	for i, entry := range list.List {
		r := *entry.Record
		r.Type, r.Fields, r.Read = &kind, maps.Clone(r.All()), nil
		for _, c := range own {
			if v, known := c.of(i); known {
				r.Fields[c.Name] = v
			}
		}
		wider.List = append(wider.List, value.Value{Kind: value.Rec, Record: &r})
	}
	return wider
}

// csvColumn is a column of a table for programs, whose heads and numbers stay as they are from one release to the next.
type csvColumn[T any] struct {
	head string
	cell func(row *T) string
}

// writeTable prints rows with commas, below their heads if header says so.
func writeTable[T any](w io.Writer, columns []csvColumn[T], rows []T, header bool) error {
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	if header {
		for c := range columns {
			line[c] = columns[c].head
		}
		out.Write(line)
	}
	for i := range rows {
		for c := range columns {
			line[c] = columns[c].cell(&rows[i])
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}
