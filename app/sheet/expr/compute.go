package expr

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Compute evaluates a node that reads no rows.
func Compute(n *Node, k *Checker) (v value.Value, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.could-not-computed")
		}
	}()
	f := &Frame{args: make([]value.Value, k.Room), memo: make([]memo, len(k.Sites))}
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
