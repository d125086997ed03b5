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
