package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// constant computes an expression that stands alone: it may use the environment, but no line of the sheet.
func (c *compiler) constant(e syntax.Expr) (Value, bool) {
	if _, isBroken := e.(*syntax.Broken); isBroken || e == nil {
		return Value{}, false
	}
	k := &checker{env: c.env, errs: c.errs, known: func() []string { return nil }}
	k.resolve = func(n *syntax.Name) (node, bool) {
		_, inEnv := c.env.Values[n.Name]
		_, inSheet := c.prog.byName[n.Name]
		if inEnv || !inSheet {
			return node{}, false
		}
		return k.report(n.Pos, phrase.New("sheet.needs-constant", "name", n.Name),
			phrase.New("sheet.write-value")), true
	}
	n := k.expr(e)
	if n.bad {
		return Value{}, false
	}
	v, err := compute(&n, k)
	if err != nil {
		c.errs.Add(e.Position(), phrase.New("sheet.this-has-no-value-why", "why", err), phrase.New("sheet.write-valued"))
		return Value{}, false
	}
	return v, true
}

// compute evaluates a node that reads no rows.
func compute(n *node, k *checker) (v Value, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.could-not-computed")
		}
	}()
	f := &frame{args: make([]Value, k.room), memo: make([]memo, len(k.sites))}
	v, ok := n.value(f)
	if ok && v.Kind == Number {
		_, ok = f.finite(v.Num.Value, n.expr)
	}
	if !ok {
		if f.err == nil {
			f.err = phrase.New("sheet.this-has-no-value")
		}
		return Value{}, f.err
	}
	return v, nil
}

// evalExpr computes e; names that scope does not know are looked up in env (which may be nil), functions in env and
// among the built-in ones.
func evalExpr(env *Env, e syntax.Expr, scope func(name string) (Value, bool)) (Value, error) {
	errs := &syntax.Errors{}
	k := &checker{env: env, errs: errs, known: func() []string { return nil }}
	k.resolve = func(n *syntax.Name) (node, bool) {
		v, ok := scope(n.Name)
		if !ok {
			return node{}, false
		}
		return constant(n, v), true
	}
	n := k.expr(e)
	switch {
	case len(errs.List) > 0:
		return Value{}, errs.List[0]
	case n.bad:
		return Value{}, phrase.New("sheet.expression-faulty")
	}
	return compute(&n, k)
}

// typeOf is the type of e, checked; scope gives the types of names, then env.
func typeOf(env *Env, e syntax.Expr, scope func(name string) (Type, bool)) (Type, []*Error) {
	errs := &syntax.Errors{}
	k := &checker{env: env, errs: errs, known: func() []string { return nil }}
	k.resolve = func(n *syntax.Name) (node, bool) {
		typ, ok := scope(n.Name)
		if !ok {
			return node{}, false
		}
		return node{expr: n, typ: typ,
			num:  func(*frame) (quantity.Quantity, bool) { return quantity.Quantity{}, false },
			fast: func(*frame) (float64, bool) { return 0, false },
			cond: func(*frame) (bool, bool) { return false, false },
			val:  func(*frame) (Value, bool) { return Value{}, false },
		}, true
	}
	n := k.expr(e)
	return n.typ, errs.Sorted()
}

// value reads a value for in from a sheet's text, as tables, `for` and `at` have it: it must be one that a reader
// could give.
func (c *compiler) value(in *Input, e syntax.Expr) (Value, bool) {
	switch {
	case in.Form() == SeveralForm:
		c.errs.Add(e.Position(), phrase.New("sheet.several-choices", "input", in.Name), phrase.New("sheet.leave-choices-out"))
		return Value{}, false
	case len(in.Menu) > 0:
		return c.menuValue(in, e)
	case in.Default.Kind == Text:
		text, ok := e.(*syntax.Str)
		if !ok {
			c.errs.Add(e.Position(), phrase.New("sheet.is-a-text", "input", in.Name), phrase.New("sheet.write-in-quotes"))
			return Value{}, false
		}
		return Value{Kind: Text, Text: text.Text}, true
	case in.Default.Kind != Number:
		v, ok := c.constant(e)
		return v, ok && value.SameType(v.Type(), in.Default.Type())
	}
	x, ok := c.number(in, e)
	if !ok {
		return Value{}, false
	}
	q := in.Default.Num
	q.Value = x
	if lit, isLit := e.(*syntax.Lit); isLit && lit.Q.Dim == q.Dim {
		q.Binary = lit.Q.Binary
	}
	if err := in.accepts(q); err != nil && !in.follows {
		c.errs.Add(e.Position(), phrase.New("sheet.input-fault", "input", in.Name, "fault", err.What), err.Remedy)
		return Value{}, false
	}
	return Value{Kind: Number, Num: q}, true
}

// menuValue reads one of in's menu.
func (c *compiler) menuValue(in *Input, e syntax.Expr) (Value, bool) {
	var v Value
	if in.Default.Kind == Text {
		text, ok := word(e)
		if !ok {
			text = syntax.Code(e)
		}
		v = Value{Kind: Text, Text: text}
	} else {
		var ok bool
		if v, ok = c.constant(e); !ok {
			return Value{}, false
		}
	}
	if got, want := v.Type(), in.Default.Type(); !value.SameType(got, want) {
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", brief(e), "type", got, "input", in.Name,
			"othertype", want), phrase.New("sheet.give-one-of", "names", oneOf(in.ids())))
		return Value{}, false
	}
	if !in.member(v) && !in.follows {
		c.errs.Add(e.Position(), phrase.New("sheet.cannot-be", "input", in.Name, "code", brief(e)), didYouMean(brief(e),
			in.ids(), phrase.New("sheet.give-one-of", "names", oneOf(in.ids()))))
		return Value{}, false
	}
	return v, true
}

// ids are the choices of a menu, as addresses carry them.
func (in *Input) ids() []string {
	ids := make([]string, len(in.Menu))
	for i := range in.Menu {
		ids[i] = in.Menu[i].ID
	}
	return ids
}
