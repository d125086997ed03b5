package shardinglab

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// listed are the ways of the table: the best, and the one that is opened if it is not among them.
func (x *subject) listed() []*sharding.Strategy {
	all := x.plan.Strategies
	for _, s := range all {
		if s == x.way {
			return all
		}
	}
	if x.way != nil {
		all = append(all[:len(all):len(all)], x.way)
	}
	return all
}

// ways are the strategies, ranked.
func (x *subject) ways(s *instrument.State) *instrument.Node {
	box := div("part", s.Heading("Every way to compute it, the fastest first"))
	if x.way == nil {
		box.Kids = append(box.Kids, instrument.Note("There is none."))
		return box
	}
	t := instrument.Table{Key: "ways", Caption: "Ways, and what each takes on a chip",
		Heads: heads("Way", "In all, overlapped", "Compute", "Communicate", "by the shortcuts", "Memory traffic", "Memory", "Verdict")}
	for i, w := range x.listed() {
		if w == x.way {
			t.Now = i + 1
		}
		cells := []instrument.Cell{x.wayCell(s, i, w)}
		for _, t := range []quantity.Seconds{w.Lower(), w.Math, w.Exact, w.Shortcut, w.Memory} {
			cells = append(cells, instrument.Q(t.Quantity()))
		}
		t.Rows = append(t.Rows, append(cells, instrument.Q(w.Peak.Quantity()), instrument.Say(x.verdict(w))))
	}
	box.Kids = append(box.Kids, div("lab-row", s.Control("law")), div("lab-ways", s.Table(t)), instrument.Note(x.howMany()))
	return box
}

// wayCell is a way's name, with a button that opens it.
func (x *subject) wayCell(s *instrument.State, i int, w *sharding.Strategy) instrument.Cell {
	title := w.Title(x.mesh)
	if w == x.way {
		return instrument.Cell{Text: title, Node: instrument.El("span", instrument.El("b", title+" (open)"))}
	}
	to := instrument.Change{Name: "way", Text: squeezed(title)}
	if i == 0 {
		to.Text = ""
	}
	b := s.Button("open", to)
	b.Attrs = append(b.Attrs, widget.Attr{Name: "aria-label", Value: "open " + title})
	return instrument.Cell{Text: title, Node: instrument.El("span", instrument.El("span", title), " ", b)}
}

// verdict says what a way waits for, and what speaks against it.
func (x *subject) verdict(w *sharding.Strategy) string {
	said := w.Bound() + "-bound"
	if best := float64(x.best().Lower()); w != x.best() && best > 0 {
		if r := float64(w.Lower()) / best; r > 1.005 {
			said += ", " + strconv.FormatFloat(r, 'f', ratioDigits(r), 64) + "× the best"
		} else {
			said += ", as fast"
		}
	}
	if w.Work > 1.001 {
		said += ", computes " + strconv.FormatFloat(w.Work, 'g', 3, 64) + " times as much as needed"
	}
	if !w.Fits {
		said += ", does not fit the memory"
	}
	return said
}

func ratioDigits(r float64) int {
	if r >= 10 {
		return 0
	}
	return 2
}

func (x *subject) howMany() string {
	said := strconv.Itoa(x.plan.Found) + " ways were found"
	if x.plan.Found == 1 {
		said = "One way was found"
	}
	if n := len(x.plan.Strategies); n < x.plan.Found {
		said += ", the best " + strconv.Itoa(n) + " are listed"
	}
	if !x.plan.Complete {
		said += "; the search was cut short, axes stay where the arrays have them"
	}
	return said + ". Times are of one chip, as all do the same. Open one to see its steps below."
}

// working is the way that is opened, step by step.
func (x *subject) working(s *instrument.State) *instrument.Node {
	box := div("part")
	if x.way == nil {
		return box
	}
	title := "The best way, step by step"
	if x.way != x.best() {
		title = "Step by step: " + x.way.Title(x.mesh)
	}
	list := instrument.El("ol", instrument.Class("steps"), instrument.At("translate", "no"))
	for i := range x.way.Steps {
		list.Kids = append(list.Kids, x.step(&x.way.Steps[i]))
	}
	box.Kids = append(box.Kids, s.Heading(title), list)
	w := x.way
	sum := "Computing and memory traffic overlap inside a kernel: " + timeText(w.Local()) + ". With communication overlapped as well " + timeText(w.Lower()) +
		", taking turns " + timeText(w.Upper()) + "."
	if w.Parallel < w.Comms*(1-1e-9) {
		sum += " Collectives of the two operands share no wires; both at once they take " + timeText(w.Parallel) + "."
	}
	if w.Received > 0 {
		sum += " A chip takes in " + bytesText(w.Received) + "."
	}
	box.Kids = append(box.Kids, instrument.Note(sum))
	return box
}

