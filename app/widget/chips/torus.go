package chips

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// A torus is drawn with its chips as dots and its links as lines, an axis a colour and a dash of its own. A ring's way back
// is a stub at either end of each of its lines, and for one of them an arc. Of large slices only the faces turned to the
// reader are drawn; of the largest a dot is a cube of chips.

// The number of dots from which on only faces are drawn, and from which on dots are cubes.
const (
	solid   = 40
	largest = 600
)

// drawing is the slice as a figure.
func drawing(s *instrument.State, sl network.Slice) *instrument.Node {
	t := newTorus(sl)
	caption := "Each dot is a chip"
	if t.cube > 1 {
		caption = "Each dot is a cube of 4 × 4 × 4 chips"
	}
	if t.solid {
		caption += "; those inside are left out"
	}
	return instrument.El("figure", instrument.Class("part torus"), instrument.SVG(t.svg(s.ID("torus"))),
		instrument.El("figcaption", caption+". "+instrument.Capital(wraps(sl))+"."))
}

// torus is a drawing under way.
type torus struct {
	sl    network.Slice
	cube  int // chips along the side of what a dot stands for
	sides []int
	solid bool          // only the faces are drawn
	unit  [3][2]float64 // the way on paper of a step along each axis
	box   [4]float64    // left, top, right, bottom
}

func newTorus(sl network.Slice) *torus {
	t := &torus{sl: sl, cube: 1, box: [4]float64{1e9, 1e9, -1e9, -1e9}}
	for _, a := range sl.Axes {
		t.sides = append(t.sides, a.Size)
	}
	if len(t.sides) == 3 && sl.Size() > largest {
		t.cube = 4
		for i := range t.sides {
			t.sides[i] /= 4
		}
	}
	t.unit = [3][2]float64{{22, 0}, {0, 22}}
	if len(t.sides) == 3 {
		t.solid = t.sides[0]*t.sides[1]*t.sides[2] > solid
		t.unit = [3][2]float64{{26, 9}, {-17, 13}, {0, -30}}
	}
	return t
}

// at is the place of a dot on paper.
func (t *torus) at(p [3]float64) (x, y float64) {
	for i := range p {
		x += p[i] * t.unit[i][0]
		y += p[i] * t.unit[i][1]
	}
	t.box[0], t.box[1] = math.Min(t.box[0], x), math.Min(t.box[1], y)
	t.box[2], t.box[3] = math.Max(t.box[2], x), math.Max(t.box[3], y)
	return x, y
}

func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
}

func (t *torus) point(p [3]float64) string {
	x, y := t.at(p)
	return number(x) + " " + number(y)
}

// svg is the drawing.
func (t *torus) svg(id string) string {
	body := ""
	for axis := len(t.sides) - 1; axis >= 0; axis-- {
		body += `<path class="axis` + strconv.Itoa(axis) + `" d="` + t.links(axis) + `"/>`
		body += `<path class="back axis` + strconv.Itoa(axis) + `" d="` + t.arc(axis) + `"/>`
	}
	body += `<path class="dots" d="` + t.dots() + `"/>`
	for axis := range t.sides {
		body += t.label(axis)
	}
	const edge = 24
	left, top := t.box[0]-edge, t.box[1]-edge
	wide, high := t.box[2]-t.box[0]+2*edge, t.box[3]-t.box[1]+2*edge
	if spare := 300 - wide; spare > 0 { // a small slice is not drawn large
		left, wide = left-spare/2, 300
	}
	return `<svg class="fig" role="img" aria-labelledby="` + id + `-t" viewBox="` + number(left) + " " + number(top) + " " + number(wide) + " " + number(high) +
		`"><title id="` + id + `-t">` + t.title() + `</title><desc>` + instrument.Escape(t.words()) + `</desc>` + body + `</svg>`
}

func (t *torus) title() string {
	return "A " + strings.ReplaceAll(t.sl.Shape(), "x", " by ") + " slice of " + instrument.Escape(t.sl.Chip.Name)
}

// words says what is to be seen.
func (t *torus) words() string {
	var said []string
	for _, a := range t.sl.Axes {
		kind := " in a line"
		if a.Wrap {
			kind = " in a ring"
		}
		said = append(said, "Axis "+a.Name+": "+strconv.Itoa(a.Size)+" chips"+kind)
	}
	return strings.Join(said, "; ") + "."
}

// hidden says whether a dot, or the line through it along an axis (-1 for none), lies behind others.
func (t *torus) hidden(p [3]float64, axis int) bool {
	for i, n := range t.sides {
		if i != axis && p[i] == float64(n-1) {
			return false
		}
	}
	return t.solid
}

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
	var b strings.Builder
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
		b.WriteString("M" + t.point(from) + "L" + t.point(to))
	})
	return b.String()
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
	return "M" + t.point(from) + "C" + t.point(near) + " " + t.point(far) + " " + t.point(to)
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
	switch axis {
	case 0: // along the top, at the back
		p[2] = top(2)
	case 1: // along the top, at the left
		p[2] = top(2)
	case 2: // up, at the right
		p[0] = top(0)
	}
	return p
}

func (t *torus) dots() string {
	var b strings.Builder
	t.lines(0, func(p [3]float64) {
		for x := range t.sides[0] {
			if p[0] = float64(x); t.hidden(p, -1) {
				continue
			}
			b.WriteString("M" + t.point(p) + "h0")
		}
	})
	return b.String()
}

// label names an axis and its length beside its middle.
func (t *torus) label(axis int) string {
	var p [3]float64
	anchor, dy := "middle", 0.0
	p[axis] = float64(t.sides[axis]-1) / 2
	switch {
	case len(t.sides) == 2 && axis == 0:
		p[1], dy = float64(t.sides[1]-1)+1.1, 4
	case len(t.sides) == 2:
		p[0], anchor = float64(t.sides[0]-1)+0.9, "start"
	case axis == 0: // below, in front
		p[1] = float64(t.sides[1]-1) + 0.9
		anchor, dy = "end", 16
		p[0] *= 0.8
	case axis == 1:
		p[0], dy, anchor = float64(t.sides[0]-1)+0.6, 16, "start"
	default:
		p[1], anchor = float64(t.sides[1]-1)+0.8, "end"
	}
	x, y := t.at(p)
	text := t.sl.Axes[axis].Name + ": " + strconv.Itoa(t.sl.Axes[axis].Size)
	far := 7.5 * float64(len(text))
	switch anchor {
	case "start":
		t.box[2] = math.Max(t.box[2], x+far-10)
	case "end":
		t.box[0] = math.Min(t.box[0], x-far+10)
	}
	t.box[3] = math.Max(t.box[3], y+dy)
	return `<text class="axis` + strconv.Itoa(axis) + `" x="` + number(x) + `" y="` + number(y+dy+4) + `" text-anchor="` + anchor + `">` + text + `</text>`
}
