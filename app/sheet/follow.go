package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// An input may follow other lines: its default, the ends of its range, its step, its menu, and whether it is there at
// all. Each of these expressions is a hidden slot, called NAME.default, NAME.low and so on, and the input reads them.

// follow are the hidden slots that an input reads, 0 where there is none: slot 0 is never a hidden one.
type follow struct {
	value, low, high, step, menu, when int

	strip  []int
	scaled [3]bool // low, high and step are bare numbers, and count in the unit of the input
}

// uses are all slots of w.
func (w *follow) uses() []int {
	var all []int
	for _, i := range append([]int{w.when, w.value, w.low, w.high, w.step, w.menu}, w.strip...) {
		if i > 0 {
			all = append(all, i)
		}
	}
	return all
}

// follows tells whether more of the input d than its `when` follows other lines.
func (c *compiler) follows(d *syntax.Definition) bool {
	parts := append([]syntax.Expr{d.Low, d.High, d.Step, d.Pace, d.Most}, d.Strip...)
	if !isChoice(d, c.env) {
		if !d.First {
			parts = append(append(parts, d.Value), d.Others...)
		}
		for _, e := range d.Of {
			parts = append(parts, e.Expr)
		}
	}
	own := c.prog.byName[d.Name]
	for _, e := range parts {
		if e == nil {
			continue
		}
		for _, i := range c.names(e) {
			if i != own {
				return true
			}
			if _, inEnv := c.env.Value(d.Name); !inEnv { // `let tpu = tpu.v5e` begins with the tpu of the environment
				return true
			}
		}
	}
	return false
}

// follow makes the hidden slots of an input that follows other lines.
func (c *compiler) follow(i int, in *input.Input, d *syntax.Definition) {
	w := &follow{when: c.prog.slots[i].when}
	if w.when > 0 {
		c.defs[w.when] = d
	}
	ok := true
	if c.follows(d) {
		ok = c.followParts(i, w, d)
	} else {
		ok = c.declare(in, nil, d)
	}
	if ok {
		c.prog.slots[i].input, c.prog.slots[i].follow = in, w
		c.followed(in, w)
	}
}

// followed notes which lines the parts of an input read.
func (c *compiler) followed(in *input.Input, w *follow) {
	for _, part := range w.uses() {
		for _, j := range c.names(c.prog.slots[part].expr) {
			if name := c.defs[j].Name; !slices.Contains(in.Follows, name) {
				in.Follows = append(in.Follows, name)
			}
		}
	}
}

// followParts makes the hidden slots of all that an input reads.
func (c *compiler) followParts(i int, w *follow, d *syntax.Definition) bool {
	if name, ok := d.Value.(*syntax.Name); ok && !d.First && !isChoice(d, c.env) && c.unknownWord(name) {
		return false
	}
	if !d.First && d.Others == nil && d.Most == nil && !isChoice(d, c.env) {
		w.value = c.part(i, "default", d.Value)
	}
	w.low, w.high, w.step = c.part(i, "low", d.Low), c.part(i, "high", d.High), c.part(i, "step", d.Step)
	if len(d.Of) == 1 && !isChoice(d, c.env) {
		w.menu = c.part(i, "menu", d.Of[0].Expr)
	}
	for _, e := range d.Strip {
		w.strip = append(w.strip, c.part(i, "strip", e))
	}
	return true
}

// part makes the hidden slot of an expression of the input in slot i; 0 for none.
func (c *compiler) part(i int, name string, e syntax.Expr) int {
	if e == nil {
		return 0
	}
	d := c.defs[i]
	c.prog.slots = append(c.prog.slots, slot{def: &expr.RowDef{Name: d.Name + "." + name, Kind: "step",
		Pos: e.Position()}, expr: e, node: expr.Node{Bad: true}, work: rowFuel})
	c.defs = append(c.defs, d)
	return len(c.prog.slots) - 1
}

