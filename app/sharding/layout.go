package sharding

import q "github.com/scalebook/scalebook/app/quantity"

// place is where a mesh axis stands in an array: the at-th axis of a dimension (1-based, 0 for none), or unreduced.
type place struct{ dim, at int8 }

const (
	unused   int8 = 0
	partial  int8 = 100 // unreduced
	partialB int8 = 101 // of the right operand, where both operands are described at once
)

// layout is where each mesh axis stands in one array: a node of the search. The zero layout holds everything everywhere.
type layout [maxAxes]place

// layoutOf is the layout of an array.
func layoutOf(a *Array) layout {
	var l layout
	for i, d := range a.Dims {
		for k, x := range d.Axes {
			l[x] = place{int8(i + 1), int8(k)}
		}
	}
	for _, x := range a.Unreduced {
		l[x] = place{dim: partial}
	}
	return l
}

// with is a with the sharding of l.
func (a Array) with(l layout, axes int) Array {
	dims := make([]Dim, len(a.Dims))
	for i, d := range a.Dims {
		d.Axes = l.axesOf(int8(i+1), axes)
		dims[i] = d
	}
	a.Dims = dims
	a.Unreduced = l.axesOf(partial, axes)
	return a
}

// axesOf are the axes that stand at a dimension, in order; unreduced ones ascending.
func (l *layout) axesOf(dim int8, axes int) []int {
	var list []int
	for x := range axes {
		if l[x].dim == dim {
			list = append(list, x)
		}
	}
	if dim != partial && len(list) > 1 {
		sorted := make([]int, len(list))
		for _, x := range list {
			sorted[l[x].at] = x
		}
		return sorted
	}
	return list
}

// count is how many axes stand at a dimension.
func (l *layout) count(dim int8, axes int) int8 {
	n := int8(0)
	for x := range axes {
		if l[x].dim == dim {
			n++
		}
	}
	return n
}

// mask is the axes that stand at a dimension, a bit each.
func (l *layout) mask(dim int8, axes int) uint8 {
	m := uint8(0)
	for x := range axes {
		if l[x].dim == dim {
			m |= 1 << x
		}
	}
	return m
}

// shape is what the search needs to know of an array: sizes, element and mesh.
type shape struct {
	sizes   []int
	element float64
	mesh    []int // sizes of its axes
}

func shapeOf(a *Array, m Mesh) shape {
	s := shape{element: float64(a.Element()), sizes: make([]int, len(a.Dims)), mesh: make([]int, len(m.Axes))}
	for i, d := range a.Dims {
		s.sizes[i] = d.Size
	}
	for i, x := range m.Axes {
		s.mesh[i] = x.Size
	}
	return s
}

// shards is into how many parts l splits a dimension (1-based).
func (s *shape) shards(l *layout, dim int) int {
	n := 1
	for x, size := range s.mesh {
		if int(l[x].dim) == dim {
			n *= size
		}
	}
	return n
}

// local is the bytes that a chip holds in layout l, padding included.
func (s *shape) local(l *layout) q.Bytes {
	n := s.element
	for i, size := range s.sizes {
		n *= float64(ceilDiv(size, s.shards(l, i+1)))
	}
	return q.Bytes(n)
}

// legal tells whether every chip of each dimension's parts holds something.
func (s *shape) legal(l *layout) bool {
	for i, size := range s.sizes {
		if s.shards(l, i+1) > size {
			return false
		}
	}
	return true
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
