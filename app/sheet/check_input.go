package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// An input may refuse values: what stands behind `check` is a text that says why, and empty for a value that is good.

// refusal is why the named input refuses its value in st; empty if it doesn't, or if nobody can say.
func (s *Sheet) refusal(st input.State, name string) string {
	check := s.prog.slots[s.slot(name)].check
	if check == 0 {
		return ""
	}
	f := s.newFrame(st, s.share(evalFuel))
	parts, _ := s.prog.plan([]int{check}, -1)
	f.run(parts, false)
	return f.Rows[check].Value.Text
}

// checkRefusals reports what stands behind `check` and is no text, and defaults that are refused.
func (c *compiler) checkRefusals() {
	for i := range c.sheet.Rows {
		check := c.prog.slots[i].check
		if check == 0 {
			continue
		}
		switch s := &c.prog.slots[check]; {
		case s.node.Bad:
		case s.node.Type.Kind != value.Text:
			c.errs.Add(s.expr.Position(), phrase.New("sheet.check-needs-text", "code", syntax.Brief(s.expr),
				"type", s.node.Type),
				phrase.New("sheet.write-check"))
		case len(c.errs.List) == 0:
			if why := c.sheet.refusal(nil, c.defs[i].Name); why != "" {
				c.errs.Add(c.defs[i].Value.Position(), phrase.New("sheet.default-refused", "why", why),
					phrase.New("sheet.write-passing"))
			}
		}
	}
}
