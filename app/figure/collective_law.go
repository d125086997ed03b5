package figure

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/sheet"
)

// CollectiveLaw writes down the exact law of a collective, stage by stage and term by term: with symbols, and with
// numbers.
func CollectiveLaw(x *play.Setting) *Drawing {
	d := &Drawing{Title: "The law, term by term", About: "There is nobody to send to."}
	twin := Table{Caption: d.Title, Heads: []string{"Term", "Formula", "With numbers", "Time"}}
	root := markup.El("div", markup.Class("written-law"))
	for i := range x.Cost.Stages {
		st := &x.Cost.Stages[i]
		longest := st.Longest()
		root.Add(markup.El("p", markup.El("b", capital(st.Name)+": "), st.Why+"."))
		if i > 0 && longest.Time == x.Cost.Stages[i-1].Longest().Time {
			root.Add(markup.El("p", "The same time once more: "+longest.Time.Quantity().String()+"."))
			continue
		}
		for j := range st.Terms {
			t := &st.Terms[j]
			label := termLabel(t, len(st.Terms) > 1 && t.Resource == longest.Resource)
			symbols, numbers := work(t.Formula, valuesOf(x, t), sheet.Plain)
			root.Add(termNode(x, t, label))
			twin.add(label, symbols, numbers, t.Time.Quantity().String())
		}
	}
	if letters := lettersOf(x); letters != "" {
		d.About = capital(letters) + "."
		d.Twin = []Table{twin}
	}
	root.Add(markup.El("p", markup.Class("law-letters"), d.About))
	d.Root = root
	return d
}

// termLabel is what a term is about.
func termLabel(t *network.Term, longest bool) string {
	label := capital(t.Resource)
	switch t.Resource {
	case "level node":
		label = "Inside the nodes"
	case "level network":
		label = "Between the nodes"
	}
	if longest {
		label += " (the longest counts)"
	}
	return label
}

// termNode is a term as a line.
func termNode(x *play.Setting, t *network.Term, label string) *markup.Node {
	return workedTerm(label, t.Formula, valuesOf(x, t), t.Time)
}

// valuesOf are the values of a term's formula, bytes as the reader wrote the size.
func valuesOf(x *play.Setting, t *network.Term) []law.Value {
	values := law.Used(t.Formula, t.Values)
	for i := range values {
		if n := &values[i].Num; n.Dim == x.Size.Dim && n.Value >= 1<<20 {
			n.Binary = x.Size.Binary
		}
	}
	return values
}

// lettersOf says what the letters of the formulas mean, each once.
func lettersOf(x *play.Setting) string {
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
