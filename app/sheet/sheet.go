// Package sheet is the sheet language: worked problems that stay live. It knows no domain; functions, catalogs and
// dtypes come from a [value.Env]. What it computes with is declared in package value.
//
//	title An int8 matmul on one chip
//	let chip = tpu.v5e                    "Chip"
//	let B = 256 token in 1..16384 log     "Tokens in the batch"
//	ops    = 2 FLOP * B * 4096 * 16384    "Operations"
//	T_math = ops / chip.flops(int8)       "Time to compute"
//	expect T_math = 87.2 us within 0.1%
//
// What happens to a text, in this order:
//
//  1. Package syntax cuts it into tokens and reads them as a tree. A number takes its unit with it (app/quantity), so
//     that the variable B and the unit byte never meet. A fault ends its statement only.
//  2. compile.go names the slots of a program; inputs.go, menus.go and follow.go make inputs of `let`, with their range
//     or menu, which package input declares.
//  3. compile.go puts slots in an order in which each stands after what it reads; cycles are reported.
//  4. Package expr checks kinds and dimensions, and each expression becomes closures.
//  5. Asks, plots (plots.go), tables (tables.go) and expects (sheet.go) are checked against the rows.
//  6. eval.go evaluates all rows in one state; sweep.go a few of them, again and again, while one input varies.
//
// On that stand sheet.go (what a reader sets), curves sampled by package plot, solve.go (which input makes a row what a
// reader wants, found by package solve), elasticities (sweep.go: which input matters most), and
// explain.go (formulas and workings, written down by package explain in the notation of package notation).
//
// Faults of a text are [Error] values with place and remedy, all found by [Compile], and never blamed twice: what uses
// a faulty line is left alone. What goes wrong in numbers (a division by zero, a chip without a peak) is the error of a
// row; rows that need it name it. Nothing that is not finite leaves a row, nothing panics, and hostile text is bounded
// (compile.go). A [Sheet] is immutable and may be used from several goroutines.
package sheet

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// This file is the face of the package: what the packages above use. The work is done in the others.

// Pos is a place in a sheet's text, Error a fault there.
type (
	Pos   = syntax.Pos
	Error = syntax.Error
)

// The sizes in which a page shows a sheet, beside that of a worked answer: across the page's whole width, within a
// sentence, with the working folded away below it, and as the picture that opens a chapter.
const (
	Hero    = "hero"
	Inline  = "inline"
	Opening = "opening"
)

// Sheet is a compiled sheet. It is immutable and safe for concurrent use.
type Sheet struct {
	ID, Title string
	Size      string // how large a page shows it: Hero, Inline, Opening, or empty for a worked answer
	Source    string
	Inputs    []*input.Input // in the order of the text
	Rows      []expr.RowDef  // inputs, steps and solves in the order of the text
	Asks      []Ask
	Plots     []*Plot
	Tables    []*Table
	Figures   []*FigureDef
	Expects   []*Expect
	Former    []expr.Former // calls of functions of earlier editions

	env   *value.Env
	prog  *program
	tasks *Tasks // of a view, nil for all
}

// Phrases is the language in which the sheet speaks to its reader.
func (s *Sheet) Phrases() phrase.Phrases {
	if s.env == nil {
		return phrase.Phrases{}
	}
	return s.env.Phrases
}

// Ask invites the reader to say what Name comes to before seeing it: a number, a formula in Symbols, one of Choices, or
// its curve Over an input.
type Ask struct {
	Name, Question string
	Symbols        []string // the rows that a formula is to be written in; none if a number will do
	Choices        []string // of a text, as a reader sees them; a yes or no has none
	Over           string   // the input of a plot in which the curve is to be drawn; empty if no curve is asked for
}

// Result is a sheet evaluated in one state.
type Result struct {
	Sheet  *Sheet
	State  input.State
	Rows   []expr.Row              // parallel to Sheet.Rows
	extra  []expr.Row              // of all slots of the program: the rows, then conditions and what figures draw
	inputs map[string]*input.Input // those that follow other lines
}

// Elasticity says by what percentage Output moves when Input moves by one percent (d ln output / d ln input).
type Elasticity struct {
	Input string
	Value float64
	// Kink is set where the slope differs to the left and to the right (a max or min changes over here): Value is then
	// the mean.
	Kink bool
}

