package chips

import (
	"strconv"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// sources are every constant of each chip: its number, which the reader may change, where it is from and in what doubt it
// stands, and what others say.
func sources(s *instrument.State, all []chip) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("Every constant, with its source; change what you know better"))
	for _, c := range all {
		facts := c.Facts()
		doubted := 0
		for _, f := range facts {
			if f.Doubt != "" || len(others(f.Constant)) > 0 {
				doubted++
			}
		}
		summary := c.Name + ": " + strconv.Itoa(len(facts)) + " constants"
		if doubted > 0 {
			summary += ", " + strconv.Itoa(doubted) + " of them in doubt or disputed"
		}
		box.Kids = append(box.Kids, s.Fold(c.ID, summary, false, func(printed bool) []*instrument.Node { return c.sources(facts, printed) }))
	}
	return box
}

func (c chip) sources(facts []hardware.Fact, printed bool) []*instrument.Node {
	var nodes []*instrument.Node
	if c.Note != "" {
		nodes = append(nodes, instrument.Note(c.Note))
	}
	list := instrument.El("dl", instrument.Class("facts"))
	for _, f := range facts {
		list.Kids = append(list.Kids, c.fact(f, printed))
	}
	return append(nodes, list)
}

// fact is one constant: a field to change it, or while that is printed its text.
func (c chip) fact(f hardware.Fact, printed bool) *instrument.Node {
	label := f.Field
	if about, ok := hardware.FieldNamed(f.Field); ok {
		label = about.Label
	}
	name := cellName(c.ID, f.Field)
	value := instrument.El("span", instrument.Class("constant"), f.Text)
	if !printed {
		value = c.s.Field(name, label+" of "+c.Name)
	}
	dd := instrument.El("dd", value, instrument.El("p", instrument.Class("source"), cite(f.Constant)))
	for _, remark := range []string{f.Note, f.Doubt} {
		if remark != "" {
			dd.Kids = append(dd.Kids, instrument.El("p", instrument.Class("source"), instrument.Capital(remark)))
		}
	}
	for _, o := range others(f.Constant) {
		p := instrument.El("p", instrument.Class("other"), "Also ", instrument.El("b", o.Text), ": "+cite(o))
		if o.Doubt != "" {
			p.Kids = append(p.Kids, instrument.El("span", " ("+o.Doubt+")"))
		}
		if !printed {
			use := c.s.Button("Use it", instrument.Change{Name: name, Text: o.Text})
			use.Attrs = append(use.Attrs, widget.Attr{Name: "aria-label", Value: "Use it: " + o.Text + " for the " + label + " of " + c.Name})
			p.Kids = append(p.Kids, use)
		}
		dd.Kids = append(dd.Kids, p)
	}
	return instrument.El("div", instrument.El("dt", instrument.Capital(label)), dd)
}

// others are the readings that differ from the one in use.
func others(c hardware.Constant) []hardware.Constant {
	var all []hardware.Constant
	for _, o := range c.Others {
		if o.Value.Value != c.Value.Value {
			all = append(all, o)
		}
	}
	return all
}

// cite is the source of a constant with its date.
func cite(c hardware.Constant) string {
	if c.Date == "" {
		return c.Source.Title
	}
	return c.Source.Title + ", " + c.Date
}
