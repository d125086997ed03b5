package widget

import (
	"slices"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// View is a sheet in front of a reader. Its zero value is of no use; call New. It belongs to one goroutine.
type View struct {
	Sheet  *sheet.Sheet
	State  input.State
	Result *sheet.Result

	Heading string // the element of the title where it isn't h3, as in a page whose first section has not begun

	typed   map[string]string      // input -> the text in its field, where it isn't what it began with
	hosted  map[string]string      // input -> the text that the page around gave it to begin with
	errs    map[string]string      // input -> why its text was refused
	open    map[string]bool        // keys of the <details> that are open
	kept    map[string]bool        // keys of folds that stay as they were printed, for now
	guesses map[string]*Guess      // asked row -> what the reader said
	goals   map[string]*goal       // row -> goal seek
	renewed string                 // the asked row that is asked again with other numbers
	fields  map[string]string      // text of other fields, by element id
	why     map[string]*Node       // row -> its working as last built, kept while it is closed
	sets    map[string]*setRow     // row -> what of it stays the same
	notices []string               // what was wrong with the address
	copied  string                 // what became of copying
	status  string                 // what a screen reader is told
	rev     int                    // counts changes of the state
	draws   int                    // counts sets of other numbers
	waits   bool                   // with evaluating, until an input needs it or all that an address sets is set
	stale   bool                   // Result is that of an earlier state
	still   bool                   // for a page before its scripts: folds hold only what reads well without them
	plots   map[int]*drawnPlot     // by index in Sheet.Plots
	tables  map[int]*cachedTable   // by index in Sheet.Tables
	tasks   *sheet.Tasks           // the long work of the sheet
	playing string                 // the stepper that plays
	figures map[int]*drawnFigure   // by index in Sheet.Figures
	drawer  drawer                 // draws figures
	orders  map[string]sheet.Order // of tables that the reader ranked, by what the address calls them
	reading map[string]float64     // document -> how much of a long text for it is read
	short   map[string]shortText   // document -> what it holds for a long text

	published struct { // the sheet with the constants of the catalogs, to tell what rests on the reader's
		rev    int
		result *sheet.Result
	}
}

// New is the view of a sheet as its author left it.
func New(s *sheet.Sheet) *View { return newView(s, &sheet.Tasks{Whole: true}) }

func newView(s *sheet.Sheet, tasks *sheet.Tasks) *View {
	s = s.With(tasks)
	return &View{
		Sheet: s, Result: s.Eval(nil), tasks: tasks,
		typed: map[string]string{}, hosted: map[string]string{}, errs: map[string]string{},
		open: map[string]bool{}, kept: map[string]bool{},
		guesses: map[string]*Guess{}, goals: map[string]*goal{}, fields: map[string]string{}, why: map[string]*Node{},
		sets:  map[string]*setRow{},
		plots: map[int]*drawnPlot{}, tables: map[int]*cachedTable{},
		figures: map[int]*drawnFigure{}, drawer: figure.Draw, orders: map[string]sheet.Order{},
		reading: map[string]float64{}, short: map[string]shortText{},
	}
}

// Set is the reader typing or choosing text for an input. A text that can't be taken is kept, with the reason beside
// it, and the last good value stays.
func (v *View) Set(name, text string) error {
	if v.isSortKey(name) {
		return v.setOrder(name, text)
	}
	in := v.fitted(name)
	if in == nil {
		if found, err := v.setConstant(name, text); found {
			return err
		}
		return errUnknownInput(v.Sheet, name)
	}
	if text == v.startText(in) {
		v.Undo(name)
		return nil
	}
	st, err := v.Sheet.Set(v.State, name, text)
	v.typed[name] = text
	if err != nil {
		v.errs[name] = v.tell(err)
		v.rev++
		return err
	}
	delete(v.errs, name)
	v.change(name, st)
	return nil
}

// Undo puts an input back to what it began with.
func (v *View) Undo(name string) {
	delete(v.typed, name)
	delete(v.errs, name)
	v.change(name, v.started(v.State, name))
}

// Reset puts everything the reader changed back, but not what they opened or guessed.
func (v *View) Reset() {
	clear(v.typed)
	clear(v.errs)
	clear(v.goals)
	clear(v.orders)
	v.playing = ""
	v.adopt(v.startState())
}

// adopt evaluates the sheet in a new state.
func (v *View) adopt(st input.State) {
	v.State, v.stale = st, true
	if !v.waits {
		v.evaluate()
	}
	v.rev++
}

// evaluate works out the result of the present state, if that has not been done.
func (v *View) evaluate() {
	if v.stale {
		v.Result, v.stale = v.Sheet.Eval(v.State), false
	}
}

// Changed says whether the reader changed the input, be it only by a text that can't be read.
func (v *View) Changed(name string) bool {
	_, typed := v.typed[name]
	return typed
}

// fitted is the input of that name as it is in the present state, nil if there is none.
func (v *View) fitted(name string) *input.Input { return v.Result.Input(name) }

// HasFollowers tells whether some of the inputs follow other lines, so that their controls come, go and change.
func (v *View) HasFollowers() bool {
	return slices.ContainsFunc(v.Sheet.Inputs, func(in *input.Input) bool { return v.fitted(in.Name) != in })
}

// Value is an input's present value.
func (v *View) Value(in *input.Input) value.Value {
	if row := v.row(in.Name); row != nil && row.Err == nil {
		return row.Value
	}
	if x, ok := v.State[in.Name]; ok {
		return x
	}
	return in.Default
}

// Text is what stands in an input's field.
func (v *View) Text(in *input.Input) string {
	if t, ok := v.typed[in.Name]; ok {
		return t
	}
	return v.startText(in)
}

// rows are the rows that the reader sees below the inputs.
func (v *View) rows() []*expr.Row {
	var rows []*expr.Row
	for i := range v.Result.Rows {
		if row := &v.Result.Rows[i]; row.Def.Kind != "input" && !row.Def.Hidden && !row.Absent {
			rows = append(rows, row)
		}
	}
	return rows
}

// hiddenRows are the rows that the reader sees only if they ask for all.
func (v *View) hiddenRows() []*expr.Row {
	var rows []*expr.Row
	for i := range v.Result.Rows {
		if row := &v.Result.Rows[i]; row.Def.Hidden && !row.Absent {
			rows = append(rows, row)
		}
	}
	return rows
}

// row is the evaluated row of that name, or nil.
func (v *View) row(name string) *expr.Row { return rowOf(v.Result, name) }

func rowOf(r *sheet.Result, name string) *expr.Row {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return &r.Rows[i]
		}
	}
	return nil
}
