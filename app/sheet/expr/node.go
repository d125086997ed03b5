package expr

import (
	"errors"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Node is an expression, compiled.
type Node struct {
	Expr  syntax.Expr
	Type  value.Type
	Bad   bool         // the fault is reported; nothing that uses this node reports another
	num   numFn        // of a Number
	Fast  fastFn       // of a Number
	sized sizedFn      // of a sum of numbers
	cond  boolFn       // of a Bool
	val   valFn        // of anything else
	Const *value.Value // what it is, if that is known before evaluation
}

// value evaluates n, whatever its kind.
func (n *Node) value(f *Frame) (value.Value, bool) {
	switch n.Type.Kind {
	case value.Number:
		q, ok := n.num(f)
		return value.Value{Kind: value.Number, Num: q}, ok
	case value.Bool:
		b, ok := n.cond(f)
		return value.Value{Kind: value.Bool, Bool: b}, ok
	}
	return n.val(f)
}

// Into evaluates n into v, which may hold what n was before. Where there is no value, it leaves the reason in f.Err.
func (n *Node) Into(f *Frame, v *value.Value) (ok bool) {
	f.Err, ok = nil, true
	switch n.Type.Kind {
	case value.Number:
		v.Kind = value.Number
		if v.Num, ok = n.num(f); ok {
			_, ok = f.finite(v.Num.Value, n.Expr) // what the environment says may be anything
		}
	case value.Bool:
		v.Kind = value.Bool
		v.Bool, ok = n.cond(f)
	default:
		*v, ok = n.val(f)
	}
	return ok
}

// Counted is n as a number that counts what label says.
func (n Node) Counted(label quantity.Label) Node {
	num := n.num
	n.num = func(f *Frame) (quantity.Quantity, bool) {
		q, ok := num(f)
		q.Label = label
		return q, ok
	}
	return n
}

// constant is a node that is always v.
func constant(e syntax.Expr, v value.Value) Node {
	n := Node{Expr: e, Type: v.Type(), Const: &v}
	switch v.Kind {
	case value.Number:
		x := v.Num.Value
		n.num = func(*Frame) (quantity.Quantity, bool) { return v.Num, true }
		n.Fast = func(*Frame) (float64, bool) { return x, true }
	case value.Bool:
		n.cond = func(*Frame) (bool, bool) { return v.Bool, true }
	default:
		n.val = func(*Frame) (value.Value, bool) { return v, true }
	}
	return n
}

// Reading is a node that reads the row in slot i.
func Reading(e syntax.Expr, typ value.Type, i int) Node {
	n := Node{Expr: e, Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
				return quantity.Quantity{}, false
			}
			return r.Value.Num, true
		}
		n.Fast = func(f *Frame) (float64, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
				return 0, false
			}
			return r.Value.Num.Value, true
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
			}
			return r.Value.Bool, r.Err == nil
		}
	default:
		n.val = func(f *Frame) (value.Value, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
				return value.Value{}, false
			}
			return r.Value, true
		}
	}
	return n
}

// RowDef says what stands in a line of the sheet.
type RowDef struct {
	Name, Label string
	Kind        string // "input", "step" or "solve"
	Hidden      bool   // worked out, but not shown unless asked for
	Type        value.Type
	Pos         syntax.Pos
}

// Row is the value of one line, or why it has none.
type Row struct {
	Def   *RowDef
	Value value.Value
	Err   error
	// Absent is set where the condition behind the line's `when` does not hold: the row is worked out for those that
	// use it, but not shown.
	Absent bool
	// Under is set while long work for the row goes on: the value is what is found so far.
	Under *Under

	// Others are, of a solve, the further values at which its sides meet, ascending, at most 15.
	Others []value.Value
}

// Text is [Row.In] in English.
func (r *Row) Text() string { return r.In(phrase.Phrases{}) }

// In is the value as the page prints it: a switch is on or off, but the answer to a question is yes or no. It is
// empty for a row without a value.
func (r *Row) In(l phrase.Phrases) string {
	switch {
	case r.Err != nil:
		return ""
	case r.Value.Kind == value.Text && r.Def != nil && r.Def.Kind == "input":
		return value.ShortText(r.Value.Text)
	case r.Value.Kind != value.Bool || r.Def != nil && r.Def.Kind == "input":
		return r.Value.In(l)
	case r.Value.Bool:
		return l.Say("sheet.yes")
	}
	return l.Say("sheet.no")
}

// Under says of a row how far its long work has come, and whether the reader stopped it.
type Under struct {
	Done    float64 // from 0 to 1
	Stopped bool
	Work    any // what is under way, as whoever began it knows it
}

// A compiled expression is one of these, by the kind of its value; a number is both of the first two, which compute
// the same bits. They report false where there is no value, and leave the reason in Frame.Err.
type (
	numFn  func(f *Frame) (quantity.Quantity, bool) // with dimension, label and prefixes
	fastFn func(f *Frame) (float64, bool)           // the value alone, for sweeps
	boolFn func(f *Frame) (value, ok bool)
	valFn  func(f *Frame) (value.Value, bool)
)

