package library

import (
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// constantsOf are the constants of a chip as its reader meets them: each with its source, and with what others say.
func constantsOf(r *value.Record) []value.Constant {
	var all []value.Constant
	for _, f := range chipOf(r).Facts() {
		c := value.Constant{Name: f.Field, Label: f.Field, Reading: reading(f.Constant)}
		if about, ok := hardware.FieldNamed(f.Field); ok {
			c.Label = about.Label
		}
		for _, o := range f.Others {
			if o.Value.Value != f.Value.Value {
				c.Others = append(c.Others, reading(o))
			}
		}
		all = append(all, c)
	}
	return all
}

// reading is what one source says.
func reading(c hardware.Constant) value.Reading {
	return value.Reading{Text: c.Text, Value: c.Value, Source: cite(c), Note: c.Note, Doubt: c.Doubt}
}
