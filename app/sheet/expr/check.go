// Package expr is the expressions of sheets. A [Checker] looks names up, checks kinds and dimensions, reports faults
// with place and remedy, and makes of each expression a [Node], which is closures. Nodes are evaluated in a [Frame].
// They read rows by their place: which rows there are, and in what order, is the business of package sheet.
package expr

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/spell"
)

// Checker finds the type of expressions and compiles them.
type Checker struct {
	Env      *value.Env // may be nil
	Errs     *syntax.Errors
	Resolve  func(e *syntax.Name) (Node, bool) // the names that the environment does not know
	Known    func() []string                   // the names that resolve would find, for suggestions
	Choice   func(word string) string          // the input that offers the word as a choice, "" for none; may be nil
	ArgCount int                               // arguments of all calls
	Sites    []syntax.Expr                     // calls and fields whose values are remembered
	Long     bool                              // some calls are long work
	Work     int                               // operations of the expression, roughly
	Former   []Former                          // functions of earlier editions that the expression calls
}

// Former is a call of a function of an earlier edition, and what a sheet has for it today.
type Former struct {
	Pos           syntax.Pos
	Name, Instead string
}

// Report notes a fault and gives a node that causes no others.
func (c *Checker) Report(pos syntax.Pos, what, remedy *phrase.Phrase) Node {
	c.Errs.Add(pos, what, remedy)
	return Node{Bad: true}
}

// Compile compiles e. Expressions come from the parser, which bounds their depth.
func (c *Checker) Compile(e syntax.Expr) Node {
	c.Work++
	var n Node
	switch e := e.(type) {
	case *syntax.Lit:
		n = constant(e, value.Value{Kind: value.Number, Num: e.Q})
	case *syntax.Str:
		n = constant(e, value.Value{Kind: value.Text, Text: e.Text})
	case *syntax.Switch:
		n = constant(e, value.Value{Kind: value.Bool, Bool: e.On})
	case *syntax.Name:
		n = c.name(e)
	case *syntax.Member:
		n = c.member(e)
	case *syntax.Call:
		n = c.call(e)
	case *syntax.Unary:
		n = c.unary(e)
	case *syntax.Binary:
		n = c.binary(e)
	case *syntax.Group:
		n = c.Compile(e.X)
	default:
		n = Node{Bad: true}
	}
	n.Expr = e
	return n
}

// foldConstant computes a number that needs nothing of the reader, such as 2^20. One that has no value is left for
// later.
func foldConstant(n Node, operands ...*Node) Node {
	if n.Bad || n.Type.Kind != value.Number {
		return n
	}
	for _, x := range operands {
		if x.Const == nil {
			return n
		}
	}
	if q, ok := n.num(&Frame{}); ok { // its operands read neither rows nor memos
		known := constant(n.Expr, value.Value{Kind: value.Number, Num: q})
		known.sized = n.sized
		return known
	}
	return n
}

func (c *Checker) name(e *syntax.Name) Node {
	if n, ok := c.Resolve(e); ok {
		return n
	}
	if e.Name == "pi" {
		return constant(e, value.Value{Kind: value.Number, Num: quantity.Quantity{Value: math.Pi}})
	}
	if c.Env != nil {
		if v, ok := c.Env.Value(e.Name); ok {
			return constant(e, v)
		}
	}
	return c.unknownName(e)
}

