package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// settle works out what the inputs that follow other lines are in the author's state. Long work that they follow is
// done here once, and no sweep does it again.
func (c *compiler) settle() {
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
			c.settleInput(f, s, c.defs[i])
		}
		f.run([]int{i}, false)
	}
}

// settleInput makes in what it is in the author's state, and reports a default that isn't offered there.
func (c *compiler) settleInput(f *frame, s *slot, d *syntax.Definition) {
	in, w := s.input, s.follow
	if w.value > 0 && f.Rows[w.value].Err == nil && in.Default.Kind == value.Number {
		in.Unit = unitOf(d.Value, f.Rows[w.value].Value.Num)
	}
	var t fitted
	if err := f.fit(&t, s); err != nil {
		c.errs.Add(partAt(d, err.part), phrase.New("sheet.fault", "why", err.why), phrase.New("sheet.write-one-with-value"))
		return
	}
	if w.value == 0 && in.Default.Kind == value.Number {
		in.Unit = printedUnit(t.def.Num)
	}
	*in = *t.input()
	switch fault := in.Refuses(t.given); {
	case fault != nil:
		c.errs.Add(d.Value.Position(), phrase.New("sheet.default-fault", "fault", fault.What), fault.Remedy)
	case in.Log && !(in.Min > 0):
		c.errs.Add(d.LogAt, phrase.New("sheet.log-needs-range"), phrase.New("sheet.write-log"))
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

// unitOrOne is what a bare number counts in.
func unitOrOne(q quantity.Quantity) float64 {
	if q.Value == 0 {
		return 1
	}
	return q.Value
}
