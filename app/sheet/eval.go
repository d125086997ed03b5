package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// frame is an evaluation under way.
type frame struct {
	expr.Frame
	sheet *Sheet
	st    input.State
	fuel  *int // shared with the evaluations inside this one
	inner []*sweeper
	whole bool      // all rows are evaluated, not a few in a sweep
	now   *expr.Row // under evaluation
}

// errFuel is the error of rows that were not reached.
var errFuel = phrase.New("sheet.takes-too-long")

// spent is why nothing more is evaluated on this fuel; nil while something is.
func spent(fuel *int) error {
	if *fuel < 0 {
		return errFuel
	}
	return nil
}

// newFrame is a frame with space for everything the sheet computes.
func (s *Sheet) newFrame(st input.State, fuel *int) *frame {
	rows := make([]expr.Row, len(s.prog.slots))
	for i := range rows {
		rows[i].Def = s.prog.slots[i].def
	}
	f := &frame{Frame: expr.NewFrame(rows, s.prog.argCount, len(s.prog.sites)), sheet: s, st: st, fuel: fuel}
	f.Long = f.long
	return f
}

// Eval computes all rows. It never panics; a row without value says why.
func (s *Sheet) Eval(st input.State) *Result {
	fuel := evalFuel
	return s.evalOn(&fuel, st)
}

func (s *Sheet) evalOn(fuel *int, st input.State) *Result {
	f := s.newFrame(st, fuel)
	if f.whole = true; s.tasks != nil {
		s.tasks.turn++
	}
	f.run(s.prog.order, false)
	n := len(s.Rows)
	r := &Result{Sheet: s, State: st, Rows: f.Rows[:n:n], extra: f.Rows, inputs: f.inputs()}
	for i := range r.Rows {
		err := r.Rows[i].Err
		r.Rows[i].Absent = !r.holds(s.prog.slots[i].when) || err != nil && lacksChoice(err)
	}
	expr.PlaceReasons(f.Rows)
	if s.tasks != nil {
		s.tasks.last = r
	}
	return r
}

// inputs are the inputs that follow other lines, as they are now.
func (f *frame) inputs() map[string]*input.Input {
	var all map[string]*input.Input
	for i := range f.sheet.Rows {
		if s := &f.sheet.prog.slots[i]; s.follow != nil && s.input != nil {
			if all == nil {
				all = map[string]*input.Input{}
			}
			all[s.input.Name] = f.inputOf(i)
		}
	}
	return all
}

// run evaluates the given slots in order. A panic in one is its error and leaves the others alone. With fast, rows that
// had a number before get a new one, and keep its label and prefixes.
func (f *frame) run(slots []int, fast bool) {
	for i := 0; i < len(slots); i++ {
		i = f.runFrom(slots, i, fast)
	}
}

// runFrom evaluates slots from the i-th on, and says how far it came.
func (f *frame) runFrom(slots []int, i int, fast bool) (at int) {
	defer func() {
		if fault := recover(); fault != nil {
			r := &f.Rows[slots[at]]
			r.Value, r.Err = value.Value{}, phrase.New("sheet.not-computed", "fault", phrase.Recovered(fault))
		}
	}()
	for at = i; at < len(slots); at++ {
		slot := slots[at]
		s, r := &f.sheet.prog.slots[slot], &f.Rows[slot]
		if fast && r.Err == nil && s.node.Fast != nil {
			if *f.fuel -= s.work; *f.fuel >= 0 {
				if x, ok := s.node.Fast(&f.Frame); ok && x-x == 0 {
					r.Value.Num.Value = x
					continue
				}
			}
		}
		f.row(slot, s, r)
	}
	return at
}

// row evaluates one slot.
func (f *frame) row(i int, s *slot, r *expr.Row) {
	if *f.fuel >= 0 {
		*f.fuel -= s.work * slowly
	}
	if *f.fuel < 0 {
		r.Value, r.Err = value.Value{}, errFuel
		return
	}
	f.now, r.Under = r, nil
	switch {
	case s.follow != nil && s.input != nil:
		r.Value, r.Err = f.followed(s)
	case s.input != nil:
		r.Value, r.Err = f.inputValue(s.input)
	case s.solve != nil:
		r.Value, r.Others = value.Value{}, nil
		r.Err = f.solved(i, s, r)
	default:
		f.step(&s.node, r)
	}
	if r.Value.Kind == value.Rec || r.Value.Kind == value.List {
		r.Value = f.st.Amend(r.Value)
	}
}

// step evaluates an expression into r.
func (f *frame) step(n *expr.Node, r *expr.Row) {
	if r.Err = nil; n.Into(&f.Frame, &r.Value) {
		return
	}
	r.Value, r.Err = value.Value{}, f.Err
	if r.Err == nil {
		r.Err = phrase.New("sheet.this-has-no-value")
	}
}

