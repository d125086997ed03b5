package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/plot"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Plot is a `plot` statement:
//
//	plot y1, y2 over x [in 1..4096] [for z = a, b] [log|linear] [mark m1, m2] ["caption"]
//
// x may be a number input or a menu; `in` narrows or widens the sweep; log/linear set the y axis (x follows its input's
// scale); marks are steps or inputs of x's dimension, drawn as labelled verticals.
type Plot struct {
	Pos     Pos
	Y       []string
	Over    string
	Sweep   *[2]float64
	Log     *bool // nil: decided by the data
	For     *Vary
	Marks   []string
	Caption string
	when    int // the slot of its condition, 0 for none
}

// Table is a `table` statement: table y1, y2 over x [= a, b, c] ["caption"], or one of a list, which has List instead
// of Over: table xs [show field, field] [by field [desc]] [top 20] ["caption"].
type Table struct {
	Pos     Pos
	Columns []string // rows of the sheet; of a list, fields of its entries, none for entries that are no records
	Over    Vary
	List    string // the row whose list is shown
	By      string // the field that its author ranks by
	Desc    bool   // the largest first
	Top     int    // how many entries are shown at first; 0 for all
	Chooses string // the input that the reader sets by choosing an entry, or empty
	Caption string
	when    int // the slot of its condition, 0 for none

	entries *value.RecordType // what its list's entries are; nil if they are no records
}

// FigureDef is a `figure` statement: figure torus(s, step) ["caption"]. What it draws is not this package's business.
type FigureDef struct {
	Pos     Pos
	Figure  *value.Figure
	Caption string
	args    []int // the slots of its arguments
	when    int   // the slot of its condition, 0 for none
}

// Vary is an input and the values it takes in turn. No values means all members of a menu.
type Vary struct {
	Name   string
	Values []value.Value
	from   []int // parallel to Values: the slot of a value that follows other lines, 0 for a constant
}

// Expect is an `expect` statement.
type Expect struct {
	Pos    Pos
	Name   string
	Op     string // how Name should compare with Want: = < <= > >=
	Want   value.Value
	Within float64 // relative; 1e-9 if the author gave none, 0 of a bound
	At     input.State
	Fact   string
}

// PlotData samples a plot in state st.
func (s *Sheet) PlotData(st input.State, p *Plot) *plot.Data {
	return s.plotOn(s.share(maxFuel), st, p)
}

// plotOn is PlotData with the given fuel.
func (s *Sheet) plotOn(fuel *int, st input.State, p *Plot) *plot.Data {
	in := s.InputIn(st, p.Over)
	if in == nil {
		return &plot.Data{Title: s.fill(st, p.Caption), Err: phrase.New("sheet.no-input-named", "name", p.Over)}
	}
	out := plot.Plot{
		Title: s.plotTitle(st, p, in), Over: in, Label: s.labelOf(st, in.Name), Now: s.present(st, in), Log: p.Log,
		Y: s.named(st, p.Y), Marks: s.named(st, p.Marks), Phrases: s.Phrases(), Main: s.prog.result(p.Y),
		Spent: func() error { return spent(fuel) },
	}
	if in.IsNumber() {
		out.Range = plotRange(p, in)
	}
	var now value.Value // of the input that varies from curve to curve
	if p.For != nil {
		now = s.present(st, s.InputIn(st, p.For.Name))
	}
	for _, v := range s.varied(fuel, st, p.For) {
		b := s.band(fuel, st, p, v)
		b.Main = v != nil && len(p.Y) == 1 && v.Value.Equal(now)
		out.Bands = append(out.Bands, b)
	}
	return out.Sample()
}

// named are rows with what readers call them.
func (s *Sheet) named(st input.State, names []string) []plot.Row {
	rows := make([]plot.Row, len(names))
	for i, name := range names {
		rows[i] = plot.Row{Name: name, Label: s.labelOf(st, name)}
	}
	return rows
}

