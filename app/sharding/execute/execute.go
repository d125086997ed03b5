// Package execute runs strategies of app/sharding on numbers: every chip of a mesh has an array of its own, and a
// collective gives a chip only what chips of its own group hold. It is how the planner's claims are tested, and how a
// drawing can show who holds what in between.
package execute

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// maxElements bounds what all chips hold together, so that nothing stalls.
const maxElements = 1 << 22

// ErrTooLarge is returned for arrays that are too large to be run through.
var ErrTooLarge error = phrase.New("execute.too-large")

// Tensor is an array of numbers, the last dimension running fastest.
type Tensor struct {
	Shape []int
	Data  []float64
}

// NewTensor is zeros.
func NewTensor(shape ...int) Tensor {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return Tensor{shape, make([]float64, n)}
}

// Shard is what one chip holds of an array: the indices, and the numbers there.
type Shard struct {
	Held []sharding.Range
	Data []float64
}

// Placed is an array on a mesh: its sharding, and each chip's shard.
type Placed struct {
	Array  *sharding.Array
	Shards []Shard
}

func held(a *sharding.Array, m *sharding.Mesh, chip int) Shard {
	s := Shard{Held: a.Held(m, m.Coords(chip))}
	n := 1
	for _, r := range s.Held {
		n *= r.Len()
	}
	s.Data = make([]float64, n)
	return s
}

// each visits the indices that the ranges span, in order; nothing if one is empty.
func each(ranges []sharding.Range, visit func(at []int)) {
	at := make([]int, len(ranges))
	for i, r := range ranges {
		if r.Len() == 0 {
			return
		}
		at[i] = r.From
	}
	for {
		visit(at)
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < ranges[i].To {
				break
			}
			at[i] = ranges[i].From
		}
		if i < 0 {
			return
		}
	}
}

// offset is where an index lies in the numbers of ranges, or -1 if it is outside.
func offset(ranges []sharding.Range, at []int) int {
	o := 0
	for i, r := range ranges {
		if at[i] < r.From || at[i] >= r.To {
			return -1
		}
		o = o*r.Len() + at[i] - r.From
	}
	return o
}

// Place splits a tensor over the mesh. Along unreduced axes each chip gets a summand: share says which part of an
// element chip number i has, and must sum to 1 over those chips.
func Place(t Tensor, a *sharding.Array, m *sharding.Mesh, share func(coords []int) float64) (Placed, error) {
	p := Placed{Array: a}
	whole := ranges(t.Shape)
	total := 0
	for i := range m.Chips() {
		s := held(a, m, i)
		if total += len(s.Data) + 1; total > maxElements {
			return p, ErrTooLarge
		}
		part := 1.0
		if len(a.Unreduced) > 0 {
			part = share(m.Coords(i))
		}
		k := 0
		each(s.Held, func(at []int) {
			s.Data[k] = part * t.Data[offset(whole, at)]
			k++
		})
		p.Shards = append(p.Shards, s)
	}
	return p, nil
}

func ranges(shape []int) []sharding.Range {
	r := make([]sharding.Range, len(shape))
	for i, n := range shape {
		r[i] = sharding.Range{To: n}
	}
	return r
}

// Run executes the steps of a strategy from the operands as given, and returns the product as the last step leaves it.
// It is an error if a chip would need what nobody in its group holds.
func Run(e *sharding.Einsum, steps []sharding.Step, left, right Placed) (Placed, error) {
	now := [3]Placed{left, right}
	for i := range steps {
		t := &steps[i]
		var err error
		if t.Kind == sharding.Multiply {
			now[2], err = multiply(e, now[0], now[1], t.To)
		} else {
			now[t.Operand], err = move(e.Mesh, t, now[t.Operand])
		}
		if err != nil {
			return now[2], phrase.New("execute.in-step", "step", t.String(e.Mesh), "fault", err)
		}
	}
	return now[2], nil
}

