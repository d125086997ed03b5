package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/execute"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet"
)

// waySteps writes down a way to compute a product: each step with its law, and the times added up.
type waySteps struct {
	*setup.Way
	twin Table
}

// WaySteps writes a way down, step by step.
func WaySteps(w *setup.Way) *Drawing {
	x := &waySteps{Way: w, twin: Table{Caption: "The steps, and their times added up",
		Heads: []string{"Step", "What becomes of it", "Formula", "With numbers", "Time"}}}
	d := &Drawing{Title: "Step by step: " + w.Name(), About: x.sums()}
	if w.Best() {
		d.Title = "The best way, step by step"
	}
	list := markup.El("ol", markup.Class("way-steps written-law"), markup.Attr("translate", "no"))
	for i := range w.Steps {
		list.Add(x.step(&w.Steps[i]))
	}
	x.ledger()
	d.Root = markup.El("div", markup.El("p", w.Rank().String()), list, markup.El("p", d.About))
	d.Now = w.Name()
	d.Twin = []Table{x.twin}
	return d
}

// step is one step with its law.
func (x *waySteps) step(t *sharding.Step) *markup.Node {
	m := x.Setup.Mesh
	becomes := t.From.String(m) + " → " + t.To.String(m)
	if t.Kind == sharding.Multiply {
		becomes = t.From.String(m) + " with what the chip now has of " + x.Setup.Einsum.B.Name + " → " + t.To.String(m)
	}
	head := markup.El("p", markup.El("b", t.Title(m)), " "+becomes)
	li := markup.El("li", head)
	op, sends := t.Kind.Collective()
	switch {
	case t.Kind == sharding.Multiply:
		li.Add(x.multiply(t, becomes))
	case !sends:
		li.Add(markup.El("p", "Free: each chip keeps its part of what it has."))
		x.twin.add(t.Title(m), becomes, "", "", "0 s")
	default:
		head.Add(": " + t.Price.Exact.Quantity().String())
		li.Add(x.collective(op, t, becomes))
	}
	return li
}

// multiply is what the chips' own products take.
func (x *waySteps) multiply(t *sharding.Step, becomes string) []*markup.Node {
	chip := x.Setup.Limits
	lines := []*markup.Node{x.line("Compute", becomes, "ops/peak", x.Math, []law.Value{
		{Name: "ops", Num: t.FLOPs.Quantity()}, {Name: "peak", Num: chip.Peak.Quantity()}})}
	if chip.HBM > 0 {
		lines = append(lines, x.line("Memory traffic", becomes, "V/W_hbm", x.Memory, []law.Value{
			{Name: "V", Num: t.Bytes.Quantity()}, {Name: "W_hbm", Num: chip.HBM.Quantity()}}))
	}
	return lines
}

// collective is a collective's law with the numbers in it.
func (x *waySteps) collective(op network.Op, t *sharding.Step, becomes string) []*markup.Node {
	group, err := x.Setup.Fabric.Group(t.Axes)
	if err != nil {
		return nil
	}
	c, err := network.Collective{Op: op, Bytes: t.Bytes}.Over(group)
	if err != nil {
		return nil
	}
	over := "Over " + group.String() + ", " + strconv.Itoa(c.Size) + " chips"
	if c.Algorithm != "" {
		over += ", " + c.Algorithm
	}
	over += "; V = " + t.Bytes.Quantity().String()
	var lines []*markup.Node
	for _, stage := range c.Stages {
		term := stage.Longest()
		label := capital(x.resource(term.Resource, t))
		if len(c.Stages) > 1 {
			label = capital(stage.Name) + ", " + x.resource(term.Resource, t)
		}
		lines = append(lines, x.line(label, t.Title(x.Setup.Mesh)+" "+becomes, term.Formula, term.Time,
			law.Used(term.Formula, term.Values)))
		over += "; a link carries " + term.Bytes.Quantity().String() + " at " + term.Bandwidth.Quantity().String() +
			" one way"
	}
	if c.Latency > c.Bandwidth {
		over += "; but " + strconv.Itoa(c.Hops) + " hops take " + c.Latency.Quantity().String() +
			" at the least, and that is longer"
	}
	over += ". By the shortcut " + t.Price.Shortcut.Quantity().String() + "."
	return append([]*markup.Node{markup.El("p", over)}, lines...)
}

