package explain

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Named is a value with the name by which a formula calls it.
type Named struct {
	Name  string
	Value value.Value
}

// Working is a formula worked out, as a line of a worked answer shows it.
type Working struct {
	Symbols string // "(N − 1) V / (N W)"
	Numbers string // the same with the values in place of the names: "3 · 134 MB / (4 · 180 GB/s)"
	Value   value.Value
}

// Work works a formula out with named values, as sheets do with their steps. The error says what is wrong with the
// formula, or why it has no value.
func Work(formula string, values []Named, env *value.Env, f Format) (Working, error) {
	params, args := make([]value.Param, len(values)), make([]value.Value, len(values))
	for i, v := range values {
		params[i], args[i] = value.Param{Name: v.Name, Type: v.Value.Type()}, v.Value
	}
	e, errs := syntax.ParseExpr(formula)
	if len(errs) > 0 {
		return Working{}, errs[0]
	}
	symbols := &Writer{Env: env}
	numbers := &Writer{Env: env, Values: func(name string) (value.Value, bool) {
		for _, v := range values {
			if v.Name == name {
				return v.Value, true
			}
		}
		return value.Value{}, false
	}}
	w := Working{Symbols: symbols.Write(e, f), Numbers: numbers.Write(e, f)}
	var err error
	w.Value, err = expr.NewFormula(formula, params, env).Value(args)
	return w, err
}
