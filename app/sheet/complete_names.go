package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// entryFields are the fields of the entries of the list that a table shows.
func (c *completer) entryFields() []string {
	i, ok := c.prog.byName[c.words[1].Text]
	if !ok || c.prog.slots[i].def.Type.Of == nil {
		return nil
	}
	kin := c.prog.slots[i].def.Type.Of.Kin
	if kin == nil {
		return nil
	}
	var names []string
	for i := range kin.Fields {
		names = append(names, kin.Fields[i].Name)
	}
	return names
}

// menu is what an input can be.
func (c *completer) menu(name string) []string {
	for _, in := range c.sheet.Inputs {
		if in.Name == name {
			return in.IDs()
		}
	}
	return nil
}

// computed are the names of steps and solves.
func (c *completer) computed() []string {
	var names []string
	for _, r := range c.sheet.Rows {
		if r.Kind != "input" {
			names = append(names, r.Name)
		}
	}
	return names
}

func (c *completer) numberInputs() []string {
	var names []string
	for _, in := range c.sheet.Inputs {
		if in.IsNumber() {
			names = append(names, in.Name)
		}
	}
	return names
}

// values are the names that an expression may begin with.
func (c *completer) values() []string {
	names := append(c.rowNames(), expr.Builtins()...)
	names = append(append(names, value.Names(c.env.Funcs)...), value.Names(c.env.Values)...)
	return append(names, "pi", "on", "off", "not")
}

// fields are what may follow the point after a path such as chip or tpu.v5e.
func (c *completer) fields() []string {
	from := len(c.words) - 1
	for from > 0 && (c.words[from-1].Kind == syntax.TokName || c.words[from-1].Text == ".") {
		from--
	}
	var path strings.Builder
	for _, t := range c.words[from : len(c.words)-1] {
		path.WriteString(t.Text)
	}
	e, errs := syntax.ParseExpr(path.String())
	if len(errs) > 0 {
		return nil
	}
	k := &expr.Checker{Env: c.env, Errs: &syntax.Errors{}, Resolve: c.read, Known: c.rowNames}
	n := k.Compile(e)
	switch {
	case n.Bad:
		return nil
	case n.Type.Kind == value.DType:
		return []string{"bytes", "bits"}
	case n.Type.Kind == value.Rec:
		return expr.FieldNames(&n)
	}
	return nil
}
