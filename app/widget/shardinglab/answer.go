package shardinglab

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func count(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func of(value float64, over string) quantity.Quantity {
	return quantity.Quantity{Value: value, Label: quantity.Label{Over: over}}
}

// timeText, bytesText and the like keep the browser's program small: a call each where a quantity would be copied.
func timeText(t quantity.Seconds) string { return t.Quantity().String() }
func bytesText(b quantity.Bytes) string  { return b.Quantity().String() }

// row is a row of a table, of texts.
func row(texts ...string) []instrument.Cell {
	cells := make([]instrument.Cell, len(texts))
	for i, text := range texts {
		cells[i] = instrument.Say(text)
	}
	return cells
}

func heads(texts ...string) []instrument.Head {
	all := make([]instrument.Head, len(texts))
	for i, text := range texts {
		all[i].Text = text
	}
	return all
}

// div and para are elements whose kids are all nodes, or one text.
func div(class string, kids ...*instrument.Node) *instrument.Node {
	n := instrument.El("div", instrument.Class(class))
	n.Kids = kids
	return n
}

func para(class, text string) *instrument.Node {
	return instrument.El("p", instrument.Class(class), text)
}

// caseWords are the cases for a reader.
func caseWords(c sharding.Case) string {
	return [...]string{
		"Unused: neither operand is split",
		"Case 1: nothing contracted is split, so chips multiply what they have",
		"Case 2: one operand is split where the other is not, in a dimension that both have",
		"Case 3: both operands are split alike where they are contracted, so chips have partial sums",
		"Case 4: one axis splits two dimensions that the result has to keep apart",
	}[min(c, sharding.Conflict)]
}

func axisWords(c sharding.Case) string {
	return [...]string{
		"splits neither operand: all chips along it do the same",
		"splits only what is kept, or both alike: nothing to send for the product",
		"splits one operand where the other is whole: gather that one, or slice the other, which is free, and add up after",
		"splits both where they are contracted: partial sums, to be added up",
		"splits two dimensions that the result would have to keep apart: gather one operand, or move its split",
	}[min(c, sharding.Conflict)]
}

// answer is the case, and the main results of the way that is opened.
func (x *subject) answer(s *instrument.State) *instrument.Node {
	box := div("part")
	for _, note := range x.notes {
		box.Kids = append(box.Kids, para("lab-note", note+"."))
	}
	if x.plan == nil {
		return box
	}
	box.Kids = append(box.Kids, para("lab-subject", x.words()))
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-case"), instrument.El("strong", caseWords(x.plan.Case)+".")))
	list := instrument.El("ul", instrument.Class("lab-axes"))
	for i, c := range x.plan.Cases {
		list.Kids = append(list.Kids, instrument.El("li", instrument.El("b", x.mesh.Axes[i].Name), " ", axisWords(c)+"."))
	}
	box.Kids = append(box.Kids, list)
	if x.way == nil {
		return div("part", append(box.Kids, instrument.Note("No sequence of moves leads to "+x.einsum.C.String(x.mesh)+
			". Ask for the result without {U}, or let a contracted dimension be split along its axis."))...)
	}
	if x.plan.Case <= sharding.Aligned && x.way.Comms > 0 {
		box.Kids = append(box.Kids, para("lab-after", "What is sent here serves the result, which is wanted otherwise than the product comes out, or saves work."))
	}
	rank := "The best of " + strconv.Itoa(x.plan.Found) + " ways: "
	if x.way != x.best() {
		rank = "The way that you opened, of " + strconv.Itoa(x.plan.Found) + ": "
	} else if x.plan.Found == 1 {
		rank = "The only way: "
	}
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-way"), rank, s.Output("way")),
		s.Row("t_math", "operations of a chip over its peak rate"), s.Row("t_hbm", "its blocks read and written once"),
		s.Row("t_comms", "all collectives, one after the other"), s.Row("t_total", "the longest of the three, if they overlap"),
		s.Row("bound", "what that time is spent on"), s.Row("memory", x.room()))
	return box
}

// words say what is looked at.
func (x *subject) words() string {
	said := x.einsum.String()
	for i, d := range x.sizes {
		if i == 0 {
			said += " with "
		} else {
			said += ", "
		}
		said += d.Name + " = " + count(d.Value)
	}
	said += ", in " + computedIn(x.einsum)
	if m := x.mesh.String(); m != "" {
		said += ", on the mesh " + m
	}
	return said + " of " + x.accel.Name
}