// TableData is a table, evaluated.
type TableData struct {
	Table  *Table
	Header []string // first the input, then the columns
	Units  []string
	Rows   []TableRow
}

// TableRow is one line of it; Cells has a value or an error each.
type TableRow struct {
	Input value.Value
	Cells []expr.Row
}

// ExpectResult is the outcome of one `expect`.
type ExpectResult struct {
	Expect *Expect
	Got    value.Value
	Err    error // why there was no value to compare
	OK     bool
}

// Input is the input of that name, or nil.
func (s *Sheet) Input(name string) *input.Input {
	for _, in := range s.Inputs {
		if in.Name == name {
			return in
		}
	}
	return nil
}

// Today is the name of the input of which name is a former one, else name itself. Of former names the case does not
// count: attributes of HTML have none.
func (s *Sheet) Today(name string) string {
	if s.Row(name) == nil {
		for _, in := range s.Inputs {
			for _, w := range in.Was {
				if strings.EqualFold(w.Name, name) {
					return in.Name
				}
			}
		}
	}
	return name
}

// Row is the definition of the line of that name, or nil.
func (s *Sheet) Row(name string) *expr.RowDef {
	for i := range s.Rows {
		if s.Rows[i].Name == name {
			return &s.Rows[i]
		}
	}
	return nil
}

// Value is the value of the row of that name, or why it has none.
func (r *Result) Value(name string) (value.Value, error) {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return r.Rows[i].Value, r.Rows[i].Err
		}
	}
	return value.Value{}, phrase.New("sheet.no-row", "name", name)
}

// def is the parsed expression of a step; nil for anything else.
func (s *Sheet) def(name string) syntax.Expr {
	if i, ok := s.prog.byName[name]; ok {
		return s.prog.slots[i].expr
	}
	return nil
}

// solveDef is the solve of that name, or nil.
func (s *Sheet) solveDef(name string) *solve.Def {
	if i, ok := s.prog.byName[name]; ok {
		return s.prog.slots[i].solve
	}
	return nil
}

// Set is st with the named input as a reader typed or chose it. The error is for the reader: what is wrong, and what
// would be valid; st stays as it is then. A bare number counts in the unit that the sheet's author wrote. What equals
// the author's value is left out of the new state.
func (s *Sheet) Set(st input.State, name, text string) (input.State, error) {
	in := s.InputIn(st, name)
	if r, c := s.Constant(name); in == nil && c != nil {
		return s.setConstant(st, r, c, text)
	}
	if in == nil {
		return st, phrase.New("sheet.no-such-input", "name", syntax.Clip(name), "remedy",
			syntax.DidYouMean(name, s.inputNames(),
				phrase.New("sheet.its-inputs", "names", syntax.OneOf(s.inputNames()))))
	}
	v, err := in.Parse(text)
	if err != nil {
		return st, err
	}
	if v.Equal(in.Default) {
		return st.Without(name), nil
	}
	if in.Absent {
		return st, phrase.New("sheet.absent", "name", name)
	}
	next := st.With(name, v)
	if in.Checked {
		if why := s.refusal(next, name); why != "" {
			return st, errors.New(why)
		}
	}
	return next, nil
}

func (s *Sheet) inputNames() []string {
	names := make([]string, len(s.Inputs))
	for i, in := range s.Inputs {
		names[i] = in.Name
	}
	return names
}

// A reader who knows a constant of a catalog better sets it by its key, such as tpu_v5e__hbm. The state then also has
// the entry with all that was changed of it, so that every evaluation computes with one and the same record.

// Changed is a constant that a reader set.
type Changed struct {
	Of       *value.Record // as the catalog has it
	Constant *value.Constant
	Value    quantity.Quantity
}

// Constant finds a constant by its key, of an entry of a catalog from which s lets its reader choose; nil if there is
// none.
func (s *Sheet) Constant(key string) (*value.Record, *value.Constant) {
	if s.Input(key) != nil {
		return nil, nil
	}
	r, c := s.env.Constant(key)
	if c == nil || !s.choosesFrom(r.Type) {
		return nil, nil
	}
	return r, c
}

