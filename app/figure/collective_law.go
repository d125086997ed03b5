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
			symbols, numbers := worked(x, t, sheet.Plain)
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
	how := markup.El("span", markup.Class("law-how"))
	symbols, numbers := worked(x, t, sheet.MathML)
	plainSymbols, plainNumbers := worked(x, t, sheet.Plain)
	how.Add(formula(symbols, plainSymbols))
	if numbers != "" {
		how.Add(formula("<mo>=</mo>"+numbers, "= "+plainNumbers))
	}
	return markup.El("div", markup.Class("law-term"), markup.El("span", label), how,
		markup.El("span", markup.Class("law-time"), t.Time.Quantity().String()))
}

// worked is a term's formula with symbols and with numbers, bytes as the reader wrote the size.
func worked(x *play.Setting, t *network.Term, f sheet.Format) (symbols, numbers string) {
	var values []sheet.Named
	for _, v := range law.Used(t.Formula, t.Values) {
		if v.Num.Dim == x.Size.Dim && v.Num.Value >= 1<<20 {
			v.Num.Binary = x.Size.Binary
		}
		values = append(values, sheet.Named{Name: v.Name, Value: sheet.Value{Kind: sheet.Number, Num: v.Num}})
	}
	w, err := sheet.Work(t.Formula, values, nil, f)
	if err != nil {
		return t.Formula, ""
	}
	return w.Symbols, w.Numbers
}

// formula is a formula with its plain text beside it, for copies.
func formula(ml, plain string) *markup.Node {
	return markup.Raw(`<math displaystyle="true" alttext="` + markup.Escape(plain) + `">` + ml + `</math>`)
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
