package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// mostDrawn is how many chips of a mesh are drawn, mostColumns how many stand beside each other.
const mostDrawn, mostColumns = 32, 8

// The measures of a mesh: a chip's box and the pictures in it.
const (
	boxWide  = 62
	picWide  = 48
	picHigh  = 20
	picStep  = 26
	headHigh = 20
	boxHigh  = headHigh + 3*picStep + 2
	boxGap   = 6
)

// mesh is a drawing of what the chips of a mesh hold of the three arrays of a product.
type mesh struct {
	*sharding.Mesh
	l      phrase.Phrases
	arrays []*sharding.Array
	sides  []int // the chips that are drawn along each axis
	now    int   // the chip that is looked at
}

// Mesh draws the chips of a mesh with what each holds of the three arrays of a product. The chip that is looked at
// stands out; choosing another one sets the input at.
func Mesh(l phrase.Phrases, e *sharding.Einsum, now int) *Drawing {
	m := &mesh{Mesh: e.Mesh, l: l, arrays: []*sharding.Array{&e.A, &e.B, &e.C}, sides: corner(e.Mesh), now: now}
	chosen := m.words(e.Mesh.Coords(min(max(now, 0), e.Mesh.Chips()-1)))
	d := &Drawing{Title: l.Say("figure.mesh", "mesh", e.Mesh), About: m.note(), Now: chosen,
		Note: sentences(l, m.note(), ended(l, chosen))}
	w, twin := &markup.Pen{}, Table{Caption: l.Say("figure.mesh-table"),
		Heads: []string{l.Say("figure.chip"), e.A.Name, e.B.Name, e.C.Name}}
	rows, cols := m.grid(func(coords []int, row, col int) {
		m.chip(w, coords, float64(col*(boxWide+boxGap)), float64(row*(boxHigh+boxGap)))
		twin.add(m.row(coords)...)
	})
	d.Twin = []Table{twin}
	wide, class := float64(cols*(boxWide+boxGap)-boxGap), "fig"
	if wide <= fewChips {
		class = "fig few"
	}
	return d.svg(class, frame{0, 0, wide, float64(rows*(boxHigh+boxGap) - boxGap)}.margin(2, fewChips+4), w)
}

// fewChips is the least width of the drawing.
const fewChips = 340

// corner is how many chips are drawn along each axis: all, or as many as there is room for.
func corner(m *sharding.Mesh) []int {
	n, total := make([]int, len(m.Axes)), 1
	for i, a := range m.Axes {
		n[i] = a.Size
		total *= a.Size
	}
	for total > mostDrawn {
		big := 0
		for i := range n {
			if n[i] > n[big] {
				big = i
			}
		}
		total /= n[big]
		n[big] = (n[big] + 1) / 2
		total *= n[big]
	}
	return n
}

// grid calls f for each chip that is drawn, with its place in the grid: the last axes run to the right, as far as there
// is room.
func (m *mesh) grid(f func(coords []int, row, col int)) (rows, cols int) {
	n, total := m.sides, 1
	cols = 1
	for k := len(n) - 1; k >= 0 && (cols == 1 || cols*n[k] <= mostColumns); k-- {
		cols *= n[k]
	}
	for _, k := range n {
		total *= k
	}
	wrap := min(cols, mostColumns)
	per := (cols + wrap - 1) / wrap
	coords := make([]int, len(n))
	for i := range total {
		r := i
		for k := len(n) - 1; k >= 0; k-- {
			coords[k] = r % n[k]
			r /= n[k]
		}
		c := i % cols
		f(coords, i/cols*per+c/wrap, c%wrap)
	}
	return total / cols * per, wrap
}

// chip is the box of a chip.
func (m *mesh) chip(w *markup.Pen, coords []int, left, top float64) {
	class, number := "chip", ChipNumber(m.Mesh, coords)
	if number == m.now {
		class = "chip now"
	}
	w.Put(`<g data-set="at=`, strconv.Itoa(number), `"><title>`).Escaped(m.words(coords)).Put("</title>")
	w.Rect(`rx="4" class="`+class+`"`, left, top, boxWide, boxHigh)
	if len(coords) > 0 {
		var short []string
		for _, c := range coords {
			short = append(short, strconv.Itoa(c))
		}
		w.Label("mid", left+boxWide/2, top+15, strings.Join(short, ","))
	}
	for i, a := range m.arrays {
		m.picture(w, i, a, coords, left+(boxWide-picWide)/2, top+headHigh+float64(i*picStep))
	}
	w.Put("</g>")
}

