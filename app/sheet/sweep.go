package sheet

import (
	"maps"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sweeper evaluates a few rows again and again while one input varies. What does not depend on that input is computed
// once. It belongs to one goroutine.
type sweeper struct {
	frame  *frame
	name   string // of the input
	input  int    // its slot
	stays  []int  // slots that are computed once
	varies []int  // slots that are computed each time, after the input itself
	forget []int  // remembered calls and fields that are asked for each time
	nested bool   // some of the slots that vary are solves, which must know the state
	warm   bool   // the rows have the labels and prefixes of a value that is like the next
	like   quantity.Quantity
	slots  []int // of the rows asked for; -1 for an unknown name
	out    []expr.Row
}

// sweep prepares to evaluate the named rows (inputs, steps, solves, or a solve's hidden sides, "NAME.left" and
// "NAME.right") in state st while the named input varies. An unknown name or input gives rows with errors. All
// evaluations together have the fuel of one: rows beyond it have errors.
func (s *Sheet) sweep(st input.State, input string, names []string) *sweeper {
	return s.sweepOn(newFuel(), st, input, names)
}

// share is what one of the parts that a sheet shows may cost: at most most, and all of them together no more than
// sheetFuel, so that many small parts cost no more than a few large ones.
func (s *Sheet) share(most int) *int {
	parts := len(s.Plots) + len(s.Tables)
	for i := range s.Rows {
		if s.Rows[i].Kind == "solve" {
			parts++
		}
	}
	for _, in := range s.Inputs {
		if in.Dependent {
			parts++
		}
	}
	fuel := min(most, sheetFuel/max(1, parts))
	return &fuel
}

// newFuel is what one thing that a reader or an author asks for may cost: all sweeps of a plot share it.
func newFuel() *int {
	fuel := maxFuel
	return &fuel
}

// sweepOn is sweep with fuel that it shares with other sweeps.
func (s *Sheet) sweepOn(fuel *int, st input.State, input string, names []string) *sweeper {
	slots := make([]int, len(names))
	for i, name := range names {
		slots[i] = s.slot(name)
	}
	w := newSweeper(s, input, slots, fuel)
	w.frame.st = st
	if !s.recall(w, st) {
		w.frame.run(w.stays, false)
	}
	return w
}

// recall takes what stays from the last evaluation of all rows, if that was of the same state.
func (s *Sheet) recall(w *sweeper, st input.State) bool {
	last := s.lastOf(st)
	if last == nil {
		return false
	}
	for _, i := range w.stays {
		from, to := &last.extra[i], &w.frame.Rows[i]
		to.Value, to.Err = from.Value, from.Err
	}
	return true
}

// lastOf is the last evaluation of all rows, if that was of state st; else nil.
func (s *Sheet) lastOf(st input.State) *Result {
	if s.tasks == nil || s.tasks.last == nil || !maps.EqualFunc(st, s.tasks.last.State, value.Value.Same) {
		return nil
	}
	return s.tasks.last
}

// slot is the slot of that name, or -1.
func (s *Sheet) slot(name string) int {
	if i, ok := s.prog.byName[name]; ok {
		return i
	}
	return -1
}

// newSweeper prepares a sweeper; whoever makes it sets the state and the rows that stay.
func newSweeper(s *Sheet, input string, slots []int, fuel *int) *sweeper {
	w := &sweeper{
		frame: s.newFrame(nil, fuel),
		name:  input,
		input: s.slot(input),
		slots: slots,
		out:   make([]expr.Row, len(slots)),
	}
	known := make([]int, 0, len(slots))
	for _, i := range slots {
		if i >= 0 {
			known = append(known, i)
		}
	}
	if w.input >= 0 && s.prog.slots[w.input].input != nil {
		w.like = s.prog.slots[w.input].input.Default.Num
	} else {
		w.input = -1
	}
	stays, varies := s.prog.plan(known, w.input)
	w.stays = stays
	for _, i := range varies {
		if i != w.input {
			w.varies = append(w.varies, i)
			w.nested = w.nested || s.prog.slots[i].solve != nil
		}
	}
	for i, inputs := range s.prog.sites {
		if w.input >= 0 && inputs.has(w.input) {
			w.forget = append(w.forget, i)
		}
	}
	return w
}

// At evaluates the rows where the input is v, which may lie outside its range. The slice is parallel to the names
// and is reused by the next call.
func (w *sweeper) At(v value.Value) []expr.Row {
	if *w.frame.fuel < 0 {
		return w.exhausted()
	}
	w.warm = false
	return w.rows(v)
}

// Num is At for a number input: x is in base units. Labels are those of the first value since the last use of
// At.
func (w *sweeper) Num(x float64) []expr.Row {
	if *w.frame.fuel < 0 {
		return w.exhausted()
	}
	if w.warm && !w.nested && x-x == 0 {
		w.frame.Rows[w.input].Value.Num.Value = x
		w.run()
		return w.copyValues()
	}
	q := w.like
	q.Value = x
	rows := w.rows(value.Value{Kind: value.Number, Num: q})
	w.warm = w.input >= 0 && w.frame.Rows[w.input].Err == nil
	return rows
}

// exhausted is what there is once the fuel is used up: searches end at once then.
func (w *sweeper) exhausted() []expr.Row {
	for i, slot := range w.slots {
		w.out[i] = expr.Row{Def: &expr.RowDef{}, Err: errFuel}
		if slot >= 0 {
			w.out[i].Def = w.frame.Rows[slot].Def
		}
	}
	return w.out
}

// run evaluates what varies.
func (w *sweeper) run() {
	for _, i := range w.forget {
		w.frame.Forget(i)
	}
	w.frame.run(w.varies, w.warm)
}

func (w *sweeper) rows(v value.Value) []expr.Row {
	if w.input >= 0 {
		w.set(v)
		w.run()
	}
	for i, slot := range w.slots {
		if slot < 0 || w.input < 0 {
			w.out[i] = expr.Row{Def: &expr.RowDef{}, Err: phrase.New("sheet.no-row-or-input")}
			continue
		}
		w.out[i] = w.frame.Rows[slot]
	}
	return w.out
}

// copyValues brings out up to date where rows had a number and have one again.
func (w *sweeper) copyValues() []expr.Row {
	for i, slot := range w.slots {
		if slot < 0 {
			continue
		}
		from, to := &w.frame.Rows[slot], &w.out[i]
		if from.Err == nil && to.Err == nil && from.Value.Kind == value.Number {
			to.Value.Num.Value = from.Value.Num.Value
			continue
		}
		*to = *from
	}
	return w.out
}

// set gives the input its value.
func (w *sweeper) set(v value.Value) {
	r := &w.frame.Rows[w.input]
	in := w.frame.sheet.prog.slots[w.input].input
	if value.SameType(v.Type(), in.Default.Type()) && (v.Kind != value.Number || v.Num.IsFinite()) {
		r.Value, r.Err = w.frame.st.Amend(v), nil
	} else {
		r.Value, r.Err = value.Value{}, phrase.New("sheet.is-but-should-be", "type", v.Type(), "wanted",
			in.Default.Type())
	}
	if w.nested {
		w.frame.st = w.frame.st.With(w.name, v)
	}
}

// The values behind `over x =` and `for x =` are constants, or follow other lines: `for model = model, other`.

// collectVaried makes slots for the values of a that follow other lines. The words of a choice are no names of lines.
func (c *compiler) collectVaried(a *syntax.Assign) {
	i, known := c.prog.byName[a.Name]
	if !known || isChoice(c.defs[i], c.env) {
		return
	}
	for _, e := range a.Values {
		if c.readsLines(e) {
			c.extra(e)
		}
	}
}

// readsLines tells whether e names a line of the sheet, and nothing of the environment by the same name.
func (c *compiler) readsLines(e syntax.Expr) bool {
	for _, i := range c.names(e) {
		if _, inEnv := c.env.Value(c.defs[i].Name); !inEnv {
			return true
		}
	}
	return false
}

// varied is a value that in takes: a constant, or the slot that it follows.
func (c *compiler) varied(in *input.Input, e syntax.Expr) (v value.Value, slot int, ok bool) {
	slot = c.extras[e]
	if slot == 0 {
		v, ok = c.value(in, e)
		return v, 0, ok
	}
	n := &c.prog.slots[slot].node
	if n.Bad {
		return v, slot, false
	}
	if want := in.Default.Type(); !value.SameType(n.Type, want) {
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", syntax.Brief(e), "type", n.Type, "input",
			in.Name, "othertype", want),
			phrase.New("sheet.give-values", "input", in.Name))
		return v, slot, false
	}
	return v, slot, true
}

