// Package systolic is an instrument: a systolic array that multiplies small numbers, cycle by cycle.
package systolic

import (
	"strconv"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the instrument.
func New() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "systolic", Title: "A systolic array", Style: "instrument-machines.css",
		About:    "A square of cells multiplies matrices cycle by cycle: weights stay, activations go right, sums go down.",
		Controls: controls, View: view, Values: values, Summary: summary,
	}
}

func controls() []instrument.Control {
	return []instrument.Control{
		{Name: "n", Label: "Side of the array, n", Default: "4", Min: "2", Max: strconv.Itoa(machine.MaxSide), Whole: true},
		{Name: "rows", Label: "Rows of the batch, B", Default: "6", Min: "1", Max: strconv.Itoa(machine.MaxRows), Whole: true},
		{Name: "load", Label: "Show the weights coming in", Kind: instrument.Switch, Default: "off"},
		{Name: "cycle", Label: "Cycle", Kind: instrument.Step, Default: "4",
			Fit:      func(s *instrument.State, c *instrument.Control) { c.Steps = array(s).Cycles() },
			StepName: func(s *instrument.State, step int) string { return figure.CycleText(array(s).Run(step + 1)) }},
	}
}

// array is the machine before its first cycle.
func array(s *instrument.State) *machine.Array {
	return machine.NewArray(s.Int("n"), s.Int("rows"), s.On("load"))
}

// now is the machine after the cycle that the stepper stands at.
func now(s *instrument.State) *machine.Array { return array(s).Run(s.Int("cycle") + 1) }

func values(s *instrument.State) []instrument.Value {
	a := now(s)
	cells := float64(a.N * a.N)
	share := func(name, label string, x float64) instrument.Value {
		return instrument.Of(name, label, quantity.Quantity{Value: x, Label: quantity.Label{Over: "%"}})
	}
	return []instrument.Value{
		share("so_far", "Used so far", float64(a.Worked)/(cells*float64(a.Cycle))),
		share("overall", "Used, over all cycles", float64(a.Rows)/float64(a.Cycles())),
		instrument.Of("cycles", "Cycles", quantity.Quantity{Value: float64(a.Cycles())}),
	}
}

func summary(s *instrument.State) string {
	a := now(s)
	said := ""
	for _, v := range values(s)[:2] {
		said += v.Label + " " + v.Text + "; "
	}
	if left, equal := a.Checked(); left > 0 && equal {
		said += "every sum that has left equals the product"
	} else {
		said += "no sum has left yet"
	}
	return said
}

func view(s *instrument.State) []instrument.Part {
	return []instrument.Part{
		{Key: "drawing", Uses: "n rows load cycle", Build: func() *instrument.Node {
			d := figure.Systolic(now(s))
			return instrument.El("figure", instrument.Class("part machine array"), d.Root, instrument.El("figcaption", d.Note))
		}},
		{Key: "use", Uses: "n rows load cycle", Build: func() *instrument.Node {
			overall := "B / (B + 2n − 2)"
			if s.On("load") {
				overall = "B / (n + B + 2n − 2)"
			}
			return instrument.El("div", instrument.Class("part"), s.Row("so_far", "multiply-adds done / (n² × cycles)"), s.Row("overall", overall))
		}},
		{Key: "words", Uses: "n rows load cycle", Build: func() *instrument.Node {
			return s.Words("words", "What has left, and what each cell does, as tables", false, func() *instrument.Node {
				d := figure.Systolic(now(s))
				return instrument.El("div", s.Twin("sums", d.Twin[0]), s.Twin("cells", d.Twin[1]))
			})
		}},
	}
}
