package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// compiler turns a parsed sheet into a program.
type compiler struct {
	env    *value.Env
	errs   *syntax.Errors
	tree   *syntax.Tree
	sheet  *Sheet
	prog   *program
	defs   []*syntax.Definition // by slot; of a solve's sides, the solve
	extras map[syntax.Expr]int  // the slots of expressions that are no rows; 0 for nil
}

// Compile parses a sheet and checks names, kinds and dimensions. A Sheet is returned only without errors; at most
// twenty errors are, in the order of the text.
func Compile(src string, env *value.Env) (*Sheet, []*Error) {
	c := analyse(src, env)
	if len(c.errs.List) > 0 {
		return nil, c.errs.Sorted()
	}
	return c.sheet, nil
}

// analyse does all that Compile does, as far as the text goes.
func analyse(src string, env *value.Env) *compiler {
	if env == nil {
		env = &value.Env{}
	}
	errs := &syntax.Errors{}
	c := &compiler{
		env:    env,
		errs:   errs,
		tree:   syntax.Parse(src, errs),
		prog:   &program{byName: map[string]int{}},
		extras: map[syntax.Expr]int{},
	}
	c.sheet = &Sheet{Title: c.tree.Title, Source: src, env: env, prog: c.prog}
	c.collect()
	c.inputs()
	c.checkLabels()
	c.link()
	c.sort()
	c.prog.depend()
	c.check()
	c.settle()
	c.checkRefusals()
	c.statements()
	return c
}

// collect makes a slot for each definition, and for the sides of each solve.
func (c *compiler) collect() {
	looks := map[string]*syntax.Definition{}
	for _, d := range c.tree.Defs {
		if first, ok := c.prog.byName[d.Name]; ok {
			c.errs.Add(d.Pos, phrase.New("sheet.defined-already", "name", d.Name, "line", c.defs[first].Pos.Line),
				phrase.New("sheet.choose-another-name"))
			continue
		}
		if first := looks[syntax.Look(d.Name)]; first != nil {
			c.errs.Add(d.Pos, phrase.New("sheet.looks-the-same", "name", d.Name, "line", first.Pos.Line, "letter",
				syntax.Foreign(d.Name, first.Name)), phrase.New("sheet.choose-another-name"))
		}
		looks[syntax.Look(d.Name)] = d
		c.prog.byName[d.Name] = len(c.defs)
		c.defs = append(c.defs, d)
	}
	c.sheet.Rows = make([]expr.RowDef, len(c.defs))
	c.prog.slots = make([]slot, len(c.defs), len(c.defs)*2)
	for i, d := range c.defs {
		def := &c.sheet.Rows[i]
		*def = expr.RowDef{Name: d.Name, Label: d.Label, Kind: d.Kind, Hidden: d.Hidden, Pos: d.Pos}
		c.prog.slots[i] = slot{def: def, node: expr.Node{Bad: true}, work: rowFuel}
		if d.Kind == "step" {
			c.prog.slots[i].expr = d.Value
		}
	}
	for i, d := range c.defs {
		if d.Kind == "solve" && !d.Unspecified {
			c.hide(i, d)
		}
	}
	for i, d := range c.defs[:len(c.sheet.Rows)] {
		if d.When != nil {
			c.prog.slots[i].when = c.extra(d.When)
		}
		c.prog.slots[i].check = c.extra(d.Check)
	}
	c.collectShown()
}

// collectShown makes slots for what plots, tables and figures need besides rows.
func (c *compiler) collectShown() {
	t := c.tree
	for i := range t.Plots {
		c.extra(t.Plots[i].When)
		if t.Plots[i].Vary != nil {
			c.collectVaried(t.Plots[i].Vary)
		}
	}
	for i := range t.Tables {
		c.extra(t.Tables[i].When)
		c.collectVaried(&t.Tables[i].Over)
	}
	for i := range t.Figures {
		c.extra(t.Figures[i].When)
		for _, e := range t.Figures[i].Args {
			c.extra(e)
		}
	}
}

// extra makes a slot for an expression that is no row, if there is one, and says which.
func (c *compiler) extra(e syntax.Expr) int {
	if e == nil {
		return 0
	}
	def := &expr.RowDef{Kind: "step", Pos: e.Position()}
	c.extras[e] = len(c.prog.slots)
	c.prog.slots = append(c.prog.slots, slot{def: def, expr: e, node: expr.Node{Bad: true}, work: rowFuel})
	c.defs = append(c.defs, &syntax.Definition{Ident: syntax.Ident{Pos: e.Position()}, Kind: "step"})
	return len(c.prog.slots) - 1
}

// hide makes the slots of a solve's sides.
func (c *compiler) hide(i int, d *syntax.Definition) {
	s := &solve.Def{Name: d.Name, Input: d.Input.Name, Left: d.Value, Right: d.Right, Goal: d.Goal}
	exprs := []syntax.Expr{d.Value, d.Right}
	for k, name := range s.Sides() {
		c.prog.byName[name] = len(c.prog.slots)
		c.prog.slots[i].sides = append(c.prog.slots[i].sides, len(c.prog.slots))
		def := &expr.RowDef{Name: name, Kind: "step", Pos: exprs[k].Position()}
		c.prog.slots = append(c.prog.slots, slot{def: def, expr: exprs[k], node: expr.Node{Bad: true}, work: rowFuel})
		c.defs = append(c.defs, d)
	}
	c.prog.slots[i].solve = s
}

