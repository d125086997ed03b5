package collectives

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// answer is the results, each with how it comes about.
func answer(s *instrument.State, m *memo, x *subject) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("The answer"))
	for _, r := range x.results(m.of(s)) {
		box.Kids = append(box.Kids, s.Row(r.Name, r.how))
	}
	return box
}

// linkText says of which link the bytes are counted.
func (x *subject) linkText() string {
	if len(x.cost.Stages) > 1 && x.units() == 1 && !x.axesAlike(true) {
		return "in both stages; along a line the second loads most what the first loads least"
	}
	return "of all that each carries in one direction"
}

// busText is busFactor as a formula.
func busText(op network.Op) string {
	switch op {
	case network.AllGather, network.ReduceScatter:
		return "(N − 1)/N"
	case network.AllReduce:
		return "2 (N − 1)/N"
	case network.AllToAll:
		return "(N − 1)/N²"
	}
	return "1"
}

// working is each term of the law with its numbers.
func (x *subject) working(s *instrument.State) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("The law, term by term"))
	if len(x.cost.Stages) == 0 {
		box.Kids = append(box.Kids, instrument.Note("There is nobody to send to."))
		return box
	}
	for i := range x.cost.Stages {
		st := &x.cost.Stages[i]
		longest := st.Longest()
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("remark"), instrument.El("b", instrument.Capital(st.Name)+": "), st.Why+"."))
		if i > 0 && x.alike(i) {
			box.Kids = append(box.Kids, instrument.Note("The same time once more: "+longest.Time.Quantity().String()+"."))
			continue
		}
		for j := range st.Terms {
			t := &st.Terms[j]
			box.Kids = append(box.Kids, x.term(t, len(st.Terms) > 1 && t.Resource == longest.Resource))
		}
	}
	var said []string
	for name := range strings.FieldsSeq("V N W W_all N_S W_S W_cut X g m") {
		if x.uses(name) {
			said = append(said, x.symbol(name))
		}
	}
	box.Kids = append(box.Kids, instrument.Note(instrument.Capital(strings.Join(said, "; "))+"."))
	return box
}

// alike says whether a stage has the times of the one before.
func (x *subject) alike(i int) bool {
	return x.cost.Stages[i].Longest().Time == x.cost.Stages[i-1].Longest().Time
}

func (x *subject) uses(name string) bool {
	for _, st := range x.cost.Stages {
		for _, t := range st.Terms {
			if slices.Contains(words(t.Formula), name) {
				return true
			}
		}
	}
	return false
}

