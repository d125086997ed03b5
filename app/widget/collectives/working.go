package collectives

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// answer is the results, each with how it comes about.
func answer(s *instrument.State, x *subject) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("The answer"))
	for _, r := range x.results(steps(s)) {
		box.Kids = append(box.Kids, s.Row(r.Name, r.how))
	}
	return box
}

// linkText says of which link the bytes are counted.
func (x *subject) linkText() string {
	if len(x.Cost.Stages) > 1 && x.units() == 1 && !x.axesAlike(true) {
		return "in both stages; along a line the second loads most what the first loads least"
	}
	return "of all that each carries in one direction"
}

// working is each term of the law with its numbers.
func (x *subject) working(s *instrument.State) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"), s.Heading("The law, term by term"))
	if len(x.Cost.Stages) == 0 {
		box.Kids = append(box.Kids, instrument.Note("There is nobody to send to."))
		return box
	}
	for i := range x.Cost.Stages {
		st := &x.Cost.Stages[i]
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
	box.Kids = append(box.Kids, instrument.Note(instrument.Capital(x.symbols())+"."))
	return box
}

// alike says whether a stage has the times of the one before.
func (x *subject) alike(i int) bool {
	return x.Cost.Stages[i].Longest().Time == x.Cost.Stages[i-1].Longest().Time
}

// symbols says what the letters of the formulas mean, each once.
func (x *subject) symbols() string {
	var said []string
	for _, st := range x.Cost.Stages {
		for _, t := range st.Terms {
			for _, v := range law.Used(t.Formula, t.Values) {
				if text := v.Name + " " + v.Is; !slices.Contains(said, text) {
					said = append(said, text)
				}
			}
		}
	}
	return strings.Replace(strings.Join(said, "; "), "V ", "V is ", 1)
}

func (x *subject) units() int {
	if x.Kind == play.Node || x.Kind == play.Tree {
		return 0
	}
	return 1
}

// axesAlike says whether all axes that count are rings, or all lines.
func (x *subject) axesAlike(wrap bool) bool {
	for _, a := range x.Axes {
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
	formula, working := x.set(t)
	return instrument.El("div", instrument.Class("term"), instrument.El("div", instrument.Class("result"), instrument.El("span", instrument.Class("row-label"), label),
		instrument.El("span", instrument.Class("result-how"), instrument.El("span", formula), instrument.El("span", working)),
		instrument.El("span", instrument.Class("row-value"), t.Time.Quantity().String())))
}

// set is a term's formula with symbols and with numbers, bytes as the reader wrote the size.
func (x *subject) set(t *network.Term) (symbols, working *instrument.Node) {
	values := law.Used(t.Formula, t.Values)
	for i := range values {
		if q := &values[i].Num; q.Dim == x.Size.Dim && q.Value >= 1<<20 {
			q.Binary = x.Size.Binary
		}
	}
	ml, err := library.Work(t.Formula, values, sheet.MathML)
	if err != nil {
		return instrument.El("span", t.Formula), nil
	}
	plain, _ := library.Work(t.Formula, values, sheet.Plain)
	return formulaNode(ml.Symbols, plain.Symbols), formulaNode("<mo>=</mo>"+ml.Numbers, "= "+plain.Numbers)
}

// formulaNode is a formula with its plain text beside it, for copies.
func formulaNode(ml, plain string) *instrument.Node {
	return instrument.SVG(`<math displaystyle="true" alttext="` + instrument.Escape(plain) + `">` + ml + `</math>`)
}
