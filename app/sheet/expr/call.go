package expr

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// callFuel is what a library function counts as.
const callFuel = 20

// call compiles f(args) and x.f(args).
func (c *Checker) call(e *syntax.Call) Node {
	var recv *Node
	if e.Recv != nil {
		x := c.Compile(e.Recv)
		if x.Bad {
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
	}
	if c.Env != nil {
		if fn := c.Env.Func(e.Func); fn != nil {
			return c.invoke(e, fn, nil, args, ok)
		}
	}
	return c.unknownFunction(e)
}

// exprs compiles several expressions; ok tells whether none is a fault.
func (c *Checker) exprs(list []syntax.Expr) (nodes []Node, ok bool) {
	nodes, ok = make([]Node, len(list)), true
	for i, e := range list {
		nodes[i] = c.Compile(e)
		ok = ok && !nodes[i].Bad
	}
	return nodes, ok
}

func (c *Checker) unknownFunction(e *syntax.Call) Node {
	if c.Errs.Full() {
		return Node{Bad: true}
	}
	if n, ok := c.Resolve(&syntax.Name{Pos: e.Pos, Name: e.Func}); ok {
		if n.Bad {
			return n
		}
		return c.Report(e.Pos, phrase.New("sheet.not-function", "function", e.Func, "type", n.Type),
			phrase.New("sheet.write-times", "function", e.Func))
	}
	names := Builtins()
	if c.Env != nil {
		names = append(names, value.Names(c.Env.Funcs)...)
		for _, kin := range c.Env.Kins {
			if kin.Method(e.Func) != nil {
				return c.Report(e.Pos, phrase.New("sheet.is-a-method", "function", e.Func), phrase.New("sheet.write-method",
					"function", e.Func, "kin", kin.Describe()))
			}
		}
	}
	if e.Func == "log" {
		return c.Report(e.Pos, phrase.New("sheet.unknown-function-log"), phrase.New("sheet.write-ln"))
	}
	return c.Report(e.Pos, phrase.New("sheet.unknown-function", "function", e.Func), syntax.DidYouMean(e.Func, names,
		phrase.New("sheet.see-functions")))
}

// method compiles a call with a receiver.
func (c *Checker) method(e *syntax.Call, recv *Node, args []Node, ok bool) Node {
	if recv.Type.Kind != value.Rec {
		return c.Report(e.Pos, phrase.New("sheet.no-methods-of", "code", syntax.Brief(e.Recv), "type", recv.Type),
			phrase.New("sheet.leave-out-call", "function", syntax.Clip(e.Func)))
	}
	if fn := c.methodOf(recv.Type.Kin, e.Func); fn != nil {
		return c.invoke(e, fn, recv, args, ok)
	}
	if recv.Type.Kin.Field(e.Func) != nil {
		return c.Report(e.Pos, phrase.New("sheet.field-not-method", "function", e.Func),
			phrase.New("sheet.leave-out-parentheses"))
	}
	remedy := phrase.New("sheet.has-no-methods")
	if member := FirstEntry(recv); member != "" {
		remedy = phrase.New("sheet.name-entry", "entry", member)
	} else if recv.Type.Kin != nil && len(recv.Type.Kin.Methods) > 0 {
		names := value.Names(recv.Type.Kin.Methods)
		remedy = syntax.DidYouMean(e.Func, names, phrase.New("sheet.its-methods", "names", syntax.OneOf(names)))
	}
	return c.Report(e.Pos, phrase.New("sheet.no-method", "record", recv.describe(),
		"function", syntax.Clip(e.Func)), remedy)
}

// methodOf is the method of that name that records of a kin have, or nil.
func (c *Checker) methodOf(kin *value.Kin, name string) *value.Func {
	if c.Env == nil {
		return kin.Method(name)
	}
	return c.Env.Method(kin, name)
}

// signature is how e should call f: "chip.flops(dtype)".
func signature(e *syntax.Call, f *value.Func) string {
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
func (c *Checker) invoke(e *syntax.Call, fn *value.Func, recv *Node, args []Node, ok bool) Node {
	if fn.Begin == nil {
		c.Work += max(callFuel, fn.Work)
	} else {
		c.Work += callFuel
		c.Long = true
	}
	params := fn.Arguments(recv != nil)
	if !ok || !c.Count(e, fn, params, len(args)) {
		return Node{Bad: true}
	}
	for i := range args {
		if p := &params[min(i, len(params)-1)]; !p.Fits(args[i].Type) {
			return c.WrongArgument(e, p, &args[i])
		}
	}
	for _, p := range params[min(len(args), len(params)):] {
		if p.Optional {
			args = append(args, constant(e, p.Default))
		}
	}
	if recv != nil {
		args = append([]Node{*recv}, args...)
	}
	typ, err := result(fn, args)
	if err != nil {
		return c.Report(e.Pos, phrase.New("sheet.call-fault", "function", e.Func, "why", err),
			phrase.New("sheet.write-call", "call", signature(e, fn)))
	}
	from := c.Room
	c.Room += len(args)
	return c.remembered(e, typ, func(f *Frame) (value.Value, bool) { return f.call(e, fn, args, from, typ) })
}

// result is the type that f returns for these arguments.
func result(f *value.Func, args []Node) (typ value.Type, err error) {
	if f.ResultOf == nil {
		return f.Result, nil
	}
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.no-result", "fault", fault)
		}
	}()
	types := make([]value.Type, len(args))
	for i := range args {
		types[i] = args[i].Type
	}
	return f.ResultOf(types)
}