// picture is what a chip holds of an array: the last two dimensions as a rectangle, down and to the right; each one
// before them as a bar at its left.
func (m *mesh) picture(w *markup.Pen, i int, a *sharding.Array, coords []int, left, top float64) {
	held := a.Held(m.Mesh, coords)
	for _, r := range held {
		if r.Len() == 0 {
			w.Rect(`class="whole"`, left, top, picWide, picHigh)
			return
		}
	}
	fill := "h" + strconv.Itoa(i+1)
	if len(a.Unreduced) > 0 {
		fill += " sum"
	}
	bars := max(0, len(held)-2)
	for k := range bars {
		from, long := stretch(a, held, k, picHigh)
		w.Rect(`class="whole"`, left, top, 4, picHigh).Rect(`class="`+fill+`"`, left, top+from, 4, long)
		left += 7
	}
	wide := picWide - float64(7*bars)
	down, right := len(held)-2, len(held)-1
	if len(held) == 1 {
		down, right = -1, 0
	}
	y, high := stretch(a, held, down, picHigh)
	x, long := stretch(a, held, right, wide)
	w.Rect(`class="whole"`, left, top, wide, picHigh).Rect(`class="`+fill+`"`, left+x, top+y, long, high)
}

// stretch is what is held of a dimension, on a line that stands for the whole of it, and never too small to be seen.
func stretch(a *sharding.Array, held []sharding.Range, k int, whole float64) (from, long float64) {
	start, share := 0.0, 1.0
	if k >= 0 && a.Dims[k].Size >= 1 {
		size := math.Ceil(a.Dims[k].Size)
		start, share = float64(held[k].From)/size, float64(held[k].Len())/size
	}
	long = math.Max(share*whole, 1.5)
	return math.Min(start*whole, whole-long), long
}

// ChipNumber is the number of the chip at coords, the last axis running fastest.
func ChipNumber(m *sharding.Mesh, coords []int) int {
	n := 0
	for i, a := range m.Axes {
		n = n*a.Size + coords[i]
	}
	return n
}

// chipPlace is where a chip stands, in words: "X 0, Y 3".
func chipPlace(l phrase.Phrases, m *sharding.Mesh, coords []int) string {
	if len(coords) == 0 {
		return l.Say("figure.only-chip")
	}
	return commas(l, axisPlaces(m, coords)...)
}

// axisPlaces are the places of a chip along the axes: "X 0" and "Y 3".
func axisPlaces(m *sharding.Mesh, coords []int) (all []string) {
	for i, a := range m.Axes {
		all = append(all, a.Name+" "+strconv.Itoa(coords[i]))
	}
	return all
}

// held is what a chip holds of an array, in the manner of a slice: "I 0–2047, J 0–8191"; "" if it holds nothing.
func (m *mesh) held(a *sharding.Array, coords []int) string {
	var all []string
	for i, r := range a.Held(m.Mesh, coords) {
		if r.Len() == 0 {
			return ""
		}
		held := a.Dims[i].Name + " " + strconv.Itoa(r.From)
		if r.Len() > 1 {
			held += "–" + strconv.Itoa(r.To-1)
		}
		all = append(all, held)
	}
	indices := commas(m.l, all...)
	if len(all) == 0 {
		indices = m.l.Say("figure.one-number")
	}
	if len(a.Unreduced) > 0 {
		return m.l.Say("figure.held-summand", "indices", indices)
	}
	return indices
}

// words is what a chip holds of all arrays.
func (m *mesh) words(coords []int) string {
	var all []string
	for _, a := range m.arrays {
		key, indices := "figure.held", m.held(a, coords)
		if indices == "" {
			key = "figure.held-nothing"
		}
		all = append(all, m.l.Say(key, "array", a.Name, "indices", indices))
	}
	return m.l.Say("figure.chip-holds", "n", ChipNumber(m.Mesh, coords), "place", chipPlace(m.l, m.Mesh, coords), "arrays",
		clauses(m.l, all))
}

// row is the same as a row of the twin.
func (m *mesh) row(coords []int) []string {
	cells := []string{m.l.Say("figure.chip-place", "n", ChipNumber(m.Mesh, coords), "place",
		chipPlace(m.l, m.Mesh, coords))}
	for _, a := range m.arrays {
		indices := m.held(a, coords)
		if indices == "" {
			indices = m.l.Say("figure.nothing")
		}
		cells = append(cells, indices)
	}
	return cells
}

// note says what is drawn, and what not.
func (m *mesh) note() string {
	var arrays []string
	summand := ""
	for _, a := range m.arrays {
		arrays = append(arrays, a.Name)
		if len(a.Unreduced) > 0 {
			summand = m.l.Say("figure.mesh-summand")
		}
	}
	return sentences(m.l, m.l.Say("figure.mesh-note", "arrays", phrase.And(arrays)), m.cut(), summand)
}

// cut says which chips are drawn, if not all are.
func (m *mesh) cut() string {
	total := 1
	var cut []string
	for i, axis := range m.Axes {
		total *= m.sides[i]
		if m.sides[i] < axis.Size {
			cut = append(cut, m.l.Say("figure.mesh-below", "axis", axis.Name, "n", m.sides[i]))
		}
	}
	if len(cut) == 0 {
		return ""
	}
	return m.l.Say("figure.mesh-cut", "n", m.Chips(), "drawn", total, "places", phrase.And(cut))
}
