package shardinglab

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// mostDrawn is how many chips are drawn.
const mostDrawn = 32

// The measures of the drawing: a chip's box and the pictures in it.
const (
	boxWide  = 62
	picWide  = 48
	picHigh  = 20
	picStep  = 26
	headHigh = 20
	boxHigh  = headHigh + 3*picStep + 2
	gap      = 6
)

// corner is how many chips are drawn along each axis: all, or as many as there is room for.
func corner(m *sharding.Mesh) []int {
	n := make([]int, len(m.Axes))
	total := 1
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

// mostColumns is how many chips stand beside each other.
const mostColumns = 8

// drawn calls f for each chip that is drawn, with its place in the grid: the last axes run to the right, as far as there is
// room.
func drawn(n []int, f func(coords []int, row, col int)) (rows, cols int) {
	cols = 1
	for k := len(n) - 1; k >= 0 && (cols == 1 || cols*n[k] <= mostColumns); k-- {
		cols *= n[k]
	}
	total := 1
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

// number is the number of the chip at coords.
func chipNumber(m *sharding.Mesh, coords []int) int {
	n := 0
	for i, a := range m.Axes {
		n = n*a.Size + coords[i]
	}
	return n
}

// place is where a chip stands, in words: "X 0, Y 3".
func place(m *sharding.Mesh, coords []int) string {
	var all []string
	for i, a := range m.Axes {
		all = append(all, a.Name+" "+strconv.Itoa(coords[i]))
	}
	if len(all) == 0 {
		return "the only chip"
	}
	return strings.Join(all, ", ")
}

// holds is what a chip holds of an array, in the manner of a slice: "A[0:2048, 0:8192]".
func holds(a *sharding.Array, m *sharding.Mesh, coords []int) string {
	var all []string
	for i, r := range a.Held(m, coords) {
		if r.Len() == 0 {
			return "nothing of " + a.Name
		}
		all = append(all, a.Dims[i].Name+" "+strconv.Itoa(r.From)+"–"+strconv.Itoa(r.To-1))
	}
	said := a.Name + ": " + strings.Join(all, ", ")
	if len(all) == 0 {
		said = a.Name + ": its one number"
	}
	if len(a.Unreduced) > 0 {
		said += " (a summand)"
	}
	return said
}

func (x *subject) all() []*sharding.Array {
	return []*sharding.Array{&x.einsum.A, &x.einsum.B, &x.einsum.C}
}

// holders is the mesh with what each chip holds, and the chip that is looked at in words.
func (x *subject) holders(s *instrument.State) *instrument.Node {
	n := corner(x.mesh)
	at := min(max(s.Int("at"), 0), x.mesh.Chips()-1)
	coords := x.mesh.Coords(at)
	var said []string
	for _, a := range x.all() {
		said = append(said, holds(a, x.mesh, coords))
	}
	box := div("part", s.Heading("Who holds what"),
		instrument.El("figure", instrument.Class("holders"), s.Stage(instrument.SVG(x.svg(s.ID("mesh"), n, at))), instrument.El("figcaption", x.caption(n))))
	if x.mesh.Chips() > 1 {
		box.Kids = append(box.Kids, s.Control("at"))
	}
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-chip"), instrument.El("b", "Chip "+strconv.Itoa(at)+" ("+place(x.mesh, coords)+")"), " holds "+strings.Join(said, "; ")+"."),
		s.Fold("holders", "As a table", true, func(bool) []*instrument.Node { return []*instrument.Node{x.holderTable(s, n)} }))
	return box
}

// caption says what is drawn, and what not.
func (x *subject) caption(n []int) string {
	names := x.all()
	said := "Each box is a chip; in it, from above, what it holds of " + names[0].Name + ", " + names[1].Name + " and " + names[2].Name + ": filled, of the outlined whole."
	total, all := 1, x.mesh.Chips()
	for _, k := range n {
		total *= k
	}
	if total < all {
		var cut []string
		for i, a := range x.mesh.Axes {
			if n[i] < a.Size {
				cut = append(cut, a.Name+" below "+strconv.Itoa(n[i]))
			}
		}
		said += " Of " + strconv.Itoa(all) + " chips only " + strconv.Itoa(total) + " are drawn, those with " + strings.Join(cut, " and ") + "."
	}
	for _, a := range names {
		if len(a.Unreduced) > 0 {
			said += " Pale, with a dashed edge: a summand, still to be added up."
			break
		}
	}
	return said
}

func (x *subject) holderTable(s *instrument.State, n []int) *instrument.Node {
	t := instrument.Table{Key: "held", Caption: "Who holds which indices", Heads: heads("Chip", x.einsum.A.Name, x.einsum.B.Name, x.einsum.C.Name)}
	drawn(n, func(coords []int, _, _ int) {
		texts := []string{strconv.Itoa(chipNumber(x.mesh, coords)) + " (" + place(x.mesh, coords) + ")"}
		for _, a := range x.all() {
			_, text, ok := strings.Cut(holds(a, x.mesh, coords), ": ")
			if !ok {
				text = "nothing"
			}
			texts = append(texts, text)
		}
		t.Rows = append(t.Rows, row(texts...))
	})
	return s.Table(t)
}
