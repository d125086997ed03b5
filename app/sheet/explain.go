package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Formula is the right side of a step in symbols: `2 B D F`. Of a solve it is the whole statement, "B where
// T_math = T_comms". It is empty for inputs and unknown names.
func (s *Sheet) Formula(name string, f explain.Format) string {
	if d := s.solveDef(name); d != nil {
		return s.solveFormula(d, f)
	}
	e := s.def(name)
	if e == nil {
		return ""
	}
	return s.writer().Write(e, f)
}

// Brief is Formula with no arguments where a call has a long line of them, and whether there is such a call.
func (s *Sheet) Brief(name string, f explain.Format) (text string, cut bool) {
	e := s.def(name)
	if e == nil || s.solveDef(name) != nil {
		return s.Formula(name, f), false
	}
	return s.writer().Brief(e, f)
}

// writer writes formulas of s in symbols.
func (s *Sheet) writer() *explain.Writer { return &explain.Writer{Env: s.env.Frozen(), Rows: s.Rows} }

// words are what readers call an expression.
func (s *Sheet) words(e syntax.Expr) any { return s.writer().Words(e) }

// writer writes formulas with the rows' values.
func (r *Result) writer() *explain.Writer {
	return &explain.Writer{Env: r.Sheet.env.Frozen(), Rows: r.Sheet.Rows, Values: r.scope}
}

// scope is the value of a row, if it has one.
func (r *Result) scope(name string) (value.Value, bool) {
	v, err := r.Value(name)
	return v, err == nil
}

// Working is the formula with the reader's own values in place of the names: `34.4 GFLOP / 394 TFLOP/s`. Names without
// a value stay. It is empty where there is nothing to substitute: for inputs, and for a row that only repeats a value.
// In Code it is an expression that computes the same value.
func (r *Result) Working(name string, f explain.Format) string {
	if d := r.Sheet.solveDef(name); d != nil {
		return r.solveWorking(d, f)
	}
	e := r.Sheet.def(name)
	if e == nil {
		return ""
	}
	n := r.writer().Piece(e)
	switch n.(type) {
	case *notation.Number, *notation.Words:
		return ""
	}
	return r.writer().Write(e, f)
}

// Binding says which operand a step's result is, if the step is a max, min or if as a whole: the text of the operand
// in plain notation. Equal operands are named together.
func (r *Result) Binding(name string) (operand string, ok bool) {
	e, value := r.Sheet.def(name), value.Value{}
	if e == nil {
		return "", false
	}
	value, err := r.Value(name)
	if err != nil {
		return "", false
	}
	call, is := syntax.Ungroup(e).(*syntax.Call)
	if !is || call.Recv != nil {
		return "", false
	}
	var texts []string
	for _, x := range r.writer().Binding(call, value) {
		texts = append(texts, notation.Plain(r.Sheet.writer().Piece(x)))
	}
	return r.Sheet.Phrases().Text(phrase.And(texts)), len(texts) > 0
}

// Opened are the library's laws that a step calls, in the order of its text, those inside laws included: each with its
// own formula, the step's arguments in place of the parameters, and with numbers.
func (r *Result) Opened(name string, f explain.Format) []explain.Law {
	d := r.Sheet.solveDef(name)
	switch e := r.Sheet.def(name); {
	case d != nil && d.IsExtreme():
		return explain.Opened(r.Sheet.writer(), r.writer(), f, d.Left)
	case d != nil:
		return explain.Opened(r.Sheet.writer(), r.writer(), f, d.Left, d.Right)
	case e != nil:
		return explain.Opened(r.Sheet.writer(), r.writer(), f, e)
	}
	return nil
}