// band evaluates the curves of p where `for` gives its input the value v; nil is a plot without `for`.
func (s *Sheet) band(fuel *int, st input.State, p *Plot, v *input.Option) plot.Band {
	b := plot.Band{}
	if v != nil {
		st, b.Word = st.With(p.For.Name, v.Value), v.Name
	}
	sweep := func(names []string) *sweeper { return s.sweepOn(fuel, st, p.Over, names) }
	b.Sweep = func(names []string) plot.Sweep { return sweep(names) }
	b.Extreme = func(name string) *plot.Extreme { return s.extremeOf(name, sweep) }
	return b
}

// varied are the states' differences that `for` asks for: a single nil without it.
func (s *Sheet) varied(fuel *int, st input.State, v *Vary) []*input.Option {
	if v == nil {
		return []*input.Option{nil}
	}
	in := s.InputIn(st, v.Name)
	if in == nil {
		return []*input.Option{nil}
	}
	var out []*input.Option
	if len(v.Values) == 0 {
		for i := range in.Menu[:min(len(in.Menu), syntax.MaxCurves)] {
			out = append(out, &in.Menu[i])
		}
	}
	for _, x := range s.turns(fuel, st, v) {
		if in.Dependent && in.Refuses(x) != nil {
			continue // it cannot be this in the present state
		}
		name := x.String()
		for i := range in.Menu {
			if in.Menu[i].Value.Equal(x) {
				name = in.Menu[i].Name
			}
		}
		if x.Kind == value.Number || x.Kind == value.Bool {
			name = in.Name + " = " + name
		}
		out = append(out, &input.Option{Name: name, Value: x})
	}
	return out
}

// plotTitle is the caption of a plot, or a title if its author gave none.
func (s *Sheet) plotTitle(st input.State, p *Plot, in *input.Input) string {
	if title := s.fill(st, p.Caption); title != "" {
		return title
	}
	var names []string
	for _, y := range p.Y {
		names = append(names, s.labelOf(st, y))
	}
	return s.Phrases().Say("sheet.plot-title", "rows", phrase.Commas(names), "input",
		phrase.MidSentence(s.labelOf(st, in.Name)))
}

// labelOf is a row for a reader: its label, or else its name.
func (s *Sheet) labelOf(st input.State, name string) string {
	if row := s.Row(name); row != nil && row.Label != "" {
		return s.fill(st, row.Label)
	}
	return explain.Symbol(name, explain.Plain)
}

// plotRange is the stretch of a number that a plot shows.
func plotRange(p *Plot, in *input.Input) search.Interval {
	out := in.Span()
	if !in.Ranged && in.Default.Num.Value > 0 {
		out = search.Interval{Lo: in.Default.Num.Value / 100, Hi: in.Default.Num.Value * 100, Log: true}
	}
	if p.Sweep != nil {
		out.Lo, out.Hi = p.Sweep[0], p.Sweep[1]
		out.Log = out.Log && out.Lo > 0
	}
	return out
}

// curves checks the rows of a plot: numbers of one dimension.
func (c *compiler) curves(names []syntax.Ident) (list []string, ok bool) {
	var first *slot
	ok = true
	for _, n := range names {
		s := c.row(n)
		switch {
		case s == nil:
			ok = false
			continue
		case s.def.Type.Kind != value.Number:
			c.errs.Add(n.Pos, phrase.New("sheet.only-numbers-plotted", "name", n.Name, "type", s.def.Type),
				phrase.New("sheet.use-a-table"))
			ok = false
			continue
		case first == nil:
			first = s
		case first.def.Type.Dim != s.def.Type.Dim:
			c.errs.Add(n.Pos, phrase.New("sheet.plot-units-differ", "name", n.Name, "type", s.def.Type, "first",
				first.def.Name, "othertype", first.def.Type),
				phrase.New("sheet.one-plot-one-unit"))
			ok = false
		}
		list = append(list, n.Name)
	}
	return list, ok
}

