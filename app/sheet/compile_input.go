package sheet

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
)

// inputs makes the inputs of all `let` lines.
func (c *compiler) inputs() {
	for i, d := range c.defs {
		if d.kind != "input" {
			continue
		}
		in := &Input{Name: d.Name, Label: d.label, Pos: d.Pos}
		if d.unspecified || !c.let(in, d) {
			continue
		}
		c.sheet.Inputs = append(c.sheet.Inputs, in)
		s := &c.prog.slots[i]
		s.input, s.node.bad, s.def.Type = in, false, in.Default.Type()
	}
}

// let fills in the input that d declares.
func (c *compiler) let(in *Input, d *definition) bool {
	if c.isChoice(d) {
		return c.choice(in, d) && c.noRange(in, d)
	}
	if name, ok := d.value.(*Name); ok && c.unknownWord(name) {
		return false
	}
	v, ok := c.constant(d.value)
	if !ok {
		return false
	}
	in.Default = v
	switch v.Kind {
	case Number:
		return c.noMenu(d) && c.numberInput(in, d)
	case Bool:
		in.Menu = []Option{{ID: "on", Name: "on", Value: Value{Kind: Bool, Bool: true}}, {ID: "off", Name: "off", Value: Value{Kind: Bool}}}
		return c.noMenu(d) && c.noRange(in, d)
	case DType:
		in.Menu = options(c.env.DTypes)
	case Rec:
		if !c.catalogEntry(v, d) {
			return false
		}
		in.Menu = recordOptions(v.Record.Kin.Members)
	}
	return c.narrow(in, d) && c.noRange(in, d)
}

// unknownWord reports a default that is a word without meaning: the author probably had a choice in mind.
func (c *compiler) unknownWord(e *Name) bool {
	_, inEnv := c.env.Values[e.Name]
	_, inSheet := c.prog.byName[e.Name]
	if inEnv || inSheet || e.Name == "pi" || nearest(e.Name, keys(c.env.Values)) != "" {
		return false
	}
	c.errs.add(e.Pos, "unknown name `"+e.Name+"`", "for a choice, name what there is to choose from: `"+e.Name+" of "+e.Name+", other`")
	return true
}

// isChoice tells whether d is a choice among words: its default is a text, or a word that means nothing else.
func (c *compiler) isChoice(d *definition) bool {
	switch e := d.value.(type) {
	case *Str:
		return d.of != nil
	case *Name:
		_, known := c.env.Values[e.Name]
		return d.of != nil && !known && e.Name != "pi"
	}
	return false
}

// word is the text that e is as a choice: a bare word or a text.
func word(e Expr) (string, bool) {
	switch e := e.(type) {
	case *Str:
		return e.Text, true
	case *Name:
		return e.Name, true
	}
	return "", false
}

func (c *compiler) choice(in *Input, d *definition) bool {
	for _, e := range d.of {
		text, ok := word(e)
		if !ok || text == "" {
			c.errs.add(e.Position(), "`"+clip(codeText(e))+"` is not a choice", "write words or texts, such as `of ring, tree, \"2D ring\"`")
			return false
		}
		in.Menu = append(in.Menu, Option{ID: text, Name: text, Value: Value{Kind: Text, Text: text}})
	}
	text, _ := word(d.value)
	in.Default = Value{Kind: Text, Text: text}
	return c.distinct(in, d) && c.inMenu(in, d)
}

// distinct reports a choice that is offered twice.
func (c *compiler) distinct(in *Input, d *definition) bool {
	seen := map[string]bool{}
	for i, o := range in.Menu {
		if seen[o.ID] {
			c.errs.add(d.of[i].Position(), "`"+clip(o.ID)+"` is offered twice", "leave one out")
			return false
		}
		seen[o.ID] = true
	}
	return true
}

