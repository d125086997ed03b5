package plot

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// curve is the k-th curve of a band.
type curve struct {
	*band
	k int
}

// knownCurves are those whose dimension is known, band by band.
func (s *sampler) knownCurves() []curve {
	var all []curve
	for _, b := range s.bands {
		for k := range b.ys {
			if b.known[k] {
				all = append(all, curve{b, k})
			}
		}
	}
	return all
}

// compares says whether readers compare two curves: of one dimension, two rows at one `for` value, or one row at two.
func (c curve) compares(d curve) bool {
	return (c.band == d.band || c.k == d.k) && c.units[c.k].Dim == d.units[d.k].Dim
}

// crossing is an x at which two curves cross.
type crossing struct {
	x    float64
	a, b curve
}

// crossings marks where two curves cross that readers compare. Touching or running together is no crossing. xs is the
// even grid, at which all bands are sampled.
func (s *sampler) crossings(xs []float64) {
	for _, f := range s.crossed(xs) {
		s.put(f.b.band, f.x)
		if at, ok := s.put(f.a.band, f.x); ok {
			s.mark("crossing", f.x, f.a.ys[f.a.k][at], -1)
		}
	}
}

// crossed are the crossings of all pairs that readers compare, up to the pair that fills the plot.
func (s *sampler) crossed(xs []float64) (all []crossing) {
	curves := s.knownCurves()
	for i, a := range curves {
		for _, b := range curves[i+1:] {
			if len(all) >= maxMarks {
				return all
			}
			if !a.compares(b) {
				continue
			}
			for _, x := range s.cross(xs, a, b) {
				all = append(all, crossing{x, a, b})
			}
		}
	}
	return all
}

// cross are the x at which two curves cross.
func (s *sampler) cross(xs []float64, a, b curve) []float64 {
	both := func(x float64) (float64, float64, bool) {
		y := a.sw.Num(x)[a.k]
		if y.Err != nil {
			return 0, 0, false
		}
		left := y.Value.Num.Value
		z := b.sw.Num(x)[b.k]
		return left, z.Value.Num.Value, z.Err == nil
	}
	samples := make([]search.Look, len(xs))
	for i, x := range xs {
		y, z := a.ys[a.k][i], b.ys[b.k][i]
		samples[i] = search.Look{X: x, Left: y, Right: z, OK: !math.IsNaN(y) && !math.IsNaN(z)}
	}
	return search.Crossings(both, s.scale, samples)
}

func (s *sampler) seriesIndex(b *band, k int) int {
	for i, c := range s.bands {
		if c == b {
			return i*len(s.p.Y) + k
		}
	}
	return -1
}

// mark notes a place, unless it is marked already or the plot is full.
func (s *sampler) mark(kind string, x, y float64, series int) {
	if math.IsNaN(y) {
		return
	}
	n := 0
	for _, m := range s.out.Marks {
		if sameNumber(m.X, x) && sameNumber(m.Y, y) {
			return
		}
		if m.Kind == kind {
			n++
		}
	}
	if n >= maxMarks {
		return
	}
	label := s.p.Over.Quantity(x).String()
	if !strings.ContainsFunc(label, unicode.IsLetter) {
		label = s.out.X.Name + " = " + label
	}
	s.out.Marks = append(s.out.Marks, Mark{Kind: kind, X: x, Y: y, Label: label, Series: series})
}

