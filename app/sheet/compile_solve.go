package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// checkSolve checks that the sides of a solve can meet, or have a least value. Its type is that of the input it solves
// for, or a list of such.
func (c *compiler) checkSolve(i int, s *slot) {
	in := c.prog.slots[c.prog.byName[s.solve.Input]].input
	if in == nil || !c.solvable(in, c.defs[i]) {
		return
	}
	s.node.Bad = false
	s.def.Type = in.Default.Type()
	if s.solve.Goal == syntax.GoalAll {
		s.def.Type = value.ListOf(s.def.Type)
	}
	for _, k := range s.sides {
		side := &c.prog.slots[k]
		if side.node.Bad {
			return
		}
		if side.def.Type.Kind != value.Number {
			c.errs.Add(side.expr.Position(), phrase.New("sheet.but-solve-needs-numbers", "code", syntax.Brief(side.expr), "type",
				side.def.Type),
				expr.NumberRemedy(&side.node))
			return
		}
	}
	if !s.solve.IsExtreme() && !c.mayMeet(&c.prog.slots[s.sides[0]], &c.prog.slots[s.sides[1]]) {
		return
	}
	c.mustDepend(c.defs[i], s.sides)
}

// mayMeet reports sides of different dimension.
func (c *compiler) mayMeet(left, right *slot) bool {
	if left.def.Type.Dim == right.def.Type.Dim {
		return true
	}
	c.errs.Add(left.expr.Position(), phrase.New("sheet.never-equal", "left", syntax.Brief(left.expr),
		"type", left.def.Type,
		"right", syntax.Brief(right.expr), "othertype", right.def.Type), phrase.New("sheet.same-unit"))
	return false
}

// mustDepend reports a solve whose sides do not depend on the input it solves for.
func (c *compiler) mustDepend(d *syntax.Definition, sides []int) {
	at := c.prog.byName[d.Input.Name]
	depends := func(j int) bool {
		return c.prog.slots[sides[0]].inputs.has(j) || c.prog.slots[sides[len(sides)-1]].inputs.has(j)
	}
	if depends(at) {
		return
	}
	var others []string
	for _, in := range c.sheet.Inputs {
		if in.IsNumber() && depends(c.prog.byName[in.Name]) {
			others = append(others, in.Name)
		}
	}
	remedy := phrase.New("sheet.nothing-changes-them")
	if len(others) > 0 {
		remedy = phrase.New("sheet.solve-for", "names", syntax.OneOf(others))
	}
	what := phrase.New("sheet.neither-depends", "input", d.Input.Name)
	if len(sides) == 1 {
		what = phrase.New("sheet.does-not-depend", "code", syntax.Brief(d.Value), "input", d.Input.Name)
	}
	c.errs.Add(d.Input.Pos, what, remedy)
}
