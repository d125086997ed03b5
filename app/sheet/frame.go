package sheet

import (
	"errors"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// A compiled expression is one of these, by the kind of its value; a number is both of the first two, which compute
// the same bits. They report false where there is no value, and leave the reason in frame.err.
type (
	numFn  func(f *frame) (quantity.Quantity, bool) // with dimension, label and prefixes
	fastFn func(f *frame) (float64, bool)           // the value alone, for sweeps
	boolFn func(f *frame) (value, ok bool)
	valFn  func(f *frame) (Value, bool)
)

// frame is an evaluation under way.
type frame struct {
	sheet *Sheet // nil for a lone expression
	st    State
	rows  []Row   // one for each slot of the program
	args  []Value // room for the arguments of every call
	memo  []memo  // what calls and fields gave
	err   error   // why the expression under evaluation has no value
	fuel  *int    // shared with the evaluations inside this one
	inner []*sweeper
	whole bool // all rows are evaluated, not a few in a sweep
	now   *Row // under evaluation
}

// memo is what a call or a field gave, so that a sweep asks once for what does not vary.
type memo struct {
	done bool
	ok   bool
	v    Value
	err  error
}

// errFuel is the error of rows that were not reached.
var errFuel = phrase.New("sheet.takes-too-long")

// needError is the error of a row that needs another one, which has no value. It names the row where the trouble is.
type needError struct {
	name string
	why  error
}

// longReason is from how many bytes on a reason is told once only, in the row where it arose.
const longReason = 120

func (e *needError) Error() string { return e.In(phrase.Phrases{}) }

// In is the error in a language.
func (e *needError) In(l phrase.Phrases) string {
	why := l.Text(e.why)
	if len(why) > longReason {
		return l.Say("sheet.needs-row", "row", e.name)
	}
	return l.Say("sheet.needs-row-why", "row", e.name, "why", why)
}

func (e *needError) Unwrap() error { return e.why }

// exprError says what a part of a row's expression did.
type exprError struct {
	expr syntax.Expr
	key  string
	gaps []any // but for {expr}
}

func (e *exprError) Error() string { return e.In(phrase.Phrases{}) }

// In is the error in a language.
func (e *exprError) In(l phrase.Phrases) string {
	return l.Say(e.key, append([]any{"expr", brief(e.expr)}, e.gaps...)...)
}

// fail notes why e has no value: a sentence with the gap {expr}, and perhaps others.
func (f *frame) fail(e syntax.Expr, key string, gaps ...any) { f.err = &exprError{e, key, gaps} }

// need notes that a row without value was asked for.
func (f *frame) need(r *Row) {
	var root *needError
	if errors.As(r.Err, &root) {
		f.err = root
		return
	}
	f.err = &needError{r.Def.Name, r.Err}
}

// finite passes x on if it can be shown.
func (f *frame) finite(x float64, e syntax.Expr) (float64, bool) {
	if x-x == 0 {
		return x, true
	}
	f.fail(e, "sheet.too-large-number")
	return 0, false
}

// node is an expression, compiled.
type node struct {
	expr  syntax.Expr
	typ   Type
	bad   bool    // the fault is reported; nothing that uses this node reports another
	num   numFn   // of a Number
	fast  fastFn  // of a Number
	sized sizedFn // of a sum of numbers
	cond  boolFn  // of a Bool
	val   valFn   // of anything else
	konst *Value  // what it is, if that is known before evaluation
}

// value evaluates n, whatever its kind.
func (n *node) value(f *frame) (Value, bool) {
	switch n.typ.Kind {
	case Number:
		q, ok := n.num(f)
		return Value{Kind: Number, Num: q}, ok
	case Bool:
		b, ok := n.cond(f)
		return Value{Kind: Bool, Bool: b}, ok
	}
	return n.val(f)
}

// constant is a node that is always v.
func constant(e syntax.Expr, v Value) node {
	n := node{expr: e, typ: v.Type(), konst: &v}
	switch v.Kind {
	case Number:
		x := v.Num.Value
		n.num = func(*frame) (quantity.Quantity, bool) { return v.Num, true }
		n.fast = func(*frame) (float64, bool) { return x, true }
	case Bool:
		n.cond = func(*frame) (bool, bool) { return v.Bool, true }
	default:
		n.val = func(*frame) (Value, bool) { return v, true }
	}
	return n
}

// reading is a node that reads the row in slot i.
func reading(e syntax.Expr, typ Type, i int) node {
	n := node{expr: e, typ: typ}
	switch typ.Kind {
	case Number:
		n.num = func(f *frame) (quantity.Quantity, bool) {
			r := &f.rows[i]
			if r.Err != nil {
				f.need(r)
				return quantity.Quantity{}, false
			}
			return r.Value.Num, true
		}
		n.fast = func(f *frame) (float64, bool) {
			r := &f.rows[i]
			if r.Err != nil {
				f.need(r)
				return 0, false
			}
			return r.Value.Num.Value, true
		}
	case Bool:
		n.cond = func(f *frame) (bool, bool) {
			r := &f.rows[i]
			if r.Err != nil {
				f.need(r)
			}
			return r.Value.Bool, r.Err == nil
		}
	default:
		n.val = func(f *frame) (Value, bool) {
			r := &f.rows[i]
			if r.Err != nil {
				f.need(r)
				return Value{}, false
			}
			return r.Value, true
		}
	}
	return n
}