// Frame is what expressions are evaluated in.
type Frame struct {
	Rows []Row // that expressions read
	Err  error // why the expression under evaluation has no value
	// Long calls a function whose work is long. Without it, the call runs to its end at once.
	Long func(e *syntax.Call, fn *value.Func, args []value.Value) (value.Value, error)

	Searches bool // where a solve ends, and shows no number on the way

	args []value.Value // space for the arguments of every call
	memo []memo        // what calls and fields gave
}

// NewFrame is a frame whose expressions read rows. It has space for the arguments of all calls and for what is
// remembered at so many sites, as [Checker] counted them.
func NewFrame(rows []Row, argCount, sites int) Frame {
	f := Frame{Rows: rows}
	if argCount > 0 {
		f.args = make([]value.Value, argCount)
	}
	if sites > 0 {
		f.memo = make([]memo, sites)
	}
	return f
}

// needError is the error of a row that needs another one, which has no value. It names the row where the trouble is.
type needError struct {
	name         string
	why          error
	statedBy     string // the row that states a long reason for it, since readers don't see it; "" if it does itself
	statesReason bool   // this is the row that does
}

// longReason is from how many bytes on a reason is given once only, in the row where it arose.
const longReason = 120

func (e *needError) Error() string { return e.In(phrase.Phrases{}) }

// In is the error in a language.
func (e *needError) In(l phrase.Phrases) string {
	why := l.Text(e.why)
	switch {
	case e.statesReason || len(why) <= longReason:
	case e.statedBy != "":
		return l.Say("sheet.needs-row-told", "row", e.name, "other", e.statedBy)
	default:
		return l.Say("sheet.needs-row", "row", e.name)
	}
	return l.Say("sheet.needs-row-why", "row", e.name, "why", why)
}

func (e *needError) Unwrap() error { return e.why }

// Inherited tells whether a row has no value only because another one has none.
func Inherited(err error) bool {
	var need *needError
	return errors.As(err, &need)
}

// exprError says what a part of a row's expression did.
type exprError struct {
	expr syntax.Expr
	key  string
	gaps []any // but for {expr}
}

func (e *exprError) Error() string { return e.In(phrase.Phrases{}) }

// In is the error in a language.
func (e *exprError) In(l phrase.Phrases) string {
	return l.Say(e.key, append([]any{"expr", syntax.Brief(e.expr)}, e.gaps...)...)
}

// fail notes why e has no value: a sentence with the gap {expr}, and perhaps others.
func (f *Frame) fail(e syntax.Expr, key string, gaps ...any) { f.Err = &exprError{e, key, gaps} }

// need notes that a row without value was asked for.
func (f *Frame) need(r *Row) {
	var root *needError
	if errors.As(r.Err, &root) {
		f.Err = root
		return
	}
	f.Err = &needError{name: r.Def.Name, why: r.Err}
}

// PlaceReasons has the reasons of hidden rows without value given where readers miss the values: the first shown row
// that needs one gives its reason whole, and others name that row.
func PlaceReasons(rows []Row) {
	hidden, statedBy := map[string]bool{}, map[string]string{}
	for i := range rows {
		if d := rows[i].Def; d != nil && d.Hidden && rows[i].Err != nil {
			hidden[d.Name] = true
		}
	}
	if len(hidden) == 0 {
		return
	}
	for _, inputs := range []bool{false, true} { // what depends on a choice stands beside it
		for i := range rows {
			r := &rows[i]
			var e *needError
			if r.Def == nil || r.Def.Hidden || r.Absent || inputs != (r.Def.Kind == "input") || !errors.As(r.Err, &e) ||
				!hidden[e.name] {
				continue
			}
			if statedBy[e.name] == "" {
				statedBy[e.name] = r.Def.Name
			}
			other := statedBy[e.name]
			r.Err = &needError{e.name, e.why, other, other == r.Def.Name}
		}
	}
	for i := range rows { // tables may show these
		var e *needError
		if r := &rows[i]; r.Def != nil && r.Def.Hidden && errors.As(r.Err, &e) && hidden[e.name] {
			r.Err = &needError{e.name, e.why, statedBy[e.name], statedBy[e.name] == ""}
		}
	}
}

// scaled passes the product or quotient x on if it can be shown. One that isn't 0 but nearer to it than numbers go has
// no value; only a search goes on with what is left of it, since its places come as near to 0 as they like.
func (f *Frame) scaled(x float64, notZero bool, e syntax.Expr) (float64, bool) {
	if notZero && !f.Searches && x < quantity.Smallest && x > -quantity.Smallest {
		f.fail(e, "sheet.too-small-number")
		return 0, false
	}
	return f.finite(x, e)
}

// finite passes x on if it can be shown.
func (f *Frame) finite(x float64, e syntax.Expr) (float64, bool) {
	if x-x == 0 {
		return x, true
	}
	f.fail(e, "sheet.too-large-number")
	return 0, false
}