// solveFormula is "B where T_math = T_comms", or "B where T is least".
func (s *Sheet) solveFormula(d *solve.Def, f explain.Format) string {
	t := s.writer()
	left, right, key := t.Write(d.Left, f), "", "sheet.where-equal"
	switch d.Goal {
	case syntax.GoalLeast:
		key = "sheet.where-least"
	case syntax.GoalGreatest:
		key = "sheet.where-greatest"
	default:
		right = t.Write(d.Right, f)
	}
	switch f {
	case explain.MathML:
		var b strings.Builder
		notation.MathRow(&b, t.Name(d.Input), notation.RankCases)
		return "<mrow>" + s.mathWhere(key, b.String(), left, right) + "</mrow>"
	case explain.Plain:
		return s.Phrases().Say(key, "input", notation.Plain(t.Name(d.Input)), "left", left, "right", right)
	}
	return s.codeWhere(d, left, right)
}

// codeWhere is what a solve looks for in the language of sheets.
func (s *Sheet) codeWhere(d *solve.Def, left, right string) string {
	if d.IsExtreme() {
		word := "greatest"
		if d.Goal == syntax.GoalLeast {
			word = "least"
		}
		return d.Input + " where " + left + " is " + word
	}
	return d.Input + " where " + left + " = " + right
}

// mathWhere sets the words and the equals sign of a sentence among mathematics.
func (s *Sheet) mathWhere(key, input, left, right string) string {
	var b strings.Builder
	gaps := map[string]string{"input": input, "left": left, "right": right}
	for rest := s.Phrases().Sentence(key); rest != ""; {
		before, name, after := phrase.Gap(rest)
		switch {
		case before == " = ":
			b.WriteString("<mo>=</mo>")
		case before != "":
			b.WriteString("<mtext>" + strings.ReplaceAll(before, " ", "\u00a0") + "</mtext>")
		}
		b.WriteString(gaps[name])
		rest = after
	}
	return b.String()
}

// solveWorking is what both sides are where they meet: "T_math = T_comms = 89.6 µs", or what the least value is. It is
// empty where there is none, and where the formula says it already.
func (r *Result) solveWorking(d *solve.Def, f explain.Format) string {
	at, err := r.Value(d.Name)
	if err != nil || at.Kind != value.Number {
		return ""
	}
	var sides []syntax.Expr
	if sides = append(sides, d.Left); !d.IsExtreme() {
		if _, said := syntax.Ungroup(d.Right).(*syntax.Lit); said {
			return ""
		}
		sides = append(sides, d.Right)
	}
	rows := r.Sheet.sweepOn(r.Sheet.share(maxFuel), r.State, d.Input, d.Sides()).Num(at.Num.Value)
	for i := range rows {
		if rows[i].Err != nil {
			return ""
		}
	}
	t, same := r.Sheet.writer(), &notation.Relation{Op: "=", Parts: nil, Level: notation.RankRelation}
	var code []string
	for _, side := range sides {
		same.Parts = append(same.Parts, t.Piece(side))
		code = append(code, t.Code(side))
	}
	same.Parts = append(same.Parts, explain.ValueNote(rows[0].Value))
	switch f {
	case explain.Code:
		return strings.Join(append(code, explain.CodeOf(rows[0].Value)), " = ")
	case explain.MathML:
		return notation.MathML(same)
	}
	return notation.Plain(same)
}

// Note says what a reader should know of a solve beside its value: that its sides meet again, or that the least value
// lies at the end of what was searched. It is empty for all else.
func (r *Result) Note(name string) string {
	d, row := r.Sheet.solveDef(name), r.row(name)
	if d == nil || row == nil || row.Err != nil || row.Value.Kind != value.Number {
		return ""
	}
	in, say := r.Sheet.Input(d.Input), r.Sheet.Phrases().Say
	if d.IsExtreme() && in.AtEnd(row.Value.Num.Value) {
		return say("sheet.end-of-search", "range", in.RangeText())
	}
	if len(row.Others) == 0 {
		return ""
	}
	texts := make([]string, len(row.Others))
	for i, v := range row.Others {
		texts[i] = v.String()
	}
	if len(texts) == search.MaxRoots-1 {
		return say("sheet.first-of-many", "n", search.MaxRoots, "others", phrase.Commas(texts))
	}
	return say("sheet.first-of", "n", len(row.Others)+1, "others", phrase.And(texts))
}

// row is the row of that name, or nil.
func (r *Result) row(name string) *expr.Row {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return &r.Rows[i]
		}
	}
	return nil
}

