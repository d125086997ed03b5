package sheet

import (
	"slices"
	"strconv"
)

// compiler turns a parsed sheet into a program.
type compiler struct {
	env    *Env
	errs   *errorList
	tree   *tree
	sheet  *Sheet
	prog   *program
	defs   []*definition // by slot; of a solve's sides, the solve
	extras map[Expr]int  // the slots of expressions that are no rows; 0 for nil
}

// Compile parses a sheet and checks names, kinds and dimensions. A Sheet is returned only without errors; at most
// twenty errors are, in the order of the text.
func Compile(src string, env *Env) (*Sheet, []*Error) {
	c := analyse(src, env)
	if len(c.errs.list) > 0 {
		return nil, c.errs.sorted()
	}
	return c.sheet, nil
}

// analyse does all that Compile does, as far as the text goes.
func analyse(src string, env *Env) *compiler {
	if env == nil {
		env = &Env{}
	}
	errs := &errorList{}
	c := &compiler{env: env, errs: errs, tree: parse(src, errs), prog: &program{byName: map[string]int{}}, extras: map[Expr]int{}}
	c.sheet = &Sheet{Title: c.tree.title, Source: src, env: env, prog: c.prog}
	c.collect()
	c.inputs()
	c.checkLabels()
	c.link()
	c.sort()
	c.prog.depend()
	c.check()
	c.settle()
	c.statements()
	return c
}

// collect makes a slot for each definition, and for the sides of each solve.
func (c *compiler) collect() {
	for _, d := range c.tree.defs {
		if first, ok := c.prog.byName[d.Name]; ok {
			c.errs.add(d.Pos, "`"+d.Name+"` is defined in line "+strconv.Itoa(c.defs[first].Pos.Line)+" already", "choose another name")
			continue
		}
		c.prog.byName[d.Name] = len(c.defs)
		c.defs = append(c.defs, d)
	}
	c.sheet.Rows = make([]RowDef, len(c.defs))
	c.prog.slots = make([]slot, len(c.defs), len(c.defs)*2)
	for i, d := range c.defs {
		def := &c.sheet.Rows[i]
		*def = RowDef{Name: d.Name, Label: d.label, Kind: d.kind, Hidden: d.hidden, Pos: d.Pos}
		c.prog.slots[i] = slot{def: def, node: node{bad: true}, work: rowFuel}
		if d.kind == "step" {
			c.prog.slots[i].expr = d.value
		}
	}
	for i, d := range c.defs {
		if d.kind == "solve" && !d.unspecified {
			c.hide(i, d)
		}
	}
	for i, d := range c.defs[:len(c.sheet.Rows)] {
		if d.when != nil {
			c.prog.slots[i].when = c.extra(d.when)
		}
	}
	c.collectShown()
}

// collectShown makes slots for what plots, tables and figures need besides rows.
func (c *compiler) collectShown() {
	t := c.tree
	for i := range t.plots {
		c.extra(t.plots[i].when)
	}
	for i := range t.tables {
		c.extra(t.tables[i].when)
	}
	for i := range t.figures {
		c.extra(t.figures[i].when)
		for _, e := range t.figures[i].args {
			c.extra(e)
		}
	}
}

// extra makes a slot for an expression that is no row, if there is one, and says which.
func (c *compiler) extra(e Expr) int {
	if e == nil {
		return 0
	}
	def := &RowDef{Kind: "step", Pos: e.Position()}
	c.extras[e] = len(c.prog.slots)
	c.prog.slots = append(c.prog.slots, slot{def: def, expr: e, node: node{bad: true}, work: rowFuel})
	c.defs = append(c.defs, &definition{ident: ident{Pos: e.Position()}, kind: "step"})
	return len(c.prog.slots) - 1
}

