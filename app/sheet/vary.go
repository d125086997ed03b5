package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// The values behind `over x =` and `for x =` are constants, or follow other lines: `for model = model, other`.

// collectVaried makes slots for the values of a that follow other lines. The words of a choice are no names of lines.
func (c *compiler) collectVaried(a *syntax.Assign) {
	i, known := c.prog.byName[a.Name]
	if !known || isChoice(c.defs[i], c.env) {
		return
	}
	for _, e := range a.Values {
		if c.readsLines(e) {
			c.extra(e)
		}
	}
}

// readsLines tells whether e names a line of the sheet, and nothing of the environment by the same name.
func (c *compiler) readsLines(e syntax.Expr) bool {
	for _, i := range c.names(e) {
		if _, inEnv := c.env.Value(c.defs[i].Name); !inEnv {
			return true
		}
	}
	return false
}

// varied is a value that in takes: a constant, or the slot that it follows.
func (c *compiler) varied(in *input.Input, e syntax.Expr) (v value.Value, slot int, ok bool) {
	slot = c.extras[e]
	if slot == 0 {
		v, ok = c.value(in, e)
		return v, 0, ok
	}
	n := &c.prog.slots[slot].node
	if n.Bad {
		return v, slot, false
	}
	if want := in.Default.Type(); !value.SameType(n.Type, want) {
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", syntax.Brief(e), "type", n.Type, "input", in.Name,
			"othertype", want),
			phrase.New("sheet.give-values", "input", in.Name))
		return v, slot, false
	}
	return v, slot, true
}

// turns are the values that v takes in state st, each once. One that has no value there is left out.
func (s *Sheet) turns(fuel *int, st input.State, v *Vary) []value.Value {
	var slots []int
	for _, i := range v.from {
		if i > 0 {
			slots = append(slots, i)
		}
	}
	if slots == nil {
		return v.Values
	}
	rows := s.rowsOf(fuel, st, slots)
	list := make([]value.Value, 0, len(v.Values))
	for k, x := range v.Values {
		if i := v.from[k]; i > 0 {
			if rows[i].Err != nil {
				continue
			}
			x = rows[i].Value
		}
		if _, twice := input.Find(list, x); !twice {
			list = append(list, x)
		}
	}
	return list
}

// rowsOf are the rows of all slots, of which those given, and what they need, are worked out.
func (s *Sheet) rowsOf(fuel *int, st input.State, slots []int) []expr.Row {
	if last := s.lastOf(st); last != nil {
		return last.extra
	}
	f := s.newFrame(st, fuel)
	all, _ := s.prog.plan(slots, -1)
	f.run(all, false)
	return f.Rows
}
