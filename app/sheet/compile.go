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

// Extended compiles the sheet with one more line behind its own.
func (s *Sheet) Extended(line string) (*Sheet, []*Error) {
	next, errs := Compile(s.Source+"\n"+line, s.env)
	if next != nil {
		next.ID = s.ID
	}
	return next, errs
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
	c.evalDefaults()
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
	k := &expr.Checker{Env: c.env, Errs: c.errs, Resolve: c.read, Known: c.rowNames, Choice: c.offers}
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
	c.prog.argCount, c.prog.long = k.ArgCount, k.Long
	c.sheet.Former = k.Former
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
func (c *compiler) input(n syntax.Ident, computed *phrase.Phrase) (int, *input.Input) {
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

// offers is the input that has the word among its choices, "" for none.
func (c *compiler) offers(name string) string {
	for _, d := range c.defs[:len(c.sheet.Rows)] {
		if d.Kind != "input" || !isChoice(d, c.env) {
			continue
		}
		for _, e := range d.Of {
			if text, ok := word(e.Expr); ok && text == name {
				return d.Name
			}
		}
	}
	return ""
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
	if s == nil {
		return
	}
	out := Ask{Name: a.Name, Question: a.Question}
	what, remedy := "", "sheet.ask-number"
	switch kind := s.def.Type.Kind; {
	case s.input != nil:
		what, remedy = "sheet.input-there-nothing-estimate", "sheet.ask-for-step"
	case kind > value.Bool, kind != value.Number && a.Symbols != nil:
		what = "sheet.not-asked"
	case kind == value.Text, a.Choices != nil:
		if out.Choices = c.choices(a); len(out.Choices) < 2 || kind != value.Text {
			what, remedy = "sheet.too-few-choices", "sheet.write-answers"
		}
	}
	if what != "" {
		c.errs.Add(a.Pos, phrase.New(what, "name", a.Name, "type", s.def.Type), phrase.New(remedy))
	}
	for _, n := range a.Symbols {
		if c.row(n) != nil && c.prog.needed([]int{c.prog.byName[n.Name]}).has(c.prog.byName[a.Name]) {
			c.errs.Add(n.Pos, phrase.New("sheet.symbol-follows", "name", n.Name, "asked", a.Name),
				phrase.New("sheet.name-earlier-rows"))
		}
		out.Symbols = append(out.Symbols, n.Name)
	}
	if a.Over != nil {
		out.Over = a.Over.Name
		if !slices.ContainsFunc(c.tree.Plots, a.DrawnIn) {
			c.errs.Add(a.Over.Pos, phrase.New("sheet.ask-no-plot", "name", a.Name, "over", out.Over),
				phrase.New("sheet.ask-plot", "name", a.Name, "over", out.Over))
		}
	}
	c.sheet.Asks = append(c.sheet.Asks, out)
}

// choices are the texts that a reader chooses from: those that the question names, and those that the row's formula
// comes to.
func (c *compiler) choices(a *syntax.Ask) (texts []string) {
	for i, e := range append(a.Choices, results(c.defs[c.prog.byName[a.Name]].Value)...) {
		s, is := e.(*syntax.Str)
		if !is && i < len(a.Choices) {
			return nil
		}
		if is && !slices.Contains(texts, s.Text) {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

// results are what an expression comes to, whatever its conditions say.
func results(e syntax.Expr) []syntax.Expr {
	if call, is := e.(*syntax.Call); is && call.Recv == nil && call.Func == "if" && len(call.Args) == 3 {
		return append(results(call.Args[1]), results(call.Args[2])...)
	}
	return []syntax.Expr{e}
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

// sorter puts the slots in an order in which each stands after what it reads.
type sorter struct {
	c     *compiler
	state []byte // of each slot: not seen, on the path, done
	path  []int
}

const (
	notSeen = iota
	onPath
	done
)

// sort orders the program. Lines that need each other are reported, and left out of the checks that follow.
func (c *compiler) sort() {
	s := &sorter{c: c, state: make([]byte, len(c.prog.slots))}
	for i := range c.prog.slots {
		s.visit(i)
	}
}

// visit puts slot i in its place, after what it reads. The depth is bounded by the number of statements.
func (s *sorter) visit(i int) {
	switch s.state[i] {
	case done:
		return
	case onPath:
		s.cycle(i)
		return
	}
	s.state[i] = onPath
	s.path = append(s.path, i)
	for _, j := range s.c.prog.slots[i].uses {
		s.visit(j)
	}
	s.path = s.path[:len(s.path)-1]
	s.state[i] = done
	s.c.prog.order = append(s.c.prog.order, i)
}

// cycle reports the lines on the path from slot i back to itself, from the first of them in the text on.
func (s *sorter) cycle(i int) {
	from := len(s.path) - 1
	for s.path[from] != i {
		from--
	}
	members := s.path[from:]
	first := 0
	for k, j := range members {
		s.c.defs[j].Unspecified = true
		if j < members[first] {
			first = k
		}
	}
	var names []string
	for k := range members {
		d := s.c.defs[members[(first+k)%len(members)]]
		if len(names) == 0 || names[len(names)-1] != d.Name { // a solve and its side are one line
			names = append(names, d.Name)
		}
	}
	if len(names) > 1 && names[0] == names[len(names)-1] {
		names = names[:len(names)-1]
	}
	s.c.errs.Add(s.c.defs[members[first]].Pos, cycle(names), phrase.New("sheet.define-without-others"))
}

// cycle is "`a` needs itself: a needs b, b needs c, c needs a".
func cycle(names []string) *phrase.Phrase {
	const most = 8
	if len(names) == 1 {
		return phrase.New("sheet.needs-itself", "name", names[0])
	}
	var parts []any
	for i, name := range names {
		if i == most {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, phrase.New("sheet.needs", "name", name, "needed", names[(i+1)%len(names)]))
	}
	return phrase.New("sheet.needs-itself-by", "name", names[0], "steps", phrase.Commas(parts))
}

// Limits keep hostile text harmless; no honest sheet comes near them. Each has a message of its own.
const (
	maxTop        = 500       // entries of a list that a table shows
	documentBytes = 256 << 10 // of a document whose author gave no other length
	maxDocument   = 64 << 20  // of any document,
	maxStreamed   = 1 << 30   // and of a file that is put in short piece by piece
	defaultPace   = 1200      // milliseconds that playing rests on a step

	// maxFuel bounds the work of one plot, table or search, evalFuel that of one evaluation, in operations of the
	// program on bare numbers (2 or 3 ns each): solves inside solves multiply, and stop here. In a sheet of 25 lines a
	// solve takes 7,500, and a plot of it 120 times as much for each curve.
	maxFuel   = 4_000_000
	evalFuel  = maxFuel / 2
	sheetFuel = 10 * maxFuel // of all that a sheet shows in one state, which its parts share evenly
	checkFuel = sheetFuel    // of all its expects
	rowFuel   = 2            // what a row counts as, besides its operations
	fitFuel   = 300          // what an input that follows other lines counts as, besides the entries of its menu
	// solveFuel is what a search counts as, besides the rows it looks at; three times as much if it finds nothing.
	solveFuel = 2500
	slowly    = 6 // how much more a row takes that is computed with dimension and label
)
