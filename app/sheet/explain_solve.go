package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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

// goalWords are the words after `is`.
var goalWords = map[syntax.Goal]string{syntax.GoalLeast: "least", syntax.GoalGreatest: "greatest"}

// codeWhere is what a solve looks for in the language of sheets.
func (s *Sheet) codeWhere(d *solve.Def, left, right string) string {
	if d.IsExtreme() {
		return d.Input + " where " + left + " is " + goalWords[d.Goal]
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
