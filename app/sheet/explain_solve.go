package sheet

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// solveFormula is "B where T_math = T_comms", or "B where T is least".
func (s *Sheet) solveFormula(d *solveDef, f Format) string {
	t := s.setter()
	goal := t.write(d.Left, f)
	switch {
	case d.isExtreme() && f == MathML:
		goal += "<mtext>\u00a0is " + goalWords[d.Goal] + "</mtext>"
	case d.isExtreme():
		goal += " is " + goalWords[d.Goal]
	case f == MathML:
		goal += "<mo>=</mo>" + t.write(d.Right, f)
	default:
		goal += " = " + t.write(d.Right, f)
	}
	switch f {
	case MathML:
		var b strings.Builder
		b.WriteString("<mrow>")
		notation.MathRow(&b, t.name(d.Input), notation.RankCases)
		b.WriteString("<mtext>\u00a0where\u00a0</mtext>" + goal + "</mrow>")
		return b.String()
	case Plain:
		return notation.Plain(t.name(d.Input)) + " where " + goal
	}
	return d.Input + " where " + goal
}

// solveWorking is what both sides are where they meet: "T_math = T_comms = 89.6 µs", or what the least value is. It is
// empty where there is none, and where the formula says it already.
func (r *Result) solveWorking(d *solveDef, f Format) string {
	at, err := r.Value(d.Name)
	if err != nil || at.Kind != Number {
		return ""
	}
	var sides []syntax.Expr
	if sides = append(sides, d.Left); !d.isExtreme() {
		if _, said := ungroup(d.Right).(*syntax.Lit); said {
			return ""
		}
		sides = append(sides, d.Right)
	}
	rows := r.Sheet.sweepOn(r.Sheet.share(maxFuel), r.State, d.Input, d.sides()).num(at.Num.Value)
	for i := range rows {
		if rows[i].Err != nil {
			return ""
		}
	}
	t, same := r.Sheet.setter(), &notation.Relation{Op: "=", Parts: nil, Level: notation.RankRelation}
	var code []string
	for _, side := range sides {
		same.Parts = append(same.Parts, t.set(side))
		code = append(code, t.code(side))
	}
	same.Parts = append(same.Parts, valueNote(rows[0].Value))
	switch f {
	case Code:
		return strings.Join(append(code, codeOf(rows[0].Value)), " = ")
	case MathML:
		return notation.MathML(same)
	}
	return notation.Plain(same)
}

// Note says what a reader should know of a solve beside its value: that its sides meet again, or that the least value
// lies at the end of what was searched. It is empty for all else.
func (r *Result) Note(name string) string {
	d, row := r.Sheet.solveDef(name), r.row(name)
	if d == nil || row == nil || row.Err != nil || row.Value.Kind != Number {
		return ""
	}
	in := r.Sheet.Input(d.Input)
	if d.isExtreme() {
		return in.endNote(row.Value.Num.Value)
	}
	if len(row.Others) == 0 {
		return ""
	}
	texts := make([]string, len(row.Others))
	for i, v := range row.Others {
		texts[i] = v.String()
	}
	if n := len(texts); n == search.MaxRoots-1 {
		return "the first of at least " + strconv.Itoa(search.MaxRoots) + " such values: also " + strings.Join(texts, ", ")
	} else if n > 1 {
		texts = []string{strings.Join(texts[:n-1], ", "), texts[n-1]}
	}
	return "the first of " + strconv.Itoa(len(row.Others)+1) + " such values: also " + strings.Join(texts, " and ")
}

// endNote says that x is an end of what is searched for in.
func (in *Input) endNote(x float64) string {
	p := in.span()
	switch x {
	case p.Lo, p.Hi:
		return "this is the end of what is searched, " + in.rangeText()
	}
	return ""
}

// row is the row of that name, or nil.
func (r *Result) row(name string) *Row {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return &r.Rows[i]
		}
	}
	return nil
}