func (c *Checker) unknownName(e *syntax.Name) Node {
	if c.Errs.Full() {
		return Node{Bad: true}
	}
	what := phrase.New("sheet.unknown-name", "name", e.Name)
	if c.function(e.Name) {
		return c.Report(e.Pos, phrase.New("sheet.is-a-function", "name", e.Name),
			phrase.New("sheet.write-call-of", "name", e.Name))
	}
	if e.Name == "document" {
		return c.Report(e.Pos, what, phrase.New("sheet.document-input-write-let"))
	}
	if c.Choice != nil {
		if in := c.Choice(e.Name); in != "" {
			return c.Report(e.Pos, what, phrase.New("sheet.choice-in-quotes", "word", e.Name, "input", in))
		}
	}
	for _, name := range c.valueNames() {
		if syntax.Look(name) == syntax.Look(e.Name) {
			return c.Report(e.Pos, what, phrase.New("sheet.only-looks-like", "name", name, "letter",
				syntax.Foreign(e.Name, name)))
		}
	}
	if near := spell.Meant(e.Name, c.valueNames()); near != "" {
		return c.Report(e.Pos, what, phrase.New("sheet.did-you-mean", "name", near))
	}
	if _, n, err := quantity.Literal("1 " + e.Name); err == nil && n == len(e.Name)+2 {
		return c.Report(e.Pos, what, phrase.New("sheet.unit-follows-number", "unit", e.Name))
	}
	return c.Report(e.Pos, what, phrase.New("sheet.define-it", "name", e.Name))
}

// function tells whether there is a function of that name.
func (c *Checker) function(name string) bool {
	return builtinOf(name) != nil || c.Env != nil && c.Env.Func(name) != nil
}

// valueNames are all names that may stand for a value.
func (c *Checker) valueNames() []string {
	names := append(c.Known(), "pi")
	if c.Env != nil {
		names = append(names, value.Names(c.Env.Values)...)
	}
	return names
}

// unary compiles -x and not x.
func (c *Checker) unary(e *syntax.Unary) Node {
	x := c.Compile(e.X)
	switch {
	case x.Bad:
		return x
	case e.Op == "not" && x.Type.Kind == value.Bool:
		cond := x.cond
		return Node{Type: x.Type, cond: func(f *Frame) (bool, bool) {
			b, ok := cond(f)
			return !b, ok
		}}
	case e.Op == "not":
		return c.Report(e.X.Position(), phrase.New("sheet.not-needs-switch", "code", syntax.Brief(e.X), "type", x.Type),
			phrase.New("sheet.write-not"))
	case x.Type.Kind != value.Number:
		return c.Report(e.X.Position(), phrase.New("sheet.minus-needs-number", "code", syntax.Brief(e.X), "type",
			x.Type), NumberRemedy(&x))
	}
	num, fast := x.num, x.Fast
	return foldConstant(Node{Type: x.Type, sized: x.negated(), num: func(f *Frame) (quantity.Quantity, bool) {
		q, ok := num(f)
		q.Value = -q.Value
		return q, ok
	}, Fast: func(f *Frame) (float64, bool) {
		v, ok := fast(f)
		return -v, ok
	}}, &x)
}

// binary compiles x op y.
func (c *Checker) binary(e *syntax.Binary) Node {
	x, y := c.Compile(e.X), c.Compile(e.Y)
	if x.Bad || y.Bad {
		return Node{Bad: true}
	}
	switch e.Op {
	case "and", "or":
		return c.logic(e, &x, &y)
	case "+", "-", "*", "/", "^":
		return foldConstant(c.arithmetic(e, &x, &y), &x, &y)
	}
	return c.comparison(e, &x, &y)
}

func (c *Checker) logic(e *syntax.Binary, x, y *Node) Node {
	for _, side := range []*Node{x, y} {
		if side.Type.Kind != value.Bool {
			return c.Report(side.Expr.Position(), phrase.New("sheet.needs-switch-or-comparison", "op", e.Op, "code",
				syntax.Brief(side.Expr), "type", side.Type), phrase.New("sheet.write-comparison", "op", e.Op))
		}
	}
	a, b, and := x.cond, y.cond, e.Op == "and"
	return Node{Type: x.Type, cond: func(f *Frame) (bool, bool) {
		v, ok := a(f)
		if !ok || v != and {
			return v, ok
		}
		return b(f)
	}}
}

// mismatch reports operands of different dimension; key is the sentence that says so.
func (c *Checker) mismatch(pos syntax.Pos, key string, x, y *Node) Node {
	remedy := phrase.New("sheet.same-unit")
	if plainLit(x) || plainLit(y) {
		remedy = phrase.New("sheet.write-number-with-unit")
	}
	what := phrase.New(key, "left", syntax.Brief(x.Expr), "type", x.Type, "right", syntax.Brief(y.Expr),
		"othertype", y.Type)
	return c.Report(pos, what, remedy)
}

