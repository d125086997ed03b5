package widget

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// namesIn are the rows that a text names, each once.
func (v *evaluated) namesIn(text string) (names []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '.' && !address.WordRune(r) }) {
		name, _, _ := strings.Cut(word, ".")
		if v.Sheet.Row(name) != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// checkFormula holds a formula against the row that is asked for, with the present numbers and with others.
func (v *View) checkFormula(a *sheet.Ask, g *Guess, formula string, used []string) error {
	may := v.symbolsOf(a)
	symbol := func(name any) error {
		return phrase.New("widget.formula-symbol", "name", name, "names", strings.Join(may, ", "))
	}
	for _, n := range used {
		if !slices.Contains(may, n) {
			return symbol(n)
		}
	}
	f, err := v.formulaOf(formula)
	// A sheet's remedy for an unknown name is a line of its own, for which a field has no place.
	if e, ok := err.(phrase.Fault); ok && e.What.Key == "sheet.unknown-name" {
		return symbol(e.What.Gaps[1])
	}
	if len(used) == 0 {
		return phrase.New("widget.formula-missing", "names", strings.Join(may, ", "))
	}
	if err != nil {
		return err
	}
	return f.compare(v, a.Name, formula, g)
}

// symbolsOf are the rows that an answer may be written in.
func (v *evaluated) symbolsOf(a *sheet.Ask) []string {
	may := a.Symbols
	if may == nil {
		for _, in := range v.Sheet.Inputs {
			may = append(may, in.Name)
		}
	}
	return may
}

// onPaper is a formula that answers a question, as a sheet has it.
func (v *evaluated) onPaper(a *sheet.Ask, text string) string {
	if before, formula, ok := strings.Cut(text, "="); ok && trimSpace(before) == a.Name {
		text = formula
	}
	w := formulaWriter{symbols: v.symbolsOf(a), row: func(name string) bool { return v.Sheet.Row(name) != nil }}
	return w.paper(text)
}

// formula is what a reader wrote, as the last row of a sheet that is otherwise the same.
type formula struct {
	*sheet.Sheet
	row string
}

func (v *evaluated) formulaOf(text string) (f formula, err error) {
	for f.row = "yours"; v.Sheet.Row(f.row) != nil; {
		f.row += "_"
	}
	if strings.ContainsAny(text, "#\n") {
		return f, phrase.New("widget.formula-one-line")
	}
	s, errs := v.Sheet.Extended("hidden " + f.row + " = " + text)
	if len(errs) > 0 {
		return f, errs[0].Fault()
	}
	f.Sheet = s
	return f, nil
}

// compare compares the formula with a row: where their quotient is the same with all numbers that are tried, only a
// factor is off; where it isn't, the numbers that tell them apart are named.
func (f formula) compare(v *View, name, formula string, g *Guess) error {
	now := f.Eval(v.State)
	yours, is := rowOf(now, f.row), rowOf(now, name)
	switch {
	case yours.Def.Type.Kind != value.Number || unlike(yours.Def.Type.Dim, is.Def.Type.Dim):
		return phrase.New("widget.formula-unit", "yours", yours.Def.Type, "type", is.Def.Type)
	case yours.Err != nil:
		return yours.Err
	}
	q := quotient(yours, is)
	g.Score = score(yours.Value.Num.Value, is.Value.Num.Value)
	said := g.Text
	if spaceless := strings.NewReplacer(" ", ""); spaceless.Replace(said) != spaceless.Replace(formula) {
		said = v.say("widget.read-as", "text", said, "read", formula)
	}
	g.Verdict = v.compared(said, yours.Value.Num.Value, is.Value.Num.Value, is.In(v.phrases()))
	in, text := f.apart(v, v.ask(name), now, q)
	if in != "" {
		g.Score = "wrong"
		g.Verdict += " " + v.say("widget.formula-differs", "input", in, "number", text)
		return nil
	}
	g.Verdict += " " + v.say("widget.formula-holds") + v.hint(q, is.Def.Type.Dim)
	return nil
}

func quotient(a, b *expr.Row) float64 { return a.Value.Num.Value / b.Value.Num.Value }

// unlike says whether two dimensions differ by more than operations and bytes, which a formula on paper leaves out: it
// says B > C/W, and means two operations for each weight of two bytes.
func unlike(a, b quantity.Dim) bool {
	a[quantity.FLOP], b[quantity.FLOP] = 0, 0
	a[quantity.Byte], b[quantity.Byte] = 0, 0
	return a != b
}

// apart is an input, and a value of it, with which the formula and the row have another quotient than q; empty if none
// of those that are tried. What no symbol depends on stays as it is.
func (f formula) apart(v *View, a *sheet.Ask, now *sheet.Result, q float64) (called, text string) {
	const each = 4 // values of an input
	levers := v.levers()
	for _, in := range slices.Concat(levers[:]...) {
		for n := range each {
			text, _ = otherValue(in, n)
			st, err := v.Sheet.Set(v.State, in.Name, text)
			if err != nil {
				continue
			}
			other := f.Eval(st)
			same := func(name string) bool { return rowOf(other, name).Text() == rowOf(now, name).Text() }
			if a.Symbols != nil && !slices.ContainsFunc(a.Symbols, func(s string) bool { return !same(s) }) {
				continue
			}
			yours, is := rowOf(other, f.row), rowOf(other, a.Name)
			if yours.Err == nil && is.Err == nil && math.Abs(quotient(yours, is)-q) > 1e-6*math.Abs(q) {
				return v.called(in.Name), text
			}
		}
	}
	return "", ""
}