func (c *compiler) plot(p *syntax.Plot) {
	y, ok := c.curves(p.Y)
	_, in := c.input(p.Over, phrase.New("sheet.cannot-be-axis", "name", p.Over.Name))
	if in == nil {
		return
	}
	if form := in.Form(); form == input.TextForm || form == input.DocumentForm || form == input.SeveralForm {
		c.errs.Add(p.Over.Pos, phrase.New("sheet.cannot-plot-over", "input", in.Name, "type", in.Default.Type()),
			phrase.New("sheet.plot-over-number"))
		return
	}
	out := &Plot{Pos: p.Pos, Y: y, Over: in.Name, Log: p.Log, Caption: p.Caption, when: c.extras[p.When]}
	ok = c.plotSweep(out, p, in) && ok
	if p.Vary != nil {
		v, good := c.vary(p.Vary, in.Name, syntax.MaxCurves)
		out.For, ok = &v, ok && good
	}
	ok = c.marks(out, p, in) && ok
	if ok {
		c.sheet.Plots = append(c.sheet.Plots, out)
	}
}

// result is the one of some rows that needs others of them, empty if none does or more than one, as neither is the
// result of all then.
func (p *program) result(rows []string) (result string) {
	for _, name := range rows {
		need := p.needed([]int{p.byName[name]})
		if !slices.ContainsFunc(rows, func(other string) bool { return other != name && need.has(p.byName[other]) }) {
			continue
		}
		if result != "" && !need.has(p.byName[result]) {
			return ""
		}
		result = name
	}
	return result
}

// plotSweep reads `in a..b` of a plot.
func (c *compiler) plotSweep(out *Plot, p *syntax.Plot, in *input.Input) bool {
	if p.Low == nil {
		return true
	}
	if !in.IsNumber() {
		c.errs.Add(p.Low.Position(), phrase.New("sheet.menu-has-no-range", "input", in.Name),
			phrase.New("sheet.leave-out-in"))
		return false
	}
	low, ok1 := c.number(in, p.Low)
	high, ok2 := c.number(in, p.High)
	switch {
	case !ok1 || !ok2:
		return false
	case !(low < high):
		c.errs.Add(p.Low.Position(), phrase.New("sheet.range-empty"), phrase.New("sheet.write-smaller-first-plot"))
		return false
	case in.Log && !(low > 0):
		c.errs.Add(p.Low.Position(), phrase.New("sheet.log-above-zero", "input", in.Name),
			phrase.New("sheet.begin-above-zero"))
		return false
	}
	out.Sweep = &[2]float64{low, high}
	return true
}

// marks checks the verticals of a plot.
func (c *compiler) marks(out *Plot, p *syntax.Plot, in *input.Input) bool {
	ok := true
	for _, n := range p.Marks {
		s := c.row(n)
		switch {
		case s == nil:
			ok = false
		case !in.IsNumber():
			c.errs.Add(n.Pos, phrase.New("sheet.no-marks-over-menu"), phrase.New("sheet.leave-out-mark"))
			return false
		case s.def.Type.Kind != value.Number || s.def.Type.Dim != in.Default.Num.Dim:
			c.errs.Add(n.Pos, phrase.New("sheet.mark-is-but", "mark", n.Name, "type", s.def.Type, "input", in.Name,
				"othertype", in.Default.Type()),
				phrase.New("sheet.mark-values-of-axis"))
			ok = false
		}
		out.Marks = append(out.Marks, n.Name)
	}
	return ok
}

