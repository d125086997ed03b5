package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// statements checks what is neither an input, a step nor a solve.
func (c *compiler) statements() {
	for i := range c.tree.Asks {
		c.ask(&c.tree.Asks[i])
	}
	for i := range c.tree.Plots {
		c.plot(&c.tree.Plots[i])
	}
	for i := range c.tree.Tables {
		c.table(&c.tree.Tables[i])
	}
	for i := range c.tree.Figures {
		c.figure(&c.tree.Figures[i])
	}
	for i := range c.tree.Expects {
		c.expect(&c.tree.Expects[i])
	}
}

// input finds the input that n names; computed says that a row is none. It is nil if there is none, or one with a
// fault.
func (c *compiler) input(n syntax.Ident, computed *phrase.Phrase) (int, *input.Input) {
	i, ok := c.prog.byName[n.Name]
	if !ok {
		c.unknown(n, c.inputNames())
		return 0, nil
	}
	if d := c.defs[i]; d.Kind != "input" {
		remedy := phrase.New("sheet.no-input")
		if names := c.inputNames(); len(names) > 0 {
			remedy = phrase.New("sheet.choose-input", "names", syntax.OneOf(names))
		}
		c.errs.Add(n.Pos, computed, remedy)
		return 0, nil
	}
	return i, c.prog.slots[i].input
}

// inputNames are the names of the inputs, in the order of the text.
func (c *compiler) inputNames() []string {
	var names []string
	for _, in := range c.sheet.Inputs {
		names = append(names, in.Name)
	}
	return names
}

// row finds the row that n names; it is nil if there is none, or one with a fault.
func (c *compiler) row(n syntax.Ident) *slot {
	i, ok := c.prog.byName[n.Name]
	switch {
	case !ok:
		c.unknown(n, c.rowNames())
		return nil
	case c.prog.slots[i].node.Bad:
		return nil
	}
	return &c.prog.slots[i]
}

func (c *compiler) unknown(n syntax.Ident, names []string) {
	if !c.errs.Full() {
		c.errs.Add(n.Pos, phrase.New("sheet.unknown-name", "name", n.Name), syntax.DidYouMean(n.Name, names,
			phrase.New("sheet.define-in-a-line")))
	}
}

func (c *compiler) ask(a *syntax.Ask) {
	s := c.row(a.Ident)
	switch {
	case s == nil:
	case s.input != nil:
		c.errs.Add(a.Pos, phrase.New("sheet.input-there-nothing-estimate", "name", a.Name), phrase.New("sheet.ask-for-step"))
	case s.def.Type.Kind != value.Number:
		c.errs.Add(a.Pos, phrase.New("sheet.only-numbers-estimated", "name", a.Name, "type", s.def.Type),
			phrase.New("sheet.ask-number"))
	default:
		c.sheet.Asks = append(c.sheet.Asks, Ask{a.Name, a.Question})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *compiler) table(t *syntax.Table) {
	if t.List {
		c.listTable(t)
		return
	}
	out, ok := &Table{Pos: t.Pos, Caption: t.Caption, when: c.extras[t.When]}, true
	for _, n := range t.Columns {
		ok = c.row(n) != nil && ok
		out.Columns = append(out.Columns, n.Name)
	}
	v, good := c.vary(&t.Over, "", syntax.MaxValues)
	if out.Over = v; ok && good {
		c.sheet.Tables = append(c.sheet.Tables, out)
	}
}
