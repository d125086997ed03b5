package sheet

import (
	"math"
	"slices"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/plot"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// checkSolve checks that the sides of a solve can meet, or have a least value. Its type is that of the input it solves
// for, or a list of such.
func (c *compiler) checkSolve(i int, s *slot) {
	in := c.prog.slots[c.prog.byName[s.solve.Input]].input
	if in == nil || !c.solvable(in, c.defs[i]) {
		return
	}
	s.node.Bad = false
	s.def.Type = in.Default.Type()
	if s.solve.Goal == syntax.GoalAll {
		s.def.Type = value.ListOf(s.def.Type)
	}
	for _, k := range s.sides {
		side := &c.prog.slots[k]
		if side.node.Bad {
			return
		}
		if side.def.Type.Kind != value.Number {
			c.errs.Add(side.expr.Position(), phrase.New("sheet.but-solve-needs-numbers", "code",
				syntax.Brief(side.expr), "type", side.def.Type),
				expr.NumberRemedy(&side.node))
			return
		}
	}
	if !s.solve.IsExtreme() && !c.mayMeet(&c.prog.slots[s.sides[0]], &c.prog.slots[s.sides[1]]) {
		return
	}
	c.mustDepend(c.defs[i], s.sides)
}

// mayMeet reports sides of different dimension.
func (c *compiler) mayMeet(left, right *slot) bool {
	if left.def.Type.Dim == right.def.Type.Dim {
		return true
	}
	c.errs.Add(left.expr.Position(), phrase.New("sheet.never-equal", "left", syntax.Brief(left.expr),
		"type", left.def.Type,
		"right", syntax.Brief(right.expr), "othertype", right.def.Type), phrase.New("sheet.same-unit"))
	return false
}

// mustDepend reports a solve whose sides do not depend on the input it solves for.
func (c *compiler) mustDepend(d *syntax.Definition, sides []int) {
	at := c.prog.byName[d.Input.Name]
	depends := func(j int) bool {
		return c.prog.slots[sides[0]].inputs.has(j) || c.prog.slots[sides[len(sides)-1]].inputs.has(j)
	}
	if depends(at) {
		return
	}
	var others []string
	for _, in := range c.sheet.Inputs {
		if in.IsNumber() && depends(c.prog.byName[in.Name]) {
			others = append(others, in.Name)
		}
	}
	remedy := phrase.New("sheet.nothing-changes-them")
	if len(others) > 0 {
		remedy = phrase.New("sheet.solve-for", "names", syntax.OneOf(others))
	}
	what := phrase.New("sheet.neither-depends", "input", d.Input.Name)
	if len(sides) == 1 {
		what = phrase.New("sheet.does-not-depend", "code", syntax.Brief(d.Value), "input", d.Input.Name)
	}
	c.errs.Add(d.Input.Pos, what, remedy)
}

// maxAliases bounds how far a name is followed to what it stands for.
const maxAliases = 8

// extremeOf is the min or max that a row is as a whole, with its operands along a sweep; nil if it is none.
func (s *Sheet) extremeOf(name string, sweep func(names []string) *sweeper) *plot.Extreme {
	call := s.extreme(s.def(name), maxAliases)
	if call == nil {
		return nil
	}
	o := &operands{env: s.env, args: call.Args}
	for _, a := range call.Args {
		o.collect(s, a)
	}
	o.sw = sweep(o.names)
	return &plot.Extreme{Least: call.Func == "min", Operands: o.values}
}

// extreme is outermost for an expression, which may be nil; depth is how many names may still be followed.
func (s *Sheet) extreme(e syntax.Expr, depth int) *syntax.Call {
	if e == nil || depth == 0 {
		return nil
	}
	switch x := syntax.Ungroup(e).(type) {
	case *syntax.Name:
		return s.extreme(s.def(x.Name), depth-1)
	case *syntax.Unary:
		return s.extreme(x.X, depth)
	case *syntax.Binary:
		if x.Op != "*" && x.Op != "/" {
			return nil
		}
		left, right := s.extreme(x.X, depth-1), s.extreme(x.Y, depth-1)
		switch {
		case left == nil:
			return right
		case right == nil:
			return left
		}
	case *syntax.Call:
		if x.Recv == nil && (x.Func == "min" || x.Func == "max") {
			if len(x.Args) > 1 {
				return x
			}
			return nil
		}
		body, _ := s.writer().Expand(x)
		return s.extreme(body, depth-1)
	}
	return nil
}

// operands evaluates the operands of a min or max while an input varies.
type operands struct {
	env   *value.Env
	sw    *sweeper
	names []string // what sw sweeps: the rows in the operands
	args  []syntax.Expr
}

// collect notes the rows that e names.
func (o *operands) collect(s *Sheet, e syntax.Expr) {
	if n, ok := e.(*syntax.Name); ok && s.Row(n.Name) != nil && !slices.Contains(o.names, n.Name) {
		o.names = append(o.names, n.Name)
	}
	for _, x := range syntax.Parts(e) {
		o.collect(s, x)
	}
}

// values are the operands at x; NaN where one has no value.
func (o *operands) values(x float64, out []float64) []float64 {
	rows := o.sw.Num(x)
	scope := func(name string) (value.Value, bool) {
		i := slices.Index(o.names, name)
		if i < 0 || i >= len(rows) || rows[i].Err != nil {
			return value.Value{}, false
		}
		return rows[i].Value, true
	}
	out = out[:0]
	for _, a := range o.args {
		y := math.NaN()
		if v, ok := o.operand(a, scope); ok && v.Kind == value.Number {
			y = v.Num.Value
		}
		out = append(out, y)
	}
	return out
}

// operand is one operand: a row's value as it is, anything else computed from the rows.
func (o *operands) operand(a syntax.Expr, scope func(string) (value.Value, bool)) (value.Value, bool) {
	if n, ok := syntax.Ungroup(a).(*syntax.Name); ok {
		if v, ok := scope(n.Name); ok {
			return v, true
		}
	}
	v, err := expr.Eval(o.env, a, scope)
	return v, err == nil
}

// Seek answers "which input makes output equal target?": the value nearest to the present one, within the input's
// range. The error says, in words for the reader, what the output can reach. It evaluates the sheet some thousand
// times at most.
func (s *Sheet) Seek(st input.State, output string, target quantity.Quantity, input string) (quantity.Quantity, error) {
	q, err := s.Seeking(st, output, target, input)
	if err != nil {
		return quantity.Quantity{}, err
	}
	q.curve.atOnce = true
	for q.Step() {
	}
	return q.Found()
}

// Seeking is the search of Seek, evaluation by evaluation, for sheets of which one evaluation takes long.
type Seeking struct {
	curve  piecewise
	fuel   *int
	search solve.Search
	target quantity.Quantity
	what   any
	now    float64
	found  quantity.Quantity
	err    error
}

// Step evaluates the sheet once more, and says whether there is more to do.
func (q *Seeking) Step() (more bool) {
	if !q.curve.atOnce {
		*q.fuel = maxFuel // as a step of Slopes
	}
	q.curve.begin()
	q.found, q.err = q.search.Reach(q.target, q.what, q.now)
	return q.curve.cut
}

// Found is the value that was sought, or why there is none.
func (q *Seeking) Found() (quantity.Quantity, error) { return q.found, q.err }

// Seeking begins to look for what Seek gives.
func (s *Sheet) Seeking(st input.State, output string, target quantity.Quantity, input string) (*Seeking, error) {
	in, row := s.InputIn(st, input), s.Row(output)
	switch {
	case in == nil:
		return nil, phrase.New("sheet.no-input-named", "name", input)
	case row == nil:
		return nil, phrase.New("sheet.no-row", "name", output)
	case !in.IsNumber():
		return nil, phrase.New("sheet.not-sought", "what", s.writer().WordsFor(input))
	case row.Type.Kind != value.Number:
		return nil, phrase.New("sheet.not-aimed", "what", s.writer().WordsFor(output))
	case row.Type.Dim != target.Dim:
		return nil, phrase.New("sheet.target-dim", "what", s.writer().WordsFor(output), "dim",
			row.Type.Dim.Words(), "target", target.String(), "wanted", target.Dim.Words())
	case !target.IsFinite():
		return nil, phrase.New("sheet.target-not-finite-number")
	}
	sw := s.sweep(st, input, []string{output})
	sw.frame.Searches = true
	q := &Seeking{curve: piecewise{rows: sw.Num}, fuel: sw.frame.fuel, target: target,
		what: s.writer().WordsFor(output), now: s.current(st, in)}
	q.search = solve.Search{In: in, Rows: q.curve.look, Words: s.words}
	return q, nil
}

// current is the present value of a number input.
func (s *Sheet) current(st input.State, in *input.Input) float64 {
	return s.present(st, in).Num.Value
}

// present is the value of an input in state st.
func (s *Sheet) present(st input.State, in *input.Input) value.Value {
	if in.Dependent {
		f := s.newFrame(st, s.share(evalFuel))
		slots, _ := s.prog.plan([]int{s.slot(in.Name)}, -1)
		f.run(slots, false)
		if r := f.Rows[s.slot(in.Name)]; r.Err == nil {
			return r.Value
		}
		return in.Default
	}
	if v, ok := st[in.Name]; ok && v.Kind == in.Default.Kind {
		return v
	}
	return in.Default
}

// callCache is what long calls of a sheet have found, so that whoever evaluates it again in the same state, to check
// it, to print it and to write its twin, doesn't search again. The zero value is empty; it may be used by several
// goroutines.
type callCache struct {
	lock sync.Mutex
	all  []finding
}

// finding is the value of a call with its arguments.
type finding struct {
	call  *syntax.Call
	args  []value.Value
	value value.Value
	err   error
}

// mostFound is how many findings a sheet keeps: those of the states that its page links to.
const mostFound = 16

// value is what a call has found before with these arguments, or else what search finds now.
func (k *callCache) value(e *syntax.Call, args []value.Value, search func() (value.Value, error)) (value.Value, error) {
	if x, ok := k.before(e, args); ok {
		return x.value, x.err
	}
	v, err := search()
	k.lock.Lock()
	defer k.lock.Unlock()
	if len(k.all) == mostFound {
		k.all = slices.Delete(k.all, 0, 1)
	}
	k.all = append(k.all, finding{e, slices.Clone(args), v, err})
	return v, err
}

func (k *callCache) before(e *syntax.Call, args []value.Value) (finding, bool) {
	k.lock.Lock()
	defer k.lock.Unlock()
	for _, x := range k.all {
		if x.call == e && slices.EqualFunc(x.args, args, value.Value.Same) {
			return x, true
		}
	}
	return finding{}, false
}

// whole is a task that is at its end from the beginning.
type whole struct {
	value value.Value
	err   error
}

func (w whole) Step() bool                  { return false }
func (w whole) Progress() float64           { return 1 }
func (w whole) Value() (value.Value, error) { return w.value, w.err }
