package sheet

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Bounds of opening: a law may call laws.
const (
	maxLawDepth = 4
	maxLaws     = 32
)

// Opened are the library's laws that a step calls, in the order of its text, those inside laws included: each with its
// own formula, the step's arguments in place of the parameters, and with numbers.
func (r *Result) Opened(name string, f Format) []Law {
	o := &opener{r: r, f: f}
	if d := r.Sheet.solveDef(name); d != nil {
		o.visit(d.Left, 0)
		if !d.isExtreme() {
			o.visit(d.Right, 0)
		}
		return o.laws
	}
	if e := r.Sheet.def(name); e != nil {
		o.visit(e, 0)
	}
	return o.laws
}

type opener struct {
	r    *Result
	f    Format
	laws []Law
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
	t := o.r.Sheet.setter()
	body, fn := t.expand(call)
	if body == nil {
		return
	}
	law := Law{Call: t.code(call), Doc: fn.Doc, Source: fn.Source, Formula: t.write(body, o.f)}
	if numbers := o.r.expandValues(call, fn); numbers != nil {
		law.Working = o.r.setter().write(numbers, o.f)
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

// function is the function of the environment that call calls, or nil.
func (t *setter) function(call *syntax.Call) *Func {
	if t.env == nil {
		return nil
	}
	if call.Recv == nil {
		return t.env.Funcs[call.Func]
	}
	if kin := t.typeOf(call.Recv).Kin; kin != nil {
		return kin.Methods[call.Func]
	}
	return nil
}

// expand is the formula of the function that call calls, with call's arguments in place of its parameters; nil if it
// has none.
func (t *setter) expand(call *syntax.Call) (syntax.Expr, *Func) {
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

// expandValues is the same with the arguments' values; nil if one of them has none.
func (r *Result) expandValues(call *syntax.Call, fn *Func) syntax.Expr {
	args := arguments(call, fn)
	for name, a := range args {
		v, err := expr.Eval(r.Sheet.env, a, r.scope)
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

// arguments are the arguments of call by the names of fn's parameters, defaults included.
func arguments(call *syntax.Call, fn *Func) map[string]syntax.Expr {
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
func exprOf(v Value) syntax.Expr {
	switch v.Kind {
	case Number:
		if v.Num.Value < 0 {
			return &syntax.Group{X: &syntax.Unary{Op: "-", X: &syntax.Lit{Q: v.Num.Neg()}}}
		}
		return &syntax.Lit{Q: v.Num}
	case Text:
		return &syntax.Str{Text: v.Text}
	case Bool:
		return &syntax.Switch{On: v.Bool}
	case DType:
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
