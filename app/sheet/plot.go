package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/plot"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
		Y: s.named(st, p.Y), Marks: s.named(st, p.Marks), Phrases: s.Phrases(),
		Spent: func() error { return spent(fuel) },
	}
	if in.IsNumber() {
		out.Range = plotRange(p, in)
	}
	for _, v := range s.varied(fuel, st, p.For) {
		out.Bands = append(out.Bands, s.band(fuel, st, p, v))
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
