package sheet

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// fitted is an input that follows other lines, as it is in one state.
type fitted struct {
	in              *input.Input
	given           value.Value // the default as its expression gives it
	def             value.Value // the default, as near to it as range and menu allow
	low, high, step float64
	entries         []value.Value // of the menu, if that is a list
	strip           []value.Value
	absent          bool
}

// fitError says which part of an input has no value, and why.
type fitError struct {
	part string
	why  error
}

func (e *fitError) Error() string { return e.why.Error() }

// In is the error in a language.
func (e *fitError) In(l phrase.Phrases) string { return l.Text(e.why) }

// noChoice is the error of an input whose menu is an empty list, as that of the plans that fit. The list says why it is
// empty; the input, and all that needs a choice, is absent.
type noChoice struct{}

func (e noChoice) Error() string { return e.In(phrase.Phrases{}) }

// In is the error in a language.
func (noChoice) In(l phrase.Phrases) string { return l.Say("sheet.nothing-to-choose") }

// lacksChoice says whether something has no value for want of anything to choose.
func lacksChoice(err error) bool {
	var none noChoice
	return errors.As(err, &none)
}

// fit works out in t what the input of s is, once its parts are worked out.
func (f *frame) fit(t *fitted, s *slot) *fitError {
	in, w := s.input, s.follow
	*t = fitted{in: in, given: in.Default, low: in.Min, high: in.Max, step: in.Step, entries: in.Entries,
		strip: in.Strip}
	if w.when > 0 {
		r := &f.Rows[w.when]
		t.absent = r.Err == nil && !r.Value.Bool
	}
	if w.value > 0 {
		r := &f.Rows[w.value]
		if r.Err != nil {
			return &fitError{"default", r.Err}
		}
		t.given = r.Value
	}
	if err := f.fitRange(t, w); err != nil {
		return err
	}
	if err := f.fitMenu(t, w); err != nil {
		return err
	}
	*f.fuel -= fitFuel + len(t.entries)
	t.def, _ = t.nearest(t.given)
	return nil
}

// fitRange reads the ends of the range and the step.
func (f *frame) fitRange(t *fitted, w *follow) *fitError {
	for k, i := range [...]int{w.low, w.high, w.step} {
		if i == 0 {
			continue
		}
		r := &f.Rows[i]
		if r.Err != nil {
			return &fitError{[...]string{"range", "range", "step"}[k], r.Err}
		}
		x := r.Value.Num.Value
		if w.scaled[k] {
			x *= cmp.Or(t.in.Unit.Value, 1)
		}
		*[...]*float64{&t.low, &t.high, &t.step}[k] = x
	}
	if part, fault := (limits{t.low, t.high, t.step, w.low > 0, w.step > 0}).fault(); fault != nil {
		return &fitError{part, fault.What}
	}
	if len(w.strip) > 0 {
		t.strip = nil
	}
	for _, i := range w.strip {
		if v := f.Rows[i].Value; f.Rows[i].Err == nil && t.low <= v.Num.Value && v.Num.Value <= t.high {
			t.strip = append(t.strip, v)
		}
	}
	return nil
}

// fitMenu reads the list that is the menu.
func (f *frame) fitMenu(t *fitted, w *follow) *fitError {
	if w.menu == 0 {
		return nil
	}
	r := &f.Rows[w.menu]
	switch {
	case r.Err != nil:
		return &fitError{"menu", r.Err}
	case len(r.Value.List) == 0:
		return &fitError{"menu", noChoice{}}
	}
	t.entries = r.Value.List
	if w.value > 0 || t.in.Control == input.SeveralForm && len(t.in.Default.List) > 0 {
		return nil
	}
	if t.given = t.entries[0]; t.in.Control == input.SeveralForm {
		t.given = value.Value{Kind: value.List, List: t.entries[:1]}
	}
	return nil
}

// nearest is v, or what comes nearest to it of what the input can be now; fits tells whether it is v.
func (t *fitted) nearest(v value.Value) (near value.Value, fits bool) {
	switch t.in.Form() {
	case input.SeveralForm:
		return t.remaining(v)
	case input.MenuForm:
		if near, fits = t.entry(v); fits {
			return near, true
		}
		if near, fits = t.entry(t.given); fits || t.entries == nil {
			return near, false
		}
		return t.entries[0], false
	}
	if near = v; t.in.IsNumber() {
		near.Num.Value = t.inRange(v.Num.Value)
	}
	return near, near.Num.Value == v.Num.Value
}

// entry is what the menu has for v now.
func (t *fitted) entry(v value.Value) (value.Value, bool) {
	if t.entries != nil {
		return input.Among(t.entries, v)
	}
	return t.in.Entry(v)
}