// plainLit tells whether n is a number written without unit.
func plainLit(n *Node) bool {
	return n.Const != nil && n.Type.Kind == value.Number && n.Type.Dim.IsZero()
}

// Compute evaluates a node that reads no rows.
func Compute(n *Node, k *Checker) (v value.Value, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.could-not-computed")
		}
	}()
	f := &Frame{args: make([]value.Value, k.ArgCount), memo: make([]memo, len(k.Sites))}
	v, ok := n.value(f)
	if ok && v.Kind == value.Number {
		_, ok = f.finite(v.Num.Value, n.Expr)
	}
	if !ok {
		if f.Err == nil {
			f.Err = phrase.New("sheet.this-has-no-value")
		}
		return value.Value{}, f.Err
	}
	return v, nil
}

// Eval computes e; names that scope does not know are looked up in env (which may be nil), functions in env and
// among the built-in ones.
func Eval(env *value.Env, e syntax.Expr, scope func(name string) (value.Value, bool)) (value.Value, error) {
	errs := &syntax.Errors{}
	k := &Checker{Env: env, Errs: errs, Known: func() []string { return nil }}
	k.Resolve = func(n *syntax.Name) (Node, bool) {
		v, ok := scope(n.Name)
		if !ok {
			return Node{}, false
		}
		return constant(n, v), true
	}
	n := k.Compile(e)
	switch {
	case len(errs.List) > 0:
		return value.Value{}, errs.List[0]
	case n.Bad:
		return value.Value{}, phrase.New("sheet.expression-faulty")
	}
	return Compute(&n, k)
}

// TypeOf is the type of e, checked; scope gives the types of names, then env.
func TypeOf(env *value.Env, e syntax.Expr, scope func(name string) (value.Type, bool)) (value.Type, []*syntax.Error) {
	errs := &syntax.Errors{}
	k := &Checker{Env: env, Errs: errs, Known: func() []string { return nil }}
	k.Resolve = func(n *syntax.Name) (Node, bool) {
		typ, ok := scope(n.Name)
		if !ok {
			return Node{}, false
		}
		return Node{Expr: n, Type: typ,
			num:  func(*Frame) (quantity.Quantity, bool) { return quantity.Quantity{}, false },
			Fast: func(*Frame) (float64, bool) { return 0, false },
			cond: func(*Frame) (bool, bool) { return false, false },
			val:  func(*Frame) (value.Value, bool) { return value.Value{}, false },
		}, true
	}
	n := k.Compile(e)
	return n.Type, errs.Sorted()
}

// memo is what a call or a field gave, so that a sweep asks once for what does not vary.
type memo struct {
	done bool
	ok   bool
	v    value.Value
	err  error
}

// remembered is a node of the given type that reads a Value, once for all samples of a sweep in which it stays the
// same.
func (c *Checker) remembered(e syntax.Expr, typ value.Type, read valFn) Node {
	site := len(c.Sites)
	c.Sites = append(c.Sites, e)
	recall := func(f *Frame) *memo {
		m := &f.memo[site]
		if !m.done {
			m.v, m.ok = read(f)
			m.done, m.err = true, f.Err
		}
		if !m.ok {
			f.Err = m.err
		}
		return m
	}
	n := Node{Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			m := recall(f)
			return m.v.Num, m.ok
		}
		n.Fast = func(f *Frame) (float64, bool) {
			m := recall(f)
			return m.v.Num.Value, m.ok
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			m := recall(f)
			return m.v.Bool, m.ok
		}
	default:
		n.val = func(f *Frame) (value.Value, bool) {
			m := recall(f)
			return m.v, m.ok
		}
	}
	return n
}

// Forget makes the call or field at a site be asked for again.
func (f *Frame) Forget(site int) { f.memo[site].done = false }

// ForgetAll makes all calls and fields be asked for again.
func (f *Frame) ForgetAll() { clear(f.memo) }
