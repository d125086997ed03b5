//go:build js && wasm

package live

import (
	"strconv"
	"strings"
	"syscall/js"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// instrument is the instrument of that name, nil if the program has none.
func (p *page) instrument(kind string) *instrument.Instrument {
	for _, in := range p.tools {
		if in.ID == kind {
			return in
		}
	}
	return nil
}

// startInstrument brings an instrument to the state that its author, the address and the reader ask for.
func (p *page) startInstrument(section js.Value, kind, source string) (*calc, string) {
	in := p.instrument(kind)
	if in == nil {
		return nil, p.phrases().Say("live.no-instrument", "name", kind)
	}
	c := p.newCalc(section)
	c.placing, _ = instrument.Place(in, c.id, source)
	c.raised()
	return c, ""
}

// takes says whether the instrument of a section has a control of that name which isn't in the page.
func (p *page) takes(section js.Value, name string) bool {
	in := p.instrument(attribute(section, "data-instrument"))
	if in == nil {
		return false
	}
	if in.Controls != nil {
		for _, c := range in.Controls() {
			if c.Name == name {
				return true
			}
		}
	}
	if in.Cell == nil {
		return false
	}
	_, ok := in.Cell(name)
	return ok
}

// takeSet takes over what the reader did to the controls of the static body.
func (c *calc) takeSet(old js.Value) {
	for _, k := range c.tool.Controls() {
		text, ok := typed(old, k.ID)
		name, isSlider := strings.CutSuffix(strings.TrimPrefix(k.ID, c.id+"--"), "--slider")
		switch {
		case !ok:
		case isSlider:
			position, _ := strconv.Atoi(text)
			c.view.Slide(name, position)
		default:
			c.tool.Take(name, text)
		}
	}
}

// use carries out what only instruments know. It is false for what it doesn't know.
func (c *calc) use(act widget.Act, ev, target js.Value) bool {
	switch act.Do {
	case instrument.DoAct:
		c.tool.Act(act.On)
	case instrument.DoChoose:
		c.tool.Choose(act.On, c.reads(target))
	default:
		return false
	}
	c.changed()
	return true
}
