package sheet

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
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

// Order is what the entries of a table are ranked by: the name of a field, "" for as given, and whether the largest
// come first.
type Order struct {
	By   string
	Desc bool
}

// ParseOrder reads an order as addresses carry it: "time", or "-time" for the largest first. The error is for the
// reader.
func (t *Table) ParseOrder(text string) (Order, error) {
	o := Order{By: t.fieldName(strings.TrimPrefix(text, "-")), Desc: strings.HasPrefix(text, "-")}
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
	data.fill(v, listFields(t.Columns, typ), o)
	return data
}

// ListOf is a list as a table without a sheet shows it: these fields of its entries, in the order in which they stand.
func ListOf(list value.Value, show ...string) *ListData {
	data := &ListData{}
	data.fill(list, listFields(show, list.Type()), Order{})
	return data
}

// fill reads the fields of each entry of a list.
func (d *ListData) fill(list value.Value, fields []value.Field, o Order) {
	d.Fields = fields
	for _, i := range ranked(list.List, o) {
		d.Rows = append(d.Rows, listRow(list.List[i], fields))
	}
}

// listFields are the columns of a table: the fields it shows, or one for the entries themselves.
func listFields(show []string, typ value.Type) []value.Field {
	if len(show) == 0 {
		if typ.Of == nil {
			return []value.Field{{}}
		}
		return []value.Field{{Type: *typ.Of}}
	}
	var fields []value.Field
	for _, name := range show {
		f := value.Field{Name: name}
		if typ.Of != nil {
			if known := typ.Of.Record.Field(name); known != nil {
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

// listTable checks a table of a list: its fields, its order and its length.
func (c *compiler) listTable(t *syntax.Table) {
	n := t.Columns[0]
	s := c.row(n)
	if s == nil {
		return
	}
	if s.def.Type.Kind != value.List {
		c.errs.Add(n.Pos, phrase.New("sheet.no-list", "name", n.Name, "type", s.def.Type),
			phrase.New("sheet.table-over-input", "name", n.Name))
		return
	}
	out := &Table{
		Pos:     t.Pos,
		List:    n.Name,
		Desc:    t.Desc,
		Caption: t.Caption,
		Chooses: c.chosenFrom(n.Name),
		when:    c.extras[t.When],
	}
	of := s.def.Type.Of
	if of != nil {
		out.entries = of.Record
	}
	for _, f := range t.Show {
		if !c.listField(f, of) {
			return
		}
		out.Columns = append(out.Columns, out.fieldName(f.Name))
	}
	if t.Show == nil && of != nil && of.Kind == value.Rec && of.Record != nil {
		for i := range of.Record.Fields[:min(len(of.Record.Fields), syntax.MaxColumns)] {
			out.Columns = append(out.Columns, of.Record.Fields[i].Name)
		}
	}
	if t.By.Name != "" && !c.listField(t.By, of) {
		return
	}
	out.By = out.fieldName(t.By.Name)
	var ok bool
	if out.Top, ok = c.top(t.Top); ok {
		c.sheet.Tables = append(c.sheet.Tables, out)
	}
}

// fieldName is what a field of a list's entries is called today.
func (t *Table) fieldName(name string) string {
	if field := t.entries.Field(name); field != nil {
		return field.Name
	}
	return name
}

// listField reports a name that is no field of a list's entries.
func (c *compiler) listField(f syntax.Ident, of *value.Type) bool {
	switch {
	case of == nil:
		return true // an empty list, of which nothing is known
	case of.Kind != value.Rec:
		c.errs.Add(f.Pos, phrase.New("sheet.entries-no-fields", "type", of), phrase.New("sheet.leave-out-show-by"))
		return false
	case of.Record.Field(f.Name) != nil:
		return true
	}
	var names []string
	if of.Record != nil {
		for i := range of.Record.Fields {
			names = append(names, of.Record.Fields[i].Name)
		}
	}
	c.errs.Add(f.Pos, phrase.New("sheet.no-field", "record", of.Record.Describe(), "field", syntax.Clip(f.Name)),
		syntax.DidYouMean(f.Name, names, phrase.New("sheet.its-fields", "names", syntax.OneOf(names))))
	return false
}

// top reads `top 20`.
func (c *compiler) top(e syntax.Expr) (int, bool) {
	if e == nil {
		return 0, true
	}
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	if n := v.Num.Value; v.Kind == value.Number && v.Num.Dim.IsZero() && n >= 1 && n <= maxTop && n == float64(int(n)) {
		return int(n), true
	}
	c.errs.Add(e.Position(), phrase.New("sheet.no-number-entries", "code", syntax.Brief(e)),
		phrase.New("sheet.write-number-of-entries", "most", maxTop))
	return 0, false
}

// chosenFrom is the input whose menu is the list of that name: let x = first of xs, or of xs. It is empty if there is
// none.
func (c *compiler) chosenFrom(list string) string {
	for _, d := range c.defs[:len(c.sheet.Rows)] {
		if d.Kind != "input" || d.Unspecified || len(d.Of) != 1 || d.Others != nil || d.Most != nil {
			continue
		}
		if n, ok := syntax.Ungroup(d.Of[0].Expr).(*syntax.Name); ok && n.Name == list {
			return d.Name
		}
	}
	return ""
}
