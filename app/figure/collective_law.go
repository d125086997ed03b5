package figure

import (
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// CollectiveLaw writes down the exact law of a collective, stage by stage and term by term: with symbols, and with
// numbers.
func CollectiveLaw(l phrase.Phrases, x *play.Setting) *Drawing {
	d := &Drawing{Title: l.Say("figure.law"), About: l.Say("figure.law-nobody")}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.law-heads")}
	root := markup.El("div", markup.Class("written-law"))
	for i := range x.Cost.Stages {
		st := &x.Cost.Stages[i]
		longest := st.Longest()
		root.Add(markup.El("p", markup.El("b", l.Say("figure.law-stage", "name", phrase.Capital(l.Text(st.Name())))), " ",
			l.Say("figure.ended", "said", st.Why)))
		if i > 0 && longest.Time == x.Cost.Stages[i-1].Longest().Time {
			root.Add(markup.El("p", l.Say("figure.law-again", "time", longest.Time.Quantity())))
			continue
		}
		for j := range st.Terms {
			t := &st.Terms[j]
			label := termLabel(l, t, len(st.Terms) > 1 && t.Resource == longest.Resource)
			symbols, numbers := work(t.Formula, valuesOf(x, t), explain.Plain)
			root.Add(termNode(x, t, label))
			twin.add(label, symbols, numbers, t.Time.Quantity().String())
		}
	}
	if letters := lettersOf(l, x); letters != "" {
		d.About = ended(l, letters)
		d.Twin = []Table{twin}
	}
	root.Add(markup.El("p", markup.Class("law-letters"), d.About))
	d.Root = root
	return d
}

// termLabel is what a term is about.
func termLabel(l phrase.Phrases, t *network.Term, longest bool) string {
	label := phrase.Capital(l.Text(t.Resource))
	if t.Resource.Kind == network.LevelEgress {
		label = l.Say("figure.law-inside")
		if t.Resource.Name == "network" {
			label = l.Say("figure.law-between")
		}
	}
	if longest {
		return l.Say("figure.law-longest", "term", label)
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
func lettersOf(l phrase.Phrases, x *play.Setting) string {
	var meant []law.Value
	var all []string
	for _, st := range x.Cost.Stages {
		for _, t := range st.Terms {
			for _, v := range law.Used(t.Formula, t.Values) {
				same := func(m law.Value) bool { return m.Name == v.Name && m.Is.Key == v.Is.Key }
				if slices.ContainsFunc(meant, same) {
					continue
				}
				key := "figure.letter"
				if meant = append(meant, v); len(meant) == 1 {
					key = "figure.letter-is"
				}
				all = append(all, l.Say(key, "letter", v.Name, "meaning", v.Is))
			}
		}
	}
	return clauses(l, all)
}