// line is a term of a law, worked out by the renderer of sheets.
func (x *waySteps) line(label, what, text string, time quantity.Seconds, values []law.Value) *markup.Node {
	symbols, numbers := work(text, values, sheet.Plain)
	x.twin.add(label, what, symbols, numbers, time.Quantity().String())
	return workedTerm(label, text, values, time)
}

// resource is what a collective waits for. A mesh axis of its own is named; the torus counts its axes.
func (x *waySteps) resource(name string, t *sharding.Step) string {
	axis, ok := strings.CutPrefix(name, "axis ")
	if !ok {
		return name
	}
	if f := x.Setup.Fabric; len(t.Axes) == 1 && len(f.Pieces) > t.Axes[0] && len(f.Pieces[t.Axes[0]]) < 2 {
		return "along " + x.Setup.Mesh.Axes[t.Axes[0]].Name
	}
	return "along axis " + axis + " of the wires"
}

// sums says what the times come to.
func (x *waySteps) sums() string {
	said := "Computing and memory traffic overlap inside a kernel: " + x.Local().Quantity().String() +
		". With communication overlapped as well " + x.Lower().Quantity().String() + ", taking turns " +
		x.Upper().Quantity().String() + "."
	if x.Parallel < x.Comms*(1-1e-9) {
		said += " Collectives of the two operands share no wires; both at once they take " +
			x.Parallel.Quantity().String() + "."
	}
	if x.Received > 0 {
		said += " A chip takes in " + x.Received.Quantity().String() + "."
	}
	return said
}

// ledger adds the times up, below the steps of the twin.
func (x *waySteps) ledger() {
	for _, sum := range []struct {
		label, how string
		time       quantity.Seconds
	}{
		{"All collectives", "one after the other", x.Exact},
		{"On the chip", "the longer of compute and memory traffic", x.Local()},
		{"Taking turns", "on the chip, and all collectives", x.Upper()},
		{"Overlapped", "the longest of them", x.Lower()},
	} {
		x.twin.add(sum.label, sum.how, "", "", sum.time.Quantity().String())
	}
}

// WayTrial says what became of a way that was carried out on small numbers.
func WayTrial(w *setup.Way) *Drawing {
	said := trialWords(w)
	root := markup.El("div", markup.El("p", markup.El("b", w.Name())), markup.El("p", said))
	return &Drawing{Root: root, Title: "Run on small numbers", About: said, Now: said,
		Twin: []Table{{Caption: "The run", Heads: []string{"What was run", "What came of it"},
			Rows: [][]string{{w.Name(), said}}}}}
}

func trialWords(w *setup.Way) string {
	t, err := execute.Try(w.Setup.Einsum, w.Steps)
	if err != nil {
		return "It could not be run: " + strings.TrimSuffix(err.Error(), ".") + "."
	}
	said := "These steps were carried out on a mesh " + t.Einsum.Mesh.String() +
		", with random whole numbers, every chip knowing only its own: " + t.Einsum.String() + " with"
	for i, ix := range t.Einsum.Indices {
		said += [...]string{" ", ", "}[min(i, 1)] + ix.Name + " = " + strconv.FormatFloat(ix.Size, 'f', -1, 64)
	}
	said += ". Equals the unsharded product: "
	if t.Equal {
		return said + "yes, in all " + strconv.Itoa(t.Count) + " elements that the chips hold."
	}
	return said + "no, by as much as " + strconv.FormatFloat(t.Worst, 'g', 3, 64) + "."
}
