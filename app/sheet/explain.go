package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Formula is the right side of a step in symbols: `2 B D F`. Of a solve it is the whole statement, "B where
// T_math = T_comms". It is empty for inputs and unknown names.
func (s *Sheet) Formula(name string, f Format) string {
	if d := s.solveDef(name); d != nil {
		return s.solveFormula(d, f)
	}
	e := s.def(name)
	if e == nil {
		return ""
	}
	return s.setter().write(e, f)
}

// Symbol is the name of a row as formulas write it: T with the subscript math for T_math, α for alpha.
func Symbol(name string, f Format) string {
	switch f {
	case Code:
		return name
	case MathML:
		return notation.MathML(symbolNote(name))
	}
	return notation.Plain(symbolNote(name))
}

// Working is the formula with the reader's own values in place of the names: `34.4 GFLOP / 394 TFLOP/s`. Names without
// a value stay. It is empty where there is nothing to substitute: for inputs, and for a row that only repeats a value.
// In Code it is an expression that computes the same value.
func (r *Result) Working(name string, f Format) string {
	if d := r.Sheet.solveDef(name); d != nil {
		return r.solveWorking(d, f)
	}
	e := r.Sheet.def(name)
	if e == nil {
		return ""
	}
	n := r.setter().set(e)
	switch n.(type) {
	case *notation.Number, *notation.Words:
		return ""
	}
	return r.setter().write(e, f)
}

// write is e in the given format.
func (t *setter) write(e syntax.Expr, f Format) string {
	switch f {
	case Code:
		return t.code(e)
	case MathML:
		return notation.MathML(t.set(e))
	}
	return notation.Plain(t.set(e))
}

// Binding says which operand a step's result is, if the step is a max, min or if as a whole: the text of the operand
// in plain notation. Equal operands are named together.
func (r *Result) Binding(name string) (operand string, ok bool) {
	e, value := r.Sheet.def(name), Value{}
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
	for _, x := range r.binding(call, value) {
		texts = append(texts, notation.Plain(r.Sheet.setter().set(x)))
	}
	return r.Sheet.Phrases().Text(phrase.And(texts)), len(texts) > 0
}

// binding are the operands of a call of max, min or if that have the value of the whole.
func (r *Result) binding(call *syntax.Call, whole Value) []syntax.Expr {
	switch {
	case (call.Func == "max" || call.Func == "min") && len(call.Args) > 1:
		return r.equal(call.Args, whole)
	case call.Func == "if" && len(call.Args) == 3:
		c, err := expr.Eval(r.Sheet.env, call.Args[0], r.scope)
		if err != nil || c.Kind != Bool {
			return nil
		}
		chosen := call.Args[2]
		if c.Bool {
			chosen = call.Args[1]
		}
		if inner, ok := syntax.Ungroup(chosen).(*syntax.Call); ok && inner.Recv == nil {
			if deeper := r.binding(inner, whole); deeper != nil {
				return deeper
			}
		}
		return []syntax.Expr{chosen}
	}
	return nil
}

// equal are those of args that have the value of the whole; a max or min among them is opened.
func (r *Result) equal(args []syntax.Expr, whole Value) (out []syntax.Expr) {
	for _, a := range args {
		v, err := expr.Eval(r.Sheet.env, a, r.scope)
		if err != nil || v.Kind != Number || v.Num.Value != whole.Num.Value {
			continue
		}
		if inner, ok := syntax.Ungroup(a).(*syntax.Call); ok && inner.Recv == nil {
			if deeper := r.binding(inner, whole); deeper != nil {
				out = append(out, deeper...)
				continue
			}
		}
		out = append(out, a)
	}
	return out
}