// A label, a caption or a question may name inputs in braces: "{chip} reaches" is "TPU v5e reaches" until the reader
// chooses another chip.

// Label is what a row is called in a state: its label with the present values of the inputs it names, or else its name.
func (s *Sheet) Label(st input.State, name string) string {
	row := s.Row(name)
	if row == nil || row.Label == "" {
		return name
	}
	return s.fill(st, row.Label)
}

// LabelOver is the label at the head of a column whose lines differ in the input over: where it names that input, what
// the input is called stands in the place of a value that holds for one line only.
func (s *Sheet) LabelOver(st input.State, name, over string) string {
	row := s.Row(name)
	if row == nil || row.Label == "" {
		return name
	}
	return s.fillOver(st, row.Label, over)
}

// Filled is a caption with the present values of the inputs it names.
func (s *Sheet) Filled(st input.State, caption string) string { return s.fill(st, caption) }

// fill puts the values of inputs in the place of their names in braces.
func (s *Sheet) fill(st input.State, label string) string { return s.fillOver(st, label, "") }

// fillOver is fill, but puts what the input over is called in the place of its value.
func (s *Sheet) fillOver(st input.State, label, over string) string {
	if !strings.Contains(label, "{") {
		return label
	}
	var b strings.Builder
	for {
		before, name, after, ok := cutBraces(label)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if in := s.Input(name); in != nil && name == over {
			b.WriteString(s.bare(name))
		} else if in != nil {
			b.WriteString(s.present(st, in).String())
		}
		label = after
	}
}

// bare is what a row is called, values left out.
func (s *Sheet) bare(name string) string {
	if row := s.Row(name); row.Label != "" && !strings.Contains(row.Label, "{") {
		return row.Label
	}
	return name
}

// cutBraces cuts a label around its first name in braces.
func cutBraces(label string) (before, name, after string, ok bool) {
	before, rest, ok := strings.Cut(label, "{")
	if !ok {
		return label, "", "", false
	}
	name, after, ok = strings.Cut(rest, "}")
	if !ok {
		return label, "", "", false
	}
	return before, name, after, true
}

// countAs makes n print what as says that it counts.
func (c *compiler) countAs(n *expr.Node, as *syntax.Counted) {
	if as == nil || n.Bad {
		return
	}
	if n.Type.Kind != value.Number || !n.Type.Dim.IsZero() {
		c.errs.Add(as.At, phrase.New("sheet.as-needs-plain", "type", n.Type), phrase.New("sheet.leave-it-out"))
		return
	}
	label, err := quantity.CountLabel(as.Noun)
	if fault, ok := err.(*quantity.Error); ok {
		c.errs.Add(as.At, fault.What, fault.Remedy)
		return
	}
	*n = n.Counted(label)
}

// checkLabels reports names in the braces of labels and captions that are no inputs.
func (c *compiler) checkLabels() {
	for _, d := range c.tree.Defs {
		c.checkBraces(d.Pos, phrase.New("sheet.the-label-of", "row", d.Name), d.Label)
	}
	for _, a := range c.tree.Asks {
		c.checkBraces(a.Pos, phrase.New("sheet.the-question"), a.Question)
	}
	for _, t := range c.sheet.Tables {
		c.checkBraces(t.Pos, phrase.New("sheet.the-caption"), t.Caption)
	}
	for _, f := range c.sheet.Figures {
		c.checkBraces(f.Pos, phrase.New("sheet.the-caption"), f.Caption)
	}
	for _, p := range c.sheet.Plots {
		c.checkBraces(p.Pos, phrase.New("sheet.the-caption"), p.Caption)
	}
}

func (c *compiler) checkBraces(pos Pos, what *phrase.Phrase, text string) {
	for {
		_, name, after, ok := cutBraces(text)
		if !ok {
			return
		}
		if c.sheet.Input(name) == nil {
			c.errs.Add(pos, phrase.New("sheet.names-no-input", "what", what, "name", syntax.Clip(name)),
				phrase.New("sheet.put-input-in-braces"))
		}
		text = after
	}
}
