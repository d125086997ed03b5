package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// call compiles f(args) and x.f(args).
func (c *checker) call(e *syntax.Call) node {
	var recv *node
	if e.Recv != nil {
		x := c.expr(e.Recv)
		if x.bad {
			c.exprs(e.Args)
			return x
		}
		recv = &x
	}
	args, ok := c.exprs(e.Args)
	switch {
	case recv != nil:
		return c.method(e, recv, args, ok)
	case builtins[e.Func] != nil:
		return c.builtin(e, builtins[e.Func], args, ok)
	case c.env != nil && c.env.Funcs[e.Func] != nil:
		return c.invoke(e, c.env.Funcs[e.Func], nil, args, ok)
	}
	return c.unknownFunction(e)
}

// exprs compiles several expressions; ok tells whether none is a fault.
func (c *checker) exprs(list []syntax.Expr) (nodes []node, ok bool) {
	nodes, ok = make([]node, len(list)), true
	for i, e := range list {
		nodes[i] = c.expr(e)
		ok = ok && !nodes[i].bad
	}
	return nodes, ok
}

func (c *checker) unknownFunction(e *syntax.Call) node {
	if c.errs.Full() {
		return node{bad: true}
	}
	if n, ok := c.resolve(&syntax.Name{Pos: e.Pos, Name: e.Func}); ok {
		if n.bad {
			return n
		}
		return c.report(e.Pos, phrase.New("sheet.not-function", "function", e.Func, "type", n.typ),
			phrase.New("sheet.write-times", "function", e.Func))
	}
	names := keys(builtins)
	if c.env != nil {
		names = append(names, keys(c.env.Funcs)...)
		for _, kin := range c.env.Kins {
			if kin.Method(e.Func) != nil {
				return c.report(e.Pos, phrase.New("sheet.is-a-method", "function", e.Func), phrase.New("sheet.write-method",
					"function", e.Func, "kin", kin.Describe()))
			}
		}
	}
	if e.Func == "log" {
		return c.report(e.Pos, phrase.New("sheet.unknown-function-log"), phrase.New("sheet.write-ln"))
	}
	return c.report(e.Pos, phrase.New("sheet.unknown-function", "function", e.Func), didYouMean(e.Func, names,
		phrase.New("sheet.see-functions")))
}

// method compiles a call with a receiver.
func (c *checker) method(e *syntax.Call, recv *node, args []node, ok bool) node {
	if recv.typ.Kind != Rec {
		return c.report(e.Pos, phrase.New("sheet.no-methods-of", "code", brief(e.Recv), "type", recv.typ),
			phrase.New("sheet.leave-out-call", "function", clip(e.Func)))
	}
	fn := recv.typ.Kin.Method(e.Func)
	if fn != nil {
		return c.invoke(e, fn, recv, args, ok)
	}
	if recv.typ.Kin.Field(e.Func) != nil {
		return c.report(e.Pos, phrase.New("sheet.field-not-method", "function", e.Func),
			phrase.New("sheet.leave-out-parentheses"))
	}
	remedy := phrase.New("sheet.has-no-methods")
	if member := firstEntry(recv); member != "" {
		remedy = phrase.New("sheet.name-entry", "entry", member)
	} else if recv.typ.Kin != nil && len(recv.typ.Kin.Methods) > 0 {
		names := keys(recv.typ.Kin.Methods)
		remedy = didYouMean(e.Func, names, phrase.New("sheet.its-methods", "names", oneOf(names)))
	}
	return c.report(e.Pos, phrase.New("sheet.no-method", "record", recv.describe(), "function", clip(e.Func)), remedy)
}

// signature is how e should call f: "chip.flops(dtype)".
func signature(e *syntax.Call, f *Func) string {
	text := e.Func + "("
	if e.Recv != nil {
		text = syntax.Code(e.Recv) + "." + text
	}
	params := f.Arguments(e.Recv != nil)
	for i, p := range params {
		if i > 0 {
			text += ", "
		}
		text += p.Name
		if f.Variadic && i == len(params)-1 {
			text += ", ..."
		}
	}
	return text + ")"
}

