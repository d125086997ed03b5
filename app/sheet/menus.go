package sheet

import (
	"cmp"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// choice makes the words behind `of` the menu.
func (c *compiler) choice(in *input.Input, d *syntax.Definition) bool {
	for _, e := range d.Of {
		text, ok := word(e.Expr)
		if !ok || text == "" {
			c.errs.Add(e.Position(), phrase.New("sheet.not-choice", "code", syntax.Brief(e.Expr)),
				phrase.New("sheet.write-choice-words"))
			return false
		}
		in.Menu = append(in.Menu, input.Option{ID: text, Name: cmp.Or(e.Name, text), Group: e.Group,
			Value: value.Value{Kind: value.Text, Text: text}})
	}
	text, _ := word(d.Value)
	in.Default = value.Value{Kind: value.Text, Text: text}
	return c.distinct(in, d) && c.inMenu(in, d)
}

// distinct reports a choice that is offered twice.
func (c *compiler) distinct(in *input.Input, d *syntax.Definition) bool {
	seen := map[string]bool{}
	for i, o := range in.Menu {
		if seen[o.ID] {
			c.errs.Add(d.Of[i].Position(), phrase.New("sheet.offered-twice", "id", syntax.Clip(o.ID)),
				phrase.New("sheet.leave-one-out"))
			return false
		}
		seen[o.ID] = true
	}
	return true
}

// notOffered is the remedy for a default that is not offered.
func notOffered(in *input.Input, d *syntax.Definition) *phrase.Phrase {
	if in.Entries != nil && len(d.Of) == 1 {
		return phrase.New("sheet.give-one-of", "names", syntax.OneOf(in.IDs()))
	}
	return phrase.New("sheet.add-after")
}

// inMenu reports a default that is not offered.
func (c *compiler) inMenu(in *input.Input, d *syntax.Definition) bool {
	if in.Member(in.Default) {
		return true
	}
	c.errs.Add(d.Value.Position(), phrase.New("sheet.default-not-among-choices", "code", syntax.Brief(d.Value)),
		notOffered(in, d))
	return false
}

// catalogEntry reports a record that is no entry of a catalog.
func (c *compiler) catalogEntry(v value.Value, d *syntax.Definition) bool {
	isEntry := func(r *value.Record) bool { return value.Value{Kind: value.Rec, Record: r}.Equal(v) }
	if v.Record != nil && v.Record.Type != nil && slices.ContainsFunc(v.Record.Type.Members, isEntry) {
		return true
	}
	code := syntax.Brief(d.Value)
	if entry := expr.FirstEntry(&expr.Node{Expr: d.Value, Const: &v}); entry != "" {
		c.errs.Add(d.Value.Position(), phrase.New("sheet.family-not-entry", "code", code),
			phrase.New("sheet.name-entry-of", "entry", entry))
		return false
	}
	c.errs.Add(d.Value.Position(), phrase.New("sheet.no-catalog-entry", "code", code),
		phrase.New("sheet.write-step-instead-let"))
	return false
}

// menu makes what stands behind `of` the menu: the entries of a list, or the values it names, in their order. def is
// the default, nil for the first of the menu.
func (c *compiler) menu(in *input.Input, d *syntax.Definition, def *value.Value) bool {
	if len(d.Of) == 1 {
		v, ok := c.constant(d.Of[0].Expr)
		if !ok {
			return false
		}
		if v.Kind == value.List {
			return c.listMenu(in, d, v, def)
		}
	}
	if def == nil {
		c.errs.Add(d.OfAt, phrase.New("sheet.first-needs-list"), phrase.New("sheet.write-list-behind-first"))
		return false
	}
	if def.Kind == value.Number {
		return c.numberMenu(in, d)
	}
	return c.narrow(in, d, *def)
}

// listMenu makes a list the menu.
func (c *compiler) listMenu(in *input.Input, d *syntax.Definition, list value.Value, def *value.Value) bool {
	at := d.Of[0].Position()
	code := "`" + syntax.Brief(d.Of[0].Expr) + "`"
	switch {
	case len(list.List) == 0:
		c.errs.Add(at, phrase.New("sheet.has-no-entries", "code", code), phrase.New("sheet.give-list-to-choose"))
		return false
	case def == nil:
		def = &list.List[0]
		in.Default = *def
		if def.Kind == value.Number {
			in.Unit = printedUnit(def.Num)
		}
	case !value.SameType(def.Type(), list.List[0].Type()):
		c.errs.Add(d.Value.Position(),
			phrase.New("sheet.default-not-of-list", "code", syntax.Brief(d.Value), "type", def.Type(), "list", code,
				"listtype", list.Type()),
			phrase.New("sheet.give-entry"))
		return false
	}
	in.Control = input.MenuForm
	in.SetMenu(list.List)
	if len(in.Menu) == 0 {
		c.errs.Add(at, phrase.New("sheet.has-entries-without-id", "code", code),
			phrase.New("sheet.give-catalog-list"))
		return false
	}
	return c.inMenu(in, d)
}

// numberMenu makes the numbers behind `of` the menu; bare ones count in the unit of the default.
func (c *compiler) numberMenu(in *input.Input, d *syntax.Definition) bool {
	var entries []value.Value
	for _, e := range d.Of {
		x, ok := c.number(in, e.Expr)
		if !ok {
			return false
		}
		entries = append(entries, value.Value{Kind: value.Number, Num: in.Quantity(x)})
	}
	in.Control = input.MenuForm
	in.SetMenu(entries)
	if len(in.Menu) < len(entries) {
		c.errs.Add(d.OfAt, phrase.New("sheet.number-offered-twice"), phrase.New("sheet.leave-one-out"))
		return false
	}
	in.Rename(d.Of)
	return c.inMenu(in, d)
}

// narrow keeps of all entries and dtypes what `of` names, in its order.
func (c *compiler) narrow(in *input.Input, d *syntax.Definition, def value.Value) bool {
	full := *in
	switch def.Kind {
	case value.DType:
		full.Menu = options(c.env.DTypes)
	case value.Rec:
		if !c.catalogEntry(def, d) {
			return false
		}
		full.Menu = c.alike(def.Record.Type)
	}
	if len(full.Menu) == 0 {
		c.errs.Add(d.OfAt, phrase.New("sheet.nothing-to-choose"), phrase.New("sheet.leave-out-of"))
		return false
	}
	for _, e := range d.Of {
		v, ok := c.menuValue(&full, e.Expr)
		if !ok {
			return false
		}
		for _, o := range full.Menu {
			if o.Value.Equal(v) {
				in.Menu = append(in.Menu, o)
			}
		}
	}
	if !c.distinct(in, d) || !c.inMenu(in, d) {
		return false
	}
	in.Rename(d.Of)
	return true
}

// alike are the entries of all catalogs that are of one record type, or like it, those of that type first.
func (c *compiler) alike(rt *value.RecordType) []input.Option {
	menu := recordOptions(rt.Members)
	for _, k := range c.env.RecordTypes {
		if k != rt && k.Root() == rt.Root() {
			menu = append(menu, recordOptions(k.Members)...)
		}
	}
	return menu
}

func options(values []value.Value) []input.Option {
	menu := make([]input.Option, len(values))
	for i, v := range values {
		menu[i] = input.Option{ID: v.Text, Name: v.Text, Value: v}
	}
	return menu
}

func recordOptions(members []*value.Record) []input.Option {
	menu := make([]input.Option, len(members))
	for i, r := range members {
		menu[i] = input.Option{ID: r.ID, Name: r.Called(), Group: r.Group,
			Value: value.Value{Kind: value.Rec, Record: r}}
	}
	return menu
}

// An input may refuse values: what stands behind `check` is a text that says why, and empty for a value that is good.

// refusal is why the named input refuses its value in st; empty if it doesn't, or if nobody can say.
func (s *Sheet) refusal(st input.State, name string) string {
	check := s.prog.slots[s.slot(name)].check
	if check == 0 {
		return ""
	}
	f := s.newFrame(st, s.share(evalFuel))
	parts, _ := s.prog.plan([]int{check}, -1)
	f.run(parts, false)
	return f.Rows[check].Value.Text
}

// checkRefusals reports what stands behind `check` and is no text, and defaults that are refused.
func (c *compiler) checkRefusals() {
	for i := range c.sheet.Rows {
		check := c.prog.slots[i].check
		if check == 0 {
			continue
		}
		switch s := &c.prog.slots[check]; {
		case s.node.Bad:
		case s.node.Type.Kind != value.Text:
			c.errs.Add(s.expr.Position(), phrase.New("sheet.check-needs-text", "code", syntax.Brief(s.expr),
				"type", s.node.Type),
				phrase.New("sheet.write-check"))
		case len(c.errs.List) == 0:
			if why := c.sheet.refusal(nil, c.defs[i].Name); why != "" {
				c.errs.Add(c.defs[i].Value.Position(), phrase.New("sheet.default-refused", "why", why),
					phrase.New("sheet.write-passing"))
			}
		}
	}
}

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
		c.errs.Add(e.Position(), phrase.New("sheet.this-has-no-value-why", "why", err),
			phrase.New("sheet.write-valued"))
		return value.Value{}, false
	}
	return v, true
}

