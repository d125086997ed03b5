package expr

import (
	"sync"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Formula is an expression over parameters, such as the body of a library function. It is read when first used, and
// may be used by several goroutines.
type Formula struct {
	text   string
	params []value.Param
	env    *value.Env // for the functions and names that it uses; it may be nil

	once sync.Once
	body Node
	room int // arguments of the calls in it, after the formula's own
	memo int
	err  error
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
	c := &Checker{Env: x.env, Errs: faults, Room: len(x.params), Resolve: x.param, Known: func() []string { return nil }}
	x.body = c.Compile(body)
	x.room, x.memo = c.Room, len(c.Sites)
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
	if x.room > len(args) {
		f.args = append(make([]value.Value, 0, x.room), args...)[:x.room]
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