// link finds out which slots each slot reads.
func (c *compiler) link() {
	for i := range c.prog.slots {
		s := &c.prog.slots[i]
		switch {
		case s.solve != nil:
			c.linkSolve(i, s)
		case s.follow != nil:
			s.uses = s.follow.uses()
		case s.expr != nil:
			s.uses = c.names(s.expr)
		}
	}
}

// linkSolve checks that a solve asks for a number input.
func (c *compiler) linkSolve(i int, s *slot) {
	d := c.defs[i]
	s.uses = slices.Clone(s.sides)
	at, in := c.input(d.Input, phrase.New("sheet.cannot-solve-for", "name", d.Input.Name))
	if in == nil {
		s.solve = nil
		return
	}
	if c.prog.slots[at].follow == nil && !c.solvable(in, d) {
		s.solve = nil
		return
	}
	s.uses = append(s.uses, at)
}

// solvable reports a solve for what is no number, or one of a menu.
func (c *compiler) solvable(in *input.Input, d *syntax.Definition) bool {
	if in.IsNumber() {
		return true
	}
	what := phrase.New("sheet.solve-needs-number", "input", in.Name, "type", in.Default.Type())
	if in.Default.Kind == value.Number {
		what = phrase.New("sheet.solve-needs-no-menu", "input", in.Name)
	}
	c.errs.Add(d.Input.Pos, what, phrase.New("sheet.solve-number-input"))
	return false
}

// names are the slots that e reads, each once.
func (c *compiler) names(e syntax.Expr) []int {
	var uses []int
	seen := map[int]bool{}
	syntax.Walk(e, func(e syntax.Expr) {
		n, ok := e.(*syntax.Name)
		if !ok {
			return
		}
		if i, ok := c.prog.byName[n.Name]; ok && !seen[i] {
			seen[i] = true
			uses = append(uses, i)
		}
	})
	return uses
}

// check compiles the steps, each after what it reads.
func (c *compiler) check() {
	k := &expr.Checker{Env: c.env, Errs: c.errs, Resolve: c.read, Known: c.rowNames}
	for _, i := range c.prog.order {
		s := &c.prog.slots[i]
		switch {
		case s.solve != nil:
			c.checkSolve(i, s)
		case s.follow != nil && s.input != nil && !c.defs[i].Unspecified:
			c.checkFollow(i, s)
		case s.expr != nil:
			k.Work = 0
			if _, isBroken := s.expr.(*syntax.Broken); c.defs[i].Unspecified || isBroken {
				continue
			}
			s.node = k.Compile(s.expr)
			c.countAs(&s.node, c.defs[i].As)
			s.def.Type, s.work = s.node.Type, k.Work+rowFuel
		}
	}
	c.checkConditions()
	c.prog.room, c.prog.long = k.Room, k.Long
	for _, e := range k.Sites {
		c.prog.sites = append(c.prog.sites, c.inputsOf(e))
	}
}

// checkConditions reports what stands behind `when` and is neither true nor false.
func (c *compiler) checkConditions() {
	for i := range c.sheet.Rows {
		if w := c.prog.slots[i].when; w > 0 {
			c.checkCondition(w)
		}
	}
	for i := range c.tree.Plots {
		c.checkCondition(c.extras[c.tree.Plots[i].When])
	}
	for i := range c.tree.Tables {
		c.checkCondition(c.extras[c.tree.Tables[i].When])
	}
	for i := range c.tree.Figures {
		c.checkCondition(c.extras[c.tree.Figures[i].When])
	}
}

// checkCondition checks the condition in slot i; 0 is none.
func (c *compiler) checkCondition(i int) {
	if i == 0 {
		return
	}
	if s := &c.prog.slots[i]; !s.node.Bad && s.node.Type.Kind != value.Bool {
		c.errs.Add(s.expr.Position(), phrase.New("sheet.when-needs-switch", "code", syntax.Brief(s.expr),
			"type", s.node.Type),
			phrase.New("sheet.write-when"))
	}
}

// inputsOf is the inputs that the value of e depends on.
func (c *compiler) inputsOf(e syntax.Expr) bitset {
	set := newBitset(len(c.prog.slots))
	for _, i := range c.names(e) {
		set.union(c.prog.slots[i].inputs)
	}
	return set
}

// read resolves a name to the row of that name.
func (c *compiler) read(e *syntax.Name) (expr.Node, bool) {
	i, ok := c.prog.byName[e.Name]
	if !ok {
		return expr.Node{}, false
	}
	s := &c.prog.slots[i]
	if s.node.Bad {
		return expr.Node{Bad: true}, true
	}
	return expr.Reading(e, s.def.Type, i), true
}

// rowNames are the names of all rows, in the order of the text.
func (c *compiler) rowNames() []string {
	names := make([]string, 0, len(c.sheet.Rows))
	for i := range c.sheet.Rows {
		names = append(names, c.sheet.Rows[i].Name)
	}
	return names
}
