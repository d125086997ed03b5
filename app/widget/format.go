package widget

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// fieldText is what stands in the field of an input whose value is v: for a number the shortest text that means exactly
// v, in its author's unit where that reads well; for a menu the id of the choice.
func fieldText(in *input.Input, v value.Value) string {
	switch v.Kind {
	case value.List:
		return in.Typed(v)
	case value.Number:
		if in.Form() == input.MenuForm {
			return in.Typed(v)
		}
		return numberText(v.Num, in.Unit)
	case value.Bool:
		if v.Bool {
			return "on"
		}
		return "off"
	case value.Rec:
		if v.Record == nil {
			return ""
		}
		return v.Record.ID
	}
	return v.Text
}

// mostDigits is how many digits of a number that follows others are shown as they are.
const mostDigits = 7

// followText is what stands in the field of an input that its reader left alone. A number that follows others and has
// many digits is rounded: nothing is read back from such a field.
func followText(in *input.Input) string {
	text := fieldText(in, in.Default)
	if in.Form() != input.NumberForm || len(in.Follows) == 0 || digits(text) <= mostDigits {
		return text
	}
	return in.Default.Num.Uncounted().Typed(6)
}

func digits(text string) (n int) {
	for _, c := range text {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}

// numberText is the text of q for a field in which a bare number means so many of unit.
func numberText(q, unit quantity.Quantity) string {
	q = q.Uncounted()
	means := func(s string) bool {
		p, err := quantity.ParseLike(s, unit)
		return err == nil && p.Value == q.Value
	}
	if s := inUnit(q, unit); s != "" && means(s) {
		return s
	}
	for digits := 3; digits <= 17; digits++ {
		if s := q.Typed(digits); means(s) {
			if digits > 4 && q == (quantity.Quantity{Value: math.Trunc(q.Value)}) && q.Value < 1e9 {
				return quantity.Grouped(strconv.FormatFloat(q.Value, 'f', 0, 64)) // 4,194,304 and not 4.194304 M
			}
			return s
		}
	}
	if s := q.Exact(); means(s) {
		return s
	}
	return strconv.FormatFloat(q.Value/cmp.Or(unit.Value, 1), 'g', -1, 64)
}

// inUnit writes q in the given unit, or not at all if the number would be unwieldy.
func inUnit(q, unit quantity.Quantity) string {
	n := q.Value / cmp.Or(unit.Value, 1)
	one, name := unit.Parts()
	if n != 0 && (n < 0.01 || n >= 1e5) || unit.Dim.IsZero() {
		return ""
	}
	number := strconv.FormatFloat(n, 'g', 12, 64)
	switch {
	case one == "$1":
		return "$" + number + name
	case one != "1":
		return ""
	case strings.HasPrefix(name, "/"):
		return number + name
	}
	return number + " " + name
}

// counted is the noun behind a field that holds a plain count: "tokens", or nothing.
func counted(in *input.Input) string {
	q := in.Default.Num
	if in.Default.Kind != value.Number || q.Uncounted().Label == q.Label {
		return ""
	}
	q.Value = 2
	_, unit := q.Parts()
	return unit
}

// dataValue is a value for programs to read: numbers in base units with all their digits, all else as its text.
func dataValue(v value.Value) string {
	switch v.Kind {
	case value.Number:
		return strconv.FormatFloat(v.Num.Value, 'g', -1, 64)
	case value.Rec:
		if v.Record != nil && v.Record.ID != "" {
			return v.Record.ID
		}
	case value.List:
		return listIDs(v.List)
	}
	return v.String()
}

// listIDs are the entries of a list for programs to read, with commas between them.
func listIDs(list []value.Value) string {
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(dataValue(v))
	}
	return b.String()
}

// rowText is a row for a reader: its value, or that it has none.
func rowText(l phrase.Phrases, row *expr.Row) string {
	if row.Err != nil {
		return noValue(l)
	}
	return row.In(l)
}

// inSentence is a row within a sentence: its value, or a dash. What was published has the unit and the digits that it
// was published with.
func inSentence(s *sheet.Sheet, row *expr.Row) string {
	l := s.Phrases()
	if row.Err != nil {
		return l.Say("widget.missing")
	}
	if in := s.Input(row.Def.Name); in != nil && in.Published && row.Value.Kind == value.Number {
		if text := inUnit(row.Value.Num, in.Unit); text != "" {
			return text
		}
	}
	return row.In(l)
}

func noValue(l phrase.Phrases) string { return l.Say("widget.no-value") }

func errUnknownInput(s *sheet.Sheet, name string) error {
	var names []string
	for _, in := range s.Inputs {
		names = append(names, in.Name)
	}
	if len(names) == 0 {
		return phrase.New("widget.no-inputs")
	}
	return phrase.New("widget.unknown-input", "name", name, "names", strings.Join(names, ", "))
}

// called is what a row is called: its label, or its name.
func (v *evaluated) called(name string) string { return v.Sheet.Label(v.State, name) }

// caption is a caption with the present values of the inputs it names.
func (v *evaluated) caption(text string) string { return v.Sheet.Filled(v.State, text) }

// signed is x with a true minus sign.
func signed(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'f', digits, 64)
	switch {
	case strings.HasPrefix(s, "-"):
		return "−" + s[1:]
	case x > 0:
		return "+" + s
	}
	return s
}

// symbolML is a variable as mathematics, set as the sheet sets it in its formulas.
func symbolML(name string) string { return explain.Symbol(name, explain.MathML) }