// turns are the values that v takes in state st, each once. One that has no value there is left out.
func (s *Sheet) turns(fuel *int, st input.State, v *Vary) []value.Value {
	var slots []int
	for _, i := range v.from {
		if i > 0 {
			slots = append(slots, i)
		}
	}
	if slots == nil {
		return v.Values
	}
	rows := s.rowsOf(fuel, st, slots)
	list := make([]value.Value, 0, len(v.Values))
	for k, x := range v.Values {
		if i := v.from[k]; i > 0 {
			if rows[i].Err != nil {
				continue
			}
			x = rows[i].Value
		}
		if _, twice := input.Find(list, x); !twice {
			list = append(list, x)
		}
	}
	return list
}

// rowsOf are the rows of all slots, of which those given, and what they need, are worked out.
func (s *Sheet) rowsOf(fuel *int, st input.State, slots []int) []expr.Row {
	if last := s.lastOf(st); last != nil {
		return last.extra
	}
	f := s.newFrame(st, fuel)
	all, _ := s.prog.plan(slots, -1)
	f.run(all, false)
	return f.Rows
}

// Elasticities says by how much output moves with each number input: d ln output / d ln input in state st, the largest
// first. Inputs that don't matter (below 1e-9) are left out, and so are those at zero, which one percent doesn't
// change. There are none where output has no value, is zero, or is no number.
//
// Slopes are differences over 0.1% of the input or less, extrapolated, and good to about 1e-9 where the output is
// smooth. Where it has a corner, Value is the mean of the slopes to both sides and Kink is set; where it jumps on one
// side, as at a ceil, the slope is that of the other side. At the end of an input's range it is one-sided.
func (s *Sheet) Elasticities(st input.State, output string) []Elasticity {
	q := s.Slopes(st, output)
	q.atOnce = true
	for q.Step() {
	}
	return q.Found()
}

