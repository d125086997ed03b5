package expr

import (
	"errors"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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

	args []value.Value // room for the arguments of every call
	memo []memo        // what calls and fields gave
}

// NewFrame is a frame whose expressions read rows. It has room for the arguments of all calls and for what is
// remembered at so many sites, as [Checker] counted them.
func NewFrame(rows []Row, room, sites int) Frame {
	f := Frame{Rows: rows}
	if room > 0 {
		f.args = make([]value.Value, room)
	}
	if sites > 0 {
		f.memo = make([]memo, sites)
	}
	return f
}

// needError is the error of a row that needs another one, which has no value. It names the row where the trouble is.
type needError struct {
	name string
	why  error
	told string // the row that tells a long reason in its place, since readers don't see it; "" if it does itself
	tell bool   // this is the row that does
}

// longReason is from how many bytes on a reason is told once only, in the row where it arose.
const longReason = 120

func (e *needError) Error() string { return e.In(phrase.Phrases{}) }

// In is the error in a language.
func (e *needError) In(l phrase.Phrases) string {
	why := l.Text(e.why)
	switch {
	case e.tell || len(why) <= longReason:
	case e.told != "":
		return l.Say("sheet.needs-row-told", "row", e.name, "other", e.told)
	default:
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

// Tell has the reasons of hidden rows without value told where readers miss the values: the first shown row that needs
// one tells its reason whole, and others name that row.
func Tell(rows []Row) {
	hidden, told := map[string]bool{}, map[string]string{}
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
			if told[e.name] == "" {
				told[e.name] = r.Def.Name
			}
			other := told[e.name]
			r.Err = &needError{e.name, e.why, other, other == r.Def.Name}
		}
	}
	for i := range rows { // tables may show these
		var e *needError
		if r := &rows[i]; r.Def != nil && r.Def.Hidden && errors.As(r.Err, &e) && hidden[e.name] {
			r.Err = &needError{e.name, e.why, told[e.name], told[e.name] == ""}
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
