package sheet

import "github.com/scalebook/scalebook/app/sheet/syntax"

// Named is a value with the name by which a formula calls it.
type Named struct {
	Name  string
	Value Value
}

// Working is a formula worked out, as a line of a worked answer shows it.
type Working struct {
	Symbols string // "(N − 1) V / (N W)"
	Numbers string // the same with the values in place of the names: "3 · 134 MB / (4 · 180 GB/s)"
	Value   Value
}

// Work works a formula out with named values, as sheets do with their steps. The error says what is wrong with the
// formula, or why it has no value.
func Work(formula string, values []Named, env *Env, f Format) (Working, error) {
	params, args := make([]Param, len(values)), make([]Value, len(values))
	for i, v := range values {
		params[i], args[i] = Param{Name: v.Name, Type: v.Value.Type()}, v.Value
	}
	e, errs := syntax.ParseExpr(formula)
	if len(errs) > 0 {
		return Working{}, errs[0]
	}
	symbols := &setter{env: env}
	numbers := &setter{env: env, values: func(name string) (Value, bool) {
		for _, v := range values {
			if v.Name == name {
				return v.Value, true
			}
		}
		return Value{}, false
	}}
	w := Working{Symbols: symbols.write(e, f), Numbers: numbers.write(e, f)}
	var err error
	w.Value, err = NewFormula(formula, params, env).Value(args)
	return w, err
}
