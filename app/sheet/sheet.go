package sheet

import (
	"errors"
	"slices"

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

// Ask invites the reader to say what Name comes to before seeing it: a number, a formula in Symbols, or one of Choices.
type Ask struct {
	Name, Question string
	Symbols        []string // the rows that a formula is to be written in; none if a number will do
	Choices        []string // of a text, as a reader sees them; a yes or no has none
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
			syntax.DidYouMean(name, s.inputNames(), phrase.New("sheet.its-inputs", "names", syntax.OneOf(s.inputNames()))))
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
func (s *Sheet) choosesFrom(kin *value.RecordType) bool {
	return slices.ContainsFunc(s.Inputs, func(in *input.Input) bool {
		t := s.Row(in.Name).Type
		if t.Kind == value.List && t.Of != nil {
			t = *t.Of
		}
		return t.Kind == value.Rec && t.Record.Root() == kin.Root()
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
		return st, phrase.Fault{What: phrase.New("sheet.out-of-range", "value", q.String()),
			Remedy: phrase.New("sheet.give-value", "value", input.FromTo(c.Least, c.Most))}
	case c.Least.Value == c.Most.Value && !(q.Value > 0):
		return st, phrase.New("sheet.constant-not-positive", "value", q.String())
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
	for _, kin := range s.env.RecordTypes {
		for _, r := range kin.Members {
			if _, ok := st[input.AmendedKey(r)]; !ok || kin.Constants == nil {
				continue // an entry of another catalog may have the same ID
			}
			constants := kin.Constants(r)
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
