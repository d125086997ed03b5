package expr

import (
	"math"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/portable"
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
	if recv != nil {
		return c.method(e, recv, args, ok)
	}
	if b := builtinOf(e.Func); b != nil {
		return c.builtin(e, b, args, ok)
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
		names = append(names, value.Offered(c.Env.Funcs)...)
		for _, rt := range c.Env.RecordTypes {
			if rt.Method(e.Func) != nil {
				return c.Report(e.Pos, phrase.New("sheet.is-a-method", "function", e.Func),
					phrase.New("sheet.write-method", "function", e.Func, "kin", rt.Describe()))
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
	if fn := c.methodOf(recv.Type.Record, e.Func); fn != nil {
		return c.invoke(e, fn, recv, args, ok)
	}
	if recv.Type.Record.Field(e.Func) != nil {
		return c.Report(e.Pos, phrase.New("sheet.field-not-method", "function", e.Func),
			phrase.New("sheet.leave-out-parentheses"))
	}
	remedy := phrase.New("sheet.has-no-methods")
	if member := FirstEntry(recv); member != "" {
		remedy = phrase.New("sheet.name-entry", "entry", member)
	} else if recv.Type.Record != nil && len(recv.Type.Record.Methods) > 0 {
		names := value.Names(recv.Type.Record.Methods)
		remedy = syntax.DidYouMean(e.Func, names, phrase.New("sheet.its-methods", "names", syntax.OneOf(names)))
	}
	return c.Report(e.Pos, phrase.New("sheet.no-method", "record", recv.describe(),
		"function", syntax.Clip(e.Func)), remedy)
}

// methodOf is the method of that name that records of a record type have, or nil.
func (c *Checker) methodOf(rt *value.RecordType, name string) *value.Func {
	if c.Env == nil {
		return rt.Method(name)
	}
	return c.Env.Method(rt, name)
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
	if fn.Instead != "" {
		c.Former = append(c.Former, Former{e.Pos, e.Func, fn.Instead})
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
	from := c.ArgCount
	c.ArgCount += len(args)
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

// Count checks that a call, to which n arguments are given, has as many as fn takes; where it hasn't, it reports how
// many that are.
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

// WrongArgument reports that an argument is of another type or dimension than its parameter.
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

// call evaluates the arguments into the frame's argument slots from from on, and calls fn.
func (f *Frame) call(e *syntax.Call, fn *value.Func, args []Node, from int, typ value.Type) (value.Value, bool) {
	argCount := f.args[from : from+len(args) : from+len(args)]
	for i := range args {
		v, ok := args[i].value(f)
		if !ok {
			return value.Value{}, false
		}
		argCount[i] = v
	}
	if e.Recv != nil {
		fn = fn.ForRecord(argCount[0].Record, e.Func)
	}
	var v value.Value
	var err error
	if fn.Begin != nil && f.Long != nil {
		v, err = f.Long(e, fn, argCount)
	} else {
		v, err = value.Guarded(fn, argCount)
	}
	if err != nil {
		f.Err = err
		return value.Value{}, false
	}
	return v, f.has(v, typ, e)
}

// builtin is a function of the language itself.
type builtin struct {
	name        string
	params      string // as its signature shows them
	least, most int    // arguments; most 0 is any number
	check       func(c *Checker, e *syntax.Call, args []Node) Node
}

// builtins are the functions of the language. mod is what is left after whole divisors, with the divisor's sign; round
// takes halves away from zero; clamp bounds its first argument. Nothing of it is computed when the program starts.
var builtins = [...]builtin{
	{"abs", "x", 1, 1, (*Checker).abs},
	{"cbrt", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return root(3)(c, e, a) }},
	{"ceil", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.plain(e, a, math.Ceil) }},
	{"clamp", "x, low, high", 3, 3, (*Checker).clamp},
	{"count", "xs", 1, 1, (*Checker).countOf},
	{"exp", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.plain(e, a, portable.Exp) }},
	{"first", "xs", 1, 1, (*Checker).firstOf},
	{"floor", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.plain(e, a, math.Floor) }},
	{"if", "condition, a, b", 3, 3, (*Checker).choose},
	{"ln", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.logarithm(e, a, portable.Ln) }},
	{"log10", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.logarithm(e, a, portable.Log10) }},
	{"log2", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.logarithm(e, a, portable.Log2) }},
	{"max", "a, b, ...", 1, 0, func(c *Checker, e *syntax.Call, a []Node) Node { return extremum(above)(c, e, a) }},
	{"mean", "a, b, ...", 1, 0, func(c *Checker, e *syntax.Call, a []Node) Node { return summation(true)(c, e, a) }},
	{"min", "a, b, ...", 1, 0, func(c *Checker, e *syntax.Call, a []Node) Node { return extremum(below)(c, e, a) }},
	{"mod", "x, y", 2, 2, (*Checker).mod},
	{"round", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return c.plain(e, a, math.Round) }},
	{"sqrt", "x", 1, 1, func(c *Checker, e *syntax.Call, a []Node) Node { return root(2)(c, e, a) }},
	{"sum", "a, b, ...", 1, 0, func(c *Checker, e *syntax.Call, a []Node) Node { return summation(false)(c, e, a) }},
	{"why", "x", 1, 1, (*Checker).whyOf},
}

