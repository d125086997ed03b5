package chart

import (
	"math"
	"slices"
)

// curve is a series in the viewBox: what is visible of it.
type curve struct {
	runs    [][]pt // unbroken lines of at least two points
	dots    []pt   // values that stand alone
	data    int    // how many values were drawn
	forward bool   // its points never go back to the left, so that they can be searched
}

// project puts a series into the plot area.
func (l *layout) project(s *Series) curve {
	c := curve{forward: slices.IsSorted(s.X)}
	t := tracer{c: &c, area: l.area}
	for i := range min(len(s.X), len(s.Y)) {
		if !l.x.ok(s.X[i]) || !l.y.ok(s.Y[i]) {
			t.lift()
			continue
		}
		c.data++
		t.to(pt{l.x.pos(s.X[i]), l.y.pos(s.Y[i])})
		if s.Dots {
			t.lift()
		}
	}
	t.lift()
	return c
}

// tracer draws a curve's lines from value to value, within the plot area.
type tracer struct {
	c    *curve
	area box
	run  []pt // the visible line so far
	prev pt   // the last value
	n    int  // the values since the pen was last lifted
}

// to draws on to p.
func (t *tracer) to(p pt) {
	if t.n > 0 {
		a, b, ok := t.area.clip(t.prev, p)
		if !ok || len(t.run) > 0 && t.run[len(t.run)-1] != a {
			t.flush()
		}
		if ok && len(t.run) == 0 {
			t.run = append(t.run, a)
		}
		if ok {
			t.run = append(t.run, b)
		}
	}
	t.prev = p
	t.n++
}

// lift ends the line; a value without neighbours becomes a dot.
func (t *tracer) lift() {
	if t.n == 1 && t.area.has(t.prev) {
		t.c.dots = append(t.c.dots, t.prev)
	}
	t.flush()
	t.n = 0
}

func (t *tracer) flush() {
	if len(t.run) > 1 {
		t.c.runs = append(t.c.runs, thin(t.run))
	}
	t.run = nil
}

// tolerance is how far a drawn line may stray from the data: less than the eye can see.
const tolerance = 0.1

// thin drops the points of a run that lie on the line between the others, in one pass: from the last point that was
// kept it looks along the cone that leads past every dropped point within the tolerance.
func thin(run []pt) []pt {
	kept := []pt{run[0]}
	from := run[0]
	var left, right pt // the sides of the cone, as directions
	open, reach := false, 0.0
	for i := 1; i < len(run); i++ {
		d := pt{run[i].x - from.x, run[i].y - from.y}
		size := length(d)
		if open && (cross(right, d) < 0 || cross(left, d) > 0 || size < reach-tolerance) {
			from = run[i-1]
			kept = append(kept, from)
			d = pt{run[i].x - from.x, run[i].y - from.y}
			size = length(d)
			open, reach = false, 0
		}
		reach = max(reach, size)
		if size <= tolerance {
			continue
		}
		n := pt{-float64(d.y*tolerance) / size, float64(d.x*tolerance) / size}
		r, q := pt{d.x - n.x, d.y - n.y}, pt{d.x + n.x, d.y + n.y}
		if !open || cross(right, r) > 0 {
			right = r
		}
		if !open || cross(left, q) < 0 {
			left = q
		}
		open = true
	}
	return append(kept, run[len(run)-1])
}

func length(d pt) float64 { return math.Sqrt(float64(d.x*d.x) + float64(d.y*d.y)) }

// cross is positive if b points to the left of a (with y upward).
func cross(a, b pt) float64 { return float64(a.x*b.y) - float64(a.y*b.x) }

// from is the index of the end of the first piece of a run that may reach x or lie right of it.
func (c *curve) from(run []pt, x float64) int {
	if !c.forward {
		return 1
	}
	i, _ := slices.BinarySearchFunc(run, x, func(p pt, x float64) int { return order(p.x, x) })
	return max(i, 1)
}

// yAt is the curve's y where it passes x.
func (c *curve) yAt(x float64) (float64, bool) {
	for _, run := range c.runs {
		for i := c.from(run, x); i < len(run); i++ {
			p, q := run[i-1], run[i]
			if x >= min(p.x, q.x) && x <= max(p.x, q.x) && p.x != q.x {
				return p.y + float64((x-p.x)/(q.x-p.x)*(q.y-p.y)), true
			}
		}
	}
	return 0, false
}

// end is the last point of the curve, from left to right as given.
func (c *curve) end() (pt, bool) {
	if len(c.runs) == 0 {
		return pt{}, false
	}
	run := c.runs[len(c.runs)-1]
	return run[len(run)-1], true
}

// meets says whether the curve touches b.
func (c *curve) meets(b box) bool {
	for _, run := range c.runs {
		for i := c.from(run, b.x0); i < len(run); i++ {
			p, q := run[i-1], run[i]
			if c.forward && p.x > b.x1 {
				break
			}
			if max(p.x, q.x) < b.x0 || min(p.x, q.x) > b.x1 || max(p.y, q.y) < b.y0 || min(p.y, q.y) > b.y1 {
				continue
			}
			if _, _, ok := b.clip(p, q); ok {
				return true
			}
		}
	}
	for _, p := range c.dots {
		if b.grow(3).has(p) {
			return true
		}
	}
	return false
}

// crosses says whether the curve crosses the line p..q.
func (c *curve) crosses(p, q pt) bool {
	if q.x < p.x {
		p, q = q, p
	}
	d := pt{q.x - p.x, q.y - p.y}
	for _, run := range c.runs {
		for i := c.from(run, p.x); i < len(run); i++ {
			a, b := run[i-1], run[i]
			if c.forward && a.x > q.x {
				break
			}
			e := pt{b.x - a.x, b.y - a.y}
			apart := cross(d, pt{a.x - p.x, a.y - p.y})*cross(d, pt{b.x - p.x, b.y - p.y}) > 0 ||
				cross(e, pt{p.x - a.x, p.y - a.y})*cross(e, pt{q.x - a.x, q.y - a.y}) > 0
			if !apart && max(a.x, b.x) >= p.x && min(a.x, b.x) <= q.x {
				return true
			}
		}
	}
	return false
}

// fewValues is up to how many values a curve shows each of them with a marker.
const fewValues = 12

// markers are the places of the curve's markers: its values if they are few. A curve of many has none, as a mark on a
// smooth line looks like a measurement: dashes and names tell curves apart.
func (l *layout) markers(i int) []pt {
	c := &l.curves[i]
	at := append([]pt(nil), c.dots...)
	s := &l.p.Series[i]
	if !s.Dots && c.data > 3 && c.data <= fewValues {
		s.each(func(x, y float64) {
			if l.x.ok(x) && l.y.ok(y) {
				if p := (pt{l.x.pos(x), l.y.pos(y)}); l.area.has(p) && len(c.runs) > 0 {
					at = append(at, p)
				}
			}
		})
	}
	return at
}
