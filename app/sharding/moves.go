package sharding

import (
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// layout is where each mesh axis stands in one array: a node of the search. Seven bits an axis, the dimension (1-based)
// in the lower four and which axis of that dimension it is in the upper three. The zero layout holds everything
// everywhere.
type layout uint64

// Beside the dimensions from 1 to maxDims an axis may stand at:
const (
	unused  = 0
	partial = maxDims + 1 // the unreduced axes, all of them the 0-th
)

const axisBits = 7

func (l layout) dim(x int) int      { return int(l>>(axisBits*x)) & 15 }
func (l layout) position(x int) int { return int(l>>(axisBits*x+4)) & 7 }

// put is l with axis x, which must be unused, at a place.
func (l layout) put(x, dim, at int) layout { return l | layout(dim|at<<4)<<(axisBits*x) }

// take is l with axis x unused.
func (l layout) take(x int) layout { return l &^ (127 << (axisBits * x)) }

// layoutOf is the layout of an array.
func layoutOf(a *Array) layout {
	var l layout
	for i, d := range a.Dims {
		for k, x := range d.Axes {
			l = l.put(x, i+1, k)
		}
	}
	for _, x := range a.Unreduced {
		l = l.put(x, partial, 0)
	}
	return l
}

// with is a with the sharding of l.
func (a *Array) with(l layout, axes int) *Array {
	dims := make([]Dim, len(a.Dims))
	copy(dims, a.Dims)
	for i := range dims {
		dims[i].Axes = l.axesOf(i+1, axes)
	}
	to := *a
	to.Dims = dims
	to.Unreduced = l.axesOf(partial, axes)
	return &to
}

// axesOf are the axes that stand at a dimension, in order; unreduced ones ascending.
func (l layout) axesOf(dim, axes int) []int {
	var list []int
	for x := range axes {
		if l.dim(x) == dim {
			list = append(list, x)
		}
	}
	if dim != partial && len(list) > 1 {
		sorted := make([]int, len(list))
		for _, x := range list {
			sorted[l.position(x)] = x
		}
		return sorted
	}
	return list
}

// shape is what the search needs to know of an array: sizes, element and mesh.
type shape struct {
	sizes   []float64
	element float64
	mesh    []int // sizes of its axes
}

func shapeOf(a *Array, m *Mesh) shape {
	s := shape{element: float64(a.Element()), sizes: make([]float64, len(a.Dims)), mesh: make([]int, len(m.Axes))}
	for i, d := range a.Dims {
		s.sizes[i] = d.Size
	}
	for i, x := range m.Axes {
		s.mesh[i] = x.Size
	}
	return s
}

// local is the bytes that a chip holds in layout l, padding included.
func (s *shape) local(l layout) q.Bytes {
	var parts [partial + 1]int
	for i := range parts {
		parts[i] = 1
	}
	for x, size := range s.mesh {
		parts[l.dim(x)] *= size
	}
	n := s.element
	for i, size := range s.sizes {
		n *= share(size, parts[i+1])
	}
	return q.Bytes(n)
}

// chips is how many chips there are along the axes of a mask.
func (s *shape) chips(mask uint8) int {
	n := 1
	for x, size := range s.mesh {
		if mask&(1<<x) != 0 {
			n *= size
		}
	}
	return n
}

// Kind is what a step of a strategy does.
type Kind uint8

// The steps.
const (
	AllGather     Kind = iota // removes the last axes of some dimensions
	ReduceScatter             // sums over unreduced axes and splits dimensions along them, behind the axes they have
	AllReduce                 // sums over unreduced axes; every chip has the sum
	AllToAll                  // moves the last axes of one dimension behind those of another
	// splits a dimension along an axis of which every chip has a copy: free, each keeps its part
	Slice
	Multiply // multiplies what each chip has
	pad      // Slice, seen backwards
)

func (k Kind) String() string {
	return [...]string{"AllGather", "ReduceScatter", "AllReduce", "AllToAll", "Slice", "Einsum", "Pad", ""}[k&7]
}

// Collective is the network's name of a step; false if the step does not communicate.
func (k Kind) Collective() (network.Op, bool) { return k.op(), k <= AllToAll }

// op is the collective of a step that communicates.
func (k Kind) op() network.Op {
	return [...]network.Op{network.AllGather, network.ReduceScatter, network.AllReduce, network.AllToAll}[k&3]
}

// move is one step of one array: along the axes of mask, with the bytes of one group's whole array.
type move struct {
	kind  Kind
	mask  uint8
	to    layout
	bytes q.Bytes
}

// mover lists the moves that lead out of a layout.
//
// Looked at backwards, an all-gather is a reduce-scatter (copies become summands), an all-reduce and an all-to-all stay
// what they are, and a slice becomes a move that costs nothing too. So the way from a layout to a wanted one is
// found by searching from the wanted one, its unused and unreduced axes exchanged, with the same moves; back says so.
type mover struct {
	shape
	back  bool
	allow [maxAxes]uint16 // the dimensions that each axis may be brought to, a bit each
	emit  func(move)
	from  layout
	held  float64                   // bytes of a chip, in from
	list  [partial + 1][maxAxes]int // the axes at each place, in order
	count [partial + 1]int          // how many they are
	parts [partial + 1]int          // into how many parts they split
}

// moves emits every move out of l.
func (v *mover) moves(l layout) {
	v.unpack(l)
	v.gathers(1, l, 0, v.element)
	v.exchanges(l)
	if v.count[partial] > 0 {
		v.reductions(l)
	}
	v.free(l)
}

// unpack reads l into lists.
func (v *mover) unpack(l layout) {
	v.from = l
	for i := range v.count {
		v.count[i], v.parts[i] = 0, 1
	}
	for x, size := range v.mesh {
		dim := l.dim(x)
		at := l.position(x)
		if dim == unused || dim == partial {
			at = v.count[dim]
		}
		v.list[dim][at] = x
		v.count[dim]++
		v.parts[dim] *= size
	}
	v.held = v.element
	for i, size := range v.sizes {
		v.held *= share(size, v.parts[i+1])
	}
}

// gathers removes any number of last axes from dimension dim and those after it, in one collective. held is what a
// chip has of the dimensions before.
func (v *mover) gathers(dim int, to layout, mask uint8, held float64) {
	if dim > len(v.sizes) {
		if mask != 0 {
			v.emit(move{AllGather, mask, to, q.Bytes(held)})
		}
		return
	}
	size, parts := v.sizes[dim-1], v.parts[dim]
	v.gathers(dim+1, to, mask, held*share(size, parts))
	for n := v.count[dim] - 1; n >= 0; n-- {
		x := v.list[dim][n]
		to = to.take(x)
		mask |= 1 << x
		parts /= v.mesh[x]
		v.gathers(dim+1, to, mask, held*share(size, parts))
	}
}

// exchanges moves any number of last axes of one dimension behind those of another, in their order.
func (v *mover) exchanges(l layout) {
	for from := 1; from <= len(v.sizes); from++ {
		for to := 1; to <= len(v.sizes) && v.count[from] > 0; to++ {
			if to != from {
				v.exchange(l, from, to)
			}
		}
	}
}

func (v *mover) exchange(l layout, from, to int) {
	n, chips, mask := v.count[from], 1, uint8(0)
	left := l
	for first := n - 1; first >= 0; first-- {
		x := v.list[from][first]
		left, mask, chips = left.take(x), mask|1<<x, chips*v.mesh[x]
		if float64(v.parts[to]*chips) > v.sizes[to-1] || v.allow[x]>>to&1 == 0 {
			return
		}
		next := left
		for k := first; k < n; k++ {
			next = next.put(v.list[from][k], to, v.count[to]+k-first)
		}
		v.emit(move{AllToAll, mask, next, max(q.Bytes(v.held), v.local(next)) * q.Bytes(chips)})
	}
}

// reductions sums over any of the unreduced axes: the sum is everybody's, or is split.
func (v *mover) reductions(l layout) {
	all := uint8(0)
	for _, x := range v.list[partial][:v.count[partial]] {
		all |= 1 << x
	}
	for s := all; s > 0; s = (s - 1) & all { // every subset
		to := l
		for x := range v.mesh {
			if s&(1<<x) != 0 {
				to = to.take(x)
			}
		}
		v.emit(move{AllReduce, s, to, q.Bytes(v.held)})
	}
	v.scatters(1, l, all, 0)
}

// scatters splits dimension dim and those after it along any of the unreduced axes left, in one collective. Dimensions
// are filled in their order, so that no layout comes twice.
func (v *mover) scatters(dim int, to layout, left, mask uint8) {
	if dim > len(v.sizes) {
		if mask != 0 {
			v.emit(move{ReduceScatter, mask, to, q.Bytes(v.held)})
		}
		return
	}
	v.scatters(dim+1, to, left, mask)
	for x, size := range v.mesh {
		if left&(1<<x) == 0 || float64(v.parts[dim]*size) > v.sizes[dim-1] || v.allow[x]>>dim&1 == 0 {
			continue
		}
		at := v.count[dim]
		v.count[dim], v.parts[dim] = at+1, v.parts[dim]*size
		v.scatters(dim, to.take(x).put(x, dim, at), left&^(1<<x), mask|1<<x)
		v.count[dim], v.parts[dim] = at, v.parts[dim]/size
	}
}

// free slices a dimension along an axis of copies; backwards, it takes a last axis off into the unreduced.
func (v *mover) free(l layout) {
	for dim := 1; dim <= len(v.sizes); dim++ {
		if v.back {
			if n := v.count[dim]; n > 0 {
				x := v.list[dim][n-1]
				v.emit(move{kind: pad, mask: 1 << x, to: l.take(x).put(x, partial, 0)})
			}
			continue
		}
		for _, x := range v.list[unused][:v.count[unused]] {
			if float64(v.parts[dim]*v.mesh[x]) <= v.sizes[dim-1] && v.allow[x]>>dim&1 != 0 {
				v.emit(move{kind: Slice, mask: 1 << x, to: l.put(x, dim, v.count[dim])})
			}
		}
	}
}

// reversed exchanges the unused and the unreduced axes.
func (l layout) reversed(axes int) layout {
	for x := range axes {
		switch l.dim(x) {
		case unused:
			l = l.put(x, partial, 0)
		case partial:
			l = l.take(x)
		}
	}
	return l
}

// reversed is the step that a move of the backward search stands for.
func (k Kind) reversed() Kind {
	switch k {
	case AllGather:
		return ReduceScatter
	case ReduceScatter:
		return AllGather
	case pad:
		return Slice
	}
	return k
}
