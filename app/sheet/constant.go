package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// constant computes an expression that stands alone: it may use the environment, but no line of the sheet.
func (c *compiler) constant(e syntax.Expr) (value.Value, bool) {
	if _, isBroken := e.(*syntax.Broken); isBroken || e == nil {
		return value.Value{}, false
	}
	k := &expr.Checker{Env: c.env, Errs: c.errs, Known: func() []string { return nil }}
	k.Resolve = func(n *syntax.Name) (expr.Node, bool) {
		if _, inSheet := c.prog.byName[n.Name]; !inSheet {
			return expr.Node{}, false
		}
		if _, inEnv := c.env.Value(n.Name); inEnv {
			return expr.Node{}, false
		}
		return k.Report(n.Pos, phrase.New("sheet.needs-constant", "name", n.Name),
			phrase.New("sheet.write-value")), true
	}
	n := k.Compile(e)
	if n.Bad {
		return value.Value{}, false
	}
	v, err := expr.Compute(&n, k)
	if err != nil {
		c.errs.Add(e.Position(), phrase.New("sheet.this-has-no-value-why", "why", err), phrase.New("sheet.write-valued"))
		return value.Value{}, false
	}
	return v, true
}

// value reads a value for in from a sheet's text, as tables, `for` and `at` have it: it must be one that a reader
// could give.
func (c *compiler) value(in *input.Input, e syntax.Expr) (value.Value, bool) {
	switch {
	case in.Form() == input.SeveralForm:
		c.errs.Add(e.Position(), phrase.New("sheet.several-choices", "input", in.Name), phrase.New("sheet.leave-choices-out"))
		return value.Value{}, false
	case len(in.Menu) > 0:
		return c.menuValue(in, e)
	case in.Default.Kind == value.Text:
		text, ok := e.(*syntax.Str)
		if !ok {
			c.errs.Add(e.Position(), phrase.New("sheet.is-a-text", "input", in.Name), phrase.New("sheet.write-in-quotes"))
			return value.Value{}, false
		}
		return value.Value{Kind: value.Text, Text: text.Text}, true
	case in.Default.Kind != value.Number:
		v, ok := c.constant(e)
		return v, ok && value.SameType(v.Type(), in.Default.Type())
	}
	x, ok := c.number(in, e)
	if !ok {
		return value.Value{}, false
	}
	q := in.Default.Num
	q.Value = x
	if lit, isLit := e.(*syntax.Lit); isLit && lit.Q.Dim == q.Dim {
		q.Binary = lit.Q.Binary
	}
	if err := in.Accepts(q); err != nil && !in.Dependent {
		c.errs.Add(e.Position(), phrase.New("sheet.input-fault", "input", in.Name, "fault", err.What), err.Remedy)
		return value.Value{}, false
	}
	return value.Value{Kind: value.Number, Num: q}, true
}

// menuValue reads one of in's menu.
func (c *compiler) menuValue(in *input.Input, e syntax.Expr) (value.Value, bool) {
	var v value.Value
	if in.Default.Kind == value.Text {
		text, ok := word(e)
		if !ok {
			text = syntax.Code(e)
		}
		v = value.Value{Kind: value.Text, Text: text}
	} else {
		var ok bool
		if v, ok = c.constant(e); !ok {
			return value.Value{}, false
		}
	}
	if got, want := v.Type(), in.Default.Type(); !value.SameType(got, want) {
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", syntax.Brief(e), "type", got, "input", in.Name,
			"othertype", want), phrase.New("sheet.give-one-of", "names", syntax.OneOf(in.IDs())))
		return value.Value{}, false
	}
	if !in.Member(v) && !in.Dependent {
		c.errs.Add(e.Position(), phrase.New("sheet.cannot-be", "input", in.Name, "code", syntax.Brief(e)),
			syntax.DidYouMean(syntax.Brief(e), in.IDs(), phrase.New("sheet.give-one-of", "names", syntax.OneOf(in.IDs()))))
		return value.Value{}, false
	}
	return v, true
}