// inMenu reports a default that is not offered.
func (c *compiler) inMenu(in *Input, d *definition) bool {
	if in.member(in.Default) {
		return true
	}
	c.errs.add(d.value.Position(), "the default `"+clip(codeText(d.value))+"` is not among the choices", "add it after `of`")
	return false
}

// member tells whether the menu offers v.
func (in *Input) member(v Value) bool {
	for i := range in.Menu {
		if in.Menu[i].Value.Equal(v) {
			return true
		}
	}
	return false
}

// catalogEntry reports a record that is no entry of a catalog.
func (c *compiler) catalogEntry(v Value, d *definition) bool {
	isEntry := func(r *Record) bool { return Value{Kind: Rec, Record: r}.Equal(v) }
	if v.Record != nil && v.Record.Kin != nil && slices.ContainsFunc(v.Record.Kin.Members, isEntry) {
		return true
	}
	code := clip(codeText(d.value))
	if entry := firstEntry(&node{expr: d.value, konst: &v}); entry != "" {
		c.errs.add(d.value.Position(), "`"+code+"` is a family, not an entry", "name one of them, such as `"+entry+"`")
		return false
	}
	c.errs.add(d.value.Position(), "`"+code+"` is no entry of a catalog, and cannot be chosen", "write a step instead of `let`")
	return false
}

// narrow keeps of the menu what `of` names, in its order.
func (c *compiler) narrow(in *Input, d *definition) bool {
	if d.of == nil {
		return true
	}
	if len(in.Menu) == 0 {
		c.errs.add(d.ofAt, "there is nothing to choose from", "leave out `of`")
		return false
	}
	full := *in
	in.Menu = nil
	for _, e := range d.of {
		v, ok := c.menuValue(&full, e)
		if !ok {
			return false
		}
		for _, o := range full.Menu {
			if o.Value.Equal(v) {
				in.Menu = append(in.Menu, o)
			}
		}
	}
	return c.distinct(in, d) && c.inMenu(in, d)
}

func options(values []Value) []Option {
	menu := make([]Option, len(values))
	for i, v := range values {
		menu[i] = Option{ID: v.Text, Name: v.Text, Value: v}
	}
	return menu
}

func recordOptions(members []*Record) []Option {
	menu := make([]Option, len(members))
	for i, r := range members {
		menu[i] = Option{ID: r.ID, Name: r.name(), Group: r.Group, Value: Value{Kind: Rec, Record: r}}
	}
	return menu
}

// noMenu reports `of` where there is nothing to choose.
func (c *compiler) noMenu(d *definition) bool {
	if d.of == nil {
		return true
	}
	remedy := "leave it out"
	if _, isSwitch := d.value.(*Switch); !isSwitch {
		remedy = "write a range, such as `in 1..8 step 1`"
	}
	c.errs.add(d.ofAt, "`of` is for menus", remedy)
	return false
}

// noRange reports `in`, `log` and `step` where there is no number.
func (c *compiler) noRange(in *Input, d *definition) bool {
	switch {
	case d.low != nil:
		c.errs.add(d.inAt, "a range needs a number, `"+in.Name+"` is "+in.Default.Type().String(), "leave out `in`")
	case d.log:
		c.errs.add(d.logAt, "`log` needs a number, `"+in.Name+"` is "+in.Default.Type().String(), "leave it out")
	case d.step != nil:
		c.errs.add(d.step.Position(), "`step` needs a number, `"+in.Name+"` is "+in.Default.Type().String(), "leave it out")
	default:
		return true
	}
	return false
}

// numberInput fills in unit, range, scale and grid.
func (c *compiler) numberInput(in *Input, d *definition) bool {
	in.Unit = unitOf(d.value, in.Default.Num)
	if d.low != nil && !c.rangeOf(in, d) {
		return false
	}
	if d.log && !(in.Ranged && in.Min > 0) {
		c.errs.add(d.logAt, "a log scale needs a range above zero", "write `in 1..1000 log`")
		return false
	}
	in.Log = d.log
	if d.step != nil {
		step, ok := c.number(in, d.step)
		if !ok {
			return false
		}
		if !(step > 0) {
			c.errs.add(d.step.Position(), "a step is above zero", "write `step 1`")
			return false
		}
		in.Step = step
	}
	if err := in.accepts(in.Default.Num); err != nil {
		c.errs.add(d.value.Position(), "the default "+err.What, err.Remedy)
		return false
	}
	return true
}