// Slopes works out elasticities evaluation by evaluation, for sheets of which one evaluation takes long.
type Slopes struct {
	sheet  *Sheet
	state  input.State
	output string
	fuel   *int
	now    *Result // for what follows other lines
	atOnce bool

	next  int        // input
	curve *piecewise // of output over the next input
	found []Elasticity
}

// Slopes begins to work out what Elasticities gives.
func (s *Sheet) Slopes(st input.State, output string) *Slopes {
	return &Slopes{sheet: s, state: st, output: output, fuel: newFuel()}
}

// Done is the share of the inputs that are done.
func (q *Slopes) Done() float64 {
	if n := len(q.sheet.Inputs); n > 0 {
		return float64(q.next) / float64(n)
	}
	return 1
}

// Step evaluates the sheet once more, and says whether there is more to do. Whoever waits for steps may stop them, so
// each has fuel of its own.
func (q *Slopes) Step() (more bool) {
	if q.next == len(q.sheet.Inputs) {
		return false
	}
	if !q.atOnce {
		*q.fuel = maxFuel
	}
	in, x := q.input()
	if in == nil || in.Name == q.output || x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return q.pass()
	}
	if q.curve == nil {
		q.curve = &piecewise{rows: q.sheet.sweepOn(q.fuel, q.state, in.Name, []string{q.output}).Num, atOnce: q.atOnce}
	}
	q.curve.begin()
	e, kink, ok := search.Slope(probe(q.curve.look, in, x), x)
	if q.curve.cut {
		return true
	}
	if ok && (math.Abs(e) > 1e-9 || kink) {
		q.found = append(q.found, Elasticity{in.Name, e, kink})
	}
	return q.pass()
}

// pass goes on to the next input.
func (q *Slopes) pass() (more bool) {
	q.next++
	q.curve = nil
	return q.next < len(q.sheet.Inputs)
}

// input is the next input and its value; nil if it is no number.
func (q *Slopes) input() (*input.Input, float64) {
	in := q.sheet.Inputs[q.next]
	if in.Dependent && q.now == nil {
		q.now = q.sheet.evalOn(q.fuel, q.state)
	}
	return q.sheet.moved(q.now, q.state, in)
}

// Found are the elasticities found so far, the largest first.
func (q *Slopes) Found() []Elasticity {
	out := slices.Clone(q.found)
	before := func(a, b *Elasticity) bool {
		x, y := math.Abs(a.Value), math.Abs(b.Value)
		return x > y || x == y && a.Input < b.Input
	}
	for i := range out { // they are few: a sort of the library for this type would be ten times as much code
		for j := i; j > 0 && before(&out[j], &out[j-1]); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// piecewise lets what looks for something along a swept row do so in steps, each with one evaluation: a step begins
// from the start, finds what earlier ones have evaluated, evaluates one place more, and is cut short where it needs
// another.
type piecewise struct {
	rows   func(x float64) []expr.Row
	atOnce bool // without steps
	known  map[float64][]expr.Row
	fresh  bool // the step has evaluated its place
	cut    bool
}

func (p *piecewise) begin() {
	if p.known == nil {
		p.known = map[float64][]expr.Row{}
	}
	p.fresh, p.cut = false, false
}

// look is the row at x, or nothing where that is left to the next step.
func (p *piecewise) look(x float64) []expr.Row {
	rows, known := p.known[x]
	switch {
	case known:
	case p.fresh && !p.atOnce:
		p.cut = true
	default:
		rows = slices.Clone(p.rows(x))
		p.known[x], p.fresh = rows, true
	}
	return rows
}

// moved is a number input as it is in state st, and its value; nil for any other input, and for one that is not there.
func (s *Sheet) moved(now *Result, st input.State, in *input.Input) (*input.Input, float64) {
	if !in.Dependent {
		if !in.IsNumber() {
			return nil, 0
		}
		return in, s.current(st, in)
	}
	v, err := now.Value(in.Name)
	if in = now.Input(in.Name); err != nil || in.Absent || !in.IsNumber() {
		return nil, 0
	}
	return in, v.Num.Value
}

// probe is the swept row as a curve over in, which is now at x. Beyond a range it has no value: there, the author
// promised nothing.
func probe(look func(x float64) []expr.Row, in *input.Input, now float64) func(x float64) (y float64, ok bool) {
	return func(x float64) (float64, bool) {
		if in.Ranged && x != now && (x < in.Min || x > in.Max) {
			return 0, false
		}
		rows := look(x)
		if len(rows) == 0 || rows[0].Err != nil || rows[0].Value.Kind != value.Number || !rows[0].Value.Num.IsFinite() {
			return 0, false
		}
		return rows[0].Value.Num.Value, true
	}
}