// hide makes the slots of a solve's sides.
func (c *compiler) hide(i int, d *definition) {
	s := &solveDef{Name: d.Name, Input: d.input.Name, Left: d.value, Right: d.right, Goal: d.goal, Label: d.label}
	exprs := []Expr{d.value, d.right}
	for k, name := range s.sides() {
		c.prog.byName[name] = len(c.prog.slots)
		c.prog.slots[i].sides = append(c.prog.slots[i].sides, len(c.prog.slots))
		def := &RowDef{Name: name, Kind: "step", Pos: exprs[k].Position()}
		c.prog.slots = append(c.prog.slots, slot{def: def, expr: exprs[k], node: node{bad: true}, work: rowFuel})
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
	at, in := c.input(d.input, "solve for")
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
func (c *compiler) solvable(in *Input, d *definition) bool {
	if in.IsNumber() {
		return true
	}
	is := in.Default.Type().String()
	if in.Default.Kind == Number {
		is = "one of a menu"
	}
	c.errs.add(d.input.Pos, "`"+in.Name+"` is "+is+", but solve needs a number", "solve for a number input")
	return false
}

// names are the slots that e reads, each once.
func (c *compiler) names(e Expr) []int {
	var uses []int
	seen := map[int]bool{}
	walk(e, func(e Expr) {
		n, ok := e.(*Name)
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

// walk calls f for e and everything in it.
func walk(e Expr, f func(Expr)) {
	f(e)
	switch e := e.(type) {
	case *Member:
		walk(e.X, f)
	case *Call:
		if e.Recv != nil {
			walk(e.Recv, f)
		}
		for _, arg := range e.Args {
			walk(arg, f)
		}
	case *Unary:
		walk(e.X, f)
	case *Binary:
		walk(e.X, f)
		walk(e.Y, f)
	case *Group:
		walk(e.X, f)
	}
}

// check compiles the steps, each after what it reads.
func (c *compiler) check() {
	k := &checker{env: c.env, errs: c.errs, resolve: c.read, known: c.rowNames}
	for _, i := range c.prog.order {
		s := &c.prog.slots[i]
		switch {
		case s.solve != nil:
			c.checkSolve(i, s)
		case s.follow != nil && s.input != nil && !c.defs[i].unspecified:
			c.checkFollow(i, s)
		case s.expr != nil:
			k.work = 0
			if _, isBroken := s.expr.(*broken); c.defs[i].unspecified || isBroken {
				continue
			}
			s.node = k.expr(s.expr)
			c.countAs(&s.node, c.defs[i].as)
			s.def.Type, s.work = s.node.typ, k.work+rowFuel
		}
	}
	c.checkConditions()
	c.prog.room = k.room
	for _, e := range k.sites {
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
	for i := range c.tree.plots {
		c.checkCondition(c.extras[c.tree.plots[i].when])
	}
	for i := range c.tree.tables {
		c.checkCondition(c.extras[c.tree.tables[i].when])
	}
	for i := range c.tree.figures {
		c.checkCondition(c.extras[c.tree.figures[i].when])
	}
}

// checkCondition checks the condition in slot i; 0 is none.
func (c *compiler) checkCondition(i int) {
	if i == 0 {
		return
	}
	if s := &c.prog.slots[i]; !s.node.bad && s.node.typ.Kind != Bool {
		c.errs.add(s.expr.Position(), "`when` needs a switch or a comparison, `"+clip(codeText(s.expr))+"` is "+s.node.typ.String(),
			"write a comparison, such as `when a > b`")
	}
}

// inputsOf is the inputs that the value of e depends on.
func (c *compiler) inputsOf(e Expr) bitset {
	set := newBitset(len(c.prog.slots))
	for _, i := range c.names(e) {
		set.union(c.prog.slots[i].inputs)
	}
	return set
}

// read resolves a name to the row of that name.
func (c *compiler) read(e *Name) (node, bool) {
	i, ok := c.prog.byName[e.Name]
	if !ok {
		return node{}, false
	}
	s := &c.prog.slots[i]
	if s.node.bad {
		return node{bad: true}, true
	}
	return reading(e, s.def.Type, i), true
}

// rowNames are the names of all rows, in the order of the text.
func (c *compiler) rowNames() []string {
	names := make([]string, 0, len(c.sheet.Rows))
	for i := range c.sheet.Rows {
		names = append(names, c.sheet.Rows[i].Name)
	}
	return names
}