// inputValue is the reader's value of an input, or its author's.
func (f *frame) inputValue(in *input.Input) (value.Value, error) {
	v, changed := f.st[in.Name]
	if !changed {
		return in.Default, nil
	}
	if got, want := v.Type(), in.Default.Type(); !value.SameType(got, want) {
		return value.Value{}, phrase.New("sheet.is-but-should-be", "type", got, "wanted", want)
	}
	if v.Kind == value.Number && !v.Num.IsFinite() {
		return value.Value{}, phrase.New("sheet.no-finite-number")
	}
	if v.Kind == value.Rec && v.Record == nil {
		return value.Value{}, phrase.New("sheet.not-in-catalog")
	}
	return v, nil
}

// solved evaluates the solve in slot i into r.
func (f *frame) solved(i int, s *slot, r *expr.Row) error {
	in := f.inputOf(f.sheet.slot(s.solve.Input))
	sw := f.solver(i, s)
	*f.fuel -= solveFuel + 4*len(sw.stays)
	xs, err := f.sheet.solve(in, s.solve, sw)
	switch {
	case *f.fuel < 0:
		return errFuel
	case err != nil:
		*f.fuel -= 2 * solveFuel // for the words
		return err
	}
	values := make([]value.Value, len(xs))
	for k, x := range xs {
		if x-x != 0 {
			return phrase.New("sheet.has-no-finite-value")
		}
		values[k] = value.Value{Kind: value.Number, Num: in.Quantity(x)} // what is found is a value of the input
	}
	if s.solve.Goal == syntax.GoalAll {
		r.Value = value.Value{Kind: value.List, List: values}
	} else {
		r.Value, r.Others = values[0], values[1:]
	}
	return nil
}

// solve finds the values of in, d's input, within its range, that d asks for, ascending. sw sweeps the sides of d.
func (s *Sheet) solve(in *input.Input, d *solve.Def, sw *sweeper) ([]float64, error) {
	if in == nil || !in.IsNumber() {
		return nil, phrase.New("sheet.not-solvable", "input", d.Input)
	}
	search := solve.Search{In: in, Rows: sw.Num, Words: s.words}
	return search.Find(d)
}

// solver is the sweeper for the sides of the solve in slot i, on the values that f has now.
func (f *frame) solver(i int, s *slot) *sweeper {
	if f.inner == nil {
		f.inner = make([]*sweeper, len(f.Rows))
	}
	if f.inner[i] == nil {
		f.inner[i] = newSweeper(f.sheet, s.solve.Input, s.sides, f.fuel)
		f.inner[i].frame.Searches = true
		*f.fuel -= 8 * len(f.Rows)
	}
	sw := f.inner[i]
	sw.frame.st, sw.warm = f.st, false
	sw.frame.ForgetAll()
	for _, j := range sw.stays {
		sw.frame.Rows[j].Value, sw.frame.Rows[j].Err = f.Rows[j].Value, f.Rows[j].Err
	}
	return sw
}

// program is a compiled sheet: one slot for each row, then the hidden sides of the solves, evaluated in order.
type program struct {
	slots    []slot
	order    []int // of slots: each stands after what it uses
	byName   map[string]int
	long     bool      // some calls are long work
	argCount int       // arguments of all calls
	found    callCache // by calls of long work
	sites    []bitset  // of each remembered call or field, the inputs that its value depends on
}

// slot is a row of the program, or a hidden side of a solve.
type slot struct {
	def    *expr.RowDef
	input  *input.Input // of an input
	follow *follow      // of an input that follows other lines
	expr   syntax.Expr  // of a step
	node   expr.Node    // of a step, compiled
	solve  *solve.Def   // of a solve
	sides  []int        // of a solve: the slots of its sides
	when   int          // of a row: the slot of the condition under which it is shown, 0 for always
	check  int          // of an input: the slot of the text that says why a value is refused, 0 for none
	uses   []int        // slots that this one reads; of a solve, its sides and its input
	inputs bitset       // the inputs that its value depends on, by slot
	work   int
}

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int)   { b[i>>6] &^= 1 << (i & 63) }
func (b bitset) union(other bitset) {
	for i := range other {
		b[i] |= other[i]
	}
}

// needed marks what the given slots need, themselves included.
func (p *program) needed(slots []int) bitset {
	need := newBitset(len(p.slots))
	todo := append([]int(nil), slots...)
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if need.has(i) {
			continue
		}
		need.add(i)
		todo = append(todo, p.slots[i].uses...)
	}
	return need
}

// plan splits what the given slots need into what stays and what varies with the input in slot input (-1 for none),
// both in the order of evaluation.
func (p *program) plan(slots []int, input int) (stays, varies []int) {
	need := p.needed(slots)
	for _, i := range p.order {
		switch {
		case !need.has(i):
		case input >= 0 && p.slots[i].inputs.has(input):
			varies = append(varies, i)
		default:
			stays = append(stays, i)
		}
	}
	return stays, varies
}

// depend computes the inputs that each slot depends on. A solve's value does not depend on the input it solves for.
func (p *program) depend() {
	for _, i := range p.order {
		s := &p.slots[i]
		s.inputs = newBitset(len(p.slots))
		if s.input != nil {
			s.inputs.add(i)
		}
		for _, j := range s.uses {
			s.inputs.union(p.slots[j].inputs)
		}
		if s.solve != nil {
			s.inputs.remove(p.byName[s.solve.Input])
		}
	}
}