// choosesFrom tells whether an input of s is an entry of a catalog, or several.
func (s *Sheet) choosesFrom(rt *value.RecordType) bool {
	return slices.ContainsFunc(s.Inputs, func(in *input.Input) bool {
		t := s.Row(in.Name).Type
		if t.Kind == value.List && t.Of != nil {
			t = *t.Of
		}
		return t.Kind == value.Rec && t.Record.Root() == rt.Root()
	})
}

// setConstant is st with a constant of r as a reader typed it. A bare number counts in the unit of the catalog.
func (s *Sheet) setConstant(st input.State, r *value.Record, c *value.Constant, text string) (input.State, error) {
	if len(text) > input.MaxTyped {
		return st, phrase.New("sheet.text-too-long")
	}
	unit, err := quantity.UnitOf(c.Text)
	if err != nil {
		return st, err
	}
	q, err := quantity.ParseLike(text, unit)
	switch {
	case err != nil:
		return st, err
	case c.Least.Value < c.Most.Value && !(c.Least.Value <= q.Value && q.Value <= c.Most.Value):
		return st, phrase.Fault{What: phrase.New("sheet.out-of-range", "value", q.Echo(text, unit)),
			Remedy: phrase.New("sheet.give-value", "value", input.FromTo(c.Least, c.Most))}
	case c.Least.Value == c.Most.Value && !(q.Value > 0):
		return st, phrase.New("sheet.constant-not-positive", "value", q.Echo(text, unit))
	case q.Value == c.Value.Value:
		return s.Without(st, r.Key(c.Name)), nil
	}
	return input.Amended(st.With(r.Key(c.Name), value.Value{Kind: value.Number, Num: q}), r), nil
}

// Without is st with an input or a constant back at its author's value; st stays as it is.
func (s *Sheet) Without(st input.State, name string) input.State {
	next := st.Without(name)
	if r, c := s.Constant(name); c != nil {
		return input.Amended(next, r)
	}
	return next
}

// Changed are the constants that the reader set in st, in the order of the catalogs.
func (s *Sheet) Changed(st input.State) []Changed {
	var all []Changed
	if len(st) == 0 {
		return all // nothing is changed in most states
	}
	for _, rt := range s.env.RecordTypes {
		for _, r := range rt.Members {
			if _, ok := st[input.AmendedKey(r)]; !ok || rt.Constants == nil {
				continue // an entry of another catalog may have the same ID
			}
			constants := rt.Constants(r)
			for i := range constants {
				if v, ok := st[r.Key(constants[i].Name)]; ok {
					all = append(all, Changed{r, &constants[i], v.Num})
				}
			}
		}
	}
	return all
}

// Published is st with all constants as the catalogs have them.
func (s *Sheet) Published(st input.State) input.State {
	for _, c := range s.Changed(st) {
		st = st.Without(c.Of.Key(c.Constant.Name)).Without(input.AmendedKey(c.Of))
	}
	return st
}

// Check evaluates every `expect`, at the sheet's default inputs or at those it names.
func (s *Sheet) Check() []ExpectResult {
	fuel := checkFuel
	return s.CheckBy(func(st input.State) *Result {
		share := min(fuel, evalFuel)
		fuel -= share
		r := s.evalOn(&share, st)
		fuel += max(share, 0)
		return r
	})
}

// CheckBy is Check with evaluations of the caller.
func (s *Sheet) CheckBy(eval func(input.State) *Result) []ExpectResult {
	out := make([]ExpectResult, len(s.Expects))
	var first *Result
	for i, e := range s.Expects {
		r := first
		if r == nil || len(e.At) > 0 {
			r = eval(e.At)
		}
		if len(e.At) == 0 {
			first = r
		}
		out[i].Expect = e
		out[i].Got, out[i].Err = r.Value(e.Name)
		if err := r.misfits(e.At); err != nil {
			out[i].Err = err
		}
		out[i].OK = out[i].Err == nil && e.holds(out[i].Got)
	}
	return out
}

// Wanted says what e expects: "17.2 GFLOP", or "below 1 µs".
func (e *Expect) Wanted(l phrase.Phrases) string {
	switch want := e.Want.String(); e.Op {
	case "<":
		return l.Say("sheet.below", "value", want)
	case "<=":
		return l.Say("sheet.at-most", "value", want)
	case ">":
		return l.Say("sheet.above", "value", want)
	case ">=":
		return l.Say("sheet.at-least", "value", want)
	}
	return e.Want.String()
}