// step is one step with its law.
func (x *subject) step(t *sharding.Step) *instrument.Node {
	li := instrument.El("li")
	say := func(lines ...string) {
		for _, line := range lines {
			li.Kids = append(li.Kids, para("lab-law", trimmed(line)+"."))
		}
	}
	op, sends := t.Kind.Collective()
	switch {
	case t.Kind == sharding.Multiply:
		e := x.einsum
		li.Kids = append(li.Kids, instrument.El("p", instrument.El("b", "Einsum"), " "+t.From.String(x.mesh)+" with what the chip now has of "+e.B.Name+" → "+t.To.String(x.mesh)))
		say("compute: "+t.FLOPs.Quantity().String()+" / "+x.chip.Peak.Quantity().String()+" = "+timeText(x.way.Math),
			"memory: "+bytesText(t.Bytes)+" / "+x.chip.HBM.Quantity().String()+" = "+timeText(x.way.Memory))
		if x.chip.HBM <= 0 {
			li.Kids = li.Kids[:len(li.Kids)-1]
		}
	case !sends:
		li.Kids = append(li.Kids, instrument.El("p", instrument.El("b", t.Title(x.mesh)), " "+t.From.String(x.mesh)+" → "+t.To.String(x.mesh)))
		say("free: each chip keeps its part of what it has")
	default:
		li.Kids = append(li.Kids, instrument.El("p", instrument.El("b", t.Title(x.mesh)), " "+t.From.String(x.mesh)+" → "+t.To.String(x.mesh)+": "+timeText(t.Price.Exact)))
		say(x.law(op, t)...)
	}
	return li
}

// law is a collective's law with the numbers in it.
func (x *subject) law(op network.Op, t *sharding.Step) []string {
	group, err := x.fabric.Group(t.Axes)
	if err != nil {
		return nil
	}
	c, err := network.Collective{Op: op, Bytes: t.Bytes}.Over(group)
	if err != nil {
		return nil
	}
	lines := []string{"over " + group.String() + ", " + strconv.Itoa(c.Size) + " chips" + algorithm(c.Algorithm) + "; V = " + bytesText(t.Bytes)}
	for _, stage := range c.Stages {
		term := stage.Longest()
		head := x.resource(term.Resource, t) + ": "
		if len(c.Stages) > 1 {
			head = stage.Name + ", " + head
		}
		w, err := library.Work(term.Formula, law.Used(term.Formula, term.Values), sheet.Plain)
		if err != nil {
			continue
		}
		lines = append(lines, head+"T = "+w.Symbols+" = "+w.Numbers+" = "+timeText(term.Time),
			"so a link carries "+bytesText(term.Bytes)+" at "+term.Bandwidth.Quantity().String()+" one way")
	}
	if c.Latency > c.Bandwidth {
		lines = append(lines, "but "+strconv.Itoa(c.Hops)+" hops take "+timeText(c.Latency)+" at the least, and that is longer")
	}
	return append(lines, "by the shortcut "+timeText(t.Price.Shortcut))
}

func algorithm(name string) string {
	if name == "" {
		return ""
	}
	return ", " + name
}

// resource is what a collective waits for. A mesh axis of its own is named; the torus counts its axes.
func (x *subject) resource(name string, t *sharding.Step) string {
	if axis, ok := strings.CutPrefix(name, "axis "); ok {
		if len(t.Axes) == 1 && len(x.fabric.Pieces) > t.Axes[0] && len(x.fabric.Pieces[t.Axes[0]]) < 2 {
			return "along " + x.mesh.Axes[t.Axes[0]].Name
		}
		return "along axis " + axis + " of the wires"
	}
	return name
}
