package sheet

import (
	"sync"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Formula is an expression over parameters, such as the body of a library function. It is read when first used, and
// may be used by several goroutines.
type Formula struct {
	text   string
	params []Param
	env    *Env // for the functions and names that it uses; it may be nil

	once sync.Once
	body node
	room int // arguments of the calls in it, after the formula's own
	memo int
	err  error
}

// NewFormula is the formula of that text, in the notation of sheets.
func NewFormula(text string, params []Param, env *Env) *Formula {
	return &Formula{text: text, params: params, env: env}
}

// Type is the type of its values; the error says what is wrong with the text.
func (x *Formula) Type() (Type, error) {
	x.once.Do(x.compile)
	return x.body.typ, x.err
}

// compile reads the text.
func (x *Formula) compile() {
	body, errs := syntax.ParseExpr(x.text)
	if len(errs) > 0 {
		x.err = errs[0]
		return
	}
	faults := &syntax.Errors{}
	c := &checker{env: x.env, errs: faults, room: len(x.params), resolve: x.param, known: func() []string { return nil }}
	x.body = c.expr(body)
	x.room, x.memo = c.room, len(c.sites)
	if len(faults.List) > 0 {
		x.err = faults.List[0]
	}
}

// param resolves a name to the parameter of that name.
func (x *Formula) param(e *syntax.Name) (node, bool) {
	for i := range x.params {
		if x.params[i].Name == e.Name {
			return passed(e, x.params[i].Type, i), true
		}
	}
	return node{}, false
}

// passed is a node that reads the i-th argument.
func passed(e syntax.Expr, typ Type, i int) node {
	n := node{expr: e, typ: typ}
	switch typ.Kind {
	case Number:
		n.num = func(f *frame) (quantity.Quantity, bool) { return f.args[i].Num, true }
		n.fast = func(f *frame) (float64, bool) { return f.args[i].Num.Value, true }
	case Bool:
		n.cond = func(f *frame) (bool, bool) { return f.args[i].Bool, true }
	default:
		n.val = func(f *frame) (Value, bool) { return f.args[i], true }
	}
	return n
}

// Value computes the formula. The arguments have the types of the parameters.
func (x *Formula) Value(args []Value) (Value, error) {
	x.once.Do(x.compile)
	if x.err != nil {
		return Value{}, x.err
	}
	f := &frame{args: args}
	if x.room > len(args) {
		f.args = append(make([]Value, 0, x.room), args...)[:x.room]
	}
	if x.memo > 0 {
		f.memo = make([]memo, x.memo)
	}
	v, ok := x.body.value(f)
	if ok && v.Kind == Number {
		_, ok = f.finite(v.Num.Value, x.body.expr)
	}
	if !ok {
		return Value{}, f.err
	}
	return v, nil
}
