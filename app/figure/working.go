package figure

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Costs carry their terms as formulas with named values. Here the renderer of sheets writes them down.

// work is a formula with symbols and with numbers.
func work(formula string, values []law.Value, f explain.Format) (symbols, numbers string) {
	named := make([]explain.Named, len(values))
	for i, v := range values {
		named[i] = explain.Named{Name: v.Name, Value: value.Value{Kind: value.Number, Num: v.Num}}
	}
	w, err := explain.Work(formula, named, nil, f)
	if err != nil {
		return formula, ""
	}
	return w.Symbols, w.Numbers
}

// workedTerm is a term as a line: what it is about, its formula, its numbers, its time.
func workedTerm(label, text string, values []law.Value, time quantity.Seconds) *markup.Node {
	how := markup.El("span", markup.Class("law-how"))
	symbols, numbers := work(text, values, explain.MathML)
	plainSymbols, plainNumbers := work(text, values, explain.Plain)
	how.Add(formula(symbols, plainSymbols))
	if numbers != "" {
		how.Add(formula("<mo>=</mo>"+numbers, "= "+plainNumbers))
	}
	return markup.El("div", markup.Class("law-term"), markup.El("span", label), how,
		markup.El("span", markup.Class("law-time"), time.Quantity().String()))
}

// formula is a formula with its plain text beside it, for copies.
func formula(ml, plain string) *markup.Node {
	return markup.Raw(`<math displaystyle="true" alttext="` + markup.Escape(plain) + `">` + ml + `</math>`)
}