// room says how much memory there is.
func (x *subject) room() string {
	if x.chip.Memory <= 0 {
		return "the most that a chip holds at once"
	}
	said := "the most that a chip holds at once, of " + x.hbm().String()
	if !x.way.Fits {
		said += ": more than there is"
	}
	return said
}

func (x *subject) hbm() quantity.Quantity {
	c, err := x.accel.Get("hbm")
	if err != nil {
		return x.chip.Memory.Quantity()
	}
	return c.Value
}

func (l *lab) values(s *instrument.State) []instrument.Value {
	x := l.subject(s)
	if x.plan == nil {
		return nil
	}
	var all []instrument.Value
	words := func(name, label, text string) {
		all = append(all, instrument.Value{Name: name, Label: label, Text: text, Data: text})
	}
	number := func(name, label string, value float64, like quantity.Quantity) {
		like.Value = value
		all = append(all, instrument.Of(name, label, like))
	}
	m, plain, size, time := x.mesh, quantity.Quantity{}, quantity.Bytes(0).Quantity(), quantity.Seconds(0).Quantity()
	words("product", "Product", x.einsum.String())
	words("case", "Case", strconv.Itoa(int(x.plan.Case)))
	number("chips", "Chips", float64(m.Chips()), of(0, "chip"))
	number("found", "Ways there are", float64(x.plan.Found), plain)
	for i, a := range x.all() {
		name := "abc"[i : i+1]
		words(name+"_local", "Shape of "+a.Name+" on each chip", sharding.ShapeText(a.LocalShape(m)))
		number(name+"_bytes", a.Name+" on each chip", float64(a.LocalBytes(m)), size)
		number(name+"_copies", "Copies of "+a.Name, float64(a.Replication(m)), plain)
	}
	w := x.way
	if w == nil {
		return all
	}
	words("best", "Best way", x.best().Title(m))
	words("way", "Way", w.Title(m))
	words("collectives", "Collectives", w.Collectives(m))
	words("bound", "Bound by", w.Bound())
	for _, t := range [...]struct {
		name, label string
		value       quantity.Seconds
	}{
		{"t_math", "Time to compute", w.Math},
		{"t_hbm", "Time of its memory traffic", w.Memory},
		{"t_comms", "Time to communicate", w.Comms},
		{"t_exact", "Time to communicate, exactly", w.Exact},
		{"t_shortcut", "Time to communicate, by the shortcuts", w.Shortcut},
		{"t_total", "Time in all, overlapped", w.Lower()},
		{"t_serial", "Time in all, nothing overlapped", w.Upper()},
		{"t_best", "Time of the best way", x.best().Lower()},
	} {
		number(t.name, t.label, float64(t.value), time)
	}
	number("memory", "Memory", float64(w.Peak), size)
	number("received", "Received by a chip", float64(w.Received), size)
	number("work", "Times the product is computed", w.Work, plain)
	return all
}

func (l *lab) summary(s *instrument.State) string {
	x := l.subject(s)
	switch {
	case x.plan == nil:
		return strings.Join(x.notes, "; ")
	case x.way == nil:
		return "No sequence of moves leads to the result"
	}
	return "Case " + strconv.Itoa(int(x.plan.Case)) + ": " + x.way.Title(x.mesh) + " takes " + timeText(x.way.Lower()) + ", bound by " + x.way.Bound()
}

// arrays is what each chip holds of each array, in bytes.
func (x *subject) arrays(s *instrument.State) *instrument.Node {
	t := instrument.Table{Key: "arrays", Caption: "What a chip holds", Heads: heads("Array", "Whole", "Shape on each chip", "Bytes on each chip", "Copies of each element", "Padding")}
	for _, a := range x.all() {
		padding := "none"
		if w := a.Waste(x.mesh); w > 1e-12 {
			padding = strconv.FormatFloat(100*w, 'g', 2, 64) + " %"
		}
		t.Rows = append(t.Rows, row(a.DType+" "+a.String(x.mesh), bytesText(a.Bytes()), sharding.ShapeText(a.LocalShape(x.mesh)),
			bytesText(a.LocalBytes(x.mesh)), strconv.Itoa(a.Replication(x.mesh)), padding))
	}
	laid := x.fabric.Laid()
	if x.fabric.Note != "" {
		laid += "; " + x.fabric.Note
	}
	return div("part", s.Table(t), instrument.Note("The mesh on "+x.accel.Name+": "+laid+"."))
}
