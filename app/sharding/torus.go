package sharding

import (
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// OnTorus lays a mesh on a torus: each mesh axis spans some of the hardware's axes, and all chips are used.
//
// Whole hardware axes are taken where that works, in their order, so that a mesh axis of 16 on a 4x4x4 torus spans two
// of them and has the bandwidth of both. X=4x4 says which sides an axis shall span. Where no choice of whole axes has
// the right sizes, hardware axes are cut, the mesh read in rows: of a ring of 16 cut for Y=4 inside and X=4 outside, Y
// is a line of 4 neighbours, no ring any more, and X is a ring of every fourth chip, whose four rings share the wires,
// so that each has a quarter of the bandwidth and hops four times as long.
func OnTorus(m *Mesh, t network.Torus) (*Fabric, error) {
	f := &Fabric{Mesh: m, torus: t, kind: onTorus, Pieces: make([][]Piece, len(m.Axes))}
	if len(t.Axes) > 32 {
		return nil, &Error{
			Where:  "mesh",
			Col:    m.onAt,
			What:   phrase.New("sharding.torus-axes"),
			Remedy: phrase.New(threeAxes),
		}
	}
	if m.Chips() != t.Size() {
		return nil, &Error{
			Where:  "mesh",
			Col:    m.onAt,
			What:   phrase.New("sharding.torus-chips", "chips", m.Chips(), "torus", t.Shape(), "all", t.Size()),
			Remedy: phrase.New("sharding.multiply-to"),
		}
	}
	if f.whole(0, 0) {
		return f, nil
	}
	for _, a := range m.Axes {
		if len(a.Over) > 1 {
			return nil, a.at.fault(
				"mesh",
				phrase.New("sharding.axis-no-sides", "axis", a.Name+"="+a.sides(), "torus", t.Shape()),
				phrase.New("sharding.name-sides"),
			)
		}
	}
	if !f.cut() {
		return nil, &Error{
			Where:  "mesh",
			Col:    m.onAt,
			What:   phrase.New("sharding.mesh-misfit", "mesh", (&Mesh{Axes: m.Axes}).String(), "torus", t.Shape()),
			Remedy: phrase.New("sharding.sizes-of-sides"),
		}
	}
	return f, nil
}

// whole gives mesh axis x and those after it whole hardware axes, of which taken are gone; first choices come first.
func (f *Fabric) whole(x int, taken uint64) bool {
	if x == len(f.Mesh.Axes) {
		return true
	}
	a := f.Mesh.Axes[x]
	var choose func(from, left int, picked []Piece, taken uint64) bool
	choose = func(from, left int, picked []Piece, taken uint64) bool {
		if left == 1 && (len(a.Over) < 2 || matches(a.Over, picked)) {
			f.Pieces[x] = append([]Piece(nil), picked...)
			if f.whole(x+1, taken) {
				return true
			}
		}
		for h := from; h < len(f.torus.Axes); h++ {
			if n := f.torus.Axes[h].Size; taken&(1<<h) == 0 && n > 1 && left%n == 0 {
				if choose(h+1, left/n, append(picked[:len(picked):len(picked)], Piece{h, 1, n}), taken|1<<h) {
					return true
				}
			}
		}
		return false
	}
	return choose(0, a.Size, nil, taken)
}

// matches tells whether the pieces have the sides that the text names, in any order; sides of 1 need none.
func matches(over []int, picked []Piece) bool {
	left := append([]Piece(nil), picked...)
	for _, n := range over {
		if n == 1 {
			continue
		}
		found := -1
		for i, p := range left {
			if p.Size == n {
				found = i
				break
			}
		}
		if found < 0 {
			return false
		}
		left = append(left[:found], left[found+1:]...)
	}
	return len(left) == 0
}

// cut lays the mesh row by row, innermost first, and splits hardware axes where a mesh axis ends inside one.
func (f *Fabric) cut() bool {
	h, stride := len(f.torus.Axes)-1, 1
	for x := len(f.Mesh.Axes) - 1; x >= 0; x-- {
		f.Pieces[x] = nil
		for left := f.Mesh.Axes[x].Size; left > 1; {
			for h >= 0 && stride == f.torus.Axes[h].Size {
				h, stride = h-1, 1
			}
			if h < 0 {
				return false
			}
			room := f.torus.Axes[h].Size / stride
			n := min(left, room)
			if left%n != 0 || room%n != 0 {
				return false
			}
			f.Pieces[x] = append([]Piece{{h, stride, n}}, f.Pieces[x]...)
			left, stride = left/n, stride*n
		}
	}
	f.Note = phrase.New("sharding.axes-cut")
	return true
}

// torusGroup is the torus of some mesh axes. Pieces of one hardware axis that lie side by side are one again; others
// would share wires in a way that no single collective of the network describes.
func (f *Fabric) torusGroup(axes []int) (network.Group, error) {
	var pieces []Piece
	for _, x := range axes {
		pieces = append(pieces, f.Pieces[x]...)
	}
	sortPieces(pieces)
	var t network.Torus
	for len(pieces) > 0 {
		p := pieces[0]
		for pieces = pieces[1:]; len(pieces) > 0 && pieces[0].Axis == p.Axis; pieces = pieces[1:] {
			if pieces[0].Stride != p.Stride*p.Size {
				return nil, &Error{
					Where:  "mesh",
					What:   phrase.New("sharding.wires-shared", "axes", subscript(axes, f.Mesh)[1:]),
					Remedy: phrase.New("sharding.run-each"),
				}
			}
			p.Size *= pieces[0].Size
		}
		t.Axes = append(t.Axes, p.axis(f.torus.Axes[p.Axis]))
	}
	return t, nil
}

// sortPieces orders the few pieces by hardware axis, and those of one axis from the innermost.
func sortPieces(p []Piece) {
	for i := range p {
		for k := i; k > 0 && (p[k].Axis < p[k-1].Axis || p[k].Axis == p[k-1].Axis && p[k].Stride < p[k-1].Stride); k-- {
			p[k], p[k-1] = p[k-1], p[k]
		}
	}
}

// axis is the piece as an axis of its own. Stride pieces beside each other share each wire; a piece that goes all the
// way around a ring is a ring.
func (p Piece) axis(whole network.Axis) network.Axis {
	a := whole
	a.Size = p.Size
	a.Wrap = whole.Wrap && p.Stride*p.Size == whole.Size
	a.OneWay = whole.OneWay / q.Bandwidth(p.Stride)
	a.Latency = whole.Latency * q.Seconds(p.Stride)
	return a
}
