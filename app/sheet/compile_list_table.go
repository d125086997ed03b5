package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
	for _, f := range t.Show {
		if !c.listField(f, of) {
			return
		}
		out.Columns = append(out.Columns, f.Name)
	}
	if t.Show == nil && of != nil && of.Kind == value.Rec && of.Kin != nil {
		for i := range of.Kin.Fields[:min(len(of.Kin.Fields), syntax.MaxColumns)] {
			out.Columns = append(out.Columns, of.Kin.Fields[i].Name)
		}
	}
	if t.By.Name != "" && !c.listField(t.By, of) {
		return
	}
	out.By = t.By.Name
	var ok bool
	if out.Top, ok = c.top(t.Top); ok {
		c.sheet.Tables = append(c.sheet.Tables, out)
	}
}

// listField reports a name that is no field of a list's entries.
func (c *compiler) listField(f syntax.Ident, of *value.Type) bool {
	switch {
	case of == nil:
		return true // an empty list, of which nothing is known
	case of.Kind != value.Rec:
		c.errs.Add(f.Pos, phrase.New("sheet.entries-no-fields", "type", of), phrase.New("sheet.leave-out-show-by"))
		return false
	case of.Kin.Field(f.Name) != nil:
		return true
	}
	var names []string
	if of.Kin != nil {
		for i := range of.Kin.Fields {
			names = append(names, of.Kin.Fields[i].Name)
		}
	}
	c.errs.Add(f.Pos, phrase.New("sheet.no-field", "record", of.Kin.Describe(), "field", syntax.Clip(f.Name)),
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
