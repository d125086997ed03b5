package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// followType finds out what kind of value an input has, from the types of its parts. Its values follow in settle.
func (c *compiler) followType(in *input.Input, w *follow, d *syntax.Definition) bool {
	switch {
	case w.menu > 0:
		return c.followMenu(in, w, d) && c.noRange(in, d)
	case isChoice(d, c.env):
		return c.choice(in, d) && c.several(in, d) && c.noRange(in, d)
	case d.Of != nil || w.value == 0:
		e := d.Value
		if d.Of != nil {
			e = d.Of[0].Expr
		}
		c.errs.Add(e.Position(), phrase.New("sheet.choices-follow"),
			phrase.New("sheet.write-list-behind-of"))
		return false
	}
	typ := c.prog.slots[w.value].def.Type
	in.Default = typ.Example()
	switch typ.Kind {
	case value.Number:
		return c.followRange(in, w, d) && c.noMenu(d) && c.stepper(in, d)
	case value.Bool:
		in.Menu = switchMenu()
	case value.DType:
		in.Menu = options(c.env.DTypes)
	case value.Rec:
		if typ.Kin == nil || len(typ.Kin.Members) == 0 {
			c.errs.Add(d.Value.Position(), phrase.New("sheet.no-entry-catalog", "code", syntax.Brief(d.Value)),
				phrase.New("sheet.name-the-list"))
			return false
		}
		in.Menu = recordOptions(typ.Kin.Members)
	case value.List:
		c.errs.Add(d.Value.Position(), phrase.New("sheet.cannot-choose-whole", "code", syntax.Brief(d.Value), "type", typ),
			phrase.New("sheet.write-first-before-choose"))
		return false
	}
	return c.noMenu(d) && c.noRange(in, d)
}

// followMenu checks a menu that is a list.
func (c *compiler) followMenu(in *input.Input, w *follow, d *syntax.Definition) bool {
	list := c.prog.slots[w.menu].def.Type
	code := "`" + syntax.Brief(d.Of[0].Expr) + "`"
	if list.Kind != value.List || list.Of == nil {
		c.errs.Add(d.Of[0].Position(), phrase.New("sheet.of-needs-list", "code", code, "type", list),
			phrase.New("sheet.give-divisors"))
		return false
	}
	in.Control, in.Default = input.MenuForm, list.Of.Example()
	if w.value > 0 && !value.SameType(c.prog.slots[w.value].def.Type, *list.Of) {
		c.errs.Add(d.Value.Position(),
			phrase.New("sheet.default-not-of-list", "code", syntax.Brief(d.Value), "type", c.prog.slots[w.value].def.Type,
				"list",
				code, "listtype", list),
			phrase.New("sheet.give-entry"))
		return false
	}
	if d.Others == nil && d.Most == nil {
		return true
	}
	return c.followSeveral(in, d, *list.Of)
}

// followSeveral reads the values of several choices from a menu that follows other lines.
func (c *compiler) followSeveral(in *input.Input, d *syntax.Definition, of value.Type) bool {
	var list []value.Value
	for _, e := range append([]syntax.Expr{d.Value}, d.Others...) {
		if d.First {
			break
		}
		v, ok := c.constant(e)
		if ok && !value.SameType(v.Type(), of) {
			c.errs.Add(e.Position(), phrase.New("sheet.but-menu-offers", "code", syntax.Brief(e), "type", v.Type(),
				"offered", of),
				phrase.New("sheet.give-menu"))
			return false
		}
		if !ok {
			return false
		}
		list = append(list, v)
	}
	in.Control, in.Default = input.SeveralForm, value.Value{Kind: value.List, List: list}
	if d.Most == nil {
		return true
	}
	return c.mostOf(in, d)
}

// followRange checks the ends of a range, its step, and the values of a strip.
func (c *compiler) followRange(in *input.Input, w *follow, d *syntax.Definition) bool {
	in.Ranged, in.Log = w.low > 0, d.Log
	for k, i := range []int{w.low, w.high, w.step} {
		if i > 0 && !c.followNumber(in, i, &w.scaled[k]) {
			return false
		}
	}
	for _, i := range w.strip {
		var scaled bool
		if !c.followNumber(in, i, &scaled) {
			return false
		}
		if scaled {
			c.errs.Add(c.prog.slots[i].expr.Position(), phrase.New("sheet.this-is-plain"), phrase.New("sheet.give-unit"))
			return false
		}
	}
	if d.Log && d.Low == nil {
		c.errs.Add(d.LogAt, phrase.New("sheet.log-needs-range"), phrase.New("sheet.write-log"))
		return false
	}
	return true
}

// followNumber checks that the part in slot i is a number like in, or a bare one, which counts in the unit of in.
func (c *compiler) followNumber(in *input.Input, i int, scaled *bool) bool {
	part, like := &c.prog.slots[i], in.Default.Num
	typ, code := part.def.Type, "`"+syntax.Brief(part.expr)+"`"
	switch {
	case typ.Kind != value.Number:
		c.errs.Add(part.expr.Position(), phrase.New("sheet.part-should-be", "code", code, "type", typ, "wanted",
			in.Default.Type()),
			phrase.New("sheet.give-number"))
		return false
	case typ.Dim == like.Dim:
		return true
	case typ.Dim.IsZero() && len(part.uses) == 0:
		*scaled = true
		return true
	}
	c.errs.Add(part.expr.Position(), phrase.New("sheet.part-is-but", "code", code, "type", typ, "input", in.Name,
		"wanted", in.Default.Type()),
		giveDim(like.Dim))
	return false
}
