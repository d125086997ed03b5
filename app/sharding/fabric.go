package sharding

import (
	"slices"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Fabric is a mesh laid on hardware: it knows which links each mesh axis runs over, and so what a collective costs.
type Fabric struct {
	Mesh   *Mesh
	Pieces [][]Piece      // of each mesh axis; nil if the mesh is not on a torus
	Note   *phrase.Phrase // how it was laid, where there is something to know

	torus  network.Torus
	tree   network.Tree
	swch   network.Switch
	kind   fabricKind
	memory [4][1 << maxAxes]rate // of collectives asked for before, by operation and axes
}

type fabricKind uint8

const (
	noFabric fabricKind = iota // collectives are free: for counting only
	onTorus
	onSwitch
	onTree
)

// Piece is a part of a hardware axis that a mesh axis spans: Size chips, Stride apart. A whole axis has Stride 1.
type Piece struct{ Axis, Stride, Size int }

// rate is the cost of a collective as a function of its bytes: max(perByte V, latency), and shortcut V.
type rate struct {
	perByte, shortcut, latency float64
	state                      uint8 // 0: not asked yet, 1: known, 2: there is no such collective
}

// Price is what a collective takes: Exact for the network's algorithm, Shortcut as the textbook has it.
type Price struct{ Exact, Shortcut q.Seconds }

// price is what a collective over the axes of a mask takes; false if the hardware has no such group.
func (f *Fabric) price(op network.Op, mask uint8, bytes q.Bytes) (Price, bool) {
	if f.kind == noFabric {
		return Price{}, true
	}
	r := &f.memory[op&3][mask]
	if r.state == 0 {
		*r = f.ask(op, mask)
	}
	v := float64(bytes)
	return Price{q.Seconds(max(r.perByte*v, r.latency)), q.Seconds(r.shortcut * v)}, r.state == 1
}

// ask finds the terms of a collective's cost, which are linear in the bytes (a test holds this against the network).
func (f *Fabric) ask(op network.Op, mask uint8) rate {
	const probe = 1 << 30
	c, err := f.Cost(op, f.axes(mask), probe)
	if err != nil {
		return rate{state: 2}
	}
	return rate{float64(c.Bandwidth) / probe, float64(c.Shortcut) / probe, float64(c.Latency), 1}
}

func (f *Fabric) axes(mask uint8) []int {
	var axes []int
	for x := range f.Mesh.Axes {
		if mask&(1<<x) != 0 {
			axes = append(axes, x)
		}
	}
	return axes
}

// Cost is what a collective over some of the mesh's axes costs, with the network's working: the array of one group has
// so many bytes (see the documentation of app/network for what that is). All groups do the same at the same time.
func (f *Fabric) Cost(op network.Op, axes []int, bytes q.Bytes) (network.Cost, error) {
	g, err := f.Group(axes)
	if err != nil {
		return network.Cost{}, err
	}
	return network.Collective{Op: op, Bytes: bytes}.Over(g)
}

// Group is the chips that differ in the coordinates of these axes only, as the network sees them.
func (f *Fabric) Group(axes []int) (network.Group, error) {
	switch f.kind {
	case onTorus:
		return f.torusGroup(axes)
	case onSwitch:
		return f.switchGroup(axes), nil
	case onTree:
		return f.treeGroup(axes)
	}
	return network.Torus{}, nil
}

// Apart tells whether collectives over two sets of axes share no link, so that both can run at full speed at once.
// Devices on switches send everything through the same egress.
func (f *Fabric) Apart(a, b uint8) bool {
	if f.kind != onTorus {
		return f.kind == noFabric
	}
	return f.hardwareAxes(a)&f.hardwareAxes(b) == 0
}

// hardwareAxes is the hardware axes that mesh axes run over, a bit each.
func (f *Fabric) hardwareAxes(mask uint8) uint64 {
	var w uint64
	for x, pieces := range f.Pieces {
		if mask&(1<<x) == 0 {
			continue
		}
		for _, p := range pieces {
			w |= 1 << p.Axis
		}
	}
	return w
}

// Free is a fabric whose collectives take no time.
func Free(m *Mesh) *Fabric { return &Fabric{Mesh: m} }

// OnSwitch lays the mesh on devices of one switch, the last axis innermost. Groups of fewer devices use the same
// egress.
func OnSwitch(m *Mesh, s network.Switch) (*Fabric, error) {
	if n := m.Chips(); n > s.Devices {
		return nil, misfit(m, phrase.New("sharding.switch-small", "chips", n, "devices", s.Devices))
	}
	return &Fabric{Mesh: m, swch: s, kind: onSwitch}, nil
}

func (f *Fabric) switchGroup(axes []int) network.Group {
	s := f.swch
	s.Devices = 1
	for _, x := range axes {
		s.Devices *= f.Mesh.Axes[x].Size
	}
	return s
}

// OnTree lays the mesh on the first devices of a tree of switches, the last axis innermost: it stays inside nodes as
// far as it fits. Only runs of neighbouring axes are groups of their own; others need a collective for each run.
func OnTree(m *Mesh, t network.Tree) (*Fabric, error) {
	if n := m.Chips(); n > t.Size() {
		return nil, misfit(m, phrase.New("sharding.tree-small", "chips", n, "devices", t.Size()))
	}
	return &Fabric{Mesh: m, tree: t, kind: onTree}, nil
}

func (f *Fabric) treeGroup(axes []int) (network.Group, error) {
	members, stride := 1, 1
	first, last := -1, -1
	for x, a := range f.Mesh.Axes {
		in := slices.Contains(axes, x)
		switch {
		case in && first < 0:
			first, last, members = x, x, a.Size
		case in && last == x-1:
			last, members = x, members*a.Size
		case in:
			return nil, &Error{
				Where:  "mesh",
				What:   phrase.New("sharding.no-neighbours", "axes", subscript(axes, f.Mesh)[1:]),
				Remedy: phrase.New("sharding.run-each-run"),
			}
		case first >= 0:
			stride *= a.Size
		}
	}
	return f.tree.Group(members, stride)
}

func misfit(m *Mesh, what *phrase.Phrase) error {
	return &Error{
		Where:  "mesh",
		Col:    m.onAt,
		What:   what,
		Remedy: phrase.New("sharding.resize-axes"),
	}
}

// Laid says what each mesh axis runs over: "X: 4x4, Y: a ring of 4".
func (f *Fabric) Laid() phrase.List {
	var all []*phrase.Phrase
	for x, a := range f.Mesh.Axes {
		g, err := f.Group([]int{x})
		if err != nil || f.kind == noFabric {
			continue
		}
		all = append(all, phrase.New("sharding.laid", "axis", a.Name, "over", g))
	}
	return phrase.Commas(all)
}

// TorusCoords is where the chip at some coordinates of the mesh stands in the torus, by hardware axis; nil if there is
// none.
func (f *Fabric) TorusCoords(coords []int) []int {
	if f.kind != onTorus {
		return nil
	}
	at := make([]int, len(f.torus.Axes))
	for x, c := range coords {
		pieces := f.Pieces[x]
		for i := len(pieces) - 1; i >= 0; i-- {
			p := pieces[i]
			at[p.Axis] += c % p.Size * p.Stride
			c /= p.Size
		}
	}
	return at
}

// Torus is the hardware that the mesh lies on; false if it is no torus.
func (f *Fabric) Torus() (network.Torus, bool) { return f.torus, f.kind == onTorus }

// OnTorus lays a mesh on a torus: each mesh axis spans some of the hardware's axes, and all chips are used.
//
// Whole hardware axes are taken where that works, in their order, so that a mesh axis of 16 on a 4x4x4 torus spans two
// of them and has the bandwidth of both. X=4x4 says which sides an axis shall span. Where no choice of whole axes has
// the right sizes, hardware axes are cut, the mesh read in rows: of a ring of 16 cut for Y=4 inside and X=4 outside, Y
// is a line of 4 neighbours, no ring any more, and X is a ring of every fourth chip, whose four rings share the links,
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
			remaining := f.torus.Axes[h].Size / stride
			n := min(left, remaining)
			if left%n != 0 || remaining%n != 0 {
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
// would share links in a way that no single collective of the network describes.
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

// axis is the piece as an axis of its own. Stride pieces beside each other share each link; a piece that goes all the
// way around a ring is a ring.
func (p Piece) axis(whole network.Axis) network.Axis {
	a := whole
	a.Size = p.Size
	a.Wrap = whole.Wrap && p.Stride*p.Size == whole.Size
	a.OneWay = whole.OneWay / q.Bandwidth(p.Stride)
	a.Latency = whole.Latency * q.Seconds(p.Stride)
	return a
}
