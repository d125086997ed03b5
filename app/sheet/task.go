package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Tasks are the long work of one view of a sheet. They go on from evaluation to evaluation, as long as their arguments
// stay the same. The zero value leaves the steps to whoever calls Step; with Whole, each call runs to its end at once.
// It belongs to one goroutine.
type Tasks struct {
	Whole  bool
	runs   []*run
	before []*run  // of a sheet that this one came from: what they did is taken over where it is asked for again
	turn   int     // of the evaluations of all rows
	last   *Result // the last of them
	ended  error   // why no more work is done; nil as long as it is
}

// run is a call of long work.
type run struct {
	call    *syntax.Call
	fn      *value.Func
	args    []value.Value
	task    value.Task
	turn    int // when it was last asked for
	left    bool
	stopped bool
	lent    bool  // others do the steps
	fault   error // a panic in it
}

// With is a copy of s for one view, whose evaluations share w.
func (s *Sheet) With(w *Tasks) *Sheet {
	c := *s
	c.tasks = w
	return &c
}

// Long tells whether the sheet has long work at all.
func (s *Sheet) Long() bool { return s.prog.long }

// mostBefore bounds what is kept of sheets that came before.
const mostBefore = 64

// Next are the tasks of a sheet that comes in the place of another, whose text was changed. Work that has the same
// arguments goes on where it was, and what it found is kept; the other work of before ends, and is kept for a later
// sheet that asks for it again.
func (w *Tasks) Next() *Tasks {
	before := slices.Concat(w.runs, w.before)
	for _, r := range before {
		r.lent = false // until whoever does its steps says so again
	}
	return &Tasks{Whole: w.Whole, before: before[:min(len(before), mostBefore)]}
}

// takeOver is the run that a call of another sheet with these arguments had, or nil.
func (w *Tasks) takeOver(e *syntax.Call, fn *value.Func, args []value.Value) *run {
	for i, r := range w.before {
		if r.fn == fn && r.fault == nil && slices.EqualFunc(r.args, args, value.Value.Same) {
			w.before = slices.Delete(w.before, i, i+1)
			r.call = e
			w.replace(r)
			return r
		}
	}
	return nil
}

// End ends all work: what is not at its end has no value, and nothing else is started. The error says why.
func (w *Tasks) End(why error) {
	w.ended = why
	for _, r := range w.runs {
		if r.left {
			r.left, r.fault = false, why
		}
	}
}

// under tells whether r is asked for in the present state and is not at its end.
func (w *Tasks) under(r *run) bool { return r.left && r.turn == w.turn }

// Step does a piece of the work that the present state asks for, and says whether there is one left to do.
func (w *Tasks) Step() (more bool) {
	for _, r := range w.runs {
		if w.under(r) && !r.stopped && !r.lent {
			r.step()
			return w.Busy()
		}
	}
	return false
}

// Shared is a task of the present state that others can share and that is not at its end: that of the call at a place
// of the sheet, or the first if at is nil. It is nil if there is none.
func (w *Tasks) Shared(at *syntax.Pos) (task value.Shared, place syntax.Pos) {
	for _, r := range w.runs {
		task, ok := r.task.(value.Shared)
		if ok && w.under(r) && !r.stopped && (at == nil || r.call.Pos == *at) {
			return task, r.call.Pos
		}
	}
	return nil, place
}

// Lend leaves the steps of a task to others, or takes them back. Whoever lends it calls Lend again when it may have
// come to its end.
func (w *Tasks) Lend(task value.Shared, lent bool) {
	for _, r := range w.runs {
		if r.task == value.Task(task) {
			r.lent, r.left = lent, task.Progress() < 1
		}
	}
}

// Waits tells whether all work that the present state asks for is left to others.
func (w *Tasks) Waits() bool {
	waits := false
	for _, r := range w.runs {
		if w.under(r) && !r.stopped {
			if waits = r.lent; !waits {
				return false
			}
		}
	}
	return waits
}

// Busy tells whether the present state asks for work that is not done.
func (w *Tasks) Busy() bool {
	return slices.ContainsFunc(w.runs, func(r *run) bool { return w.under(r) && !r.stopped })
}

