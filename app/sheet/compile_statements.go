package sheet

// statements checks what is neither an input, a step nor a solve.
func (c *compiler) statements() {
	for i := range c.tree.asks {
		c.ask(&c.tree.asks[i])
	}
	for i := range c.tree.plots {
		c.plot(&c.tree.plots[i])
	}
	for i := range c.tree.tables {
		c.table(&c.tree.tables[i])
	}
	for i := range c.tree.figures {
		c.figure(&c.tree.figures[i])
	}
	for i := range c.tree.expects {
		c.expect(&c.tree.expects[i])
	}
}

// input finds the input that n names; what is what the statement wants to do with it. It is nil if there is none, or
// one with a fault.
func (c *compiler) input(n ident, what string) (int, *Input) {
	i, ok := c.prog.byName[n.Name]
	if !ok {
		c.unknown(n, c.inputNames())
		return 0, nil
	}
	if d := c.defs[i]; d.kind != "input" {
		remedy := "there is no input; declare one with `let`"
		if names := c.inputNames(); len(names) > 0 {
			remedy = "choose an input: " + oneOf(names)
		}
		c.errs.add(n.Pos, "`"+n.Name+"` is computed, and cannot be what to "+what, remedy)
		return 0, nil
	}
	return i, c.prog.slots[i].input
}

// inputNames are the names of the inputs, in the order of the text.
func (c *compiler) inputNames() []string {
	var names []string
	for _, in := range c.sheet.Inputs {
		names = append(names, in.Name)
	}
	return names
}

// row finds the row that n names; it is nil if there is none, or one with a fault.
func (c *compiler) row(n ident) *slot {
	i, ok := c.prog.byName[n.Name]
	switch {
	case !ok:
		c.unknown(n, c.rowNames())
		return nil
	case c.prog.slots[i].node.bad:
		return nil
	}
	return &c.prog.slots[i]
}

func (c *compiler) unknown(n ident, names []string) {
	if !c.errs.full() {
		c.errs.add(n.Pos, "unknown name `"+n.Name+"`", didYouMean(n.Name, names, "define it in a line of its own"))
	}
}

func (c *compiler) ask(a *askStmt) {
	s := c.row(a.ident)
	switch {
	case s == nil:
	case s.input != nil:
		c.errs.add(a.Pos, "`"+a.Name+"` is an input, there is nothing to estimate", "ask for a step or a solve")
	case s.def.Type.Kind != Number:
		c.errs.add(a.Pos, "`"+a.Name+"` is "+s.def.Type.String()+", only numbers can be estimated", "ask for a number")
	default:
		c.sheet.Asks = append(c.sheet.Asks, Ask{a.Name, a.question})
	}
}

// curves checks the rows of a plot: numbers of one dimension.
func (c *compiler) curves(names []ident) (list []string, ok bool) {
	var first *slot
	ok = true
	for _, n := range names {
		s := c.row(n)
		switch {
		case s == nil:
			ok = false
			continue
		case s.def.Type.Kind != Number:
			c.errs.add(n.Pos, "`"+n.Name+"` is "+s.def.Type.String()+", only numbers can be plotted", "leave it out, or use a table")
			ok = false
			continue
		case first == nil:
			first = s
		case first.def.Type.Dim != s.def.Type.Dim:
			c.errs.add(n.Pos, "`"+n.Name+"` is "+s.def.Type.String()+", but `"+first.def.Name+"` is "+first.def.Type.String(),
				"one plot has one unit: use two plots")
			ok = false
		}
		list = append(list, n.Name)
	}
	return list, ok
}

func (c *compiler) plot(p *plotStmt) {
	y, ok := c.curves(p.y)
	_, in := c.input(p.over, "plot over")
	if in == nil {
		return
	}
	if form := in.Form(); form == TextForm || form == DocumentForm || form == SeveralForm {
		c.errs.add(p.over.Pos, "`"+in.Name+"` is "+in.Default.Type().String()+", and cannot be plotted over", "plot over a number or a menu")
		return
	}
	out := &Plot{Pos: p.pos, Y: y, Over: in.Name, Log: p.log, Caption: p.caption, when: c.extras[p.when]}
	ok = c.plotSweep(out, p, in) && ok
	if p.vary != nil {
		v, good := c.vary(p.vary, in.Name, maxCurves)
		out.For, ok = &v, ok && good
	}
	ok = c.marks(out, p, in) && ok
	if ok {
		c.sheet.Plots = append(c.sheet.Plots, out)
	}
}

// plotSweep reads `in a..b` of a plot.
func (c *compiler) plotSweep(out *Plot, p *plotStmt, in *Input) bool {
	if p.low == nil {
		return true
	}
	if !in.IsNumber() {
		c.errs.add(p.low.Position(), "`"+in.Name+"` is a menu and has no range", "leave out `in`")
		return false
	}
	low, ok1 := c.number(in, p.low)
	high, ok2 := c.number(in, p.high)
	switch {
	case !ok1 || !ok2:
		return false
	case !(low < high):
		c.errs.add(p.low.Position(), "this range is empty", "write the smaller end first, such as `in 1..4096`")
		return false
	case in.Log && !(low > 0):
		c.errs.add(p.low.Position(), "`"+in.Name+"` has a log scale, which starts above zero", "begin above zero")
		return false
	}
	out.Sweep = &[2]float64{low, high}
	return true
}