// rangeOf reads `in a..b`.
func (c *compiler) rangeOf(in *Input, d *definition) bool {
	var ok1, ok2 bool
	in.Min, ok1 = c.number(in, d.low)
	in.Max, ok2 = c.number(in, d.high)
	if !ok1 || !ok2 {
		return false
	}
	in.Ranged = true
	if !(in.Min < in.Max) {
		c.errs.add(d.low.Position(), "this range is empty", "write the smaller end first, such as `in 1..16384`")
		return false
	}
	return true
}

// unitOf is the unit in which an author wrote the default q.
func unitOf(e Expr, q quantity.Quantity) quantity.Quantity {
	for {
		switch x := e.(type) {
		case *Group:
			e = x.X
			continue
		case *Unary:
			e = x.X
			continue
		case *Lit:
			if u, err := quantity.UnitOf(x.Text); err == nil && u.Dim == q.Dim {
				return u
			}
		}
		return printedUnit(q)
	}
}

// printedUnit is the unit in which q prints: of a computed default, the one that a reader sees.
func printedUnit(q quantity.Quantity) quantity.Quantity {
	_, unit := q.Parts()
	if u, err := quantity.UnitOf("1 " + unit); err == nil && u.Dim == q.Dim && u.Value > 0 {
		return u
	}
	q.Value = 1
	return q
}

// number is a constant of in's dimension, in base units. A bare one counts in the unit of its default.
func (c *compiler) number(in *Input, e Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	like := in.Default.Num
	switch {
	case v.Kind != Number:
		c.errs.add(e.Position(), "`"+clip(codeText(e))+"` is "+v.Type().String()+", but should be "+in.Default.Type().String(), "write a number")
		return 0, false
	case v.Num.Dim.IsZero() && v.Num.Label == (quantity.Label{}) && !like.Dim.IsZero():
		q, err := quantity.ParseLike(strconv.FormatFloat(v.Num.Value, 'g', -1, 64), in.Unit)
		return q.Value, err == nil
	case v.Num.Dim != like.Dim:
		c.errs.add(e.Position(), "`"+clip(codeText(e))+"` is "+v.Type().String()+", but `"+in.Name+"` is "+in.Default.Type().String(),
			"give "+giveText(like.Dim))
		return 0, false
	}
	return v.Num.Value, true
}

// accepts says what is wrong with q as a value of in: its range, its grid.
func (in *Input) accepts(q quantity.Quantity) *Error {
	switch {
	case in.Ranged && !(in.Min <= q.Value && q.Value <= in.Max):
		return &Error{What: q.String() + " is out of range", Remedy: "give " + in.rangeText()}
	case in.Step > 0:
		k := (q.Value - in.Min) / in.Step
		if math.Abs(k-math.Round(k)) > 1e-9*max(1, math.Abs(k)) {
			return &Error{What: q.String() + " is between the steps of " + in.amount(in.Step), Remedy: "give " + in.neighbours(k)}
		}
	}
	return nil
}

// amount is x in base units as in prints.
func (in *Input) amount(x float64) string {
	q := in.Default.Num
	q.Value = x
	return q.String()
}

// neighbours are the values of the grid beside the k-th.
func (in *Input) neighbours(k float64) string {
	low, high := in.Min+math.Floor(k)*in.Step, in.Min+math.Ceil(k)*in.Step
	switch {
	case in.Ranged && high > in.Max:
		return in.amount(low)
	case in.Ranged && low < in.Min:
		return in.amount(high)
	}
	return in.amount(low) + " or " + in.amount(high)
}
