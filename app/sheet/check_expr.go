package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// checker finds the type of expressions and compiles them.
type checker struct {
	env     *Env // may be nil
	errs    *syntax.Errors
	resolve func(e *syntax.Name) (node, bool) // the names that the environment does not know
	known   func() []string                   // the names that resolve would find, for suggestions
	room    int                               // arguments of all calls
	sites   []syntax.Expr                     // calls and fields whose values are remembered
	long    bool                              // some calls are long work
	work    int                               // operations of the expression, roughly
}

// report notes a fault and gives a node that causes no others.
func (c *checker) report(pos Pos, what, remedy *phrase.Phrase) node {
	c.errs.Add(pos, what, remedy)
	return node{bad: true}
}

// expr compiles e. Expressions come from the parser, which bounds their depth.
func (c *checker) expr(e syntax.Expr) node {
	c.work++
	var n node
	switch e := e.(type) {
	case *syntax.Lit:
		n = constant(e, Value{Kind: Number, Num: e.Q})
	case *syntax.Str:
		n = constant(e, Value{Kind: Text, Text: e.Text})
	case *syntax.Switch:
		n = constant(e, Value{Kind: Bool, Bool: e.On})
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
		n = c.expr(e.X)
	default:
		n = node{bad: true}
	}
	n.expr = e
	return n
}

// fold computes a number that needs nothing of the reader, such as 2^20. One that has no value is left for later.
func fold(n node, operands ...*node) node {
	if n.bad || n.typ.Kind != Number {
		return n
	}
	for _, x := range operands {
		if x.konst == nil {
			return n
		}
	}
	if q, ok := n.num(&frame{}); ok { // its operands read neither rows nor memos
		known := constant(n.expr, Value{Kind: Number, Num: q})
		known.sized = n.sized
		return known
	}
	return n
}

func (c *checker) name(e *syntax.Name) node {
	if n, ok := c.resolve(e); ok {
		return n
	}
	if c.env != nil {
		if v, ok := c.env.Values[e.Name]; ok {
			return constant(e, v)
		}
	}
	if e.Name == "pi" {
		return constant(e, Value{Kind: Number, Num: quantity.Quantity{Value: math.Pi}})
	}
	return c.unknownName(e)
}

func (c *checker) unknownName(e *syntax.Name) node {
	if c.errs.Full() {
		return node{bad: true}
	}
	what := phrase.New("sheet.unknown-name", "name", e.Name)
	if c.function(e.Name) {
		return c.report(e.Pos, phrase.New("sheet.is-a-function", "name", e.Name), phrase.New("sheet.write-call-of", "name",
			e.Name))
	}
	if e.Name == "document" {
		return c.report(e.Pos, what, phrase.New("sheet.document-input-write-let"))
	}
	if near := nearest(e.Name, c.valueNames()); near != "" {
		return c.report(e.Pos, what, phrase.New("sheet.did-you-mean", "name", near))
	}
	if _, n, err := quantity.Literal("1 " + e.Name); err == nil && n == len(e.Name)+2 {
		return c.report(e.Pos, what, phrase.New("sheet.unit-follows-number", "unit", e.Name))
	}
	return c.report(e.Pos, what, phrase.New("sheet.define-it", "name", e.Name))
}

// function tells whether there is a function of that name.
func (c *checker) function(name string) bool {
	_, builtIn := builtins[name]
	return builtIn || c.env != nil && c.env.Funcs[name] != nil
}

// valueNames are all names that may stand for a value.
func (c *checker) valueNames() []string {
	names := append(c.known(), "pi")
	if c.env != nil {
		names = append(names, keys(c.env.Values)...)
	}
	return names
}

// unary compiles -x and not x.
func (c *checker) unary(e *syntax.Unary) node {
	x := c.expr(e.X)
	switch {
	case x.bad:
		return x
	case e.Op == "not" && x.typ.Kind == Bool:
		cond := x.cond
		return node{typ: x.typ, cond: func(f *frame) (bool, bool) {
			b, ok := cond(f)
			return !b, ok
		}}
	case e.Op == "not":
		return c.report(e.X.Position(), phrase.New("sheet.not-needs-switch", "code", brief(e.X), "type", x.typ),
			phrase.New("sheet.write-not"))
	case x.typ.Kind != Number:
		return c.report(e.X.Position(), phrase.New("sheet.minus-needs-number", "code", brief(e.X), "type", x.typ),
			numberRemedy(&x))
	}
	num, fast := x.num, x.fast
	return fold(node{typ: x.typ, sized: x.negated(), num: func(f *frame) (quantity.Quantity, bool) {
		q, ok := num(f)
		q.Value = -q.Value
		return q, ok
	}, fast: func(f *frame) (float64, bool) {
		v, ok := fast(f)
		return -v, ok
	}}, &x)
}

// binary compiles x op y.
func (c *checker) binary(e *syntax.Binary) node {
	x, y := c.expr(e.X), c.expr(e.Y)
	if x.bad || y.bad {
		return node{bad: true}
	}
	switch e.Op {
	case "and", "or":
		return c.logic(e, &x, &y)
	case "+", "-", "*", "/", "^":
		return fold(c.arithmetic(e, &x, &y), &x, &y)
	}
	return c.comparison(e, &x, &y)
}

func (c *checker) logic(e *syntax.Binary, x, y *node) node {
	for _, side := range []*node{x, y} {
		if side.typ.Kind != Bool {
			return c.report(side.expr.Position(), phrase.New("sheet.needs-switch-or-comparison", "op", e.Op, "code",
				brief(side.expr), "type", side.typ), phrase.New("sheet.write-comparison", "op", e.Op))
		}
	}
	a, b, and := x.cond, y.cond, e.Op == "and"
	return node{typ: x.typ, cond: func(f *frame) (bool, bool) {
		v, ok := a(f)
		if !ok || v != and {
			return v, ok
		}
		return b(f)
	}}
}

// mismatch reports operands of different dimension; key is the sentence that says so.
func (c *checker) mismatch(pos Pos, key string, x, y *node) node {
	remedy := phrase.New("sheet.same-unit")
	if plainLit(x) || plainLit(y) {
		remedy = phrase.New("sheet.write-number-with-unit")
	}
	what := phrase.New(key, "left", brief(x.expr), "type", x.typ, "right", brief(y.expr), "othertype", y.typ)
	return c.report(pos, what, remedy)
}

// plainLit tells whether n is a number written without unit.
func plainLit(n *node) bool { return n.konst != nil && n.typ.Kind == Number && n.typ.Dim.IsZero() }
