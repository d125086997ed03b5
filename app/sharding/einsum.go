package sharding

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Einsum is a product of two arrays with named dimensions, and the sharding that its result shall have:
// A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]. A dimension of both operands that the result lacks is summed over.
type Einsum struct {
	Mesh    *Mesh
	A, B, C Array // C is the result as it is wanted
	Indices []Index
}

// Role is what an index is in an einsum.
type Role uint8

// The roles of an index.
const (
	Batch       Role = iota // in both operands and the result
	Contracting             // in both operands, summed over
	FreeA                   // in A and the result
	FreeB                   // in B and the result
)

// Index is a dimension of the einsum as a whole.
type Index struct {
	Name string
	Size float64
	Role Role
	dim  [3]int // which dimension of A, B and C it is; -1 if it isn't one
}

// operand numbers of Index.dim and of steps.
const (
	inA = iota
	inB
	inC
)

func (e *Einsum) array(i int) *Array {
	return [...]*Array{&e.A, &e.B, &e.C}[i]
}

// FLOPs is what the einsum computes once, on no matter how many chips: two operations (a multiply and an add) for each
// combination of all indices, one if nothing is summed over.
func (e *Einsum) FLOPs() q.FLOPs {
	n := e.perElement()
	for _, x := range e.Indices {
		n *= x.Size
	}
	return q.FLOPs(n)
}

func (e *Einsum) perElement() float64 {
	if slices.ContainsFunc(e.Indices, func(x Index) bool { return x.Role == Contracting }) {
		return 2
	}
	return 1
}

// Arithmetic is the dtype that e is computed in: that of the wider operand.
func (e *Einsum) Arithmetic() string {
	if e.B.Element() > e.A.Element() {
		return e.B.DType
	}
	return e.A.DType
}

// String is e in the notation.
func (e *Einsum) String() string {
	return e.A.String(e.Mesh) + " . " + e.B.String(e.Mesh) + " -> " + e.C.String(e.Mesh)
}

// ParseEinsum reads "A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]"; `*`, `·`, `×` and `@` stand for the dot as well. Arrays
// without a name are A, B and C, those without a dtype are bf16, and the result is as wide as the wider operand.
func ParseEinsum(text string, sizes Sizes, mesh *Mesh) (*Einsum, error) {
	s, err := newScanner("notation", text)
	if err != nil {
		return nil, err
	}
	p := newParser(s, sizes, mesh)
	e := &Einsum{Mesh: p.mesh}
	if err = p.operand("A", &e.A); err != nil {
		return nil, err
	}
	if !p.accept(".", "*", "·", "×", "@", ",") {
		return nil, p.expected(phrase.New("sharding.want-dot"), einsumForm)
	}
	if err = p.operand("B", &e.B); err != nil {
		return nil, err
	}
	if !p.accept("->", "→", "=>") {
		return nil, p.expected(phrase.New("sharding.want-arrow"), einsumForm)
	}
	if err = p.operand("C", &e.C); err != nil {
		return nil, err
	}
	if p.peek() != 0 {
		return nil, p.expected(phrase.New(theEnd), "sharding.einsum-parts")
	}
	return e, e.check()
}

// operand takes an array, and names it if it has no name.
func (p *parser) operand(name string, to *Array) error {
	a, err := p.array()
	if err != nil {
		return err
	}
	*to = *a
	if !a.named {
		to.Name = name
	}
	return nil
}

// check relates the dimensions of the three arrays.
func (e *Einsum) check() error {
	if !e.C.typed {
		e.C.DType = e.A.DType
		if e.B.Element() > e.A.Element() {
			e.C.DType = e.B.DType
		}
	}
	for _, a := range []*Array{&e.A, &e.B, &e.C} {
		for _, d := range a.Dims {
			if digit([]rune(d.Name)[0]) {
				return d.at.fault(
					"notation",
					phrase.New("sharding.dim-nameless", "dim", d.Name),
					phrase.New("sharding.name-dim", "dim", d.Name),
				)
			}
		}
	}
	for i, a := range []*Array{&e.A, &e.B} {
		for _, d := range a.Dims {
			if err := e.index(d, i); err != nil {
				return err
			}
		}
	}
	return e.checkResult()
}

// index enters dimension d of operand i, unless the other operand has.
func (e *Einsum) index(d Dim, i int) error {
	if slices.ContainsFunc(e.Indices, func(x Index) bool { return x.Name == d.Name }) {
		return nil
	}
	x := Index{Name: d.Name, Size: d.Size, dim: [3]int{e.A.find(d.Name), e.B.find(d.Name), e.C.find(d.Name)}}
	both, kept := x.dim[inA] >= 0 && x.dim[inB] >= 0, x.dim[inC] >= 0
	switch {
	case both && kept:
		x.Role = Batch
	case both:
		x.Role = Contracting
	case !kept:
		return d.at.fault(
			"notation",
			phrase.New("sharding.dim-lost", "dim", d.Name),
			phrase.New("sharding.keep-dim"),
		)
	case i == inA:
		x.Role = FreeA
	default:
		x.Role = FreeB
	}
	if len(e.Indices) == maxDims {
		return d.at.fault("notation", phrase.New("sharding.einsum-dims"), upTo(maxDims))
	}
	e.Indices = append(e.Indices, x)
	return nil
}

func (e *Einsum) checkResult() error {
	for _, d := range e.C.Dims {
		if e.A.find(d.Name) < 0 && e.B.find(d.Name) < 0 {
			return d.at.fault(
				"notation",
				phrase.New("sharding.dim-new", "dim", d.Name),
				e.operandsHave(),
			)
		}
	}
	return nil
}

func (e *Einsum) operandsHave() *phrase.Phrase {
	if len(e.Indices) == 0 {
		return phrase.New("sharding.operands-have-none")
	}
	return phrase.New("sharding.operands-have", "names", phrase.Commas(e.names()))
}

func (e *Einsum) names() []string {
	names := make([]string, len(e.Indices))
	for i, x := range e.Indices {
		names[i] = x.Name
	}
	return names
}

// find is which dimension of a has that name, or -1.
func (a *Array) find(name string) int {
	return slices.IndexFunc(a.Dims, func(d Dim) bool { return d.Name == name })
}

// Dim is which dimension of the left operand (0), the right one (1) or the result (2) the index is; -1 if none.
func (x Index) Dim(array int) int {
	if array < inA || array > inC {
		return -1
	}
	return x.dim[array]
}

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