// words are the names in a formula.
func words(formula string) []string {
	return strings.FieldsFunc(formula, func(r rune) bool {
		return !(r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
}

// symbol says what a letter of the formulas means.
func (x *subject) symbol(name string) string {
	what := ""
	switch name {
	case "V":
		what = "is the array"
	case "N":
		what = "the " + x.who() + "s"
	case "W":
		what = x.bandwidth()
	case "W_all":
		what = "the same over all axes together"
	case "N_S":
		what = "the chips that the named axes span"
	case "W_S":
		what = "what those axes bring into a chip"
	case "W_cut":
		what = "what passes the cut across the axis"
	case "X":
		what = "the chips along the axis"
	case "g":
		what = "the groups with members in a unit"
	case "m":
		what = "the members of a group in a unit"
	}
	return name + " " + what
}

// bandwidth says what W is.
func (x *subject) bandwidth() string {
	switch {
	case x.net == tree:
		return "the one-way egress of a unit under the level"
	case x.net == node:
		return "the one-way egress of a " + x.who()
	case x.c.OneWay:
		return "a link's bandwidth, one way"
	case x.axesAlike(true):
		return "a link's bandwidth both ways together, as data comes in from both sides"
	case x.axesAlike(false):
		return "a link's bandwidth one way, as the chip at the end has one neighbour"
	}
	return "what an axis brings into a chip: both ways of a link in a ring, one in a line"
}

func (x *subject) units() int {
	if x.net == node || x.net == tree {
		return 0
	}
	return 1
}

// axesAlike says whether all axes that count are rings, or all lines.
func (x *subject) axesAlike(wrap bool) bool {
	for _, a := range x.axes {
		if a.Size > 1 && a.Wrap != wrap {
			return false
		}
	}
	return true
}

// term is a line of the working: formula, the same with numbers, the time.
func (x *subject) term(t *network.Term, longest bool) *instrument.Node {
	label := instrument.Capital(t.Resource)
	switch t.Resource {
	case "level node":
		label = "Inside the nodes"
	case "level network":
		label = "Between the nodes"
	}
	if longest {
		label += " (the longest counts)"
	}
	formula, working := set(t.Formula, x.numbers(t), t.Time)
	return instrument.El("div", instrument.Class("term"), instrument.El("div", instrument.Class("result"), instrument.El("span", instrument.Class("row-label"), label),
		instrument.El("span", instrument.Class("result-how"), instrument.El("span", formula), instrument.El("span", working)),
		instrument.El("span", instrument.Class("row-value"), t.Time.Quantity().String())))
}

// numbers are what the letters in a term's formula stand for, as a sheet declares them.
func (x *subject) numbers(t *network.Term) string {
	var src strings.Builder
	used := words(t.Formula)
	let := func(name string, v float64, unit string) {
		if slices.Contains(used, name) {
			src.WriteString("let " + name + " = " + strconv.FormatFloat(v, 'g', -1, 64) + unit + "\n")
		}
	}
	if v := float64(x.c.Bytes); x.size.Binary && v >= 1<<20 {
		let("V", v/(1<<20), " MiB")
	} else {
		let("V", v, " byte")
	}
	all, span, within, w, members := 0.0, 1.0, 0.0, float64(t.Bandwidth), 1.0
	for _, a := range x.axes {
		if a.Size < 2 {
			continue
		}
		in := x.intake(a)
		all += in
		if t.Resource == "axis "+a.Name {
			w = in
			let("X", float64(a.Size), "")
			let("W_cut", in*float64(x.group.Size()/a.Size), " byte/s")
		}
		if _, names, _ := strings.Cut(t.Resource, " "); strings.Contains(names, a.Name) {
			span, within = span*float64(a.Size), within+in
		}
	}
	if t.Resource == "level network" {
		members = float64(x.n)
	}
	let("N", float64(x.group.Size()), "")
	let("W", w, " byte/s")
	let("W_all", all, " byte/s")
	let("W_S", within, " byte/s")
	let("N_S", span, "")
	let("m", members, "")
	let("g", 1, "")
	return src.String()
}

// intake is what an axis brings into a chip.
func (x *subject) intake(a network.Axis) float64 {
	if x.c.OneWay {
		return float64(a.Neighbour())
	}
	return float64(a.Ring())
}

// set is a formula with symbols and with numbers, set by the language of the sheets. Numbers that don't make the time are left out.
func set(formula, numbers string, want quantity.Seconds) (symbols, working *instrument.Node) {
	sh, errs := sheet.Compile(numbers+"T = "+formula+"\n", nil)
	if len(errs) > 0 {
		return instrument.El("span", formula), nil
	}
	r := sh.Eval(nil)
	if got, err := r.Value("T"); err != nil || math.Abs(got.Num.Value-float64(want)) > 1e-9*float64(want) {
		return instrument.El("span", formula), nil
	}
	return formulaNode(sh.Formula("T", sheet.MathML), sh.Formula("T", sheet.Plain)), formulaNode("<mo>=</mo>"+r.Working("T", sheet.MathML), "= "+r.Working("T", sheet.Plain))
}

// formulaNode is a formula with its plain text beside it, for copies.
func formulaNode(ml, plain string) *instrument.Node {
	return instrument.SVG(`<math displaystyle="true" alttext="` + instrument.Escape(plain) + `">` + ml + `</math>`)
}
