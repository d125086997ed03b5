package explain

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Binding are the operands of a call of max, min or if that have the value of the whole, with the values of t.
func (t *Writer) Binding(call *syntax.Call, whole value.Value) []syntax.Expr {
	switch {
	case (call.Func == "max" || call.Func == "min") && len(call.Args) > 1:
		return t.equal(call.Args, whole)
	case call.Func == "if" && len(call.Args) == 3:
		c, err := expr.Eval(t.Env, call.Args[0], t.Values)
		if err != nil || c.Kind != value.Bool {
			return nil
		}
		chosen := call.Args[2]
		if c.Bool {
			chosen = call.Args[1]
		}
		if inner, ok := syntax.Ungroup(chosen).(*syntax.Call); ok && inner.Recv == nil {
			if deeper := t.Binding(inner, whole); deeper != nil {
				return deeper
			}
		}
		return []syntax.Expr{chosen}
	}
	return nil
}

// equal are those of args that have the value of the whole; a max or min among them is opened.
func (t *Writer) equal(args []syntax.Expr, whole value.Value) (out []syntax.Expr) {
	for _, a := range args {
		v, err := expr.Eval(t.Env, a, t.Values)
		if err != nil || v.Kind != value.Number || v.Num.Value != whole.Num.Value {
			continue
		}
		if inner, ok := syntax.Ungroup(a).(*syntax.Call); ok && inner.Recv == nil {
			if deeper := t.Binding(inner, whole); deeper != nil {
				out = append(out, deeper...)
				continue
			}
		}
		out = append(out, a)
	}
	return out
}
