// Package widget is the view of a sheet in front of a reader: its inputs, rows, plots, tables and figures as nodes, and
// what the reader does to them. Package browser shows it in a page.
package widget

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// View is a sheet in front of a reader: the state of its numbers, and what else changes by itself. It is made of
// layers, each of which knows those below it: what the sheet comes to, what the reader made of the inputs, what they
// guessed, and what is drawn of all that. A method belongs to the lowest layer that has what it needs. The zero value
// is of no use; call New. It belongs to one goroutine.
type View struct {
	built
	folds
	news

	Heading string // the element of the title where it isn't h3, as in a page whose first section has not started
	Away    bool   // in a page that isn't the book's, which may ask for every row
}

// evaluated is the sheet in one state of its inputs, and what it comes to.
type evaluated struct {
	Sheet  *sheet.Sheet
	State  input.State
	Result *sheet.Result
}

// state is what the reader made of the inputs, and what is worked out in that state.
type state struct {
	evaluated
	searches

	typed   map[string]string // input -> the text in its field, where it isn't what it began with
	hosted  map[string]string // input -> the text that the page around gave it to begin with
	errs    map[string]string // input -> why its text was refused
	starts  map[string]*numberStart
	fields  map[string]string      // text of fields that are no inputs, by element id
	orders  map[string]sheet.Order // of tables that the reader ranked, by what the address calls them
	reading map[string]float64     // document -> how much of a long text for it is read
	short   map[string]shortText   // document -> what it holds for a long text
	playing string                 // the stepper that plays
	tasks   *sheet.Tasks           // the long work of the sheet
	rev     int                    // counts changes of the state
	waits   bool                   // with evaluating, until an input needs it or all that an address sets is set
	stale   bool                   // Result is that of an earlier state

	published struct { // the sheet with the constants of the catalogs, to tell what rests on the reader's
		rev    int
		result *sheet.Result
	}
}

// searches are what is worked out between frames, in the present state.
type searches struct {
	goals   map[string]*goal   // row -> goal seek
	slopes  map[string]*slopes // row -> how the inputs move it
	reached string             // what came of the last goal, until somebody asks
	working bool               // there was long work to do when the view last showed it
	unshown bool               // some of it was done since
}

// questions are the estimates that the sheet asks for.
type questions struct {
	state

	guesses map[string]*Guess // asked row -> what the reader said
	renewed string            // the asked row that is asked again with other numbers
	draws   int               // counts sets of other numbers
}

// built is what has been worked out to be shown, and stays until it shows something else.
type built struct {
	questions

	plots   map[int]*drawnPlot   // by index in Sheet.Plots
	tables  map[int]*cachedTable // by index in Sheet.Tables
	figures map[int]*drawnFigure // by index in Sheet.Figures
	drawer  drawer               // draws figures
	why     map[string]*Node     // row -> its working as last built, kept while it is closed
	sets    map[string]*setRow   // row -> what of it stays the same
	steps   map[string][]string  // row -> the asked rows whose working it is a step of
}

// folds are what is open and what is printed.
type folds struct {
	open   map[string]bool // keys of the <details> that are open
	kept   map[string]bool // keys of folds that stay as they were printed, for now
	static bool            // for a page before its scripts: folds hold only what reads well without them
}

// news is what the reader reads beside the numbers.
type news struct {
	notices []string // what was wrong with the address
	copied  string   // what became of copying
	status  string   // what a screen reader is given
}

// New is the view of a sheet as its author left it.
func New(s *sheet.Sheet) *View { return newView(s, &sheet.Tasks{Whole: true}) }

func newView(s *sheet.Sheet, tasks *sheet.Tasks) *View {
	s = s.With(tasks)
	v := &View{folds: folds{open: map[string]bool{}, kept: map[string]bool{}}}
	v.evaluated = evaluated{Sheet: s, Result: s.Eval(nil)}
	v.goals, v.slopes, v.working = map[string]*goal{}, map[string]*slopes{}, true
	v.typed, v.hosted, v.errs = map[string]string{}, map[string]string{}, map[string]string{}
	v.fields, v.starts = map[string]string{}, map[string]*numberStart{}
	v.orders, v.reading, v.short = map[string]sheet.Order{}, map[string]float64{}, map[string]shortText{}
	v.tasks, v.guesses, v.drawer = tasks, map[string]*Guess{}, figure.Draw
	v.plots, v.tables, v.figures = map[int]*drawnPlot{}, map[int]*cachedTable{}, map[int]*drawnFigure{}
	v.why, v.sets = map[string]*Node{}, map[string]*setRow{}
	if len(s.Inputs) > 0 && s.Inputs[0].Form() == input.DocumentForm {
		v.open[documentKey(s.Inputs[0].Name)] = true // a file is what such a sheet is for
	}
	for i, f := range s.Former {
		if i == 0 || f.Name != s.Former[i-1].Name {
			v.Notice([]string{v.say("widget.former-function", "name", f.Name, "instead", f.Instead)})
		}
	}
	return v
}

