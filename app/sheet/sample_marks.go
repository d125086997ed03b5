package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/search"
)

// crossings marks where two curves of one dimension cross: two rows at one `for` value, or one row at two. Touching or
// running together is no crossing. xs is the even grid, at which all bands are sampled.
func (pl *plotter) crossings(xs []float64) {
	type found struct {
		x float64
		b [2]*band
		k [2]int
	}
	var all []found
	for i, b := range pl.bands {
		for k := range b.ys {
			for j := i; j < len(pl.bands); j++ {
				c := pl.bands[j]
				from := k
				if j == i {
					from++
				}
				for l := from; l < len(c.ys) && len(all) < maxMarks; l++ {
					if j != i && l != k || !b.known[k] || !c.known[l] || b.units[k].Dim != c.units[l].Dim {
						continue
					}
					for _, x := range pl.cross(xs, b, k, c, l) {
						all = append(all, found{x, [2]*band{b, c}, [2]int{k, l}})
					}
				}
			}
		}
	}
	for _, f := range all {
		pl.put(f.b[1], f.x)
		if at, ok := pl.put(f.b[0], f.x); ok {
			pl.mark("crossing", f.x, f.b[0].ys[f.k[0]][at], -1)
		}
	}
}

// cross are the x at which curve k of b and curve l of c cross.
func (pl *plotter) cross(xs []float64, b *band, k int, c *band, l int) []float64 {
	both := func(x float64) (float64, float64, bool) {
		y := b.sw.num(x)[k]
		if y.Err != nil {
			return 0, 0, false
		}
		left := y.Value.Num.Value
		z := c.sw.num(x)[l]
		return left, z.Value.Num.Value, z.Err == nil
	}
	samples := make([]search.Look, len(xs))
	for i, x := range xs {
		y, z := b.ys[k][i], c.ys[l][i]
		samples[i] = search.Look{X: x, Left: y, Right: z, OK: !math.IsNaN(y) && !math.IsNaN(z)}
	}
	return search.Crossings(both, pl.scale, samples)
}

// ridges marks where a curve that is a min or max as a whole changes from one of its operands to another.
func (pl *plotter) ridges(xs []float64) {
	for _, b := range pl.bands {
		for k, name := range pl.p.Y {
			r := pl.ridgeOf(b, name)
			if r == nil {
				continue
			}
			for _, x := range r.changes(xs, pl.scale) {
				if at, ok := pl.put(b, x); ok {
					pl.mark("ridge", x, b.ys[k][at], pl.seriesIndex(b, k))
				}
			}
		}
	}
}

func (pl *plotter) seriesIndex(b *band, k int) int {
	for i, c := range pl.bands {
		if c == b {
			return i*len(pl.p.Y) + k
		}
	}
	return -1
}

// mark notes a place, unless it is marked already or the plot is full.
func (pl *plotter) mark(kind string, x, y float64, series int) {
	if math.IsNaN(y) {
		return
	}
	n := 0
	for _, m := range pl.out.Marks {
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
	label := pl.in.Quantity(x).String()
	pl.out.Marks = append(pl.out.Marks, PlotMark{Kind: kind, X: x, Y: y, Label: label, Series: series})
}

// sameNumber tells whether a and b are the same for the eye.
func sameNumber(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// verticals are the rows that the plot's author wants marked on the x axis: once if they are the same in all bands.
func (pl *plotter) verticals(st State) {
	for _, name := range pl.p.Marks {
		for _, b := range pl.bands {
			rows := pl.s.sweepOn(pl.fuel, b.st, pl.in.Name, []string{name}).num(pl.out.Current)
			if len(rows) == 0 || rows[0].Err != nil || rows[0].Value.Kind != Number {
				continue
			}
			label := pl.s.labelOf(pl.st, name) + " " + rows[0].Value.String()
			if b.word != "" && pl.varies(name) {
				label += ", " + b.word
			}
			m := PlotMark{Kind: "mark", X: rows[0].Value.Num.Value, Y: math.NaN(), Label: label, Series: -1}
			if !pl.hasVertical(m) {
				pl.out.Marks = append(pl.out.Marks, m)
			}
		}
	}
}

func (pl *plotter) hasVertical(m PlotMark) bool {
	for _, old := range pl.out.Marks {
		if old.Kind == "mark" && old.Label == m.Label && sameNumber(old.X, m.X) {
			return true
		}
	}
	return false
}

// varies tells whether a row has different values in the bands.
func (pl *plotter) varies(name string) bool {
	first, known := 0.0, false
	for _, b := range pl.bands {
		rows := pl.s.sweepOn(pl.fuel, b.st, pl.in.Name, []string{name}).num(pl.out.Current)
		if len(rows) == 0 || rows[0].Err != nil {
			return true
		}
		v := rows[0].Value.Num.Value
		if known && !sameNumber(v, first) {
			return true
		}
		first, known = v, true
	}
	return false
}