func above(x, y float64) bool { return x > y }
func below(x, y float64) bool { return x < y }

// plain compiles a function of any plain number.
func (c *Checker) plain(e *syntax.Call, args []Node, do func(float64) float64) Node {
	return plain(do, everywhere, "")(c, e, args)
}

// logarithm compiles one of a number above zero.
func (c *Checker) logarithm(e *syntax.Call, args []Node, do func(float64) float64) Node {
	return plain(do, positive, noLog)(c, e, args)
}

// builtinOf is a function by its name; nil if there is none.
func builtinOf(name string) *builtin {
	for i := range builtins {
		if builtins[i].name == name {
			return &builtins[i]
		}
	}
	return nil
}

// Builtins are their names, in order.
func Builtins() []string {
	var names []string
	for i := range builtins {
		names = append(names, builtins[i].name)
	}
	return names
}

const noLog = "sheet.no-logarithm" // of a number that is not positive

func everywhere(float64) bool { return true }
func positive(x float64) bool { return x > 0 }

// builtin compiles the call of a function of the language.
func (c *Checker) builtin(e *syntax.Call, b *builtin, args []Node, ok bool) Node {
	if n := len(args); n < b.least || b.most > 0 && n > b.most {
		return c.wrongCount(e, n, b.least, b.most, b.most == 0, e.Func+"("+b.params+")")
	}
	if !ok {
		return Node{Bad: true}
	}
	return b.check(c, e, args)
}

// numbers reports the first argument that is no number of the dimension of the first one; strict functions take plain
// numbers only.
func (c *Checker) numbers(e *syntax.Call, args []Node) bool {
	for i := range args {
		a := &args[i]
		if a.Type.Kind != value.Number {
			c.Report(a.Expr.Position(), phrase.New("sheet.needs-numbers", "function", e.Func, "code",
				syntax.Brief(a.Expr), "type",
				a.Type), NumberRemedy(a))
			return false
		}
		if a.Type.Dim != args[0].Type.Dim {
			c.mismatch(a.Expr.Position(), "sheet.cannot-compare", a, &args[0])
			return false
		}
	}
	return true
}

// Formula is an expression over parameters, such as the body of a library function. It is read when first used, and
// may be used by several goroutines.
type Formula struct {
	text   string
	params []value.Param
	env    *value.Env // for the functions and names that it uses; it may be nil

	once     sync.Once
	body     Node
	argCount int // arguments of the calls in it, after the formula's own
	memo     int
	err      error
}

// NewFormula is the formula of that text, in the notation of sheets.
func NewFormula(text string, params []value.Param, env *value.Env) *Formula {
	return &Formula{text: text, params: params, env: env}
}

// Type is the type of its values; the error says what is wrong with the text.
func (x *Formula) Type() (value.Type, error) {
	x.once.Do(x.compile)
	return x.body.Type, x.err
}

// compile reads the text.
func (x *Formula) compile() {
	body, errs := syntax.ParseExpr(x.text)
	if len(errs) > 0 {
		x.err = errs[0]
		return
	}
	faults := &syntax.Errors{}
	c := &Checker{
		Env: x.env, Errs: faults, ArgCount: len(x.params), Resolve: x.param, Known: func() []string { return nil },
	}
	x.body = c.Compile(body)
	x.argCount, x.memo = c.ArgCount, len(c.Sites)
	if len(faults.List) > 0 {
		x.err = faults.List[0]
	}
}

// param resolves a name to the parameter of that name.
func (x *Formula) param(e *syntax.Name) (Node, bool) {
	for i := range x.params {
		if x.params[i].Name == e.Name {
			return passed(e, x.params[i].Type, i), true
		}
	}
	return Node{}, false
}

// passed is a node that reads the i-th argument.
func passed(e syntax.Expr, typ value.Type, i int) Node {
	n := Node{Expr: e, Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) { return f.args[i].Num, true }
		n.Fast = func(f *Frame) (float64, bool) { return f.args[i].Num.Value, true }
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) { return f.args[i].Bool, true }
	default:
		n.val = func(f *Frame) (value.Value, bool) { return f.args[i], true }
	}
	return n
}

// Value computes the formula. The arguments have the types of the parameters.
func (x *Formula) Value(args []value.Value) (value.Value, error) {
	x.once.Do(x.compile)
	if x.err != nil {
		return value.Value{}, x.err
	}
	f := &Frame{args: args}
	if x.argCount > len(args) {
		f.args = append(make([]value.Value, 0, x.argCount), args...)[:x.argCount]
	}
	if x.memo > 0 {
		f.memo = make([]memo, x.memo)
	}
	v, ok := x.body.value(f)
	if ok && v.Kind == value.Number {
		_, ok = f.finite(v.Num.Value, x.body.Expr)
	}
	if !ok {
		return value.Value{}, f.Err
	}
	return v, nil
}