// sameNumber tells whether a and b are the same for the eye.
func sameNumber(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// verticals are the rows that the plot's author wants marked on the x axis: once if they are the same in all bands.
func (s *sampler) verticals() {
	for _, row := range s.p.Marks {
		for _, b := range s.bands {
			v, ok := s.present(b, row.Name)
			if !ok || v.Kind != value.Number {
				continue
			}
			label := row.Label + " " + v.String()
			if b.Word != "" && s.varies(row.Name) {
				label += ", " + b.Word
			}
			m := Mark{Kind: "mark", X: v.Num.Value, Y: math.NaN(), Label: label, Series: -1}
			if !s.hasVertical(m) {
				s.out.Marks = append(s.out.Marks, m)
			}
		}
	}
}

// present is a row's value where the input stands now, if it has one.
func (s *sampler) present(b *band, name string) (value.Value, bool) {
	rows := b.Sweep([]string{name}).Num(s.out.Current)
	if len(rows) == 0 || rows[0].Err != nil {
		return value.Value{}, false
	}
	return rows[0].Value, true
}

func (s *sampler) hasVertical(m Mark) bool {
	for _, old := range s.out.Marks {
		if old.Kind == "mark" && old.Label == m.Label && sameNumber(old.X, m.X) {
			return true
		}
	}
	return false
}

// varies tells whether a row has different values in the bands.
func (s *sampler) varies(name string) bool {
	first, known := 0.0, false
	for _, b := range s.bands {
		now, ok := s.present(b, name)
		if !ok {
			return true
		}
		v := now.Num.Value
		if known && !sameNumber(v, first) {
			return true
		}
		first, known = v, true
	}
	return false
}

// ridges marks where a curve that is a min or max as a whole changes from one of its operands to another.
func (s *sampler) ridges(xs []float64) {
	for _, b := range s.bands {
		for k, y := range s.p.Y {
			e := b.Extreme(y.Name)
			if e == nil {
				continue
			}
			for _, x := range e.changes(xs, s.scale) {
				if at, ok := s.put(b, x); ok {
					s.mark("ridge", x, b.ys[k][at], s.seriesIndex(b, k))
				}
			}
		}
	}
}

// winner is the operand that is the min or max; -1 if one has no value, or two share the place, as far as rounding lets
// it be known: a sample that falls on a round ridge, of 100 in 1..10000, is beside it by a bit.
func (e *Extreme) winner(ys []float64) int {
	best := 0
	for i, y := range ys {
		if math.IsNaN(y) {
			return -1
		}
		if e.Least && y < ys[best] || !e.Least && y > ys[best] {
			best = i
		}
	}
	for i, y := range ys {
		if i != best && (search.Look{Left: y, Right: ys[best], OK: true}).Sign() == 0 {
			return -1
		}
	}
	return best
}

// changes are the x at which the winner changes, among samples at xs.
func (e *Extreme) changes(xs []float64, scale search.Interval) []float64 {
	var at []float64
	last, from := -1, 0.0
	var ys, before []float64
	for _, x := range xs {
		ys = e.Operands(x, ys)
		w := e.winner(ys)
		if w >= 0 && last >= 0 && w != last && len(at) < maxMarks {
			at = append(at, e.between(scale, last, w, from, x, before, ys)...)
		}
		if w >= 0 {
			last, from = w, x
			before = append(before[:0], ys...)
		} else if slices.ContainsFunc(ys, math.IsNaN) {
			last = -1
		}
	}
	return at
}

// between is where operand w takes over from operand v, between from and to.
func (e *Extreme) between(scale search.Interval, v, w int, from, to float64, before, after []float64) []float64 {
	var ys []float64
	both := func(x float64) (float64, float64, bool) {
		ys = e.Operands(x, ys)
		return ys[v], ys[w], !math.IsNaN(ys[v]) && !math.IsNaN(ys[w])
	}
	a := search.Look{X: from, Left: before[v], Right: before[w], OK: true}
	b := search.Look{X: to, Left: after[v], Right: after[w], OK: true}
	return search.Changeovers(both, scale, a, b)
}

// sharpen adds samples where a curve has a corner, jumps, or begins and ends to have a value: without them, a corner
// between two samples is cut off.
func (s *sampler) sharpen() {
	for _, b := range s.bands {
		budget := maxCorners
		for k := range b.ys {
			if !b.known[k] {
				continue
			}
			c := s.corners(b, k)
			c.edges(&budget)
			c.find(&budget)
			for _, x := range c.found {
				s.put(b, x)
			}
		}
	}
}

// corners looks for the corners of one curve, on the scales on which it is drawn.
type corners struct {
	x, y   search.Interval
	f      func(x float64) float64
	points []point
	height float64 // of the curve, on its scale
	found  []float64
}

// point is a sample on the scales: u along the axis, v up.
type point struct{ x, u, v float64 }

func (s *sampler) corners(b *band, k int) *corners {
	c := &corners{x: s.scale, y: search.Interval{Log: s.out.Y.Log}}
	c.f = func(x float64) float64 {
		row := b.sw.Num(x)[k]
		if row.Err != nil || row.Value.Kind != value.Number || !row.Value.Num.IsFinite() {
			return math.NaN()
		}
		return row.Value.Num.Value
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, x := range b.xs {
		p := c.scaled(x, b.ys[k][i])
		c.points = append(c.points, p)
		if !math.IsNaN(p.v) {
			lo, hi = min(lo, p.v), max(hi, p.v)
		}
	}
	c.height = hi - lo
	return c
}

func (c *corners) scaled(x, y float64) point {
	if c.y.Log && y <= 0 {
		y = math.NaN()
	}
	if !math.IsNaN(y) {
		y = c.y.Coordinate(y)
	}
	return point{x, c.x.Coordinate(x), y}
}

func (c *corners) look(x float64) point { return c.scaled(x, c.f(x)) }

// edges adds the outermost places where the curve has a value.
func (c *corners) edges(budget *int) {
	for i := 1; i < len(c.points) && *budget > 0; i++ {
		a, b := c.points[i-1], c.points[i]
		if math.IsNaN(a.v) == math.IsNaN(b.v) {
			continue
		}
		*budget--
		for range 40 {
			m := c.look(c.x.Middle(a.x, b.x))
			if m.x <= a.x || m.x >= b.x {
				break
			}
			if math.IsNaN(m.v) == math.IsNaN(a.v) {
				a = m
			} else {
				b = m
			}
		}
		if math.IsNaN(a.v) {
			a = b
		}
		c.found = append(c.found, a.x)
	}
}

// bend is by how much the slope changes at p, from l to r.
func bend(l, p, r point) float64 {
	return math.Abs((r.v-p.v)/(r.u-p.u) - (p.v-l.v)/(p.u-l.u))
}

// find adds the corners: cells in which the slope changes much more than in the cells beside it, and by enough to be
// seen. A sample that is itself a corner is one already.
func (c *corners) find(budget *int) {
	const (
		sharper = 3.0
		visible = 2e-4 // of the curve's height
	)
	p := c.points
	bends := make([]float64, len(p))
	for i := 1; i+1 < len(p); i++ {
		bends[i] = bend(p[i-1], p[i], p[i+1])
	}
	for i := 1; i+2 < len(p) && *budget > 0; i++ {
		here := bends[i] + bends[i+1]
		cut := bends[i] * bends[i+1] / here * (p[i+1].u - p[i].u) // how much of the corner a straight line cuts off
		if !(cut > visible*c.height) {
			continue
		}
		beside := 0.0
		if i >= 2 {
			beside += bends[i-1]
		}
		if i+3 < len(p) {
			beside += bends[i+2]
		}
		if !(here > sharper*beside) || min(bends[i], bends[i+1]) < beside {
			continue
		}
		*budget--
		c.locate(p[i-1], p[i], p[i+1], p[i+2])
	}
}

// locate halves the cell from a to b until the corner in it is pinned down; l and r are the samples beside it.
func (c *corners) locate(l, a, b, r point) {
	rise := math.Abs(b.v - a.v)
	for range 34 {
		m := c.look(c.x.Middle(a.x, b.x))
		if math.IsNaN(m.v) || m.u <= a.u || m.u >= b.u {
			break
		}
		if bend(l, a, m)+bend(a, m, b) >= bend(a, m, b)+bend(m, b, r) {
			b, r = m, b
		} else {
			l, a = a, m
		}
	}
	c.found = append(c.found, a.x)
	if math.Abs(b.v-a.v) > 1e-3*rise && math.Abs(b.v-a.v) > 1e-6*c.height {
		c.found = append(c.found, b.x) // a jump: both its ends
	}
	slices.Sort(c.found)
}
