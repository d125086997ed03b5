package explain

import (
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// function is the function of the environment that call calls, or nil.
func (t *Writer) function(call *syntax.Call) *value.Func {
	if t.Env == nil {
		return nil
	}
	if call.Recv == nil {
		return t.Env.Func(call.Func)
	}
	if kin := t.typeOf(call.Recv).Kin; kin != nil {
		return kin.Methods[call.Func]
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
		if codeLevel(x) < codeLevels["atom"] {
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
