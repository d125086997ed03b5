package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
)

// A torus is drawn with its chips as dots and its links as lines, an axis a colour and a dash of its own. A ring's way
// back is a stub at either end of each of its lines, and for one of them an arc. Of large slices only the faces turned
// to the reader are drawn; of the largest a dot is a cube of chips.

// The number of dots from which on only faces are drawn, and from which on dots are cubes.
const (
	solid   = 40
	largest = 600
)

// Torus draws a slice of a pod: its chips, or its cubes, as dots, and its links.
func Torus(l phrase.Phrases, sl network.Slice) *Drawing {
	t := newTorus(l, sl)
	d := &Drawing{Title: l.Say("figure.slice", "shape", t.shape(), "chip", sl.Chip.Name), About: t.words(),
		Note: t.note()}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.slice-heads")}
	for _, a := range sl.Axes {
		wraps := l.Say("figure.no")
		if a.Wrap {
			wraps = l.Say("figure.yes")
		}
		twin.add(a.Name, strconv.Itoa(a.Size), wraps)
	}
	d.AltTables = []Table{twin}
	body := t.body()
	return d.svg("fig", t.frame.margin(24, 300), body)
}

// shape is the shape of the slice as it is read out: "4 by 4 by 8".
func (t *torus) shape() string {
	sides := strings.Split(t.sl.Shape(), "x")
	text := sides[0]
	for _, next := range sides[1:] {
		text = t.l.Say("figure.by", "sides", text, "next", next)
	}
	return text
}

// note says what a dot is, and which axes wrap around.
func (t *torus) note() string {
	dot := "figure.dot"
	switch {
	case t.cube > 1 && t.solid:
		dot = "figure.dot-cube-solid"
	case t.cube > 1:
		dot = "figure.dot-cube"
	case t.solid:
		dot = "figure.dot-solid"
	}
	own := ""
	if t.sl.Note != nil {
		own = ended(t.l, t.l.Text(t.sl.Note))
	}
	rule, source := t.rule()
	return sentences(t.l, t.l.Say(dot), ended(t.l, wraps(t.l, t.sl)), own, rule, source)
}

// rule says how the pods of the chip are cut, and who says so.
func (t *torus) rule() (said, by string) {
	rule, ok := network.RuleFor(t.sl.Chip)
	if !ok {
		return "", ""
	}
	for _, source := range hardware.Catalog().Sources() {
		if source.ID == rule.Source {
			by = t.l.Say("figure.source", "source", source.Title)
		}
	}
	return t.l.Say("figure.slice-rule", "chip", t.sl.Chip.Name, "rule", rule.Note), by
}

// torus is a drawing under way.
type torus struct {
	l     phrase.Phrases
	sl    network.Slice
	cube  int // chips along the side of what a dot stands for
	sides []int
	solid bool          // only the faces are drawn
	unit  [3][2]float64 // the way on paper of a step along each axis
	frame frame
}

func newTorus(l phrase.Phrases, sl network.Slice) *torus {
	t := &torus{l: l, sl: sl, cube: 1, frame: emptyFrame()}
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

// place is where a dot stands on paper.
func (t *torus) place(p [3]float64) (x, y float64) {
	for i := range p {
		x += p[i] * t.unit[i][0]
		y += p[i] * t.unit[i][1]
	}
	t.frame.grow(x, y)
	return x, y
}

// draw writes a command of a path with its point.
func (t *torus) draw(w *markup.Pen, command string, p [3]float64) {
	x, y := t.place(p)
	w.Put(command).Number(x).Put(" ").Number(y)
}

// body is the links, the ways back, the dots, and the names of the axes.
func (t *torus) body() *markup.Pen {
	w := &markup.Pen{}
	for axis := len(t.sides) - 1; axis >= 0; axis-- {
		class := "axis" + strconv.Itoa(axis)
		w.Path(class, t.links(axis)).Path("back "+class, t.arc(axis))
	}
	w.Path("dots", t.dots())
	for axis := range t.sides {
		t.label(w, axis)
	}
	return w
}

// words says what is to be seen.
func (t *torus) words() string {
	var axes []string
	for _, a := range t.sl.Axes {
		key := "figure.axis-line"
		if a.Wrap {
			key = "figure.axis-ring"
		}
		axes = append(axes, t.l.Say(key, "axis", a.Name, "n", a.Size))
	}
	return t.l.Say("figure.ended", "said", clauses(t.l, axes))
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

func (t *torus) dots() string {
	var w markup.Pen
	t.lines(0, func(p [3]float64) {
		for x := range t.sides[0] {
			if p[0] = float64(x); t.hidden(p, -1) {
				continue
			}
			t.draw(&w, "M", p)
			w.Put("h0")
		}
	})
	return w.String()
}

// label names an axis and its length beside its middle.
func (t *torus) label(w *markup.Pen, axis int) {
	p, anchor, dy := t.beside(axis)
	x, y := t.place(p)
	text := t.sl.Axes[axis].Name + ": " + strconv.Itoa(t.sl.Axes[axis].Size)
	far := 7.5 * float64(len(text))
	switch anchor {
	case "start":
		t.frame.right = max(t.frame.right, x+far-10)
	case "end":
		t.frame.left = min(t.frame.left, x-far+10)
	}
	t.frame.bottom = max(t.frame.bottom, y+dy)
	w.Put(`<text class="axis`, strconv.Itoa(axis), `"`).Attr("x", x).Attr("y", y+dy+4).Put(` text-anchor="`, anchor,
		`">`).Escaped(text).Put("</text>")
}

// beside is where the name of an axis stands: a place among the dots, on which side of it, and how far below.
func (t *torus) beside(axis int) (p [3]float64, anchor string, dy float64) {
	last := func(i int) float64 { return float64(t.sides[i] - 1) }
	p[axis] = last(axis) / 2
	switch {
	case len(t.sides) == 2 && axis == 0:
		p[1] = last(1) + 1.1
		return p, "middle", 4
	case len(t.sides) == 2:
		p[0] = last(0) + 0.9
		return p, "start", 0
	case axis == 0: // below, in front
		p[0], p[1] = 0.8*p[0], last(1)+0.9
		return p, "end", 16
	case axis == 1:
		p[0] = last(0) + 0.6
		return p, "start", 16
	}
	p[1] = last(1) + 0.8
	return p, "end", 0
}

// wraps says which axes of a slice wrap around: "X and Y wrap around, Z not".
func wraps(l phrase.Phrases, sl network.Slice) string {
	var rings, lines []string
	for _, a := range sl.Axes {
		switch {
		case a.Size < 2:
		case a.Wrap:
			rings = append(rings, a.Name)
		default:
			lines = append(lines, a.Name)
		}
	}
	around := l.Say("figure.wrap", "axes", phrase.And(rings))
	if len(rings) == 1 {
		around = l.Say("figure.wraps", "axis", rings[0])
	}
	switch {
	case len(rings)+len(lines) == 0:
		return l.Say("figure.single-chip")
	case len(lines) == 0:
		return around
	case len(rings) == 0:
		return l.Say("figure.no-wrap")
	}
	return l.Say("figure.wrap-some", "rings", around, "lines", phrase.And(lines))
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
