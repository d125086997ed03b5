package sheet

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Order is what the entries of a table are ranked by: the name of a field, "" for as given, and whether the largest
// come first.
type Order struct {
	By   string
	Desc bool
}

// ParseOrder reads an order as addresses carry it: "time", or "-time" for the largest first. The error is for the
// reader.
func (t *Table) ParseOrder(text string) (Order, error) {
	o := Order{By: strings.TrimPrefix(text, "-"), Desc: strings.HasPrefix(text, "-")}
	if o.By != "" && !slices.Contains(t.Columns, o.By) {
		return t.Order(), phrase.New("sheet.table-has-no-column", "column", syntax.Clip(o.By), "remedy",
			syntax.DidYouMean(o.By, t.Columns, phrase.New("sheet.its-columns", "names", syntax.OneOf(t.Columns))))
	}
	return o, nil
}

// Order is the order in which its author ranks the entries of a table of a list.
func (t *Table) Order() Order { return Order{t.By, t.Desc} }

// String is an order as addresses carry it.
func (o Order) String() string {
	if o.Desc {
		return "-" + o.By
	}
	return o.By
}

// ListData is a table of a list, evaluated: a column for each field, a line for each entry in the given order.
type ListData struct {
	Fields []value.Field
	Rows   []ListRow
	Err    error // why there is no list
}

// ListRow is an entry of a list, and its fields: a value each, or why there is none.
type ListRow struct {
	Entry value.Value
	Cells []expr.Row
}

// ListData are the entries of the list that t shows, in an order of the reader's or the author's choice.
func (r *Result) ListData(t *Table, o Order) *ListData {
	v, err := r.Value(t.List)
	data := &ListData{Err: err}
	if err != nil {
		return data
	}
	typ := r.Sheet.Row(t.List).Type
	if typ.Of == nil {
		typ = v.Type()
	}
	data.Fields = listFields(t, typ)
	for _, i := range ranked(v.List, o) {
		data.Rows = append(data.Rows, listRow(v.List[i], data.Fields))
	}
	return data
}

// listFields are the columns of a table: the fields it shows, or one for the entries themselves.
func listFields(t *Table, typ value.Type) []value.Field {
	if len(t.Columns) == 0 {
		if typ.Of == nil {
			return []value.Field{{}}
		}
		return []value.Field{{Type: *typ.Of}}
	}
	var fields []value.Field
	for _, name := range t.Columns {
		f := value.Field{Name: name}
		if typ.Of != nil {
			if known := typ.Of.Kin.Field(name); known != nil {
				f = *known
			}
		}
		fields = append(fields, f)
	}
	return fields
}

func listRow(entry value.Value, fields []value.Field) ListRow {
	row := ListRow{Entry: entry, Cells: make([]expr.Row, len(fields))}
	for i := range fields {
		if fields[i].Name == "" {
			row.Cells[i].Value = entry
			continue
		}
		v, ok := entry.Record.Field(fields[i].Name)
		if !ok {
			row.Cells[i].Err = value.MissingField(entry.Record, &fields[i])
		}
		row.Cells[i].Value = v
	}
	return row
}

// ranked is the order of the entries of a list by a field; those without it are last, and equal ones stay as they
// stand.
func ranked(list []value.Value, o Order) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	if o.By == "" {
		return order
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, okA := list[i].Record.Field(o.By)
		b, okB := list[j].Record.Field(o.By)
		switch {
		case !okA || !okB:
			return cmp.Compare(btoi(!okA), btoi(!okB))
		case o.Desc:
			return compareValues(b, a)
		}
		return compareValues(a, b)
	})
	return order
}

// compareValues orders values of one kind: numbers and dtypes by size, switches off first, anything else by its text.
func compareValues(a, b value.Value) int {
	switch a.Kind {
	case value.Number:
		return cmp.Compare(a.Num.Value, b.Num.Value)
	case value.Bool:
		return cmp.Compare(btoi(a.Bool), btoi(b.Bool))
	case value.DType:
		return cmp.Or(cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.Text, b.Text))
	case value.List:
		return cmp.Compare(len(a.List), len(b.List))
	}
	return strings.Compare(a.String(), b.String())
}