// Stop leaves the work of a row as it is; Resume goes on with it.
func (w *Tasks) Stop(row *expr.Row)   { w.halt(row, true) }
func (w *Tasks) Resume(row *expr.Row) { w.halt(row, false) }

func (w *Tasks) halt(row *expr.Row, stopped bool) {
	for _, r := range w.runs {
		if row.Under != nil && row.Under.Work == r {
			r.stopped = stopped
		}
	}
}

// step does a piece. A panic ends the work, and is why it has no value.
func (r *run) step() {
	defer func() {
		if fault := recover(); fault != nil {
			r.left, r.fault = false, phrase.New("sheet.failed", "function", r.call.Func, "fault",
				phrase.Recovered(fault))
		}
	}()
	r.left = r.task.Step()
}

// value is what the run has found.
func (r *run) value() (v value.Value, err error) {
	if r.fault != nil {
		return value.Value{}, r.fault
	}
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.failed", "function", r.call.Func, "fault", phrase.Recovered(fault))
		}
	}()
	return r.task.Value()
}

// find is the run of a call with these arguments, or nil.
func (w *Tasks) find(e *syntax.Call, args []value.Value) *run {
	for _, r := range w.runs {
		if r.call == e && slices.EqualFunc(r.args, args, value.Value.Same) {
			return r
		}
	}
	return nil
}

// begin begins a call anew, in the place of what it did before.
func (f *frame) begin(e *syntax.Call, fn *value.Func, args []value.Value) (*run, error) {
	w := f.sheet.tasks
	switch {
	case w.ended != nil:
		return nil, w.ended
	case !w.Whole:
		return w.begin(e, fn, args)
	}
	v, err := f.sheet.prog.found.value(e, args, func() (value.Value, error) { return value.Guarded(fn, args) })
	r := &run{call: e, fn: fn, args: slices.Clone(args), task: whole{v, err}}
	w.replace(r)
	return r, nil
}

// begin begins a call whose steps are left to whoever calls Step.
func (w *Tasks) begin(e *syntax.Call, fn *value.Func, args []value.Value) (r *run, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.failed", "function", fn.Name, "fault", phrase.Recovered(fault))
		}
	}()
	r = &run{call: e, fn: fn, args: slices.Clone(args), task: fn.Begin(slices.Clone(args))}
	r.left = !(r.task.Progress() >= 1)
	w.replace(r)
	return r, nil
}

// replace puts a run in the place of the one that its call had.
func (w *Tasks) replace(r *run) {
	w.runs = slices.DeleteFunc(w.runs, func(old *run) bool { return old.call == r.call })
	w.runs = append(w.runs, r)
}

// long calls a function whose work is long. Only the evaluation of all rows begins any; a sweep finds what is there, or
// runs to the end as far as its fuel goes.
func (f *frame) long(e *syntax.Call, fn *value.Func, args []value.Value) (value.Value, error) {
	var w *Tasks
	if f.sheet != nil {
		w = f.sheet.tasks
	}
	var r *run
	if w != nil {
		r = w.find(e, args)
	}
	if r == nil && (w == nil || !f.whole) {
		return f.toTheEnd(e, fn, args)
	}
	if r == nil {
		r = w.takeOver(e, fn, args)
	}
	if r == nil {
		var err error
		if r, err = f.begin(e, fn, args); err != nil {
			return value.Value{}, err
		}
	}
	if f.whole {
		r.turn = w.turn
	}
	if r.left && f.now != nil {
		f.now.Under = &expr.Under{Done: min(1, max(0, r.task.Progress())), Stopped: r.stopped, Work: r}
	}
	return r.value()
}

// toTheEnd calls a function whose work is long all at once.
func (f *frame) toTheEnd(e *syntax.Call, fn *value.Func, args []value.Value) (value.Value, error) {
	if f.fuel != nil && !f.whole {
		if *f.fuel -= fn.Work; *f.fuel < 0 {
			return value.Value{}, errFuel
		}
	}
	if f.sheet == nil {
		return value.Guarded(fn, args)
	}
	return f.sheet.prog.found.value(e, args, func() (value.Value, error) { return value.Guarded(fn, args) })
}
