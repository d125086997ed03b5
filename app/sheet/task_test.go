package sheet

import (
	"errors"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// adding is long work: the sum of the numbers up to n, one a step.
type adding struct{ n, done, sum float64 }

func (a *adding) Step() bool {
	if a.n == 13 {
		panic("unlucky")
	}
	a.done++
	a.sum += a.done
	return a.done < a.n
}

func (a *adding) Progress() float64 { return a.done / a.n }

func (a *adding) Value() (value.Value, error) {
	if a.done == 0 {
		return value.Value{}, errors.New("nothing is added yet")
	}
	return num(a.sum, quantity.Dim{}), nil
}

// addingEnv has the function added, and counts how often it is started and called.
func addingEnv(started, called *int) *value.Env {
	env := testEnv()
	env.Funcs["added"] = &value.Func{
		Name:   "added",
		Params: []value.Param{{Name: "n", Type: typPlain}},
		Result: typPlain,
		Work:   maxFuel / 3,
		Begin:  func(a []value.Value) value.Task { *started++; return &adding{n: a[0].Num.Value} },
		Call: func(a []value.Value) (value.Value, error) {
			*called++
			t := &adding{n: a[0].Num.Value}
			for t.Step() {
			}
			return t.Value()
		},
	}
	return env
}

const addingSheet = "let n = 10\nlet b = 2 in 1..8\nx = added(n)\ny = x * b\nz = added(n + 1) when b > 5\nplot y " +
	"over b\ntable x over n = 1, 2, 3, 4\n"

func addingView(t *testing.T, w *Tasks) (s *Sheet, started, called *int) {
	t.Helper()
	started, called = new(int), new(int)
	s, errs := Compile(addingSheet, addingEnv(started, called))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if w != nil {
		s = s.With(w)
	}
	return s, started, called
}

// Without a view each call runs to its end.
func TestLongWorkAtOnce(t *testing.T) {
	s, started, called := addingView(t, nil)
	if v, err := s.Eval(nil).Value("y"); err != nil || v.Num.Value != 110 || *started != 0 || *called != 2 ||
		!s.Long() {
		t.Errorf("y = %v, %v after %d calls", v, err, *called)
	}
}

// A view goes on where it was, as long as the arguments stay.
func TestLongWorkInSteps(t *testing.T) {
	w := &Tasks{}
	s, started, called := addingView(t, w)
	r := s.Eval(nil)
	if r.Rows[2].Err == nil || r.Rows[2].Under == nil || r.Rows[3].Err == nil || *started != 2 {
		t.Fatalf("at first %+v, %d started", r.Rows[2], *started)
	}
	for range 4 {
		w.Step()
	}
	st := input.State{"b": num(3, quantity.Dim{})}
	r = s.Eval(st)
	if x := r.Rows[2]; x.Err != nil || x.Value.Num.Value != 10 || x.Under == nil || x.Under.Done != 0.4 ||
		r.Rows[3].Value.Num.Value != 30 ||
		*started != 2 {
		t.Errorf("after four steps and a change of b: %+v, %d started", x, *started)
	}
	for w.Step() {
	}
	r = s.Eval(st)
	if x := r.Rows[2]; x.Err != nil || x.Value.Num.Value != 55 || x.Under != nil || *called != 0 {
		t.Errorf("at its end: %+v", x)
	}
	if d := s.PlotData(st, s.Plots[0]); d.Err != nil || *called != 0 {
		t.Errorf("a plot in which the work stays the same: %v, %d calls", d.Err, *called)
	}
	if r = s.Eval(input.State{"n": num(3, quantity.Dim{})}); r.Rows[2].Under == nil || *started != 4 {
		t.Errorf("with another n: %+v, %d started", r.Rows[2], *started)
	}
}

func TestLongWorkStops(t *testing.T) {
	w := &Tasks{}
	s, _, _ := addingView(t, w)
	s.Eval(nil)
	w.Step()
	r := s.Eval(nil)
	w.Stop(&r.Rows[2])
	for w.Step() {
	}
	if r = s.Eval(nil); r.Rows[2].Value.Num.Value != 1 || !r.Rows[2].Under.Stopped || r.Rows[4].Under != nil {
		t.Errorf("stopped: %+v", r.Rows[2])
	}
	w.Resume(&r.Rows[2])
	for w.Step() {
	}
	if r = s.Eval(nil); r.Rows[2].Value.Num.Value != 55 {
		t.Errorf("resumed: %+v", r.Rows[2])
	}
}

// Whole work is done when an evaluation is; a panic is the error of its row; a table pays with its fuel.
func TestLongWorkWhole(t *testing.T) {
	s, _, called := addingView(t, &Tasks{Whole: true})
	if r := s.Eval(nil); r.Rows[2].Value.Num.Value != 55 || r.Rows[2].Under != nil {
		t.Errorf("whole: %+v", r.Rows[2])
	}
	rows := s.TableData(nil, s.Tables[0]).Rows
	if rows[0].Cells[0].Err != nil || !errors.Is(rows[3].Cells[0].Err, errFuel) || *called == 0 {
		t.Errorf("a table over the work: %+v, %d calls", rows, *called)
	}
	if r := s.Eval(input.State{"n": num(13, quantity.Dim{})}); r.Rows[2].Err == nil || r.Rows[2].Under != nil ||
		r.Rows[4].Value.Num.Value != 105 {
		t.Errorf("a panic: %+v and %+v", r.Rows[2], r.Rows[4])
	}
}

// After an edit of the text, work whose arguments are the same goes on where it was, wherever it stands now; what was
// found before is there again when the text asks for it.
func TestLongWorkOverAnEdit(t *testing.T) {
	var started, called int
	env := addingEnv(&started, &called)
	edit := func(w *Tasks, text string) (*Sheet, *Result) {
		s, errs := Compile(text, env)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		s = s.With(w)
		return s, s.Eval(nil)
	}
	w := &Tasks{}
	s, _ := edit(w, "x = added(10)\ny = added(4)\n")
	for range 12 { // all of x, half of y
		w.Step()
	}
	s.Eval(nil)
	w = w.Next()
	s, r := edit(w, "# a line more\nq = added(5)\ny = added(4)\n\nz = added(10) + 1\n")
	if started != 3 || r.Rows[2].Err != nil || r.Rows[2].Value.Num.Value != 56 || r.Rows[2].Under != nil {
		t.Errorf("%d started; what was found is %+v", started, r.Rows[2])
	}
	if y := r.Rows[1]; y.Err != nil || y.Value.Num.Value != 3 || y.Under == nil || y.Under.Done != 0.5 {
		t.Errorf("what was half done is %+v", y)
	}
	for w.Step() {
	}
	if r = s.Eval(nil); r.Rows[1].Value.Num.Value != 10 || r.Rows[0].Value.Num.Value != 15 || called != 0 {
		t.Errorf("at the end %+v", r.Rows)
	}
	w = w.Next()
	edit(w, "x = added(3)\n")
	w = w.Next()
	if _, r = edit(w, "x = added(5)\ny = added(5)\n"); started != 5 || r.Rows[0].Value.Num.Value != 15 ||
		r.Rows[1].Under == nil {
		t.Errorf("%d started; taken back: %+v", started, r.Rows)
	}
}

// Ended work says why it has no value, and so does what needs it or would begin later.
func TestLongWorkEnds(t *testing.T) {
	w, why := &Tasks{}, errors.New("enough")
	s, started, _ := addingView(t, w)
	s.Eval(nil)
	for range 10 { // all of x
		w.Step()
	}
	w.End(why)
	st := input.State{"n": num(9, quantity.Dim{})}
	r := s.Eval(nil)
	if w.Busy() || r.Rows[2].Value.Num.Value != 55 || r.Rows[3].Err != nil || !errors.Is(r.Rows[4].Err, why) {
		t.Errorf("ended: %+v", r.Rows)
	}
	if r = s.Eval(st); !errors.Is(r.Rows[2].Err, why) || !errors.Is(r.Rows[3].Err, why) || w.Busy() || *started != 2 {
		t.Errorf("started after the end: %+v", r.Rows)
	}
}