// marks checks the verticals of a plot.
func (c *compiler) marks(out *Plot, p *plotStmt, in *Input) bool {
	ok := true
	for _, n := range p.marks {
		s := c.row(n)
		switch {
		case s == nil:
			ok = false
		case !in.IsNumber():
			c.errs.add(n.Pos, "a plot over a menu has no place for marks", "leave out `mark`")
			return false
		case s.def.Type.Kind != Number || s.def.Type.Dim != in.Default.Num.Dim:
			c.errs.add(n.Pos, "`"+n.Name+"` is "+s.def.Type.String()+", but `"+in.Name+"` is "+in.Default.Type().String(),
				"mark values of the axis only")
			ok = false
		}
		out.Marks = append(out.Marks, n.Name)
	}
	return ok
}

// vary checks an input and its values; other is an input that varies already.
func (c *compiler) vary(a *assign, other string, most int) (Vary, bool) {
	_, in := c.input(a.ident, "vary")
	v := Vary{Name: a.Name}
	switch {
	case in == nil:
		return v, false
	case in.Name == other:
		c.errs.add(a.Pos, "`"+a.Name+"` varies along the axis already", "choose another input")
		return v, false
	case in.Form() == SeveralForm:
		c.errs.add(a.Pos, "`"+a.Name+"` is several choices", "choose another input")
		return v, false
	case a.values == nil && len(in.Menu) == 0:
		c.errs.add(a.Pos, "`"+a.Name+"` needs values here", "write them: `"+a.Name+" = 1, 2, 4`")
		return v, false
	case max(len(a.values), len(in.Menu)*btoi(a.values == nil)) > most:
		c.errs.add(a.Pos, "`"+a.Name+"` has too many values here", "give fewer of them")
		return v, false
	}
	ok := true
	for _, e := range a.values {
		x, good := c.value(in, e)
		v.Values, ok = append(v.Values, x), ok && good
	}
	return v, ok
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *compiler) table(t *tableStmt) {
	if t.list {
		c.listTable(t)
		return
	}
	out, ok := &Table{Pos: t.pos, Caption: t.caption, when: c.extras[t.when]}, true
	for _, n := range t.columns {
		ok = c.row(n) != nil && ok
		out.Columns = append(out.Columns, n.Name)
	}
	v, good := c.vary(&t.over, "", maxValues)
	if out.Over = v; ok && good {
		c.sheet.Tables = append(c.sheet.Tables, out)
	}
}

func (c *compiler) expect(e *expectStmt) {
	out, ok := &Expect{Pos: e.pos, Name: e.name.Name, Op: e.op, Within: expected, Fact: e.fact}, true
	if s := c.row(e.name); s == nil {
		ok = false
	} else {
		out.Want, ok = c.wanted(s.def, e.want)
		ok = ok && c.comparable(e, s.def)
	}
	if out.IsBound() {
		out.Within = 0
	}
	if e.within != nil {
		var good bool
		out.Within, good = c.tolerance(e.within)
		ok = ok && good
	}
	for i := range e.at {
		a := &e.at[i]
		_, in := c.input(a.ident, "set")
		if in == nil {
			ok = false
			continue
		}
		v, good := c.value(in, a.values[0])
		out.At, ok = out.At.With(in.Name, v), ok && good
	}
	if ok {
		c.sheet.Expects = append(c.sheet.Expects, out)
	}
}

// wanted is the value that a row should have: for texts, also a bare word.
func (c *compiler) wanted(def *RowDef, e Expr) (Value, bool) {
	if text, ok := word(e); ok && def.Type.Kind == Text {
		return Value{Kind: Text, Text: text}, true
	}
	v, ok := c.constant(e)
	if ok && !sameType(v.Type(), def.Type) {
		c.errs.add(e.Position(), "`"+clip(codeText(e))+"` is "+v.Type().String()+", but `"+def.Name+"` is "+def.Type.String(),
			"give it in the unit of `"+def.Name+"`")
		return v, false
	}
	return v, ok
}

// comparable reports an expect that compares what has no order, or gives a bound a tolerance.
func (c *compiler) comparable(e *expectStmt, def *RowDef) bool {
	switch {
	case e.op == "=":
		return true
	case def.Type.Kind != Number:
		c.errs.add(e.want.Position(), "`"+e.op+"` compares numbers, `"+def.Name+"` is "+def.Type.String(), "write `=`")
	case e.within != nil:
		c.errs.add(e.within.Position(), "`within` is for `=`", "leave it out: a bound needs no tolerance")
	default:
		return true
	}
	return false
}

// tolerance reads `within 1%`.
func (c *compiler) tolerance(e Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	if v.Kind != Number || !v.Num.Dim.IsZero() || !(v.Num.Value >= 0) {
		c.errs.add(e.Position(), "`"+clip(codeText(e))+"` is no tolerance", "write a share, such as `within 0.1%`")
		return 0, false
	}
	return v.Num.Value, true
}
