package plot

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/search"
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
	s.out.Marks = append(s.out.Marks, Mark{Kind: kind, X: x, Y: y, Label: label, Series: series})
}

// sameNumber tells whether a and b are the same for the eye.
func sameNumber(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}