// invoke compiles the call of a library function, or of a method if recv is there.
func (c *checker) invoke(e *syntax.Call, fn *Func, recv *node, args []node, ok bool) node {
	if fn.Begin == nil {
		c.work += max(callFuel, fn.Work)
	} else {
		c.work += callFuel
		c.long = true
	}
	params := fn.Arguments(recv != nil)
	if !ok || !c.count(e, fn, params, len(args)) {
		return node{bad: true}
	}
	for i := range args {
		if p := &params[min(i, len(params)-1)]; !p.Fits(args[i].typ) {
			return c.wrongArgument(e, p, &args[i])
		}
	}
	for _, p := range params[min(len(args), len(params)):] {
		if p.Optional {
			args = append(args, constant(e, p.Default))
		}
	}
	if recv != nil {
		args = append([]node{*recv}, args...)
	}
	typ, err := result(fn, args)
	if err != nil {
		return c.report(e.Pos, phrase.New("sheet.call-fault", "function", e.Func, "why", err),
			phrase.New("sheet.write-call", "call", signature(e, fn)))
	}
	from := c.room
	c.room += len(args)
	return c.remembered(e, typ, func(f *frame) (Value, bool) { return f.call(e, fn, args, from, typ) })
}

// result is the type that f returns for these arguments.
func result(f *Func, args []node) (typ Type, err error) {
	if f.ResultOf == nil {
		return f.Result, nil
	}
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.no-result", "fault", fault)
		}
	}()
	types := make([]Type, len(args))
	for i := range args {
		types[i] = args[i].typ
	}
	return f.ResultOf(types)
}

// count checks the number of arguments.
func (c *checker) count(e *syntax.Call, fn *Func, params []Param, n int) bool {
	least := 0
	for _, p := range params {
		if !p.Optional {
			least++
		}
	}
	most := len(params)
	if fn.Variadic && most > 0 {
		most = max(most, n)
	}
	if n >= least && n <= most {
		return true
	}
	c.wrongCount(e, n, least, max(least, len(params)), fn.Variadic, signature(e, fn))
	return false
}

// wrongCount reports a call with too few or too many arguments.
func (c *checker) wrongCount(e *syntax.Call, n, least, most int, open bool, signature string) node {
	what := phrase.Count(least, "sheet.takes", "function", e.Func, "given", n)
	switch {
	case open:
		what = phrase.Count(least, "sheet.takes-at-least", "function", e.Func, "given", n)
	case most > least:
		what = phrase.New("sheet.takes-from-to", "function", e.Func, "least", least, "most", most, "given", n)
	}
	return c.report(e.Pos, what, phrase.New("sheet.write-call", "call", signature))
}

func (c *checker) wrongArgument(e *syntax.Call, p *Param, arg *node) node {
	want := p.Type.Words()
	if p.AnyDim && p.Type.Kind == Number {
		want = phrase.New("sheet.a-number")
	}
	remedy := phrase.New("sheet.give-value", "value", want)
	if arg.typ.Kind == DType && p.Type.Kind == Number {
		remedy = numberRemedy(arg)
	}
	return c.report(arg.expr.Position(), phrase.New("sheet.needs-argument", "function", e.Func, "wanted", want,
		"parameter", p.Name, "code", brief(arg.expr), "type", arg.typ), remedy)
}

// call evaluates the arguments into the frame's room from from on, and calls fn.
func (f *frame) call(e *syntax.Call, fn *Func, args []node, from int, typ Type) (Value, bool) {
	room := f.args[from : from+len(args) : from+len(args)]
	for i := range args {
		v, ok := args[i].value(f)
		if !ok {
			return Value{}, false
		}
		room[i] = v
	}
	if e.Recv != nil {
		fn = fn.ForRecord(room[0].Record, e.Func)
	}
	call := value.Guarded
	if fn.Begin != nil {
		call = func(fn *Func, args []Value) (Value, error) { return f.long(e, fn, args) }
	}
	v, err := call(fn, room)
	if err != nil {
		f.err = err
		return Value{}, false
	}
	return v, f.has(v, typ, e)
}