// vary checks an input and its values; other is an input that varies already.
func (c *compiler) vary(a *syntax.Assign, other string, most int) (Vary, bool) {
	_, in := c.input(a.Ident, phrase.New("sheet.cannot-vary", "name", a.Name))
	v := Vary{Name: a.Name}
	switch {
	case in == nil:
		return v, false
	case in.Name == other:
		c.errs.Add(a.Pos, phrase.New("sheet.varies-already", "input", a.Name), phrase.New("sheet.choose-another-input"))
		return v, false
	case in.Form() == input.SeveralForm:
		c.errs.Add(a.Pos, phrase.New("sheet.several-choices", "input", a.Name),
			phrase.New("sheet.choose-another-input"))
		return v, false
	case a.Values == nil && len(in.Menu) == 0:
		c.errs.Add(a.Pos, phrase.New("sheet.needs-values", "input", a.Name), phrase.New("sheet.write-values", "input",
			a.Name))
		return v, false
	case max(len(a.Values), len(in.Menu)*btoi(a.Values == nil)) > most:
		c.errs.Add(a.Pos, phrase.New("sheet.too-many-values", "input", a.Name), phrase.New("sheet.give-fewer-them"))
		return v, false
	}
	ok := true
	for _, e := range a.Values {
		x, slot, good := c.varied(in, e)
		v.Values, v.from, ok = append(v.Values, x), append(v.from, slot), ok && good
	}
	return v, ok
}

// figure checks a `figure` statement: its name and its values, as a call's.
func (c *compiler) figure(f *syntax.Figure) {
	fig := c.env.Figure(f.Name.Name)
	if fig == nil {
		names := value.Names(c.env.Figures)
		c.errs.Add(f.Name.Pos, phrase.New("sheet.unknown-figure", "name", f.Name.Name),
			syntax.DidYouMean(f.Name.Name, names, phrase.New("sheet.see-figures")))
		return
	}
	call := &syntax.Call{Pos: f.Name.Pos, Func: fig.Name, Args: f.Args}
	fn := &value.Func{Name: fig.Name, Params: fig.Params, Variadic: fig.Variadic}
	k := &expr.Checker{Env: c.env, Errs: c.errs}
	if !k.Count(call, fn, fig.Params, len(f.Args)) {
		return
	}
	args := make([]int, len(f.Args))
	for i, e := range f.Args {
		args[i] = c.extras[e]
		s := &c.prog.slots[args[i]]
		if s.node.Bad {
			return
		}
		if p := &fig.Params[min(i, len(fig.Params)-1)]; !p.Fits(s.node.Type) {
			k.WrongArgument(call, p, &s.node)
			return
		}
	}
	c.sheet.Figures = append(
		c.sheet.Figures,
		&FigureDef{Pos: f.Pos, Figure: fig, Caption: f.Caption, args: args, when: c.extras[f.When]},
	)
}

// FigureArgs are the values that figure i draws, those that its author left out included, or why one of them is
// missing.
func (r *Result) FigureArgs(i int) ([]value.Value, error) {
	def := r.Sheet.Figures[i]
	args := make([]value.Value, 0, len(def.Figure.Params))
	for _, at := range def.args {
		row := &r.extra[at]
		if row.Err != nil {
			return nil, row.Err
		}
		args = append(args, row.Value)
	}
	for _, p := range def.Figure.Params[min(len(args), len(def.Figure.Params)):] {
		if p.Optional {
			args = append(args, p.Default)
		}
	}
	return args, nil
}

// holds tells whether the condition in a slot holds; 0 is none, which always does, as does one without a value: what it
// governs is then shown, and says why it has none.
func (r *Result) holds(slot int) bool {
	return slot == 0 || r.extra[slot].Err != nil || r.extra[slot].Value.Bool
}

// ShowsPlot tells whether plot i of the sheet is to be shown: whether the condition behind its `when` holds.
func (r *Result) ShowsPlot(i int) bool { return r.holds(r.Sheet.Plots[i].when) }

// ShowsTable tells whether table i is to be shown: not without a choice that its list needs.
func (r *Result) ShowsTable(i int) bool {
	t := r.Sheet.Tables[i]
	list := r.row(t.List)
	return r.holds(t.when) && (list == nil || list.Err == nil || !lacksChoice(list.Err))
}

// ShowsFigure tells whether figure i is to be shown: not without a choice that it needs.
func (r *Result) ShowsFigure(i int) bool {
	def := r.Sheet.Figures[i]
	lacks := func(at int) bool { return r.extra[at].Err != nil && lacksChoice(r.extra[at].Err) }
	return r.holds(def.when) && !slices.ContainsFunc(def.args, lacks)
}
