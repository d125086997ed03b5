package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
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

// reads tells whether the input d follows other lines.
func (c *compiler) reads(d *syntax.Definition) bool {
	return d.When != nil || c.readsMore(d)
}

// readsMore tells whether more of d than its `when` follows other lines.
func (c *compiler) readsMore(d *syntax.Definition) bool {
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
	if c.readsMore(d) {
		ok = c.followParts(i, w, d)
	} else {
		ok = c.let(in, d)
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
	c.prog.slots = append(c.prog.slots, slot{def: &expr.RowDef{Name: d.Name + "." + name, Kind: "step", Pos: e.Position()},
		expr: e, node: expr.Node{Bad: true}, work: rowFuel})
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
	if c.readsMore(d) && !c.followType(in, w, d) {
		return
	}
	in.Dependent = true
	s.input, s.node.Bad, s.def.Type = in, false, in.Default.Type()
}
