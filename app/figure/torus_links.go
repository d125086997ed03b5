package figure

import "github.com/scalebook/scalebook/app/markup"

// lines calls f for each line of dots along an axis, with its first dot.
func (t *torus) lines(axis int, f func(first [3]float64)) {
	n := [3]int{1, 1, 1}
	copy(n[:], t.sides)
	n[axis] = 1
	for z := range n[2] {
		for y := range n[1] {
			for x := range n[0] {
				f([3]float64{float64(x), float64(y), float64(z)})
			}
		}
	}
}

const stub = 0.34 // of a step: how far a ring's line sticks out

// links are the lines along an axis.
func (t *torus) links(axis int) string {
	var w markup.Pen
	last := float64(t.sides[axis] - 1)
	out := 0.0
	if t.sl.Axes[axis].Wrap {
		out = stub
	}
	if last+out == 0 {
		return "M0 0"
	}
	t.lines(axis, func(p [3]float64) {
		if t.hidden(p, axis) {
			return
		}
		from, to := p, p
		from[axis], to[axis] = -out, last+out
		t.draw(&w, "M", from)
		t.draw(&w, "L", to)
	})
	return w.String()
}

// arc is the way back of one line of an axis that wraps around, along the outside.
func (t *torus) arc(axis int) string {
	if !t.sl.Axes[axis].Wrap {
		return "M0 0"
	}
	p := t.outside(axis)
	from, to, bend := p, p, p
	last := float64(t.sides[axis] - 1)
	from[axis], to[axis] = -stub, last+stub
	away := t.away(axis)
	reach := 1.1 + 0.03*last
	bend[away] += reach
	if p[away] == 0 {
		bend[away] -= 2 * reach
	}
	near, far := bend, bend
	near[axis], far[axis] = -1.2*stub, last+1.2*stub
	var w markup.Pen
	t.draw(&w, "M", from)
	t.draw(&w, "C", near)
	t.draw(&w, " ", far)
	t.draw(&w, " ", to)
	return w.String()
}

// away is the axis along which the arc of another one bends away from the drawing.
func (t *torus) away(axis int) int {
	if len(t.sides) == 3 && axis != 2 {
		return 2
	}
	if len(t.sides) == 3 {
		return 0
	}
	return 1 - axis
}

// outside is the first dot of the line whose way back is drawn.
func (t *torus) outside(axis int) (p [3]float64) {
	top := func(i int) float64 { return float64(t.sides[i] - 1) }
	if len(t.sides) != 3 {
		return p
	}
	if axis == 2 { // up, at the right
		p[0] = top(0)
	} else { // along the top, at the back or at the left
		p[2] = top(2)
	}
	return p
}
