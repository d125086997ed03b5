package plot

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
