// Package plot samples curves over an input, closely where something happens: at corners and jumps, where two curves
// cross, and where a curve goes over from one operand of a min or max to another. It finds what the axes are, and the
// places worth marking.
//
// It knows neither sheets nor drawings. A [Plot] says what to sample, and its bands evaluate rows; package sheet makes
// it of a `plot` statement. The [Data] are numbers, which package chart draws.
package plot

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Plot says what to sample.
type Plot struct {
	Title   string
	Over    *input.Input    // along the x axis: a number, or a menu
	Label   string          // of the x axis
	Now     value.Value     // the input's present value
	Range   search.Interval // of a number: the stretch that is drawn
	Log     *bool           // the y axis is logarithmic; nil lets the data decide
	Y       []Row           // a curve each, in every band
	Marks   []Row           // whose values are marked on the x axis
	Bands   []Band
	Main    string       // the row of the result, which needs those of other curves
	Spent   func() error // why no more rows may be evaluated, nil while they may
	Phrases phrase.Phrases
}

// Row is a row of the sheet, and what readers call it.
type Row struct{ Name, Label string }

// Band evaluates the curves of one value of `for`; without `for` there is one band, and it has no word.
type Band struct {
	Word string // "D = 1,024"
	Main bool   // it is where the sheet stands
	// Sweep prepares to evaluate the rows of these names.
	Sweep func(names []string) Sweep
	// Extreme is the min or max that the row of that name is as a whole, nil if it is none.
	Extreme func(name string) *Extreme
}

// Sweep evaluates rows again and again while the input varies. The next call reuses the slice.
type Sweep interface {
	Num(x float64) []expr.Row    // where the input is the number x, in base units
	At(v value.Value) []expr.Row // where it is v
}

// Extreme is a min or max.
type Extreme struct {
	Least bool // min
	// Operands are its operands where the input is x, in the space of out; NaN where one has no value.
	Operands func(x float64, out []float64) []float64
}

// Bounds of a plot.
const (
	samples    = 121 // of the even grid
	maxCorners = 24  // corners and jumps made sharp, of each band
	maxMarks   = 12  // crossings and ridges of a plot, each
	logDecades = 1.5 // a y axis that spans more becomes logarithmic beside a logarithmic x axis

	// MaxPoints is how many points a curve has at most.
	MaxPoints = samples + 1 + 2*maxCorners + 2*maxMarks
)

// Sample samples p: some 120 points a curve, and more where a curve has a corner or meets another, so that both are
// drawn where they are. The curves of one band share their x.
func (p *Plot) Sample() *Data {
	s := &sampler{p: p, out: &Data{Title: p.Title, X: p.xAxis(), Current: math.NaN()}}
	for i := range p.Bands {
		if p.Spent() == nil {
			s.bands = append(s.bands, newBand(p, &p.Bands[i]))
		}
	}
	if p.Over.IsNumber() {
		s.out.Current = p.Now.Num.Value
		s.curves()
	} else {
		s.menu()
	}
	s.finish()
	return s.out
}

// Data is a plot, sampled: plain numbers in base units.
type Data struct {
	Title   string
	X       Axis
	Y       Axis
	Series  []Series
	Marks   []Mark
	Current float64 // the x input's present value; over a menu the index of its choice; NaN if it isn't there
	Err     error
}

// Axis describes an axis.
type Axis struct {
	Name, Label string
	Dim         quantity.Dim
	Unit        quantity.Quantity // Value 1 with the label and binary flag to print ticks with
	Log         bool
	Min, Max    float64
	Categories  []string // for a plot over a menu: names in order, x being the index
}

// Series is one curve. Undefined stretches are NaN.
type Series struct {
	Name, Label string // label already says the `for` value, if any
	X, Y        []float64
	Main        bool // it is the result, or where the sheet stands
}

// Mark is a place worth marking: where two curves cross, where a min or max changes over (a ridge point), or a `mark`.
type Mark struct {
	Kind   string  // "crossing", "ridge", "mark"
	X, Y   float64 // Y is NaN for a vertical mark
	Label  string
	Series int // index, -1 if none
}

// sampler samples one plot.
type sampler struct {
	p     *Plot
	scale search.Interval
	out   *Data
	bands []*band
	err   error // why the last row without a value had none
}

// band is a band with its curves so far, and the x at which they are sampled.
type band struct {
	*Band
	sw    Sweep
	xs    []float64   // ascending
	ys    [][]float64 // of each curve, parallel to xs; NaN where it has no value
	units []quantity.Quantity
	known []bool    // units[i] is known
	now   []float64 // what read returned last
}

func newBand(p *Plot, from *Band) *band {
	n := len(p.Y)
	b := &band{Band: from, ys: make([][]float64, n), units: make([]quantity.Quantity, n)}
	b.known, b.now = make([]bool, n), make([]float64, n)
	names := make([]string, n)
	for i, y := range p.Y {
		names[i] = y.Name
	}
	b.sw = b.Sweep(names)
	return b
}

