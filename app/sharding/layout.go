package sharding

import q "github.com/scalebook/scalebook/app/quantity"

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
