package sharding

import (
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Kind is what a step of a strategy does.
type Kind uint8

// The steps.
const (
	AllGather     Kind = iota // removes the last axes of some dimensions
	ReduceScatter             // sums over unreduced axes and splits dimensions along them, behind the axes they have
	AllReduce                 // sums over unreduced axes; every chip has the sum
	AllToAll                  // moves the last axes of one dimension behind those of another
	Slice                     // splits a dimension along an axis of which every chip has a copy: free, each keeps its part
	Multiply                  // multiplies what each chip has
	pad                       // Slice, seen backwards
)

func (k Kind) String() string {
	return [...]string{"AllGather", "ReduceScatter", "AllReduce", "AllToAll", "Slice", "Einsum", "Pad", ""}[k&7]
}

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
	axes int
	back bool
	emit func(move)
	from layout
	held q.Bytes // in from
}

// moves emits every move out of l.
func (v *mover) moves(l layout) {
	v.from, v.held = l, v.local(&l)
	v.gathers(1, l, 0)
	v.exchanges(l)
	if free := l.mask(partial, v.axes); free != 0 {
		v.scatters(1, l, free, 0)
		for s := free; s > 0; s = (s - 1) & free { // every subset
			to := l
			for x := range v.axes {
				if s&(1<<x) != 0 {
					to[x] = place{}
				}
			}
			v.emit(move{AllReduce, s, to, v.held})
		}
	}
	v.free(l)
}

// gathers removes any number of last axes from dimension dim and those after it, in one collective.
func (v *mover) gathers(dim int, to layout, mask uint8) {
	if dim > len(v.sizes) {
		if mask != 0 {
			v.emit(move{AllGather, mask, to, v.local(&to)})
		}
		return
	}
	v.gathers(dim+1, to, mask)
	for n := to.count(int8(dim), v.axes); n > 0; n-- {
		x := to.find(int8(dim), n-1, v.axes)
		to[x] = place{}
		mask |= 1 << x
		v.gathers(dim+1, to, mask)
	}
}

// find is the axis at a place.
func (l *layout) find(dim, at int8, axes int) int {
	for x := range axes {
		if l[x] == (place{dim, at}) {
			return x
		}
	}
	return 0
}

// exchanges moves any number of last axes of one dimension behind those of another, in their order.
func (v *mover) exchanges(l layout) {
	for from := 1; from <= len(v.sizes); from++ {
		n := l.count(int8(from), v.axes)
		for to := 1; to <= len(v.sizes); to++ {
			if to == from {
				continue
			}
			has, mask := l.count(int8(to), v.axes), uint8(0)
			for first := n - 1; first >= 0; first-- {
				next := l
				for at := first; at < n; at++ {
					x := l.find(int8(from), at, v.axes)
					next[x] = place{int8(to), has + at - first}
					mask |= 1 << x
				}
				if v.legal(&next) {
					v.emit(move{AllToAll, mask, next, max(v.held, v.local(&next)) * q.Bytes(v.chips(mask))})
				}
			}
		}
	}
}

// scatters splits dimension dim and those after it along any of the unreduced axes left, in one collective. Dimensions
// are filled in their order, so that no layout comes twice.
func (v *mover) scatters(dim int, to layout, left, mask uint8) {
	if mask != 0 && dim == len(v.sizes)+1 {
		v.emit(move{ReduceScatter, mask, to, v.held})
	}
	if dim > len(v.sizes) {
		return
	}
	v.scatters(dim+1, to, left, mask)
	has := to.count(int8(dim), v.axes)
	for x := range v.axes {
		if left&(1<<x) == 0 {
			continue
		}
		next := to
		next[x] = place{int8(dim), has}
		if v.legal(&next) {
			v.scatters(dim, next, left&^(1<<x), mask|1<<x)
		}
	}
}

// free slices a dimension along an axis of copies; backwards, it takes a last axis off into the unreduced.
func (v *mover) free(l layout) {
	for dim := 1; dim <= len(v.sizes); dim++ {
		has := l.count(int8(dim), v.axes)
		if v.back {
			if has > 0 {
				x := l.find(int8(dim), has-1, v.axes)
				to := l
				to[x] = place{dim: partial}
				v.emit(move{kind: pad, mask: 1 << x, to: to})
			}
			continue
		}
		for x := range v.axes {
			if l[x].dim != unused {
				continue
			}
			to := l
			to[x] = place{int8(dim), has}
			if v.legal(&to) {
				v.emit(move{kind: Slice, mask: 1 << x, to: to})
			}
		}
	}
}

// reversed exchanges the unused and the unreduced axes.
func (l layout) reversed(axes int) layout {
	for x := range axes {
		switch l[x].dim {
		case unused:
			l[x] = place{dim: partial}
		case partial:
			l[x] = place{}
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
