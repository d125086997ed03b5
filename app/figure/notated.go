package figure

import (
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Notated is a text that may hold the notation of shards, "AllGather_X(B)" or "A[I_X, J]": the axes of the mesh become
// indices, the point of a typed product and its arrow the signs that they stand for. The underscore stays in the text,
// unseen, for those who copy it or have it read to them. No line breaks between a number and its unit in a name, "H100
// SXM 80 GB"; values stay in one line anyway.
func Notated(s string) *markup.Node {
	if name, found := strings.CutSuffix(s, " GB"); found && isLetter(s[0]) {
		s = name + "\u00a0GB"
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "] . ", "] · "), "] -> ", "] → ")
	from, to := axes(s)
	if from < 0 {
		return markup.Text(s)
	}
	n := markup.El("span")
	for from >= 0 {
		n.Add(s[:from], markup.El("sub", markup.El("span", markup.Class("under"), "_"), s[from+1:to]))
		s = s[to:]
		from, to = axes(s)
	}
	n.Add(s)
	return n
}

// axes is where the first underscore stands that has the axes of a mesh behind it, and where they end.
func axes(s string) (from, to int) {
	for i := 1; i < len(s)-1; i++ {
		if s[i] != '_' || !isLetter(s[i-1]) || !isUpper(s[i+1]) || i > 1 && s[i-2] == '_' { // the last: Q4_K_M
			continue
		}
		for to = i + 1; to < len(s) && isUpper(s[to]); to++ {
		}
		if to == len(s) || s[to] != '_' && !isLetter(s[to]) { // else it is a name, such as gemmSN_TN_kernel
			return i, to
		}
	}
	return -1, 0
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return isUpper(c) || 'a' <= c && c <= 'z' }

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