// checkFollow checks an input that follows other lines, once its parts are.
func (c *compiler) checkFollow(i int, s *slot) {
	in, w, d := s.input, s.follow, c.defs[i]
	s.input = nil // until it is known to be good
	for _, j := range w.uses() {
		if c.prog.slots[j].node.Bad {
			return
		}
	}
	if c.follows(d) && !c.declare(in, w, d) {
		return
	}
	in.Dependent = true
	s.input, s.node.Bad, s.def.Type = in, false, in.Default.Type()
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
			phrase.New("sheet.default-not-of-list", "code", syntax.Brief(d.Value), "type",
				c.prog.slots[w.value].def.Type, "list",
				code, "listtype", list),
			phrase.New("sheet.give-entry"))
		return false
	}
	return true
}

// followSeveral reads the values of several choices from a menu that follows other lines.
func (c *compiler) followSeveral(in *input.Input, d *syntax.Definition) bool {
	list, of := []value.Value(nil), in.Default.Type()
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
func (c *compiler) followRange(in *input.Input, w *follow) bool {
	ok := true
	for k, i := range []int{w.low, w.high, w.step} {
		ok = (i == 0 || c.followNumber(in, i, &w.scaled[k])) && ok
	}
	if !ok {
		return false
	}
	for _, i := range w.strip {
		var scaled bool
		if !c.followNumber(in, i, &scaled) {
			return false
		}
		if scaled {
			c.errs.Add(c.prog.slots[i].expr.Position(), phrase.New("sheet.this-is-plain"),
				phrase.New("sheet.give-unit"))
			return false
		}
	}
	return true
}

// followNumber checks that the part in slot i is a number like in, or a bare one, which counts in the unit of in.
func (c *compiler) followNumber(in *input.Input, i int, scaled *bool) (ok bool) {
	part := &c.prog.slots[i]
	*scaled, ok = c.isLike(in, part.expr, part.def.Type, len(part.uses) == 0)
	return ok
}

// evalDefaults works out what the inputs that follow other lines are in the author's state. Long work that they follow
// is done here once, and no sweep does it again.
func (c *compiler) evalDefaults() {
	var inputs []int
	for i := range c.prog.slots {
		if s := &c.prog.slots[i]; s.follow != nil && s.input != nil {
			inputs = append(inputs, i)
		}
	}
	if len(inputs) == 0 || len(c.errs.List) > 0 {
		return
	}
	fuel := 2 * maxFuel
	f := c.sheet.newFrame(nil, &fuel)
	all, _ := c.prog.plan(inputs, -1)
	for _, i := range all {
		if s := &c.prog.slots[i]; s.follow != nil && s.input != nil {
			c.evalDefault(f, s, c.defs[i])
		}
		f.run([]int{i}, false)
	}
}

// evalDefault makes in what it is in the author's state, and reports a default that isn't offered there.
func (c *compiler) evalDefault(f *frame, s *slot, d *syntax.Definition) {
	in, w := s.input, s.follow
	if w.value > 0 && f.Rows[w.value].Err == nil && in.Default.Kind == value.Number {
		in.Unit = unitOf(d.Value, f.Rows[w.value].Value.Num)
	}
	var t fitted
	if err := f.fit(&t, s); err != nil {
		c.errs.Add(partAt(d, err.part), phrase.New("sheet.fault", "why", err.why),
			phrase.New("sheet.write-one-with-value"))
		return
	}
	if w.value == 0 && in.Default.Kind == value.Number {
		in.Unit = printedUnit(t.def.Num)
	}
	*in = *t.input()
	switch fault := in.Refuses(t.given); {
	case fault != nil:
		c.errs.Add(d.Value.Position(), phrase.New("sheet.default-fault", "fault", fault.What), fault.Remedy)
	case !c.logScale(in, d, true):
	case in.Control == input.MenuForm && len(in.Menu) == 0:
		c.errs.Add(d.OfAt, phrase.New("sheet.entries-without-ids"),
			phrase.New("sheet.give-catalog-list"))
	}
}

// partAt is where a part of d stands.
func partAt(d *syntax.Definition, part string) Pos {
	switch {
	case part == "range":
		return d.Low.Position()
	case part == "step":
		return d.Step.Position()
	case part == "menu":
		return d.Of[0].Position()
	}
	return d.Value.Position()
}
