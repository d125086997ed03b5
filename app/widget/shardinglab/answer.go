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
	box := instrument.El("div", instrument.Class("part"))
	for _, note := range x.notes {
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-note"), note+"."))
	}
	if x.plan == nil {
		return box
	}
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-case"), instrument.El("strong", caseWords(x.plan.Case)+".")))
	list := instrument.El("ul", instrument.Class("lab-axes"))
	for i, c := range x.plan.Cases {
		list.Kids = append(list.Kids, instrument.El("li", instrument.El("b", x.mesh.Axes[i].Name), " ", axisWords(c)+"."))
	}
	box.Kids = append(box.Kids, list)
	if x.way == nil {
		return instrument.El("div", instrument.Class("part"), box.Kids, instrument.Note("No sequence of moves leads to "+x.einsum.C.String(x.mesh)+
			". Ask for the result without {U}, or let a contracted dimension be split along its axis."))
	}
	if x.plan.Case <= sharding.Aligned && x.way.Comms > 0 {
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-after"), "What is sent here serves the result, which is wanted otherwise than the product comes out, or saves work."))
	}
	rank := "The best of " + strconv.Itoa(x.plan.Found) + " ways: "
	if x.way != x.best() {
		rank = "The way that you opened, of " + strconv.Itoa(x.plan.Found) + ": "
	}
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-way"), rank, s.Output("way")),
		s.Row("t_math", "operations of a chip over its peak rate"), s.Row("t_hbm", "its blocks read and written once"),
		s.Row("t_comms", "all collectives, one after the other"), s.Row("t_total", "the longest of the three, if they overlap"),
		s.Row("bound", "what that time is spent on"), s.Row("memory", x.room()))
	return box
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
	m := x.mesh
	all := []instrument.Value{
		{Name: "product", Label: "Product", Text: x.einsum.String(), Data: x.einsum.String()},
		{Name: "case", Label: "Case", Text: strconv.Itoa(int(x.plan.Case)), Data: strconv.Itoa(int(x.plan.Case))},
		instrument.Of("chips", "Chips", of(float64(m.Chips()), "chip")),
		instrument.Of("found", "Ways there are", of(float64(x.plan.Found), "")),
	}
	for i, a := range []*sharding.Array{&x.einsum.A, &x.einsum.B, &x.einsum.C} {
		name := [...]string{"a", "b", "c"}[i]
		all = append(all,
			instrument.Value{Name: name + "_local", Label: "Shape of " + a.Name + " on each chip", Text: sharding.ShapeText(a.LocalShape(m)), Data: sharding.ShapeText(a.LocalShape(m))},
			instrument.Of(name+"_bytes", a.Name+" on each chip", a.LocalBytes(m).Quantity()),
			instrument.Of(name+"_copies", "Copies of "+a.Name, of(float64(a.Replication(m)), "")))
	}
	w := x.way
	if w == nil {
		return all
	}
	title := w.Title(m)
	return append(all,
		instrument.Value{Name: "best", Label: "Best way", Text: x.best().Title(m), Data: x.best().Title(m)},
		instrument.Value{Name: "way", Label: "Way", Text: title, Data: title},
		instrument.Value{Name: "collectives", Label: "Collectives", Text: w.Collectives(m), Data: w.Collectives(m)},
		instrument.Of("t_math", "Time to compute", w.Math.Quantity()),
		instrument.Of("t_hbm", "Time of its memory traffic", w.Memory.Quantity()),
		instrument.Of("t_comms", "Time to communicate", w.Comms.Quantity()),
		instrument.Of("t_exact", "Time to communicate, exactly", w.Exact.Quantity()),
		instrument.Of("t_shortcut", "Time to communicate, by the shortcuts", w.Shortcut.Quantity()),
		instrument.Of("t_total", "Time in all, overlapped", w.Lower().Quantity()),
		instrument.Of("t_serial", "Time in all, nothing overlapped", w.Upper().Quantity()),
		instrument.Of("t_best", "Time of the best way", x.best().Lower().Quantity()),
		instrument.Value{Name: "bound", Label: "Bound by", Text: w.Bound(), Data: w.Bound()},
		instrument.Of("memory", "Memory", w.Peak.Quantity()),
		instrument.Of("received", "Received by a chip", w.Received.Quantity()),
		instrument.Of("work", "Times the product is computed", of(w.Work, "")))
}

func (l *lab) summary(s *instrument.State) string {
	x := l.subject(s)
	switch {
	case x.plan == nil:
		return strings.Join(x.notes, "; ")
	case x.way == nil:
		return "No sequence of moves leads to the result"
	}
	return "Case " + strconv.Itoa(int(x.plan.Case)) + ": " + x.way.Title(x.mesh) + " takes " + x.way.Lower().Quantity().String() + ", bound by " + x.way.Bound()
}

// arrays is what each chip holds of each array, in bytes.
func (x *subject) arrays(s *instrument.State) *instrument.Node {
	t := instrument.Table{Key: "arrays", Caption: "What a chip holds", Heads: []instrument.Head{{Text: "Array"}, {Text: "Whole"}, {Text: "Shape on each chip"}, {Text: "Bytes on each chip"}, {Text: "Copies of each element"}, {Text: "Padding"}}}
	for _, a := range []*sharding.Array{&x.einsum.A, &x.einsum.B, &x.einsum.C} {
		padding := instrument.Say("none")
		if w := a.Waste(x.mesh); w > 1e-12 {
			padding = instrument.Say(strconv.FormatFloat(100*w, 'g', 2, 64) + " %")
		}
		t.Rows = append(t.Rows, []instrument.Cell{instrument.Say(a.DType + " " + a.String(x.mesh)), instrument.Q(a.Bytes().Quantity()), instrument.Say(sharding.ShapeText(a.LocalShape(x.mesh))),
			instrument.Q(a.LocalBytes(x.mesh).Quantity()), instrument.Say(strconv.Itoa(a.Replication(x.mesh))), padding})
	}
	laid := x.fabric.Laid()
	if x.fabric.Note != "" {
		laid += "; " + x.fabric.Note
	}
	return instrument.El("div", instrument.Class("part"), s.Table(t), instrument.Note("The mesh on "+x.accel.Name+": "+laid+"."))
}
