package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// statements checks what is neither an input, a step nor a solve.
func (c *compiler) statements() {
	for i := range c.tree.Asks {
		c.ask(&c.tree.Asks[i])
	}
	for i := range c.tree.Plots {
		c.plot(&c.tree.Plots[i])
	}
	for i := range c.tree.Tables {
		c.table(&c.tree.Tables[i])
	}
	for i := range c.tree.Figures {
		c.figure(&c.tree.Figures[i])
	}
	for i := range c.tree.Expects {
		c.expect(&c.tree.Expects[i])
	}
}

// input finds the input that n names; computed says that a row is none. It is nil if there is none, or one with a
// fault.
func (c *compiler) input(n syntax.Ident, computed *phrase.Phrase) (int, *Input) {
	i, ok := c.prog.byName[n.Name]
	if !ok {
		c.unknown(n, c.inputNames())
		return 0, nil
	}
	if d := c.defs[i]; d.Kind != "input" {
		remedy := phrase.New("sheet.no-input")
		if names := c.inputNames(); len(names) > 0 {
			remedy = phrase.New("sheet.choose-input", "names", syntax.OneOf(names))
		}
		c.errs.Add(n.Pos, computed, remedy)
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
func (c *compiler) row(n syntax.Ident) *slot {
	i, ok := c.prog.byName[n.Name]
	switch {
	case !ok:
		c.unknown(n, c.rowNames())
		return nil
	case c.prog.slots[i].node.Bad:
		return nil
	}
	return &c.prog.slots[i]
}

func (c *compiler) unknown(n syntax.Ident, names []string) {
	if !c.errs.Full() {
		c.errs.Add(n.Pos, phrase.New("sheet.unknown-name", "name", n.Name), syntax.DidYouMean(n.Name, names,
			phrase.New("sheet.define-in-a-line")))
	}
}

func (c *compiler) ask(a *syntax.Ask) {
	s := c.row(a.Ident)
	switch {
	case s == nil:
	case s.input != nil:
		c.errs.Add(a.Pos, phrase.New("sheet.input-there-nothing-estimate", "name", a.Name), phrase.New("sheet.ask-for-step"))
	case s.def.Type.Kind != Number:
		c.errs.Add(a.Pos, phrase.New("sheet.only-numbers-estimated", "name", a.Name, "type", s.def.Type),
			phrase.New("sheet.ask-number"))
	default:
		c.sheet.Asks = append(c.sheet.Asks, Ask{a.Name, a.Question})
	}
}

// curves checks the rows of a plot: numbers of one dimension.
func (c *compiler) curves(names []syntax.Ident) (list []string, ok bool) {
	var first *slot
	ok = true
	for _, n := range names {
		s := c.row(n)
		switch {
		case s == nil:
			ok = false
			continue
		case s.def.Type.Kind != Number:
			c.errs.Add(n.Pos, phrase.New("sheet.only-numbers-plotted", "name", n.Name, "type", s.def.Type),
				phrase.New("sheet.use-a-table"))
			ok = false
			continue
		case first == nil:
			first = s
		case first.def.Type.Dim != s.def.Type.Dim:
			c.errs.Add(n.Pos, phrase.New("sheet.plot-units-differ", "name", n.Name, "type", s.def.Type, "first",
				first.def.Name, "othertype", first.def.Type),
				phrase.New("sheet.one-plot-one-unit"))
			ok = false
		}
		list = append(list, n.Name)
	}
	return list, ok
}

func (c *compiler) plot(p *syntax.Plot) {
	y, ok := c.curves(p.Y)
	_, in := c.input(p.Over, phrase.New("sheet.cannot-be-axis", "name", p.Over.Name))
	if in == nil {
		return
	}
	if form := in.Form(); form == TextForm || form == DocumentForm || form == SeveralForm {
		c.errs.Add(p.Over.Pos, phrase.New("sheet.cannot-plot-over", "input", in.Name, "type", in.Default.Type()),
			phrase.New("sheet.plot-over-number"))
		return
	}
	out := &Plot{Pos: p.Pos, Y: y, Over: in.Name, Log: p.Log, Caption: p.Caption, when: c.extras[p.When]}
	ok = c.plotSweep(out, p, in) && ok
	if p.Vary != nil {
		v, good := c.vary(p.Vary, in.Name, syntax.MaxCurves)
		out.For, ok = &v, ok && good
	}
	ok = c.marks(out, p, in) && ok
	if ok {
		c.sheet.Plots = append(c.sheet.Plots, out)
	}
}

// plotSweep reads `in a..b` of a plot.
func (c *compiler) plotSweep(out *Plot, p *syntax.Plot, in *Input) bool {
	if p.Low == nil {
		return true
	}
	if !in.IsNumber() {
		c.errs.Add(p.Low.Position(), phrase.New("sheet.menu-has-no-range", "input", in.Name),
			phrase.New("sheet.leave-out-in"))
		return false
	}
	low, ok1 := c.number(in, p.Low)
	high, ok2 := c.number(in, p.High)
	switch {
	case !ok1 || !ok2:
		return false
	case !(low < high):
		c.errs.Add(p.Low.Position(), phrase.New("sheet.range-empty"), phrase.New("sheet.write-smaller-first-plot"))
		return false
	case in.Log && !(low > 0):
		c.errs.Add(p.Low.Position(), phrase.New("sheet.log-above-zero", "input", in.Name),
			phrase.New("sheet.begin-above-zero"))
		return false
	}
	out.Sweep = &[2]float64{low, high}
	return true
}

// marks checks the verticals of a plot.
func (c *compiler) marks(out *Plot, p *syntax.Plot, in *Input) bool {
	ok := true
	for _, n := range p.Marks {
		s := c.row(n)
		switch {
		case s == nil:
			ok = false
		case !in.IsNumber():
			c.errs.Add(n.Pos, phrase.New("sheet.no-marks-over-menu"), phrase.New("sheet.leave-out-mark"))
			return false
		case s.def.Type.Kind != Number || s.def.Type.Dim != in.Default.Num.Dim:
			c.errs.Add(n.Pos, phrase.New("sheet.mark-is-but", "mark", n.Name, "type", s.def.Type, "input", in.Name,
				"othertype", in.Default.Type()),
				phrase.New("sheet.mark-values-of-axis"))
			ok = false
		}
		out.Marks = append(out.Marks, n.Name)
	}
	return ok
}

// vary checks an input and its values; other is an input that varies already.
func (c *compiler) vary(a *syntax.Assign, other string, most int) (Vary, bool) {
	_, in := c.input(a.Ident, phrase.New("sheet.cannot-vary", "name", a.Name))
	v := Vary{Name: a.Name}
	switch {
	case in == nil:
		return v, false
	case in.Name == other:
		c.errs.Add(a.Pos, phrase.New("sheet.varies-already", "input", a.Name), phrase.New("sheet.choose-another-input"))
		return v, false
	case in.Form() == SeveralForm:
		c.errs.Add(a.Pos, phrase.New("sheet.several-choices", "input", a.Name), phrase.New("sheet.choose-another-input"))
		return v, false
	case a.Values == nil && len(in.Menu) == 0:
		c.errs.Add(a.Pos, phrase.New("sheet.needs-values", "input", a.Name), phrase.New("sheet.write-values", "input",
			a.Name))
		return v, false
	case max(len(a.Values), len(in.Menu)*btoi(a.Values == nil)) > most:
		c.errs.Add(a.Pos, phrase.New("sheet.too-many-values", "input", a.Name), phrase.New("sheet.give-fewer-them"))
		return v, false
	}
	ok := true
	for _, e := range a.Values {
		x, slot, good := c.varied(in, e)
		v.Values, v.from, ok = append(v.Values, x), append(v.from, slot), ok && good
	}
	return v, ok
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *compiler) table(t *syntax.Table) {
	if t.List {
		c.listTable(t)
		return
	}
	out, ok := &Table{Pos: t.Pos, Caption: t.Caption, when: c.extras[t.When]}, true
	for _, n := range t.Columns {
		ok = c.row(n) != nil && ok
		out.Columns = append(out.Columns, n.Name)
	}
	v, good := c.vary(&t.Over, "", syntax.MaxValues)
	if out.Over = v; ok && good {
		c.sheet.Tables = append(c.sheet.Tables, out)
	}
}

func (c *compiler) expect(e *syntax.Expect) {
	out, ok := &Expect{Pos: e.Pos, Name: e.Name.Name, Op: e.Op, Within: expected, Fact: e.Fact}, true
	if s := c.row(e.Name); s == nil {
		ok = false
	} else {
		out.Want, ok = c.wanted(s.def, e.Want)
		ok = ok && c.comparable(e, s.def)
	}
	if out.IsBound() {
		out.Within = 0
	}
	if e.Within != nil {
		var good bool
		out.Within, good = c.tolerance(e.Within)
		ok = ok && good
	}
	for i := range e.At {
		a := &e.At[i]
		_, in := c.input(a.Ident, phrase.New("sheet.cannot-set", "name", a.Name))
		if in == nil {
			ok = false
			continue
		}
		v, good := c.value(in, a.Values[0])
		out.At, ok = out.At.With(in.Name, v), ok && good
	}
	if ok {
		c.sheet.Expects = append(c.sheet.Expects, out)
	}
}

// wanted is the value that a row should have: for texts, also a bare word.
func (c *compiler) wanted(def *RowDef, e syntax.Expr) (Value, bool) {
	if text, ok := word(e); ok && def.Type.Kind == Text {
		return Value{Kind: Text, Text: text}, true
	}
	v, ok := c.constant(e)
	if ok && !value.SameType(v.Type(), def.Type) {
		c.errs.Add(e.Position(), phrase.New("sheet.expect-is-but", "code", syntax.Brief(e), "type", v.Type(), "row", def.Name,
			"othertype", def.Type),
			phrase.New("sheet.give-unit-of", "row", def.Name))
		return v, false
	}
	return v, ok
}

// comparable reports an expect that compares what has no order, or gives a bound a tolerance.
func (c *compiler) comparable(e *syntax.Expect, def *RowDef) bool {
	switch {
	case e.Op == "=":
		return true
	case def.Type.Kind != Number:
		c.errs.Add(e.Want.Position(), phrase.New("sheet.compares-numbers", "op", e.Op, "code", def.Name, "type", def.Type),
			phrase.New("sheet.write-equals"))
	case e.Within != nil:
		c.errs.Add(e.Within.Position(), phrase.New("sheet.within-needs-equals"), phrase.New("sheet.leave-out-tolerance"))
	default:
		return true
	}
	return false
}

// tolerance reads `within 1%`.
func (c *compiler) tolerance(e syntax.Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	if v.Kind != Number || !v.Num.Dim.IsZero() || !(v.Num.Value >= 0) {
		c.errs.Add(e.Position(), phrase.New("sheet.no-tolerance", "code", syntax.Brief(e)),
			phrase.New("sheet.write-tolerance"))
		return 0, false
	}
	return v.Num.Value, true
}