// remaining is what of several choices the menu still has; the default if that is nothing.
func (t *fitted) remaining(v value.Value) (near value.Value, fits bool) {
	near = value.Value{Kind: value.List}
	for _, x := range v.List {
		if e, ok := t.entry(x); ok {
			near.List = append(near.List, e)
		}
	}
	switch {
	case len(near.List) == len(v.List):
		return near, true
	case len(near.List) > 0:
		return near, false
	case len(t.def.List) > 0:
		return t.def, false
	}
	return value.Value{Kind: value.List, List: t.entries[:1]}, false
}

// inRange is the value of the range and its steps that is nearest to x.
func (t *fitted) inRange(x float64) float64 {
	if t.in.Ranged {
		x = min(max(x, t.low), t.high)
	}
	if t.step <= 0 {
		return x
	}
	k := (x - t.low) / t.step
	if math.Abs(k-math.Round(k)) <= input.OnGrid*max(1, math.Abs(k)) {
		return x
	}
	y := t.low + math.Round(k)*t.step
	if t.in.Ranged && y > t.high {
		y -= t.step
	}
	return y
}

// followed is the value of an input that follows other lines: the reader's if it fits, what comes nearest to it if it
// doesn't, and else the author's.
func (f *frame) followed(s *slot) (value.Value, error) {
	var t fitted
	if fault := f.fit(&t, s); fault != nil {
		return value.Value{}, fault.why
	}
	v, changed := f.st[s.input.Name]
	if !changed || t.absent {
		return t.def, nil
	}
	if v, err := f.inputValue(s.input); err != nil {
		return v, err
	}
	v, _ = t.nearest(v)
	return v, nil
}

// input is t as the packages above see an input.
func (t *fitted) input() *input.Input {
	in := *t.in
	in.Default, in.Min, in.Max, in.Step, in.Absent = t.def, t.low, t.high, t.step, t.absent
	in.Strip = t.strip
	if !sameList(t.entries, in.Entries) {
		in.SetMenu(t.entries)
	}
	return &in
}

// sameList tells whether a and b are one and the same list.
func sameList(a, b []value.Value) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// InputIn is the named input as it is in state st: its default, range, step and menu may follow from other lines. It
// is nil if there is none.
func (s *Sheet) InputIn(st input.State, name string) *input.Input {
	in := s.Input(name)
	if in == nil || !in.Dependent {
		return in
	}
	i := s.slot(name)
	f := s.newFrame(st, s.share(evalFuel))
	parts, _ := s.prog.plan(s.prog.slots[i].follow.uses(), -1)
	f.run(parts, false)
	return f.inputOf(i)
}

// inputOf is the input in slot i as it is now; as its author has it where it can't be worked out, which its row says.
func (f *frame) inputOf(i int) *input.Input {
	s := &f.sheet.prog.slots[i]
	if s.follow == nil {
		return s.input
	}
	var t fitted
	if err := f.fit(&t, s); err != nil {
		if in := *s.input; lacksChoice(err.why) {
			in.Absent = true
			return &in
		}
		return s.input
	}
	return t.input()
}

// Input is the named input as it is in the state of r; nil if there is none.
func (r *Result) Input(name string) *input.Input {
	if in, ok := r.inputs[name]; ok {
		return in
	}
	return r.Sheet.Input(name)
}

// Misfit says why the reader's value of an input is not the one that r was worked out with: it doesn't fit its range
// or menu in this state. It is nil for one that fits.
func (r *Result) Misfit(name string) error {
	v, changed := r.State[name]
	in := r.Input(name)
	if !changed || in == nil || !in.Dependent || in.Absent || !value.SameType(v.Type(), in.Default.Type()) {
		return nil
	}
	if fault := in.Refuses(v); fault != nil {
		return fault.Fault()
	}
	return nil
}

// Misread says why the first line that reads a text of the reader's has no value, and nil if all have one. The text
// itself is one that the input takes: only the line knows what it has to say.
func (r *Result) Misread(name string) error {
	in := r.Sheet.Input(name)
	if _, given := r.State[name]; !given || in == nil || in.Form() != input.TextForm {
		return nil
	}
	at := r.Sheet.prog.byName[name]
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Err != nil && !expr.Inherited(row.Err) && slices.Contains(r.Sheet.prog.slots[i].uses, at) {
			return row.Err
		}
	}
	return nil
}

// Order are the names of the inputs, each behind those that it follows: whoever sets several does so in this order.
func (s *Sheet) Order() []string {
	names := make([]string, 0, len(s.Inputs))
	for _, i := range s.prog.order {
		if in := s.prog.slots[i].input; in != nil {
			names = append(names, in.Name)
		}
	}
	return names
}
