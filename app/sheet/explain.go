package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/notation"
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
func (s *Sheet) writer() *explain.Writer { return &explain.Writer{Env: s.env, Rows: s.Rows} }

// words are what readers call an expression.
func (s *Sheet) words(e syntax.Expr) any { return s.writer().Words(e) }

// writer writes formulas with the rows' values.
func (r *Result) writer() *explain.Writer {
	return &explain.Writer{Env: r.Sheet.env, Rows: r.Sheet.Rows, Values: r.scope}
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