// move runs one step of one array.
func move(m *sharding.Mesh, t *sharding.Step, from Placed) (Placed, error) {
	to := Placed{Array: t.To}
	sums := t.Kind == sharding.ReduceScatter || t.Kind == sharding.AllReduce
	total := 0
	for chip := range m.Chips() {
		s := held(t.To, m, chip)
		if total += len(s.Data) + 1; total > maxElements {
			return to, ErrTooLarge
		}
		members := []int{chip}
		if t.Kind != sharding.Slice {
			members = group(m, t.Axes, chip)
		}
		missing, k := false, 0
		each(s.Held, func(at []int) {
			v, ok := collect(from, members, at, sums)
			missing = missing || !ok
			s.Data[k] = v
			k++
		})
		if missing {
			return to, phrase.New("execute.not-held", "chip", chip)
		}
		to.Shards = append(to.Shards, s)
	}
	return to, nil
}

// collect is an element as the members of a group have it: of the first that holds it, or the sum of all, of whom each
// must.
func collect(from Placed, members []int, at []int, sums bool) (float64, bool) {
	total := 0.0
	for _, i := range members {
		o := offset(from.Shards[i].Held, at)
		switch {
		case o >= 0 && !sums:
			return from.Shards[i].Data[o], true
		case o >= 0:
			total += from.Shards[i].Data[o]
		case sums:
			return 0, false
		}
	}
	return total, sums
}

// group is the chips whose coordinates differ from chip's along the axes only.
func group(m *sharding.Mesh, axes []int, chip int) []int {
	var members []int
	at := m.Coords(chip)
	for i := range m.Chips() {
		same := true
		for x, c := range m.Coords(i) {
			same = same && (c == at[x] || slices.Contains(axes, x))
		}
		if same {
			members = append(members, i)
		}
	}
	return members
}

// multiply lets every chip multiply what it holds.
func multiply(e *sharding.Einsum, left, right Placed, product *sharding.Array) (Placed, error) {
	out := Placed{Array: product}
	for chip := range e.Mesh.Chips() {
		s := held(product, e.Mesh, chip)
		if err := local(e, left.Shards[chip], right.Shards[chip], s); err != nil {
			return out, phrase.New("execute.on-chip", "chip", chip, "fault", err)
		}
		out.Shards = append(out.Shards, s)
	}
	return out, nil
}

// local adds the products of two shards into a third. A common dimension must be the same part in all.
func local(e *sharding.Einsum, a, b, c Shard) error {
	span := make([]sharding.Range, len(e.Indices))
	for i, x := range e.Indices {
		known := false
		for k, s := range []Shard{a, b, c} {
			d := x.Dim(k)
			switch {
			case d < 0:
			case known && s.Held[d] != span[i]:
				return phrase.New("execute.dim-differs", "dim", x.Name)
			default:
				span[i], known = s.Held[d], true
			}
		}
	}
	var spots [3][]int
	var at3 [3][]int
	for k := range spots {
		spots[k] = dims(e, k)
		at3[k] = make([]int, len(spots[k]))
	}
	each(span, func(at []int) {
		for k := range at3 {
			for d, i := range spots[k] {
				at3[k][d] = at[i]
			}
		}
		c.Data[offset(c.Held, at3[2])] += a.Data[offset(a.Held, at3[0])] * b.Data[offset(b.Held, at3[1])]
	})
	return nil
}

// dims says of each dimension of array k which index it is.
func dims(e *sharding.Einsum, k int) []int {
	var list []int
	for i, x := range e.Indices {
		if d := x.Dim(k); d >= 0 {
			for len(list) <= d {
				list = append(list, 0)
			}
			list[d] = i
		}
	}
	return list
}

// Multiply is the einsum on whole tensors, with which runs are compared.
func Multiply(e *sharding.Einsum, left, right Tensor) Tensor {
	shape := make([]int, len(e.C.Dims))
	for i, d := range e.C.Dims {
		shape[i] = int(d.Size)
	}
	out := NewTensor(shape...)
	a, b, c := Shard{ranges(left.Shape), left.Data}, Shard{ranges(right.Shape), right.Data}, Shard{ranges(shape),
		out.Data}
	if err := local(e, a, b, c); err != nil {
		return Tensor{}
	}
	return out
}

// Trial is a strategy carried out on numbers: the same steps, on a small mesh with small arrays.
type Trial struct {
	Einsum *sharding.Einsum // as it was carried out
	Equal  bool             // to the product of the whole arrays
	Worst  float64          // the largest difference of an element
	Count  int              // elements compared
}

// mostWork is how many products of numbers a trial may take: some 100 ms in a browser.
const mostWork = 1 << 18

