package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
		c.errs.Add(a.Pos, phrase.New("sheet.several-choices", "input", a.Name), phrase.New("sheet.choose-another-input"))
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