// IsBound tells whether e expects a value above or below another one, not a certain value.
func (e *Expect) IsBound() bool { return e.Op != "" && e.Op != "=" }

// misfits is why one of the given values cannot be set in the state of r, if one can't.
func (r *Result) misfits(st input.State) error {
	for _, in := range r.Sheet.Inputs {
		if _, ok := st[in.Name]; !ok {
			continue
		}
		if err := r.Misfit(in.Name); err != nil {
			return phrase.New("sheet.input-fault", "input", in.Name, "fault", err)
		}
	}
	return nil
}

// holds tells whether got is what e wants: numbers within its tolerance, relative to what is wanted (where that is
// zero, in base units), or on the right side of a bound; anything else exactly.
func (e *Expect) holds(got value.Value) bool {
	if got.Kind != value.Number || e.Want.Kind != value.Number {
		return got.Equal(e.Want)
	}
	want := e.Want.Num.Value
	if e.IsBound() {
		return got.Num.Dim == e.Want.Num.Dim && value.Holds(e.Op, value.Compare(got.Num.Value, want, 0))
	}
	scale := math.Abs(want)
	if want == 0 {
		scale = 1
	}
	return got.Num.Dim == e.Want.Num.Dim && math.Abs(got.Num.Value-want) <= float64(e.Within*scale)
}

// expected is the tolerance of an `expect` that names none.
const expected = 1e-9

func (c *compiler) expect(e *syntax.Expect) {
	out, ok := &Expect{Pos: e.Pos, Name: e.Name.Name, Op: e.Op, Within: expected, Fact: e.Fact}, true
	if s := c.row(e.Name); s == nil {
		ok = false
	} else {
		out.Want, ok = c.wanted(s.def, e.Want)
		ok = ok && c.comparable(e, s.def)
	}
	if out.IsBound() {
		out.Within = 0
	}
	if e.Within != nil {
		var good bool
		out.Within, good = c.tolerance(e.Within)
		ok = ok && good
	}
	for i := range e.At {
		a := &e.At[i]
		_, in := c.input(a.Ident, phrase.New("sheet.cannot-set", "name", a.Name))
		if in == nil {
			ok = false
			continue
		}
		v, good := c.value(in, a.Values[0])
		out.At, ok = out.At.With(in.Name, v), ok && good
	}
	if ok {
		c.sheet.Expects = append(c.sheet.Expects, out)
	}
}

// wanted is the value that a row should have: for texts, also a bare word.
func (c *compiler) wanted(def *expr.RowDef, e syntax.Expr) (value.Value, bool) {
	if text, ok := word(e); ok && def.Type.Kind == value.Text {
		return value.Value{Kind: value.Text, Text: text}, true
	}
	v, ok := c.constant(e)
	if ok && !value.SameType(v.Type(), def.Type) {
		c.errs.Add(e.Position(), phrase.New("sheet.expect-is-but", "code", syntax.Brief(e), "type", v.Type(), "row",
			def.Name, "othertype", def.Type),
			phrase.New("sheet.give-unit-of", "row", def.Name))
		return v, false
	}
	return v, ok
}

// comparable reports an expect that compares what has no order, or gives a bound a tolerance.
func (c *compiler) comparable(e *syntax.Expect, def *expr.RowDef) bool {
	switch {
	case e.Op == "=":
		return true
	case def.Type.Kind != value.Number:
		c.errs.Add(e.Want.Position(), phrase.New("sheet.compares-numbers", "op", e.Op, "code", def.Name, "type",
			def.Type), phrase.New("sheet.write-equals"))
	case e.Within != nil:
		c.errs.Add(e.Within.Position(), phrase.New("sheet.within-needs-equals"),
			phrase.New("sheet.leave-out-tolerance"))
	default:
		return true
	}
	return false
}

// tolerance reads `within 1%`.
func (c *compiler) tolerance(e syntax.Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	if v.Kind != value.Number || !v.Num.Dim.IsZero() || !(v.Num.Value >= 0) {
		c.errs.Add(e.Position(), phrase.New("sheet.no-tolerance", "code", syntax.Brief(e)),
			phrase.New("sheet.write-tolerance"))
		return 0, false
	}
	return v.Num.Value, true
}
