package sheet

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Bounds of a plot.
const (
	plotSamples = 121 // of the even grid
	maxCorners  = 24  // corners and jumps made sharp, of each swept state
	maxMarks    = 12  // crossings and ridges of a plot, each
	logDecades  = 1.5 // a y axis that spans more becomes logarithmic beside a logarithmic x axis
)

// PlotData samples a plot in state st: some 120 points a curve, and more where a curve has a corner or meets another,
// so that both are drawn where they are. The curves of one `for` value share their x.
func (s *Sheet) PlotData(st State, p *Plot) *PlotData {
	return s.plotOn(s.share(maxFuel), st, p)
}

// plotOn is PlotData with the given fuel.
func (s *Sheet) plotOn(fuel *int, st State, p *Plot) *PlotData {
	d := &PlotData{Plot: p, Title: s.fill(st, p.Caption), Current: math.NaN()}
	in := s.InputIn(st, p.Over)
	if in == nil {
		d.Err = phrase.New("sheet.no-input-named", "name", p.Over)
		return d
	}
	if d.Title == "" {
		d.Title = s.plotTitle(st, p, in)
	}
	d.X = s.xAxis(st, p, in)
	pl := &plotter{s: s, st: st, p: p, in: in, out: d, fuel: fuel}
	for _, v := range s.varied(pl.fuel, st, p.For) {
		if *pl.fuel >= 0 {
			pl.bands = append(pl.bands, pl.band(st, v))
		}
	}
	if in.IsNumber() {
		d.Current = s.current(st, in)
		pl.curves(st)
	} else {
		pl.menu()
	}
	pl.finish()
	return d
}

// plotter samples one plot.
type plotter struct {
	s     *Sheet
	st    State // for labels
	p     *Plot
	in    *Input
	scale search.Interval
	out   *PlotData
	bands []*band
	err   error // why the last row without a value had none
	fuel  *int  // what all its sweeps may cost together
}

// band is what the curves of one `for` value share: the state, the sweep, and the x at which they are sampled.
type band struct {
	st    State
	word  string // "D = 1,024"; empty without `for`
	sw    *sweeper
	names []string    // what sw sweeps: the plot's curves first
	xs    []float64   // ascending
	ys    [][]float64 // of each curve, parallel to xs; NaN where it has no value
	units []quantity.Quantity
	known []bool    // units[i] is known
	now   []float64 // what read returned last
}

// varied are the states' differences that `for` asks for: a single nil without it.
func (s *Sheet) varied(fuel *int, st State, v *Vary) []*Option {
	if v == nil {
		return []*Option{nil}
	}
	in := s.InputIn(st, v.Name)
	if in == nil {
		return []*Option{nil}
	}
	var out []*Option
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
		if x.Kind == Number || x.Kind == Bool {
			name = in.Name + " = " + name
		}
		out = append(out, &Option{Name: name, Value: x})
	}
	return out
}

func (pl *plotter) band(st State, v *Option) *band {
	b := &band{st: st, names: slices.Clone(pl.p.Y)}
	if v != nil {
		b.st, b.word = st.With(pl.p.For.Name, v.Value), v.Name
	}
	n := len(pl.p.Y)
	b.ys, b.units, b.known, b.now = make([][]float64, n), make([]quantity.Quantity, n), make([]bool, n), make([]float64, n)
	b.sw = pl.s.sweepOn(pl.fuel, b.st, pl.in.Name, b.names)
	return b
}

// read takes the curves' values out of swept rows. The slice is reused by the next call.
func (pl *plotter) read(b *band, rows []Row) []float64 {
	ys := b.now
	for i := range ys {
		ys[i] = math.NaN()
		if i >= len(rows) {
			continue
		}
		switch v := rows[i].Value; {
		case rows[i].Err != nil:
			pl.err = rows[i].Err
		case v.Kind == Number && v.Num.IsFinite():
			ys[i] = v.Num.Value
			if !b.known[i] {
				b.units[i], b.known[i] = v.Num, true
			}
		}
	}
	return ys
}

// put samples the band at x and files the values in their place; it returns the index. It is false where the plot has
// cost too much already.
func (pl *plotter) put(b *band, x float64) (int, bool) {
	i, found := slices.BinarySearch(b.xs, x)
	if found {
		return i, true
	}
	ys := pl.read(b, b.sw.num(x))
	if *pl.fuel < 0 {
		return 0, false
	}
	b.xs = slices.Insert(b.xs, i, x)
	for k := range b.ys {
		b.ys[k] = slices.Insert(b.ys[k], i, ys[k])
	}
	return i, true
}

// menu samples a plot over a menu: x is the index of the option.
func (pl *plotter) menu() {
	for i, o := range pl.in.Menu {
		pl.out.X.Categories = append(pl.out.X.Categories, o.Name)
		for _, b := range pl.bands {
			b.xs = append(b.xs, float64(i))
			for k, y := range pl.read(b, b.sw.rowsAt(o.Value)) {
				b.ys[k] = append(b.ys[k], y)
			}
		}
	}
	now := pl.in.Typed(pl.s.present(pl.st, pl.in))
	if i := slices.IndexFunc(pl.in.Menu, func(o Option) bool { return o.ID == now }); i >= 0 {
		pl.out.Current = float64(i)
	}
	pl.out.X.Max = float64(max(0, len(pl.in.Menu)-1))
	pl.yAxis()
}

// curves samples a plot over a number.
func (pl *plotter) curves(st State) {
	pl.scale = pl.s.plotRange(pl.p, pl.in)
	xs := []float64{pl.scale.Lo}
	if pl.scale.Lo < pl.scale.Hi {
		xs = pl.scale.Grid(plotSamples)
	}
	if x := pl.out.Current; x > pl.scale.Lo && x < pl.scale.Hi {
		xs = append(xs, x)
		slices.Sort(xs)
		xs = slices.Compact(xs)
	}
	for _, b := range pl.bands {
		b.xs = slices.Grow(slices.Clone(xs), maxCorners)
		for k := range b.ys {
			b.ys[k] = make([]float64, 0, len(xs)+maxCorners)
		}
		for _, x := range xs {
			for k, y := range pl.read(b, b.sw.num(x)) {
				b.ys[k] = append(b.ys[k], y)
			}
			if *pl.fuel < 0 {
				pl.bands, pl.out.Err = nil, errFuel
				return
			}
		}
	}
	pl.yAxis()
	pl.crossings(xs)
	pl.ridges(xs)
	pl.sharpen()
	pl.verticals(st)
}

// plotRange is the stretch of the input that a plot shows.
func (s *Sheet) plotRange(p *Plot, in *Input) search.Interval {
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

// finish turns the bands into series.
func (pl *plotter) finish() {
	any := false
	for _, b := range pl.bands {
		for k, name := range pl.p.Y {
			ys := b.ys[k]
			for i, y := range ys {
				if pl.out.Y.Log && y <= 0 {
					ys[i] = math.NaN()
				}
				any = any || !math.IsNaN(y)
			}
			pl.out.Series = append(pl.out.Series, Series{Name: name, Label: pl.seriesLabel(name, b.word), X: b.xs, Y: ys})
		}
	}
	if pl.out.Err == nil && !any {
		pl.out.Err = phrase.New("sheet.nothing-to-draw")
		if pl.err != nil {
			pl.out.Err = pl.err
		}
	}
}