// Set is the reader typing or choosing text for an input. A text that can't be taken is kept, with the reason beside
// it, and the last good value stays.
func (v *state) Set(name, text string) error {
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
		v.errs[name] = v.errorText(err)
		v.rev++
		return err
	}
	delete(v.errs, name)
	v.change(name, st)
	return nil
}

// Undo puts an input back to what it began with.
func (v *state) Undo(name string) {
	delete(v.typed, name)
	delete(v.errs, name)
	v.change(name, v.started(v.State, name))
}

// Reset puts everything the reader changed back, but not what they opened or guessed.
func (v *state) Reset() {
	clear(v.goals)
	v.playing = ""
	v.reset()
}

func (v *state) reset() {
	clear(v.typed)
	clear(v.errs)
	clear(v.orders)
	v.adopt(v.startState())
}

// adopt evaluates the sheet in a new state.
func (v *state) adopt(st input.State) {
	v.State, v.working, v.unshown = st, true, false
	clear(v.slopes)
	for _, g := range v.goals {
		g.under = nil
	}
	v.renew()
}

// renew evaluates the sheet in the present state again.
func (v *state) renew() {
	v.stale = true
	if !v.waits {
		v.evaluate()
	}
	v.rev++
}

// evaluate works out the result of the present state, if that has not been done.
func (v *state) evaluate() {
	if v.stale {
		v.Result, v.stale = v.Sheet.Eval(v.State), false
	}
}

// Changed says whether the reader changed the input, be it only by a text that can't be read.
func (v *state) Changed(name string) bool {
	_, typed := v.typed[name]
	return typed
}

// fitted is the input of that name as it is in the present state, nil if there is none.
func (v *evaluated) fitted(name string) *input.Input { return v.Result.Input(name) }

// Value is an input's present value.
func (v *evaluated) Value(in *input.Input) value.Value {
	if row := v.row(in.Name); row != nil && row.Err == nil {
		return row.Value
	}
	if x, ok := v.State[in.Name]; ok {
		return x
	}
	return in.Default
}

// Text is what stands in an input's field.
func (v *state) Text(in *input.Input) string {
	if t, ok := v.typed[in.Name]; ok {
		return t
	}
	return v.startText(in)
}

// rows are the rows that the reader sees below the inputs.
func (v *evaluated) rows() []*expr.Row {
	var rows []*expr.Row
	for i := range v.Result.Rows {
		if row := &v.Result.Rows[i]; row.Def.Kind != "input" && !row.Def.Hidden && !row.Absent {
			rows = append(rows, row)
		}
	}
	return rows
}

// hiddenRows are the rows that the reader sees only if they ask for all.
func (v *evaluated) hiddenRows() []*expr.Row {
	var rows []*expr.Row
	for i := range v.Result.Rows {
		if row := &v.Result.Rows[i]; row.Def.Hidden && !row.Absent {
			rows = append(rows, row)
		}
	}
	return rows
}

// row is the evaluated row of that name, or nil.
func (v *evaluated) row(name string) *expr.Row { return rowOf(v.Result, name) }

func rowOf(r *sheet.Result, name string) *expr.Row {
	for i := range r.Rows {
		if r.Rows[i].Def.Name == name {
			return &r.Rows[i]
		}
	}
	return nil
}

// Open says whether the part with this key is opened.
func (v *folds) Open(key string) bool { return v.open[key] }

// Toggle opens or closes the part with this key.
func (v *folds) Toggle(key string, open bool) {
	if open {
		v.open[key] = true
	} else {
		delete(v.open, key)
	}
}

// OpenedBefore notes a fold that the reader opened before the sheet was live. It holds what was printed until they do
// something else, because a page must not move by itself.
func (v *View) OpenedBefore(key string) {
	v.Toggle(key, true)
	v.kept[key] = true
}

// Touched is the reader doing something, whatever it is.
func (v *View) Touched() {
	if len(v.kept) > 0 {
		clear(v.kept)
		v.rev++
	}
}

// asPrinted says whether the fold with this key holds what is printed.
func (v *folds) asPrinted(key string) bool { return v.static || v.kept[key] }

// Printed builds the part with this key as pages carry it before their scripts run.
func (v *View) Printed(key string) *Node {
	v.static = true
	defer func() { v.static = false }()
	return v.Part(key)
}

// Abridged says whether such a page carries only some of the choices that the part offers.
func (v *evaluated) Abridged(key string) bool {
	kind, name, _ := strings.Cut(key, ":")
	if kind != "input" {
		return false
	}
	in := v.fitted(name)
	return controlOf(in).abridged(in)
}

// Unprint forgets what closed folds hold on such a page, so that they are built anew.
func (v *built) Unprint() { clear(v.why) }

// ToggleAll opens or closes the working of every row.
func (v *View) ToggleAll(open bool) {
	for _, row := range v.rows() {
		v.Toggle(rowKey(row.Def.Name), open)
	}
}