// value reads a value for in from a sheet's text, as tables, `for` and `at` have it: it must be one that a reader
// could give.
func (c *compiler) value(in *input.Input, e syntax.Expr) (value.Value, bool) {
	switch {
	case in.Form() == input.SeveralForm:
		c.errs.Add(e.Position(), phrase.New("sheet.several-choices", "input", in.Name),
			phrase.New("sheet.leave-choices-out"))
		return value.Value{}, false
	case len(in.Menu) > 0:
		return c.menuValue(in, e)
	case in.Default.Kind == value.Text:
		text, ok := e.(*syntax.Str)
		if !ok {
			c.errs.Add(e.Position(), phrase.New("sheet.is-a-text", "input", in.Name),
				phrase.New("sheet.write-in-quotes"))
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
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", syntax.Brief(e), "type", got, "input",
			in.Name, "othertype", want), phrase.New("sheet.give-one-of", "names", syntax.OneOf(in.IDs())))
		return value.Value{}, false
	}
	if !in.Member(v) && !in.Dependent {
		c.errs.Add(e.Position(), phrase.New("sheet.cannot-be", "input", in.Name, "code", syntax.Brief(e)),
			syntax.DidYouMean(syntax.Brief(e), in.IDs(), phrase.New("sheet.give-one-of", "names",
				syntax.OneOf(in.IDs()))))
		return value.Value{}, false
	}
	return v, true
}
