package plot

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/search"
)

// crossings marks where two curves of one dimension cross: two rows at one `for` value, or one row at two. Touching or
// running together is no crossing. xs is the even grid, at which all bands are sampled.
func (s *sampler) crossings(xs []float64) {
	type found struct {
		x float64
		b [2]*band
		k [2]int
	}
	var all []found
	for i, b := range s.bands {
		for k := range b.ys {
			for j := i; j < len(s.bands); j++ {
				c := s.bands[j]
				from := k
				if j == i {
					from++
				}
				for l := from; l < len(c.ys) && len(all) < maxMarks; l++ {
					if j != i && l != k || !b.known[k] || !c.known[l] || b.units[k].Dim != c.units[l].Dim {
						continue
					}
					for _, x := range s.cross(xs, b, k, c, l) {
						all = append(all, found{x, [2]*band{b, c}, [2]int{k, l}})
					}
				}
			}
		}
	}
	for _, f := range all {
		s.put(f.b[1], f.x)
		if at, ok := s.put(f.b[0], f.x); ok {
			s.mark("crossing", f.x, f.b[0].ys[f.k[0]][at], -1)
		}
	}
}

// cross are the x at which curve k of b and curve l of c cross.
func (s *sampler) cross(xs []float64, b *band, k int, c *band, l int) []float64 {
	both := func(x float64) (float64, float64, bool) {
		y := b.sw.Num(x)[k]
		if y.Err != nil {
			return 0, 0, false
		}
		left := y.Value.Num.Value
		z := c.sw.Num(x)[l]
		return left, z.Value.Num.Value, z.Err == nil
	}
	samples := make([]search.Look, len(xs))
	for i, x := range xs {
		y, z := b.ys[k][i], c.ys[l][i]
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
	s.out.Marks = append(s.out.Marks, Mark{Kind: kind, X: x, Y: y, Label: label, Series: series})
}

// sameNumber tells whether a and b are the same for the eye.
func sameNumber(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}