// read takes the curves' values out of swept rows. The slice is reused by the next call.
func (s *sampler) read(b *band, rows []expr.Row) []float64 {
	ys := b.now
	for i := range ys {
		ys[i] = math.NaN()
		if i >= len(rows) {
			continue
		}
		switch v := rows[i].Value; {
		case rows[i].Err != nil:
			s.err = rows[i].Err
		case v.Kind == value.Number && v.Num.IsFinite():
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
func (s *sampler) put(b *band, x float64) (int, bool) {
	i, found := slices.BinarySearch(b.xs, x)
	if found {
		return i, true
	}
	ys := s.read(b, b.sw.Num(x))
	if s.p.Spent() != nil {
		return 0, false
	}
	b.xs = insert(b.xs, i, x)
	for k := range b.ys {
		b.ys[k] = insert(b.ys[k], i, ys[k])
	}
	return i, true
}

// insert puts x at the i-th place: the library's way is much code for the browser.
func insert(all []float64, i int, x float64) []float64 {
	all = append(all, x)
	copy(all[i+1:], all[i:])
	all[i] = x
	return all
}

// menu samples a plot over a menu: x is the index of the option.
func (s *sampler) menu() {
	options := s.p.Over.Menu
	if len(s.bands) == 1 && len(s.p.Y) == 1 {
		options = s.ranked(options)
	}
	for i, o := range options {
		s.out.X.Categories = append(s.out.X.Categories, o.Name)
		for _, b := range s.bands {
			b.xs = append(b.xs, float64(i))
			for k, y := range s.read(b, b.sw.At(o.Value)) {
				b.ys[k] = append(b.ys[k], y)
			}
		}
	}
	now := s.p.Over.Typed(s.p.Now)
	if i := slices.IndexFunc(options, func(o input.Option) bool { return o.ID == now }); i >= 0 {
		s.out.Current = float64(i)
	}
	s.out.X.Max = float64(max(0, len(options)-1))
	s.yAxis()
}

// ranked are the options of a menu for bars: from the smallest value to the largest, and those that have one. Numbers
// stay in their own order, and so do all if none has a value.
func (s *sampler) ranked(options []input.Option) []input.Option {
	type bar struct {
		input.Option
		y float64
	}
	var bars []bar
	for _, o := range options {
		y := s.read(s.bands[0], s.bands[0].sw.At(o.Value))[0]
		if !math.IsNaN(y) { // each in its place: a sort of its own type is much code for the browser
			bars = append(bars, bar{o, y})
			for i := len(bars) - 1; i > 0 && bars[i].y < bars[i-1].y; i-- {
				bars[i], bars[i-1] = bars[i-1], bars[i]
			}
		}
		if o.Value.Kind == value.Number {
			return options
		}
	}
	if len(bars) == 0 {
		return options
	}
	out := make([]input.Option, len(bars))
	for i, b := range bars {
		out[i] = b.Option
	}
	return out
}

// curves samples a plot over a number.
func (s *sampler) curves() {
	s.scale = s.p.Range
	xs := []float64{s.scale.Lo}
	if s.scale.Lo < s.scale.Hi {
		xs = s.scale.Grid(samples)
	}
	if x := s.out.Current; x > s.scale.Lo && x < s.scale.Hi {
		xs = append(xs, x)
		slices.Sort(xs)
		xs = slices.Compact(xs)
	}
	for _, b := range s.bands {
		b.xs = slices.Grow(slices.Clone(xs), maxCorners)
		for k := range b.ys {
			b.ys[k] = make([]float64, 0, len(xs)+maxCorners)
		}
		for _, x := range xs {
			for k, y := range s.read(b, b.sw.Num(x)) {
				b.ys[k] = append(b.ys[k], y)
			}
			if s.p.Spent() != nil {
				s.bands, s.out.Err = nil, s.p.Spent()
				return
			}
		}
	}
	s.yAxis()
	s.crossings(xs)
	s.ridges(xs)
	s.sharpen()
	s.verticals()
}

// finish turns the bands into series.
func (s *sampler) finish() {
	any := false
	for _, b := range s.bands {
		for k, y := range s.p.Y {
			ys := b.ys[k]
			for i, v := range ys {
				if s.out.Y.Log && v <= 0 {
					ys[i] = math.NaN()
				}
				any = any || !math.IsNaN(v)
			}
			s.out.Series = append(s.out.Series, Series{Name: y.Name, Label: s.seriesLabel(y, b.Word), X: b.xs, Y: ys,
				Main: b.Main || y.Name == s.p.Main})
		}
	}
	if s.out.Err == nil && !any {
		s.out.Err = phrase.New("sheet.nothing-to-draw")
		if s.err != nil {
			s.out.Err = s.err
		}
	}
}

// xAxis describes the axis of the input: its label with its letter, as in "Tokens in the sequence, S". A name that is a
// word, as load, says nothing beside a label.
func (p *Plot) xAxis() Axis {
	a := Axis{Name: p.Over.Name, Label: p.Label}
	if len(a.Name) == 1 && !strings.EqualFold(a.Label, a.Name) {
		a.Label += ", " + a.Name
	}
	if !p.Over.IsNumber() {
		return a
	}
	a.Min, a.Max, a.Log = p.Range.Lo, p.Range.Hi, p.Range.Log
	a.Unit = p.Over.Quantity(1)
	a.Dim = a.Unit.Dim
	return a
}

// yAxis decides what the curves' common axis is, from their samples on the even grid.
func (s *sampler) yAxis() {
	y := &s.out.Y
	s.yUnit(y)
	s.yLabel(y)
	lo, hi := s.extent()
	if lo > hi {
		return
	}
	y.Log = lo > 0 && s.out.X.Log && math.Log10(hi/lo) > logDecades
	if s.p.Log != nil {
		y.Log = *s.p.Log && hi > 0
	}
	y.Min, y.Max = lo, hi
	switch {
	case y.Log && lo <= 0:
		y.Min, y.Max = s.aroundResult(s.leastPositive(), hi)
	case y.Log:
		y.Min, y.Max = s.aroundResult(lo, hi)
	case lo > 0 && lo < 0.7*hi:
		y.Min = 0
	}
}

// aroundResult is the part of lo to hi that a logarithmic axis shows: around the result as far above and below it as
// it extends itself, at least a half decade. What explains it need not be seen where it is much smaller or larger.
func (s *sampler) aroundResult(lo, hi float64) (float64, float64) {
	k := slices.IndexFunc(s.p.Y, func(y Row) bool { return y.Name == s.p.Main })
	if k < 0 {
		return lo, hi
	}
	least, most := math.Inf(1), 0.0
	for _, b := range s.bands {
		for _, v := range b.ys[k] {
			if v > 0 {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if most == 0 {
		return lo, hi
	}
	more := max(most/least, 3)
	return max(lo, least/more), min(hi, most*more)
}

// yUnit is what all curves are measured in: a label or binary prefixes only if they share them.
func (s *sampler) yUnit(y *Axis) {
	first := true
	for _, b := range s.bands {
		for k, q := range b.units {
			switch {
			case !b.known[k]:
				continue
			case first:
				y.Unit, first = q, false
			case q.Dim != y.Unit.Dim:
				s.out.Err = phrase.New("sheet.one-axis-two-dims", "dim", y.Unit.Dim.Words(), "other", q.Dim.Words())
			}
			y.Unit.Binary = y.Unit.Binary && q.Binary
			if q.Label != y.Unit.Label {
				y.Unit.Label = quantity.Label{}
			}
		}
	}
	y.Unit.Value, y.Dim = 1, y.Unit.Dim
}

// extent is the least and the greatest value of all curves; lo > hi if there is none.
func (s *sampler) extent() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, b := range s.bands {
		for _, ys := range b.ys {
			for _, v := range ys {
				if !math.IsNaN(v) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	return lo, hi
}

// yLabel names the y axis: one row by its label, several by what they measure.
func (s *sampler) yLabel(y *Axis) {
	if len(s.p.Y) == 1 {
		y.Name, y.Label = s.p.Y[0].Name, s.p.Y[0].Label
		return
	}
	head, tail := s.p.shared()
	if head != "" {
		y.Label = head
		return
	}
	defer func() {
		if tail != "" {
			y.Label += ", " + tail
		}
	}()
	if y.Dim.IsZero() {
		word := phrase.New("sheet.axis-number")
		if y.Unit.IsPercent() {
			word = phrase.New("sheet.axis-share")
		}
		y.Label = word.In(s.p.Phrases)
		return
	}
	words := y.Dim.Words().In(s.p.Phrases)
	y.Label = phrase.Capital(words)
}

func (s *sampler) leastPositive() float64 {
	least := math.Inf(1)
	for _, b := range s.bands {
		for _, ys := range b.ys {
			for _, v := range ys {
				if v > 0 {
					least = min(least, v)
				}
			}
		}
	}
	return least
}

// seriesLabel is what the legend calls a curve.
func (s *sampler) seriesLabel(y Row, word string) string {
	switch {
	case len(s.p.Y) == 1 && word == "":
		return y.Label
	case len(s.p.Y) == 1:
		return word
	}
	label := y.Label
	if head, tail := s.p.shared(); head != "" {
		label = phrase.Capital(strings.TrimPrefix(label, head+", "))
	} else if tail != "" {
		label = strings.TrimSuffix(label, ", "+tail)
	}
	if word == "" {
		return label
	}
	return label + ", " + word
}

// shared is what the labels of several rows have in common before their first comma, or else behind their last: the
// axis says it once. "Speedup, achieved" and "Speedup, ideal" are "Achieved" and "Ideal" on an axis of speedups.
func (p *Plot) shared() (head, tail string) {
	for i, y := range p.Y {
		h, _, ok := strings.Cut(y.Label, ", ")
		t := y.Label[strings.LastIndex(y.Label, ", ")+1:]
		if !ok || len(p.Y) == 1 {
			return "", ""
		}
		if i == 0 {
			head, tail = h, strings.TrimSpace(t)
			continue
		}
		if h != head {
			head = ""
		}
		if strings.TrimSpace(t) != tail {
			tail = ""
		}
	}
	return head, tail
}
