// Package systolic is an instrument: a systolic array that multiplies small numbers, cycle by cycle. array.go is the
// machine, draw.go its drawing.
package systolic

import (
	"strconv"

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
		{Name: "n", Label: "Side of the array, n", Default: "4", Min: "2", Max: strconv.Itoa(maxSide), Whole: true},
		{Name: "rows", Label: "Rows of the batch, B", Default: "6", Min: "1", Max: strconv.Itoa(maxRows), Whole: true},
		{Name: "load", Label: "Show the weights coming in", Kind: instrument.Switch, Default: "off"},
		{Name: "cycle", Label: "Cycle", Kind: instrument.Step, Default: "4",
			Fit:      func(s *instrument.State, c *instrument.Control) { c.Steps = array(s).Cycles() },
			StepName: func(s *instrument.State, step int) string { return does(array(s).Run(step + 1)) }},
	}
}

// array is the machine before its first cycle.
func array(s *instrument.State) *Array { return NewArray(s.Int("n"), s.Int("rows"), s.On("load")) }

// now is the machine after the cycle that the stepper stands at.
func now(s *instrument.State) *Array { return array(s).Run(s.Int("cycle") + 1) }

// does says what happens in the last cycle.
func does(a *Array) string {
	if a.Cycle <= a.Loading() {
		return "a row of weights comes in from above"
	}
	left, _ := a.Checked()
	return strconv.Itoa(a.Busy()) + " of " + strconv.Itoa(a.N*a.N) + " cells work; " + strconv.Itoa(left) + " of " + strconv.Itoa(a.Rows*a.N) + " sums have left"
}

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
			return instrument.El("figure", instrument.Class("part machine array"), instrument.SVG(now(s).svg(s.ID("array"))),
				instrument.El("figcaption", "A filled cell works: activation × weight, below it the sum that it gives down. Each row of the batch lies on a diagonal."))
		}},
		{Key: "use", Uses: "n rows load cycle", Build: func() *instrument.Node {
			overall := "B / (B + 2n − 2)"
			if s.On("load") {
				overall = "B / (n + B + 2n − 2)"
			}
			return instrument.El("div", instrument.Class("part"), s.Row("so_far", "multiply-adds done / (n² × cycles)"), s.Row("overall", overall))
		}},
		{Key: "check", Uses: "n rows load cycle", Build: func() *instrument.Node { return instrument.Note(check(now(s))) }},
		{Key: "words", Uses: "n rows load cycle", Build: func() *instrument.Node {
			return s.Words("words", "What has left, and what each cell does, as tables", false, func() *instrument.Node {
				a := now(s)
				return instrument.El("div", sums(s, a), words(s, a))
			})
		}},
	}
}

// check compares what has left with the product.
func check(a *Array) string {
	left, equal := a.Checked()
	switch {
	case left == 0:
		return "No sum has left yet."
	case !equal:
		return "What has left is not the product."
	case left == a.Rows*a.N:
		return "All " + strconv.Itoa(left) + " sums have left. Multiplied on paper, each of them is the same."
	}
	return "Multiplied on paper, each of the " + strconv.Itoa(left) + " that have left so far is the same."
}

// sums is what has left.
func sums(s *instrument.State, a *Array) *instrument.Node {
	t := instrument.Table{Key: "sums", Caption: "What has left, row by row of the batch", Heads: columns("Row", a.N)}
	for i, row := range a.Left {
		line := []instrument.Cell{instrument.Say(strconv.Itoa(i))}
		for _, sum := range row {
			text := "not yet"
			if sum.There {
				text = minus(sum.Value)
			}
			line = append(line, instrument.Say(text))
		}
		t.Rows = append(t.Rows, line)
	}
	return s.Table(t)
}

// words is the drawing as a table.
func words(s *instrument.State, a *Array) *instrument.Node {
	t := instrument.Table{Key: "cells", Caption: "The cells in cycle " + strconv.Itoa(a.Cycle), Heads: columns("Line", a.N)}
	for k, line := range a.Cells {
		row := []instrument.Cell{instrument.Say(strconv.Itoa(k))}
		for _, c := range line {
			row = append(row, instrument.Say(c.words()))
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}

func (c Cell) words() string {
	switch {
	case c.Busy:
		return minus(c.In) + " + " + strconv.Itoa(c.X) + " × " + minus(c.W) + " = " + minus(c.Out) + ", row " + strconv.Itoa(c.Row)
	case c.Weighted:
		return "idle, weight " + minus(c.W)
	}
	return "no weight yet"
}

func columns(first string, n int) []instrument.Head {
	heads := []instrument.Head{{Text: first}}
	for j := range n {
		heads = append(heads, instrument.Head{Text: "Column " + strconv.Itoa(j)})
	}
	return heads
}

// minus is a number with a proper minus sign.
func minus(x int) string {
	if x < 0 {
		return "−" + strconv.Itoa(-x)
	}
	return strconv.Itoa(x)
}
