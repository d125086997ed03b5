package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// figure checks a `figure` statement: its name and its values, as a call's.
func (c *compiler) figure(f *syntax.Figure) {
	fig := c.env.Figure(f.Name.Name)
	if fig == nil {
		names := value.Names(c.env.Figures)
		c.errs.Add(f.Name.Pos, phrase.New("sheet.unknown-figure", "name", f.Name.Name), syntax.DidYouMean(f.Name.Name, names,
			phrase.New("sheet.see-figures")))
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

// ShowsTable tells whether table i is to be shown.
func (r *Result) ShowsTable(i int) bool { return r.holds(r.Sheet.Tables[i].when) }

// ShowsFigure tells whether figure i is to be shown.
func (r *Result) ShowsFigure(i int) bool { return r.holds(r.Sheet.Figures[i].when) }
