package library

import "github.com/scalebook/scalebook/app/sheet"

// remembered is work that is done already: a view of a sheet keeps it until its arguments change.
type remembered struct {
	v   sheet.Value
	err error
}

func (remembered) Step() bool                    { return false }
func (remembered) Progress() float64             { return 1 }
func (r remembered) Value() (sheet.Value, error) { return r.v, r.err }

// once is work that is done when it begins, so that a view keeps the record until its arguments change.
func once(call func([]sheet.Value) (sheet.Value, error)) func([]sheet.Value) sheet.Task {
	return func(a []sheet.Value) sheet.Task {
		v, err := call(a)
		return remembered{v, err}
	}
}

// atOnce is long work that is run to its end when it is called.
func atOnce(begin func([]sheet.Value) sheet.Task) func([]sheet.Value) (sheet.Value, error) {
	return func(a []sheet.Value) (sheet.Value, error) {
		t := begin(a)
		for t.Step() {
		}
		return t.Value()
	}
}
