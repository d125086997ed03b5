package explain

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Law is a function of the library as a step uses it.
type Law struct {
	Call    string // matmul_flops(B, D, F)
	Formula string // in the requested format, the caller's symbols in place of the parameters
	Working string // with numbers
	Doc     string
	Source  string
}

// Bounds of opening: a law may call laws.
const (
	maxLawDepth = 4
	maxLaws     = 32
)

// Opened are the library's laws that expressions call, in the order of their text, those inside laws included: each
// with its own formula, the arguments in place of the parameters, and with numbers.
func Opened(symbols, numbers *Writer, f Format, exprs ...syntax.Expr) []Law {
	o := &opener{symbols: symbols, numbers: numbers, f: f}
	for _, e := range exprs {
		o.visit(e, 0)
	}
	return o.laws
}

// opener opens calls of laws.
type opener struct {
	symbols, numbers *Writer
	f                Format
	laws             []Law
}

// visit opens the calls inside e, outer ones first.
func (o *opener) visit(e syntax.Expr, depth int) {
	if len(o.laws) >= maxLaws {
		return
	}
	if call, ok := e.(*syntax.Call); ok {
		o.open(call, depth)
	}
	for _, x := range syntax.Parts(e) {
		o.visit(x, depth)
	}
}

// open appends the law that call calls, if it has a formula, and those inside it.
func (o *opener) open(call *syntax.Call, depth int) {
	t := o.symbols
	body, fn := t.Expand(call)
	if body == nil {
		return
	}
	law := Law{Call: t.Code(call), Doc: fn.Doc, Source: fn.Source, Formula: t.Write(body, o.f)}
	if numbers := o.numbers.expandValues(call, fn); numbers != nil {
		law.Working = o.numbers.Write(numbers, o.f)
	}
	o.laws = append(o.laws, law)
	if depth < maxLawDepth {
		o.visitBody(call, body, depth+1)
	}
}

// visitBody opens the laws that a law's own formula calls, but not its arguments, which are visited already.
func (o *opener) visitBody(call *syntax.Call, body syntax.Expr, depth int) {
	own := map[syntax.Expr]bool{}
	for _, a := range call.Args {
		own[syntax.Ungroup(a)] = true
	}
	if call.Recv != nil {
		own[syntax.Ungroup(call.Recv)] = true
	}
	var walk func(e syntax.Expr)
	walk = func(e syntax.Expr) {
		if own[syntax.Ungroup(e)] || len(o.laws) >= maxLaws {
			return
		}
		if inner, ok := e.(*syntax.Call); ok {
			o.open(inner, depth)
		}
		for _, x := range syntax.Parts(e) {
			walk(x)
		}
	}
	walk(body)
}

// expandValues is the formula of fn with the values of the arguments of call; nil if one of them has none.
func (t *Writer) expandValues(call *syntax.Call, fn *value.Func) syntax.Expr {
	args := arguments(call, fn)
	for name, a := range args {
		v, err := expr.Eval(t.Env, a, t.Values)
		if err != nil {
			return nil
		}
		if e := exprOf(v); e != nil {
			args[name] = e
		}
	}
	body, errs := syntax.ParseExpr(fn.Formula)
	if len(errs) > 0 {
		return nil
	}
	return substitute(body, args)
}

// function is the function of the environment that call calls, or nil.
func (t *Writer) function(call *syntax.Call) *value.Func {
	if t.Env == nil {
		return nil
	}
	if call.Recv == nil {
		return t.Env.Func(call.Func)
	}
	if rt := t.typeOf(call.Recv).Record; rt != nil {
		return rt.Methods[call.Func]
	}
	return nil
}

// Expand is the formula of the function that call calls, with call's arguments in place of its parameters; nil if it
// has none.
func (t *Writer) Expand(call *syntax.Call) (syntax.Expr, *value.Func) {
	fn := t.function(call)
	if fn == nil || fn.Formula == "" || fn.Variadic {
		return nil, nil
	}
	body, errs := syntax.ParseExpr(fn.Formula)
	if len(errs) > 0 {
		return nil, nil
	}
	return substitute(body, arguments(call, fn)), fn
}

// arguments are the arguments of call by the names of fn's parameters, defaults included.
func arguments(call *syntax.Call, fn *value.Func) map[string]syntax.Expr {
	given := call.Args
	if call.Recv != nil {
		given = append([]syntax.Expr{call.Recv}, call.Args...)
	}
	out := map[string]syntax.Expr{}
	for i, p := range fn.Params {
		if i < len(given) {
			out[p.Name] = given[i]
		} else if e := exprOf(p.Default); e != nil {
			out[p.Name] = e
		}
	}
	return out
}

// exprOf is an expression that has the value v; nil if the language has none.
func exprOf(v value.Value) syntax.Expr {
	switch v.Kind {
	case value.Number:
		if v.Num.Value < 0 {
			return &syntax.Group{X: &syntax.Unary{Op: "-", X: &syntax.Lit{Q: v.Num.Neg()}}}
		}
		return &syntax.Lit{Q: v.Num}
	case value.Text:
		return &syntax.Str{Text: v.Text}
	case value.Bool:
		return &syntax.Switch{On: v.Bool}
	case value.DType:
		return &syntax.Name{Name: v.Text}
	}
	if v.Record != nil && v.Record.ID != "" {
		if e, errs := syntax.ParseExpr(v.Record.ID); len(errs) == 0 {
			return e
		}
	}
	return nil
}

// substitute is e with its names replaced, all at once.
func substitute(e syntax.Expr, by map[string]syntax.Expr) syntax.Expr {
	sub := func(x syntax.Expr) syntax.Expr { return substitute(x, by) }
	switch e := e.(type) {
	case *syntax.Name:
		x, ok := by[e.Name]
		if !ok {
			return e
		}
		if codeLevel(x) < levelAtom {
			return &syntax.Group{Pos: e.Pos, X: x}
		}
		return x
	case *syntax.Member:
		return &syntax.Member{Pos: e.Pos, X: sub(e.X), Field: e.Field}
	case *syntax.Call:
		out := &syntax.Call{Pos: e.Pos, Func: e.Func}
		if e.Recv != nil {
			out.Recv = sub(e.Recv)
		}
		for _, a := range e.Args {
			if _, name := a.(*syntax.Name); name {
				out.Args = append(out.Args, syntax.Ungroup(sub(a)))
				continue
			}
			out.Args = append(out.Args, sub(a))
		}
		return out
	case *syntax.Unary:
		return &syntax.Unary{Pos: e.Pos, Op: e.Op, X: sub(e.X)}
	case *syntax.Binary:
		return &syntax.Binary{Pos: e.Pos, Op: e.Op, X: sub(e.X), Y: sub(e.Y)}
	case *syntax.Group:
		return &syntax.Group{Pos: e.Pos, X: sub(e.X)}
	}
	return e
}

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
