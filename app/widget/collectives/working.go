package collectives

import (
	"math"
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
	how := map[string]string{
		"time": "the longer of the two below", "bytes_time": "stage by stage, below", "latency": steps(x.cost.Hops) + " of " + x.hop.Quantity().String(),
		"shortcut": "the bytes simplified, or the latency", "per_link": x.linkText(), "steps": x.cost.Algorithm,
		"binding": "the longest of all terms", "rate": "array over time", "bus": "array over time × " + busText(x.c.Op),
		"knee": "where the bytes take as long as the steps", "played": "each waits for its latency or its longest link",
	}
	for _, v := range values(s, m) {
		box.Kids = append(box.Kids, s.Row(v.Name, how[v.Name]))
	}
	return box
}

// linkText says of which link the bytes are counted.
func (x *subject) linkText() string {
	if len(x.cost.Stages) > 1 && x.units() == 1 && !x.axesAlike(true) {
		return "that of each stage, added up: on a line it is another one in the second"
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
	for i, st := range x.cost.Stages {
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("remark"), instrument.El("b", instrument.Capital(st.Name)+": "), st.Why+"."))
		if i > 0 && x.alike(i) {
			box.Kids = append(box.Kids, instrument.Note("The same time once more: "+st.Longest().Time.Quantity().String()+"."))
			continue
		}
		for _, t := range st.Terms {
			box.Kids = append(box.Kids, x.term(t, len(st.Terms) > 1 && t.Resource == st.Longest().Resource))
		}
	}
	var said []string
	for _, name := range []string{"V", "N", "W", "W_all", "N_S", "W_S", "W_cut", "X", "g", "m"} {
		if x.uses(name) {
			said = append(said, symbols(x)[name])
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
			for _, word := range words(t.Formula) {
				if word == name {
					return true
				}
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

// symbols say what the letters of the formulas mean.
func symbols(x *subject) map[string]string {
	w := "W the one-way egress of a " + x.who()
	switch {
	case x.net == tree:
		w = "W the one-way egress of a unit under the level"
	case x.c.OneWay && x.units() == 1:
		w = "W a link's bandwidth, one way"
	case x.net == ring || x.net == slice && x.axesAlike(true):
		w = "W a link's bandwidth both ways together, as data comes in from both sides"
	case x.net == line || x.net == slice && x.axesAlike(false):
		w = "W a link's bandwidth one way, as the chip at the end has one neighbour"
	case x.net == slice:
		w = "W what an axis brings into a chip: both ways of a link in a ring, one in a line"
	}
	return map[string]string{
		"V": "V is the array", "N": "N the " + x.who() + "s", "W": w, "W_all": "W_all the same over all axes together",
		"N_S": "N_S the chips that the named axes span", "W_S": "W_S what those axes bring into a chip",
		"W_cut": "W_cut what passes the cut across the axis", "X": "X the chips along the axis",
		"g": "g the groups with members in a unit", "m": "m the members of a group in a unit",
	}
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
func (x *subject) term(t network.Term, longest bool) *instrument.Node {
	label := map[string]string{"level node": "Inside the nodes", "level network": "Between the nodes"}[t.Resource]
	if label == "" {
		label = instrument.Capital(t.Resource)
	}
	if longest {
		label += " (the longest counts)"
	}
	formula, working := set(t.Formula, x.numbers(t), t.Time)
	return instrument.El("div", instrument.Class("term"), instrument.El("div", instrument.Class("result"), instrument.El("span", instrument.Class("row-label"), label),
		instrument.El("span", instrument.Class("result-how"), instrument.El("span", formula), instrument.El("span", working)),
		instrument.El("span", instrument.Class("row-value"), t.Time.Quantity().String())))
}

// numbers are what the letters in a term's formula stand for.
func (x *subject) numbers(t network.Term) map[string]quantity.Quantity {
	count := func(n float64) quantity.Quantity { return quantity.Quantity{Value: n} }
	at := map[string]quantity.Quantity{"V": x.size, "N": count(float64(x.group.Size())), "W": t.Bandwidth.Quantity(), "g": count(1)}
	all, span, within := 0.0, 1.0, 0.0
	for _, a := range x.axes {
		if a.Size < 2 {
			continue
		}
		w := x.intake(a)
		all += w
		if t.Resource == "axis "+a.Name {
			at["X"], at["W"] = count(float64(a.Size)), quantity.Bandwidth(w).Quantity()
			at["W_cut"] = quantity.Bandwidth(w * float64(x.group.Size()/a.Size)).Quantity()
		}
		if strings.Contains(strings.TrimPrefix(strings.TrimPrefix(t.Resource, "axes "), "axis "), a.Name) {
			span, within = span*float64(a.Size), within+w
		}
	}
	at["W_all"], at["W_S"], at["N_S"] = quantity.Bandwidth(all).Quantity(), quantity.Bandwidth(within).Quantity(), count(span)
	at["m"] = count(1)
	if t.Resource == "level network" {
		at["m"] = count(float64(x.n))
	}
	return at
}

// intake is what an axis brings into a chip.
func (x *subject) intake(a network.Axis) float64 {
	if x.c.OneWay {
		return float64(a.Neighbour())
	}
	return float64(a.Ring())
}

// set is a formula with symbols and with numbers, set by the language of the sheets.
func set(formula string, at map[string]quantity.Quantity, want quantity.Seconds) (symbols, working *instrument.Node) {
	var src strings.Builder
	seen := map[string]bool{}
	for _, name := range words(formula) {
		q, ok := at[name]
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		src.WriteString("let " + name + " = " + literal(q) + "\n")
	}
	sh, errs := sheet.Compile(src.String()+"T = "+formula+"\n", nil)
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
	return instrument.SVG(`<math displaystyle="true" alttext="` + strings.ReplaceAll(instrument.Escape(plain), `"`, "&quot;") + `">` + ml + `</math>`)
}

// literal is a quantity as a sheet's author would write it.
func literal(q quantity.Quantity) string {
	n := strconv.FormatFloat(q.Value, 'g', -1, 64)
	switch q.Dim {
	case quantity.Bytes(1).Quantity().Dim:
		if q.Binary && q.Value >= 1<<20 {
			return strconv.FormatFloat(q.Value/(1<<20), 'g', -1, 64) + " MiB"
		}
		return n + " byte"
	case quantity.Bandwidth(1).Quantity().Dim:
		return n + " byte/s"
	}
	return n
}
