package execute

import (
	"math"

	"github.com/scalebook/scalebook/app/sharding"
)

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