// Count checks the number of arguments.
func (c *Checker) Count(e *syntax.Call, fn *value.Func, params []value.Param, n int) bool {
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
func (c *Checker) wrongCount(e *syntax.Call, n, least, most int, open bool, signature string) Node {
	what := phrase.Count(least, "sheet.takes", "function", e.Func, "given", n)
	switch {
	case open:
		what = phrase.Count(least, "sheet.takes-at-least", "function", e.Func, "given", n)
	case most > least:
		what = phrase.New("sheet.takes-from-to", "function", e.Func, "least", least, "most", most, "given", n)
	}
	return c.Report(e.Pos, what, phrase.New("sheet.write-call", "call", signature))
}

func (c *Checker) WrongArgument(e *syntax.Call, p *value.Param, arg *Node) Node {
	want := p.Type.Words()
	if p.AnyDim && p.Type.Kind == value.Number {
		want = phrase.New("sheet.a-number")
	}
	remedy := phrase.New("sheet.give-value", "value", want)
	if arg.Type.Kind == value.DType && p.Type.Kind == value.Number {
		remedy = NumberRemedy(arg)
	}
	return c.Report(arg.Expr.Position(), phrase.New("sheet.needs-argument", "function", e.Func, "wanted", want,
		"parameter", p.Name, "code", syntax.Brief(arg.Expr), "type", arg.Type), remedy)
}

// call evaluates the arguments into the frame's room from from on, and calls fn.
func (f *Frame) call(e *syntax.Call, fn *value.Func, args []Node, from int, typ value.Type) (value.Value, bool) {
	room := f.args[from : from+len(args) : from+len(args)]
	for i := range args {
		v, ok := args[i].value(f)
		if !ok {
			return value.Value{}, false
		}
		room[i] = v
	}
	if e.Recv != nil {
		fn = fn.ForRecord(room[0].Record, e.Func)
	}
	var v value.Value
	var err error
	if fn.Begin != nil && f.Long != nil {
		v, err = f.Long(e, fn, room)
	} else {
		v, err = value.Guarded(fn, room)
	}
	if err != nil {
		f.Err = err
		return value.Value{}, false
	}
	return v, f.has(v, typ, e)
}
