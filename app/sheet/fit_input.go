package sheet

import (
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// input is t as the rooms above see an input.
func (t *fitted) input() *input.Input {
	in := *t.in
	in.Default, in.Min, in.Max, in.Step, in.Absent = t.def, t.low, t.high, t.step, t.absent
	in.Strip = t.strip
	if !sameList(t.entries, in.Entries) {
		in.Offer(t.entries)
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
