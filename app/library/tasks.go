package library

import "github.com/scalebook/scalebook/app/sheet/value"

// remembered is work that is done already: a view of a sheet keeps it until its arguments change.
type remembered struct {
	v   value.Value
	err error
}

func (remembered) Step() bool                    { return false }
func (remembered) Progress() float64             { return 1 }
func (r remembered) Value() (value.Value, error) { return r.v, r.err }

// once is work that is done when it begins, so that a view keeps the record until its arguments change.
func once(call func([]value.Value) (value.Value, error)) func([]value.Value) value.Task {
	return func(a []value.Value) value.Task {
		v, err := call(a)
		return remembered{v, err}
	}
}

// atOnce is long work that is run to its end when it is called.
func atOnce(begin func([]value.Value) value.Task) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		t := begin(a)
		for t.Step() {
		}
		return t.Value()
	}
}
