package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// judge says how far off an answer is: a number as a factor; a formula by what it comes to with these numbers and with
// others.
func (v *View) judge(name string, g *Guess) error {
	if g.Text == "" {
		return phrase.New("widget.guess-missing")
	}
	row := v.row(name)
	if row.Err != nil {
		g.Verdict = v.say("widget.answer-none", "why", row.Err)
		return nil
	}
	like := quantity.Quantity{Value: 1, Dim: row.Value.Num.Dim, Label: row.Value.Num.Label}
	guess, err := quantity.ParseLike(g.Text, like)
	used := v.namesIn(g.Text)
	if a := v.ask(name); a.Symbols != nil || err != nil && len(used) > 0 && !v.Sheet.Long() {
		return v.judgeFormula(a, g, used)
	}
	if err := needsUnit(g.Text, like); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	g.Score = score(guess.Value, row.Value.Num.Value)
	g.Verdict = v.compared(g.Text, guess.Value, row.Value.Num.Value, row.In(v.phrases())) + v.aside(name)
	return nil
}

// score is how far an estimate is off, for programs.
func score(guess, value float64) string {
	f := math.Max(math.Abs(guess/value), math.Abs(value/guess))
	switch {
	case guess == value:
		return "1"
	case guess*value > 0 && f-f == 0:
		return strconv.FormatFloat(f, 'g', 4, 64)
	}
	return "wrong"
}

// compared says how far an estimate is off, as a factor where both have one sign.
func (v *View) compared(said string, guess, value float64, is string) string {
	f, low := math.Max(math.Abs(guess/value), math.Abs(value/guess)), math.Abs(guess) < math.Abs(value)
	key, off := "widget.guess-high", ""
	switch {
	case guess == value:
		key = "widget.guess-exact"
	case guess*value <= 0:
		key, off = "widget.guess-off", quantity.Quantity{Value: math.Abs(guess - value)}.String()
	case f < 1.02:
		key = "widget.guess-close"
	case f >= 1.25:
		off = factor(f)
		if low {
			key = "widget.guess-low"
		}
	default:
		key, off = "widget.guess-near-high", quantity.Percent(f-1, 0)
		if low {
			key = "widget.guess-near-low"
		}
	}
	return v.verdict(key, said, off, is)
}

// verdict is a sentence about an answer: what was said, how far that is off, what it is.
func (v *View) verdict(key, said, off, is string) string {
	return v.say(key, "said", said, "off", off, "percent", off, "factor", off, "value", is)
}

func factor(f float64) string {
	switch {
	case f < 10:
		return strconv.FormatFloat(f, 'g', 3, 64)
	case f < 1e6:
		return strconv.FormatFloat(math.Round(f), 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'e', 1, 64)
}

// namesIn are the rows that a text names, each once.
func (v *View) namesIn(text string) (names []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '.' && !address.WordRune(r) }) {
		name, _, _ := strings.Cut(word, ".")
		if v.Sheet.Row(name) != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// judgeFormula holds a formula against the row that is asked for, with the present numbers and with others.
func (v *View) judgeFormula(a *sheet.Ask, g *Guess, used []string) error {
	may := a.Symbols
	if may == nil {
		for _, in := range v.Sheet.Inputs {
			may = append(may, in.Name)
		}
	}
	for _, n := range used {
		if !slices.Contains(may, n) {
			return phrase.New("widget.formula-symbol", "name", n, "names", strings.Join(may, ", "))
		}
	}
	if len(used) == 0 {
		return phrase.New("widget.formula-missing", "names", strings.Join(may, ", "))
	}
	f, err := v.formulaOf(g.Text)
	if err != nil {
		return err
	}
	return f.judge(v, a.Name, g)
}

// formula is what a reader wrote, as the last row of a sheet that is otherwise the same.
type formula struct {
	*sheet.Sheet
	row string
}

func (v *View) formulaOf(text string) (f formula, err error) {
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

// judge compares the formula with a row: where their quotient is the same with all numbers that are tried, only a
// factor is off; where it isn't, the numbers that tell them apart are named.
func (f formula) judge(v *View, name string, g *Guess) error {
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
	g.Verdict = v.compared(g.Text, yours.Value.Num.Value, is.Value.Num.Value, is.In(v.phrases()))
	key := "widget.formula-holds"
	in, text := f.apart(v, v.ask(name), now, q)
	if in != "" {
		g.Score, key = "wrong", "widget.formula-differs"
	}
	g.Verdict += " " + v.say(key, "input", in, "number", text)
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
