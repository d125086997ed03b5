package sharding

import "slices"

// Case is what a mesh axis means for a product of two sharded arrays. The four cases are those of the original book,
// made for matrices; here an axis is judged by the roles of the dimensions it splits, so that they hold for any einsum.
type Case uint8

// The cases. Where several axes differ, the product as a whole is of the one that demands most, in the order
// Aligned < Partial < OneSided < Conflict.
const (
	// Unused: neither operand is split along the axis. Every chip does the same.
	Unused Case = 0

	// Aligned: it splits no contracting dimension, and dimensions of both operands only in the same way. Nothing is
	// communicated.
	Aligned Case = 1

	// OneSided: it splits a dimension that both operands have, but only in one of them. That one is gathered, or the
	// other sliced, which is free.
	OneSided Case = 2

	// Partial: it splits a contracting dimension of both in the same way. Every chip has a partial sum, to be reduced.
	Partial Case = 3

	// Conflict: it splits two dimensions, one of each operand, which the result would have to keep apart. One operand
	// must be gathered first.
	Conflict Case = 4
)

// demand orders the cases by what they ask for.
func (c Case) demand() int { return [...]int{0, 1, 3, 2, 4}[min(c, Conflict)] }

// Case is the case of the einsum as a whole, and of each axis of the mesh.
func (e *Einsum) Case() (whole Case, axes []Case) {
	axes = make([]Case, len(e.Mesh.Axes))
	for x := range axes {
		axes[x] = e.axisCase(x)
		if axes[x].demand() > whole.demand() {
			whole = axes[x]
		}
	}
	return max(whole, Aligned), axes
}

// axisCase judges one axis. What counts as split in the same way includes the axes that split a dimension before this
// one.
func (e *Einsum) axisCase(x int) Case {
	a, b := e.indexSplit(inA, x), e.indexSplit(inB, x)
	switch {
	case a < 0 && b < 0:
		return [...]Case{Unused, Partial, Conflict}[e.unreduced(x)] // a sum times a sum is not the sum of the products
	case a == b && e.sameSplit(a, x):
		if e.Indices[a].Role == Contracting {
			return Partial
		}
		return Aligned
	case a >= 0 && e.Indices[a].Role == Contracting, b >= 0 && e.Indices[b].Role == Contracting, a == b:
		return OneSided
	case a >= 0 && b >= 0, e.unreduced(x) > 0:
		return Conflict
	}
	return Aligned // a free dimension, or a batch dimension that the other operand may be sliced along
}

// unreduced is how many operands are unreduced along x.
func (e *Einsum) unreduced(x int) int {
	n := 0
	for _, a := range []*Array{&e.A, &e.B} {
		if slices.Contains(a.Unreduced, x) {
			n++
		}
	}
	return n
}

// indexSplit is the index that axis x splits in operand i, or -1.
func (e *Einsum) indexSplit(i, x int) int {
	return slices.IndexFunc(e.Indices, func(ix Index) bool {
		d := ix.dim[i]
		return d >= 0 && slices.Contains(e.array(i).Dims[d].Axes, x)
	})
}

// sameSplit tells whether both operands split index i in the same way, up to and including axis x.
func (e *Einsum) sameSplit(i, x int) bool {
	a, b := e.A.Dims[e.Indices[i].dim[inA]].Axes, e.B.Dims[e.Indices[i].dim[inB]].Axes
	k := slices.Index(a, x)
	return len(b) > k && slices.Equal(a[:k+1], b[:k+1])
}