// Try carries out the steps of a strategy that computes e. Steps name only axes and arrays, so those of a large mesh
// serve for a small one.
func Try(e *sharding.Einsum, steps []sharding.Step) (Trial, error) {
	t := Trial{Einsum: shrunk(e, steps)}
	e = t.Einsum
	work := 1.0
	sides := sharding.Sizes{}
	for _, ix := range e.Indices {
		work *= ix.Size
		sides = append(sides, sharding.Size{Name: ix.Name, Value: ix.Size})
	}
	if work > mostWork {
		return t, ErrTooLarge
	}
	small := append([]sharding.Step{}, steps...)
	for i := range small {
		small[i].From, small[i].To = resized(small[i].From, sides), resized(small[i].To, sides)
	}
	seed := uint32(1)
	left, right := filled(&e.A, &seed), filled(&e.B, &seed)
	a, err := Place(left, &e.A, e.Mesh, evenly(&e.A, e.Mesh))
	if err != nil {
		return t, err
	}
	b, err := Place(right, &e.B, e.Mesh, evenly(&e.B, e.Mesh))
	if err != nil {
		return t, err
	}
	got, err := Run(e, small, a, b)
	if err != nil {
		return t, err
	}
	t.compare(got, Multiply(e, left, right))
	return t, nil
}

// shrunk is e on a mesh of at most two chips along each axis, with the smallest sizes that can still be split as the
// arrays and the steps split them.
func shrunk(e *sharding.Einsum, steps []sharding.Step) *sharding.Einsum {
	small := *e
	small.Mesh = &sharding.Mesh{}
	for _, a := range e.Mesh.Axes {
		small.Mesh.Axes = append(small.Mesh.Axes, sharding.Axis{Name: a.Name, Size: min(a.Size, 2)})
	}
	arrays := []*sharding.Array{&e.A, &e.B, &e.C}
	for i := range steps {
		arrays = append(arrays, steps[i].From, steps[i].To)
	}
	var sides sharding.Sizes
	small.Indices = append([]sharding.Index{}, e.Indices...)
	for i := range small.Indices {
		ix := &small.Indices[i]
		ix.Size = 2
		for _, a := range arrays {
			for _, d := range a.Dims {
				if d.Name == ix.Name {
					ix.Size = math.Max(ix.Size, float64(d.Shards(small.Mesh)))
				}
			}
		}
		sides = append(sides, sharding.Size{Name: ix.Name, Value: ix.Size})
	}
	small.A, small.B, small.C = *resized(&e.A, sides), *resized(&e.B, sides), *resized(&e.C, sides)
	return &small
}

// resized is an array with other sizes.
func resized(a *sharding.Array, sides sharding.Sizes) *sharding.Array {
	b := *a
	b.Dims = append([]sharding.Dim{}, a.Dims...)
	for i := range b.Dims {
		b.Dims[i].Size, _ = sides.Get(b.Dims[i].Name)
	}
	return &b
}

// evenly says how an unreduced array is divided into summands: each chip has the same.
func evenly(a *sharding.Array, m *sharding.Mesh) func([]int) float64 {
	n := 1.0
	for _, u := range a.Unreduced {
		n *= float64(m.Axes[u].Size)
	}
	return func([]int) float64 { return 1 / n }
}

// filled is a tensor of small whole numbers, whose sums are exact.
func filled(a *sharding.Array, seed *uint32) Tensor {
	shape := make([]int, len(a.Dims))
	for i, d := range a.Dims {
		shape[i] = int(d.Size)
	}
	t := NewTensor(shape...)
	for i := range t.Data {
		*seed = *seed*1664525 + 1013904223
		t.Data[i] = float64(*seed>>24) - 128
	}
	return t
}

// compare adds up what is unreduced and looks at every element that any chip holds.
func (t *Trial) compare(got Placed, want Tensor) {
	whole := ranges(want.Shape)
	for chip := range got.Shards {
		members := group(t.Einsum.Mesh, got.Array.Unreduced, chip)
		i := 0
		each(got.Shards[chip].Held, func(at []int) {
			sum := 0.0
			for _, k := range members {
				sum += got.Shards[k].Data[i]
			}
			t.Worst = math.Max(t.Worst, math.Abs(sum-want.Data[offset(whole, at)]))
			t.Count++
			i++
		})
	}
	t.Equal = t.Worst < 1e-6
}
