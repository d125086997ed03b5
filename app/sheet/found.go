package sheet

import (
	"slices"
	"sync"

	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// found is what long calls of a sheet have found, so that whoever evaluates it again in the same state, to check it, to
// print it and to write its twin, doesn't search again. The zero value is empty; it may be used by several goroutines.
type found struct {
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
func (k *found) value(e *syntax.Call, args []value.Value, search func() (value.Value, error)) (value.Value, error) {
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

func (k *found) before(e *syntax.Call, args []value.Value) (finding, bool) {
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