// Params is what the address carries of this view: the changed inputs, as the reader typed them. What doesn't fit any
// more goes as what is reckoned with instead. Documents stay with the reader.
func (v *state) Params() []address.Param {
	var ps []address.Param
	for _, own := range v.Sheet.Inputs {
		in := v.fitted(own.Name)
		text, ok := v.typed[in.Name]
		if !ok {
			text, ok = v.hosted[in.Name]
		}
		if !ok {
			text, ok = v.given(in)
		}
		if !ok || v.errs[in.Name] != "" || in.Absent || in.Form() == input.DocumentForm {
			continue
		}
		if v.Result.Misfit(in.Name) != nil {
			text = fieldText(in, v.Value(in))
		}
		ps = append(ps, address.Param{Sheet: v.Sheet.ID, Name: in.Name, Text: text})
	}
	return slices.Concat(ps, v.constantParams(), v.listParams())
}

// Apply sets inputs from the parameters of an address that are meant for this sheet, each behind those that it follows,
// and returns, for the reader, what can't be taken. The sheet is evaluated at the end, and before an input that follows
// other lines.
func (v *state) Apply(ps []address.Param) []*phrase.Phrase {
	problems := v.check(ps)
	v.waits = false
	v.evaluate()
	return problems
}

// Revisit brings the sheet to the state of an address that the reader goes back to: what it doesn't say is as its
// author has it, but for documents, which no address carries.
func (v *state) Revisit(ps []address.Param) []*phrase.Phrase {
	kept := v.Documents()
	v.waits = true
	v.Reset()
	for _, d := range kept {
		if d.Text != "" {
			v.Recall(d)
		}
	}
	return v.Apply(ps)
}

// Check says what of an address a sheet can't take.
func Check(s *sheet.Sheet, ps []address.Param) []*phrase.Phrase { return New(s).check(ps) }

// today are the parameters for this sheet, with the names that its inputs have today. A former name counts where the
// present one isn't given.
func (v *state) today(ps []address.Param) (own []address.Param) {
	for _, p := range ps {
		if p.Sheet != v.Sheet.ID {
			continue
		}
		name := v.Sheet.Today(p.Name)
		given := func(q address.Param) bool { return q.Sheet == p.Sheet && q.Name == name }
		if name == p.Name || !slices.ContainsFunc(ps, given) {
			own = append(own, address.Param{Sheet: p.Sheet, Name: name, Text: p.Text})
		}
	}
	return own
}

// check sets inputs, and may leave the sheet to be evaluated.
func (v *state) check(ps []address.Param) (problems []*phrase.Phrase) {
	v.waits = true
	order := v.Sheet.Order()
	ps = v.today(ps)
	sortBy(len(ps), func(i, j int) bool { return slices.Index(order, ps[i].Name) < slices.Index(order, ps[j].Name) },
		func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	for _, p := range ps {
		if in := v.Sheet.Input(p.Name); in != nil && len(in.Follows) > 0 {
			v.evaluate()
		}
		if err := v.apply(p); err != nil {
			problems = append(problems, Problem(p.Name, p.Text, err))
			if v.Changed(p.Name) {
				v.Undo(p.Name)
			}
		}
	}
	return problems
}

// apply sets one input from an address.
func (v *state) apply(p address.Param) error {
	if in := v.fitted(p.Name); in != nil && in.Form() == input.DocumentForm {
		return phrase.New("widget.document-in-address")
	}
	return v.Set(p.Name, p.Text)
}

// Take takes over what a reader did to a control before there was a program: a menu for several adds to it, and a
// stepper's slider says which step.
func (v *View) Take(name, text string) {
	if in := v.fitted(name); in != nil {
		controlOf(in).take(v, in, text)
	}
}

// PadSource is the text of the view's sheet for the scratch pad.
func (v *evaluated) PadSource() string { return strings.TrimSpace(v.Sheet.Source) + "\n" }

// PadAddress is the address of the scratch pad of the site at base, holding the view's sheet, which code is the code
// of, and what the reader changed in it.
func (v *state) PadAddress(base, code string) string {
	ps := v.Params()
	for i := range ps {
		ps[i].Sheet = address.PadID
	}
	return base + "scratch/" + address.Query(ps, nil) + "#s=" + code
}

// Edited is the view after its author changed the text of the sheet to that of s: what the reader typed, opened and
// guessed stays, as far as s still has a place for it. So does what long work has found whose arguments are the same.
func (v *View) Edited(s *sheet.Sheet) *View {
	next := newView(s, v.tasks.Next())
	next.rev, next.Heading = v.rev+1, v.Heading
	for _, in := range s.Inputs {
		if text, ok := v.typed[in.Name]; ok && next.Set(in.Name, text) != nil {
			next.Undo(in.Name)
		}
	}
	next.open, next.fields = v.open, v.fields
	for _, a := range s.Asks {
		if g := v.guesses[a.Name]; g != nil && sameAsk(v.Sheet, a) {
			next.guesses[a.Name] = g
		}
	}
	return next
}

func sameAsk(s *sheet.Sheet, a sheet.Ask) bool {
	for _, b := range s.Asks {
		if a.Name == b.Name && a.Question == b.Question {
			return true
		}
	}
	return false
}
