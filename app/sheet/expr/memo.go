package expr

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// memo is what a call or a field gave, so that a sweep asks once for what does not vary.
type memo struct {
	done bool
	ok   bool
	v    value.Value
	err  error
}

// remembered is a node of the given type that reads a Value, once for all samples of a sweep in which it stays the
// same.
func (c *Checker) remembered(e syntax.Expr, typ value.Type, read valFn) Node {
	site := len(c.Sites)
	c.Sites = append(c.Sites, e)
	recall := func(f *Frame) *memo {
		m := &f.memo[site]
		if !m.done {
			m.v, m.ok = read(f)
			m.done, m.err = true, f.Err
		}
		if !m.ok {
			f.Err = m.err
		}
		return m
	}
	n := Node{Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			m := recall(f)
			return m.v.Num, m.ok
		}
		n.Fast = func(f *Frame) (float64, bool) {
			m := recall(f)
			return m.v.Num.Value, m.ok
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			m := recall(f)
			return m.v.Bool, m.ok
		}
	default:
		n.val = func(f *Frame) (value.Value, bool) {
			m := recall(f)
			return m.v, m.ok
		}
	}
	return n
}

// Forget makes the call or field at a site be asked for again.
func (f *Frame) Forget(site int) { f.memo[site].done = false }

// ForgetAll makes all calls and fields be asked for again.
func (f *Frame) ForgetAll() { clear(f.memo) }
